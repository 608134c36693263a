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
