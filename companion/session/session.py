"""One game that is being played: its state in memory and its journal on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType

from calibration.wording import say
from companion import __version__
from companion.games.wicked import new_game
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Move
from companion.games.wicked.state import State
from companion.session.codec import ENTRY
from companion.session.concurrent_moves import only_others_since, owner_of_entry, owner_of_move
from companion.session.entries import Change, Entry, Played, Revised, Seat, Source, Stage, Started, Supplied, Undone
from companion.session.errors import DamagedJournal, Malformed, SessionError, StaleMove
from companion.session.journal import Journal, Row
from companion.session.replay import ReplayMismatch, replayed, timelines
from companion.session.revision import Choice, Revision, WhatIf, what_if
from companion.session.timeline import Step, Timeline

SUFFIX = ".journal"
"""Suffix of a saved game's file; the rest of the name is the game's id."""

_LONGEST_NAME = 40
"""Characters of a player's name."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Summary:
    """A saved game in a list, from its first and last entry."""

    id: str
    path: Path
    seats: tuple[Seat, ...]
    number: int
    """Number of entries."""
    started: datetime
    """Time of the first entry."""
    latest: datetime
    """Time of the last entry."""
    stage: Stage


class Session:
    """A game and its journal. A move is on the disk before `play` returns, and so before it is published.

    Thread-safe: commands are serialised. `number` is the count of journal entries; a command that names another one
    in `at` raises StaleMove and changes nothing. In the soul phase all players act at once: there a player's own
    move is also accepted where only others have moved since.
    """

    def __init__(self, journal: Journal, timeline: Timeline, clock: Callable[[], datetime] = _now) -> None:
        self._journal = journal
        self._timeline = timeline
        self._clock = clock
        self._mutex = threading.RLock()

    @classmethod
    def create(
        cls,
        path: str | Path,
        seats: Sequence[Seat],
        deck: Deck,
        seed: int | None = None,
        *,
        clock: Callable[[], datetime] = _now,
    ) -> Session:
        """Start a game in a new file; with a seed the engine shuffles and deals.

        Raises SessionError for impossible seats or where the file cannot be created.
        """
        check_seats(seats)
        try:
            state = new_game([seat.colour for seat in seats], deck, seed)
        except ValueError as error:
            raise SessionError(str(error)) from None
        started = Started(1, clock(), Stage.of(state), tuple(seats), deck, seed, __version__)
        journal = Journal.create(Path(path), [Row(ENTRY.to_json(started))])
        return cls._read(journal, clock)

    @classmethod
    def open(cls, path: str | Path, *, read_only: bool = False, clock: Callable[[], datetime] = _now) -> Session:
        """Open a saved game; `read_only` takes no lock.

        Raises JournalError: not a journal, newer, damaged, locked by another companion, unwritable.
        """
        return cls._read(Journal.open(Path(path), read_only=read_only), clock)

    @classmethod
    def _read(cls, journal: Journal, clock: Callable[[], datetime]) -> Session:
        try:
            return cls(journal, _replayed(journal), clock)
        except BaseException:
            journal.close()
            raise

    @staticmethod
    def peek(path: str | Path) -> Summary:
        """Return the summary of a saved game without replaying or locking it."""
        journal = Journal.open(Path(path), read_only=True)
        try:
            first, last = (_entry(journal, body) for body in journal.ends())
        finally:
            journal.close()
        if not isinstance(first, Started):
            raise DamagedJournal(journal.path, say("it does not begin with the start of a game"))
        return Summary(
            _id_of(journal.path), journal.path, first.seats, last.number, first.time, last.time, last.stage
        )

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._journal.path

    @property
    def id(self) -> str:
        """The file's name without its suffix."""
        return _id_of(self._journal.path)

    @property
    def started(self) -> Started:
        """The opening entry: seats, deck, seed, and which companion wrote it."""
        return self._timeline.started

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players by seat."""
        return self.started.seats

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def timeline(self) -> Timeline:
        """The game as the result of its entries."""
        return self._timeline

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries in order; entry n is at index n - 1."""
        return self._timeline.entries

    @property
    def number(self) -> int:
        """The state number: the count of entries."""
        return len(self._timeline.entries)

    @property
    def state(self) -> State:
        """The present state."""
        return self._timeline.state

    @property
    def steps(self) -> tuple[Step, ...]:
        """The moves that count, as corrected, each with the state before and after it."""
        return self._timeline.steps

    def timelines(self) -> Iterator[Timeline]:
        """Yield the timeline after each entry, undone and corrected ones included."""
        return timelines(self.entries)

    def play(
        self,
        move: Move,
        at: int | None = None,
        source: Source = "hand",
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] | None = None,
    ) -> int:
        """Enter a move, with the picture and the frames that it was read from; return the new state number.

        Raises IllegalMove, StaleMove or JournalError; then nothing has changed.
        """
        with self._mutex:
            self._check_at(at, owner_of_move(move))

            def played(number: int, stage: Stage) -> Entry:
                return Played(number, self._clock(), stage, move, source, evidence is not None)

            return self._append(played, evidence, stills or {})

    def undo(self, at: int | None = None, entry: int | None = None) -> int:
        """Undo the latest move or correction that counts, or the named entry; return the new state number.

        Repeated, it goes back to the start. Naming the entry of an undo reverts that undo. Raises IllegalMove where
        a later move would break the rules without it, NoSuchEntry, StaleMove or JournalError; then nothing has
        changed.
        """
        with self._mutex:
            self._check_at(at, None if entry is None else owner_of_entry(self.entries, entry))
            target = self._timeline.latest_undoable() if entry is None else entry
            return self._append(lambda number, stage: Undone(number, self._clock(), stage, target))

    def what_if(self, changes: Sequence[Change], choices: Sequence[Choice] = ()) -> WhatIf:
        """Return what a correction would change, without changing anything.

        Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry.
        """
        return what_if(self._timeline, changes, choices)

    def revise(self, entry: int, move: Move, at: int | None = None) -> int:
        """Replace the move of an entry that counts; later moves stay. Return the new state number.

        Raises IllegalMove with the first reason where it or a later move would break the rules, NoSuchEntry,
        StaleMove or JournalError; then nothing has changed.
        """
        return self.correct(Revision((Change(entry, move),)), at)

    def correct(self, revision: Revision, at: int | None = None) -> int:
        """Apply a correction: what it does not name stays. Return the new state number.

        Raises IllegalMove with the first reason where a move that counts would break the rules, NoSuchEntry,
        StaleMove or JournalError; then nothing that counts has changed.
        """
        with self._mutex:
            self._check_at(at)
            first, *also = revision.changes
            numbers = tuple(self.number + place for place in range(1, len(revision.choices) + 1))

            def supplied(choice: Choice) -> Callable[[int, Stage], Entry]:
                return lambda number, stage: Supplied(number, self._clock(), stage, choice.after, choice.move)

            def revised(number: int, stage: Stage) -> Entry:
                return Revised(
                    number, self._clock(), stage, first.entry, first.move, tuple(also), revision.dropped, numbers
                )

            makers = (*map(supplied, revision.choices), revised)
            tried = self._timeline
            for number, make in enumerate(makers, self.number + 1):
                tried = tried.after(make(number, Stage.of(tried.state)))
            # The others count through the last entry only: a power cut between them leaves the game as it was.
            for make in makers:
                self._append(make)
            return self.number

    def evidence(self, number: int) -> bytes | None:
        """Return the picture of an entry, or None where there is none or no such entry."""
        return self._journal.picture(number) if 1 <= number <= self.number else None

    def stills(self, number: int) -> dict[str, bytes]:
        """Return the camera's frames that an entry was read from, by name; none where none were stored."""
        return self._journal.stills(number)

    def export(self, target: str | Path) -> None:
        """Copy the game as it is to a new file, also in mid-game."""
        self._journal.copy_to(Path(target))

    def close(self) -> None:
        """Close the journal; the game can be opened again. Closing twice is harmless."""
        with self._mutex:
            self._journal.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_at(self, at: int | None, player: int | None = None) -> None:
        """Raise StaleMove for another state. player: whose board alone the command changes, where it does."""
        if at is None or at == self.number:
            return
        if player is None or not only_others_since(self.entries, at, player):
            raise StaleMove(at, self.number)

    def _append(
        self,
        make: Callable[[int, Stage], Entry],
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] = MappingProxyType({}),
    ) -> int:
        """Apply an entry to the timeline, write it with its stage, and only then accept the timeline."""
        number = self.number + 1
        tried = self._timeline.after(make(number, Stage.of(self.state)))
        entry = make(number, Stage.of(tried.state))
        self._journal.append(Row(ENTRY.to_json(entry), evidence, stills))
        self._timeline = replace(tried, entries=(*tried.entries[:-1], entry))
        return number


def check_seats(seats: Sequence[Seat]) -> None:
    """Raise SessionError for names that cannot be displayed."""
    for seat in seats:
        if not seat.name.strip() or len(seat.name) > _LONGEST_NAME or not seat.name.isprintable():
            raise SessionError(say("A name must have 1 to {most} ordinary characters.", most=_LONGEST_NAME))


def _id_of(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _entry(journal: Journal, body: str) -> Entry:
    try:
        return ENTRY.from_json(body)
    except Malformed as error:
        raise DamagedJournal(journal.path, say("an entry cannot be read ({error})", error=error)) from None


def _replayed(journal: Journal) -> Timeline:
    """Replay a whole journal. Raises DamagedJournal where its entries lead elsewhere than when played."""
    entries = [_entry(journal, body) for body in journal.bodies()]
    try:
        return replayed(entries)
    except ReplayMismatch as error:
        started = entries[0]
        if not isinstance(started, Started):
            raise DamagedJournal(journal.path, str(error)) from None
        raise DamagedJournal(
            journal.path,
            say(
                "entry {number}, written by version {version}, does not fit the rules here ({error})",
                number=error.number,
                version=started.version,
                error=error,
            ),
        ) from None
