"""The pieces in one hand: where the detector sees them, and which kinds their colours could be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.boxes import centre, shared
from vision.cameras.frame import Image
from vision.detector import CLOSE_PX_PER_MM, CROP_PX, Detection
from vision.detector.cropping import CropFrame
from vision.detector.sight import Sight
from vision.detector.turned import Turned
from vision.readings import Box
from vision.reveal.colour import Colours, of_picture
from vision.reveal.geometry import crop_round
from vision.reveal.glimpse import glimpse_signs
from vision.reveal.hands import FoundHand
from vision.reveal.kinds import REST, KindColours, kind_evidence, learn_rest, likeliest_wood
from vision.reveal.likeness import HIDES, NOTHING, SEARCH, SIGN, Teller, views
from vision.reveal.skin import learn_skin

LEAST = 0.08
"""Weaker boxes are not even a doubt."""
_MAYBE_HELD = 0.3
"""What lies on a hand's edge may look as if it lay on the table: what looks so more surely is looked at again."""
_EDGE_PX = 5.0
_THERE = 0.2
"""What is found more surely hides the skin below it."""
_PLAINLY = 0.3
"""Of which wood a hand's search pieces are is told by what was found more surely, if anything was."""
_INSIDE = 0.05
"""A piece's centre lies at least so far (of the box's size) inside a hand's box: not beside a finger."""
_ROUND_PX = 2
_PLAIN, _SAME_AS_BEFORE = 10.0, 0.88
"""What is seen with so little contrast (grey levels) is plain table; what correlates so well is the same thing."""


@dataclass(frozen=True, slots=True)
class Held:
    """A box that may be a piece in a hand: in pixels of the picture and of the crop; the detector's score; how much
    of it (0..1) a stronger box covers; log likelihood of each kind, and of REST, for its colours (if asked for);
    how much (0..1) of what is round it is the hand's skin; how plainly (0..1) each sign's print shows at it (if
    looked for); how far it lies from the middle of the hand; how many looks it was looked for in; how much larger
    (log) its box is than each kind as it was enrolled (if asked for); how much likelier (log) it looks like a
    piece than like none, and like each sign than like a search piece, and how many more (log) seem to hide there
    (these three if there was something to compare with)."""

    box: Box
    in_crop: Box
    score: float
    covered: float
    kinds: Mapping[str, float] = field(default_factory=dict)
    skin: float = 1.0
    print: Mapping[str, float] = field(default_factory=dict)
    off_mm: float = 0.0
    looks: int = 1
    larger: Mapping[str, float] = field(default_factory=dict)
    like_piece: float | None = None
    like_sign: Mapping[str, float] = field(default_factory=dict)
    like_more: float | None = None


class Palm:
    """An open hand of a BGR picture, into which one can look as many ways round as it takes.

    A look is begun and not waited for: other hands can be attended to in the meantime.
    sight: with what to look (`vision.detector.turned`). light: gains (b, g, r) to the light of enrolment. empty:
    the same table without hands: what is seen there in the same place lies beside the hand, not in it. first: with
    which look to begin (`vision.detector.turned`). teller: tells what is found from what is not.
    """

    def __init__(
        self,
        sight: Sight,
        image: Image,
        hand: FoundHand,
        others: tuple[FoundHand, ...],
        plane: TablePlane,
        light: NDArray[np.float64],
        teller: Teller,
        empty: Image | None = None,
        first: int = 0,
    ) -> None:
        self._first, self._teller = first, teller
        self._image, self.hand, self._others, self._plane = image, hand, others, plane
        self._sight, self._light, self._empty = sight, light, empty
        self._lay(crop_round(plane, hand.centre))

    def look_again(self, ways: int) -> None:
        """Start the passes that bring the number of orientations (`vision.detector.turned`) to `ways`."""
        self._square.begin(ways - 1)

    def centre(self) -> None:
        """Begin anew, where the pieces are, if the first look found some that lie off the middle."""
        found = self.found()
        if not any(_at_edge(piece.in_crop) for piece in found):
            return
        middles = np.array([[x + w / 2, y + h / 2] for x, y, w, h in (piece.box for piece in found)])
        x, y = (middles.min(axis=0) + middles.max(axis=0)) / 2
        self._lay(crop_round(self._plane, (float(x), float(y))))

    def found(self) -> tuple[Held, ...]:
        """Give what all looks so far found in the hand, without asking for its kind."""
        frame, hand, others = self._frame, self.hand, self._others
        mine = [p for p in self._square.seen(LEAST) if _belongs(frame.box(p.box), hand, others)]
        return lying(mine, self._middle(), self._square.looks, frame)

    def unsettled(self) -> bool:
        """Tell whether something in the hand was taken for a piece that lies on the table beside it."""
        return any(
            _belongs(self._frame.box(one.box), self.hand, self._others)
            for one in self._square.seen(_MAYBE_HELD, "loose")
        )

    def held(self, models: Mapping[str, KindColours], areas: Mapping[str, float]) -> tuple[Held, ...]:
        """Give what all looks so far found in the hand, how well it fits these kinds, and how it lies on skin.

        areas: of the smallest rectangle round each kind as enrolled, mm².
        """
        found = self.found()
        if self._empty is not None:
            found = tuple(piece for piece in found if not _lay_there(self._image, self._empty, piece.box))
        if not found:
            return ()
        return weighed(found, self._crop, self._light, models, areas, self._middle(), self._teller)

    def _middle(self) -> tuple[float, float]:
        """Tell where the hand's middle lies, in px of the crop."""
        frame, (x, y) = self._frame, self.hand.centre
        return (x - frame.left) * frame.scale, (y - frame.top) * frame.scale

    def _lay(self, frame: CropFrame) -> None:
        self._frame, self._crop = frame, frame.picture(self._image)
        self._square = Turned(self._sight.palms, self._crop, "piece", self._first)
        self._square.begin()


def lying(
    found: Sequence[Detection], middle: tuple[float, float], looks: int, frame: CropFrame
) -> tuple[Held, ...]:
    """Say how things lie that were found in a hand's crop in so many looks. middle: of the hand, px of the crop."""
    return tuple(
        Held(
            frame.box(one.box), one.box, one.score, covered(one, found), looks=looks,
            off_mm=math.dist(centre(one.box), middle) / CLOSE_PX_PER_MM,
        )
        for one in found
    )  # fmt: skip


def weighed(
    found: tuple[Held, ...],
    crop: Image,
    light: NDArray[np.float64],
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
    middle: tuple[float, float],
    teller: Teller,
) -> tuple[Held, ...]:
    """Compare what was found in a hand's crop (BGR) with how kinds look, and with what else is seen in it.

    light: gains to that of enrolment. areas: of the smallest rectangle round each kind as enrolled, mm², those that
    are known. middle: of the hand, px of the crop.
    """
    colours = of_picture(crop, light)
    rest = learn_rest(crop, light, [piece.in_crop for piece in found])
    known = dict(models) if rest is None else {**models, REST: rest}
    evidence = kind_evidence(colours, [piece.in_crop for piece in found], known)
    told = tuple(
        replace(piece, kinds=kinds, larger=_larger(piece.in_crop, areas))
        for piece, kinds in zip(found, evidence, strict=True)
    )
    told = with_likeness(with_print(told, colours, known), colours, known, areas, teller)
    return on_skin(told, crop, colours, light, middle)


def on_skin(
    held: tuple[Held, ...], crop: Image, colours: Colours, light: NDArray[np.float64], middle: tuple[float, float]
) -> tuple[Held, ...]:
    """Look round what was found in a crop, of these colours, for skin. middle: of the hand, px of the crop."""
    skin = learn_skin(crop, light, middle, [piece.in_crop for piece in held])
    if skin is None:
        return held
    there = [piece for piece in held if piece.score > _THERE]
    others = [[other.in_crop for other in there if other is not piece] for piece in held]
    rims = skin.round_about(colours, [piece.in_crop for piece in held], others)
    return tuple(replace(piece, skin=rim) for piece, rim in zip(held, rims, strict=True))


def with_print(held: tuple[Held, ...], colours: Colours, models: Mapping[str, KindColours]) -> tuple[Held, ...]:
    """Look at and round what was found in a crop of these colours for bits of the signs' print."""
    there = [piece for piece in held if piece.score > _THERE]
    seen = iter(glimpse_signs(colours, [one.in_crop for one in there], [one.kinds for one in there], models))
    return tuple(replace(piece, print=next(seen)) if piece.score > _THERE else piece for piece in held)


def with_likeness(
    held: tuple[Held, ...],
    colours: Colours,
    models: Mapping[str, KindColours],
    areas: Mapping[str, float],
    teller: Teller,
) -> tuple[Held, ...]:
    """Ask what each thing found in a crop of these colours looks like, beside what lies round it."""
    boxes, scores = [one.in_crop for one in held], [one.score for one in held]
    seen = views(colours, boxes, scores, wood_of(held), models, areas)
    if not seen:
        return held
    told = teller.tell(np.concatenate(list(seen.values()))).reshape(len(seen), len(held), -1)
    pieces = np.logaddexp.reduce(told[:, :, SEARCH:HIDES], axis=2) - told[:, :, NOTHING]
    signs = {sign: of[:, SIGN] - of[:, SEARCH] for sign, of in zip(seen, told, strict=True) if sign}
    return tuple(
        replace(
            one,
            like_piece=float(piece),
            like_sign={sign: float(of[number]) for sign, of in signs.items()},
            like_more=float(more),
        )
        for number, (one, piece, more) in enumerate(
            zip(held, pieces.mean(axis=0), told[:, :, HIDES].mean(axis=0), strict=True)
        )
    )


def wood_of(held: Sequence[Held]) -> str | None:
    """Name the search piece that what was plainly found in a hand fits best; None where nobody has asked."""
    plain = [one.kinds for one in held if one.score > _PLAINLY] or [one.kinds for one in held]
    return likeliest_wood(plain)


def _lay_there(image: Image, empty: Image, box: Box) -> bool:
    """Tell whether the table without hands shows the very same in a box: between fingers one sees the table."""
    x, y, width, height = box
    left, top = max(0, int(x) - _ROUND_PX), max(0, int(y) - _ROUND_PX)
    cut = (slice(top, int(y + height) + _ROUND_PX + 1), slice(left, int(x + width) + _ROUND_PX + 1))
    now, then = image[cut], empty[cut]
    # Bare wood is alike everywhere: only what stands out there can be seen again.
    if min(now.shape[:2]) < 2 or float(cv2.meanStdDev(then)[1].max()) < _PLAIN:
        return False
    alike = float(cv2.matchTemplate(now, then, cv2.TM_CCOEFF_NORMED)[0, 0])
    return alike > _SAME_AS_BEFORE


def _belongs(box: Box, hand: FoundHand, others: tuple[FoundHand, ...]) -> bool:
    """Tell whether a piece lies in this hand and not in another one nearby."""
    own = _depth(box, hand.box)
    return own > _INSIDE and all(own >= _depth(box, other.box) for other in others if other is not hand)


def _depth(piece: Box, hand: Box) -> float:
    """Tell how far inside a hand's box a piece's centre lies: 0.5 in its middle, 0 at its edge, below outside."""
    x = (piece[0] + piece[2] / 2 - hand[0]) / max(hand[2], 1.0)
    y = (piece[1] + piece[3] / 2 - hand[1]) / max(hand[3], 1.0)
    return min(x, 1 - x, y, 1 - y)


def _larger(box: Box, areas: Mapping[str, float]) -> dict[str, float]:
    """Tell how much larger (log) a box of the crop is than each of these areas, mm²."""
    own = max(1.0, box[2] * box[3]) / CLOSE_PX_PER_MM**2
    return {kind: math.log(own / max(1.0, area)) for kind, area in areas.items()}


def _at_edge(box: Box) -> bool:
    x, y, width, height = box
    return min(x, y, CROP_PX - x - width, CROP_PX - y - height) < _EDGE_PX


def covered(piece: Detection, pieces: Sequence[Detection]) -> float:
    """Give the largest share of a box that a stronger box covers."""
    own = piece.box[2] * piece.box[3]
    stronger = (other for other in pieces if other.score > piece.score)
    return max((shared(piece.box, other.box) / own for other in stronger), default=0.0)
