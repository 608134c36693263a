"""What a correction of earlier moves would change, computed before anything is changed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic

from calibration.translatable import say
from companion.games.game import IllegalMove, Step
from companion.session.entries import Change, M
from companion.session.errors import NoSuchEntry
from companion.session.timeline import S, Timeline


@dataclass(frozen=True, slots=True)
class InsertedMove(Generic[M]):
    """A move inserted into the game."""

    after: int
    """Number of the entry that it follows; 1 at the start of the game."""
    move: M
    """The move."""


@dataclass(frozen=True, slots=True)
class Revision(Generic[M]):
    """A complete correction: changed, removed and inserted moves; all others stay as they are."""

    changes: tuple[Change[M], ...]
    """Changed moves, the requested one first."""
    dropped: tuple[int, ...] = ()
    """Entries that do not count any more."""
    choices: tuple[InsertedMove[M], ...] = ()
    """Inserted moves, in the order of play."""


@dataclass(frozen=True, slots=True)
class Dropped(Generic[S, M]):
    """A later move that becomes illegal."""

    step: Step[S, M]
    """The move."""
    reason: str
    """Why it is illegal."""


@dataclass(frozen=True, slots=True)
class Blocked(Generic[S, M]):
    """A later move that becomes illegal and cannot be dropped: it has to be corrected, too."""

    step: Step[S, M]
    """The move."""
    before: S
    """The state that it would be made in."""
    reason: str
    """Why it is illegal."""


@dataclass(frozen=True, slots=True)
class WhatIf(Generic[S, M]):
    """The result of a correction, before it is made."""

    revision: Revision[M]
    """The correction: the requested changes, then those that follow by the rules; to be made if `complete`."""
    before: tuple[Step[S, M], ...]
    """The moves from the first changed one on, before the correction."""
    after: tuple[Step[S, M], ...]
    """The moves from the first changed one on, after the correction."""
    state: S
    """The state at the end of `after`."""
    last: int
    """Number of the entry after which the choices of `asked` are inserted."""
    followed: tuple[Change[M], ...] = ()
    """Changes of later moves that follow by the rules."""
    dropped: tuple[Dropped[S, M], ...] = ()
    """Moves that become illegal."""
    asked: tuple[int, ...] = ()
    """Seats that have to choose first, in `state`."""
    blocked: Blocked[S, M] | None = None
    """The move that has to be corrected, too."""

    @property
    def complete(self) -> bool:
        """Whether the correction can be made: nothing has to be chosen and no other move to be corrected first."""
        return not self.asked and self.blocked is None


def what_if(
    timeline: Timeline[S, M], changes: Sequence[Change[M]], choices: Sequence[InsertedMove[M]] = ()
) -> WhatIf[S, M]:
    """Return what a correction would change, by replaying the game with changed and inserted moves.

    changes: at least one; choices: moves to insert. A later move stays where it is legal; `Game.rebase` decides
    what becomes of one that is not. Raises IllegalMove where a change or choice itself breaks the rules,
    NoSuchEntry where there is no such move.
    """
    _check_correctable(timeline, changes)
    requested = {change.entry: change.move for change in changes}
    begin = next(
        place
        for place, step in enumerate(timeline.steps)
        if step.number in requested or any(choice.after == _entry_before(timeline, place) for choice in choices)
    )
    again = _Replay(timeline, begin, choices)
    again.insert_choices(_entry_before(timeline, begin))
    for step in timeline.steps[begin:]:
        if step.number not in requested:
            again.replay_step(step)
        elif (move := requested[step.number]) is not None:
            again.apply_move(step.number, move)
        if again.stopped:
            break
        again.insert_choices(step.number)
    if not again.stopped and again.waiting:
        raise NoSuchEntry(
            say(
                "Entry {after} no longer counts, so no move can be inserted after it.", after=again.waiting[0].after
            )
        )
    return again.result(changes, choices)


class _Replay(Generic[S, M]):
    """A replay of a game from a given step on, up to the first move that a person has to choose or correct."""

    def __init__(self, timeline: Timeline[S, M], begin: int, choices: Iterable[InsertedMove[M]]) -> None:
        self._game = timeline.game
        self._before = timeline.steps[begin:]
        self._state = self._before[0].before
        self._after: list[Step[S, M]] = []
        self._last = _entry_before(timeline, begin)
        self._followed: list[Change[M]] = []
        self._dropped: list[Dropped[S, M]] = []
        self._asked: tuple[int, ...] = ()
        self._blocked: Blocked[S, M] | None = None
        self.waiting = list(choices)

    @property
    def stopped(self) -> bool:
        """Whether the replay has met a move that a person has to choose or correct first."""
        return bool(self._asked) or self._blocked is not None

    def apply_move(self, number: int, move: M) -> None:
        """Apply a move, and record it under the number of its entry. Raises IllegalMove."""
        after = self._game.apply(self._state, move)
        self._after.append(Step(number, move, self._state, after))
        self._state, self._last = after, number

    def insert_choices(self, number: int) -> None:
        """Apply the moves that were chosen to be inserted after the entry of this number."""
        while self.waiting and self.waiting[0].after == number == self._last:
            self.apply_move(number, self.waiting.pop(0).move)

    def replay_step(self, step: Step[S, M]) -> None:
        """Replay an unchanged move; where it is illegal, apply what `Game.rebase` decides, or stop."""
        try:
            self.apply_move(step.number, step.move)
        except IllegalMove as error:
            self._resolve(step, str(error))

    def _resolve(self, step: Step[S, M], reason: str) -> None:
        """Apply what `Game.rebase` decides about a move that has become illegal. reason: why it is illegal."""
        rebased = self._game.rebase(self._state, step.move)
        asked = self._game.to_move(self._state) if rebased.result == "choice" else ()
        if rebased.result == "dropped":
            self._dropped.append(Dropped(step, reason))
        elif rebased.move is not None:
            self._followed.append(Change(step.number, rebased.move))
            self.apply_move(step.number, rebased.move)
        elif asked:
            self._asked = asked
        else:
            self._blocked = Blocked(step, self._state, reason)

    def result(self, changes: Sequence[Change[M]], choices: Sequence[InsertedMove[M]]) -> WhatIf[S, M]:
        """Return what the replay changed, dropped and could not decide, up to where it stopped."""
        followed, dropped = tuple(self._followed), tuple(self._dropped)
        return WhatIf(
            Revision((*changes, *followed), tuple(one.step.number for one in dropped), tuple(choices)),
            self._before,
            tuple(self._after),
            self._state,
            self._last,
            followed,
            dropped,
            self._asked,
            self._blocked,
        )


def _entry_before(timeline: Timeline[S, M], place: int) -> int:
    """Return the number of the entry before the step at this index; 1, the start, for the first step."""
    return timeline.steps[place - 1].number if place else 1


def _check_correctable(timeline: Timeline[S, M], changes: Sequence[Change[M]]) -> None:
    """Raise NoSuchEntry or IllegalMove if any of the changes is of a move that cannot be corrected."""
    by_number = {step.number: step for step in timeline.steps}
    if not changes:
        raise NoSuchEntry(say("No move was named that could be corrected."))
    for change in changes:
        step = by_number.get(change.entry)
        if step is None:
            raise NoSuchEntry(
                say("Entry {entry} is not a move that counts, so it cannot be corrected.", entry=change.entry)
            )
        if change.move is None and timeline.game.actor(step.move) is None:
            raise IllegalMove(say("A move of the whole table can be corrected, but not removed."))
