"""The games that can be started at a table, as screens offer them. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.adapters import adapter, game_module
from companion.games import available
from companion.games.game import Figure, SetupOption


@dataclass(frozen=True, slots=True)
class OfferedGame:
    """A game that can be started."""

    id: str
    """Id of the game."""
    title: str
    """Its name."""
    players: tuple[int, ...]
    """Numbers of players that can play, ascending."""
    figures: tuple[Figure, ...]
    """What players choose from."""
    minutes: tuple[int, int] | None
    """As `Game.minutes`."""
    secrets: str
    """As `Game.secrets`: with "seats", each player needs a screen of their own."""
    served: bool
    """Whether the table's camera and set-up are for this game."""
    camera: bool
    """Whether a camera can read it; otherwise it is entered by hand."""
    demo: bool
    """Whether bots can play it on the simulated table."""
    undescribed: bool
    """Whether it can be played with components that players describe during the game, such as unknown cards."""
    options: tuple[SetupOption, ...]
    """What the players choose before a game."""


def offered_games(served: str) -> tuple[OfferedGame, ...]:
    """Return the games that can be started, in order of registration. served: id of the one the camera reads."""
    return tuple(_offered(id, served) for id in available())


def _offered(id: str, served: str) -> OfferedGame:
    found = adapter(id)
    game = found.game
    return OfferedGame(
        id=id,
        title=game.title,
        players=game.players,
        figures=game.figures,
        minutes=game.minutes,
        secrets=game.secrets,
        served=id == served,
        camera=found.has_readers,
        demo=game_module(id, "bots.simulated_players") is not None,
        undescribed=found.undescribed is not None,
        options=game.options,
    )
