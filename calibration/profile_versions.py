"""Converts older versions of `profile.json` to the newest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from calibration.errors import ProfileError
from calibration.files import crash_safe_files
from calibration.games import GAMES
from calibration.pieces.hand_marked_segmentation import Box
from calibration.pieces.plain_ground import has_plain_ground, middle_scale
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.plane import TablePlane

VERSION: Literal[7] = 7
"""Newest version. 7 lists kinds on patterned grounds in place of pictures, 6 has several games, 5 seats in any
direction, 4 personal boards, 3 pictures with marked pieces, 2 the principal point of planes."""
_SEVERAL_GAMES = 6
"""First version that lists by game what is enrolled."""
_WITHOUT_MARKED_PICTURES = 7
"""First version without pictures with marked pieces."""
_OF_A_GAME = ("pieces", "deck", "boards", "personal_boards")
"""Keys that described the only game before version _SEVERAL_GAMES."""


class _MarkedPicture(BaseModel):
    """One picture with marked pieces, as listed before version _WITHOUT_MARKED_PICTURES."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^board-[0-9a-f]+\.jpg$")]
    """Name of the JPEG file."""
    plane: TablePlane
    """Camera pose in the picture."""
    marks: dict[str, Annotated[tuple[Box, ...], Field(max_length=MOST_SPECIMENS)]]
    """Boxes of the marked pieces, px, by kind."""
    source: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    """Digest of the original picture."""


_MARKED_PICTURES = TypeAdapter(Annotated[tuple[_MarkedPicture, ...], Field(max_length=64)])
"""Validates the list of marked pictures."""


def in_newest_version(content: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return the content of a `profile.json` converted to the newest version.

    content: of any version. folder: of the profile. Raises ValidationError for invalid marks of pieces in
    pictures, which old versions stored; other content is not validated.
    """
    if content["version"] < _SEVERAL_GAMES:
        content = _by_game(content)
    games = content.get("games")
    if content["version"] < _WITHOUT_MARKED_PICTURES and isinstance(games, dict):
        content = {**content, "games": {game: _without_pictures(entry, folder) for game, entry in games.items()}}
    return {**content, "version": VERSION}


def _by_game(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return the content of a version for one game with what is enrolled moved to an entry of that game."""
    table = {key: value for key, value in content.items() if key not in _OF_A_GAME}
    of_game = {key: value for key, value in content.items() if key in _OF_A_GAME}
    boards = of_game.get("personal_boards")
    if isinstance(boards, dict):
        of_game["personal_boards"] = {name: _with_rows(board) for name, board in boards.items()}
    return table | {"games": {GAMES[0]: of_game}}


def _with_rows(board: Any) -> Any:
    """Return a personal board's entry with rows and spaces grouped; older versions had a key for each of them."""
    layout = board.get("layout") if isinstance(board, dict) else None
    if not isinstance(layout, dict):
        return board
    size = {key: value for key, value in layout.items() if key in ("size_mm", "spot_mm")}
    rows = {key: value for key, value in layout.items() if isinstance(value, list) and key not in size}
    spaces = {key: value for key, value in layout.items() if key not in size and key not in rows}
    return {**board, "layout": {**size, "rows": rows, "spaces": spaces}}


def _without_pictures(entry: Any, folder: Path) -> Any:
    """Return a game's entry with its marked pictures replaced by the kinds that lie on a patterned ground there."""
    if not isinstance(entry, dict) or "boards" not in entry:
        return entry
    pictures = _MARKED_PICTURES.validate_python(entry["boards"])
    kinds = {kind for picture in pictures if not _on_plain_ground(picture, folder) for kind in picture.marks}
    return {key: value for key, value in entry.items() if key != "boards"} | {"on_pattern": sorted(kinds)}


def _on_plain_ground(picture: _MarkedPicture, folder: Path) -> bool:
    """Return whether the marked pieces lie on a plain ground; False if the picture is missing or damaged."""
    try:
        data = crash_safe_files.read_part(folder, picture.file)
    except ProfileError:
        return False
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if image is None or (image.shape[1], image.shape[0]) != picture.plane.image_size:
        return False
    marks = [box for boxes in picture.marks.values() for box in boxes]
    return has_plain_ground(np.asarray(image, np.uint8), middle_scale(picture.plane), marks)
