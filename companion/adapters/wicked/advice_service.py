"""Hints for the soul phase and the reminder at its end; the host chooses whether there are any."""

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
    """The best continuation for one board, for its player."""

    steps: tuple[Option, ...]
    """Actions in order; none where nothing improves the board."""
    line: str
    """What they lead to."""


@dataclass(frozen=True, slots=True)
class ForgottenView:
    """Obvious actions that a board still allows."""

    moves: tuple[Move, ...] = ()
    """The actions in order; empty where there are none."""
    line: str = ""
    """The actions as one line; "" where there are none."""


class AdviceService:
    """Advises the players of a table. Callable from any thread; every method raises `Refused`.

    lock: the table's, held only to read its state; playing: returns the session, else raises; settings_of: returns
    the host's settings for a game.
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
        """Return the best continuation for one player in this soul phase, action by action."""
        with self._lock:
            session = self._playing()
            if not self._settings_of(session).hints:
                raise Refused(
                    "not_now", say("Hints are off at this table. The host can switch them on under More.")
                )
            state = _in_souls(session, seat)
        advice = self._advice(state, seat)
        steps = tuple(Option(move, hint_line(move, state.deck)) for move in advice.moves)
        return HintView(steps, _summary(advice, last=state.round == ROUNDS))

    def forgotten(self, seat: int) -> ForgottenView:
        """Return what a player who wants to finish could still do; nothing where reminders are off."""
        with self._lock:
            session = self._playing()
            if not self._settings_of(session).reminders:
                return ForgottenView()
            state = _in_souls(session, seat)
        moves = obvious_actions(state.players[seat], state.deck, seat, self._advice(state, seat))
        return ForgottenView(moves, obvious_actions_line(moves, state.deck)) if moves else ForgottenView()

    def _advice(self, state: WickedState, seat: int) -> SoulAdvice:
        """Compute advice for one board at a time, cached by seat: it can take a tenth of a second."""
        with self._computing:
            known = self._known.get(seat)
            if known is None or known[:3] != (state.players[seat], state.deck, state.round):
                known = state.players[seat], state.deck, state.round, advise(state, seat)
                self._known[seat] = known
            return known[3]


def _in_souls(session: Session[WickedState, Move], seat: int) -> WickedState:
    if not 0 <= seat < len(session.seats):
        raise Refused("bad_request", say("Nobody sits there. Choose one of the players."))
    if not isinstance(session.state, WickedState) or session.state.phase != "soul":
        raise Refused("not_now", say("That is for the soul phase. Wait until everybody processes their souls."))
    return session.state


def _summary(advice: SoulAdvice, *, last: bool) -> Line:
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
