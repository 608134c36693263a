"""What a correction of earlier moves would change, computed before anything is changed. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from calibration.wording import say
from companion.games.game import IllegalMove
from companion.games.wicked import apply, legal, waiting_for
from companion.games.wicked.moves import ChooseColours, Deal, KeepTokens, Lay, Move, Reveal
from companion.games.wicked.state import State
from companion.session.entries import Change
from companion.session.errors import NoSuchEntry
from companion.session.timeline import Step, Timeline


@dataclass(frozen=True, slots=True)
class Choice:
    """A move inserted right after the entry of that number (1: at the start of the game)."""

    after: int
    move: Move


@dataclass(frozen=True, slots=True)
class Revision:
    """A complete correction: nothing but what it names changes."""

    changes: tuple[Change, ...]
    """The requested one first."""
    dropped: tuple[int, ...] = ()
    """Entries that do not count any more."""
    choices: tuple[Choice, ...] = ()
    """Inserted moves, in the order of play."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """A later move that becomes illegal, and why."""

    step: Step
    reason: str


@dataclass(frozen=True, slots=True)
class Blocked:
    """A later move that becomes illegal and cannot be dropped: it has to be corrected, too."""

    step: Step
    before: State
    """The state that it would be made in."""
    reason: str


@dataclass(frozen=True, slots=True)
class WhatIf:
    """The result of a correction, before it is made."""

    revision: Revision
    """The correction to make, where `complete`: the requested changes, then those that follow by the rules."""
    before: tuple[Step, ...]
    """The moves from the first changed one on, as they are."""
    after: tuple[Step, ...]
    """The moves from the first changed one on, as they would be."""
    state: State
    """The state at the end of `after`."""
    last: int
    """The entry after which the choices of `asked` are inserted."""
    followed: tuple[Change, ...] = ()
    """Changes that follow by the rules."""
    dropped: tuple[Dropped, ...] = ()
    """Moves that become illegal."""
    asked: tuple[int, ...] = ()
    """Seats that have to choose first, in `state`."""
    blocked: Blocked | None = None
    """The move that has to be corrected, too."""

    @property
    def complete(self) -> bool:
        """Whether nothing has to be chosen or corrected first."""
        return not self.asked and self.blocked is None


def what_if(timeline: Timeline, changes: Sequence[Change], choices: Sequence[Choice] = ()) -> WhatIf:
    """Replay the game with changed moves and inserted choices.

    A later move stays where it is legal. A player's choice that becomes illegal is dropped, and a player with a new
    choice is asked. Where the rules allow only one reveal, the reveal follows. Raises IllegalMove where a change or
    choice itself breaks the rules, NoSuchEntry where there is no such move.
    """
    _check(timeline, changes)
    requested = {change.entry: change.move for change in changes}
    begin = next(
        place
        for place, step in enumerate(timeline.steps)
        if step.number in requested or any(choice.after == _before(timeline, place) for choice in choices)
    )
    again = _Replay(timeline, begin, choices)
    again.bring_in(_before(timeline, begin))
    for step in timeline.steps[begin:]:
        if step.number not in requested:
            again.stay(step)
        elif (move := requested[step.number]) is not None:
            again.make(step.number, move)
        if again.stopped:
            break
        again.bring_in(step.number)
    if not again.stopped and again.waiting:
        raise NoSuchEntry(
            say(
                "Entry {after} does not count any more, so nothing can come after it.", after=again.waiting[0].after
            )
        )
    return again.result(changes, choices)


class _Replay:
    """A game that is replayed from some step on, as far as it goes."""

    def __init__(self, timeline: Timeline, begin: int, choices: Iterable[Choice]) -> None:
        self._before = timeline.steps[begin:]
        self._state = self._before[0].before
        self._after: list[Step] = []
        self._last = _before(timeline, begin)
        self._followed: list[Change] = []
        self._dropped: list[Dropped] = []
        self._asked: tuple[int, ...] = ()
        self._blocked: Blocked | None = None
        self.waiting = list(choices)

    @property
    def stopped(self) -> bool:
        """Whether something has to be chosen or corrected first."""
        return bool(self._asked) or self._blocked is not None

    def make(self, number: int, move: Move) -> None:
        """Apply a move that has to be legal. Raises IllegalMove."""
        after = apply(self._state, move)
        self._after.append(Step(number, move, self._state, after))
        self._state, self._last = after, number

    def bring_in(self, number: int) -> None:
        """Insert the choices that come after this entry."""
        while self.waiting and self.waiting[0].after == number == self._last:
            self.make(number, self.waiting.pop(0).move)

    def stay(self, step: Step) -> None:
        """Keep a move where it is legal; otherwise drop it, let it follow, or stop there."""
        try:
            self.make(step.number, step.move)
        except IllegalMove as error:
            self._resolve(step, str(error))

    def _resolve(self, step: Step, reason: str) -> None:
        state, move = self._state, step.move
        chooses = not isinstance(move, (Deal, Lay, Reveal))
        at_a_corridor = isinstance(move, (ChooseColours, KeepTokens))
        if chooses and (at_a_corridor or state.phase != "gain"):
            self._dropped.append(Dropped(step, reason))
        elif state.phase in ("gain", "soul"):
            self._asked = waiting_for(state)
        elif isinstance(move, Reveal) and (forced := _only_reveal(state)) is not None:
            self._followed.append(Change(step.number, forced))
            self.make(step.number, forced)
        else:
            self._blocked = Blocked(step, state, reason)

    def result(self, changes: Sequence[Change], choices: Sequence[Choice]) -> WhatIf:
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


def _only_reveal(state: State) -> Reveal | None:
    """Return the one reveal that the rules allow; None where there are more or none is due."""
    hands = legal(state).hands
    return Reveal(tuple(each[0] for each in hands)) if hands and all(len(each) == 1 for each in hands) else None


def _before(timeline: Timeline, place: int) -> int:
    """Return the entry before the step at this index; 1, the start, for the first."""
    return timeline.steps[place - 1].number if place else 1


def _check(timeline: Timeline, changes: Sequence[Change]) -> None:
    by_number = {step.number: step for step in timeline.steps}
    if not changes:
        raise NoSuchEntry(say("No move was named that could be corrected."))
    for change in changes:
        step = by_number.get(change.entry)
        if step is None:
            raise NoSuchEntry(
                say("Entry {entry} is not a move that counts, so it cannot be corrected.", entry=change.entry)
            )
        if change.move is None and isinstance(step.move, (Deal, Lay, Reveal)):
            raise IllegalMove(say("What was laid or revealed can be corrected, but not taken out of the game."))
