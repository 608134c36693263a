"""The help of every command."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from calibration.games import kits
from companion.cli import main

MAX_SHORT_HELP = 45
"""Characters of a command's line in a list of 80 columns; click cuts off what is longer."""


def commands(group: click.Group, prefix: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Yield every group and command below a group, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*prefix, name), command
        if isinstance(command, click.Group):
            yield from commands(command, (*prefix, name))


def test_the_line_of_each_command_is_short_enough_for_a_list(subtests: pytest.Subtests) -> None:
    for words, command in commands(main):
        with subtests.test(" ".join(words)):
            line = command.get_short_help_str(1000)
            assert 0 < len(line) <= MAX_SHORT_HELP, line


def test_the_help_of_enrolling_pieces_lists_every_kind() -> None:
    shown = CliRunner().invoke(main, ["enrol", "pieces", "--help"]).output
    listed = shown.partition("One of ")[2].partition(".")[0]
    kinds = set()
    for group in "".join(listed.split()).split(","):
        prefix, colon, names = group.rpartition(":")
        kinds |= {prefix + colon + name for name in names.split("|")}
    assert kinds == {kind for box in kits() for kind in box.kinds}
