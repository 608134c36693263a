"""Lists the differences between boards as read and the journal, each as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.errors import PictureError
from calibration.translatable import Line, counted, say, sentences
from companion.adapters.wicked.boards.possible_player_states import SURE_OF_SMALL, boards_by_seat, cards_of_others
from companion.adapters.wicked.boards.table_score import counted_of, score_table
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, RANKS, Colour, Deck, GreatOracle, Rank
from companion.games.wicked.scoring.final_scores import final_scores
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.games.wicked.text.words import in_words, many, oracle_in_words, word
from companion.referee.finding import PointsCheck
from vision.games.wicked.readings import BoardReading, BoardsReading, SpaceReading
from vision.readings import Box


@dataclass(frozen=True, slots=True)
class BoardDifference:
    """A difference between the camera's reading and the journal."""

    seat: int | None
    """None for a board of a colour that no player has."""
    text: str
    """Sentence about the difference."""
    box: Box | None = None
    """Box of the board in the picture, px; None where the board was not found."""
    doubtful: bool = False
    """Whether the reading is doubtful there."""
    about: str = ""
    """What differs: "low:red" (rank and colour), a spell, "great:G03", "small", "impurity"; else ""."""


@dataclass(frozen=True, slots=True)
class FinalAudit:
    """The final scores of the boards as read, compared with those of the journal."""

    points: tuple[PointsCheck, ...]
    """Points of each player as read and by the journal, by seat."""
    verdict: str
    """Sentences about who wins by the boards as read."""
    doubts: tuple[str, ...] = ()
    """Reasons why that is not certain, a sentence each."""

    @property
    def agrees(self) -> bool:
        """Whether the points as read equal the journal's; doubts do not matter."""
        return all(one.seen == one.kept for one in self.points)


def audit(state: WickedState, names: Sequence[str], reading: BoardsReading) -> tuple[BoardDifference, ...]:
    """Return the differences between a reading of all boards and the journal. names: by seat.

    state: as in the journal.
    """
    boards = boards_by_seat(state, reading)
    found: list[BoardDifference] = []
    for seat, name in enumerate(names):
        if seat in boards:
            found += _differences(state, seat, name, boards[seat])
        else:
            found.append(
                BoardDifference(seat, say("{name}: the board was not found, so it is not checked.", name=name))
            )
    playing = {player.colour for player in state.players}
    found += [
        BoardDifference(
            None,
            say("A {colour} board lies on the table, but no player has this colour.", colour=word(board.board)),
            board.box,
        )
        for board in reading.boards
        if board.board in PLAYER_COLOURS and board.board not in playing
    ]
    return tuple(found)


def final_audit(state: WickedState, reading: BoardsReading) -> FinalAudit:
    """Return the final scores of the boards as read, beside those by the journal. state: as in the journal.

    An achieved great oracle that the game's deck lacks is scored, and doubtful.
    """
    kept = [score.total for score in final_scores(state)]
    boards = boards_by_seat(state, reading)
    known = {card.id for card in state.deck.great}
    unknown = {
        card.card: board
        for board in reading.boards
        for card in board.great
        if card.achieved and card.card not in known
    }
    # The colours of an oracle do not affect scores.
    added = tuple(GreatOracle(card, ("red", "red")) for card in unknown)
    deck = replace(state.deck, great=state.deck.great + added)
    try:
        table = score_table([("", reading)], len(state.players), deck)
    except PictureError:
        nothing = tuple(PointsCheck(seat, None, total) for seat, total in enumerate(kept))
        return FinalAudit(nothing, "", (sentences(*reading.problems),))
    seen = {board.reading.board: board for board in table.boards}
    points = tuple(
        PointsCheck(seat, seen[boards[seat].board].score.total, total, seen[boards[seat].board].totals)
        if seat in boards
        else PointsCheck(seat, None, total)
        for seat, total in enumerate(kept)
    )
    doubts = [
        *table.doubts,
        *(
            say("{board}: {doubt}", board=word(board.reading.board), doubt=doubt)
            for board in table.boards
            for doubt in board.doubts
        ),
        *(
            say(
                "{board}: {doubt}",
                board=word(board.board),
                doubt=say("There is no oracle card {card} in this deck.", card=card),
            )
            for card, board in unknown.items()
        ),
    ]
    return FinalAudit(points, table.verdict, tuple(doubts))


def _differences(state: WickedState, seat: int, name: str, board: BoardReading) -> Iterator[BoardDifference]:
    player, seen = state.players[seat], counted_of(board)
    doubted = bool(board.whole)
    for rank in RANKS:
        doubtful = doubted or any(spot.reason for spot in board.spots if spot.rank == rank)
        row = {"low": seen.low, "middle": seen.middle, "high": seen.high}[rank]
        for colour in COLOURS:
            if row[colour] != player.row(rank)[colour]:
                text = _count_sentence(name, _tokens(row[colour], rank, colour), player.row(rank)[colour])
                yield BoardDifference(seat, text, board.box, doubtful, f"{rank}:{colour}")
    for space in board.spaces:
        kept = player.promotion if space.spell == "promotion" else player.colour_change
        if space.pieces != kept:
            doubtful = doubted or bool(space.reason)
            yield BoardDifference(
                seat, _count_sentence(name, spells_in_words(space), kept), board.box, doubtful, space.spell
            )
    yield from _cards(seat, name, player, board, state.deck)
    for other in cards_of_others(board, state, seat):
        text = another_players_oracle(name, state.deck, other)
        yield BoardDifference(seat, text, board.box, doubtful=True)
    if seen.impurity != player.impurity:
        text = _count_sentence(name, many(seen.impurity, "{n} impurity", "{n} impurity"), player.impurity)
        yield BoardDifference(seat, text, board.box, doubted or bool(board.impurity.reason), "impurity")


def another_players_oracle(name: str, deck: Deck, card: str) -> Line:
    """Return the sentence that another player's oracle card is read beside a board. name: of the board's player."""
    return say(
        "{name}: the camera sees the oracle ({card}) there, which is another player's.",
        name=name,
        card=oracle_in_words(deck, card),
    )


def _cards(
    seat: int, name: str, player: WickedPlayer, board: BoardReading, deck: Deck
) -> Iterator[BoardDifference]:
    achieved = {oracle.card for oracle in player.achieved_great}
    for card in board.great:
        if card.card in player.great and card.achieved:
            text = say(
                "{name}: the camera sees the great oracle ({card}) achieved; in the journal it is open.",
                name=name,
                card=oracle_in_words(deck, card.card),
            )
        elif card.card in achieved and not card.achieved:
            text = say(
                "{name}: the camera sees the great oracle ({card}) open; in the journal it is achieved.",
                name=name,
                card=oracle_in_words(deck, card.card),
            )
        else:
            continue
        yield BoardDifference(seat, text, board.box, bool(board.whole or card.reason), f"great:{card.card}")
    if board.small.achieved != len(player.achieved_small):
        text = _count_sentence(
            name,
            many(board.small.achieved, "{n} achieved small oracle", "{n} achieved small oracles"),
            len(player.achieved_small),
        )
        doubtful = bool(board.whole) or board.small.confidence < SURE_OF_SMALL
        yield BoardDifference(seat, text, board.box, doubtful, "small")


def _count_sentence(name: str, seen: Line, kept: int) -> Line:
    """Return a sentence about a count that differs. seen: what was read, in words. kept: the journal's number."""
    number = in_words(kept) if kept else say("none")
    return say("{name}: the camera sees {things}; the journal has {kept}.", name=name, things=seen, kept=number)


def spells_in_words(space: SpaceReading) -> Line:
    """Return the number of spells in a space, in words."""
    if space.spell == "promotion":
        return many(space.pieces, "{n} promotion spell", "{n} promotion spells")
    return many(space.pieces, "{n} colour-change spell", "{n} colour-change spells")


def _tokens(count: int, rank: Rank, colour: Colour) -> Line:
    return counted(
        count,
        "{n} {rank} {colour} token",
        "{n} {rank} {colour} tokens",
        n=in_words(count),
        rank=word(rank),
        colour=word(colour),
    )
