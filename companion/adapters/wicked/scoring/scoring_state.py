"""The state of a scoring without a journal: its boards, read or filled in by hand, and their corrections. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from calibration.translatable import Line, counted, listed, say, sentences
from companion.adapters.wicked.boards.doubtful_parts import WHOLE, open_part, part_name
from companion.adapters.wicked.boards.possible_scores import (
    ANY_TWO,
    MOST_IMPURITY,
    OpenBoard,
    ScoreOutcome,
    possible_outcome,
    tally_of,
    who_wins,
)
from companion.games.wicked.components import (
    CORRIDORS,
    ORACLES_DEALT,
    PLAYER_COLOURS,
    RANKS,
    SPOTS,
    Colour,
    PlayerColour,
    Rank,
)
from companion.games.wicked.scoring.final_scores import FinalScore
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, provisional_verdict, score_boards
from companion.games.wicked.state import Tokens
from companion.games.wicked.text.words import word
from companion.table.views import Refused

MOST_PIECES = 8
"""Largest number of spells of a kind on a board: each is marked by a search piece."""

Countable = Literal["promotion", "colour_change", "small", "impurity"]
"""Counts on and beside a board that a person can correct."""
MOST: dict[Countable, int] = {
    "promotion": MOST_PIECES,
    "colour_change": MOST_PIECES,
    "small": ORACLES_DEALT,
    "impurity": MOST_IMPURITY,
}
"""The highest valid number of each count."""

_CALLED: dict[str, Line] = {
    "purple": say("Wolf"),
    "green": say("Rabbit"),
    "red": say("Eagle"),
    "black": say("Cat"),
    "yellow": say("Sheep"),
}
"""Name on screens of the player of each colour."""

Row = tuple[Colour | None, ...]
"""Colours of the tokens on the spots of a rank, from left to right; None is an empty spot."""


@dataclass(frozen=True, slots=True)
class OpenDoubt:
    """A doubtful part of a board, which a person has to check before a winner can be named."""

    about: str
    """Which part: "low:0" (rank and spot), a `Countable`, "great:0" (index in `great`), or "board:0" (all).

    "board:card:G01" is a doubt about a great oracle that was read twice, by its id.
    """
    text: str
    """The doubt as text for screens."""
    ways: tuple[int, ...] = ()
    """All values that the part may have (tokens on a spot, achieved cards); empty if they are unknown."""


@dataclass(frozen=True, slots=True)
class GreatCard:
    """A great oracle beside a board."""

    card: str = ""
    """Its enrolled id; "" if it is unknown."""
    achieved: bool = False
    """Whether its two tokens lie on it."""


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """One board in a scoring. Raises ValueError for contents that no board can have."""

    id: str
    """Id of the board, new whenever it is added or read again."""
    name: str
    """Name of the enrolled board, or a player's colour."""
    low: Row = (None,) * SPOTS["low"]
    """Colour of the token on each spot; None for an empty spot."""
    middle: Row = (None,) * SPOTS["middle"]
    """As `low`."""
    high: Row = (None,) * SPOTS["high"]
    """As `low`."""
    promotion: int = 0
    """Promotion spells left."""
    colour_change: int = 0
    """Colour-change spells left."""
    great: tuple[GreatCard, ...] = (GreatCard(),) * ORACLES_DEALT
    """The great oracles beside the board."""
    small: int = 0
    """Number of achieved small oracles."""
    impurity: int = 0
    """Points."""
    doubts: tuple[OpenDoubt, ...] = ()
    """Parts to be checked."""
    picture: str = ""
    """Name of the picture that it was read from; "" if it was filled in by hand."""

    def __post_init__(self) -> None:
        """Raise ValueError for contents that no board can have."""
        if any(len(self.row(rank)) != SPOTS[rank] for rank in RANKS):
            raise ValueError("a board has six low, five middle and four high spots")
        if any(not 0 <= self.count(what) <= most for what, most in MOST.items()):
            raise ValueError("there are not so many of that in the box")
        if len(self.great) != ORACLES_DEALT:
            raise ValueError("everybody has two great oracles")
        if not all(map(_is_valid_doubt, self.doubts)):
            raise ValueError("there is nothing on a board that this doubt could be about")

    def row(self, rank: Rank) -> Row:
        """Return the token on each spot of a rank, None for an empty spot."""
        return {"low": self.low, "middle": self.middle, "high": self.high}[rank]

    def count(self, what: Countable) -> int:
        """Return one of the board's counts by its name."""
        number: int = getattr(self, what)
        return number

    def without_doubt(self, about: str) -> ScoredBoard:
        """Return the board without the doubt about a part. about: the part, as in `OpenDoubt`."""
        return replace(self, doubts=tuple(doubt for doubt in self.doubts if doubt.about != about))


@dataclass(frozen=True, slots=True)
class Scoring:
    """The boards of one game, which are scored together."""

    players: int | None = None
    """Number of players; None until it is set."""
    boards: tuple[ScoredBoard, ...] = ()
    """In the order in which they were added."""
    made: int = 0
    """Number of boards added so far, removed ones included; the source of ids."""

    def __post_init__(self) -> None:
        """Raise ValueError for a wrong number of players, more boards than players, or two boards of one name."""
        names = [board.name for board in self.boards]
        if self.players is not None and self.players not in CORRIDORS:
            raise ValueError("three to five can play")
        if len(names) > (self.players or 0) or len(set(names)) < len(names):
            raise ValueError("there is one board for each player")

    def board(self, id: str) -> ScoredBoard:
        """Return a board by its id. Raises `Refused` ("stale") if it has been removed or read again."""
        for board in self.boards:
            if board.id == id:
                return board
        raise Refused("stale", say("That board was removed or photographed again, so nothing was changed."))

    def with_board(self, id: str, change: Callable[[ScoredBoard], ScoredBoard]) -> Scoring:
        """Return the scoring with one board changed. Raises `Refused` as `board` does."""
        changed = change(self.board(id))
        return replace(self, boards=tuple(changed if board.id == id else board for board in self.boards))


@dataclass(frozen=True, slots=True)
class ScoreStanding:
    """The scores so far, and the doubts that can still change them."""

    scores: tuple[FinalScore, ...]
    """One score per board, in the order of the boards."""
    missing: int
    """Number of boards not added yet."""
    weighed: ScoreOutcome
    """The possible scores and winners over all values of the unchecked doubts."""
    line: Line
    """Sentences for screens: who wins, what that depends on, who leads, or what to do next."""

    @property
    def open(self) -> int:
        """The number of unchecked doubts that can change a score."""
        return sum(map(len, self.weighed.counting))

    @property
    def sure(self) -> bool:
        """Whether all boards are added and the winner does not depend on a doubt."""
        return not self.missing and bool(self.weighed.winners)


def with_players(scoring: Scoring, players: int) -> Scoring:
    """Return the scoring with the number of players set. Raises `Refused` if there are more boards already."""
    if players not in CORRIDORS:
        raise Refused("bad_request", say("The game is for 3 to 5 players."))
    if len(scoring.boards) > players:
        raise Refused(
            "not_now",
            counted(
                len(scoring.boards),
                "{n} board is already added: remove one first.",
                "{n} boards are already added: remove one first.",
            ),
        )
    return replace(scoring, players=players)


def with_empty_board(scoring: Scoring, colour: PlayerColour) -> Scoring:
    """Return the scoring with an empty board added, which is doubtful until a person has filled it in."""
    _check_room(scoring)
    if any(board.name == colour for board in scoring.boards):
        raise Refused("not_now", say("The {colour} board is already added.", colour=word(colour)))
    whole = OpenDoubt(f"{WHOLE}:0", say("Fill this board in, then confirm it."))
    board = ScoredBoard(f"b{scoring.made + 1}", colour, doubts=(whole,))
    return replace(scoring, boards=(*scoring.boards, board), made=scoring.made + 1)


def with_spot(scoring: Scoring, id: str, rank: Rank, index: int, token: Colour | None) -> Scoring:
    """Return the scoring with the token on a spot of a board set, and the doubt about the spot removed.

    id: of the board. index: of the spot in its rank. token: None empties the spot.
    """
    if not 0 <= index < SPOTS[rank]:
        raise Refused("bad_request", say("There is no such spot on a board."))

    def put(board: ScoredBoard) -> ScoredBoard:
        row = board.row(rank)
        changed = (*row[:index], token, *row[index + 1 :])
        rows = {"low": board.low, "middle": board.middle, "high": board.high, rank: changed}
        board = replace(board, low=rows["low"], middle=rows["middle"], high=rows["high"])
        return board.without_doubt(f"{rank}:{index}")

    return scoring.with_board(id, put)


def with_number(scoring: Scoring, id: str, what: Countable, number: int) -> Scoring:
    """Return the scoring with a count of a board set, and the doubt about it removed.

    id: of the board. what: name of the count.
    """
    if not 0 <= number <= MOST[what]:
        raise Refused("bad_request", say("Enter a number from 0 to {most}.", most=MOST[what]))

    def put(board: ScoredBoard) -> ScoredBoard:
        counts = {name: board.count(name) for name in MOST} | {what: number}
        board = replace(
            board,
            promotion=counts["promotion"],
            colour_change=counts["colour_change"],
            small=counts["small"],
            impurity=counts["impurity"],
        )
        return board.without_doubt(what)

    return scoring.with_board(id, put)


def with_great(scoring: Scoring, id: str, place: int, achieved: bool) -> Scoring:
    """Return the scoring with a great oracle set as achieved or not, and the doubt about it removed.

    id: of the board. place: index of the card in `ScoredBoard.great`.
    """
    if not 0 <= place < ORACLES_DEALT:
        raise Refused("bad_request", say("There is no such card beside a board."))

    def put(board: ScoredBoard) -> ScoredBoard:
        great = tuple(
            replace(card, achieved=achieved) if number == place else card for number, card in enumerate(board.great)
        )
        return replace(board, great=great).without_doubt(f"great:{place}")

    return scoring.with_board(id, put)


def without_doubt(scoring: Scoring, id: str, about: str) -> Scoring:
    """Return the scoring without the doubt about a part of a board, which a person has confirmed as read.

    id: of the board. about: the part, as in `OpenDoubt`.
    """
    return scoring.with_board(id, lambda board: board.without_doubt(about))


def without_board(scoring: Scoring, id: str) -> Scoring:
    """Return the scoring without a board. id: of the board. Raises `Refused` if it has been removed already."""
    gone = scoring.board(id)
    left = [board for board in scoring.boards if board is not gone]
    return replace(scoring, boards=without_settled_cards(left))


def doubt_about_card(card: str) -> str:
    """Return what a doubt is about, as in `OpenDoubt`, where a great oracle was read twice. card: its id."""
    return f"{WHOLE}:card:{card}"


def without_settled_cards(boards: Sequence[ScoredBoard]) -> tuple[ScoredBoard, ...]:
    """Return the boards without doubts about great oracles that were read twice, but are left only once."""
    numbers = Counter(card.card for board in boards for card in board.great)
    settled = {doubt_about_card(card) for card, number in numbers.items() if number == 1}
    return tuple(
        replace(board, doubts=tuple(doubt for doubt in board.doubts if doubt.about not in settled))
        for board in boards
    )


def colours_of(boards: Sequence[ScoredBoard]) -> tuple[PlayerColour, ...]:
    """Return the colour in which each board is drawn: its own, or a free one if its name is not a colour."""
    names = {board.name for board in boards}
    free = iter([colour for colour in PLAYER_COLOURS if colour not in names])
    own: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}
    return tuple(own[board.name] if board.name in own else next(free) for board in boards)


def counted_board(board: ScoredBoard) -> CountedBoard:
    """Return a board as the counts from which the rules compute its score."""
    low, middle, high = (
        Tokens.of(token for token in board.row(rank) if token is not None) for rank in ("low", "middle", "high")
    )
    great = tuple(f"{place}" for place, card in enumerate(board.great) if card.achieved)
    return CountedBoard(
        board.name, low, middle, high, board.promotion, board.colour_change, great, board.small, board.impurity
    )


def score_standing(scoring: Scoring) -> ScoreStanding:
    """Return the scores so far (W16); no winner is named while a board is missing or a doubt can change it."""
    boards = scoring.boards
    missing = (scoring.players or 0) - len(boards)
    scores = score_boards([counted_board(board) for board in boards], ANY_TWO) if boards else ()
    names = [_CALLED.get(board.name, board.name) for board in boards]
    weighed = possible_outcome([_open_board(board) for board in boards])
    unchecked = [name for name, counting in zip(names, weighed.counting, strict=True) if counting]
    asked = say("Check: {boards}.", boards=listed(unchecked)) if unchecked else Line("")
    if missing or not boards:
        missing_line = counted(missing, "{n} board is missing.", "{n} boards are missing.") if missing else Line("")
        return ScoreStanding(scores, missing, weighed, sentences(missing_line, asked))
    line = who_wins(weighed, scores, names, [[_named(board, doubt) for doubt in board.doubts] for board in boards])
    return ScoreStanding(scores, 0, weighed, line or sentences(provisional_verdict(scores, names), asked))


def _open_board(board: ScoredBoard) -> OpenBoard:
    parts = (open_part(doubt.about, _part_value(board, doubt.about), doubt.ways) for doubt in board.doubts)
    return OpenBoard(tally_of(counted_board(board)), tuple(parts))


def _is_valid_doubt(doubt: OpenDoubt) -> bool:
    """Return whether a doubt is about a part that boards have, and its values are possible there."""
    what, _, place = doubt.about.partition(":")
    number = int(place) if place.isdecimal() and len(place) == 1 else -1
    if what == WHOLE:
        return not doubt.ways
    places = {"great": ORACLES_DEALT} | {rank: SPOTS[rank] for rank in RANKS}
    most = next((most for name, most in MOST.items() if name == doubt.about), 1)
    there = 0 <= number < places[what] if what in places else doubt.about in MOST
    return there and all(0 <= way <= most for way in doubt.ways)


def _part_value(board: ScoredBoard, about: str) -> int:
    """Return the present value of a part of a board: a count, or 1 or 0 for a token or an achieved card.

    about: the part, as in `OpenDoubt`.
    """
    what, _, place = about.partition(":")
    if what == "great":
        return int(board.great[int(place)].achieved)
    for rank in RANKS:
        if what == rank:
            return int(board.row(rank)[int(place)] is not None)
    return next((board.count(name) for name in MOST if name == what), 0)


def _named(board: ScoredBoard, doubt: OpenDoubt) -> Line:
    what, _, place = doubt.about.partition(":")
    return part_name(doubt.about, doubt.ways, board.great[int(place)].card if what == "great" else "")


def _check_room(scoring: Scoring) -> None:
    """Raise `Refused` if no further board can be added."""
    if scoring.players is None:
        raise Refused("not_now", say("Set the number of players first."))
    if len(scoring.boards) >= scoring.players:
        raise Refused(
            "not_now",
            counted(
                scoring.players,
                "All {n} boards are added: remove one, or change the number of players.",
                "All {n} boards are added: remove one, or change the number of players.",
            ),
        )
