"""The box check before a game: which pieces lie on the table, and which of them are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.games.wicked.kinds import in_hands
from calibration.plane import Image
from calibration.profile import TableProfile
from companion.games.wicked.components import SEARCH_PIECES, PlayerColour
from vision.counting.counter import PieceCounter
from vision.readings import Box, CountReading

SIGNS = ("sign:witch", "sign:soul")


@dataclass(frozen=True, slots=True)
class KindCount:
    """Pieces of one kind that were seen, of how many that the game needs.

    taught: the kind is known, else nothing can be said of it. doubtful: how many of the things seen may be
    something else, or another number of pieces.
    """

    kind: str
    seen: int
    wanted: int
    taught: bool
    doubtful: int


@dataclass(frozen=True, slots=True)
class CountedPiece:
    """One piece that was counted: its box in px of the picture, and whether it is doubtful."""

    kind: str
    box: Box
    doubtful: bool


@dataclass(frozen=True, slots=True)
class BoxView:
    """What the box check found: each player's search pieces in seat order, then the signs.

    unknown: boxes (px of the picture) of things that fit no known kind; they are in no count.
    """

    kinds: tuple[KindCount, ...]
    pieces: tuple[CountedPiece, ...]
    unknown: tuple[Box, ...] = ()


class BoxCheck:
    """Counts with the profile that it is given, and is ready for the next picture with the same one."""

    def __init__(self) -> None:
        self._counter: tuple[TableProfile, PieceCounter] | None = None

    def check(self, image: Image, profile: TableProfile, colours: Sequence[PlayerColour]) -> BoxView:
        """Count a BGR picture of the profile's size; raises ProfileError as `PieceCounter` does."""
        if self._counter is None or self._counter[0] is not profile:
            # Tokens and tiles lie in the box: what looks like a token here is a search piece of its colour.
            held = {kind: samples for kind, samples in profile.pieces.items() if in_hands(kind)}
            self._counter = profile, PieceCounter(replace(profile, pieces=held))
        return box_view(self._counter[1].count(image), colours, profile.pieces)


def box_view(reading: CountReading, colours: Sequence[PlayerColour], taught: Mapping[str, object]) -> BoxView:
    """Compare a count of the table with what players of these colours need, one of each sign for each of them."""
    players = len(colours)
    wanted = {f"search:{colour}": SEARCH_PIECES[players] for colour in colours} | dict.fromkeys(SIGNS, players)
    pieces = tuple(
        CountedPiece(piece.kind, piece.box, any(_inside(piece.box, thing.box) for thing in reading.doubtful))
        for piece in reading.pieces
    )
    unsure = Counter(piece.kind for piece in pieces if piece.doubtful)
    for thing in reading.doubtful:
        # What was not counted because it is too doubtful may still be one of these.
        if thing.alternatives and not any(_inside(piece.box, thing.box) for piece in pieces):
            unsure[thing.alternatives[0].kind] += 1
    return BoxView(
        tuple(
            KindCount(kind, reading.counts.get(kind, 0), number, kind in taught, unsure[kind])
            for kind, number in wanted.items()
        ),
        pieces,
        tuple(thing.box for thing in reading.unknown),
    )


def _inside(box: Box, whole: Box) -> bool:
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    return whole[0] <= x <= whole[0] + whole[2] and whole[1] <= y <= whole[1] + whole[3]
