"""Computes from journal entries the moves that count, in order, and the states that they lead to. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from typing_extensions import TypeVar

from calibration.translatable import say
from companion.games.game import OVER, Game, IllegalMove, Step
from companion.session.entries import Entry, M, Played, Revised, Started, Supplied, U, Undone, moves_in
from companion.session.errors import NoSuchEntry

S = TypeVar("S", default=Any)
"""A game's state; any, where code serves all games."""


@dataclass(frozen=True, slots=True)
class Timeline(Generic[S, M]):
    """A game as the result of its journal entries. Immutable: `after` returns the next timeline."""

    game: Game[S, M, Any]
    """The rules."""
    started: Started
    """The first entry."""
    entries: tuple[Entry[M], ...]
    """All entries, the first one included."""
    start: S
    """State before the first move."""
    steps: tuple[Step[S, M], ...] = ()
    """The moves that count, in order of play."""

    @classmethod
    def begin(cls, game: Game[S, M, U], started: Started[U]) -> Timeline[S, M]:
        """Return the timeline of an opening entry. Raises ValueError where its seats or setup are impossible."""
        figures = tuple(seat.figure for seat in started.seats)
        return cls(game, started, (started,), game.new_game(figures, started.setup))

    @property
    def state(self) -> S:
        """The state after the last entry."""
        return self.steps[-1].after if self.steps else self.start

    @property
    def hides_something(self) -> bool:
        """Whether some seat's view of the state differs from the spectators' view."""
        if self.game.secrets == "none" or self.game.stage(self.state).phase == OVER:
            return False
        shown: object = self.game.view(self.state, None)
        return any(self.game.view(self.state, seat) != shown for seat in range(len(self.started.seats)))

    @property
    def journal_hides_something(self) -> bool:
        """Whether the entries hold what one seat may know and spectators may not, in moves that were undone, too.

        What a game hides from the whole table, such as a shuffled pile, is in the journal as a seed alone.
        """
        if self.game.secrets != "seats" or self.game.stage(self.state).phase == OVER:
            return False
        moves = (Step(one.number, move, self.state, self.state) for one in self.entries for move in moves_in(one))
        return self.hides_something or not all(self.game.evidence_visible(one, self.state, None) for one in moves)

    def after(self, entry: Entry[M]) -> Timeline[S, M]:
        """Return the timeline with one more entry.

        Raises IllegalMove where a move that counts would break the rules, NoSuchEntry where the entry refers to an
        entry that does not exist or count.
        """
        match entry:
            case Played():
                step = Step(entry.number, entry.move, self.state, self.game.apply(self.state, entry.move))
                return replace(self, entries=(*self.entries, entry), steps=(*self.steps, step))
            case Undone():
                self._check_undoable(entry.entry)
            case Supplied():
                return replace(self, entries=(*self.entries, entry))
            case Revised():
                self._check_revision(entry)
            case Started():
                raise NoSuchEntry(say("A game begins only once."))
        entries = (*self.entries, entry)
        return replace(self, entries=entries, steps=self._replay(counting_moves(entries)))

    def latest_undoable(self) -> int:
        """Return the entry number of the latest move or correction that counts. Raises NoSuchEntry."""
        moves, corrections = _moves_and_corrections(self.entries)
        undoable = {*moves, *corrections} - {entry.number for entry in self.entries if isinstance(entry, Supplied)}
        if undoable:
            return max(undoable)
        raise NoSuchEntry(say("There is nothing to undo: the game has only just begun."))

    def applies(self, correction: Revised[M]) -> bool:
        """Return whether a correction among the entries has an effect: it is not undone, and its move counted."""
        return correction.number in _moves_and_corrections(self.entries)[1]

    def check_not_corrected_with_others(self, number: int) -> None:
        """Raise IllegalMove if a move was corrected together with others, which its undo would change as well.

        number: of the move's entry.
        """
        for entry in self.entries:
            if isinstance(entry, Revised) and entry.entry == number and not entry.alone and self.applies(entry):
                raise IllegalMove(say("This move was corrected together with others. Undo that correction first."))

    def _check_undoable(self, number: int) -> None:
        """Raise NoSuchEntry where the entry of this number cannot be undone."""
        if not 2 <= number <= len(self.entries):
            raise NoSuchEntry(say("There is no entry {number} that could be undone.", number=number))
        if number in _undone_numbers(self.entries):
            raise NoSuchEntry(say("Entry {number} is undone already.", number=number))

    def _check_revision(self, entry: Revised[M]) -> None:
        """Raise NoSuchEntry if a correction is not applicable.

        That is, if it changes a move that does not count, or inserts an entry that was not supplied for that.
        """
        counts = {step.number for step in self.steps}
        for number in (*(change.entry for change in entry.changes), *entry.dropped):
            if number not in counts:
                raise NoSuchEntry(
                    say("Entry {number} is not a move that counts, so it cannot be corrected.", number=number)
                )
        for number in entry.supplied:
            supplied = self.entries[number - 1] if 1 <= number <= len(self.entries) else None
            if not isinstance(supplied, Supplied) or number in counts or supplied.after not in (1, *counts):
                raise NoSuchEntry(say("Entry {number} is not a move that could be inserted here.", number=number))

    def _replay(self, moves: Mapping[int, M]) -> tuple[Step[S, M], ...]:
        """Return the steps that these moves lead to. moves: by entry number, in order of play.

        The present steps are reused up to the first difference.
        """
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
                after = self.game.apply(state, move)
            except IllegalMove as error:
                if place == 0 and move != self._counting_move(number):
                    raise
                raise IllegalMove(
                    say("Entry {number} would become illegal: {error}", number=number, error=error)
                ) from None
            steps.append(Step(number, move, state, after))
            state = after
        return tuple(steps)

    def _counting_move(self, number: int) -> M | None:
        """Return the move that counts for the entry of this number, or None."""
        return next((step.move for step in self.steps if step.number == number), None)


def counting_moves(entries: Sequence[Entry[M]]) -> dict[int, M]:
    """Return the moves that count, as corrected and without undone ones, by entry number, in order of play."""
    return _moves_and_corrections(entries)[0]


def _moves_and_corrections(entries: Sequence[Entry[M]]) -> tuple[dict[int, M], frozenset[int]]:
    """Return the moves that count, as `counting_moves` does, and the entry numbers of corrections with an effect.

    A correction has none once its move does not count any more.
    """
    undone = _undone_numbers(entries)
    order: list[tuple[int, M]] = []
    corrections = set[int]()
    for entry in entries:
        if entry.number in undone:
            continue
        if isinstance(entry, Played):
            order.append((entry.number, entry.move))
        elif isinstance(entry, Revised) and any(number == entry.entry for number, _ in order):
            moves = {change.entry: change.move for change in entry.changes}
            supplied = [entries[number - 1] for number in entry.supplied if number not in undone]
            order = _revised_order(order, moves | dict.fromkeys(entry.dropped), supplied)
            corrections.add(entry.number)
    return dict(order), frozenset(corrections)


def _revised_order(
    order: Sequence[tuple[int, M]], moves: Mapping[int, M | None], supplied: Sequence[Entry[M]]
) -> list[tuple[int, M]]:
    """Return the (entry number, move) pairs that count after a correction, in order of play.

    order: pairs before it. moves: new moves by entry number; None removes the move. supplied: entries with moves to
    insert.
    """
    revised: list[tuple[int, M]] = []
    for number, move in ((1, None), *order):
        now = moves.get(number, move)
        if now is not None:
            revised.append((number, now))
        revised.extend(
            (one.number, one.move) for one in supplied if isinstance(one, Supplied) and one.after == number
        )
    return revised


def _undone_numbers(entries: Sequence[Entry[M]]) -> set[int]:
    """Return the numbers of entries that an undo removed, unless that undo was undone itself."""
    undone: set[int] = set()
    for entry in reversed(entries):
        if isinstance(entry, Undone) and entry.number not in undone:
            undone.add(entry.entry)
    return undone
