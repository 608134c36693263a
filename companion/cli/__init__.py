"""The `companion` command. Sub-commands are imported only when called, so that each starts fast."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from companion import __version__
from companion.adapters import game_module
from companion.cli.errors import Unusable
from companion.games import available

_COMMANDS: Mapping[str, str] = {
    "serve": "companion.cli.serve:serve",
    "cameras": "companion.cli.cameras:cameras",
    "snap": "companion.cli.cameras:snap",
    "calibrate": "companion.cli.calibrate:calibrate",
    "enrol pieces": "companion.cli.enrol_pieces_and_cards:pieces",
    "enrol card": "companion.cli.enrol_pieces_and_cards:card",
    "enrol deck": "companion.cli.enrol_pieces_and_cards:deck",
    "enrol board": "companion.cli.enrol_board:board",
    "enrol report": "companion.cli.enrol_pieces_and_cards:report",
    "profile": "companion.cli.profile_export_import:profile",
    "count": "companion.cli.count_pieces:count",
    "replay": "companion.cli.replay:replay",
    "game": "companion.cli.saved_games:game",
    "print": "companion.cli.print_sheets:print_",
}
"""Module and object of each sub-command that serves every game."""
_GROUPS: Mapping[str, str] = {
    "enrol": "Enrol pieces, cards and boards of a table.",
    "read": "Read hands, cards or boards from pictures.",
}
"""Help of each group to which the games add sub-commands."""
_INTERRUPTED = 130
"""Exit code of a command that was interrupted, such as with Ctrl-C."""
_OUTPUT_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""Errors of a write to a full or failing disk."""


def _commands() -> dict[str, str]:
    """Return a mapping from the name of every sub-command, "GROUP NAME" for one in a group, to "MODULE:OBJECT".

    A game adds its own sub-commands by a mapping `COMMANDS` in `companion.adapters.GAME.commands`.
    """
    found = dict(_COMMANDS)
    for game in available():
        module = game_module(game, "commands")
        found.update({} if module is None else module.COMMANDS)
    return found


class _LazyGroup(click.Group):
    """A command group that imports each command only when it is called."""

    def __init__(self, *arguments: Any, prefix: str = "", **options: Any) -> None:
        """Create the group. prefix: the group's own name and a space, for a group inside the main one; else ""."""
        super().__init__(*arguments, **options)
        self._prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        names = (name.removeprefix(self._prefix) for name in _commands() if name.startswith(self._prefix))
        return list(dict.fromkeys(name.split()[0] for name in names))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = f"{self._prefix}{cmd_name}"
        if name in _GROUPS:
            return _LazyGroup(cmd_name, help=_GROUPS[name], prefix=f"{name} ")
        return _command(name) if name in _commands() else None


class _Companion(_LazyGroup):
    """The main group: its output, wherever it goes, ends in no traceback."""

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Run a command, and exit with its code; with 3 where its output cannot be written."""
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            # A file's name may have characters that the output's encoding lacks.
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            return super().main(*arguments, **options)
        except OSError as error:
            if error.errno not in _OUTPUT_ERRORS:
                raise
            _discard_output()
            reason = error.strerror or error
            Unusable(f"The output cannot be written: {reason}. Free some space, or write it elsewhere.").show()
            sys.exit(Unusable.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the sub-command; exit with 130, as shells expect, where it is interrupted."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nInterrupted.", err=True)
            ctx.exit(_INTERRUPTED)


def _discard_output() -> None:
    """Discard what standard output still buffers: writing it at exit would fail once more."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def _command(name: str) -> click.Command:
    """Import and return the sub-command of this name, "GROUP NAME" for one in a group."""
    module, attribute = _commands()[name].split(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


@click.group(cls=_Companion, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Watch a board game with a camera, apply its rules and show it on every screen."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(_command("serve"))
