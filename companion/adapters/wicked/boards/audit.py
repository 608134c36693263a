"""What the camera sees on boards against what the journal has: each difference as a sentence. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibration.errors import PictureError
from calibration.wording import Line, counted, say, sentences
from companion.adapters.wicked.boards.interpretations import SURE_OF_SMALL, boards_by_seat, foreign
from companion.adapters.wicked.boards.table_score import counted_of, score_table
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, RANKS, Colour, Rank
from companion.games.wicked.scoring.final_scores import final_scores
from companion.games.wicked.state import Player, State
from companion.games.wicked.text.words import in_words, many, word
from vision.games.wicked.readings import BoardReading, BoardsReading, SpaceReading
from vision.readings import Box


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that the camera sees otherwise than the journal has it, in a plain sentence.

    seat: whose board, None for a board that nobody plays with; box: the board's in px of the picture, None where it
    is not seen. doubtful: the camera is not sure of what it sees there. about: "low:red" (a rank and a colour), a
    spell's name, "great:G03", "small" or "impurity"; "" for all else.
    """

    seat: int | None
    text: str
    box: Box | None = None
    doubtful: bool = False
    about: str = ""


@dataclass(frozen=True, slots=True)
class SeatPoints:
    """A player's final points by the camera, None where the board is not seen, and by the journal.

    possible: the least and the most that the camera's may be with all that is doubtful; None where that cannot be
    told.
    """

    seat: int
    seen: int | None
    kept: int
    possible: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FinalAudit:
    """The final score by the camera beside the journal's. doubts: why it is not sure, a plain line each."""

    points: tuple[SeatPoints, ...]
    verdict: str
    doubts: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether the camera sees exactly the points that the journal has, doubtful or not."""
        return all(one.seen == one.kept for one in self.points)


def audit(state: State, names: Sequence[str], reading: BoardsReading) -> tuple[Difference, ...]:
    """Hold a reading of the boards against a state. names: by seat."""
    boards = boards_by_seat(state, reading)
    found: list[Difference] = []
    for seat, (player, name) in enumerate(zip(state.players, names, strict=True)):
        if seat in boards:
            found += _differences(seat, name, player, boards[seat])
        else:
            found.append(
                Difference(seat, say("{name}: the board is not seen, so nothing of it is checked.", name=name))
            )
    playing = {player.colour for player in state.players}
    found += [
        Difference(
            None, say("A {colour} board lies there that nobody plays with.", colour=word(board.board)), board.box
        )
        for board in reading.boards
        if board.board in PLAYER_COLOURS and board.board not in playing
    ]
    return tuple(found)


def final_audit(state: State, reading: BoardsReading) -> FinalAudit:
    """Score what a reading shows as the end of a game, beside the journal's final scores."""
    kept = [score.total for score in final_scores(state)]
    boards = boards_by_seat(state, reading)
    try:
        table = score_table([("", reading)], len(state.players), state.deck)
    except PictureError:
        nothing = tuple(SeatPoints(seat, None, total) for seat, total in enumerate(kept))
        return FinalAudit(nothing, "", (sentences(*reading.problems),))
    seen = {board.reading.board: board for board in table.boards}
    points = tuple(
        SeatPoints(seat, seen[boards[seat].board].score.total, total, seen[boards[seat].board].totals)
        if seat in boards
        else SeatPoints(seat, None, total)
        for seat, total in enumerate(kept)
    )
    doubts = [
        *table.doubts,
        *(
            say("{board}: {doubt}", board=word(board.reading.board), doubt=doubt)
            for board in table.boards
            for doubt in board.doubts
        ),
    ]
    return FinalAudit(points, table.verdict, tuple(doubts))


def _differences(seat: int, name: str, player: Player, board: BoardReading) -> Iterator[Difference]:
    seen = counted_of(board)
    doubted = bool(board.whole)
    for rank in RANKS:
        unsure = doubted or any(spot.reason for spot in board.spots if spot.rank == rank)
        row = {"low": seen.low, "middle": seen.middle, "high": seen.high}[rank]
        for colour in COLOURS:
            if row[colour] != player.row(rank)[colour]:
                text = _counts(name, _tokens(row[colour], rank, colour), player.row(rank)[colour])
                yield Difference(seat, text, board.box, unsure, f"{rank}:{colour}")
    for space in board.spaces:
        kept = player.promotion if space.spell == "promotion" else player.colour_change
        if space.pieces != kept:
            unsure = doubted or bool(space.reason)
            yield Difference(seat, _counts(name, spells(space), kept), board.box, unsure, space.spell)
    yield from _cards(seat, name, player, board)
    if seen.impurity != player.impurity:
        text = _counts(name, many(seen.impurity, "{n} impurity", "{n} impurity"), player.impurity)
        yield Difference(seat, text, board.box, doubted or bool(board.impurity.reason), "impurity")


def _cards(seat: int, name: str, player: Player, board: BoardReading) -> Iterator[Difference]:
    achieved = {oracle.card for oracle in player.achieved_great}
    for card in board.great:
        if card.card in player.great and card.achieved:
            text = say(
                "{name}: the camera sees great oracle {card} achieved; in the journal it is open.",
                name=name,
                card=card.card,
            )
        elif card.card in achieved and not card.achieved:
            text = say(
                "{name}: the camera sees great oracle {card} open; in the journal it is achieved.",
                name=name,
                card=card.card,
            )
        else:
            continue
        yield Difference(seat, text, board.box, bool(board.whole or card.reason), f"great:{card.card}")
    if board.small.achieved != len(player.achieved_small):
        text = _counts(
            name,
            many(board.small.achieved, "{n} achieved small oracle", "{n} achieved small oracles"),
            len(player.achieved_small),
        )
        unsure = bool(board.whole) or board.small.confidence < SURE_OF_SMALL
        yield Difference(seat, text, board.box, unsure, "small")
    for other in foreign(board, player):
        text = say("{name}: the camera sees card {card} there, which is another player's.", name=name, card=other)
        yield Difference(seat, text, board.box, doubtful=True)


def _counts(name: str, seen: Line, kept: int) -> Line:
    """Say in one sentence what is seen and how many of it the journal has."""
    number = in_words(kept) if kept else say("none")
    return say("{name}: the camera sees {things}; the journal has {kept}.", name=name, things=seen, kept=number)


def spells(space: SpaceReading) -> Line:
    """Count the spells that lie in a space."""
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
