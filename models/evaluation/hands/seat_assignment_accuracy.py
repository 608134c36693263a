"""Accuracy of assigning detected hands to players, for several seatings.

`python -m models.evaluation.hands.seat_assignment_accuracy` prints two tables. For the first, reveals are rendered
with hands that reach in about 45 mm beside their players' places. Every picture is read three times: with seats
assumed evenly spaced, so that colours decide; with the true seats; and with the true seats, but without the rules'
limits on colours. For the second, the evidence of those hands is reused at many more random positions, without
rendering.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.seats import Seating
from models.evaluation.measuring.parallel import over
from models.evaluation.scenes.synthetic_sessions import SyntheticSession, as_sent
from models.fitting.count_probabilities import enrolled_profile
from models.synthetic_hand_reveals import COLOURS, PIECES
from vision.bounding_boxes import shared
from vision.cameras.simulated.renderer import HandTruth
from vision.cameras.simulated.scene import HandOnTable, Pose, Scene
from vision.hands import DOUBTFUL_BELOW, HandReader
from vision.hands.hand_owners import HandEvidence, assign_hands
from vision.readings import Box, Counts, Expectation, HandReading

Way = Literal["colours alone", "seats and colours", "seats alone"]
WAYS: tuple[Way, ...] = ("colours alone", "seats and colours", "seats alone")
HandPlace = tuple[float, float, float]
"""Position of a hand on the table, x and y in mm, and the direction from which it reaches in, degrees clockwise."""

PLACES: Mapping[str, tuple[HandPlace, ...]] = {
    "1+1+1+1": ((0, -215, 0), (-262, 0, 90), (0, 215, 180), (262, 0, 270)),
    "2+2": ((-200, -215, 0), (-200, 215, 180), (200, 215, 180), (200, -215, 0)),
    "2+2, long table": ((-280, -215, 0), (-280, 215, 180), (280, 215, 180), (280, -215, 0)),
    "2+1": ((-200, -215, 0), (0, 215, 180), (200, -215, 0)),
    "2+1+1": ((-180, -215, 0), (-280, 0, 90), (0, 215, 180), (180, -215, 0)),
    "2+2+1": ((-200, -215, 0), (-290, 0, 90), (-200, 215, 180), (200, 215, 180), (200, -215, 0)),
    "even 5": tuple(
        (-262 * math.sin(math.radians(a)), -215 * math.cos(math.radians(a)), float(a)) for a in range(0, 360, 72)
    ),
}
"""Places of the hands by name of the seating, clockwise from the seat nearest to the picture's lower edge.

Names count the players at each side of the table.
"""
BESIDE_MM = 45.0
"""Standard deviation of a hand's position about its place, mm."""
ASKEW_DEG = 10.0
"""Standard deviation of a hand's direction about that of its place, degrees."""
_MIN_SAME_HAND_OVERLAP = 0.3
"""Overlap (fraction of the smaller box) from which a reading is matched to a hand."""
_FIRST_SEED = 61_000
"""Seed of the first table."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Result of one reveal read with one method of assignment."""

    places: str
    """Name of the seating."""
    way: Way
    """Method of assignment."""
    right: bool
    """Whether every hand was assigned to its player."""
    asked: bool
    """Whether any assignment needs confirmation."""
    silent: bool
    """Whether a player was assigned another's hand, with other pieces than in their own, without confirmation."""
    found: bool
    """Whether the number of hands is right."""


@dataclass(frozen=True, slots=True)
class SeatingResult:
    """Results of one held-out table."""

    assignments: tuple[Assignment, ...]
    """One for each reveal and method."""
    evidence: tuple[tuple[HandEvidence, ...], ...]
    """Evidence of each hand about its owner, by seat, for each reveal in which every hand was found."""


def measure(seed: int) -> SeatingResult:
    """Render one reveal per seating on the held-out table of a seed, and evaluate all methods of assignment."""
    cv2.setNumThreads(1)
    session, rng = SyntheticSession(seed), np.random.default_rng([seed, 0x5EA7])
    profile = enrolled_profile(session.renderer.render, rng)
    if profile is None:
        return SeatingResult((), ())
    reader = HandReader(profile)
    given: list[Assignment] = []
    evidence: list[tuple[HandEvidence, ...]] = []
    for number, (name, places) in enumerate(PLACES.items()):
        scene, limits = _random_reveal(places, rng)
        image, truth = session.renderer.render_with_truth(scene, 100 + number)
        empty = as_sent(session.renderer.render(replace(scene, hands=()), 200 + number))
        free = ({kind: most for limit in limits for kind, most in limit.items()},) * len(places)
        ways = {
            "colours alone": Expectation(len(places), limits, seating=Seating.even(len(places))),
            "seats and colours": Expectation(len(places), limits, seating=seating_of(places)),
            "seats alone": Expectation(len(places), free, seating=seating_of(places)),
        }
        hands, held = reader.hands_with_candidates(as_sent(image), len(places), empty)
        for way in WAYS:
            read = reader.assign(hands, held, ways[way])
            given.append(_evaluated(name, way, read, truth.hands, scene.hands))
        by_seat = {
            max(truth.hands, key=lambda true: _overlap(hand.box, true)).seat: hand_evidence
            for hand, hand_evidence in zip(hands, reader.evidence(hands, held, limits), strict=True)
        }
        if len(hands) == len(by_seat) == len(places):
            evidence.append(tuple(by_seat[seat] for seat in range(len(places))))
    return SeatingResult(tuple(given), tuple(evidence))


def seating_of(places: Sequence[HandPlace]) -> Seating:
    """Return the seating with one seat per place, in the direction of that place from the table's centre."""
    return Seating(tuple(math.degrees(math.atan2(-x, -y)) for x, y, _ in places))


def sampled_accuracy(
    places: Sequence[HandPlace], way: Way, evidence: Sequence[Sequence[HandEvidence]], trials: int, seed: int
) -> tuple[float, float]:
    """Return the fraction of trials with every hand assigned right, and the fraction with an undetected error.

    Each trial takes the hands of a random reveal and moves them to random positions near the places.
    evidence: the hands' evidence by seat, for each rendered reveal with as many players as places. In an undetected
    error, a non-empty hand is assigned to another player and the assignment needs no confirmation (DOUBTFUL_BELOW).
    """
    rng, seats = np.random.default_rng(seed), len(places)
    seating = Seating.even(seats) if way == "colours alone" else seating_of(places)
    right = silent = 0
    for _ in range(trials):
        hand_evidence = evidence[int(rng.integers(len(evidence)))]
        hands = [
            replace(
                hand,
                at_mm=(x + rng.normal(0, BESIDE_MM), y + rng.normal(0, BESIDE_MM)),
                fits=(0.0,) * seats if way == "seats alone" else hand.fits,
            )
            for hand, (x, y, _) in zip(hand_evidence, places, strict=True)
        ]
        shares = [of[0] for of in assign_hands(hands, seating, lambda *_: 1.0)]
        right += all(share.hands == (seat,) for seat, share in enumerate(shares))
        silent += any(
            share.probability >= DOUBTFUL_BELOW
            and any(hand != seat and not hands[hand].bare for hand in share.hands)
            for seat, share in enumerate(shares)
        )
    return right / trials, silent / trials


def _random_reveal(places: tuple[HandPlace, ...], rng: np.random.Generator) -> tuple[Scene, tuple[Counts, ...]]:
    """Return a random scene with a hand near each place, and the most pieces by kind that each seat may show."""
    seats = len(places)
    colours = [COLOURS[index] for index in rng.permutation(len(COLOURS))[:seats]]
    hands, limits = [], []
    for seat, (x, y, side) in enumerate(places):
        left = int(rng.integers(1, PIECES[seats] + 1))
        shown = min(left, int(rng.choice(5, p=(0.15, 0.3, 0.25, 0.18, 0.12))))
        signs = [sign for sign in ("sign:witch", "sign:soul") if rng.random() < 0.6]
        pieces = (f"search:{colours[seat]}",) * shown + tuple(sign for sign in signs if rng.random() < 0.3)
        at = Pose(
            x + rng.normal(0, BESIDE_MM), y + rng.normal(0, BESIDE_MM), (side + rng.normal(0, ASKEW_DEG)) % 360
        )
        hands.append(HandOnTable(seat, 1.0, 1.0, pieces, int(rng.integers(100_000)), at=at))
        limits.append({f"search:{colours[seat]}": left} | dict.fromkeys(signs, 1))
    return Scene(seats, hands=tuple(hands)), tuple(limits)


def _evaluated(
    name: str,
    way: Way,
    read: tuple[HandReading, ...],
    truths: tuple[HandTruth, ...],
    shown: tuple[HandOnTable, ...],
) -> Assignment:
    """Compare the seats that a method assigned to the hands of one reveal with the true ones.

    name: of the seating. read: hands with assigned seats. truths: where each hand is in the picture. shown: the
    pieces in each.
    """
    own = {hand.seat: hand for hand in truths}
    lies = {hand.seat: dict(Counter(hand.pieces)) for hand in shown}
    right, silent = len(read) == len(truths), False
    for reading in read:
        fits = {seat: _overlap(reading.box, hand) for seat, hand in own.items()}
        taken = max(fits, key=lambda seat: fits[seat])
        if fits[taken] < _MIN_SAME_HAND_OVERLAP or taken == reading.seat:
            right &= taken == reading.seat
            continue
        right = False
        silent |= not reading.doubtful and lies[reading.seat] != dict(reading.counts)
    asked = len(read) < len(truths) or any(reading.doubtful for reading in read)
    return Assignment(name, way, right, asked, silent, len(read) == len(truths))


def _overlap(box: Box, hand: HandTruth) -> float:
    """Return the area of the boxes' intersection divided by the area of the smaller box."""
    return shared(box, hand.box) / max(1e-9, min(box[2] * box[3], hand.box[2] * hand.box[3]))


@click.command()
@click.option("--tables", default=60, show_default=True, help="Held-out tables, one reveal each for every seating.")
@click.option("--first", default=_FIRST_SEED, show_default=True)
@click.option("--trials", default=2000, show_default=True, help="Reveals drawn for every seating.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
def main(tables: int, first: int, trials: int, processes: int) -> None:
    """Print how often all hands are assigned to the right players, by seating and method of assignment."""
    console = Console(highlight=False, soft_wrap=True)
    measured = over(measure, range(first, first + tables), processes, "tables", console)
    given = [one for table in measured for one in table.assignments]
    evidence = [one for table in measured for one in table.evidence]
    rendered = _table("rendered", "right; asked; silently another player's")
    places = _table(f"drawn, {trials} each", "right; silently another player's")
    for name, where in PLACES.items():
        of = {way: [one for one in given if one.places == name and one.way == way] for way in WAYS}
        rendered.add_row(name, str(len(of[WAYS[0]])), *(_format_assignments(of[way]) for way in WAYS))
        fitting = [one for one in evidence if len(one) == len(where)]
        chances = [sampled_accuracy(where, way, fitting, trials, first) for way in WAYS]
        places.add_row(name, str(len(fitting)), *(f"{right:.1%}; {silent:.2%}" for right, silent in chances))
    console.print(rendered)
    console.print(places)


def _table(title: str, cells: str) -> Table:
    table = Table(box=None, title=f"Every hand goes to its player, {title}: {cells}", title_justify="left")
    for heading in ("seating", "reveals", *WAYS):
        table.add_column(heading)
    return table


def _format_assignments(given: Sequence[Assignment]) -> str:
    """Format the fractions that are right and that need confirmation, and the number of undetected errors."""
    right, asked = (sum(flags) / len(given) for flags in ([g.right for g in given], [g.asked for g in given]))
    return f"{right:.1%}; {asked:.0%}; {sum(one.silent for one in given)}"


if __name__ == "__main__":
    main()
