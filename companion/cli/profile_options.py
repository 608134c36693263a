"""Options and errors shared by the commands that use a profile."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from calibration.errors import CalibrationError
from calibration.games import GAMES
from calibration.seats import Seating, parse_angles
from companion.cli.errors import Unusable

PROFILE = click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")
"""The option that names the profile."""
GAME = click.option("--game", type=click.Choice(GAMES), default=GAMES[0], metavar="GAME", help="Game to enrol for.")
"""The option that names a game of the profile."""


@contextmanager
def plain_errors() -> Iterator[None]:
    """Raise calibration errors inside the block as `Unusable`: one line, exit code 3."""
    try:
        yield
    except CalibrationError as error:
        raise Unusable(str(error)) from error


class SeatAnglesParam(click.ParamType[Seating]):
    """Seat angles: degrees clockwise from the sheet's bottom edge, one per seat, separated by commas."""

    name = "DEGREES"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Seating:
        """Parse comma-separated angles into a seating; text that cannot be parsed is a usage error."""
        try:
            return value if isinstance(value, Seating) else parse_angles(str(value))
        except CalibrationError as error:
            self.fail(str(error), param, ctx)


SEAT_ANGLES = click.option(
    "--seat-angles",
    type=SeatAnglesParam(),
    help="Where people sit, degrees clockwise from the sheet's bottom edge, e.g. 0,60,180,240. Default: as before, "
    "else evenly.",
)


def agreed_seats(seats: int | None, seating: Seating | None) -> int | None:
    """Return the number of seats that --seats or --seat-angles states; None if neither is given.

    Raises UsageError where they differ.
    """
    if seating is None:
        return seats
    if seats not in (None, len(seating)):
        raise click.UsageError(f"--seats is {seats}, but --seat-angles has {len(seating)}: name one for each seat.")
    return len(seating)


class FiniteRange(click.FloatRange):
    """A number in a range; unlike `click.FloatRange`, "nan" is a usage error."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number of a text."""
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


class PointParam(click.ParamType[tuple[float, float]]):
    """A point in a picture: x,y in px."""

    name = "X,Y"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Return the point of a text "x,y"; any other text is a usage error."""
        try:
            x, y = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value} is no point: enter x,y in pixels, e.g. 640,360.", param, ctx)
        return x, y
