"""The `companion` command. Sub-commands are imported only when called, so that each starts fast."""

from __future__ import annotations

import importlib

import click

from companion import __version__

_COMMANDS = {
    "serve": "companion.cli.serve:serve",
    "cameras": "companion.cli.cameras:cameras",
    "snap": "companion.cli.cameras:snap",
    "calibrate": "companion.cli.calibrate:calibrate",
    "enrol": "companion.cli.enrol:enrol",
    "profile": "companion.cli.profile:profile",
    "read": "companion.adapters.wicked.commands.read:read",
    "score": "companion.adapters.wicked.commands.score:score",
    "count": "companion.cli.count:count",
    "replay": "companion.cli.replay:replay",
    "game": "companion.cli.game:game",
    "print": "companion.adapters.wicked.commands.print:print_",
}
"""Module and object of each sub-command."""


class _LazyGroup(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return _command(cmd_name) if cmd_name in _COMMANDS else None


def _command(name: str) -> click.Command:
    module, attribute = _COMMANDS[name].split(":")
    command: click.Command = getattr(importlib.import_module(module), attribute)
    return command


@click.group(cls=_LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
@click.pass_context
def main(ctx: click.Context) -> None:
    """Watch a board game with a camera, apply its rules and show it on every screen."""
    if ctx.invoked_subcommand is None:
        ctx.invoke(_command("serve"))
