"""Final scores from board readings alone, with every doubt that keeps the winner from being sure. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.errors import PictureError
from calibration.wording import Line, counted, listed, say, sentences
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, Deck
from companion.games.wicked.from_board import CountedBoard, lead, score_boards, verdict
from companion.games.wicked.scoring import Score
from companion.games.wicked.state import Tokens
from companion.games.wicked.telling import word
from vision.board_readings import BoardReading, BoardsReading


@dataclass(frozen=True, slots=True)
class BoardScore:
    """One board of a table: the picture it counts from, its reading and score; doubts: a plain line each."""

    picture: str
    reading: BoardReading
    score: Score
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableScore:
    """All boards of a table, by `score.player`. doubts: about the table as a whole; verdict: who wins or leads."""

    boards: tuple[BoardScore, ...]
    doubts: tuple[str, ...]
    verdict: Line

    @property
    def sure(self) -> bool:
        """Whether nothing is doubtful, so that the verdict names the winner."""
        return not self.doubts and not any(board.doubts for board in self.boards)

    @property
    def ahead(self) -> tuple[str, ...]:
        """The boards that are first as read; they win where the score is sure."""
        return tuple(board.reading.board for board in self.boards if board.score.place == 1)


def score_table(pictures: Sequence[tuple[str, BoardsReading]], players: int, deck: Deck) -> TableScore:
    """Score what several pictures, given with their names, show of one table.

    players: how many play; deck: in which the great oracles are found. A board in several pictures counts once,
    by its surest reading, and is doubtful. Raises PictureError with one plain line where a picture shows no
    enrolled board, or all show more boards than can play.
    """
    readings: dict[str, list[tuple[str, BoardReading]]] = defaultdict(list)
    for name, reading in pictures:
        if not reading.boards:
            raise PictureError(say("{picture}: {reason}", picture=name, reason=sentences(*reading.problems)))
        for board in reading.boards:
            readings[board.board].append((name, board))
    if not readings:
        raise PictureError(say("There is no picture to score: give one at least."))
    if len(readings) > len(PLAYER_COLOURS):
        raise PictureError(
            say(
                "{found} boards are read, but at most {most} can play: leave pictures of other boards out.",
                found=len(readings),
                most=len(PLAYER_COLOURS),
            )
        )
    chosen = {board: _surest(seen) for board, seen in readings.items()}
    names = list(chosen)
    scores = score_boards([counted_of(reading) for _, reading in chosen.values()], deck)
    twice = _lying_twice([reading for _, reading in chosen.values()])
    boards = tuple(
        BoardScore(picture, reading, score, _doubts(reading, picture, readings[reading.board], twice))
        for (picture, reading), score in zip(chosen.values(), scores, strict=True)
    )
    doubts = [problem for _, reading in pictures for problem in reading.problems]
    if len(boards) != players:
        doubts.append(
            counted(
                len(boards),
                "{n} board is read, but {players} play: show every board, or say how many play.",
                "{n} boards are read, but {players} play: show every board, or say how many play.",
                players=players,
            )
        )
    if not doubts and not any(board.doubts for board in boards):
        return TableScore(boards, (), verdict(scores, names))
    look = [word(board.reading.board) for board in boards if board.doubts]
    asked = say("Look at: {boards}.", boards=listed(look)) if look else ""
    return TableScore(boards, tuple(doubts), sentences(lead(scores, names), asked))


def counted_of(reading: BoardReading) -> CountedBoard:
    """Tell a reading as the plain counts that the rules score."""
    rows = {
        rank: Tokens(*(reading.tokens(rank).count(colour) for colour in COLOURS))
        for rank in ("low", "middle", "high")
    }
    spells = {space.spell: space.pieces for space in reading.spaces}
    return CountedBoard(
        reading.board,
        **rows,
        promotion=spells.get("promotion", 0),
        colour_change=spells.get("colour_change", 0),
        great=tuple(dict.fromkeys(card.card for card in reading.great if card.achieved)),
        small=reading.small.achieved,
        impurity=reading.impurity.points,
    )


def _surest(seen: Sequence[tuple[str, BoardReading]]) -> tuple[str, BoardReading]:
    return max(seen, key=lambda one: (not one[1].doubtful, one[1].confidence))


def _doubts(
    reading: BoardReading,
    picture: str,
    seen: Sequence[tuple[str, BoardReading]],
    twice: Mapping[str, Sequence[str]],
) -> tuple[str, ...]:
    # Spells that are left count nothing (W15, W16): what is doubtful about them cannot change a score.
    idle = {space.question for space in reading.spaces}
    doubts = [reason for reason in reading.reasons if reason not in idle]
    if len(seen) > 1:
        doubts.append(
            say(
                "It is read again: it counts once, from {picture}; show it in one of {pictures} only.",
                pictures=listed(list(dict.fromkeys(name for name, _ in seen))),
                picture=picture,
            )
        )
    doubts += [
        say(
            "The card {card} is read more than once, beside {boards}: there is only one of it.",
            card=card,
            boards=listed([word(board) for board in dict.fromkeys(boards)]),
        )
        for card, boards in twice.items()
        if reading.board in boards
    ]
    return tuple(doubts)


def _lying_twice(readings: Sequence[BoardReading]) -> dict[str, list[str]]:
    """Find oracle cards that are read more than once, with the boards beside which they lie."""
    beside: dict[str, list[str]] = defaultdict(list)
    for reading in readings:
        for card in [*(great.card for great in reading.great), *reading.small.open]:
            beside[card].append(reading.board)
    return {card: boards for card, boards in beside.items() if len(boards) > 1}
