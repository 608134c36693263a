"""The games that can be begun, as the start page offers them."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec

from companion import adapters
from companion.games import available, game
from companion.games.game import Figure


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game on the start page."""

    id: str
    title: str
    players: tuple[int, ...]
    """Possible numbers of players, ascending."""
    figures: tuple[Figure, ...]
    ways: tuple[str, ...]
    """How it can be played: "hand"; with an adapter also "camera" and "demo"."""


def listed_games() -> tuple[ListedGame, ...]:
    """Return the games that can be played."""
    return tuple(
        ListedGame(record.id, record.title, record.players, record.figures, _ways(record.id))
        for record in map(game, available())
    )


def page_game(running: str | None) -> str:
    """Return the game whose page is served: the running one, else the first one. running: its id, or None."""
    return running or available()[0]


def _ways(id: str) -> tuple[str, ...]:
    readable = find_spec(f"{adapters.__name__}.{id}") is not None
    return ("camera", "hand", "demo") if readable else ("hand",)
