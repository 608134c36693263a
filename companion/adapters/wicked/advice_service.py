"""Hints in the soul phase, and a reminder of missed actions at its end, where the host allows them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from calibration.translatable import Line, counted, say, sentences
from companion.games.wicked.adviser import SoulAdvice, advise, hint_line, obvious_actions, obvious_actions_line
from companion.games.wicked.components import ROUNDS, Deck
from companion.games.wicked.moves import Move
from companion.games.wicked.state import WickedPlayer, WickedState
from companion.session import Session
from companion.session.game_settings import GameSettings
from companion.table.views import Option, Refused


@dataclass(frozen=True, slots=True)
class HintView:
    """The best actions for one board, as its player sees them."""

    steps: tuple[Option, ...]
    """Actions in order; none where nothing improves the board."""
    line: str
    """Sentences about what the actions gain."""


@dataclass(frozen=True, slots=True)
class ForgottenView:
    """Obvious actions that a player has not taken yet."""

    moves: tuple[Move, ...] = ()
    """The actions in order; empty where there are none."""
    line: str = ""
    """The actions as a sentence; "" where there are none."""


class AdviceService:
    """Advises the players of a table. Callable from any thread; every method may raise `Refused`.

    lock: lock of the table, held only while its state is read. playing: returns the session of the running game;
    raises `Refused` if there is none. settings_of: returns the host's settings for a session.
    """

    def __init__(
        self,
        lock: threading.RLock,
        playing: Callable[[], Session],
        settings_of: Callable[[Session], GameSettings],
    ) -> None:
        self._lock = lock
        self._playing = playing
        self._settings_of = settings_of
        self._computing = threading.Lock()
        self._known: dict[int, tuple[WickedPlayer, Deck, int, SoulAdvice]] = {}

    def hint(self, seat: int) -> HintView:
        """Return the best actions for one player in the present soul phase, in order."""
        with self._lock:
            session = self._playing()
            if not self._settings_of(session).hints:
                raise Refused(
                    "not_now", say("Hints are off at this table. The host can switch them on under More.")
                )
            state = _soul_phase_state(session, seat)
        advice = self._advice(state, seat)
        steps = tuple(Option(move, hint_line(move, state.deck)) for move in advice.moves)
        return HintView(steps, _summary(advice, last=state.round == ROUNDS))

    def forgotten(self, seat: int) -> ForgottenView:
        """Return the obvious actions that a player about to finish the soul phase has missed.

        There are none where the host has switched reminders off.
        """
        with self._lock:
            session = self._playing()
            if not self._settings_of(session).reminders:
                return ForgottenView()
            state = _soul_phase_state(session, seat)
        moves = obvious_actions(state.players[seat], state.deck, seat, self._advice(state, seat))
        return ForgottenView(moves, obvious_actions_line(moves, state.deck)) if moves else ForgottenView()

    def _advice(self, state: WickedState, seat: int) -> SoulAdvice:
        """Return the advice for one player, cached by seat. Computing it can take a tenth of a second."""
        with self._computing:
            known = self._known.get(seat)
            if known is None or known[:3] != (state.players[seat], state.deck, state.round):
                known = state.players[seat], state.deck, state.round, advise(state, seat)
                self._known[seat] = known
            return known[3]


def _soul_phase_state(session: Session[WickedState, Move], seat: int) -> WickedState:
    """Return a session's state, which is in the soul phase.

    Raises `Refused` in other phases and for a seat without a player.
    """
    if not 0 <= seat < len(session.seats):
        raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
    if not isinstance(session.state, WickedState) or session.state.phase != "soul":
        raise Refused("not_now", say("That is for the soul phase. Wait until everybody processes their souls."))
    return session.state


def _summary(advice: SoulAdvice, *, last: bool) -> Line:
    """Return sentences about how many points the advised actions gain. last: whether it is the last round."""
    if not advice.moves:
        return say("Nothing more would make this board better.")
    points = counted(advice.points, "{n} point", "{n} points")
    if advice.points > advice.points_now:
        worth = say("In the end: {points} instead of {now}.", points=points, now=advice.points_now)
    elif last:
        worth = say("In the end: no more points, but it breaks ties.")
    else:
        worth = say(
            "In the end: {points}, {now} now, and more open for later rounds.", points=points, now=advice.points_now
        )
    if advice.exact:
        return worth
    return sentences(worth, say("There may be something better still."))
