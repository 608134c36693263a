"""Adds the boards that were read in a picture to a scoring, or replaces one. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from calibration.translatable import Line, listed, say, sentences
from companion.adapters.wicked.boards.doubtful_parts import BoardDoubt, doubts_of, great_cards
from companion.adapters.wicked.scoring.scoring_state import (
    MOST,
    Countable,
    GreatCard,
    OpenDoubt,
    Row,
    ScoredBoard,
    Scoring,
    doubt_about_card,
    without_settled_cards,
)
from companion.games.wicked.components import COLOURS, ORACLES_DEALT, RANKS, SPOTS, Colour, Rank
from companion.games.wicked.text.words import word
from companion.table.views import Refused
from vision.games.wicked.readings import BoardReading, BoardsReading

_PARTS: dict[Countable, Line] = {
    "promotion": say("Promotion spells"),
    "colour_change": say("Colour-change spells"),
    "small": say("Small oracles"),
    "impurity": say("Impurity"),
}
"""Name of each count on screens."""


@dataclass(frozen=True, slots=True)
class ImportedBoards:
    """The result of importing the boards of one picture."""

    scoring: Scoring
    """The scoring with the imported boards."""
    read: tuple[tuple[str, BoardReading], ...]
    """Id and reading of each imported board."""
    lines: tuple[Line, ...]
    """Messages about the picture, for screens."""


def imported_boards(scoring: Scoring, reading: BoardsReading, again: str | None = None) -> ImportedBoards:
    """Return a scoring with the boards that were read in a picture added.

    again: id of a board that is replaced by its reading in this picture; nothing else is imported then. Raises
    `Refused` if nothing can be imported, or if there would be more boards than players: which of them play is
    unknown then.
    """
    if not reading.boards:
        raise Refused("not_now", sentences(*reading.problems))
    if again is not None:
        return _replaced(scoring, scoring.board(again), reading.boards)
    if scoring.players is None:
        raise Refused("not_now", say("Set the number of players first."))
    together = {board.name for board in scoring.boards} | {one.board for one in reading.boards}
    if len(together) > scoring.players:
        raise Refused(
            "not_now",
            say(
                "With this picture there are {n} boards, but {players} play: show fewer boards, or change the "
                "number of players.",
                n=len(together),
                players=scoring.players,
            ),
        )
    now, read, refused = scoring, list[tuple[str, BoardReading]](), list[Line]()
    for one in reading.boards:
        why = _refusal(now, one)
        if why is not None:
            refused.append(why)
            continue
        board = board_of(one, f"b{now.made + 1}")
        now = replace(now, boards=(*now.boards, _beside_others(board, now.boards)), made=now.made + 1)
        read.append((board.id, one))
    if not read:
        raise Refused("not_now", sentences(*refused))
    # Once all boards are there, the page shows that itself.
    added = [] if len(now.boards) == now.players else [_added_line([one for _, one in read])]
    return ImportedBoards(now, tuple(read), (*added, *refused))


def board_of(reading: BoardReading, id: str) -> ScoredBoard:
    """Return a board to be scored, with its doubts, from its reading. id: for the new board."""
    rows: dict[Rank, Row] = {rank: tuple(_colour(token) for token in _spots(reading, rank)) for rank in RANKS}
    counts: dict[Countable, int] = {"small": reading.small.achieved, "impurity": reading.impurity.points}
    for space in reading.spaces:
        counts["promotion" if space.spell == "promotion" else "colour_change"] = space.pieces
    doubts = [OpenDoubt(doubt.about, _doubt_text(doubt), _valid_values(doubt)) for doubt in doubts_of(reading)]
    for what, most in MOST.items():
        if counts.setdefault(what, 0) > most:
            counts[what] = most
            if not any(doubt.about == what for doubt in doubts):
                why = say("more are read than there can be")
                doubts.append(OpenDoubt(what, say("{part}: {why}", part=_PARTS[what], why=why)))
    cards = great_cards(reading)
    great = [GreatCard(card.card, card.achieved) for card in cards]
    great += [GreatCard()] * (ORACLES_DEALT - len(great))
    return ScoredBoard(
        id,
        reading.board,
        rows["low"],
        rows["middle"],
        rows["high"],
        counts["promotion"],
        counts["colour_change"],
        tuple(great),
        counts["small"],
        counts["impurity"],
        tuple(doubts),
    )


def _refusal(scoring: Scoring, reading: BoardReading) -> Line | None:
    """Return the reason why a board cannot be added to a scoring, as sentences; None if it can."""
    if any(len(_spots(reading, rank)) != SPOTS[rank] for rank in RANKS):
        return say(
            "The {board} board was enrolled with other spots than the game's: enrol it again, or fill it in "
            "by hand.",
            board=word(reading.board),
        )
    if any(board.name == reading.board for board in scoring.boards):
        return say(
            "The {board} board is already added. To replace it, open it and photograph it again.",
            board=word(reading.board),
        )
    return None


def _replaced(scoring: Scoring, old: ScoredBoard, readings: Sequence[BoardReading]) -> ImportedBoards:
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
    boards = [new if board is old else board for board in scoring.boards]
    changed = replace(scoring, boards=without_settled_cards(boards), made=scoring.made + 1)
    return ImportedBoards(changed, ((new.id, reading),), (_added_line([reading]),))


def _beside_others(board: ScoredBoard, others: Iterable[ScoredBoard]) -> ScoredBoard:
    """Return a board with a doubt added for each great oracle that was read twice, here or beside another board."""
    owners = {card.card: other.name for other in others for card in other.great if card.card}
    numbers = Counter(card.card for card in board.great if card.card)
    owners |= {card: board.name for card, number in numbers.items() if number > 1}
    twice = [
        OpenDoubt(
            doubt_about_card(card),
            say(
                "Card {card} was also read beside {board}, but there is only one of it.",
                card=card,
                board=word(owners[card]),
            ),
        )
        for card in numbers
        if card in owners
    ]
    return replace(board, doubts=(*board.doubts, *twice))


def _added_line(boards: Sequence[BoardReading]) -> Line:
    names = [word(board.board) for board in boards]
    if len(names) == 1:
        return say("The {board} board was read.", board=names[0])
    return say("These boards were read: {boards}.", boards=listed(names))


def _spots(reading: BoardReading, rank: Rank) -> list[str | None]:
    ordered = sorted((spot for spot in reading.spots if spot.rank == rank), key=lambda spot: spot.index)
    return [spot.token for spot in ordered]


def _colour(token: str | None) -> Colour | None:
    return next((colour for colour in COLOURS if colour == token), None)


def _doubt_text(doubt: BoardDoubt) -> str:
    """Return a doubt as text for screens: the name of the doubtful part and the reason."""
    what, _, place = doubt.about.partition(":")
    if what == "great":
        return say("Great oracle {card}: {why}", card=doubt.card or int(place) + 1, why=doubt.why)
    for rank in RANKS:
        if what == rank:
            return say("{rank} {number}: {why}", rank=word(rank), number=int(place) + 1, why=doubt.why)
    for part, name in _PARTS.items():
        if what == part:
            return say("{part}: {why}", part=name, why=doubt.why)
    return doubt.why


def _valid_values(doubt: BoardDoubt) -> tuple[int, ...]:
    """Return the possible values of a doubtful part, without those too large for a `ScoredBoard`."""
    most = next((most for part, most in MOST.items() if part == doubt.about), 1)
    return tuple(way for way in doubt.ways if way <= most)
