"""Fit the reveal reader's small networks on made-up tables: `python -m models.reveal.fit`.

Writes vision/reveal/{state,heap,sign}.json. Seeds from 1000 on are for fitting; the benchmark's are below 1000.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray

import vision.reveal
from calibration.profile import TableProfile
from models.reveal.tables import Shown, rehearse
from vision.cameras.simulated.renderer import HandTruth
from vision.reveal.counting import HEAP_CLASSES
from vision.reveal.evidence import HEAP_FEATURES, SIGN_FEATURES, HandEvidence, Heap
from vision.reveal.geometry import PATCH_PX_PER_MM, PatchFrame
from vision.reveal.reader import RevealReader
from vision.reveal.state import STATE_FEATURES, state_features

Floats = NDArray[np.float32]
FIRST_SEED = 1000
_SEEN = 0.2
"""A piece of which less is in sight is not counted on."""
_FARTHEST_MM = 9.0


@dataclass(slots=True)
class Rows:
    """Features and right answers."""

    features: list[tuple[float, ...]] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)

    def add(self, features: tuple[float, ...], answer: int) -> None:
        """Take in one example."""
        self.features.append(features)
        self.answers.append(answer)


@dataclass(slots=True)
class Lessons:
    """Examples for each network."""

    state: Rows = field(default_factory=Rows)
    heap: Rows = field(default_factory=Rows)
    sign: Rows = field(default_factory=Rows)


def learn_from(reader: RevealReader, shown: Shown, lessons: Lessons) -> None:
    """Add what one reveal teaches: its hands' outlines, heaps and signs."""
    image = shown.frames[0]
    truths = {hand.seat: hand for hand in shown.hands}
    exposure = reader.exposure(shown.background)
    for hand in reader.find(image, shown.expectation.seats, shown.background):
        truth = truths.get(hand.seat)
        if truth is None:
            continue
        lessons.state.add(state_features(hand.mask), int(truth.state == "open"))
        if truth.state != "open":
            continue
        search = next(
            kind for kind in (*shown.expectation.limits[hand.seat], "search:purple") if kind in reader.areas
        )
        if not search.startswith("search:"):
            search = "search:" + ("black", "red", "green")[shown.seed % 3]
        kinds = [search, "sign:witch", "sign:soul"]
        evidence = reader.gather(image, hand, kinds, exposure)
        if evidence is None:
            continue
        for kind in kinds:
            boxes = [
                (piece.box, piece.visible)
                for piece in truth.pieces
                if piece.kind == kind and piece.visible >= _SEEN
            ]
            spots = [_spot(hand.frame, box) for box, _ in boxes]
            if kind == search:
                heaps = evidence.heaps(kind, reader.areas[kind], kinds[1:])
                for heap, count in zip(heaps, _counts(evidence, kind, heaps, spots), strict=True):
                    lessons.heap.add(heap.features, min(count, HEAP_CLASSES - 1))
            else:
                others = [other for other in kinds[1:] if other != kind]
                sign = evidence.sign(kind, reader.areas[kind], others, [search])
                lessons.sign.add(sign.features, int(len(spots) > 0))


def _spot(frame: PatchFrame, box: tuple[float, float, float, float]) -> NDArray[np.float64]:
    x, y, width, height = box
    at = np.linalg.inv(frame.to_picture) @ np.array([x + width / 2, y + height / 2, 1.0])
    return np.asarray(at[:2] / at[2], np.float64)


def _counts(
    evidence: HandEvidence, kind: str, heaps: tuple[Heap, ...], spots: Iterable[NDArray[np.float64]]
) -> list[int]:
    """Tell how many pieces lie in each heap: each belongs to the heap that has a pixel nearest to its middle."""
    counts = [0] * len(heaps)
    layer = evidence.pieces.kinds[kind] > 0.5
    pixels = []
    for heap in heaps:
        x, y, width, height = heap.box
        rows, columns = np.nonzero(layer[y : y + height, x : x + width])
        pixels.append(np.stack([columns + x, rows + y], axis=1))
    for spot in spots:
        away = [float(np.min(np.hypot(*(p - spot).T))) if len(p) else np.inf for p in pixels]
        if away and min(away) < _FARTHEST_MM * PATCH_PX_PER_MM:
            counts[int(np.argmin(away))] += 1
    return counts


def fit(
    rows: Rows, classes: int, hidden: tuple[int, ...], names: tuple[str, ...], members: int = 1, epochs: int = 120
) -> dict[str, object]:
    """Fit a network by Adam on cross entropy and print how it does on the last seventh of the examples."""
    x, y = np.array(rows.features, np.float32), np.array(rows.answers)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-3
    z = np.clip((x - mean) / spread, -6, 6)
    held = len(z) // 7
    fitted = [_fit_member(z, y, held, (z.shape[1], *hidden, classes), epochs, seed) for seed in range(members)]
    chances = sum(_forward(layers, z[-held:])[-1] for layers in fitted) / len(fitted)
    loss = float(-np.log(chances[np.arange(held), y[-held:]] + 1e-6).mean())
    right = float((np.argmax(chances, axis=1) == y[-held:]).mean())
    click.echo(f"{len(z)} examples, held out {held}: loss {loss:.3f}, right {100 * right:.1f} %")
    return {
        "features": list(names),
        "mean": _rounded(mean),
        "spread": _rounded(spread),
        "members": [[[_rounded(w), _rounded(b)] for w, b in layers] for layers in fitted],
    }


def _fit_member(
    z: Floats, y: NDArray[np.int64], held: int, sizes: tuple[int, ...], epochs: int, seed: int
) -> list[list[Floats]]:
    """Fit one member from its own start; of all epochs, the one that does best on the held out examples is kept."""
    z_fit, y_fit, z_held, y_held = z[:-held], y[:-held], z[-held:], y[-held:]
    rng = np.random.default_rng(seed)
    batch = 64 if len(z) < 50_000 else 256
    layers = [
        [rng.normal(0, 1 / np.sqrt(a), (a, b)).astype(np.float32), np.zeros(b, np.float32)]
        for a, b in zip(sizes[:-1], sizes[1:], strict=True)
    ]
    moments = [[[np.zeros_like(p), np.zeros_like(p)] for p in layer] for layer in layers]
    best, best_layers, step = np.inf, layers, 0
    for epoch in range(epochs):
        rate = 4e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        order = rng.permutation(len(z_fit))
        for start in range(0, len(order), batch):
            pick = order[start : start + batch]
            noisy = z_fit[pick] + rng.normal(0, 0.1, (len(pick), z.shape[1])).astype(np.float32)
            step += 1
            _descend(layers, moments, noisy, y_fit[pick], float(rate), step)
        loss = _loss(layers, z_held, y_held)
        if loss < best:
            best, best_layers = loss, [[p.copy() for p in layer] for layer in layers]
    return best_layers


def _forward(layers: list[list[Floats]], z: Floats) -> list[Floats]:
    out = [z]
    for k, (weights, biases) in enumerate(layers):
        z = z @ weights + biases
        if k < len(layers) - 1:
            z = np.tanh(z)
        out.append(z)
    scores = np.exp(z - z.max(axis=1, keepdims=True))
    out[-1] = scores / scores.sum(axis=1, keepdims=True)
    return out


def _loss(layers: list[list[Floats]], z: Floats, y: NDArray[np.int64]) -> float:
    return float(-np.log(_forward(layers, z)[-1][np.arange(len(y)), y] + 1e-6).mean())


def _descend(
    layers: list[list[Floats]],
    moments: list[list[list[Floats]]],
    z: Floats,
    y: NDArray[np.int64],
    rate: float,
    step: int,
) -> None:
    out = _forward(layers, z)
    error = out[-1].copy()
    error[np.arange(len(y)), y] -= 1
    error /= len(y)
    for k in reversed(range(len(layers))):
        slopes = [out[k].T @ error + 3e-4 * layers[k][0], error.sum(axis=0)]
        error = (error @ layers[k][0].T) * (1 - out[k] ** 2)
        for parameter, moment, slope in zip(layers[k], moments[k], slopes, strict=True):
            moment[0] = 0.9 * moment[0] + 0.1 * slope
            moment[1] = 0.999 * moment[1] + 0.001 * slope**2
            corrected = np.sqrt(moment[1] / (1 - 0.999**step)) + 1e-8
            parameter -= (rate * moment[0] / (1 - 0.9**step) / corrected).astype(np.float32)


def _rounded(values: Floats) -> object:
    return np.round(values.astype(np.float64), 4).tolist()


def write(lessons: Lessons, folder: Path) -> None:
    """Fit all networks and store them."""
    for name, rows, classes, hidden, names, members in (
        ("state", lessons.state, 2, (8,), STATE_FEATURES, 3),
        ("heap", lessons.heap, HEAP_CLASSES, (24,), HEAP_FEATURES, 6),
        ("sign", lessons.sign, 2, (12,), SIGN_FEATURES, 4),
    ):
        click.echo(f"{name}: ", nl=False)
        network = fit(rows, classes, hidden, names, members)
        (folder / f"{name}.json").write_text(json.dumps(network) + "\n", "utf-8")


@click.command()
@click.option("--reveals", default=400, show_default=True, help="How many made-up reveals to learn from.")
def main(reveals: int) -> None:
    """Make up reveals, read them as far as features, fit, store."""
    lessons = Lessons()
    profile: TableProfile | None = None
    for now, shown in rehearse(range(FIRST_SEED, FIRST_SEED + reveals), per_look=8, game_like=False):
        if now is not profile:
            profile, reader = now, RevealReader(now)
        learn_from(reader, shown, lessons)
    write(lessons, Path(vision.reveal.__file__).parent)


if __name__ == "__main__":
    main()
