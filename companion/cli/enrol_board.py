"""`companion enrol board`: enrol personal boards from pictures of them empty."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from calibration.boards.enrolled_board import BOARD_ID, EnrolledBoard, Point
from calibration.boards.enrolment import detected_board, marked_board
from calibration.game_kit import BoardPlan, Kit
from calibration.games import kit, kits
from calibration.profile import TableProfile
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import GAME, PROFILE, PointParam, plain_errors

_MOST_BYTES = 1 << 20
"""Size limit of the JSON file."""
_SIZE_MM = (210.0, 148.0)
"""Default width and height of a board, mm: A5."""


class _SizeMmParam(click.ParamType[Point]):
    """Width and height in mm, written as 210x148."""

    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Point:
        if isinstance(value, tuple):
            return value
        try:
            width, height = (float(part) for part in re.split("[x×]", str(value)))
        except ValueError:
            self.fail(f"{value} is not a size: enter width and height in mm, e.g. 210x148.", param, ctx)
        return width, height


def _example(plan: BoardPlan) -> str:
    """Return an example of the JSON file with the spots of a board."""
    rows = ", ".join(f'"{row}": [… {number}]' for row, number in plan.spots.items())
    spaces = ", ".join(f'"{name}": [x, y, width, height]' for name in plan.spaces)
    return f'{{{rows},\n "spot_mm": 18, {spaces}}}'


_FIRST_BOARD = next((box.board for box in kits() if box.board is not None), BoardPlan({}))
_FIRST_FIGURE = kits()[0].figures[0]
_HELP = f"""Enrol a personal board from a picture.

The board is empty and may lie anywhere, and any camera will do. A board that the project prints is recognised. Of
any other one, point out corners and spots once, in px of the picture, each spot as [x, y]:

\b
{_example(_FIRST_BOARD)}
"""


@click.command(help=_HELP)
@PROFILE
@GAME
@click.option(
    "--id", "board_id", help=f"The board's name, e.g. {_FIRST_FIGURE}; a printed one's is its player's colour."
)
@click.option("--drawn", is_flag=True, help="Enrol all boards that `companion print boards` prints.")
@click.option(
    "--corners", type=PointParam(), multiple=True, help="Four times, px: clockwise from its own upper left."
)
@click.option("--size", type=_SizeMmParam(), show_default="210x148", help="With --corners: width and height, mm.")
@click.option("--spots", type=click.Path(path_type=Path), help="JSON file with the spots of another board, px.")
@click.argument("image", required=False, type=click.Path(path_type=Path))
def board(
    profile: str,
    game: str,
    board_id: str | None,
    drawn: bool,
    corners: tuple[Point, ...],
    size: Point | None,
    spots: Path | None,
    image: Path | None,
) -> None:
    """Enrol a personal board from a picture of it empty, or all boards that the project prints."""
    pointed = bool(corners) or spots is not None or size is not None
    if drawn == (image is not None):
        raise click.UsageError("Name one picture of an empty board, or use --drawn.")
    if pointed and (len(corners) != 4 or spots is None or board_id is None):
        raise click.UsageError("Another board needs --id, --corners four times and --spots.")
    if drawn and (pointed or board_id):
        raise click.UsageError("--drawn enrols all printed boards at once: leave the other options out.")
    if board_id is not None and not re.fullmatch(BOARD_ID, board_id):
        raise click.UsageError("A board's name consists of at most 40 letters, digits and . _ -.")
    with plain_errors():
        table = TableProfile.load(profile).of(game)
        for enrolled in _boards_to_enrol(kit(game), image, board_id, corners, size or _SIZE_MM, spots):
            table = table.with_personal_board(enrolled)
        table.save(profile)
    named = "all printed boards" if drawn else enrolled.id
    click.echo(
        f"{named}: enrolled; {len(table.personal_boards)} boards are enrolled: {', '.join(table.personal_boards)}."
    )


def _boards_to_enrol(
    box: Kit, image: Path | None, board_id: str | None, corners: tuple[Point, ...], size: Point, spots: Path | None
) -> tuple[EnrolledBoard, ...]:
    """Return the boards that the options name: without a picture all printed ones, else the one in the picture."""
    if box.board is None:
        raise Unusable("This game has no boards of its own.")
    if image is None:
        return box.printed_boards()
    picture = read_picture(image)
    if spots is None or board_id is None:
        return (detected_board(picture, box.printed_boards(), board_id),)
    given = _read_spots(spots, _points_model(box))
    rows = {row: getattr(given, row) for row in box.board.spots}
    spaces = {name: getattr(given, name) for name in box.board.spaces}
    return (marked_board(picture, board_id, corners, size, rows, spaces, given.spot_mm),)


@cache
def _points_model(box: Kit) -> type[BaseModel]:
    """Return the pydantic model of the JSON file with the spots and spaces of a board of this game."""
    plan = box.board or BoardPlan({})
    fields: dict[str, Any] = {
        row: (tuple[Point, ...], Field(min_length=number, max_length=number)) for row, number in plan.spots.items()
    }
    fields |= dict.fromkeys(plan.spaces, (tuple[float, float, float, float], ...))
    config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
    return create_model("_BoardPoints", __config__=config, **fields, spot_mm=(float, 18.0))


def _read_spots(path: Path, model: type[BaseModel]) -> Any:
    """Read the JSON file with a board's spots and spaces; return an instance of the model. Raises Unusable."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        return model.model_validate_json(data if len(data) <= _MOST_BYTES else b"")
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        raise Unusable(
            f"{path.name} has no valid spots of a board (at “{where}”: {first['msg']}): see `companion enrol board "
            "-h`."
        ) from None
