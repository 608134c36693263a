"""Reads where the wizards stand, jointly for all colours: each is on at most one tile; a tile may carry several."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.confidence_calibration import MIN_CONFIDENCE
from vision.games.master.objects.object_network import COLOURS, TileObjects
from vision.games.master.objects.start_ring_colours import RingColours, filled_rings
from vision.games.master.objects.top_views import MARGIN, TILE_PX, FieldView
from vision.games.master.objects.wizards.pawn_network import shipped_pawn_network
from vision.games.master.readings import SIZE, WizardReading
from vision.readings import Box

FEATURES: Final = (
    "pawn",
    "shared",
    "disc",
    "upright",
    "own ring",
    *(f"{of} {colour}" for of in ("objects", "nowhere") for colour in COLOURS),
)
"""Features of a hypothesis where all four wizards stand: sum of the log odds of a pawn on their places; number of
wizards that share another's place; number of certain discs under one; sum of the pawn network's log odds; sum, over
wizards on their own start rings, of the log likelihood ratio that the ring is filled; for each colour, the object
network's log odds; and for each colour, whether it is not on the table."""
_WEIGHTS: Final = (0.48, -2.81, -1.68, 0.88, 0.62, 0.68, 0.64, 0.67, 0.29, -1.49, -1.28, -1.71, -1.13)
"""Weight of each of `FEATURES`, fitted on pictures of looks not held out
(`models.maze_objects.wizard_evidence_fit`)."""
_CANDIDATES: Final = 7
"""Number of places that hypotheses are made of."""
_EXAMINED: Final = 14
"""Number of places that the pawn network examines."""
_DISC_WEIGHT: Final = 3.0
"""Reduction of a place's log odds by a certain disc on it, in the choice of these places."""
_PAWN_BOUNDS: Final = (-6.0, 8.0)
"""Bounds of the object network's log odds of a pawn of any colour."""
_OBJECT_BOUNDS: Final = (-4.0, 6.0)
"""Bounds of the object network's log odds of each colour."""
_UPRIGHT_BOUNDS: Final = (-7.0, 7.0)
"""Bounds of the pawn network's log odds."""
_MIN_STANDING: Final = 0.5
"""Minimum probability at which a wizard is reported as standing on the table."""
_MIN_POSSIBLE: Final = 0.003
"""Minimum probability at which a wizard is reported as possibly on the table: a wizard hides another more often
than the weights imply. Of 353 wizards between this and 0.02 on 1,500 drawn boards, 9 stood there."""
_MIN_LISTED: Final = 0.001
"""Minimum probability of a place in the list of a wizard's places."""
_HEIGHT: Final = 0.7
"""Typical height of a wizard, in tiles; only its box depends on it."""
_RADIUS: Final = 0.22
"""Typical radius of a wizard's foot, in tiles; only its box depends on it."""
_MIN_SHARED: Final = 1.5
"""Minimum expected number of wizards on a place at which several are taken to stand there."""
_ASIDE: Final = 0.24
"""Typical distance from a tile's centre of wizards that share it, in tiles; only their boxes depend on it."""


@dataclass(frozen=True, eq=False)
class WizardEvidence:
    """Evidence about wizards on each place: the 49 of the field, then the spare, if found."""

    pawns: NDArray[np.float64]
    """The object network's log odds of a pawn of any colour, (places,)."""
    objects: NDArray[np.float64]
    """The object network's log odds of each wizard, (places, 4)."""
    discs: NDArray[np.float64]
    """1 where a certain disc lies, otherwise 0, (places,)."""
    upright: NDArray[np.float64]
    """The pawn network's log odds of each wizard, (places, 4)."""
    on_own_ring: NDArray[np.float64]
    """Log likelihood ratio that a wizard fills its own start ring, on that ring's place, else 0, (places, 4)."""


def read_wizards(
    views: Sequence[FieldView],
    objects: Sequence[TileObjects],
    rings: RingColours,
    discs: NDArray[np.float64],
) -> tuple[tuple[WizardReading, ...], tuple[WizardReading, ...], float]:
    """Return standing wizards, possible ones, and the probability that no colour missing among the first stands.

    Only the field and the spare are read. views: of the field, then of the spare, if found. objects: the object
    network's output for each view. rings: for the board's orientation. discs: circles (n, 3) of certain tokens, px
    of the field's view.
    """
    evidence = wizard_evidence(views, objects, rings, discs)
    by_place = wizard_marginals(*hypotheses(evidence), np.array(_WEIGHTS), len(evidence.pawns))[:-1]
    standing, possible = list[WizardReading](), list[WizardReading]()
    absent = 1.0
    for index, colour in enumerate(COLOURS):
        own = by_place[:, index]
        present = float(own.sum())
        if present < _MIN_STANDING:
            absent *= 1.0 - present
        if present < _MIN_POSSIBLE:
            continue
        best = int(own.argmax())
        confidence = float(own[best])
        shares = by_place[best] / by_place[best].sum()
        (standing if present >= _MIN_STANDING else possible).append(
            WizardReading(
                colour=colour,
                place=_place(best),
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                colours={name: float(share) for name, share in zip(COLOURS, shares, strict=True)},
                places={
                    _place(int(row)): float(own[row]) for row in np.flatnonzero(own >= min(_MIN_LISTED, confidence))
                },
                box=_box(views, best, _ASIDE if by_place[best].sum() > _MIN_SHARED else 0.0),
            )
        )
    return tuple(standing), tuple(possible), absent


def wizard_evidence(
    views: Sequence[FieldView],
    objects: Sequence[TileObjects],
    rings: RingColours,
    discs: NDArray[np.float64],
) -> WizardEvidence:
    """Return the evidence about wizards on each place. The arguments are those of `read_wizards`."""
    pawns = np.concatenate([one.pawns.ravel() for one in objects]).astype(np.float64)
    seen = np.concatenate([one.wizards.reshape(-1, len(COLOURS)) for one in objects]).astype(np.float64)
    tiles = ((discs[:, :2] + 0.5) / TILE_PX - MARGIN).astype(int)
    covered = np.zeros(len(pawns))
    covered[tiles[:, 1] * SIZE + tiles[:, 0]] = 1.0
    pawns, seen = np.clip(pawns, *_PAWN_BOUNDS), np.clip(seen, *_OBJECT_BOUNDS)
    examined = np.argsort(-_place_scores(pawns, seen, covered))[:_EXAMINED].tolist()
    upright = shipped_pawn_network().detect(views, rings.paints, examined)
    on_own_ring = np.zeros_like(seen)
    on_own_ring[list(rings.places), np.arange(len(COLOURS))] = filled_rings(views[0], rings)
    return WizardEvidence(pawns, seen, covered, np.clip(upright, *_UPRIGHT_BOUNDS), on_own_ring)


def _place_scores(
    pawns: NDArray[np.float64], wizards: NDArray[np.float64], discs: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return a score of how probable a wizard of any colour is on each place, (places,); higher is likelier.

    pawns: log odds of a pawn of any colour, (places,). wizards: log odds of each colour, (places, 4). discs: 1
    where a certain token lies, otherwise 0, (places,).
    """
    return np.asarray(wizards.max(axis=1) + pawns - _DISC_WEIGHT * discs, np.float64)


def hypotheses(evidence: WizardEvidence) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Return hypotheses where the four wizards stand, (n, 4), and the `FEATURES` of each, (n, features).

    A hypothesis has the place of each wizard; an index equal to the number of places means nowhere. Pawn and disc
    count once for each place, even if several wizards share it.
    """
    scores = _place_scores(evidence.pawns, evidence.objects + evidence.upright, evidence.discs)
    chosen = np.argsort(-scores)[:_CANDIDATES]
    count, colours = len(chosen), len(COLOURS)
    grid = _grid(count)
    standing = grid < count
    first = np.stack(
        [
            standing[:, index] & (grid[:, :index] != grid[:, index : index + 1]).all(axis=1)
            for index in range(colours)
        ],
        axis=1,
    )

    def of(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.append(values[chosen], 0.0)[grid], np.float64)

    def own(values: NDArray[np.float64]) -> NDArray[np.float64]:
        padded = np.vstack([values[chosen], np.zeros(colours)])
        return np.asarray(padded[grid, np.arange(colours)], np.float64)

    features = np.column_stack(
        [
            (of(evidence.pawns) * first).sum(axis=1),
            (standing & ~first).sum(axis=1),
            (of(evidence.discs) * first).sum(axis=1),
            own(evidence.upright).sum(axis=1),
            own(evidence.on_own_ring).sum(axis=1),
            own(evidence.objects),
            ~standing,
        ]
    )
    return np.append(chosen, len(evidence.pawns))[grid], features


def wizard_marginals(
    places: NDArray[np.intp], features: NDArray[np.float64], weights: NDArray[np.float64], count: int
) -> NDArray[np.float64]:
    """Return each colour's probability of each place, and in the last row of being nowhere, (count + 1, 4).

    places, features: as returned by `hypotheses`. weights: of the features. count: number of places.
    """
    probabilities = hypothesis_probabilities(features, weights)
    return np.stack([np.bincount(own, probabilities, count + 1) for own in places.T], axis=1)


def hypothesis_probabilities(features: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability of each hypothesis, (n,). features: (n, features). weights: of the features."""
    logs = features @ weights
    likelihoods = np.exp(logs - logs.max())
    return np.asarray(likelihoods / likelihoods.sum(), np.float64)


@cache
def _grid(count: int) -> NDArray[np.intp]:
    """Return all combinations of one index 0..count, of which `count` means nowhere, for each colour, (n, 4)."""
    return np.array(list(product(range(count + 1), repeat=len(COLOURS))), np.intp)


def _place(row: int) -> int | None:
    """Return the place of an index into the evidence; None for the spare."""
    return row if row < SIZE * SIZE else None


def _box(views: Sequence[FieldView], place: int, aside: float) -> Box:
    """Return the box in which a wizard of typical size stands on a place, px of the picture.

    views: of the field, then of the spare. place: 0..48, or 49 for the spare. aside: how far from its tile's centre
    the wizard may stand, in tiles.
    """
    view, cell = (views[0], place) if place < SIZE * SIZE else (views[1], 0)
    foot = np.array([cell % view.tiles + 0.5, cell // view.tiles + 0.5])
    x, y, height = view.camera
    lean = max(1.0, height) / max(1.0, height - _HEIGHT)
    head = np.array([x, y]) + (foot - (x, y)) * lean
    points = [_circle(foot, _RADIUS + aside), _circle(head, _RADIUS * 0.6 + aside)]
    pixels = view.to_picture((np.concatenate(points) + MARGIN) * TILE_PX)
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def _circle(middle: NDArray[np.float64], radius: float) -> NDArray[np.float64]:
    """Return eight points (x, y) on a circle, (8, 2)."""
    angles = np.arange(8) * (math.pi / 4)
    return np.asarray(middle + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1), np.float64)
