"""Correcting earlier moves from a screen: what could be in a move's place, what that would change, and doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from calibration.wording import say
from companion.session import Change, Choice, Revision
from companion.table.history.correction_service import CorrectionService
from companion.table.views import Refused
from web.channel.commands import AnyMove, GameCommand, Number
from web.channel.enrolment import On
from web.running_table import RunningTable

_MOST = 64
"""Moves that one correction may touch; a whole game has fewer."""


class EarlierChange(BaseModel):
    """Another move for an entry; None takes it out."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    entry: Number
    move: AnyMove | None


class LateChoice(BaseModel):
    """A move that comes in after an entry."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    after: Number
    move: AnyMove


class OpenMove(GameCommand):
    """Ask for an earlier move, and for what could be in its place."""

    entry: Number


class PreviewRevision(GameCommand):
    """Ask what a correction would change."""

    changes: Annotated[tuple[EarlierChange, ...], Field(min_length=1, max_length=_MOST)]
    choices: Annotated[tuple[LateChoice, ...], Field(max_length=_MOST)] = ()


class Revise(PreviewRevision):
    """Make a correction, just as it was shown: nothing but what is named here changes or falls out."""

    dropped: Annotated[tuple[Number, ...], Field(max_length=_MOST)] = ()


def revising(on: On, table: RunningTable, check: Callable[[GameCommand], None]) -> None:
    """Put the commands that correct earlier moves on the channel.

    check: refuses what was made for another state.
    """

    def correcting() -> CorrectionService:
        if table.correcting is None:
            raise Refused("not_now", say("This table keeps no earlier moves, so none can be put right."))
        return table.correcting

    @on("open_move", OpenMove)
    def _open(command: OpenMove) -> object:
        check(command)
        return correcting().earlier_move(command.entry, command.at)

    @on("preview_revision", PreviewRevision)
    def _preview(command: PreviewRevision) -> object:
        check(command)
        return correcting().what_if(_changes(command), _choices(command), command.at)

    @on("revise", Revise)
    def _revise(command: Revise) -> None:
        check(command)
        correcting().correct(Revision(_changes(command), command.dropped, _choices(command)), command.at)


def _changes(command: PreviewRevision) -> tuple[Change, ...]:
    return tuple(Change(change.entry, change.move) for change in command.changes)


def _choices(command: PreviewRevision) -> tuple[Choice, ...]:
    return tuple(Choice(choice.after, choice.move) for choice in command.choices)
