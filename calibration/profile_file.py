"""File format of a profile: the models of `profile.json`, which alone lists what belongs to the profile."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.background import Polygon
from calibration.boards.printed import BOARD_ID, MOST_BOARDS, BoardLayout
from calibration.camera.findings import Findings
from calibration.errors import ProfileError
from calibration.games.wicked.kinds import PIECE_KINDS
from calibration.pieces.marked_pictures import Box
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.plane import TablePlane
from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from calibration.wording import say

VERSION: Literal[5] = 5
"""5 since seats can be anywhere, 4 since personal boards are kept, 3 since boards with pieces are, 2 since
planes have an axis of their own; older ones are still read."""


class _Version(BaseModel):
    version: int


class ViewEntry(BaseModel):
    """One picture for the empty table, and the outlines (px) of what lies on it."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^view-[0-9a-f]+\.jpg$")]
    covered: tuple[Polygon, ...] = ()


PieceKind = Annotated[str, Field(pattern="^(" + "|".join(PIECE_KINDS) + ")$")]


class BoardEntry(BaseModel):
    """One picture of a printed board with the boxes (px) of its pieces, by kind."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^board-[0-9a-f]+\.jpg$")]
    plane: TablePlane
    marks: dict[PieceKind, Annotated[tuple[Box, ...], Field(max_length=MOST_SPECIMENS)]]
    source: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]


class PersonalBoardEntry(BaseModel):
    """One personal board: its rectified picture, its layout, and the scale it was photographed at."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    file: Annotated[str, Field(pattern=r"^personal-board-[0-9a-f]+\.png$")]
    layout: BoardLayout
    seen_px_per_mm: Annotated[float, Field(gt=0.1, lt=100)]


BoardName = Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class ProfileFile(BaseModel):
    """The whole of `profile.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    version: Literal[1, 2, 3, 4, 5]
    seats: Annotated[int, Field(ge=FEWEST_SEATS, le=MOST_SEATS)]
    plane: TablePlane | None = None
    findings: Findings | None = None
    table_light: tuple[float, float, float] | None = None
    background: Annotated[str, Field(pattern=r"^background-[0-9a-f]+\.png$")] | None = None
    views: Annotated[tuple[ViewEntry, ...], Field(max_length=64)] = ()
    pieces: dict[PieceKind, Annotated[str, Field(pattern=r"^pieces-[\w-]+\.npz$")]] = {}
    boards: Annotated[tuple[BoardEntry, ...], Field(max_length=64)] = ()
    personal_boards: Annotated[dict[BoardName, PersonalBoardEntry], Field(max_length=MOST_BOARDS)] = {}
    seatings: Annotated[tuple[Seating, ...], Field(max_length=MOST_SEATS)] = ()
    deck: bool | None = None
    """Whether `deck/` belongs to the profile; None in early files without this entry."""


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
        return ProfileFile.model_validate_json(text)
    except (FileNotFoundError, NotADirectoryError):
        raise ProfileError(
            say(
                "There is no table profile in {folder}: make one with `companion calibrate --profile … --image …`.",
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
                "The profile {folder} is damaged at “{where}” ({first}): restore it, or start anew with "
                "`companion calibrate --anew`.",
                folder=folder,
                where=where,
                first=first["msg"],
            )
        ) from error
