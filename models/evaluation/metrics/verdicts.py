"""Verdicts on readings of hands and of whole tables, compared with the ground truth. No I/O.

A hand is right when the count of each kind is at least the number of its pieces of which a quarter or more is
visible, and at most the number of all its pieces. A table is right when all its open hands are, and no additional
open hand is read. An error that needs no confirmation is undetected: the worst result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Literal

from vision.readings import Box, Counts

MIN_COUNTED_FRACTION = 0.25
"""Visible fraction of a piece below which it need not be counted."""
MIN_HAND_FRACTION = 0.6
"""Fraction of a hand inside the picture up to which it need not be read."""
_FAR_OFF = 9
"""Counting error, in pieces, assigned to a hand that was not detected."""
State = Literal["open", "closed"]


@dataclass(frozen=True, slots=True)
class LabelledHand:
    """Ground truth of a hand."""

    seat: int
    """Seat of its player."""
    state: State
    """Open or closed."""
    low: Counts
    """Smallest right count by kind: pieces that are visible enough to be counted."""
    high: Counts
    """Largest right count by kind: all pieces."""
    inside: float = 1.0
    """Fraction of the hand in the picture."""
    box: Box | None = None
    """Box (x, y, width, height) in px; None where unknown."""


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """Reading of one hand."""

    seat: int
    """Seat to which the hand was assigned."""
    state: State
    """Open or closed."""
    counts: Counts
    """Pieces by kind."""
    confidence: float
    """Probability that the reading is right, 0..1."""
    doubtful: bool
    """Whether it needs confirmation."""
    box: Box = (0.0, 0.0, 0.0, 0.0)
    """Box (x, y, width, height), px."""


@dataclass(frozen=True, slots=True)
class HandVerdict:
    """Verdict on the reading of one open hand."""

    truth: LabelledHand
    """Ground truth."""
    answer: HandAnswer | None
    """Reading of the hand; None if it was not detected."""
    exact: bool
    """Whether all counts are right."""
    near: bool
    """Whether the reading is exact, or at most one piece is missing or too many."""

    @property
    def doubtful(self) -> bool:
        """Whether the hand was detected and its reading needs confirmation."""
        return self.answer is not None and self.answer.doubtful

    @property
    def silently_wrong(self) -> bool:
        """Whether the reading is an undetected error."""
        return not self.exact and self.answer is not None and not self.answer.doubtful


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """Verdict on the reading of one table."""

    hands: tuple[HandVerdict, ...]
    """Verdict on each open hand."""
    ghosts: tuple[HandAnswer, ...]
    """Open hands that were read where there is none."""
    exact: bool
    """Whether all hands were read exactly."""
    silently_wrong: bool
    """Whether it is an undetected error."""
    empty: bool
    """Whether the picture shows no hand."""
    unread: bool
    """Whether the picture could not be read at all."""
    sure: tuple[tuple[float, bool], ...]
    """For each answer, its confidence and whether it is right."""


def evaluate_table(truths: Sequence[LabelledHand], answers: Iterable[HandAnswer] | None) -> TableVerdict:
    """Return the verdict on the reading of one picture.

    answers: readings of all hands; None if the picture could not be read at all.
    """
    read = {answer.seat: answer for answer in answers or ()}
    there = {truth.seat for truth in truths if truth.state == "open"}
    hands = tuple(
        _hand_verdict(truth, read.get(truth.seat))
        for truth in truths
        if truth.state == "open" and truth.inside > MIN_HAND_FRACTION
    )
    ghosts = tuple(answer for answer in read.values() if answer.state == "open" and answer.seat not in there)
    exact = answers is not None and not ghosts and all(hand.exact for hand in hands)
    asked = any(answer.doubtful for answer in read.values()) or any(hand.answer is None for hand in hands)
    by_seat = {truth.seat: truth for truth in truths}
    sure = tuple(
        (answer.confidence, _is_right(by_seat.get(answer.seat), answer))
        for answer in read.values()
        if answer.seat not in by_seat or by_seat[answer.seat].inside > MIN_HAND_FRACTION
    )
    silently_wrong = answers is not None and not exact and not asked
    return TableVerdict(hands, ghosts, exact, silently_wrong, not truths, answers is None, sure)


def _hand_verdict(truth: LabelledHand, answer: HandAnswer | None) -> HandVerdict:
    exact = answer is not None and _is_right(truth, answer)
    # A missed hand is far off; pieces of kinds that are not there make a hand wrong but no farther off.
    off = _FAR_OFF if answer is None else sum(abs(answer.counts.get(k, 0) - n) for k, n in truth.high.items())
    return HandVerdict(truth, answer, exact, exact or off <= 1)


def _is_right(truth: LabelledHand | None, answer: HandAnswer) -> bool:
    """Return whether the state of a hand and its counts, if open, are right. truth: None where there is no hand."""
    if truth is None or truth.state != answer.state:
        return False
    if truth.state == "closed":
        return True
    kinds = {*truth.high, *(kind for kind, count in answer.counts.items() if count)}
    return all(truth.low.get(k, 0) <= answer.counts.get(k, 0) <= truth.high.get(k, 0) for k in kinds)


@dataclass(frozen=True, slots=True)
class ReadingTotals:
    """Totals over many pictures of tables."""

    hands: int = 0
    """Open hands."""
    hands_exact: int = 0
    """Of these, with exact counts."""
    hands_near: int = 0
    """Of these, off by one piece at most."""
    hands_found: int = 0
    """Of these, detected as open."""
    hands_doubtful: int = 0
    """Number of hands that need confirmation."""
    hands_silently_wrong: int = 0
    """Number of hands with undetected errors."""
    ghosts: int = 0
    """Number of open hands read where there is none."""
    tables: int = 0
    """Pictures."""
    tables_exact: int = 0
    """Of these, read exactly."""
    tables_silently_wrong: int = 0
    """Number of tables with undetected errors."""
    tables_asked: int = 0
    """Number of tables that need confirmation, or miss a hand."""
    empty: int = 0
    """Pictures without hands."""
    empty_clean: int = 0
    """Of these, read without an open hand."""

    @classmethod
    def of(cls, verdicts: Iterable[TableVerdict]) -> ReadingTotals:
        """Return the totals of verdicts on tables."""
        total = cls()
        for verdict in verdicts:
            total += cls._of_one(verdict)
        return total

    @classmethod
    def _of_one(cls, table: TableVerdict) -> ReadingTotals:
        hands = table.hands
        return cls(
            hands=len(hands),
            hands_exact=sum(hand.exact for hand in hands),
            hands_near=sum(hand.near for hand in hands),
            hands_found=sum(hand.answer is not None for hand in hands),
            hands_doubtful=sum(hand.doubtful for hand in hands),
            hands_silently_wrong=sum(hand.silently_wrong for hand in hands),
            ghosts=len(table.ghosts),
            tables=1,
            tables_exact=table.exact,
            tables_silently_wrong=table.silently_wrong,
            tables_asked=any(hand.doubtful or hand.answer is None for hand in hands)
            or any(ghost.doubtful for ghost in table.ghosts),
            empty=table.empty,
            empty_clean=table.empty and not table.unread and not table.ghosts,
        )

    def __add__(self, other: ReadingTotals) -> ReadingTotals:
        """Return the sum of two totals."""
        return ReadingTotals(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def counted(kinds: Iterable[tuple[str, float]]) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return, by kind, the number of pieces visible enough to be counted, and the number of all pieces.

    kinds: kind and visible fraction (0..1) of each piece.
    """
    low: dict[str, int] = {}
    high: dict[str, int] = {}
    for kind, visible in kinds:
        high[kind] = high.get(kind, 0) + 1
        low[kind] = low.get(kind, 0) + (visible >= MIN_COUNTED_FRACTION)
    return low, high
