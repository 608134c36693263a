"""Phases in which all bots move at the same time, and then wait until the camera has read the table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from calibration.translatable import Line, say
from companion.director.bot_interface import Bots, ConcurrentPhase
from companion.games.game import IllegalMove
from companion.table import Table
from companion.table.running_game import RunningGame
from companion.table.views import QuestionView, TableView

ANSWER_SECONDS, CONFIRM_SECONDS = 1.5, 1.0
"""Seconds of play time until a bot answers a question, and until it confirms a certain reading."""
MAX_UNREAD_SECONDS = 20.0
"""Seconds of real time for which finished moves may stay unread before they are entered by hand."""


@dataclass(frozen=True)
class TrueTable:
    """What lies on the simulated table in a phase in which all move; ahead of the journal until it is read."""

    bots: Bots[Any, Any]
    """The bots that play."""
    phase: ConcurrentPhase[Any, Any]
    """How the game's concurrent phase is played."""
    seats: int
    """Number of players."""
    number: int
    """Number of the journal's state from which the moves start."""
    begun: Any
    """The journal's state with that number."""
    state: Any
    """The true state now; it stays in the phase even when all players have finished."""
    moves: tuple[Any, ...] = ()
    """All bots' moves since then, in order."""

    @property
    def unfinished(self) -> tuple[int, ...]:
        """Seats of the players who have not finished the phase yet."""
        return self.phase.unfinished(self.state)

    def after(self, move: Any) -> TrueTable:
        """Return a copy of the table after a bot's move."""
        return replace(self, state=self.phase.apply(self.state, move), moves=(*self.moves, move))

    def rebased(self, number: int, state: Any) -> TrueTable:
        """Return a copy of the table that starts from a later journal state.

        number, state: of the journal. Players whose things changed in the journal meanwhile are as in that state,
        and their bots' moves are dropped.
        """
        own = [seat for seat in range(self.seats) if self.phase.is_unmoved(self.begun, state, seat)]
        moves = tuple(move for move in self.moves if self.bots.game.actor(move) in own)
        return replace(
            self, number=number, begun=state, state=self.phase.with_players(state, self.state, own), moves=moves
        )

    def choices(self, questions: Sequence[QuestionView]) -> tuple[int | None, ...]:
        """Return for each question the index of the choice that leads to the true table; None where none does."""
        return tuple(self._true_choice(one) for one in questions)

    def agrees_with(self, state: Any) -> bool:
        """Return whether all players' things lie on the true table as a state of the game has them."""
        return all(self.phase.looks_alike(self.state, state, seat) for seat in range(self.seats))

    def _true_choice(self, question: QuestionView) -> int | None:
        """Return the index of a question's choice that leads to the true table; None where none does."""
        if question.seat is None:
            return None
        for number, choice in enumerate(question.choices):
            state = self.begun
            try:
                for move in choice.moves:
                    state = self.bots.game.apply(state, move)
            except IllegalMove:
                continue
            if self.phase.looks_alike(state, self.state, question.seat):
                return number
        return None


@dataclass
class ConcurrentPlay:
    """Plays concurrent phases on the table, waits for the reading, and answers its questions."""

    table: Table
    """The table whose journal is compared."""
    bots: Bots[Any, Any]
    """The bots that play."""
    true: TrueTable | None = None
    """None outside of such a phase."""
    phases: int = 0
    """Number of phases played."""
    answers: int = 0
    """Number of questions that the bots answered."""
    corrections: int = 0
    """Number of phases that were entered wrongly without a question, and corrected."""
    unread: int = 0
    """Number of phases that were not read and therefore entered by hand."""
    played: list[Any] = field(default_factory=list)
    """Moves of all phases that were read correctly."""
    _shown_at: float | None = None
    """Real time, s, at which the wait for a reading began; None before that."""
    _seen: tuple[str, float] | None = None
    """Id of the waiting proposal, and the play time, s, at which it appeared."""

    def contains(self, state: Any) -> bool:
        """Return whether a state is in a phase in which all bots move at the same time."""
        return self.bots.concurrent is not None and self.bots.concurrent.contains(state)

    def reset(self) -> None:
        """Discard the true table, when another game begins or the camera cannot read."""
        self.true, self._shown_at, self._seen = None, None, None

    def follow(self, game: RunningGame) -> None:
        """Start the true table from the game's present state; later calls adopt what was entered meanwhile."""
        if self.bots.concurrent is None:
            return
        if self.true is None:
            self.true = TrueTable(
                self.bots, self.bots.concurrent, len(game.seats), game.number, game.state, game.state
            )
        elif self.true.number != game.number:
            self.true = self.true.rebased(game.number, game.state)
            self._seen = None

    def act(self, names: Sequence[str], rng: random.Random) -> Line | None:
        """Play the next move of a random bot on the true table; return a text for screens, None once all are done.

        names: of the players, by seat.
        """
        if self.true is None or not self.true.unfinished:
            return None
        seat = rng.choice(self.true.unfinished)
        state = self.true.state
        move = self.bots.choose(state, seat, self.bots.game.legal_moves(state, seat), rng)
        self.true = self.true.after(move)
        return self.true.phase.doing(names[seat])

    def check_reading(self, view: TableView, now: float, clock: float) -> None:
        """Check once whether the moves are read: answer or confirm the reading, or enter by hand what is not read.

        now: play time; clock: real time, seconds.
        """
        true, proposal = self.true, view.proposal
        if true is None:
            return
        if self._shown_at is None:
            self._shown_at = clock
        choices = () if proposal is None else true.choices(proposal.questions)
        if proposal is None or proposal.number != true.number or None in choices or not choices:
            busy = view.comparison is not None and view.comparison.reading
            if clock - self._shown_at > MAX_UNREAD_SECONDS and not busy:
                self._enter_unread(true)
            return
        if self._seen is None or self._seen[0] != proposal.id:
            self._seen = proposal.id, now
        elif now >= self._seen[1] + (CONFIRM_SECONDS if proposal.certain and not proposal.held else ANSWER_SECONDS):
            self.answers += not proposal.certain
            self.table.proposals.accept(proposal.id, choices, true.number)

    def compare(self, game: RunningGame) -> Line | None:
        """Compare the journal with the true table after a phase, and correct the journal where they differ.

        Returns a text for screens if it did, else None.
        """
        true = self.true
        if true is None:
            return None
        self.phases += 1
        if not true.agrees_with(game.state):
            self.corrections += 1
            self._undo_entries(game.number - true.number)
            self._enter_moves(true)
            self.reset()
            return say("A wrong reading is corrected.")
        self.played += true.moves
        self.reset()
        return None

    def _enter_unread(self, true: TrueTable) -> None:
        """Enter by hand the moves that were not read in time."""
        self.unread += 1
        self._enter_moves(true)
        self._shown_at = None

    def _enter_moves(self, true: TrueTable) -> None:
        for move in true.moves:
            game = self.table.view.game
            if game is not None:
                self.table.play(move, game.number, "hand")

    def _undo_entries(self, entries: int) -> None:
        """Undo the last moves. entries: their number."""
        for _ in range(entries):
            game = self.table.view.game
            if game is not None:
                self.table.undo(game.number)
