"""Computes the final scores of a table from readings of its boards, with the doubts about them. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.errors import PictureError
from calibration.translatable import Line, counted, listed, say, sentences
from companion.adapters.wicked.boards.doubtful_parts import BoardDoubt, doubts_of, open_board, part_name
from companion.adapters.wicked.boards.possible_scores import ScoreOutcome, possible_outcome, who_wins
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, Deck
from companion.games.wicked.scoring.final_scores import FinalScore
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, provisional_verdict, score_boards
from companion.games.wicked.state import Tokens
from companion.games.wicked.text.words import word
from vision.games.wicked.readings import BoardReading, BoardsReading


@dataclass(frozen=True, slots=True)
class BoardScore:
    """The score of one board."""

    picture: str
    """Name of the picture whose reading is scored."""
    reading: BoardReading
    """What was read on and beside the board."""
    score: FinalScore
    """Final score of that reading."""
    doubts: tuple[str, ...] = ()
    """Doubts that can change the score, a sentence each."""
    totals: tuple[int, int] | None = None
    """Lowest and highest possible points; None where unknown."""


@dataclass(frozen=True, slots=True)
class TableScore:
    """The scores of all boards of a table."""

    boards: tuple[BoardScore, ...]
    """Scores of the boards, in the order of `score.player`."""
    doubts: tuple[str, ...]
    """Doubts about the table as a whole."""
    verdict: Line
    """Sentences about who wins or leads."""
    winners: tuple[str, ...] = ()
    """Names of the boards that win whatever the doubts; empty if the winners depend on them."""

    @property
    def sure(self) -> bool:
        """Whether no doubt concerns the table or can change a board's score."""
        return not self.doubts and not any(board.doubts for board in self.boards)

    @property
    def ahead(self) -> tuple[str, ...]:
        """Names of the boards with the best score as read; they win if the scores are sure."""
        return tuple(board.reading.board for board in self.boards if board.score.place == 1)


def score_table(pictures: Sequence[tuple[str, BoardsReading]], players: int, deck: Deck) -> TableScore:
    """Return the final scores of the boards of one table.

    pictures: name and reading of each picture. players: their number. deck: contains the great oracles. A board in
    several pictures is scored once, by its surest reading, and is doubtful. Raises PictureError if a picture shows
    no enrolled board, or if there are more boards than can play.
    """
    readings: dict[str, list[tuple[str, BoardReading]]] = defaultdict(list)
    for name, reading in pictures:
        if not reading.boards:
            raise PictureError(say("{picture}: {reason}", picture=name, reason=sentences(*reading.problems)))
        for board in reading.boards:
            readings[board.board].append((name, board))
    if not readings:
        raise PictureError(say("There is no picture to score: name at least one."))
    if len(readings) > len(PLAYER_COLOURS):
        raise PictureError(
            say(
                "{found} boards are read, but at most {most} can play: leave pictures of other boards out.",
                found=len(readings),
                most=len(PLAYER_COLOURS),
            )
        )
    boards = _surest_readings(readings)
    names = [word(board.reading.board) for board in boards]
    scores = score_boards([counted_of(board.reading) for board in boards], deck)
    weighed = possible_outcome([open_board(board.reading, counted_of(board.reading)) for board in boards])
    scored = tuple(_scored(board, score, weighed) for board, score in zip(boards, scores, strict=True))
    doubts = [problem for _, reading in pictures for problem in reading.problems]
    if len(boards) != players:
        doubts.append(
            counted(
                len(boards),
                "{n} board is read, but {players} play: show every board, or set the number of players.",
                "{n} boards are read, but {players} play: show every board, or set the number of players.",
                players=players,
            )
        )
    if not doubts and not any(board.others for board in boards):
        things = [[part_name(doubt.about, doubt.ways, doubt.card) for doubt in board.doubts] for board in boards]
        if line := who_wins(weighed, scores, names, things):
            return TableScore(scored, (), line, tuple(boards[place].reading.board for place in weighed.winners))
    doubtful_boards = [word(board.reading.board) for board in scored if board.doubts]
    asked = say("Check: {boards}.", boards=listed(doubtful_boards)) if doubtful_boards else ""
    return TableScore(scored, tuple(doubts), sentences(provisional_verdict(scores, names), asked))


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The reading by which a board is scored."""

    picture: str
    """Name of the picture that it was read from."""
    reading: BoardReading
    """What was read on and beside the board."""
    doubts: tuple[BoardDoubt, ...]
    """Doubts about the reading."""
    others: tuple[str, ...]
    """Doubts because of other readings, such as one card read beside two boards."""


def _surest_readings(readings: Mapping[str, Sequence[tuple[str, BoardReading]]]) -> tuple[_Chosen, ...]:
    """Return the surest reading of each board, with its doubts.

    readings: by board, each with the name of its picture.
    """
    surest = [max(seen, key=lambda one: (not one[1].doubtful, one[1].confidence)) for seen in readings.values()]
    twice = _duplicate_cards([reading for _, reading in surest])
    return tuple(
        _Chosen(
            picture,
            reading,
            doubts_of(reading),
            _doubts_by_other_readings(reading, picture, readings[reading.board], twice),
        )
        for picture, reading in surest
    )


def _scored(board: _Chosen, score: FinalScore, weighed: ScoreOutcome) -> BoardScore:
    place = score.player
    asked = dict.fromkeys(board.doubts[number].question for number in sorted(weighed.counting[place]))
    totals = None if board.others else weighed.totals[place]
    return BoardScore(board.picture, board.reading, score, (*asked, *board.others), totals)


def counted_of(reading: BoardReading) -> CountedBoard:
    """Return the reading of a board as counts, from which the rules compute its score."""
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


def _doubts_by_other_readings(
    reading: BoardReading,
    picture: str,
    seen: Sequence[tuple[str, BoardReading]],
    twice: Mapping[str, Sequence[str]],
) -> tuple[str, ...]:
    """Return the doubts about a board because of other readings: of the same board, or of the same card.

    picture: name of the picture of `reading`. seen: all readings of the board. twice: boards by duplicate card.
    """
    doubts = list[str]()
    if len(seen) > 1:
        doubts.append(
            say(
                "This board is in several pictures and counts once, from {picture}: show it in only one of "
                "{pictures}.",
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


def _duplicate_cards(readings: Sequence[BoardReading]) -> dict[str, list[str]]:
    """Return the ids of oracle cards that were read more than once, with the names of the boards beside them."""
    beside: dict[str, list[str]] = defaultdict(list)
    for reading in readings:
        for card in [*(great.card for great in reading.great), *reading.small.open]:
            beside[card].append(reading.board)
    return {card: boards for card, boards in beside.items() if len(boards) > 1}
