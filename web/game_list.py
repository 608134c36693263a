"""The games that can be begun, as the start page offers them."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters import part
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
    """How it can be played: "hand"; where its table is read also "camera" and "demo"."""
    secrets: bool
    """Whether players know different things, so that a game is exported only when it is over."""


def listed_games(served: str) -> tuple[ListedGame, ...]:
    """Return the games that can be played. served: id of the one whose table can be read."""
    return tuple(
        ListedGame(
            record.id,
            record.title,
            record.players,
            record.figures,
            _ways(record.id, served),
            record.secrets == "seats",
        )
        for record in map(game, available())
    )


def _ways(id: str, served: str) -> tuple[str, ...]:
    """Return the ways in which a game can be played."""
    readable = id == served and part(id, "adapter") is not None
    return ("camera", "hand", "demo") if readable else ("hand",)
