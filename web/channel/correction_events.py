"""The events that correct earlier moves: list alternatives, preview a correction, make it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from calibration.translatable import say
from companion.session import Change, InsertedMove, Revision
from companion.table.history.correction_service import CorrectionService
from companion.table.views import Refused
from web.channel.commands import GameCommand, MoveData, Number
from web.channel.move_validation import parse_move
from web.channel.router import CommandRouter
from web.table_interface import RunningTable

_MAX_MOVES = 64
"""Moves that one correction may change; a whole game has fewer."""


class EarlierChange(BaseModel):
    """A replacement for the move of a journal entry."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    entry: Number
    """Number of the journal entry."""
    move: MoveData | None
    """The new move; None removes it."""


class LateChoice(BaseModel):
    """A move to insert after a journal entry."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    after: Number
    """Number of the journal entry."""
    move: MoveData
    """The move."""


class OpenMove(GameCommand):
    """Request an earlier move and its legal alternatives."""

    entry: Number


class PreviewRevision(GameCommand):
    """Request the consequences of a correction, without making it."""

    changes: Annotated[tuple[EarlierChange, ...], Field(min_length=1, max_length=_MAX_MOVES)]
    choices: Annotated[tuple[LateChoice, ...], Field(max_length=_MAX_MOVES)] = ()


class Revise(PreviewRevision):
    """Make a correction as previewed. dropped: later entries that it removes; refused if it would remove others."""

    dropped: Annotated[tuple[Number, ...], Field(max_length=_MAX_MOVES)] = ()


def add_correction_events(
    router: CommandRouter, table: RunningTable, check_state: Callable[[GameCommand], None]
) -> None:
    """Register the events that correct earlier moves.

    check_state: raises `Refused` for a command for another state.
    """

    def corrections() -> CorrectionService:
        if table.corrections is None:
            raise Refused("not_now", say("This table stores no earlier moves, so none can be corrected."))
        return table.corrections

    @router.on("open_move", OpenMove)
    def _open(command: OpenMove) -> object:
        check_state(command)
        return corrections().earlier_move(command.entry, command.at)

    @router.on("preview_revision", PreviewRevision)
    def _preview(command: PreviewRevision) -> object:
        check_state(command)
        return corrections().what_if(_changes(table, command), _choices(table, command), command.at)

    @router.on("revise", Revise)
    def _revise(command: Revise) -> None:
        check_state(command)
        corrections().correct(
            Revision(_changes(table, command), command.dropped, _choices(table, command)), command.at
        )


def _changes(table: RunningTable, command: PreviewRevision) -> tuple[Change, ...]:
    return tuple(
        Change(change.entry, None if change.move is None else parse_move(table, change.move))
        for change in command.changes
    )


def _choices(table: RunningTable, command: PreviewRevision) -> tuple[InsertedMove, ...]:
    return tuple(InsertedMove(choice.after, parse_move(table, choice.move)) for choice in command.choices)
