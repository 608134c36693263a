"""Commands of Master Labyrinth."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {"read maze": f"{__name__}.read_maze:maze"}
"""Module and object of each sub-command."""
