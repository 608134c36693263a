"""The soul phase as bots carry it out: tokens move on the boards, and nobody taps what the camera can see."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibration.wording import Line, say
from companion.adapters.wicked.boards.views import BoardSouls, BoardsView
from companion.adapters.wicked.bots.choices import considered
from companion.games.wicked import Move, apply
from companion.games.wicked.moves import FinishSoul, IllegalMove, acting_player
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.state import Player, State
from companion.table import Table
from companion.table.camera_view import options_of
from companion.table.views import GameView

THINKING, TRUSTING = 1.5, 1.0
"""Time of the play until somebody answers what the camera asks, or says yes to what it is sure of."""
PATIENCE = 20.0
"""Seconds of real time for which finished boards lie there unread, before people help."""


@dataclass(frozen=True)
class SimulatedBoards:
    """The boards as they truly are in a soul phase that the journal does not know of yet.

    number: the state that it began with, `begun`; state: as it is by now, where nobody's end of the phase has been
    played: who has finished is marked so. moves: what was done, in order.
    """

    number: int
    begun: State
    state: State
    moves: tuple[Move, ...] = ()

    @property
    def unfinished(self) -> tuple[int, ...]:
        """The seats that still do something."""
        return tuple(seat for seat, player in enumerate(self.state.players) if not player.finished)

    def after(self, move: Move) -> SimulatedBoards:
        """Carry a move out."""
        if isinstance(move, FinishSoul):
            state = _with(self.state, move.player, finish(self.state.players[move.player]))
        else:
            state = apply(self.state, move)
        return replace(self, state=state, moves=(*self.moves, move))

    def rebased(self, number: int, state: State) -> SimulatedBoards:
        """Go on from another state of the same phase: who was played for in the journal lies as it has them."""
        changed = {
            seat
            for seat, (then, now) in enumerate(zip(self.begun.players, state.players, strict=True))
            if then != now
        }
        players = tuple(
            now if seat in changed else true
            for seat, (true, now) in enumerate(zip(self.state.players, state.players, strict=True))
        )
        moves = tuple(move for move in self.moves if acting_player(move) not in changed)
        return SimulatedBoards(number, state, replace(state, players=players), moves)

    def choices(self, souls: Sequence[BoardSouls]) -> tuple[int | None, ...]:
        """Tell which of the offered choices is true, by seat; None where none is."""
        return tuple(self._choice(one) for one in souls)

    def is_true_of(self, state: State) -> bool:
        """Tell whether boards in the journal lie as they truly do."""
        return all(map(Player.lies_like, self.state.players, state.players))

    def _choice(self, souls: BoardSouls) -> int | None:
        for number, choice in enumerate(souls.choices):
            state = self.begun
            try:
                for move in choice.moves:
                    state = apply(state, move)
            except IllegalMove:
                continue
            if state.players[souls.seat].lies_like(self.state.players[souls.seat]):
                return number
        return None


@dataclass
class SoulPlay:
    """Plays soul phases on the boards, waits for them to be read, and answers what is asked.

    phases, answers, corrections, unread: how many were played; asked about; taken wrongly; entered by hand.
    """

    table: Table
    boards: SimulatedBoards | None = None
    phases: int = 0
    answers: int = 0
    corrections: int = 0
    unread: int = 0
    played: list[Move] = field(default_factory=list)
    _shown_at: float | None = None
    _seen: tuple[str, float] | None = None

    def begin_anew(self) -> None:
        """Forget what lies there: another game begins, or the camera cannot see."""
        self.boards, self._shown_at, self._seen = None, None, None

    def keep_up(self, game: GameView) -> None:
        """Take note of what was entered meanwhile."""
        if self.boards is None:
            self.boards = SimulatedBoards(game.number, game.state, game.state)
        elif self.boards.number != game.number:
            self.boards = self.boards.rebased(game.number, game.state)
            self._seen = None

    def act(self, names: Sequence[str], rng: random.Random) -> Line | None:
        """Carry out one bot's next move on its board; None once everybody is done."""
        if self.boards is None or not self.boards.unfinished:
            return None
        seat = rng.choice(self.boards.unfinished)
        state = self.boards.state
        self.boards = self.boards.after(considered(state, seat, options_of(state, seat, names), rng))
        return say("{name} sees to the souls.", name=names[seat])

    def wait(self, view: BoardsView, now: float, clock: float) -> None:
        """Wait for the boards to be read as they lie; answer, or help. now: of the play; clock: seconds."""
        boards = self.boards
        if boards is None:
            return
        if self._shown_at is None:
            self._shown_at = clock
        choices = boards.choices(view.souls)
        if not view.id or view.number != boards.number or None in choices or not choices:
            if clock - self._shown_at > PATIENCE and not view.reading:
                self._help(boards)
            return
        if self._seen is None or self._seen[0] != view.id:
            self._seen = view.id, now
        elif now >= self._seen[1] + (TRUSTING if view.certain and not view.held else THINKING):
            self.answers += not view.certain
            self.table.boards.take(view.id, choices, boards.number)

    def judged(self, game: GameView) -> Line | None:
        """The phase is over in the journal: put it right where that has it otherwise than it truly was."""
        boards = self.boards
        if boards is None:
            return None
        self.phases += 1
        if not boards.is_true_of(game.state):
            self.corrections += 1
            self._take_back(game.number - boards.number)
            self._enter(boards)
            self.begin_anew()
            return say("Somebody puts right what was read wrongly.")
        self.played += boards.moves
        self.begin_anew()
        return None

    def _help(self, boards: SimulatedBoards) -> None:
        self.unread += 1
        self._enter(boards)
        self._shown_at = None

    def _enter(self, boards: SimulatedBoards) -> None:
        for move in boards.moves:
            game = self.table.view.game
            if game is not None:
                self.table.play(move, game.number, "hand")

    def _take_back(self, entries: int) -> None:
        for _ in range(entries):
            game = self.table.view.game
            if game is not None:
                self.table.undo(game.number)


def _with(state: State, seat: int, player: Player) -> State:
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))
