"""Checks the content of a game's box: counts the pieces on the table and compares them with those needed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.game_kit import Kit
from calibration.plane import Image
from calibration.profile import TableProfile
from vision.counting.table_counter import PieceCounter
from vision.readings import Box, CountReading


@dataclass(frozen=True, slots=True)
class KindCount:
    """Counted pieces of one kind."""

    kind: str
    """Id of the kind."""
    seen: int
    """Number of pieces counted."""
    wanted: int
    """Number of pieces that the game needs."""
    enrolled: bool
    """Whether the kind is enrolled; others cannot be counted."""
    doubtful: int
    """Number of counted pieces that may be something else or another number of pieces."""


@dataclass(frozen=True, slots=True)
class CountedPiece:
    """One counted piece."""

    kind: str
    """Id of its kind."""
    box: Box
    """In px of the picture."""
    doubtful: bool
    """Whether it may be something else or another number of pieces."""


@dataclass(frozen=True, slots=True)
class BoxView:
    """The result of the box check."""

    kinds: tuple[KindCount, ...]
    """In the order of `Kit.pieces_needed`."""
    pieces: tuple[CountedPiece, ...]
    """All counted pieces."""
    unknown: tuple[Box, ...] = ()
    """Boxes, px, of objects of no enrolled kind; they are in no count."""


class BoxCheck:
    """Counts the pieces on the table; the counter is cached for further pictures with the same profile."""

    def __init__(self) -> None:
        self._counter: tuple[TableProfile, PieceCounter] | None = None

    def check(self, image: Image, profile: TableProfile, figures: Sequence[str]) -> BoxView:
        """Count the pieces on the table; return the counts beside those that players of these figures need.

        image: BGR, of the size that the profile was calibrated with. figures: ids of the colours or animals that
        mark the players, in seat order. Raises ProfileError as `PieceCounter` does.
        """
        if self._counter is None or self._counter[0] is not profile:
            # Other pieces stay in the box: what looks like one here is a piece for hands of its colour.
            held = {kind: samples for kind, samples in profile.pieces.items() if profile.kit.in_hands(kind)}
            self._counter = profile, PieceCounter(replace(profile, pieces=held))
        return box_view(self._counter[1].count(image), figures, profile.pieces, profile.kit)


def box_view(reading: CountReading, figures: Sequence[str], enrolled: Mapping[str, object], kit: Kit) -> BoxView:
    """Return how many pieces of each kind were counted and are needed by players of these figures.

    reading: the count in one picture. figures: ids of the colours or animals that mark the players. enrolled: the
    enrolled kinds of pieces, as keys.
    """
    wanted = kit.pieces_needed(tuple(figures))
    pieces = tuple(
        CountedPiece(piece.kind, piece.box, any(_has_centre_in(piece.box, thing.box) for thing in reading.doubtful))
        for piece in reading.pieces
    )
    unsure = Counter(piece.kind for piece in pieces if piece.doubtful)
    for thing in reading.doubtful:
        # A thing that is too doubtful to count may still be one of these.
        if thing.alternatives and not any(_has_centre_in(piece.box, thing.box) for piece in pieces):
            unsure[thing.alternatives[0].kind] += 1
    return BoxView(
        tuple(
            KindCount(kind, reading.counts.get(kind, 0), number, kind in enrolled, unsure[kind])
            for kind, number in wanted.items()
        ),
        pieces,
        tuple(thing.box for thing in reading.unknown),
    )


def _has_centre_in(box: Box, whole: Box) -> bool:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return whole[0] <= x <= whole[0] + whole[2] and whole[1] <= y <= whole[1] + whole[3]
