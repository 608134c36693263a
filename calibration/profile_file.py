"""Format of `profile.json`, which describes a profile and lists its files, and how it is read."""

from __future__ import annotations

import json
import re
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

PROFILE_FILE = re.compile(
    r"profile\.json|(?:view|board)-[0-9a-f]+\.jpg|(?:background|personal-board)-[0-9a-f]+\.png|pieces-[\w-]{1,60}\.npz"
)
"""Names of a profile's files, without those of its cards."""
LOCK_FILE = "profile.json-lock"
"""Name of the file that is locked while a profile is saved."""


class _Version(BaseModel):
    """The one field that `profile.json` has in every version."""

    version: Annotated[int, Field(strict=True, ge=1)]
    """Version of the format."""


class ViewEntry(BaseModel):
    """One picture for the empty table."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^view-[0-9a-f]+\.jpg$")]
    """Name of the JPEG file."""
    covered: tuple[Polygon, ...] = ()
    """Outlines of the objects on the table, px."""


class PersonalBoardEntry(BaseModel):
    """One personal board."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^personal-board-[0-9a-f]+\.png$")]
    """Name of the PNG file with its rectified picture."""
    layout: BoardLayout
    """Size of the board, and positions of its spots and spaces."""
    seen_px_per_mm: Annotated[float, Field(gt=0.1, lt=100)]
    """Scale at which it was photographed, px/mm."""


BoardName = Annotated[str, Field(pattern=f"^{BOARD_ID}$")]
"""Name of a personal board."""


class GameEntry(BaseModel):
    """What is enrolled of one game."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    pieces: dict[str, Annotated[str, Field(pattern=r"^pieces-[\w-]+\.npz$")]] = {}
    """Name of the NPZ file with the samples of each kind of piece, by kind."""
    on_pattern: tuple[str, ...] = ()
    """Kinds with samples that were marked on a patterned ground."""
    personal_boards: Annotated[dict[BoardName, PersonalBoardEntry], Field(max_length=MOST_BOARDS)] = {}
    """Personal boards, by name."""
    deck: bool | None = None
    """Whether the game's folder of cards belongs to the profile; None in early files, which lack this entry."""


class ProfileFile(BaseModel):
    """The whole of `profile.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    version: Literal[7]
    """Version of the format."""
    seats: Annotated[int, Field(ge=FEWEST_SEATS, le=MOST_SEATS)]
    """Number of seats."""
    plane: TablePlane | None = None
    """Camera pose; None until it is calibrated."""
    findings: Findings | None = None
    """Quality of the calibration."""
    table_light: tuple[float, float, float] | None = None
    """Linear BGR of the bare table to which all colours are normalised."""
    background: Annotated[str, Field(pattern=r"^background-[0-9a-f]+\.png$")] | None = None
    """Name of the PNG file with the empty table, which is computed from the views."""
    views: Annotated[tuple[ViewEntry, ...], Field(max_length=64)] = ()
    """Pictures from which the empty table is computed."""
    seatings: Annotated[tuple[Seating, ...], Field(max_length=MOST_SEATS)] = ()
    """Directions of the seats, for each number of seats that are not spaced evenly."""
    games: dict[str, GameEntry] = {}
    """What is enrolled of each game, by the game's id."""

    @property
    def files(self) -> set[str]:
        """Names of the profile's files, without those of its cards."""
        names = {view.file for view in self.views}
        if self.background is not None:
            names.add(self.background)
        for game in self.games.values():
            names |= {*game.pieces.values(), *(board.file for board in game.personal_boards.values())}
        return names

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        """Raise ValueError for a game without a kit, and for pieces and boards that do not fit the game's kit."""
        for game, entry in self.games.items():
            box = kit(game)
            unknown = {*entry.pieces, *entry.on_pattern} - set(box.kinds)
            if unknown:
                raise ValueError(f"there is no kind {min(unknown)}")
            if any(not board.layout.fits(box.board) for board in entry.personal_boards.values()):
                raise ValueError("the rows and spaces of a board are not those of the game")
        return self


def deck_folder(folder: Path, game: str) -> Path:
    """Return the folder of a game's cards. folder: of the profile."""
    return folder / ("deck" if game == GAMES[0] else f"deck-{game}")


def read_listing(folder: Path) -> ProfileFile:
    """Return the checked content of `profile.json` in a folder, converted from older versions.

    Raises ProfileError if it is missing, damaged or of a newer version.
    """
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
