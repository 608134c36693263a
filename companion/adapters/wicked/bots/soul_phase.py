"""The bots' soul phases: they move tokens on the simulated boards and wait until the camera has read them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from calibration.wording import Line, say
from companion.adapters.wicked.bots.choices import bot_move
from companion.games.game import IllegalMove
from companion.games.wicked import Move, apply
from companion.games.wicked.game import WICKED
from companion.games.wicked.moves import FinishSoul, acting_player
from companion.games.wicked.rules.soul_phase import finish
from companion.games.wicked.state import Player, State
from companion.table import Table
from companion.table.played_game import PlayedGame, options_of
from companion.table.views import QuestionView, TableView

ANSWER_SECONDS, CONFIRM_SECONDS = 1.5, 1.0
"""Seconds of play time until a bot answers a question, and until it confirms a certain reading."""
MAX_UNREAD_SECONDS = 20.0
"""Seconds of real time for which finished boards may stay unread before their moves are entered by hand."""


@dataclass(frozen=True)
class SimulatedBoards:
    """The true boards during a soul phase, ahead of the journal until they are read."""

    number: int
    """Number of the journal's state from which the moves start."""
    begun: State
    """The journal's state with that number."""
    state: State
    """The true state now; a player who has finished is only marked, so the round does not end."""
    moves: tuple[Move, ...] = ()
    """All bots' moves since then, in order."""

    @property
    def unfinished(self) -> tuple[int, ...]:
        """The seats that still act."""
        return tuple(seat for seat, player in enumerate(self.state.players) if not player.finished)

    def after(self, move: Move) -> SimulatedBoards:
        """Return the boards after a move."""
        if isinstance(move, FinishSoul):
            state = _with(self.state, move.player, finish(self.state.players[move.player]))
        else:
            state = apply(self.state, move)
        return replace(self, state=state, moves=(*self.moves, move))

    def rebased(self, number: int, state: State) -> SimulatedBoards:
        """Return the boards on top of a later journal state; players whom it has changed are taken from it."""
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

    def choices(self, questions: Sequence[QuestionView]) -> tuple[int | None, ...]:
        """Return the index of the true choice of each question; None where none is true."""
        return tuple(self._choice(one) for one in questions)

    def is_true_of(self, state: State) -> bool:
        """Return whether the boards of a state equal the true ones."""
        return all(map(Player.has_same_board_as, self.state.players, state.players))

    def _choice(self, question: QuestionView) -> int | None:
        if question.seat is None:
            return None
        for number, choice in enumerate(question.choices):
            state = self.begun
            try:
                for move in choice.moves:
                    state = apply(state, move)
            except IllegalMove:
                continue
            if state.players[question.seat].has_same_board_as(self.state.players[question.seat]):
                return number
        return None


@dataclass
class SoulPlay:
    """Plays soul phases on the boards, waits for the reading, and answers its questions."""

    table: Table
    boards: SimulatedBoards | None = None
    phases: int = 0
    """Soul phases played."""
    answers: int = 0
    """Questions that the bots answered."""
    corrections: int = 0
    """Phases that were entered wrongly without a question, and corrected."""
    unread: int = 0
    """Phases that were not read and therefore entered by hand."""
    played: list[Move] = field(default_factory=list)
    """Moves of all phases that were read correctly."""
    _shown_at: float | None = None
    _seen: tuple[str, float] | None = None

    def concerns(self, state: State) -> bool:
        """Return whether a state is in a phase that is played here."""
        return state.phase == "soul"

    def reset(self) -> None:
        """Discard the boards: another game begins, or the camera cannot read."""
        self.boards, self._shown_at, self._seen = None, None, None

    def follow(self, game: PlayedGame) -> None:
        """Adopt what players have entered in the journal since the last call."""
        if self.boards is None:
            self.boards = SimulatedBoards(game.number, game.state, game.state)
        elif self.boards.number != game.number:
            self.boards = self.boards.rebased(game.number, game.state)
            self._seen = None

    def act(self, names: Sequence[str], rng: random.Random) -> Line | None:
        """Play one bot's next move on its board and return a line about it; None once all have finished."""
        if self.boards is None or not self.boards.unfinished:
            return None
        seat = rng.choice(self.boards.unfinished)
        state = self.boards.state
        self.boards = self.boards.after(bot_move(state, seat, options_of(WICKED, state, seat, tuple(names)), rng))
        return say("{name} processes the souls.", name=names[seat])

    def wait(self, view: TableView, now: float, clock: float) -> None:
        """Wait for the reading; answer it, or help. now: play time; clock: real time, seconds."""
        boards, proposal = self.boards, view.proposal
        if boards is None:
            return
        if self._shown_at is None:
            self._shown_at = clock
        choices = () if proposal is None else boards.choices(proposal.questions)
        if proposal is None or proposal.number != boards.number or None in choices or not choices:
            busy = view.comparison is not None and view.comparison.reading
            if clock - self._shown_at > MAX_UNREAD_SECONDS and not busy:
                self._help(boards)
            return
        if self._seen is None or self._seen[0] != proposal.id:
            self._seen = proposal.id, now
        elif now >= self._seen[1] + (CONFIRM_SECONDS if proposal.certain and not proposal.held else ANSWER_SECONDS):
            self.answers += not proposal.certain
            self.table.proposals.accept(proposal.id, choices, boards.number)

    def compare(self, game: PlayedGame) -> Line | None:
        """Correct the journal if it differs from the true boards after a phase; return a line if it did."""
        boards = self.boards
        if boards is None:
            return None
        self.phases += 1
        if not boards.is_true_of(game.state):
            self.corrections += 1
            self._take_back(game.number - boards.number)
            self._enter(boards)
            self.reset()
            return say("A wrong reading is corrected.")
        self.played += boards.moves
        self.reset()
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
