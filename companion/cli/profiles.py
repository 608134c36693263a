"""What the commands that teach a table have in common: the profile they name and how its errors are told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from calibration.errors import TeachError
from companion.cli.errors import Unusable

PROFILE = click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Tell what the table could not be taught as one plain line, exit code 3."""
    try:
        yield
    except TeachError as error:
        raise Unusable(str(error)) from error


class Spot(click.ParamType[tuple[float, float]]):
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
