"""The simulated table's own things: the faces of its cards, and the table taught from pictures of itself.

The table is taught just as a real one is: by pictures of the calibration sheet, of pieces laid out, and by the
printed deck's art. Nothing that the renderer knows goes into the profile in any other way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration import art, pieces
from calibration.calibrate import calibrate
from calibration.cards import deck_from_art
from calibration.errors import ProfileError
from calibration.profile import TableProfile, folder_of
from companion.director.lessons import sheet_scene, specimens_scene
from companion.games.wicked.components import PLAYER_COLOURS, Deck
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import Scene

Render = Callable[[Scene, int], Image]
"""Gives the picture of a scene; the number picks the noise."""
Face = NDArray[np.uint8]
"""A printed face: BGRA."""

FACE_PX_PER_MM = 4.0
PIECE_KINDS: tuple[str, ...] = (*(f"search:{colour}" for colour in PLAYER_COLOURS), "sign:witch", "sign:soul")
_BACKS: tuple[Literal["corridor", "great", "small"], ...] = ("corridor", "great", "small")
_PICTURES = 2
_SEATS = 4
_MARK = "taught-for.txt"


def card_faces(deck: Deck, px_per_mm: float = FACE_PX_PER_MM) -> dict[str, Face]:
    """Draw the face of every card of a deck, by its id, and the three backs (`back:corridor` …)."""
    faces = {f"back:{back}": art.rasterise(art.card_back(back), px_per_mm) for back in _BACKS}
    for corridor in deck.corridors:
        faces[corridor.id] = art.rasterise(
            art.corridor_face(corridor.id, corridor.upper, corridor.lower), px_per_mm
        )
    for great in deck.great:
        faces[great.id] = art.rasterise(art.great_face(great.id, great.colours), px_per_mm)
    for small in deck.small:
        needs = [(need.colour, need.rank) for need in small.needs]
        faces[small.id] = art.rasterise(art.small_face(small.id, needs, small.reward), px_per_mm)
    return faces


def taught(render: Render, deck: Deck, tell: Callable[[str], None]) -> TableProfile:
    """Teach a table from its pictures and the printed deck's art; `tell` takes a plain line about each step."""
    tell("The camera is calibrated with the sheet.")
    calibration = calibrate(render(sheet_scene(), 0), _SEATS)
    profile = TableProfile(seats=_SEATS).calibrated(calibration)
    for number, kind in enumerate(PIECE_KINDS):
        tell(f"The pieces are learnt: {number + 1} of {len(PIECE_KINDS)} kinds.")
        pictures = [render(specimens_scene(kind, picture), picture) for picture in range(_PICTURES)]
        profile = pieces.enrol(profile, kind, pictures)
    tell("The cards are learnt.")
    return replace(profile, deck=deck_from_art(deck))


def simulated_profile(name: str, render: Render, deck: Deck, tell: Callable[[str], None]) -> TableProfile:
    """Load the profile of this simulated table; teach and save it where there is none, or one of another look."""
    folder = folder_of(name)
    mark = _fingerprint(render(sheet_scene(), 0), deck)
    if _read_mark(folder) == mark:
        try:
            return TableProfile.load(folder)
        except ProfileError:
            tell("The saved table cannot be read, so it is learnt anew.")
    profile = taught(render, deck, tell)
    profile.save(folder)
    (folder / _MARK).write_text(mark, encoding="ascii")
    return profile


def _read_mark(folder: Path) -> str | None:
    try:
        return (folder / _MARK).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _fingerprint(picture: Image, deck: Deck) -> str:
    """Tell one look of the table, with one deck, from another."""
    content: Sequence[bytes] = (np.ascontiguousarray(picture).tobytes(), repr(deck).encode())
    return hashlib.sha256(b"".join(content)).hexdigest()
