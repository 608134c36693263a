"""`companion enrol board`: enrol personal boards from pictures of them empty."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import click
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.boards.enrolment import pointed_board, printed_boards, shown_board
from calibration.boards.printed import BOARD_ID, EnrolledBoard, Point
from calibration.pictures import read_picture
from calibration.profile import TableProfile
from companion.cli.errors import Unusable
from companion.cli.profile_options import PROFILE, PointParam, plain_errors
from companion.games.wicked.components import SPOTS

_MOST_BYTES = 1 << 20
"""Size limit of the JSON file."""


class _BoardPoints(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    low: Annotated[tuple[Point, ...], Field(min_length=SPOTS["low"], max_length=SPOTS["low"])]
    middle: Annotated[tuple[Point, ...], Field(min_length=SPOTS["middle"], max_length=SPOTS["middle"])]
    high: Annotated[tuple[Point, ...], Field(min_length=SPOTS["high"], max_length=SPOTS["high"])]
    promotion: tuple[float, float, float, float]
    colour_change: tuple[float, float, float, float]
    spot_mm: float = 18.0


class _SizeMmParam(click.ParamType[Point]):
    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Point:
        if isinstance(value, tuple):
            return value
        try:
            width, height = (float(part) for part in re.split("[x×]", str(value)))
        except ValueError:
            self.fail(f"{value} is not a size: enter width and height in mm, e.g. 210x148.", param, ctx)
        return width, height


@click.command()
@PROFILE
@click.option("--id", "board_id", help="The board's name, e.g. purple; a printed one's is its player's colour.")
@click.option("--drawn", is_flag=True, help="Enrol all boards that `companion print boards` prints.")
@click.option(
    "--corners", type=PointParam(), multiple=True, help="Four times, px: clockwise from its own upper left."
)
@click.option(
    "--size", type=_SizeMmParam(), default=(210.0, 148.0), show_default="210x148", help="Width and height, mm."
)
@click.option("--spots", type=click.Path(path_type=Path), help="JSON file with the spots of another board, px.")
@click.argument("image", required=False, type=click.Path(path_type=Path))
def board(
    profile: str,
    board_id: str | None,
    drawn: bool,
    corners: tuple[Point, ...],
    size: Point,
    spots: Path | None,
    image: Path | None,
) -> None:
    """Enrol a personal board from a picture of it empty.

    The board may lie anywhere, and any camera will do. A board that the project prints is recognised.
    For any other board, state its corners and spots once, in px of the picture:

    \b
    {"low": [[x, y], … 6], "middle": [… 5], "high": [… 4], "spot_mm": 18,
     "promotion": [x, y, width, height], "colour_change": [x, y, width, height]}
    """
    pointed = bool(corners) or spots is not None
    if drawn == (image is not None):
        raise click.UsageError("Name one picture of an empty board, or use --drawn.")
    if pointed and (len(corners) != 4 or spots is None or board_id is None):
        raise click.UsageError("Another board needs --id, --corners four times and --spots.")
    if drawn and (pointed or board_id):
        raise click.UsageError("--drawn enrols all printed boards at once: leave the other options out.")
    if board_id is not None and not re.fullmatch(BOARD_ID, board_id):
        raise click.UsageError("A board's name consists of letters, digits and . _ - (at most 40), e.g. purple.")
    with plain_errors():
        table = TableProfile.load(profile)
        for enrolled in _enrolled(image, board_id, corners, size, spots):
            table = table.with_personal_board(enrolled)
        table.save(profile)
    named = "all printed boards" if drawn else enrolled.id
    click.echo(
        f"{named}: enrolled; {len(table.personal_boards)} boards are enrolled: {', '.join(table.personal_boards)}."
    )


def _enrolled(
    image: Path | None, board_id: str | None, corners: tuple[Point, ...], size: Point, spots: Path | None
) -> tuple[EnrolledBoard, ...]:
    if image is None:
        return printed_boards()
    picture = read_picture(image)
    if spots is None or board_id is None:
        return (shown_board(picture, board_id),)
    given = _read_spots(spots)
    places = {"low": given.low, "middle": given.middle, "high": given.high}
    spaces = {"promotion": given.promotion, "colour_change": given.colour_change}
    return (pointed_board(picture, board_id, corners, size, places, spaces, given.spot_mm),)


def _read_spots(path: Path) -> _BoardPoints:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        return _BoardPoints.model_validate_json(data if len(data) <= _MOST_BYTES else b"")
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "its text"
        raise Unusable(
            f"{path.name} has no valid spots of a board (at “{where}”: {first['msg']}): see `companion enrol board "
            "-h`."
        ) from None
