"""Boards that are scored where nobody tracked the game: as read or filled in, put right, and added up. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from calibration.wording import Line, counted, listed, say, sentences
from companion.games.wicked.components import (
    COLOURS,
    CORRIDORS,
    ORACLES_DEALT,
    PLAYER_COLOURS,
    RANKS,
    SPOTS,
    Colour,
    Deck,
    GreatOracle,
    PlayerColour,
    Rank,
)
from companion.games.wicked.from_board import CountedBoard, lead, score_boards, verdict
from companion.games.wicked.scoring import Score
from companion.games.wicked.state import Tokens
from companion.games.wicked.telling import word
from companion.table.views import Refused
from vision.board_readings import BoardReading, BoardsReading

MOST_IMPURITY = 37
"""Points of all impurity tiles in the box together."""
MOST_PIECES = 8
"""Search pieces that can mark one spell."""
WHOLE = "board"
"""What a doubt is about that is no single spot, space, card or count."""

Countable = Literal["promotion", "colour_change", "small", "impurity"]
MOST: dict[Countable, int] = {
    "promotion": MOST_PIECES,
    "colour_change": MOST_PIECES,
    "small": ORACLES_DEALT,
    "impurity": MOST_IMPURITY,
}
"""How much there can be at most of what is counted beside a board."""

Row = tuple[Colour | None, ...]
"""What lies on the spots of a rank, from left to right; None on an empty one."""


@dataclass(frozen=True, slots=True)
class OpenDoubt:
    """Something that somebody has to look at before anybody is called the winner.

    about: "low:0" (a rank and a spot of it from 0), a `Countable`, "great:0", or "board:0"; each once on a board.
    """

    about: str
    text: str


@dataclass(frozen=True, slots=True)
class GreatCard:
    """A great oracle beside a board: its enrolled id, "" where nobody said which it is."""

    card: str = ""
    achieved: bool = False


@dataclass(frozen=True, slots=True)
class ScoredBoard:
    """One board as it stands now. Raises ValueError for what cannot lie on and beside one.

    id: another one each time that it is read or begun; name: of the enrolled board, or a player's colour;
    picture: names what it was read from, "" where it is filled in by hand.
    """

    id: str
    name: str
    low: Row = (None,) * SPOTS["low"]
    middle: Row = (None,) * SPOTS["middle"]
    high: Row = (None,) * SPOTS["high"]
    promotion: int = 0
    colour_change: int = 0
    great: tuple[GreatCard, ...] = (GreatCard(),) * ORACLES_DEALT
    small: int = 0
    impurity: int = 0
    doubts: tuple[OpenDoubt, ...] = ()
    picture: str = ""

    def __post_init__(self) -> None:
        """Refuse what no board can hold."""
        if any(len(self.row(rank)) != SPOTS[rank] for rank in RANKS):
            raise ValueError("a board has six low, five middle and four high spots")
        if any(not 0 <= self.count(what) <= most for what, most in MOST.items()):
            raise ValueError("there are not so many of that in the box")
        if len(self.great) != ORACLES_DEALT:
            raise ValueError("everybody has two great oracles")

    def row(self, rank: Rank) -> Row:
        """Return what lies on the spots of a rank."""
        return {"low": self.low, "middle": self.middle, "high": self.high}[rank]

    def count(self, what: Countable) -> int:
        """Return how many there are of what is counted."""
        number: int = getattr(self, what)
        return number

    def without_doubt(self, about: str) -> ScoredBoard:
        """Give it with this settled."""
        return replace(self, doubts=tuple(doubt for doubt in self.doubts if doubt.about != about))


@dataclass(frozen=True, slots=True)
class Scoring:
    """The boards that are scored together. players: how many played, None before somebody has said so.

    made: how many boards were ever put in; their ids are counted by it.
    """

    players: int | None = None
    boards: tuple[ScoredBoard, ...] = ()
    made: int = 0

    def __post_init__(self) -> None:
        """Refuse more boards than players, and one board twice."""
        names = [board.name for board in self.boards]
        if self.players is not None and self.players not in CORRIDORS:
            raise ValueError("three to five can play")
        if len(names) > (self.players or 0) or len(set(names)) < len(names):
            raise ValueError("there is one board for each player")

    def board(self, id: str) -> ScoredBoard:
        """Find a board. Raises `Refused` ("stale") where it is gone, or was photographed again since."""
        for board in self.boards:
            if board.id == id:
                return board
        raise Refused("stale", say("That board was removed or photographed again, so nothing was changed."))

    def with_board(self, id: str, change: Callable[[ScoredBoard], ScoredBoard]) -> Scoring:
        """Give it with one board changed. Raises `Refused` as `board` does."""
        changed = change(self.board(id))
        return replace(self, boards=tuple(changed if board.id == id else board for board in self.boards))


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What came of a picture: the boards that were read from it by their new ids, and a line about each."""

    scoring: Scoring
    read: tuple[tuple[str, BoardReading], ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands: scores in the boards' order, as far as is known, and what keeps them from being sure.

    missing: boards that are not there yet; open: doubts that nobody has looked at; line: who wins, or leads, or
    what is still to be done.
    """

    scores: tuple[Score, ...]
    missing: int
    open: int
    line: Line

    @property
    def sure(self) -> bool:
        """Whether all boards are there and nothing is open, so that there is a winner."""
        return bool(self.scores) and not self.missing and not self.open


def for_players(scoring: Scoring, players: int) -> Scoring:
    """Say how many play. Raises `Refused` where there are more boards already."""
    if players not in CORRIDORS:
        raise Refused("bad_request", say("The game is for 3 to 5 players."))
    if len(scoring.boards) > players:
        raise Refused(
            "not_now",
            counted(
                len(scoring.boards),
                "{n} boards are there already: remove one first.",
                "{n} boards are there already: remove one first.",
            ),
        )
    return replace(scoring, players=players)


def by_hand(scoring: Scoring, colour: PlayerColour) -> Scoring:
    """Put an empty board in, to be filled in; it is open until somebody says that it is done."""
    _room(scoring)
    if any(board.name == colour for board in scoring.boards):
        raise Refused("not_now", say("The {colour} board is there already.", colour=word(colour)))
    whole = OpenDoubt(f"{WHOLE}:0", say("Fill this board in, then say that it is done."))
    board = ScoredBoard(f"b{scoring.made + 1}", colour, doubts=(whole,))
    return replace(scoring, boards=(*scoring.boards, board), made=scoring.made + 1)


def taken_in(scoring: Scoring, reading: BoardsReading, again: str | None = None) -> TakenIn:
    """Put the boards of a picture in. again: the id of a board that this picture is to replace, and no other.

    Raises `Refused` where nothing comes of it: no enrolled board, or only such as are there already.
    """
    if not reading.boards:
        raise Refused("not_now", sentences(*reading.problems))
    if again is not None:
        return _replaced(scoring, scoring.board(again), reading.boards)
    now, read, lines, refused = scoring, list[tuple[str, BoardReading]](), list[Line](), list[Line]()
    for one in reading.boards:
        why = _refusal(now, one)
        if why is not None:
            refused.append(why)
            continue
        board = board_of(one, f"b{now.made + 1}")
        now = replace(now, boards=(*now.boards, _beside_others(board, now.boards)), made=now.made + 1)
        read.append((board.id, one))
        lines.append(_told(board))
    if not read:
        raise Refused("not_now", sentences(*refused))
    return TakenIn(now, tuple(read), (*lines, *refused))


def board_of(reading: BoardReading, id: str) -> ScoredBoard:
    """Tell a reading as a board to be scored, with all that is doubtful about it."""
    rows: dict[Rank, Row] = {rank: tuple(_colour(token) for token in _spots(reading, rank)) for rank in RANKS}
    doubts = [
        OpenDoubt(f"{spot.rank}:{spot.index}", say("{rank} {number}: {why}", rank=word(spot.rank),
                  number=spot.index + 1, why=spot.reason))
        for spot in reading.spots
        if spot.reason
    ]  # fmt: skip
    counts: dict[Countable, int] = {"small": reading.small.achieved, "impurity": reading.impurity.points}
    reasons = {"small": reading.small.reason, "impurity": reading.impurity.reason}
    for space in reading.spaces:
        counts["promotion" if space.spell == "promotion" else "colour_change"] = space.pieces
        reasons[space.spell] = space.reason
    for what, most in MOST.items():
        if counts.get(what, 0) > most:
            reasons[what] = reasons.get(what) or say("more are read than there can be")
        counts[what] = min(counts.get(what, 0), most)
    doubts += [
        OpenDoubt(what, say("{part}: {why}", part=_PARTS[what], why=reasons[what]))
        for what in MOST
        if reasons.get(what)
    ]
    # An achieved one is kept where more lie there than belong to a board; the reader says that there are too many.
    cards = sorted(reading.great, key=lambda card: not card.achieved)[:ORACLES_DEALT]
    cards.sort(key=lambda card: card.card)
    doubts += [
        OpenDoubt(f"great:{place}", say("Great oracle {card}: {why}", card=card.card, why=card.reason))
        for place, card in enumerate(cards)
        if card.reason
    ]
    said = [doubt.text for doubt in doubts]
    general = [reason for reason in reading.reasons if not any(_why(text) in reason for text in said)]
    doubts += [OpenDoubt(f"{WHOLE}:{number}", reason) for number, reason in enumerate(general)]
    great = [GreatCard(card.card, card.achieved) for card in cards]
    great += [GreatCard()] * (ORACLES_DEALT - len(great))
    return ScoredBoard(
        id, reading.board, rows["low"], rows["middle"], rows["high"], counts["promotion"],
        counts["colour_change"], tuple(great), counts["small"], counts["impurity"], tuple(doubts),
    )  # fmt: skip


def with_spot(scoring: Scoring, id: str, rank: Rank, index: int, token: Colour | None) -> Scoring:
    """Say what lies on a spot, counted from 0; that settles what was doubtful about it."""
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
    """Say how many there are of what is counted; that settles what was doubtful about it."""
    if not 0 <= number <= MOST[what]:
        raise Refused("bad_request", say("There can be 0 to {most} of that.", most=MOST[what]))

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
    """Say whether a great oracle is achieved, by its place beside the board."""
    if not 0 <= place < ORACLES_DEALT:
        raise Refused("bad_request", say("There is no such card beside a board."))

    def put(board: ScoredBoard) -> ScoredBoard:
        great = tuple(
            replace(card, achieved=achieved) if number == place else card for number, card in enumerate(board.great)
        )
        return replace(board, great=great).without_doubt(f"great:{place}")

    return scoring.with_board(id, put)


def settled(scoring: Scoring, id: str, about: str) -> Scoring:
    """Say that something doubtful is right as it stands."""
    return scoring.with_board(id, lambda board: board.without_doubt(about))


def without(scoring: Scoring, id: str) -> Scoring:
    """Take a board away."""
    gone = scoring.board(id)
    return replace(scoring, boards=tuple(board for board in scoring.boards if board is not gone))


def colours_of(boards: Sequence[ScoredBoard]) -> tuple[PlayerColour, ...]:
    """Give the colour in which each board is drawn: its own, or one that is left where it is called otherwise."""
    names = {board.name for board in boards}
    free = iter([colour for colour in PLAYER_COLOURS if colour not in names])
    own: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}
    return tuple(own[board.name] if board.name in own else next(free) for board in boards)


def counted_board(board: ScoredBoard) -> CountedBoard:
    """Tell a board as the plain counts that the rules score."""
    low, middle, high = (
        Tokens.of(token for token in board.row(rank) if token is not None) for rank in ("low", "middle", "high")
    )
    great = tuple(f"{place}" for place, card in enumerate(board.great) if card.achieved)
    return CountedBoard(
        board.name, low, middle, high, board.promotion, board.colour_change, great, board.small, board.impurity
    )


def standing(scoring: Scoring) -> Standing:
    """Add all up, and call somebody the winner only where every board is there and nothing is open (W16)."""
    boards = scoring.boards
    missing = (scoring.players or 0) - len(boards)
    left = sum(len(board.doubts) for board in boards)
    scores = score_boards([counted_board(board) for board in boards], _ANY_TWO) if boards else ()
    names = [board.name for board in boards]
    if missing or not boards:
        wanted = counted(missing, "{n} board is missing.", "{n} boards are missing.") if missing else Line("")
        return Standing(scores, missing, left, sentences(wanted, _look_at(boards)))
    if left:
        return Standing(scores, 0, left, sentences(lead(scores, names), _look_at(boards)))
    return Standing(scores, 0, 0, verdict(scores, names))


_ANY_TWO = Deck(
    "great oracles, whichever they are",
    (),
    tuple(GreatOracle(f"{place}", (COLOURS[0], COLOURS[0])) for place in range(ORACLES_DEALT)),
    (),
)
"""Which two high tokens lie on a great oracle makes no difference to any comparison of W16: nobody is asked."""

_PARTS: dict[Countable, Line] = {
    "promotion": say("Promotion spells"),
    "colour_change": say("Colour-change spells"),
    "small": say("Small oracles"),
    "impurity": say("Impurity"),
}


def _room(scoring: Scoring) -> None:
    if scoring.players is None:
        raise Refused("not_now", say("Say first how many play."))
    if len(scoring.boards) >= scoring.players:
        raise Refused("not_now", _too_many(scoring.players))


def _too_many(players: int) -> Line:
    return counted(
        players, "All {n} boards are there: remove one, or say how many play.",
        "All {n} boards are there: remove one, or say how many play.",
    )  # fmt: skip


def _refusal(scoring: Scoring, reading: BoardReading) -> Line | None:
    """Say why a board cannot be put in; None where it can."""
    if any(len(_spots(reading, rank)) != SPOTS[rank] for rank in RANKS):
        return say(
            "The {board} board was taught with other spots than the game's: teach it again, or fill it in by hand.",
            board=word(reading.board),
        )
    if any(board.name == reading.board for board in scoring.boards):
        return say(
            "The {board} board is there already, and each counts once: to replace it, photograph it again there.",
            board=word(reading.board),
        )
    if scoring.players is None:
        return say("Say first how many play.")
    return _too_many(scoring.players) if len(scoring.boards) >= scoring.players else None


def _replaced(scoring: Scoring, old: ScoredBoard, readings: Sequence[BoardReading]) -> TakenIn:
    reading = next((one for one in readings if one.board == old.name), None)
    if reading is None:
        raise Refused(
            "not_now",
            say(
                "That picture shows {seen}, not {wanted}: nothing was replaced.",
                seen=listed([word(one.board) for one in readings]),
                wanted=word(old.name),
            ),
        )
    rest = tuple(board for board in scoring.boards if board is not old)
    if (why := _refusal(replace(scoring, boards=rest), reading)) is not None:
        raise Refused("not_now", why)
    new = _beside_others(board_of(reading, f"b{scoring.made + 1}"), rest)
    boards = tuple(new if board is old else board for board in scoring.boards)
    changed = replace(scoring, boards=boards, made=scoring.made + 1)
    return TakenIn(changed, ((new.id, reading),), (_told(new),))


def _beside_others(board: ScoredBoard, others: Iterable[ScoredBoard]) -> ScoredBoard:
    """Doubt a card that is read beside another board, too: there is only one of each."""
    owners = {card.card: other.name for other in others for card in other.great if card.card}
    twice = [
        OpenDoubt(
            f"{WHOLE}:{card.card}",
            say(
                "The card {card} is read beside {board}, too: there is only one of it.",
                card=card.card,
                board=word(owners[card.card]),
            ),
        )
        for card in board.great
        if card.card in owners
    ]
    return replace(board, doubts=(*board.doubts, *twice))


def _told(board: ScoredBoard) -> Line:
    name = word(board.name)
    if not board.doubts:
        return say("The {board} board is read.", board=name)
    return counted(
        len(board.doubts), "The {board} board is read. Look at {n} thing.",
        "The {board} board is read. Look at {n} things.", board=name,
    )  # fmt: skip


def _look_at(boards: Sequence[ScoredBoard]) -> Line:
    look = [word(board.name) for board in boards if board.doubts]
    return say("Look at: {boards}.", boards=listed(look)) if look else Line("")


def _spots(reading: BoardReading, rank: Rank) -> list[str | None]:
    ordered = sorted((spot for spot in reading.spots if spot.rank == rank), key=lambda spot: spot.index)
    return [spot.token for spot in ordered]


def _colour(token: str | None) -> Colour | None:
    return next((colour for colour in COLOURS if colour == token), None)


def _why(text: str) -> str:
    """Give the reason inside a doubt's text, by which the reader's own line about it is known."""
    return dict(text.values)["why"] if isinstance(text, Line) else text
