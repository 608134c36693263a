"""A table whose view is as if a camera had read something, for pages to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from companion.games.game import Step
from companion.games.master.game import MASTER
from companion.games.master.moves import CountHoldings, LayBoard, Move, Shift, Stay, Walk
from companion.games.master.state import MasterState
from companion.table import Table
from companion.table.views import ChoiceView, ProposalView, QuestionView, SeatDoubt, TableView
from tests.companion.table.playing import game_of
from tests.web.browser.games.master.mazes import state_of


class Proposals:
    """Answers to a proposal, noted."""

    def __init__(self) -> None:
        self.accepted: list[tuple[int | None, ...]] = []
        self.dismissed: list[str] = []
        self.held: list[str] = []
        self.stated: list[dict[str, Any]] = []

    def accept(self, proposal: str, choices: tuple[int | None, ...], at: int) -> None:
        self.accepted.append(choices)

    def dismiss(self, proposal: str, at: int) -> None:
        self.dismissed.append(proposal)

    def hold(self, proposal: str, at: int) -> None:
        self.held.append(proposal)

    def state_thing(self, thing: dict[str, Any], at: int) -> None:
        self.stated.append(thing)


class ReadTable:
    """A table whose view is changed as a camera's reading would change it."""

    def __init__(self, table: Table, read: Callable[[TableView], TableView]) -> None:
        self._table, self._read = table, read
        self.proposals = Proposals()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    @property
    def view(self) -> TableView:
        return self._read(self._table.view)

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        return self._table.subscribe(lambda view: callback(self._read(view)))


def turns_of(table: Table, count: int) -> list[tuple[Move, ...]]:
    """Return turns that the camera might have read, each at another arrow."""
    state = state_of(table)
    found: dict[str, tuple[Move, ...]] = {}
    for shift in MASTER.legal_moves(state, state.mover):
        if isinstance(shift, Shift) and shift.arrow not in found:
            after = MASTER.apply(state, shift)
            ends = [one for one in MASTER.legal_moves(after, state.mover) if isinstance(one, (Walk, Stay))]
            found[shift.arrow] = (shift, ends[-1])
    return list(found.values())[:count]


def lines_of(table: Table, moves: tuple[Move, ...]) -> tuple[str, ...]:
    """Return moves as the table describes them."""
    state, lines = state_of(table), []
    for move in moves:
        step: Step[MasterState, Move] = Step(1, move, state, MASTER.apply(state, move))
        lines.append(str(MASTER.describe(step, step.after, game_of(table).names, None)))
        state = step.after
    return tuple(lines)


def proposed(
    table: Table, choices: Sequence[tuple[Move, ...]], doubts: tuple[SeatDoubt, ...]
) -> Callable[[TableView], TableView]:
    """Return a function that adds a proposal to a view."""
    shown = tuple(
        ChoiceView(moves, lines_of(table, moves), 0.6 / (1 + place)) for place, moves in enumerate(choices)
    )
    seat = None if isinstance(choices[0][0], (LayBoard, CountHoldings)) else state_of(table).mover
    question = QuestionView(seat, shown, doubts)
    proposal = ProposalView("p1", game_of(table).number, not doubts, bool(doubts), 2.5, (question,), due=False)

    def read(view: TableView) -> TableView:
        camera = replace(view.camera, state="needs_you", message="")
        return replace(view, camera=camera, proposal=proposal, settings=None)

    return read
