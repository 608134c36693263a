"""Enrols the tokens of another edition of the game from one picture that shows all 21 in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from calibration.errors import ProfileError
from calibration.pieces.samples import PieceSamples
from calibration.profile import TableProfile
from calibration.translatable import listed, say
from vision import colour
from vision.cameras.frame import Image
from vision.games.master.objects.tokens.token_faces import DISC_PX, faces_of, normalised, polar_views
from vision.games.master.readings import NUMBERS
from vision.games.master.token_enrolment import token_samples

_SAME_FACE: Final = 0.75
"""Minimum correlation of a token with a face of the printable stand-in at which it is recognised as that one."""
_MIN_STANDIN: Final = 11
"""Minimum number of tokens recognised as the stand-in's; below it, the order is not checked."""


def enrolled_tokens(
    profile: TableProfile, image: Image, *, add: bool = False, upright: bool = False
) -> TableProfile:
    """Return the profile with samples of the tokens from a BGR picture that shows all 21 in order, row by row.

    add: keep the earlier samples too, for example of another light. upright: see `token_samples`. Raises
    ProfileError as that does, and if the tokens are those of the printable stand-in in a wrong order.
    """
    profile = profile.of("master")
    samples = token_samples(image, upright=upright)
    _check_order(samples)
    for kind, own in samples.items():
        known = profile.pieces.get(kind)
        profile = profile.with_pieces(kind, known.with_more(own.specimens) if add and known is not None else own)
    return profile


def _check_order(samples: Mapping[str, PieceSamples]) -> None:
    """Raise ProfileError if the tokens are those of the printable stand-in and not in order.

    samples: by kind, such as `token:7`, as the order in the picture names them.
    """
    found = {number: _standin_number(samples[f"token:{number}"]) for number in NUMBERS}
    recognised = {number: printed for number, printed in found.items() if printed is not None}
    wrong = [number for number, printed in recognised.items() if printed != number]
    if len(recognised) >= _MIN_STANDIN and wrong:
        places = [say("where {number} belongs is {found}", number=n, found=recognised[n]) for n in wrong[:3]]
        raise ProfileError(
            say(
                "The tokens do not lie in order: {places}. Lay them from 1 to 20, then 25, in rows from the left.",
                places=listed(places),
            )
        )


def _standin_number(samples: PieceSamples) -> int | None:
    """Return the number of the stand-in's token that the newest sample shows; None if it shows none of them."""
    crop = np.ascontiguousarray(samples.specimens[-1].crop[..., :3])
    middle = (crop.shape[0] - 1) / 2
    polar = normalised(polar_views(colour.of_view(crop), np.array([[middle, middle, DISC_PX / 2]])))
    faces = faces_of({})
    likeness = faces.compare(polar, DISC_PX / 2)[0]
    best = int(likeness.argmax())
    return faces.numbers[best] if likeness[best] >= _SAME_FACE else None
