"""File format of a profile: the models of `profile.json`, the list of the files that belong to the profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.boards.enrolled_board import BOARD_ID, MOST_BOARDS, BoardLayout
from calibration.camera.quality import Findings
from calibration.empty_table import Polygon
from calibration.errors import ProfileError
from calibration.games import GAMES, kit
from calibration.plane import TablePlane
from calibration.profile_versions import VERSION, in_newest_version
from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from calibration.translatable import say


class _Version(BaseModel):
    version: Annotated[int, Field(strict=True, ge=1)]


class ViewEntry(BaseModel):
    """One picture for the empty table, and the outlines (px) of what lies on it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^view-[0-9a-f]+\.jpg$")]
    covered: tuple[Polygon, ...] = ()


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
    on_pattern: tuple[str, ...] = ()
    """Kinds with specimens on a patterned ground."""
    personal_boards: Annotated[dict[BoardName, PersonalBoardEntry], Field(max_length=MOST_BOARDS)] = {}
    deck: bool | None = None
    """Whether the game's deck folder belongs to the profile; None in early files without this entry."""


class ProfileFile(BaseModel):
    """The whole of `profile.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    version: Literal[7]
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
            unknown = {*entry.pieces, *entry.on_pattern} - set(box.kinds)
            if unknown:
                raise ValueError(f"there is no kind {min(unknown)}")
            if any(not board.layout.fits(box.board) for board in entry.personal_boards.values()):
                raise ValueError("the rows and spaces of a board are not those of the game")
        return self


def deck_folder(folder: Path, game: str) -> Path:
    """Return the folder of a game's deck in a profile's folder."""
    return folder / ("deck" if game == GAMES[0] else f"deck-{game}")


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
        return ProfileFile.model_validate_json(json.dumps(in_newest_version(json.loads(text), folder)))
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
