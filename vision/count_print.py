"""Pieces among print: learned anew at each table from boards on which people pointed at all pieces of each kind.

What is not pointed at there is print. Two classifiers learn from it: the first tells for each place which kind lies
there, or none; the second tells which boxes hold one whole piece. The second learns from maps of boards that the
first did not see, so that it knows how wrong these can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boards import Board
from calibration.errors import EnrolError, ProfileError
from calibration.light import coded, linear
from calibration.plane import Image
from calibration.pointing import find_boxed
from calibration.samples import PieceSamples
from calibration.specimens import PX_PER_MM
from vision.boxes import overlap, scaled
from vision.count_features import STEP, Layer, measure_places
from vision.count_learner import Classifier, Rows, Way, learn
from vision.count_raised import Raised, shipped
from vision.count_windows import Fits, Maps, learn_fits, lessons, shapes_of
from vision.readings import Box

PIECE_PX = 30.0
"""Pictures are brought to the scale at which a piece is about so long."""
LEAST_FIT = 0.5
"""Boxes that fit less are no pieces. On the boards that `models.evaluation.photographs` sets apart about as many
are then wrong as are missed, so that counts err neither way."""
_NOTHING, _NOT_SAID = 0, -1
_VARIANTS = 5
_GROUND, _HARD = 6000, 5000
"""Places without pieces that are learned from in each picture, and those of them that were mistaken at first."""
_NEAR_PX = 15
_SAME_PLACE = 0.45
_STANDS, _LEAST_PART = 0.85, 0.15
"""What so surely stands on the print, on so much of a usual box, and is no piece that was found, is pointed at. On
the boards set apart that is every second piece of a colour that was not taught (154 of 296), and in 16 readings
five times nothing (`models.evaluation.untaught_pieces`)."""
Labels = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Found:
    """One piece found among print: its kind, its box in px and how well that fits, 0..1."""

    kind: str
    box: Box
    fit: float


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen on a board. pieces: the surest first; strange: boxes (px) of what stands there beside them."""

    pieces: tuple[Found, ...]
    strange: tuple[Box, ...]


@dataclass(frozen=True, eq=False)
class _Shown:
    """A board at working scale. labels: (height, width), 1 + number of the kind; boxes by kind, px."""

    image: Image
    labels: Labels
    boxes: Mapping[str, tuple[Box, ...]]
    raised: Raised
    places: Layer


@dataclass(frozen=True, eq=False)
class PrintReader:
    """Finds pieces of these kinds among print. px_per_mm: the scale at which it looks."""

    kinds: tuple[str, ...]
    px_per_mm: float
    places: Classifier
    fits: Fits

    @classmethod
    def learn(cls, boards: Sequence[Board], pieces: Mapping[str, PieceSamples]) -> PrintReader:
        """Learn from boards, which takes some 25 seconds; two boards or more make it good.

        Raises ProfileError when nothing is marked on them, or one is damaged.
        """
        kinds = tuple(sorted(kind for kind in pieces if any(board.marks.get(kind) for board in boards)))
        if not kinds:
            raise ProfileError("No pieces were pointed out on a board: use `companion enrol pieces --boxes` first.")
        scale = PIECE_PX / float(np.median([pieces[kind].size_mm[0] for kind in kinds]))
        shown = [_shown(board, kinds, scale) for board in boards if board.marks]
        rows = [_rows(board, len(kinds), number) for number, board in enumerate(shown)]
        shapes = shapes_of([box for board in shown for boxes in board.boxes.values() for box in boxes])
        halves = (range(0, len(shown), 2), range(1, len(shown), 2))
        seen = []
        for learned, judged in (halves, halves[::-1]):
            # A single board can only be judged by itself.
            first = _first([rows[number] for number in (learned or judged)])
            for board in (shown[number] for number in judged):
                seen += _box_lessons(board, kinds, _mapped(first, board.places), shapes)
        fits = learn_fits(shapes, *(np.concatenate(parts) for parts in zip(*seen, strict=True)))
        return cls(kinds, scale, _second(shown, rows), fits)

    def look(self, image: Image, px_per_mm: float) -> Look:
        """Find the pieces in a BGR picture of this scale, and what else stands there; boxes in its own px."""
        factor = _factor(self.px_per_mm / px_per_mm)
        small = _scaled(image, factor)
        stands = shipped().look(small)
        chances = _mapped(self.places, _measured(small, stands))
        found = [
            Found(kind, box, fit)
            for number, kind in enumerate(self.kinds)
            for box, fit in self.fits.find(_maps(chances, number, stands), LEAST_FIT)
        ]
        kept: list[Found] = []
        for one in sorted(found, key=lambda one: -one.fit):
            if all(overlap(one.box, other.box) < _SAME_PLACE for other in kept):
                kept.append(one)
        strange = strange_boxes(stands.there, [one.box for one in kept], self.fits.usual_area)
        return Look(
            tuple(Found(one.kind, scaled(one.box, 1 / factor), one.fit) for one in kept),
            tuple(scaled(box, 1 / factor) for box in strange),
        )


def strange_boxes(there: Layer, known: Sequence[Box], usual_area: float) -> list[Box]:
    """Give boxes (px) of what stands on the print outside of known ones (px).

    there: how likely something stands at each place, (height, width) in cells; usual_area: of a piece's box, cells.
    """
    stands = (there > _STANDS).astype(np.uint8)
    for x, y, width, height in known:
        stands[_window((x - 1) / STEP, (y - 1) / STEP, (width + 2) / STEP, (height + 2) / STEP)] = 0
    _, _, parts, _ = cv2.connectedComponentsWithStats(stands)
    return [
        scaled((float(x), float(y), float(width), float(height)), STEP)
        for x, y, width, height, area in parts[1:].tolist()
        if area >= _LEAST_PART * usual_area
    ]


def _factor(wanted: float) -> float:
    # Pictures of nearly the right scale stay as sharp as they are.
    return 1.0 if 0.87 < wanted < 1.15 else float(np.clip(wanted, 0.2, 3.0))


def _scaled(image: Image, factor: float) -> Image:
    if factor == 1.0:
        return image
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def _shown(board: Board, kinds: Sequence[str], px_per_mm: float) -> _Shown:
    image = board.image
    labels = _labels(board, kinds)
    middle = (image.shape[1] / 2, image.shape[0] / 2)
    factor = _factor(px_per_mm / float(board.plane.px_per_mm_at(board.plane.to_table(middle))))
    small = _scaled(image, factor)
    size = (small.shape[1], small.shape[0])
    boxes = {kind: tuple(scaled(box, factor) for box in board.marks[kind]) for kind in kinds if kind in board.marks}
    labels = np.asarray(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), np.int8)
    stands = shipped().look(small)
    return _Shown(small, labels, boxes, stands, _measured(small, stands))


def _measured(image: Image, stands: Raised) -> Layer:
    """Give all that is measured at each place: its colours and those round it, and what a network sees there."""
    return np.concatenate([measure_places(image), stands.seen], axis=-1)


def _labels(board: Board, kinds: Sequence[str]) -> Labels:
    """Say for each pixel of a board's picture which kind lies there; of a box only the piece itself is said."""
    image, plane = board.image, board.plane
    height, width = image.shape[:2]
    labels = np.zeros((height, width), np.int8)
    every = [box for boxes in board.marks.values() for box in boxes]
    if any(kind not in board.marks for kind in kinds):
        # Pieces of the other kinds may lie here too: only what is near to the marked ones is surely looked at.
        near = np.zeros((height, width), np.uint8)
        for x, y, w, h in every:
            near[_window(x - w, y - h, 3 * w, 3 * h)] = 1
        labels[near == 0] = _NOT_SAID
    for x, y, w, h in every:
        labels[_window(x - 1, y - 1, w + 2, h + 2)] = _NOT_SAID
    for number, kind in enumerate(kinds):
        try:
            finds = find_boxed(image, plane, board.marks[kind]) if board.marks.get(kind) else ()
        except EnrolError:
            continue
        for find in finds:
            core = cv2.erode(find.mask.astype(np.uint8), np.ones((2, 2), np.uint8))
            rows, columns = np.nonzero(core)
            spots = plane.to_image(find.region.to_mm(np.stack([columns, rows], axis=1), PX_PER_MM))
            x, y = np.round(spots).astype(int).T
            inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
            labels[y[inside], x[inside]] = number + 1
    return labels


def _window(x: float, y: float, width: float, height: float) -> tuple[slice, slice]:
    return (slice(max(0, int(y)), max(0, int(y + height) + 1)), slice(max(0, int(x)), max(0, int(x + width) + 1)))


def _rows(board: _Shown, kinds: int, seed: int) -> tuple[Rows, Rows]:
    """Measure places of a board: in its own light and scale, and in others that might be."""
    rng = np.random.default_rng([seed, 0xB0A2D])
    parts = [_places(board.places, board.labels, kinds, rng)]
    for _ in range(_VARIANTS):
        factor = float(np.exp(rng.uniform(-0.25, 0.25)))
        image = _relit(_scaled(board.image, factor), rng)
        labels = cv2.resize(board.labels, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST)
        parts.append(_places(_measured(image, shipped().look(image)), np.asarray(labels, np.int8), kinds, rng))
    measures, wanted = zip(*parts, strict=True)
    return np.concatenate(measures), np.concatenate(wanted)


def _relit(image: Image, rng: np.random.Generator) -> Image:
    """Put a picture into another light: brighter or darker, warmer or colder, harder or softer."""
    gains = np.exp(rng.normal(0, 0.22) + rng.normal(0, (0.22, 0.07, 0.15))).astype(np.float32)
    light = np.clip(linear(image) * gains, 0, 1) ** float(np.exp(rng.normal(0, 0.12)))
    levels = coded(np.asarray(light, np.float32))
    return np.asarray(np.clip(levels + rng.normal(0, 2, image.shape), 0, 255), np.uint8)


def _places(places: Layer, labels: Labels, kinds: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Choose the pieces' places, and ground: two of three places near to pieces."""
    own = labels[STEP // 2 :: STEP, STEP // 2 :: STEP]
    flat = own.reshape(-1)
    near = cv2.dilate((own != _NOTHING).astype(np.uint8), np.ones((_NEAR_PX, _NEAR_PX), np.uint8)).reshape(-1) > 0
    ground = flat == _NOTHING
    chosen = np.concatenate([
        np.flatnonzero(flat > 0),
        rng.permutation(np.flatnonzero(ground & near))[: _GROUND * 2 // 3],
        rng.permutation(np.flatnonzero(ground & ~near))[: _GROUND // 3],
    ])  # fmt: skip
    return places.reshape(-1, places.shape[-1])[chosen], np.eye(kinds + 1, dtype=np.float32)[flat[chosen]]


def _first(rows: Sequence[tuple[Rows, Rows]]) -> Classifier:
    measures, wanted = zip(*rows, strict=True)
    # What the network sees is much for so few boards: noise keeps them from being learned by heart.
    return learn(np.concatenate(measures), np.concatenate(wanted), Way(hidden=64, rounds=8, noise=0.3, drop=0.3))


def _second(shown: Sequence[_Shown], rows: Sequence[tuple[Rows, Rows]]) -> Classifier:
    """Learn from all boards, and once more with the ground that was then taken for pieces."""
    first = _first(rows)
    hard: list[tuple[Rows, Rows]] = []
    for board in shown:
        chances = _mapped(first, board.places)
        ground = board.labels[STEP // 2 :: STEP, STEP // 2 :: STEP].reshape(-1) == _NOTHING
        doubt = np.where(ground, 1 - chances[..., 0].reshape(-1), -1.0)
        worst = np.argsort(-doubt)[: min(_HARD, int(ground.sum()))]
        wanted = np.zeros((len(worst), chances.shape[-1]), np.float32)
        wanted[:, 0] = 1.0
        hard.append((board.places.reshape(-1, board.places.shape[-1])[worst], wanted))
    return _first([*rows, *hard])


def _mapped(classifier: Classifier, places: Layer) -> Layer:
    """Give the chances of each place, (height, width, 1 + kinds)."""
    flat = classifier(places.reshape(-1, places.shape[-1]))
    return flat.reshape(*places.shape[:2], -1)


def _maps(chances: Layer, number: int, stands: Raised) -> Maps:
    rest = np.delete(chances[..., 1:], number, axis=-1)
    others = rest.max(axis=-1) if rest.shape[-1] else np.zeros(chances.shape[:2], np.float32)
    own = np.ascontiguousarray(chances[..., number + 1])
    return Maps(own, np.ascontiguousarray(others), stands.there, stands.sides)


def _box_lessons(
    board: _Shown, kinds: Sequence[str], chances: Layer, shapes: NDArray[np.float64]
) -> list[tuple[Rows, Rows]]:
    rng = np.random.default_rng(3)
    return [
        lessons(_maps(chances, number, board.raised), board.boxes[kind], shapes, rng)
        for number, kind in enumerate(kinds)
        if board.boxes.get(kind)
    ]
