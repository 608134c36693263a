"""The message that publishes the table's view to screens, without what the rules or the screen's role hide."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from companion.adapters import adapter
from companion.games.game import IllegalMove
from companion.session.game_settings import GameSettings
from companion.table.offered_games import OfferedGame, offered_games
from companion.table.views import CameraView, ComparisonView, DirectorView, GameView, ProposalView, TableView
from web.game_extensions import OwnScreen, extension_of
from web.languages import plain, translated
from web.people.roles import HOST, Principal, Role
from web.table_interface import RunningTable


@dataclass(frozen=True, slots=True)
class OwnRole:
    """What this screen may do."""

    role: Role
    """Role of the screen."""
    seat: int | None
    """Index of a player's own seat; None for other roles."""


@dataclass(frozen=True, slots=True)
class Publication:
    """One `table` message to a screen."""

    you: OwnRole
    """The screen's own role."""
    run: str
    """Id of this run of the server: `version` starts again with each run."""
    version: int
    """Number of the view, increasing within a run."""
    camera: CameraView
    """State of the camera."""
    game_key: str | None
    """Id of the game and number of its state."""
    game: GameView | None
    """The game; None without one, or if it was published with this `game_key` before."""
    proposal: ProposalView | None
    """The waiting proposal; None without one, or where this screen may not know it."""
    outcomes: tuple[Any, ...]
    """What each choice of the proposal's first question would lead to; None for a choice without a preview."""
    director: DirectorView | None
    """The simulated table's director; hosts only."""
    notices: tuple[str, ...]
    """Lines about the serving machine; hosts only."""
    noticed: int
    """Number of notices so far: the last one is new where this has changed; 0 for others than hosts."""
    settings: GameSettings | None
    """The host's settings; None without a game."""
    comparison: ComparisonView | None
    """The latest reading of the whole table beside the journal; hosts only."""
    games: tuple[OfferedGame, ...] | None
    """Games that can be started; None in messages to screens that have them already."""
    figure_pictures: Mapping[str, Mapping[str, str]] | None
    """Addresses of the pictures of figures, by game and figure; None like `games`."""
    own_screens: Mapping[str, tuple[OwnScreen, ...]] | None
    """Screens that only a game's own page has, by game; None like `games`."""
    seatings: tuple[tuple[float, ...], ...]
    """Directions in which people sit, degrees, one tuple per number of players."""


_JSON = TypeAdapter(Publication)
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)
RUN = secrets.token_hex(4)
"""Id of this run of the server."""


def publication(
    view: TableView, principal: Principal, known: str | None = None, games: tuple[OfferedGame, ...] | None = None
) -> Publication:
    """Return the message that publishes a view to the screens of a principal (role, seat and language).

    Of the game it contains what its rules show to the principal's seat, or to everybody at the table. known:
    `game_key` of the state that these screens have already. games: those that can be started; None if the screens
    have them.
    """
    key = None if view.game is None else f"{view.game.id}:{view.game.number}"
    game = None if view.game is None or key == known else view.game.view_for(principal.seat)
    host = principal.role == HOST
    if hides_proposal(view, principal):
        view = replace(view, proposal=None)
    return Publication(
        OwnRole(principal.role, principal.seat),
        RUN,
        view.version,
        view.camera,
        key,
        game,
        view.proposal,
        _outcomes(view, principal),
        view.director if host else None,
        view.notices if host else (),
        view.noticed if host else 0,
        view.settings,
        view.comparison if host else None,
        games,
        None if games is None else {game.id: _figure_pictures(game.id) for game in games},
        None if games is None else {game.id: _own_screens(game.id) for game in games},
        view.seatings,
    )


def hides_proposal(view: TableView, principal: Principal) -> bool:
    """Return whether the waiting proposal is hidden from a principal (role, seat and language).

    It is if only hosts may answer it, or if one of its answers is secret from the principal.
    """
    proposal, game = view.proposal, view.game
    if proposal is None:
        return False
    if proposal.host_only and principal.role != HOST:
        return True
    if game is None or game.record.secrets == "none" or proposal.number != game.number:
        return False
    offered = (choice.moves for question in proposal.questions for choice in question.choices)
    return not all(game.shows(moves, principal.seat) for moves in offered)


def as_json(message: Publication) -> dict[str, Any]:
    """Return a message as JSON values (dicts, lists); each `Line` is kept, to be translated later."""
    values: dict[str, Any] = plain(_JSON.dump_python(message))
    return values


def whole_message(table: RunningTable, principal: Principal) -> dict[str, Any]:
    """Return the complete message, translated, for a screen that has just connected."""
    published = publication(table.view, principal, games=offered_games(table.served))
    message: dict[str, Any] = translated(as_json(published), principal.language)
    return message


def as_plain(value: object) -> Any:
    """Return any value as JSON values (dicts, lists); each `Line` is kept, to be translated later."""
    return plain(_ANYTHING.dump_python(value))


def _figure_pictures(game: str) -> Mapping[str, str]:
    """Return the URL path of each figure's picture, by figure id."""
    extension = extension_of(game)
    return {} if extension is None else extension.figure_pictures


def _own_screens(game: str) -> tuple[OwnScreen, ...]:
    """Return the screens that only the page of a game has. game: its id."""
    extension = extension_of(game)
    return () if extension is None else extension.screens


def _outcomes(view: TableView, principal: Principal) -> tuple[Any, ...]:
    """Return a preview of the result of each answer to the proposal's first question, as a principal may know it.

    None stands for an answer without a preview; the tuple is empty without a proposal for the present state.
    """
    if view.proposal is None or view.game is None or view.proposal.number != view.game.number:
        return ()
    outcomes: list[Any] = []
    record = view.game.record
    preview, viewer = adapter(record.id).preview, principal.seat if record.secrets == "seats" else None
    for choice in view.proposal.questions[0].choices:
        try:
            outcomes.append(preview(view.game.state, choice.moves, viewer) if choice.moves else None)
        except IllegalMove:
            outcomes.append(None)
    return tuple(outcomes)


class Broadcast:
    """Sends each view to the channels of all connected principals; the game only if it changed.

    principals: returns the connected principals. send: sends a message to one principal's channel.
    """

    def __init__(
        self, principals: Callable[[], Iterable[Principal]], send: Callable[[dict[str, Any], Principal], None]
    ) -> None:
        self._principals = principals
        self._send = send
        self._known: dict[Principal, str | None] = {}
        self._sending = threading.Lock()

    def send(self, view: TableView) -> None:
        """Send a view to every principal's channel, with what the principal may know. Callable from any thread."""
        with self._sending:
            known: dict[Principal, str | None] = {}
            messages: dict[tuple[Role, str, str | None, int | None], dict[str, Any]] = {}
            secret = view.game is not None and view.game.record.secrets == "seats"
            for principal in set(self._principals()):
                before = self._known.get(principal)
                kind = (principal.role, principal.language, before, principal.seat if secret else None)
                if kind not in messages:
                    message = as_json(publication(view, principal, before))
                    messages[kind] = translated(message, principal.language)
                # Without secrets, messages to players differ in the seat alone, so the rest is serialised once.
                own = {"role": principal.role, "seat": principal.seat}
                self._send({**messages[kind], "you": own}, principal)
                known[principal] = messages[kind]["game_key"]
            self._known = known
