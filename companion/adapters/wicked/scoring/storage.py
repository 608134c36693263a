"""Stores a scoring in a folder, so that a restart loses nothing; its texts stay translatable."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from calibration.files.crash_safe_files import drop_unused, write_named, write_whole
from calibration.translatable import Line
from companion.adapters.wicked.scoring.scoring_state import ScoredBoard, Scoring

_FILE = "boards.json"
_PICTURE = re.compile(r"board-[0-9a-f]{12}\.jpg")
_OWN_FILE = re.compile(r"boards\.json|board-[0-9a-f]{12}\.jpg")
_LARGEST = 1_000_000
"""Size limit of the JSON file, bytes."""
_SCORING = TypeAdapter(Scoring)


class ScoringStore:
    """Loads and saves one scoring and its pictures. folder: created on the first save."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def load(self) -> Scoring:
        """Return the stored scoring; an empty one if there is none or it cannot be read."""
        file = self.folder / _FILE
        try:
            if not file.exists():
                return Scoring()
            data = file.read_bytes()
            if len(data) > _LARGEST:
                raise ValueError("too large")
            return from_json(data)
        except (OSError, ValueError):
            logging.getLogger(__name__).exception(
                "%s could not be read, so the scoring starts without boards.", file
            )
            return Scoring()

    def save(self, scoring: Scoring, pictures: Mapping[str, bytes]) -> Scoring:
        """Store a scoring and new pictures, JPEG by board id; return the scoring with the pictures' names.

        Raises OSError if that fails; the stored scoring is then unchanged.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        boards = []
        for board in scoring.boards:
            if board.id in pictures:
                board = replace(board, picture=write_named(self.folder, "board", ".jpg", pictures[board.id]))
            boards.append(board)
        whole = replace(scoring, boards=tuple(boards))
        write_whole(self.folder / _FILE, to_json(whole))
        drop_unused(self.folder, {board.picture for board in boards}, _OWN_FILE)
        return whole

    def picture(self, name: str) -> bytes | None:
        """Return a picture's JPEG bytes by its name; None if there is none."""
        if not _PICTURE.fullmatch(name):
            return None
        with suppress(OSError):
            return (self.folder / name).read_bytes()
        return None


def to_json(scoring: Scoring) -> bytes:
    """Return a scoring as JSON, in which the texts of doubts stay translatable."""
    lines = [[_plain(doubt.text) for doubt in board.doubts] for board in scoring.boards]
    return json.dumps({"scoring": _SCORING.dump_python(scoring, mode="json"), "told": lines}).encode()


def from_json(data: bytes) -> Scoring:
    """Return the scoring of JSON that `to_json` has made. Raises ValueError for anything else."""
    try:
        whole = json.loads(data)
        scoring = _SCORING.validate_json(json.dumps(whole["scoring"]), strict=True)
        texts = whole["told"]
        boards = [_with_sentences(board, lines) for board, lines in zip(scoring.boards, texts, strict=True)]
    except (ValidationError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError("that is no scoring") from error
    return replace(scoring, boards=tuple(boards))


def _with_sentences(board: ScoredBoard, lines: list[Any]) -> ScoredBoard:
    doubts = [replace(doubt, text=_line(line)) for doubt, line in zip(board.doubts, lines, strict=True)]
    return replace(board, doubts=tuple(doubts))


def _plain(text: str) -> Any:
    """Return a text as a JSON value: a `Line` with its template and values, so that it stays translatable."""
    if not isinstance(text, Line):
        return text
    values = [[name, _plain(value)] for name, value in text.values]
    return {"template": text.template, "values": values, "forms": text.forms, "number": text.number}


def _line(data: Any) -> str:
    """Return the text that `_plain` has made into a JSON value. Raises KeyError, TypeError or ValueError."""
    if isinstance(data, str):
        return data
    values = [(str(name), _line(value)) for name, value in data["values"]]
    forms = None if data["forms"] is None else (str(data["forms"][0]), str(data["forms"][1]))
    return Line(str(data["template"]), values, forms, int(data["number"]))
