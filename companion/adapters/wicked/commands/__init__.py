"""Commands of The Wicked Labyrinth."""

from collections.abc import Mapping

COMMANDS: Mapping[str, str] = {
    "read reveal": f"{__name__}.read_hands_and_cards:reveal",
    "read corridors": f"{__name__}.read_hands_and_cards:corridors",
    "read board": f"{__name__}.read_board:board",
    "score": f"{__name__}.score:score",
}
"""Module and object of each sub-command."""
