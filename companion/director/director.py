"""The director: shows hidden moves to the simulated camera and enters the bots' choices as taps."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from calibration.games import kit
from calibration.seats import Seating
from calibration.translatable import say
from companion.director.bot_interface import Bots
from companion.director.concurrent_bot_moves import ConcurrentPlay
from companion.director.hand_animation import FISTS_AT, from_seats, laid_at
from companion.director.move_shown_to_camera import ShownMove
from companion.director.reading_tally import ReadingTally
from companion.director.setup_scenes import setup_scene
from companion.games.game import IllegalMove
from companion.table import Table
from companion.table.running_game import RunningGame
from companion.table.views import DirectorView, ProposalView, Refused
from vision.cameras.simulated.scene import HandOnTable, Scene

SLOWEST, FASTEST = 0.25, 50.0
"""Allowed range of the speed, as a multiple of real time."""
_THINKING = 1.5
"""Play seconds until a question is answered."""
_TAPPING = 0.9
"""Play seconds between two moves that bots enter."""
_NOTICING = 1.2
"""Play seconds until a wrong entry is corrected."""
_CAMERA_START = 1.2
"""Real seconds without hands after the camera has started."""
_EMPTY_START = 0.6
"""Play seconds without hands at the start of a demonstration, for the camera's background picture."""
_CLEAR_TABLE = 0.7
"""Real seconds without hands between two shown moves."""
_NO_CAMERA = ("preparing", "no_camera")
"""Camera states without pictures."""
_SETUP = ("teaching", "paused")
"""Camera states in which a setup scene may be laid out."""
_NOT_READING = (*_NO_CAMERA, *_SETUP)
"""Camera states in which nothing is read."""
_TRUSTING = 2.5
"""Play seconds after which a certain proposal is accepted."""
_PATIENCE, _READING_PATIENCE = 6.0, 20.0
"""Real seconds until bots help with what was not read: normally, and while the tablet shows that it is reading."""


class Director:
    """Plays demonstrations of one game on the simulated table; whatever else is played there is left alone.

    It uses the table's game and the hidden moves, never the readings; `show` receives every scene. The state is
    taken from the table at each tick, so a move that a visitor undoes is shown again. setup: what the game's
    `Adapter.setup` returns; clock: monotonic seconds; seed: of all hidden moves and choices.
    """

    def __init__(
        self,
        table: Table,
        bots: Bots[Any, Any],
        setup: Any,
        show: Callable[[Scene], None],
        seed: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        speed: float = 1.0,
    ) -> None:
        self._table = table
        self._bots = bots
        self._show = show
        self._seed = seed
        self._clock = clock
        self._lock = threading.RLock()
        self._running = True
        self._stepping = False
        self._speed = speed
        self._now = 0.0
        self._last = clock()
        self._game_id: str | None = None
        self._games = 0
        self._key = ""
        self._act: ShownMove | None = None
        self._next_tap = 0.0
        self._doing = say("Waiting for a game.")
        self._played: list[Any] = []
        self._laid_out: Scene | None = None
        self.resting = False
        """Whether the camera has nothing to read: no demonstration is played."""
        self._setup_scenes = 0
        self.tally = ReadingTally()
        self._concurrent = ConcurrentPlay(table, bots)
        self._rng = random.Random(0)
        self._openings = (bots.opening(setup, f"{seed} demonstration {number}") for number in count(1))
        self._opening = next(self._openings)
        self._demonstrated: str | None = None
        self._over = False

    # Controls

    @property
    def view(self) -> DirectorView:
        """What the bots are doing, and how the moves that hands showed were read so far, for screens."""
        hands = self.tally.hands
        counts = hands.shown, hands.answers, hands.corrections, hands.unread
        return DirectorView(self._running, self._speed, self._doing, *counts, self._over)

    @property
    def shown(self) -> ShownMove | None:
        """The move that is being shown to the camera; None between two moves."""
        return self._act

    @property
    def truth(self) -> tuple[Any, ...]:
        """Moves that the simulated players made in this game, in order: shown to the camera or entered as taps."""
        return tuple(self._played)

    @property
    def concurrent(self) -> ConcurrentPlay:
        """What plays the phases in which all bots move at the same time, with counts of how they were read."""
        return self._concurrent

    def run(self, on: bool) -> None:
        """Start or pause the bots. on: whether they play from now on."""
        with self._lock:
            self._running, self._stepping = on, False
        self._table.publish()

    def step(self) -> None:
        """Play until the next move that hands show is entered, then pause."""
        with self._lock:
            self._running = self._stepping = True
        self._table.publish()

    def show_me(self, check: Callable[[], None]) -> None:
        """Start a game that demonstrates the bots: it starts in the middle of a round and ends with the round.

        check: called first, under the table's lock; may raise `Refused`, as this does if no game can start.
        """
        with self._lock, self._table.locked():
            check()
            _, moves = self._opening
            self._table.start_game(self._bots.seats, "demo", game=self._bots.game.id)
            for move in moves:
                if (game := self._table.view.game) is not None:
                    self._table.play(move, game.number, "bot")
            self._demonstrated = None if (game := self._table.view.game) is None else game.id
            self._running, self._stepping, self._speed, self._over = True, False, 1.0, False
            self.tally = ReadingTally()
        self._table.publish()

    def set_speed(self, speed: float) -> None:
        """Set the speed of the bots as a multiple of real time; readings take their own time."""
        if not SLOWEST <= speed <= FASTEST:
            raise Refused(
                "bad_request",
                say("The speed can be from {slowest} to {fastest}.", slowest=SLOWEST, fastest=f"{FASTEST:.0f}"),
            )
        with self._lock:
            self._speed = speed
        self._table.publish()

    def lay_out(self, what: str | None) -> None:
        """Show a setup scene instead of the game; None shows the game again.

        what: see `setup_scene`. Raises Refused for what is not in the game's box.
        """
        with self._lock:
            self._setup_scenes += 1
            box = kit(self._bots.game.id)
            try:
                self._laid_out = None if what is None else setup_scene(box, what, self._setup_scenes)
            except ValueError:
                raise Refused("bad_request", say("These pieces are not in the box of this game.")) from None

    # Playing

    def tick(self) -> None:
        """Do all that is due by now: choose, show, answer and enter moves; then show the scene to the camera."""
        with self._lock:
            now = self._clock()
            if self._running:
                self._now += (now - self._last) * self._speed
            self._last = now
            before = (self._doing, self._running, self.tally)
            setting_up = self._table.view.camera.state in _SETUP
            self.resting = False
            if self._laid_out is not None and setting_up:
                self._show(self._laid_out)
                return
            self._laid_out = None
            game, settings = self._table.view.game, self._table.view.settings
            if game is None or settings is None or settings.way != "demo" or game.record is not self._bots.game:
                self._doing = say("Waiting for a game.")
                self.resting = not setting_up
                self._show(self._bots.scene(self._opening[0], None, 0, ()))
                return
            if game.id != self._game_id:
                self._start_following(game)
            try:
                if self._running:
                    self._act_on(game, self._table.view.proposal)
            except Refused:
                # A visitor was quicker or stopped the bots: try again at the next tick.
                self._next_tap = self._now + _TAPPING
            self._show(self._scene(game))
            changed = before != (self._doing, self._running, self.tally)
        if changed:
            self._table.publish()

    def _start_following(self, game: RunningGame) -> None:
        self._game_id, self._games = game.id, self._games + 1
        # With a seed the n-th game of a run is always the same; without one every game has its own.
        self._key = game.id if self._seed is None else f"{self._seed} {self._games}"
        self._rng = random.Random(f"{self._key} choices")
        self._act, self._played = None, []
        self._next_tap = self._now + _EMPTY_START * (game.id == self._demonstrated)
        self._concurrent = ConcurrentPlay(self._table, self._bots, played=self._played)

    def _act_on(self, game: RunningGame, proposal: ProposalView | None) -> None:
        if not self._concurrent.contains(game.state) and (line := self._concurrent.compare(game)) is not None:
            self._doing = line
            return
        if game.id == self._demonstrated and self._bots.demonstration_over(game.state):
            self._doing = self._bots.demonstrated
            self._running, self._over, self._opening = False, True, next(self._openings)
            return
        if self._act is None:
            self._act = self._begin(game)
        if self._act is None:
            if not self._move_concurrently(game):
                self._choose(game)
            return
        act = self._act
        if act.taken_at is not None:
            self._finish(act)
        elif game.number != act.number:
            self._act = self._compared(act, game)
        else:
            self._check_reading(act, proposal)

    def _begin(self, game: RunningGame) -> ShownMove | None:
        hidden = self._bots.hidden_move(game.state, self._key)
        if hidden is None:
            return None
        if self._table.view.camera.state in _NO_CAMERA:
            # The first pictures become the background: no hand may be in them.
            self._next_tap = self._now + _CAMERA_START * self._speed
        if self._now < self._next_tap:
            return None
        self._doing = hidden.doing
        # A demonstration may start with hands: the first ones lie on the table already, and open.
        first = hidden.hands is not None and game.id == self._demonstrated and not self._played
        begun = self._now - FISTS_AT * first
        return ShownMove(hidden.moves, game.state, game.number, begun, hidden.hands, hidden.things, hidden.staging)

    def _check_reading(self, act: ShownMove, proposal: ProposalView | None) -> None:
        """Check once whether the shown move is read: answer or confirm, or help where it is not read in time."""
        if self._now < act.begun + act.length:
            return
        camera = self._table.view.camera.state
        if act.shown_at is None or camera in (*_NO_CAMERA, *_SETUP, "hindered"):
            self._act = replace(act, shown_at=self._clock())
        elif proposal is None or proposal.number != act.number:
            patience = _READING_PATIENCE if camera == "reading" else _PATIENCE
            if self._clock() - act.shown_at > patience:
                self._help(act)
        elif act.seen_at is None:
            self._act = replace(act, seen_at=self._now)
        elif proposal.certain and not proposal.held:
            if self._now >= act.seen_at + _TRUSTING:
                self._table.proposals.accept(proposal.id, (0,), act.number)
        elif not act.asked:
            self._act = replace(act, asked=True, seen_at=self._now)
        elif self._now >= act.seen_at + _THINKING:
            offered = [choice.moves for choice in proposal.questions[0].choices]
            true = [index for index, moves in enumerate(offered) if self._is_true(act, moves)]
            if true:
                self._table.proposals.accept(proposal.id, (true[0],), act.number)
            elif [move.type for move in offered[0]] == [act.moves[0].type] and len(act.moves) == 1:
                self._table.proposals.amend(proposal.id, act.moves[0], act.number)
            else:
                self._enter(act.moves, act.number)

    def _is_true(self, act: ShownMove, moves: Sequence[Any]) -> bool:
        """Return whether moves that a question offers lead to the state to which the shown move leads."""
        if tuple(moves) == act.moves:
            return True
        state = act.before
        try:
            for move in moves:
                state = self._bots.game.apply(state, move)
        except IllegalMove:
            return False
        return self._bots.is_entered(act.before, act.moves, state)

    def _enter(self, moves: Sequence[Any], at: int) -> None:
        """Enter moves by hand. at: number of the state that they start from."""
        for move in moves:
            self._table.play(move, at, "hand")
            game = self._table.view.game
            at = at if game is None else game.number

    def _help(self, act: ShownMove) -> None:
        """Help with a move that was not read: place the pieces in the hands anew once, then enter it by hand."""
        if act.showing is not None and act.helped == 0:
            rng = random.Random(f"{self._key} {act.number} anew")
            self._act = replace(act, showing=act.showing.shaken(rng), helped=1, shown_at=self._clock())
            return
        self._doing = say("It was not read, so somebody enters it by hand.")
        self._act = replace(act, helped=2)
        self._enter(act.moves, act.number)

    def _compared(self, act: ShownMove, game: RunningGame) -> ShownMove | None:
        """Compare the entry with the true move and correct it if it differs; return the updated shown move.

        None if the entry was undone meanwhile.
        """
        entry = next((line.number for line in reversed(game.history) if line.type == act.moves[0].type), 0)
        if entry <= act.number:
            return None  # A visitor undid something meanwhile: start again from the present state.
        if act.corrected or self._bots.is_entered(act.before, act.moves, game.state):
            self.tally = self.tally.with_move(act)
            lines = zip(game.steps, game.history, strict=True)
            self._played += [step.move for step, line in lines if line.number > act.number]
            leaving = None if act.showing is None else act.showing.leave(self._now - act.begun)
            return replace(act, taken_at=self._now, showing=leaving)
        for read in range(1, len(act.moves)):
            if self._bots.is_entered(act.before, act.moves[:read], game.state):
                # The first moves were read while the others were still being made.
                self._played += act.moves[:read]
                rest = replace(act, moves=act.moves[read:], before=game.state, number=game.number)
                return replace(rest, shown_at=None, seen_at=None, noticed_at=None)
        if act.noticed_at is None:
            return replace(act, noticed_at=self._now)
        if self._now < act.noticed_at + _NOTICING:
            return act
        self._doing = say("A wrong reading is corrected.")
        if len(act.moves) > 1:
            self._undo_to(act.number)
            self._enter(act.moves, self._table.view.game.number if self._table.view.game else act.number)
            return replace(act, corrected=True)
        try:
            self._table.revise(entry, act.moves[0], game.number)
        except Refused:
            # A later move depends on the wrong reading and is illegal after the true one.
            self._table.undo(game.number)
            return act
        return replace(act, corrected=True)

    def _undo_to(self, number: int) -> None:
        """Undo all moves that were entered after the state of this number."""
        while (game := self._table.view.game) is not None and any(line.number > number for line in game.history):
            self._table.undo(game.number)

    def _finish(self, act: ShownMove) -> None:
        """End the shown move if its hands have left, so that the next one can begin."""
        if act.showing is not None and not act.showing.gone(self._now - act.begun):
            return
        self._act = None
        self._next_tap = self._now + max(_TAPPING, _CLEAR_TABLE * self._speed)
        if self._stepping and act.by_hands:
            self._running = self._stepping = False
            self._doing = say("Stopped after this move.")

    def _move_concurrently(self, game: RunningGame) -> bool:
        """Advance a phase in which all bots move at once; return False if there is none or no camera reads it."""
        view, play = self._table.view, self._concurrent
        if not play.contains(game.state) or view.comparison is None or view.camera.state in _NOT_READING:
            play.reset()
            return False
        play.follow(game)
        if self._now < self._next_tap:
            return True
        names = [seat.name for seat in game.seats]
        if (done := play.act(names, self._rng)) is not None:
            self._doing = done
            self._next_tap = self._now + _TAPPING
        else:
            self._doing = say("Everybody is done, and the boards are read.")
            play.check_reading(view, self._now, self._clock())
        return True

    def _choose(self, game: RunningGame) -> None:
        """Enter a choice that is not shown to the camera, for one bot that has to move, if there is one."""
        if self._bots.hidden_move(game.state, self._key) is not None:
            return
        if not game.waiting_for:
            self._doing = say("The game is over.")
        if self._now < self._next_tap or not game.waiting_for:
            return
        seat = self._rng.choice(game.waiting_for)
        moves = self._bots.game.legal_moves(game.state, seat)
        if not moves or self._table.view.game is not game:
            return
        move = self._bots.choose(game.state, seat, moves, self._rng)
        self._doing = say("{name} chooses.", name=game.seats[seat].name)
        self._table.play(move, game.number, "bot")
        self._played.append(move)
        self._next_tap = self._now + _TAPPING

    def _scene(self, game: RunningGame) -> Scene:
        state, act = game.state, self._act
        if act is None:
            true = self._concurrent.true
            shown = true.state if true is not None and self._concurrent.contains(state) else state
            return self._bots.scene(shown, None, 0, ())
        time = self._now - act.begun
        if act.staging is not None:
            return act.staging.scene(time)
        hands: tuple[HandOnTable, ...] = () if act.showing is None else act.showing.at(time)
        angles = next(of for of in self._table.view.seatings if len(of) == len(game.seats))
        return self._bots.scene(state, act.moves[0], laid_at(act.things, time), from_seats(hands, Seating(angles)))
