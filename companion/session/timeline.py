"""What a list of entries amounts to: the moves that count, in order, and the state that they lead to. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.games.wicked import apply, new_game
from companion.games.wicked.moves import IllegalMove, Move
from companion.games.wicked.state import State
from companion.session.entries import Entry, Played, Revised, Started, Undone
from companion.session.errors import NoSuchEntry


@dataclass(frozen=True, slots=True)
class Step:
    """A move that counts, the played entry it stands in, and the state before and after it."""

    number: int
    move: Move
    before: State
    after: State


@dataclass(frozen=True, slots=True)
class Timeline:
    """A game as its entries tell it. `after` returns the next timeline and never changes this one."""

    started: Started
    entries: tuple[Entry, ...]
    start: State
    steps: tuple[Step, ...] = ()

    @classmethod
    def begin(cls, started: Started) -> Timeline:
        """Set the game up that an opening entry names."""
        colours = tuple(seat.colour for seat in started.seats)
        return cls(started, (started,), new_game(colours, started.deck, started.seed))

    @property
    def state(self) -> State:
        """The state after the last entry."""
        return self.steps[-1].after if self.steps else self.start

    def after(self, entry: Entry) -> Timeline:
        """Add one entry and replay what it changes.

        Raises IllegalMove where a move that counts would break the rules, NoSuchEntry where the entry names
        one that it cannot.
        """
        match entry:
            case Played():
                step = Step(entry.number, entry.move, self.state, apply(self.state, entry.move))
                return replace(self, entries=(*self.entries, entry), steps=(*self.steps, step))
            case Undone():
                self._check_undoable(entry.entry)
            case Revised():
                self._check_counts(entry.entry)
            case Started():
                raise NoSuchEntry("A game begins only once.")
        entries = (*self.entries, entry)
        return replace(self, entries=entries, steps=self._replay(standing(entries)))

    def latest_undoable(self) -> int:
        """Find what a plain undo takes back: the latest move or correction that still counts."""
        counts = {step.number for step in self.steps}
        undone = _undone(self.entries)
        for entry in reversed(self.entries):
            if entry.number in undone:
                continue
            if isinstance(entry, Played) or (isinstance(entry, Revised) and entry.entry in counts):
                return entry.number
        raise NoSuchEntry("There is nothing to undo: the game has only just begun.")

    def _check_undoable(self, number: int) -> None:
        if not 2 <= number <= len(self.entries):
            raise NoSuchEntry(f"There is no entry {number} that could be undone.")
        if number in _undone(self.entries):
            raise NoSuchEntry(f"Entry {number} is undone already.")

    def _check_counts(self, number: int) -> None:
        if number not in {step.number for step in self.steps}:
            raise NoSuchEntry(f"Entry {number} is not a move that counts, so it cannot be corrected.")

    def _replay(self, moves: Mapping[int, Move]) -> tuple[Step, ...]:
        """Apply moves by entry number; those before the first that differs from what counts now are kept."""
        kept = sum(
            1
            for _ in itertools.takewhile(
                lambda pair: (pair[0].number, pair[0].move) == pair[1], zip(self.steps, moves.items(), strict=False)
            )
        )
        steps = list(self.steps[:kept])
        state = steps[-1].after if steps else self.start
        for place, (number, move) in enumerate(itertools.islice(moves.items(), kept, None)):
            try:
                after = apply(state, move)
            except IllegalMove as error:
                if place == 0 and move != self._counting(number):
                    raise
                raise IllegalMove(f"Entry {number} would not be allowed any more: {error}") from None
            steps.append(Step(number, move, state, after))
            state = after
        return tuple(steps)

    def _counting(self, number: int) -> Move | None:
        return next((step.move for step in self.steps if step.number == number), None)


def standing(entries: Sequence[Entry]) -> dict[int, Move]:
    """Find the moves that count, by the number of their played entry, in the order of play."""
    undone = _undone(entries)
    latest: dict[int, Move] = {}
    for entry in entries:
        if isinstance(entry, Revised) and entry.number not in undone:
            latest[entry.entry] = entry.move
    return {
        entry.number: latest.get(entry.number, entry.move)
        for entry in entries
        if isinstance(entry, Played) and entry.number not in undone
    }


def _undone(entries: Sequence[Entry]) -> set[int]:
    """Find which entries do not count: backwards, each `Undone` that itself counts takes its entry out."""
    undone: set[int] = set()
    for entry in reversed(entries):
        if isinstance(entry, Undone) and entry.number not in undone:
            undone.add(entry.entry)
    return undone
