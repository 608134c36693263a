"""Commands of `companion` that only Master Labyrinth has."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "enrol tokens": f"{__name__}.enrol_tokens:tokens",
    "read maze": f"{__name__}.read_maze:maze",
}
"""Module and object, as `module:object`, of each command by its name."""
