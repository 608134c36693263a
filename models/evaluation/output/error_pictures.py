"""Pictures of wrong readings of hands: each wrong hand cropped, with its reading and the ground truth."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from models.evaluation.metrics.verdicts import HandAnswer, LabelledHand, TableVerdict
from vision.cameras.frame import Image
from vision.readings import Counts

_SIDE = 220
"""Width of a cell, and height of its picture, px; a strip is a row of cells."""
_LINE = 16
"""Height of a line of text, px."""
_MAX_HANDS = 6
"""Maximum number of hands shown of a strip where strips are stacked."""
_MAX_STRIPS = 120
"""Maximum number of strips that are stacked."""
_ERROR_BGR = (60, 60, 255)
"""Colour of undetected errors, BGR."""
_TEXT_BGR = (235, 235, 235)
"""Colour of other text, BGR."""
_BOX_BGR = (60, 190, 255)
"""Colour of boxes, BGR."""


def error_strip(image: Image, title: str, verdict: TableVerdict) -> bytes:
    """Return a JPEG of a row of cells: the whole picture, then each wrong hand with its reading and the truth.

    image: BGR picture that was read; title: name and method of the reading, separated by a comma.
    """
    cells = [_picture_cell(image, title, verdict)]
    cells += [_hand_cell(image, hand.truth, hand.answer) for hand in verdict.hands if not hand.exact]
    cells += [_hand_cell(image, None, ghost) for ghost in verdict.ghosts]
    return cv2.imencode(".jpg", np.hstack(cells), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def stack_strips(strips: Sequence[bytes]) -> bytes | None:
    """Return a PNG of the first strips (JPEG), one below the other, at most 120; None without strips."""
    rows = [
        np.asarray(cv2.imdecode(np.frombuffer(strip, np.uint8), cv2.IMREAD_COLOR), np.uint8) for strip in strips
    ]
    if not rows:
        return None
    width = min(max(row.shape[1] for row in rows), _SIDE * (_MAX_HANDS + 1))
    padded = [
        cv2.copyMakeBorder(row[:, :width], 0, 6, 0, max(0, width - row.shape[1]), cv2.BORDER_CONSTANT)
        for row in rows[:_MAX_STRIPS]
    ]
    return cv2.imencode(".png", np.vstack(padded))[1].tobytes()


def _picture_cell(image: Image, title: str, verdict: TableVerdict) -> Image:
    """Return a cell with the whole picture, boxes round the hands that were read, the title and missed seats."""
    marked = image.copy()
    boxes = [hand.answer for hand in verdict.hands if hand.answer is not None]
    for answer in (*boxes, *verdict.ghosts):
        x, y, width, height = (round(v) for v in answer.box)
        cv2.rectangle(marked, (x, y), (x + width, y + height), _BOX_BGR, 4)
    small = cv2.resize(
        marked, (_SIDE, round(_SIDE * image.shape[0] / image.shape[1])), interpolation=cv2.INTER_AREA
    )
    cell = np.zeros((_SIDE + 3 * _LINE, _SIDE, 3), np.uint8)
    cell[3 * _LINE : 3 * _LINE + small.shape[0]] = small
    missed = [hand.truth.seat for hand in verdict.hands if hand.answer is None]
    lines = [*title.split(", ", 1), "SILENTLY WRONG" if verdict.silently_wrong else ""]
    lines[-1] += f" missed seats {missed}" if missed else ""
    return _with_text(cell, lines, _ERROR_BGR if verdict.silently_wrong else _TEXT_BGR)


def _hand_cell(image: Image, truth: LabelledHand | None, answer: HandAnswer | None) -> Image:
    """Return a cell with the crop of a hand, its true counts and its reading.

    truth: None where there is no hand; answer: None if the hand was not detected.
    """
    cell = np.zeros((_SIDE + 3 * _LINE, _SIDE, 3), np.uint8)
    if answer is not None and answer.box[2] > 0:
        x, y, width, height = answer.box
        side = max(width, height, 40.0)
        size = (_SIDE, _SIDE)
        centre = (x + width / 2, y + height / 2)
        scale = _SIDE / side
        matrix = np.array([[scale, 0, _SIDE / 2 - centre[0] * scale], [0, scale, _SIDE / 2 - centre[1] * scale]])
        cell[3 * _LINE :] = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_CUBIC)
    answer_text = "nothing" if answer is None else f"{answer.state} {_format_counts(answer.counts)}"
    sure = "" if answer is None else f"{answer.confidence:.2f}{' doubtful' if answer.doubtful else ' TAKEN'}"
    seat = truth.seat if truth is not None else answer.seat if answer is not None else -1
    lines = [
        f"{seat} is {'not there' if truth is None else _format_counts(truth.high)}",
        f"read {answer_text}",
        sure,
    ]
    silent = answer is not None and not answer.doubtful
    return _with_text(cell, lines, _ERROR_BGR if silent else _TEXT_BGR)


def _format_counts(counts: Counts) -> str:
    """Format counts as in "2red 1witch"; "0" if all are 0."""
    return " ".join(f"{n}{kind.partition(':')[2]}" for kind, n in sorted(counts.items()) if n) or "0"


def _with_text(cell: Image, lines: Sequence[str], colour: tuple[int, int, int]) -> Image:
    """Draw lines of text at the top of a cell in place, and return the cell. colour: BGR."""
    for number, line in enumerate(lines):
        place = (3, _LINE * (number + 1) - 4)
        cv2.putText(cell, line, place, cv2.FONT_HERSHEY_SIMPLEX, 0.4, colour, 1, cv2.LINE_AA)
    return cell
