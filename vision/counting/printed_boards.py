"""Detect pieces on printed boards with classifiers that are trained at the table.

They are trained on pictures in which people marked all pieces; everything unmarked is print. The first classifier
maps each cell of two by two pixels to a kind or to print; the second decides which boxes contain one whole piece.
The second is trained on boards that the first was not trained on, so that it learns the first one's errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import EnrolError, ProfileError
from calibration.light import coded, linear
from calibration.pieces.marked_pictures import MarkedPicture
from calibration.pieces.marked_pieces import find_in_boxes
from calibration.pieces.samples import PieceSamples
from calibration.pieces.segmentation import PX_PER_MM
from calibration.plane import Image
from vision.boxes import overlap, scaled
from vision.counting.box_detector import BoxModel, Maps, train_box_model, training_samples, typical_sizes
from vision.counting.pixel_features import STEP, Layer, local_features
from vision.counting.print_segmentation import PrintSegmentation, shipped_network
from vision.counting.small_networks import Classifier, Rows, TrainingConfig, train_ensemble
from vision.readings import Box

PIECE_PX = 30.0
"""Length of a piece in the rescaled picture."""
MIN_FIT = 0.5
"""Minimum fit of a box that is a piece. On the boards that `models.evaluation.pieces.photographs` sets apart, false
and missed pieces are then equally frequent, so that counts are unbiased."""
_NOTHING = 0
"""Label of print."""
_UNLABELLED = -1
"""Label of unknown pixels."""
_VARIANTS = 5
"""Number of augmented copies of each board."""
_PRINT_SAMPLES = 6000
"""Number of print samples per picture."""
_HARD_NEGATIVES = 5000
"""Number of hard negatives per picture: print cells that the first training mistook for pieces."""
_NEAR_PX = 15
"""Width of the neighbourhood of pieces from which most print samples come, cells."""
_MAX_OVERLAP = 0.45
"""Maximum overlap (intersection over union) of two pieces."""
_MIN_STANDING = 0.85
"""Minimum probability of being raised above the print, for a pixel of an unexplained object. On the held-out boards
this detects every second piece of a colour that is not enrolled (154 of 296), with five false ones in 16 readings
(`models.evaluation.pieces.unenrolled_colours`)."""
_MIN_STRANGE_SHARE = 0.15
"""Minimum area of an unexplained object, as a share of a typical box."""
Labels = NDArray[np.int8]
"""Label of each pixel: `_NOTHING`, `_UNLABELLED` or 1 + index of the kind."""


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    """One piece detected among print."""

    kind: str
    """Kind of the piece."""
    box: Box
    """Bounding box, px."""
    fit: float
    """How well the box fits one whole piece, 0..1."""


@dataclass(frozen=True, slots=True)
class PrintDetections:
    """Objects detected on a printed board."""

    pieces: tuple[PrintedPiece, ...]
    """Pieces, best fit first."""
    strange: tuple[Box, ...]
    """Boxes (px) of raised objects that match no enrolled kind."""


@dataclass(frozen=True, eq=False)
class _TrainingBoard:
    """A marked board at working scale."""

    image: Image
    """Rescaled BGR picture."""
    labels: Labels
    """Label of each pixel, (height, width)."""
    boxes: Mapping[str, tuple[Box, ...]]
    """Marked boxes by kind, px."""
    raised: PrintSegmentation
    """Output of the print segmentation."""
    places: Layer
    """Features of each cell of two by two pixels."""


@dataclass(frozen=True, eq=False)
class PrintReader:
    """Detects pieces of the enrolled kinds on printed boards."""

    kinds: tuple[str, ...]
    """Kinds in the order of the classes."""
    px_per_mm: float
    """Working scale."""
    places: Classifier
    """Classifier of cells: print or a kind."""
    fits: BoxModel
    """Model of how well boxes fit whole pieces."""

    @classmethod
    def learn(cls, boards: Sequence[MarkedPicture], pieces: Mapping[str, PieceSamples]) -> PrintReader:
        """Train on boards with marked pieces, which takes about 25 seconds; two boards or more are recommended.

        Raises ProfileError when nothing is marked on them, or one is damaged.
        """
        kinds = tuple(sorted(kind for kind in pieces if any(board.marks.get(kind) for board in boards)))
        if not kinds:
            raise ProfileError("No pieces were pointed out on a board: use `companion enrol pieces --boxes` first.")
        scale = PIECE_PX / float(np.median([pieces[kind].size_mm[0] for kind in kinds]))
        shown = [_shown(board, kinds, scale) for board in boards if board.marks]
        rows = [_rows(board, len(kinds), number) for number, board in enumerate(shown)]
        shapes = typical_sizes([box for board in shown for boxes in board.boxes.values() for box in boxes])
        halves = (range(0, len(shown), 2), range(1, len(shown), 2))
        seen = []
        for learned, judged in (halves, halves[::-1]):
            # A single board is both training and validation set.
            first = _first([rows[number] for number in (learned or judged)])
            for board in (shown[number] for number in judged):
                seen += _box_samples(board, kinds, _mapped(first, board.places), shapes)
        fits = train_box_model(shapes, *(np.concatenate(parts) for parts in zip(*seen, strict=True)))
        return cls(kinds, scale, _second(shown, rows), fits)

    def detect(self, image: Image, px_per_mm: float) -> PrintDetections:
        """Return the pieces in a BGR picture of this scale, and other objects raised above the print.

        Boxes in px of the picture.
        """
        factor = _factor(self.px_per_mm / px_per_mm)
        small = _scaled(image, factor)
        raised = shipped_network().segment(small)
        chances = _mapped(self.places, place_features(small, raised))
        found = [
            PrintedPiece(kind, box, fit)
            for number, kind in enumerate(self.kinds)
            for box, fit in self.fits.find(_maps(chances, number, raised), MIN_FIT)
        ]
        kept: list[PrintedPiece] = []
        for one in sorted(found, key=lambda one: -one.fit):
            if all(overlap(one.box, other.box) < _MAX_OVERLAP for other in kept):
                kept.append(one)
        strange = unexplained_boxes(raised.presence, [one.box for one in kept], self.fits.usual_area)
        return PrintDetections(
            tuple(PrintedPiece(one.kind, scaled(one.box, 1 / factor), one.fit) for one in kept),
            tuple(scaled(box, 1 / factor) for box in strange),
        )


def unexplained_boxes(there: Layer, known: Sequence[Box], usual_area: float) -> list[Box]:
    """Return boxes (px) of objects raised above the print, outside the known boxes (px).

    there: probability of each cell to be raised, (height, width). usual_area: typical area of a piece's box, in
    cells.
    """
    raised = (there > _MIN_STANDING).astype(np.uint8)
    for x, y, width, height in known:
        raised[_window((x - 1) / STEP, (y - 1) / STEP, (width + 2) / STEP, (height + 2) / STEP)] = 0
    _, _, parts, _ = cv2.connectedComponentsWithStats(raised)
    return [
        scaled((float(x), float(y), float(width), float(height)), STEP)
        for x, y, width, height, area in parts[1:].tolist()
        if area >= _MIN_STRANGE_SHARE * usual_area
    ]


def _factor(wanted: float) -> float:
    # Pictures of nearly the right scale are not resampled, which keeps them sharp.
    return 1.0 if 0.87 < wanted < 1.15 else float(np.clip(wanted, 0.2, 3.0))


def _scaled(image: Image, factor: float) -> Image:
    if factor == 1.0:
        return image
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)


def _shown(board: MarkedPicture, kinds: Sequence[str], px_per_mm: float) -> _TrainingBoard:
    image = board.image
    labels = _labels(board, kinds)
    middle = (image.shape[1] / 2, image.shape[0] / 2)
    factor = _factor(px_per_mm / float(board.plane.px_per_mm_at(board.plane.to_table(middle))))
    small = _scaled(image, factor)
    size = (small.shape[1], small.shape[0])
    boxes = {kind: tuple(scaled(box, factor) for box in board.marks[kind]) for kind in kinds if kind in board.marks}
    labels = np.asarray(cv2.resize(labels, size, interpolation=cv2.INTER_NEAREST), np.int8)
    raised = shipped_network().segment(small)
    return _TrainingBoard(small, labels, boxes, raised, place_features(small, raised))


def place_features(image: Image, raised: PrintSegmentation) -> Layer:
    """Return the features of each cell of two by two pixels: hand-crafted and from the print segmentation."""
    return np.concatenate([local_features(image), raised.outputs], axis=-1)


def _labels(board: MarkedPicture, kinds: Sequence[str]) -> Labels:
    """Return the label of each pixel of a marked board, (height, width).

    Inside a marked box, only the segmented piece is labelled.
    """
    image, plane = board.image, board.plane
    height, width = image.shape[:2]
    labels = np.zeros((height, width), np.int8)
    every = [box for boxes in board.marks.values() for box in boxes]
    if any(kind not in board.marks for kind in kinds):
        # Pieces of other kinds may lie here too: only the surroundings of the marked ones are reliable print.
        near = np.zeros((height, width), np.uint8)
        for x, y, w, h in every:
            near[_window(x - w, y - h, 3 * w, 3 * h)] = 1
        labels[near == 0] = _UNLABELLED
    for x, y, w, h in every:
        labels[_window(x - 1, y - 1, w + 2, h + 2)] = _UNLABELLED
    for number, kind in enumerate(kinds):
        try:
            finds = find_in_boxes(image, plane, board.marks[kind]) if board.marks.get(kind) else ()
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


def _rows(board: _TrainingBoard, kinds: int, seed: int) -> tuple[Rows, Rows]:
    """Return training samples (features, targets) of a board: from its own picture and from augmented copies."""
    rng = np.random.default_rng([seed, 0xB0A2D])
    parts = [_places(board.places, board.labels, kinds, rng)]
    for _ in range(_VARIANTS):
        factor = float(np.exp(rng.uniform(-0.25, 0.25)))
        image = _relit(_scaled(board.image, factor), rng)
        labels = cv2.resize(board.labels, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_NEAREST)
        parts.append(
            _places(
                place_features(image, shipped_network().segment(image)), np.asarray(labels, np.int8), kinds, rng
            )
        )
    measures, wanted = zip(*parts, strict=True)
    return np.concatenate(measures), np.concatenate(wanted)


def _relit(image: Image, rng: np.random.Generator) -> Image:
    """Return a picture augmented in brightness, colour temperature and contrast."""
    gains = np.exp(rng.normal(0, 0.22) + rng.normal(0, (0.22, 0.07, 0.15))).astype(np.float32)
    light = np.clip(linear(image) * gains, 0, 1) ** float(np.exp(rng.normal(0, 0.12)))
    levels = coded(np.asarray(light, np.float32))
    return np.asarray(np.clip(levels + rng.normal(0, 2, image.shape), 0, 255), np.uint8)


def _places(places: Layer, labels: Labels, kinds: int, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return samples (features, targets) of pieces and of print, two thirds of the latter near pieces."""
    own = labels[STEP // 2 :: STEP, STEP // 2 :: STEP]
    flat = own.reshape(-1)
    near = cv2.dilate((own != _NOTHING).astype(np.uint8), np.ones((_NEAR_PX, _NEAR_PX), np.uint8)).reshape(-1) > 0
    ground = flat == _NOTHING
    chosen = np.concatenate(
        [
            np.flatnonzero(flat > 0),
            rng.permutation(np.flatnonzero(ground & near))[: _PRINT_SAMPLES * 2 // 3],
            rng.permutation(np.flatnonzero(ground & ~near))[: _PRINT_SAMPLES // 3],
        ]
    )
    return places.reshape(-1, places.shape[-1])[chosen], np.eye(kinds + 1, dtype=np.float32)[flat[chosen]]


def _first(rows: Sequence[tuple[Rows, Rows]]) -> Classifier:
    measures, wanted = zip(*rows, strict=True)
    # The segmentation's features are many for so few boards: noise prevents overfitting.
    return train_ensemble(
        np.concatenate(measures),
        np.concatenate(wanted),
        TrainingConfig(hidden=64, epochs=8, noise=0.3, dropout=0.3),
    )


def _second(shown: Sequence[_TrainingBoard], rows: Sequence[tuple[Rows, Rows]]) -> Classifier:
    """Train the cell classifier on all boards, then once more with hard negatives."""
    first = _first(rows)
    hard: list[tuple[Rows, Rows]] = []
    for board in shown:
        chances = _mapped(first, board.places)
        ground = board.labels[STEP // 2 :: STEP, STEP // 2 :: STEP].reshape(-1) == _NOTHING
        doubt = np.where(ground, 1 - chances[..., 0].reshape(-1), -1.0)
        worst = np.argsort(-doubt)[: min(_HARD_NEGATIVES, int(ground.sum()))]
        wanted = np.zeros((len(worst), chances.shape[-1]), np.float32)
        wanted[:, 0] = 1.0
        hard.append((board.places.reshape(-1, board.places.shape[-1])[worst], wanted))
    return _first([*rows, *hard])


def _mapped(classifier: Classifier, places: Layer) -> Layer:
    """Return the class probabilities of each cell, (height, width, 1 + kinds)."""
    flat = classifier(places.reshape(-1, places.shape[-1]))
    return flat.reshape(*places.shape[:2], -1)


def _maps(chances: Layer, number: int, raised: PrintSegmentation) -> Maps:
    rest = np.delete(chances[..., 1:], number, axis=-1)
    others = rest.max(axis=-1) if rest.shape[-1] else np.zeros(chances.shape[:2], np.float32)
    own = np.ascontiguousarray(chances[..., number + 1])
    return Maps(own, np.ascontiguousarray(others), raised.presence, raised.sides)


def _box_samples(
    board: _TrainingBoard, kinds: Sequence[str], chances: Layer, shapes: NDArray[np.float64]
) -> list[tuple[Rows, Rows]]:
    rng = np.random.default_rng(3)
    return [
        training_samples(_maps(chances, number, board.raised), board.boxes[kind], shapes, rng)
        for number, kind in enumerate(kinds)
        if board.boxes.get(kind)
    ]
