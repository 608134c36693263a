"""Accuracy of reading personal boards, from one picture of the whole table or from a phone above one board.

`python -m models.evaluation.cards_and_boards.personal_boards` renders held-out sessions
(`models.evaluation.scenes.held_out_parameters`), prints a table and writes every board's result to
`models/results/boards.json`. Each session is enrolled from one picture of the calibration sheet and one per kind of
piece. Every second session enrols its boards from pictures of them empty; the others use the stand-in's drawings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from calibration.boards.enrolled_board import EnrolledBoard
from calibration.boards.enrolment import detected_board
from calibration.camera.calibrate import calibrate
from calibration.errors import CalibrationError, EnrolError, PictureError
from calibration.games.wicked.standin_boards import standin_boards
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from companion.adapters.wicked.boards.table_score import score_table
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.components import COLOURS, ORACLES_DEALT, PLAYER_COLOURS, RANKS
from companion.games.wicked.scoring.scores_of_counted_boards import CountedBoard, score_boards
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import Tokens
from models.evaluation import RESULTS_FOLDER
from models.evaluation.measuring.parallel import over_sessions
from models.evaluation.metrics.confidence_calibration import expected_calibration_error, reliability
from models.evaluation.output.report import share
from models.evaluation.output.result_files import write_results
from models.evaluation.scenes.held_out_parameters import TOKENS
from models.evaluation.scenes.synthetic_sessions import as_sent, specimens
from models.evaluation.scenes.tables_with_boards import SEATS, BoardTruth, phone_look, random_table, table_look
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import BoardOnTable, Pose, Scene
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardExpectation, BoardReading, BoardsReading
from vision.games.wicked.simulated_layout import seat_place

RESULTS = RESULTS_FOLDER / "boards.json"
FIRST_SEED = 7100
"""Seed of the first session, distinct from those of other evaluations."""
TABLE, PHONE = "whole table", "phone"
"""Sorts of pictures: of the whole table by its camera; of one board by a phone."""
TABLES = 3
"""Pictures of the whole table per session."""
PHONES = 2
"""Pictures of single boards per session."""
KINDS = (*(f"search:{colour}" for colour in PLAYER_COLOURS), *TOKENS, "impurity:1", "impurity:3")
"""Kinds of pieces that are enrolled."""


@dataclass(frozen=True, slots=True)
class BoardVerdict:
    """Reading of one board in a picture, compared with the ground truth."""

    colour: str
    """Colour of the board's player."""
    found: bool
    """Whether the board was detected."""
    spots: bool = False
    """Whether all spots are right."""
    spells: bool = False
    """Whether both spell spaces are right."""
    great: bool = False
    """Whether the great oracle cards are right."""
    small: bool = False
    """Whether the small oracle cards are right."""
    impurity: bool = False
    """Whether the impurity is right."""
    doubtful: bool = True
    """Whether the reading needs confirmation."""
    confidence: float = 0.0
    """Confidence of the reading, 0..1."""
    reasons: tuple[str, ...] = ()
    """Why it needs confirmation, one message each."""

    @property
    def exact(self) -> bool:
        """Whether the board was detected and everything on and beside it is right."""
        return self.found and self.spots and self.spells and self.great and self.small and self.impurity

    @property
    def silently_wrong(self) -> bool:
        """Whether the board was detected and read wrong, but needs no confirmation: an undetected error."""
        return self.found and not self.doubtful and not self.exact


@dataclass(frozen=True, slots=True)
class ScoreVerdict:
    """Final score computed from the reading of a table, compared with the true score."""

    right: bool
    """Whether every total is right."""
    sure: bool
    """Whether no total needs confirmation."""
    winner: bool | None = None
    """Whether the reported winners are right; None if none is reported."""


@dataclass(frozen=True, slots=True)
class BoardsMeasured:
    """Result of one picture."""

    picture: str
    """Name of the picture."""
    way: str
    """Sort of picture: TABLE or PHONE."""
    boards: tuple[BoardVerdict, ...]
    """Verdict on each board."""
    ghosts: int
    """Number of boards read where there is none."""
    milliseconds: float
    """Time of the reading."""
    score: ScoreVerdict | None = None
    """Verdict on the final score, for a whole table."""


@dataclass(frozen=True, slots=True)
class BoardSession:
    """Results of one session."""

    seed: int
    """Seed of the session."""
    boards_from: str
    """What the boards were enrolled from: "pictures" or "art"."""
    pictures: tuple[BoardsMeasured, ...] = ()
    """Results of its pictures."""
    refused: str = ""
    """Why it could not be enrolled; empty when it was."""


def measure(seed: int) -> BoardSession:
    """Render and enrol the session of a seed, read its pictures, and return the results."""
    cv2.setNumThreads(1)
    learned = "pictures" if seed % 2 else "art"
    try:
        reader, renderer = _enrolled(seed, from_pictures=bool(seed % 2))
        pictures = [_read_table(seed, number, reader, renderer) for number in range(TABLES)]
        pictures += [_read_phone(seed, number, reader) for number in range(PHONES)]
    except CalibrationError as error:
        return BoardSession(seed, learned, refused=str(error))
    return BoardSession(seed, learned, tuple(pictures))


def _enrolled(seed: int, *, from_pictures: bool) -> tuple[BoardReader, Renderer]:
    """Return a reader enrolled for a session's table, and the renderer of that table.

    from_pictures: enrol the boards from pictures, not from their drawings.
    """
    rng = np.random.default_rng([seed, 0xB0A2D])
    renderer = Renderer(table_look(seed), card_faces(STANDIN))
    sheet = as_sent(renderer.render(Scene(SEATS, tile=False, sheet=True), 1))
    profile = TableProfile(SEATS, deck=deck_from_art(STANDIN)).calibrated(calibrate(sheet, SEATS))
    for number, kind in enumerate(KINDS):
        # Green tokens and green search pieces are similar: the person who enrols them states the kind.
        profile = enrol(profile, kind, [as_sent(renderer.render(specimens(kind, rng), 10 + number))], force=True)
    boards = standin_boards()
    if from_pictures:
        boards = tuple(_board_from_picture(renderer, board, rng) for board in boards)
    for board in boards:
        profile = profile.with_personal_board(board)
    return BoardReader(profile), renderer


def _board_from_picture(renderer: Renderer, drawn: EnrolledBoard, rng: np.random.Generator) -> EnrolledBoard:
    """Return a board enrolled from a rendered picture of the empty board; `drawn` if that picture is rejected."""
    try:
        return detected_board(_empty_board_picture(renderer, drawn.id, rng), standin_boards(), drawn.id)
    except EnrolError:
        return drawn


def _empty_board_picture(
    renderer: Renderer, colour: str, rng: np.random.Generator
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a picture (BGR) of a player's empty board in a random pose near the middle of the table."""
    pose = Pose(float(rng.normal(0, 15)), float(rng.normal(0, 15)), float(rng.uniform(0, 360)))
    return as_sent(renderer.render(Scene(SEATS, tile=False, boards=(BoardOnTable(colour, pose),)), 60))


def _read_table(seed: int, number: int, reader: BoardReader, renderer: Renderer) -> BoardsMeasured:
    """Render and read a picture of a session's whole table, and return its result. number: of the picture."""
    scene, truths = random_table(np.random.default_rng([seed, number, 0x7AB]))
    image = as_sent(renderer.render(scene, 100 + number))
    reading = reader.read(image, BoardExpectation(SEATS, ORACLES_DEALT, ORACLES_DEALT))
    result = _evaluated(f"{seed:06}/table/{number}", TABLE, truths, reading)
    return replace(result, score=_score_verdict(truths, reading))


def _score_verdict(truths: Sequence[BoardTruth], reading: BoardsReading) -> ScoreVerdict:
    """Return the verdict on the final score computed from the reading of a whole table."""
    counted = [_true_board(truth) for truth in truths]
    scores = dict(zip((board.name for board in counted), score_boards(counted, STANDIN), strict=True))
    try:
        table = score_table([("", reading)], SEATS, STANDIN)
    except PictureError:
        return ScoreVerdict(right=False, sure=False)
    totals = {one.reading.board: one.score.total for one in table.boards}
    won = {name for name, score in scores.items() if score.place == 1}
    return ScoreVerdict(
        totals == {name: score.total for name, score in scores.items()},
        table.sure,
        {*table.winners} == won if table.winners else None,
    )


def _true_board(truth: BoardTruth) -> CountedBoard:
    """Return the ground truth of a board in the form that is scored."""
    low, middle, high = (Tokens(*(truth.tokens(rank)[colour] for colour in COLOURS)) for rank in RANKS)
    achieved = tuple(card for card, done in truth.great.items() if done)
    return CountedBoard(
        truth.colour, low, middle, high, great=achieved, small=truth.small_achieved, impurity=truth.impurity
    )


def _read_phone(seed: int, number: int, reader: BoardReader) -> BoardsMeasured:
    """Render and read a phone's picture of one board, and return its result. number: of the picture."""
    scene, truths = random_table(np.random.default_rng([seed, number, 0xF0]))
    seat = (seed + number) % SEATS
    look = phone_look(seed * PHONES + number, truths[seat].pose, seat_place(SEATS, seat))
    image = as_sent(
        Renderer(replace(look, table=table_look(seed).table), card_faces(STANDIN)).render(scene, number)
    )
    reading = reader.read(image, BoardExpectation(None, ORACLES_DEALT, ORACLES_DEALT))
    shown = replace(reading, boards=tuple(one for one in reading.boards if one.board == truths[seat].colour))
    measured = _evaluated(f"{seed:06}/phone/{number}", PHONE, (truths[seat],), shown)
    others = {truth.colour for truth in truths}
    return replace(measured, ghosts=sum(one.board not in others for one in reading.boards))


def _evaluated(picture: str, way: str, truths: Sequence[BoardTruth], reading: BoardsReading) -> BoardsMeasured:
    """Return the result of a picture from its reading. picture: its name; way: TABLE or PHONE."""
    read = {one.board: one for one in reading.boards}
    verdicts = tuple(_verdict(truth, read.get(truth.colour)) for truth in truths)
    ghosts = sum(one.board not in {truth.colour for truth in truths} for one in reading.boards)
    return BoardsMeasured(picture, way, verdicts, ghosts, round(reading.milliseconds, 1))


def _verdict(truth: BoardTruth, read: BoardReading | None) -> BoardVerdict:
    """Return which parts of one board were read rightly. read: None if the board was not detected."""
    if read is None:
        return BoardVerdict(truth.colour, found=False)
    return BoardVerdict(
        truth.colour,
        found=True,
        spots=tuple(spot.token for spot in read.spots) == truth.spots,
        spells=tuple(space.pieces for space in read.spaces) == truth.spells,
        great={card.card: card.achieved for card in read.great} == dict(truth.great),
        small=read.small.achieved == truth.small_achieved,
        impurity=read.impurity.points == truth.impurity,
        doubtful=read.doubtful,
        confidence=round(read.confidence, 4),
        reasons=read.reasons,
    )


def summary(sessions: Sequence[BoardSession], way: str) -> dict[str, float | int | str]:
    """Return the totals over the pictures of one sort as plain values for JSON. way: TABLE or PHONE."""
    pictures = [picture for one in sessions for picture in one.pictures if picture.way == way]
    boards = [board for picture in pictures for board in picture.boards]
    times = [picture.milliseconds for picture in pictures]
    scores = [picture.score for picture in pictures if picture.score is not None]
    bins = reliability([(board.confidence, board.exact) for board in boards if board.found])
    return {
        "way": way,
        "evenings": len(sessions),
        "not_taught": sum(bool(one.refused) for one in sessions),
        "pictures": len(pictures),
        "boards": len(boards),
        "found": sum(board.found for board in boards),
        "all_spots_right": sum(board.spots for board in boards),
        "spots_silently_wrong": sum(board.found and not board.doubtful and not board.spots for board in boards),
        "spells_right": sum(board.spells for board in boards),
        "great_right": sum(board.great for board in boards),
        "small_right": sum(board.small for board in boards),
        "impurity_right": sum(board.impurity for board in boards),
        "exact": sum(board.exact for board in boards),
        "exact_and_sure": sum(board.exact and not board.doubtful for board in boards),
        "doubtful": sum(board.doubtful for board in boards),
        "silently_wrong": sum(board.silently_wrong for board in boards),
        "ghosts": sum(picture.ghosts for picture in pictures),
        "scores": len(scores),
        "scores_right": sum(score.right for score in scores),
        "scores_asked": sum(not score.sure for score in scores),
        "scores_silently_wrong": sum(score.sure and not score.right for score in scores),
        "winners_named": sum(score.winner is not None for score in scores),
        "winners_wrongly_named": sum(score.winner is False for score in scores),
        "milliseconds_median": round(float(np.median(times)), 1) if times else 0.0,
        "milliseconds_95th": round(float(np.percentile(times, 95)), 1) if times else 0.0,
        "expected_calibration_error": round(expected_calibration_error(bins), 4),
    }


def board_table(summaries: Sequence[Mapping[str, float | int | str]]) -> Table:
    """Return a printable table of results on boards, one column per sort of picture.

    summaries: as returned by `summary`.
    """
    boards_table = Table(title="boards (rendered, held-out looks)", title_justify="left", box=None, pad_edge=False)
    boards_table.add_column("")
    for one in summaries:
        boards_table.add_column(str(one["way"]))
    rows = (
        ("boards found", "found"),
        ("all spots right", "all_spots_right"),
        ("… wrong, and nobody asked", "spots_silently_wrong"),
        ("spells right", "spells_right"),
        ("great oracles right", "great_right"),
        ("small oracles right", "small_right"),
        ("impurity right", "impurity_right"),
        ("all of it right", "exact"),
        ("all of it right, nobody asked", "exact_and_sure"),
        ("anything wrong, nobody asked", "silently_wrong"),
    )
    for name, key in rows:
        boards_table.add_row(name, *(share(int(one[key]), int(one["boards"])) for one in summaries))
    boards_table.add_row("asked about", *(share(int(one["doubtful"]), int(one["boards"])) for one in summaries))
    for name, key in (
        ("final score of a table right", "scores_right"),
        ("… asked about", "scores_asked"),
        ("… wrong, and nobody asked", "scores_silently_wrong"),
        ("winner named, whatever is open", "winners_named"),
        ("… wrongly", "winners_wrongly_named"),
    ):
        boards_table.add_row(name, *(share(int(one[key]), int(one["scores"])) for one in summaries))
    boards_table.add_row("boards read where none is", *(str(one["ghosts"]) for one in summaries))
    times = (f"{one['milliseconds_median']:.0f} ms ({one['milliseconds_95th']:.0f} ms)" for one in summaries)
    boards_table.add_row("a picture, median (95th)", *times)
    boards_table.add_row(
        "expected calibration error", *(f"{one['expected_calibration_error']:.3f}" for one in summaries)
    )
    return boards_table


def _error_messages(sessions: Sequence[BoardSession]) -> list[str]:
    """Return a message for each session that was not enrolled and each board that was read wrong."""
    lines = []
    for one in sessions:
        if one.refused:
            lines.append(f"{one.seed}: not enrolled: {one.refused}")
        for picture in one.pictures:
            for board in picture.boards:
                if not board.exact:
                    parts = ("spots", "spells", "great", "small", "impurity")
                    wrong = [part for part in parts if not getattr(board, part)] if board.found else ["not found"]
                    asked = " ".join(board.reasons) or "silently"
                    lines.append(f"{picture.picture} {board.colour}: {', '.join(wrong)}; {asked}")
    return lines


@click.command()
@click.option(
    "--sessions",
    default=100,
    show_default=True,
    type=click.IntRange(1, 500),
    help=f"Each {TABLES} tables and {PHONES} single boards.",
)
@click.option("--first", default=FIRST_SEED, show_default=True, help="Seed of the first session.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--results",
    default=RESULTS,
    show_default="models/results/boards.json",
    type=click.Path(path_type=Path, dir_okay=False),
)
def main(sessions: int, first: int, processes: int, results: Path) -> None:
    """Evaluate the reading of personal boards, print a table and the errors, and write the results."""
    console = Console(highlight=False, soft_wrap=True)
    measured = over_sessions(measure, first, sessions, processes, "Boards", console)
    summaries = [summary(measured, way) for way in (TABLE, PHONE)]
    console.print(board_table(summaries))
    for line in _error_messages(measured):
        console.print(line)
    write_results(results, first, {"ways": summaries}, [asdict(one) for one in measured])


if __name__ == "__main__":
    main()
