"""The game that a table plays now, secrets included, and what each viewer may know of it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Generic

from companion.games.game import OVER, Game, Score, Stage, Step, Viewer
from companion.session import Played, Timeline
from companion.session.entries import M
from companion.session.timeline import S
from companion.table.points_by_round import points_at_start, points_by_round
from companion.table.views import Chronicle, GameView, HistoryLine, Option, SeatView


@dataclass(frozen=True, slots=True)
class RunningGame(Generic[S, M]):
    """The game after journal entry `number`, secrets included; screens get only what `view_for` returns."""

    id: str
    """Id of the saved game."""
    timeline: Timeline[S, M]
    """Its entries, moves and states."""
    _views: dict[Viewer, GameView] = field(default_factory=dict, repr=False, compare=False)
    """Views that were made, by viewer."""

    @property
    def record(self) -> Game[S, M, Any]:
        """The rules of the game that is played."""
        return self.timeline.game

    @property
    def number(self) -> int:
        """Number of the state: the count of journal entries."""
        return len(self.timeline.entries)

    @property
    def state(self) -> S:
        """The present state."""
        return self.timeline.state

    @property
    def stage(self) -> Stage:
        """Phase and round of the present state."""
        return self.record.stage(self.state)

    @property
    def steps(self) -> tuple[Step[S, M], ...]:
        """The moves that count (were not undone), with the states before and after each."""
        return self.timeline.steps

    @property
    def seats(self) -> tuple[SeatView, ...]:
        """The players by seat."""
        return tuple(SeatView(seat.name, seat.figure) for seat in self.timeline.started.seats)

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(seat.name for seat in self.timeline.started.seats)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """Seats that have to move before the game goes on."""
        return self.record.to_move(self.state)

    @property
    def scores(self) -> tuple[Score, ...]:
        """Scores by seat as if the game ended now."""
        return self.record.final_scores(self.state)

    @property
    def history(self) -> tuple[HistoryLine, ...]:
        """The moves that were not undone, each described without what is secret from anybody at the table."""
        return self.view_for(None).history

    def view_for(self, viewer: Viewer) -> GameView:
        """Return what a viewer may know of the game."""
        viewer = viewer if self.record.secrets == "seats" else None
        if viewer not in self._views:
            self._views[viewer] = self._view(viewer)
        return self._views[viewer]

    def options(self, seat: int, viewer: Viewer = None) -> tuple[Option, ...]:
        """Return the moves that the player at a seat may make now, without those that the viewer may not know."""
        return options_of(self.record, self.state, self.state, seat, self.names, viewer)

    def shows(self, moves: Sequence[M], viewer: Viewer) -> bool:
        """Return whether a viewer may know all of these proposed moves, made one after the other from now on."""
        state = self.state
        for number, move in enumerate(moves, self.number + 1):
            after = self.record.apply(state, move)
            if not self.record.evidence_visible(Step(number, move, state, after), self.state, viewer):
                return False
            state = after
        return True

    def _view(self, viewer: Viewer) -> GameView:
        record, state = self.record, self.state
        return GameView(
            id=self.id,
            number=self.number,
            game=record.id,
            title=record.title,
            seats=self.seats,
            stage=self.stage,
            view=record.view(state, viewer),
            waiting_for=self.waiting_for,
            scores=self.scores,
            history=tuple(self._line(step, viewer) for step in self.steps),
            chronicle=Chronicle(
                points_at_start(record, self.steps, state),
                points_by_round(record, self.steps, state),
                record.statistics(self.steps, state, viewer),
            ),
        )

    def _line(self, step: Step[S, M], viewer: Viewer) -> HistoryLine:
        entry = self.timeline.entries[step.number - 1]
        concurrent = self.record.concurrent_owner(step.move) is not None
        return HistoryLine(
            step.number,
            self.record.describe(step, self.state, self.names, viewer),
            getattr(step.move, "type", ""),
            isinstance(entry, Played) and entry.evidence and self.record.evidence_visible(step, self.state, viewer),
            self.record.actor(step.move),
            not concurrent and len(self.record.to_move(step.before)) == 1,
        )


def options_of(
    record: Game[S, M, Any], state: S, now: S, seat: int, names: tuple[str, ...], viewer: Viewer = None
) -> tuple[Option, ...]:
    """Return the moves that the player at a seat may make in a state, without those that the viewer may not know.

    record: the rules of the game. now: the present state, by which the viewer knows more than by an earlier one.
    names: of the players, by seat.
    """
    steps = (Step(0, move, state, record.apply(state, move)) for move in record.legal_moves(state, seat))
    return tuple(
        Option(step.move, record.describe(step, now, names, viewer))
        for step in steps
        if record.evidence_visible(step, now, viewer)
    )


def may_see_picture(timeline: Timeline[S, M], entry: int, viewer: Viewer) -> bool:
    """Return whether a viewer may see the picture that is stored with the journal entry of this number.

    The picture of an undone entry is visible only if the game has no secrets or is over.
    """
    record, state = timeline.game, timeline.state
    step = next((step for step in timeline.steps if step.number == entry), None)
    if step is None:
        return record.secrets == "none" or record.stage(state).phase == OVER
    return record.evidence_visible(step, state, viewer)
