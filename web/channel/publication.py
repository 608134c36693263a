"""What goes out to screens: the table's view, less what the rules keep hidden, more what screens show with it."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from companion.adapters.wicked.boards.views import BoardsView
from companion.games import wicked
from companion.games.wicked.moves import IllegalMove, Reveal
from companion.games.wicked.state import RankingOutcome
from companion.session.settings import GameSettings
from companion.table.views import CameraView, DirectorView, GameView, ProposalView, TableView
from web.languages import in_language, plain
from web.people.roles import HOST, Reader, Role


@dataclass(frozen=True, slots=True)
class You:
    """What this screen may do: its role, and for a player the own seat."""

    role: Role
    seat: int | None


@dataclass(frozen=True, slots=True)
class Publication:
    """One message to a screen.

    you: who this screen is. run: names this run of the server, as versions start anew with each. game_key: names
    the game and its state number; `game` itself is left out (None) where the same one was published before.
    outcomes: what each candidate of the proposal would lead to, None where that is nothing to show.
    """

    you: You

    run: str
    version: int
    camera: CameraView
    game_key: str | None
    game: GameView | None
    proposal: ProposalView | None
    outcomes: tuple[RankingOutcome | None, ...]
    director: DirectorView | None
    notices: tuple[str, ...]
    settings: GameSettings | None
    boards: BoardsView | None
    seatings: tuple[tuple[float, ...], ...]


_JSON = TypeAdapter(Publication)
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
RUN = secrets.token_hex(4)


def publication(view: TableView, reader: Reader, known: str | None = None) -> Publication:
    """Make the message for a view and whom it goes to; `known` is the key of the game that they already have.

    The oracle cards lie face up and every reveal was open, so one player may know what another does. Only hosts get
    the controls of the simulated table, what the camera sees on boards, and the notices, which tell of the serving
    machine.
    """
    key = None if view.game is None else f"{view.game.id}:{view.game.number}"
    game = None if view.game is None or key == known else _open(view.game)
    host = reader.role == HOST
    return Publication(
        You(reader.role, reader.seat),
        RUN,
        view.version,
        view.camera,
        key,
        game,
        view.proposal,
        _outcomes(view),
        view.director if host else None,
        view.notices if host else (),
        view.settings,
        view.boards if host else None,
        view.seatings,
    )


def as_json(message: Publication) -> dict[str, Any]:
    """Turn a message into plain JSON values, in which lines are still lines."""
    told: dict[str, Any] = plain(_JSON.dump_python(message))
    return told


def whole_message(view: TableView, reader: Reader) -> dict[str, Any]:
    """Make the message for somebody who knows nothing yet, as JSON values in their language."""
    message: dict[str, Any] = in_language(as_json(publication(view, reader)), reader.language)
    return message


def as_plain(value: object) -> Any:
    """Turn any value that the table hands out into plain JSON values, in which lines are still lines."""
    return plain(_ANYTHING.dump_python(value))


def _open(game: GameView) -> GameView:
    """Leave out the order of the cards still to come, which nobody at the table may know."""
    return replace(game, state=replace(game.state, pile=None))


def _outcomes(view: TableView) -> tuple[RankingOutcome | None, ...]:
    if view.proposal is None or view.game is None or view.proposal.number != view.game.number:
        return ()
    found: list[RankingOutcome | None] = []
    for candidate in view.proposal.candidates:
        try:
            move = candidate.move
            found.append(wicked.outcome(view.game.state, move) if isinstance(move, Reveal) else None)
        except IllegalMove:
            found.append(None)
    return tuple(found)


class Broadcast:
    """Sends each view that the table publishes to all screens, the game only where it is another one.

    readers: whom there is to tell now; send: tells all screens of one reader.
    """

    def __init__(
        self, readers: Callable[[], Iterable[Reader]], send: Callable[[dict[str, Any], Reader], None]
    ) -> None:
        self._readers = readers
        self._send = send
        self._known: dict[Reader, str | None] = {}
        self._one_at_a_time = threading.Lock()

    def take(self, view: TableView) -> None:
        """Send this view; callable from any thread."""
        with self._one_at_a_time:
            known: dict[Reader, str | None] = {}
            made: dict[tuple[Role, str, str | None], dict[str, Any]] = {}
            for reader in set(self._readers()):
                before = self._known.get(reader)
                alike = (reader.role, reader.language, before)
                if alike not in made:
                    message = as_json(publication(view, reader, before))
                    made[alike] = in_language(message, reader.language)
                # Players differ in their seat alone, so what is the same for them is made once.
                self._send({**made[alike], "you": {"role": reader.role, "seat": reader.seat}}, reader)
                known[reader] = made[alike]["game_key"]
            self._known = known
