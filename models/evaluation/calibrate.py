"""Fit how scores and colours become probabilities, on evenings that neither trained the detector nor judge it.

`python -m models.evaluation.calibrate --traced FOLDER` writes vision/reveal/counting.json. FOLDER holds path-traced
hands that nothing was trained with (`make traced`): they count as much as the evenings, for what is sure in one
renderer's pictures is not in another's.
"""

from __future__ import annotations

import json
import math
import multiprocessing
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import cv2
import numpy as np
from rich.progress import track

from calibration.calibrate import calibrate
from calibration.errors import TeachError
from calibration.pieces import enrol
from calibration.profile import TableProfile
from models.evaluation.evenings import KINDS, SCENES, Evening, specimens
from models.evaluation.judging import SEEN
from models.traced.crops import crop, seen_in
from vision.cameras.simulated.renderer import HandTruth
from vision.cameras.simulated.scene import Scene
from vision.detector.sight import Sight
from vision.detector.turned import detect_turned
from vision.readings import Counts
from vision.reveal import RevealReader
from vision.reveal.colour import of_picture
from vision.reveal.counting import CALIBRATION_FILE, Calibration, Hypothesis, hypotheses
from vision.reveal.hands import FoundHand
from vision.reveal.held import LEAST, Held, covered, on_skin
from vision.reveal.reader import LOOKS

FIRST_SEED = 900_000
"""Evenings from here on are neither trained with nor judged by."""
ANY = "search:any"
"""Stands for the kind of pieces of which only the number is known."""
_SHAPE = {
    "scale": 0.25, "offset": 0.4, "covered": 0.5, "missed": 0.002, "missed_touching": 0.005,
    "hidden_sign": 0.002, "temper": 0.05, "colours": 0.075, "unlike_rest": 0.5,
    "bare": 1.0, "print": 0.5, "no_print": 0.5,
}  # fmt: skip
"""How far each number is moved at first in the search."""

_RANGE = {
    "scale": (0.3, 3.0), "covered": (-4.0, -1.0), "missed": (1e-4, 1.0),
    "missed_touching": (1e-4, 1.0), "hidden_sign": (1e-4, 1.0),
    "temper": (0.2, 0.75), "colours": (0.09, 0.1), "unlike_rest": (0.0, 9.0), "bare": (8.0, 12.0),
    "print": (0.0, 2.0), "no_print": (-3.0, 0.0),
}  # fmt: skip
"""What is believed beforehand. Made-up hands alone would have scores trusted too much, a box over another taken for
a piece, and colours for nothing or for too much; hands drawn by another renderer show that this does not carry
over. With colours and temper free (0.13, 0.82) one of 540 hands is wrong without a question; within these bounds
none is, and as many are right."""


@dataclass(frozen=True, slots=True)
class Case:
    """One open hand: what was found in it; of each kind, what is seen and all there is."""

    held: tuple[Held, ...]
    least: Counts
    most: Counts

    def right(self, counts: Counts) -> bool:
        """Tell whether counts are right."""
        kinds = {*self.most, *counts}
        return all(self.least.get(kind, 0) <= counts.get(kind, 0) <= self.most.get(kind, 0) for kind in kinds)


def loss(cases: Sequence[Case], calibration: Calibration) -> float:
    """Mean negative log probability of what is right; 0 without cases."""
    return float(np.sum([-math.log(max(1e-3, _chance(case, calibration))) for case in cases])) / max(1, len(cases))


def fit(*sets: Sequence[Case]) -> Calibration:
    """Find the likeliest calibration by the simplex method; each set of cases counts as much as any other."""
    from scipy.optimize import minimize

    start = np.array([asdict(Calibration())[name] for name in _SHAPE])
    simplex = np.vstack([start, start + np.diag(list(_SHAPE.values()))])
    found = minimize(
        lambda values: sum(loss(cases, _of(values)) for cases in sets), start, method="Nelder-Mead",
        options={"maxfev": 400, "initial_simplex": simplex},
    )  # fmt: skip
    return _of(found.x)


def _of(values: Sequence[float]) -> Calibration:
    named = dict(zip(_SHAPE, (float(value) for value in values), strict=True))
    clipped = {name: float(np.clip(value, *_RANGE.get(name, (value, value)))) for name, value in named.items()}
    return Calibration(**clipped)


def _chance(case: Case, calibration: Calibration) -> float:
    return sum(h.probability for h in ranked(case, calibration) if case.right(h.counts))


def traced_cases(folder: Path, sight: Sight, looks: int = LOOKS) -> list[Case]:
    """Look into path-traced hands: what lies there is counted without asking for its kind."""
    cases = []
    for seed, picture, pieces in seen_in(folder):
        square = crop(picture, (), np.random.default_rng(seed), larger=1.0).image
        found = detect_turned(sight.palms, square, "piece", LEAST, looks)
        bare = tuple(Held(one.box, one.box, one.score, covered(one, found)) for one in found)
        middle = (square.shape[1] / 2, square.shape[0] / 2)
        held = on_skin(bare, square, of_picture(square, np.ones(3)), np.ones(3), middle)
        cases.append(Case(held, {ANY: sum(p.visible >= SEEN for p in pieces)}, {ANY: len(pieces)}))
    return cases


def ranked(case: Case, calibration: Calibration) -> tuple[Hypothesis, ...]:
    """Give what a hand may hold by what was found in it, likeliest first, without knowing a rule."""
    if ANY in case.most:
        return hypotheses(case.held, [ANY], [], None, calibration)
    signs = [kind for kind in KINDS if kind.startswith("sign:")]
    searches = [kind for kind in KINDS if kind not in signs]
    return hypotheses(case.held, searches, signs, None, calibration)


def _evening(job: tuple[int, Path | None]) -> list[Case]:
    return [case for case, _ in looked_into(*job)]


def looked_into(seed: int, weights: Path | None = None) -> list[tuple[Case, HandTruth]]:
    """Teach a table in and look into all open hands of its evening, each with what is truly there.

    weights: for the first look into palms, if not those shipped. A table too dim or blurred to teach in has none.
    """
    cv2.setNumThreads(1)
    evening = Evening(seed)
    rng = np.random.default_rng([seed, 0xE4])
    try:
        profile = TableProfile(seats=4).calibrated(
            calibrate(evening.renderer.render(Scene(4, tile=False, sheet=True), 1), 4)
        )
        for number, kind in enumerate(KINDS):
            profile = enrol(profile, kind, [evening.renderer.render(specimens(kind, rng), 10 + number)])
    except TeachError:
        # Too dim or too blurred to teach in: people would turn on a lamp.
        return []
    reader = RevealReader(profile, Sight.shipped(weights))
    cases = []
    for number in range(SCENES - 1):
        image, truth = evening.renderer.render_with_truth(evening.moment(number).scene, 100 + number)
        hands = tuple(_found(hand) for hand in truth.hands)
        shown = [(hand, known) for hand, known in zip(hands, truth.hands, strict=True) if hand.state == "open"]
        looked = reader.look(reader.palms(image, [hand for hand, _ in shown], hands))
        for held, (_, known) in zip(looked, shown, strict=True):
            most = Counter(piece.kind for piece in known.pieces)
            least = Counter(piece.kind for piece in known.pieces if piece.visible >= SEEN)
            cases.append((Case(held, least, most), known))
    return cases


def _found(hand: HandTruth) -> FoundHand:
    return FoundHand(hand.seat, "open" if hand.state == "open" else "closed", 1.0, hand.box, 1.0)


@click.command()
@click.option("--evenings", default=40, show_default=True)
@click.option("--traced", type=click.Path(exists=True, path_type=Path), help="Path-traced hands, not trained with.")
@click.option(
    "--weights", type=click.Path(exists=True, path_type=Path), help="Other weights for the first look into palms."
)
@click.option("--keep/--look", default=True, show_default=True, help="Write the calibration, or only look.")
def main(evenings: int, traced: Path | None, weights: Path | None, keep: bool) -> None:
    """Fit the calibration of counts on half of the hands and say how well it holds on the other half."""
    with multiprocessing.get_context("spawn").Pool() as pool:
        jobs = pool.imap(_evening, [(FIRST_SEED + number, weights) for number in range(evenings)])
        cases = [case for some in track(jobs, "Looking into hands", total=evenings) for case in some]
    others = [] if traced is None else traced_cases(traced, Sight.shipped(weights))
    fitted = fit(cases[::2], *([others[::2]] if others else []))
    click.echo(str(fitted))
    _tell("hands of other evenings", cases[1::2], fitted)
    if others:
        _tell("path-traced hands", others[1::2], fitted)
    if keep:
        CALIBRATION_FILE.write_text(json.dumps(asdict(fitted), indent=1) + "\n", "utf-8")


def _tell(title: str, cases: Sequence[Case], fitted: Calibration) -> None:
    """Print how often the likeliest answer is right, and how often it says to be."""
    tops = [ranked(case, fitted)[0] for case in cases]
    right = np.array([case.right(top.counts) for case, top in zip(cases, tops, strict=True)])
    said = np.array([top.probability for top in tops])
    click.echo(f"{len(right)} {title}: right {right.mean():.3f}, said {said.mean():.3f}")
    for low, high in ((0, 0.5), (0.5, 0.8), (0.8, 0.95), (0.95, 1.01)):
        of = (said >= low) & (said < high)
        if of.any():
            click.echo(f"  said {low:.2f} to {min(high, 1):.2f}: {of.sum()} hands, right {right[of].mean():.3f}")


if __name__ == "__main__":
    main()
