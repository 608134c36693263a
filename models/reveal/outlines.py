"""Learn hands from shadows: pictures with a mask of what is really there, found by swapping the table under it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from models.reveal.learning import Floats, Rows, fit, store
from models.reveal.tables import COLOURS, card_faces, still_scene
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.reveal import foreground
from vision.reveal.foreground import FOREGROUND_FEATURES, NEIGHBOUR_FEATURES, Mask
from vision.reveal.hands import shrunk

_SCENES = 3
_PIXELS = 3000
"""Of each picture, so many changed pixels are learned from."""
_OPAQUE = 0.72

Changed = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Outlined:
    """Changed pixels of a picture, their features, and whether a thing is there (255) or only shadow (0)."""

    changed: Changed
    rows: Floats
    thing: Mask


def outlined(seed: int) -> tuple[Outlined, ...]:
    """Give some pictures of one look with the true outline of all hands."""
    look = Look.from_seed(seed)
    renderer = Renderer(look, card_faces(seed))
    even = replace(look, falloff=0.0, vignette=0.0, noise=1e-3, exposure=1.0, tint=(1.0, 1.0, 1.0), ambient=1.0)
    tables = [Renderer(replace(even, table=table), {}) for table in ("felt", "stone", "wood")]
    found = []
    for number in range(_SCENES):
        rng = np.random.default_rng([seed, number, 5])
        seats = int(rng.integers(3, 6))
        colours = [COLOURS[i] for i in rng.permutation(5)[:seats]]
        hands = tuple(_hand(seat, colours[seat], rng) for seat in range(seats))
        still = still_scene(rng, seats, colours, bool(rng.random() < 0.5))
        image, empty = renderer.render(replace(still, hands=hands), 5 + number), renderer.render(still, 50 + number)
        with_hands = [table.render(Scene(seats, tile=False, hands=hands), 1) for table in tables]
        without = [table.render(Scene(seats, tile=False), 1) for table in tables]
        changed, rows = foreground.changes(shrunk(image), foreground.ground_of(shrunk(empty)))
        found.append(Outlined(changed, rows, shrunk(_opaque(with_hands, without))))
    return tuple(found)


def _hand(seat: int, colour: str, rng: np.random.Generator) -> HandOnTable:
    pieces = (f"search:{colour}",) * int(rng.integers(0, 7))
    openness = 0.0 if rng.random() < 0.25 else 1.0
    return HandOnTable(seat, 1.0, openness, pieces, int(rng.integers(0, 100_000)))


def _opaque(with_hands: list[Image], without: list[Image]) -> Mask:
    """Mark what looks the same on every table: a shadow only dims the difference between tables."""
    left, all_ = np.zeros(without[0].shape[:2], np.float32), np.zeros(without[0].shape[:2], np.float32)
    for one, other in itertools.combinations(range(len(without)), 2):
        left += cv2.absdiff(with_hands[one], with_hands[other]).sum(axis=2)
        all_ += cv2.absdiff(without[one], without[other]).sum(axis=2)
    cover = 1.0 - cv2.blur(left, (3, 3)) / (cv2.blur(all_, (3, 3)) + 1.0)
    return np.asarray(cv2.medianBlur((cover > _OPAQUE).astype(np.uint8) * 255, 5), np.uint8)


def fit_foreground(pictures: Sequence[Outlined], folder: Path) -> None:
    """Fit both rounds of telling things from shadows and store them."""
    click.echo("foreground: ", nl=False)
    alone = fit(_rows(pictures, lambda one: one.rows), 2, (14,), FOREGROUND_FEATURES, epochs=12)
    store(folder / "foreground.json", alone)
    foreground.foreground_network.cache_clear()
    click.echo("neighbours: ", nl=False)
    together = fit(_rows(pictures, _with_neighbours), 2, (12,), NEIGHBOUR_FEATURES, epochs=12)
    store(folder / "neighbours.json", together)
    foreground.neighbour_network.cache_clear()


def _with_neighbours(picture: Outlined) -> Floats:
    alone = np.zeros(picture.changed.shape, np.float32)
    alone[picture.changed] = foreground.foreground_network().probabilities(picture.rows)[:, 1]
    return foreground.with_neighbours(picture.changed, picture.rows, alone)


def _rows(pictures: Sequence[Outlined], features: Callable[[Outlined], Floats]) -> Rows:
    rng, rows = np.random.default_rng(0), Rows()
    for picture in pictures:
        thing = picture.thing[picture.changed]
        clear = np.flatnonzero((thing < 40) | (thing > 215))
        chosen = rng.permutation(clear)[:_PIXELS]
        rows.extend(features(picture)[chosen], (thing[chosen] > 127).astype(np.int64))
    return rows
