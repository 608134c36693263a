"""What the commands that teach a table have in common: the profile they name and how its errors are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from calibration.errors import TeachError
from calibration.seats import Seating, parse_angles
from companion.cli.errors import Unusable

PROFILE = click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Tell what the table could not be taught as one plain line, exit code 3."""
    try:
        yield
    except TeachError as error:
        raise Unusable(str(error)) from error


class SeatAnglesParam(click.ParamType[Seating]):
    """Where people sit as a person types it: degrees clockwise from the sheet's bottom edge, one per seat."""

    name = "DEGREES"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Seating:
        """Parse numbers separated by commas; anything that is no seating is bad usage."""
        try:
            return value if isinstance(value, Seating) else parse_angles(str(value))
        except TeachError as error:
            self.fail(str(error), param, ctx)


SEAT_ANGLES = click.option(
    "--seat-angles",
    type=SeatAnglesParam(),
    help="Where people sit, degrees clockwise from the sheet's bottom edge, e.g. 0,60,180,240. Default: as before, "
    "else evenly.",
)


def agreed_seats(seats: int | None, seating: Seating | None) -> int | None:
    """Return how many seats were given, by number or by angles. Raises UsageError where these differ."""
    if seating is None:
        return seats
    if seats not in (None, len(seating)):
        raise click.UsageError(
            f"--seats says {seats}, but --seat-angles gives {len(seating)}: give one for each seat."
        )
    return len(seating)


class PointParam(click.ParamType[tuple[float, float]]):
    """A place in a picture as a person types it: x,y in px."""

    name = "X,Y"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        """Take two numbers apart; anything else is bad usage."""
        try:
            x, y = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{value} is no place: give x,y in pixels, e.g. 640,360.", param, ctx)
        return x, y
