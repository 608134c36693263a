"""File format of a profile: the models of `profile.json`, the list of the files that belong to the profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.background import Polygon
from calibration.boards.enrolled_board import BOARD_ID, MOST_BOARDS, BoardLayout
from calibration.camera.quality import Findings
from calibration.errors import ProfileError
from calibration.games import GAMES, kit
from calibration.pieces.marked_pictures import Box
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.plane import TablePlane
from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from calibration.wording import say

VERSION: Literal[6] = 6
"""6 since several games can be enrolled, 5 since seats can be anywhere, 4 since personal boards are kept, 3 since
boards with pieces are, 2 since planes have an axis of their own; older ones are still read."""
_SEVERAL_GAMES = 6
"""Version since which a profile lists what is enrolled by game."""
_OF_A_GAME = ("pieces", "deck", "boards", "personal_boards")
"""Keys that described the only game in a `profile.json` before version _SEVERAL_GAMES."""


class _Version(BaseModel):
    version: Annotated[int, Field(strict=True, ge=1)]


class ViewEntry(BaseModel):
    """One picture for the empty table, and the outlines (px) of what lies on it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^view-[0-9a-f]+\.jpg$")]
    covered: tuple[Polygon, ...] = ()


class BoardEntry(BaseModel):
    """One picture of a printed board with the boxes (px) of its pieces, by kind."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^board-[0-9a-f]+\.jpg$")]
    plane: TablePlane
    marks: dict[str, Annotated[tuple[Box, ...], Field(max_length=MOST_SPECIMENS)]]
    source: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class PersonalBoardEntry(BaseModel):
    """One personal board: its rectified picture, its layout, and the scale it was photographed at."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^personal-board-[0-9a-f]+\.png$")]
    layout: BoardLayout
    seen_px_per_mm: Annotated[float, Field(gt=0.1, lt=100)]


BoardName = Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class GameEntry(BaseModel):
    """What is enrolled of one game."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    pieces: dict[str, Annotated[str, Field(pattern=r"^pieces-[\w-]+\.npz$")]] = {}
    boards: Annotated[tuple[BoardEntry, ...], Field(max_length=64)] = ()
    personal_boards: Annotated[dict[BoardName, PersonalBoardEntry], Field(max_length=MOST_BOARDS)] = {}
    deck: bool | None = None
    """Whether the game's deck folder belongs to the profile; None in early files without this entry."""


class ProfileFile(BaseModel):
    """The whole of `profile.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    version: Literal[6]
    seats: Annotated[int, Field(ge=FEWEST_SEATS, le=MOST_SEATS)]
    plane: TablePlane | None = None
    findings: Findings | None = None
    table_light: tuple[float, float, float] | None = None
    background: Annotated[str, Field(pattern=r"^background-[0-9a-f]+\.png$")] | None = None
    views: Annotated[tuple[ViewEntry, ...], Field(max_length=64)] = ()
    seatings: Annotated[tuple[Seating, ...], Field(max_length=MOST_SEATS)] = ()
    games: dict[str, GameEntry] = {}

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        """Raise ValueError for a game without a kit, and for pieces and boards that are not in the game's kit."""
        for game, entry in self.games.items():
            box = kit(game)
            unknown = {*entry.pieces, *(kind for board in entry.boards for kind in board.marks)} - set(box.kinds)
            if unknown:
                raise ValueError(f"there is no kind {min(unknown)}")
            if any(not board.layout.fits(box.board) for board in entry.personal_boards.values()):
                raise ValueError("the rows and spaces of a board are not those of the game")
        return self


def deck_folder(folder: Path, game: str) -> Path:
    """Return the folder of a game's deck in a profile's folder."""
    return folder / ("deck" if game == GAMES[0] else f"deck-{game}")


def _in_newest_format(content: dict[str, Any]) -> dict[str, Any]:
    """Return the content of a `profile.json` of any version, converted to the newest version."""
    if content["version"] >= _SEVERAL_GAMES:
        return content
    table = {key: value for key, value in content.items() if key not in _OF_A_GAME}
    of_game = {key: value for key, value in content.items() if key in _OF_A_GAME}
    boards = of_game.get("personal_boards")
    if isinstance(boards, dict):
        of_game["personal_boards"] = {name: _with_rows(board) for name, board in boards.items()}
    return table | {"version": VERSION, "games": {GAMES[0]: of_game}}


def _with_rows(board: Any) -> Any:
    """Convert a personal board's old layout, which had a key for each row and each space, to the present form."""
    layout = board.get("layout") if isinstance(board, dict) else None
    if not isinstance(layout, dict):
        return board
    size = {key: value for key, value in layout.items() if key in ("size_mm", "spot_mm")}
    rows = {key: value for key, value in layout.items() if isinstance(value, list) and key not in size}
    spaces = {key: value for key, value in layout.items() if key not in size and key not in rows}
    return {**board, "layout": {**size, "rows": rows, "spaces": spaces}}


def read_listing(folder: Path) -> ProfileFile:
    """Read and check `profile.json`. Raises ProfileError when it is missing, damaged or of a newer version."""
    path = folder / "profile.json"
    try:
        text = path.read_bytes()
        version = _Version.model_validate_json(text).version
        if version > VERSION:
            raise ProfileError(
                say("The profile {folder} is from a newer version: update the companion.", folder=folder)
            )
        return ProfileFile.model_validate_json(json.dumps(_in_newest_format(json.loads(text))))
    except (FileNotFoundError, NotADirectoryError):
        raise ProfileError(
            say(
                "There is no table profile in {folder}: create one with `companion calibrate --profile … "
                "--image …`.",
                folder=folder,
            )
        ) from None
    except OSError as error:
        raise ProfileError(
            say("The profile {folder} cannot be read: {reason}.", folder=folder, reason=error.strerror or error)
        ) from error
    except ValidationError as error:
        first: Any = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        raise ProfileError(
            say(
                "The profile {folder} is damaged at “{where}” ({first}): restore it, or create a new one with "
                "`companion calibrate --anew`.",
                folder=folder,
                where=where,
                first=first["msg"],
            )
        ) from error
