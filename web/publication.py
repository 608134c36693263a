"""What goes out to screens: the table's view, less what the rules keep hidden, more what screens show with it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from companion.games import wicked
from companion.games.wicked.moves import IllegalMove, Reveal
from companion.games.wicked.state import Outcome
from companion.table.views import CameraView, DirectorView, GameView, ProposalView, TableView


@dataclass(frozen=True, slots=True)
class Publication:
    """One message to a screen.

    run: names this run of the server, as versions start anew with each. game_key: names the game and its state
    number; `game` itself is left out (None) where the same one was published before. outcomes: what each
    candidate of the proposal would lead to, None where that is nothing to show.
    """

    run: str
    version: int
    camera: CameraView
    game_key: str | None
    game: GameView | None
    proposal: ProposalView | None
    outcomes: tuple[Outcome | None, ...]
    director: DirectorView | None
    notices: tuple[str, ...]


_JSON = TypeAdapter(Publication)
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
RUN = secrets.token_hex(4)


def publication(view: TableView, known: str | None = None) -> Publication:
    """Make the message for a view; `known` is the key of the game that its readers already have."""
    key = None if view.game is None else f"{view.game.id}:{view.game.number}"
    game = None if view.game is None or key == known else _open(view.game)
    return Publication(
        RUN, view.version, view.camera, key, game, view.proposal, _outcomes(view), view.director, view.notices
    )


def as_json(message: Publication) -> dict[str, Any]:
    """Turn a message into plain JSON values."""
    plain: dict[str, Any] = _JSON.dump_python(message, mode="json")
    return plain


def as_plain(value: object) -> Any:
    """Turn any value that the table hands out into plain JSON values."""
    return _ANYTHING.dump_python(value, mode="json")


def _open(game: GameView) -> GameView:
    """Leave out the order of the cards still to come, which nobody at the table may know."""
    return replace(game, state=replace(game.state, pile=None))


def _outcomes(view: TableView) -> tuple[Outcome | None, ...]:
    if view.proposal is None or view.game is None or view.proposal.number != view.game.number:
        return ()
    found: list[Outcome | None] = []
    for candidate in view.proposal.candidates:
        try:
            move = candidate.move
            found.append(wicked.outcome(view.game.state, move) if isinstance(move, Reveal) else None)
        except IllegalMove:
            found.append(None)
    return tuple(found)


class Broadcast:
    """Sends each view that the table publishes to all screens, the game only where it is another one."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._known: str | None = None
        self._one_at_a_time = threading.Lock()

    def take(self, view: TableView) -> None:
        """Send this view; callable from any thread."""
        with self._one_at_a_time:
            message = publication(view, self._known)
            self._send(as_json(message))
            self._known = message.game_key
