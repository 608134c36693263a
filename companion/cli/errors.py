"""Errors that end a command: one line with what is wrong and what to do, and a fixed exit code."""

from __future__ import annotations

import click


class Unusable(click.ClickException):
    """A picture, file or profile that cannot be used; ends the command with exit code 3."""

    exit_code = 3

    def show(self, file: object = None) -> None:
        """Print the message on standard error, always. file: ignored."""
        click.echo(self.message, err=True)
