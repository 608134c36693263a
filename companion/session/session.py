"""One game that is being played: the state in memory, and the journal that makes it last."""

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
"""How a saved game's file name ends; what comes before is the game's id."""

_LONGEST_NAME = 40


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Summary:
    """What a list of saved games shows of one, read from its first and last entry."""

    id: str
    path: Path
    seats: tuple[Seat, ...]
    number: int
    started: datetime
    latest: datetime
    stage: Stage


class Session:
    """A game and its journal. A move is on the disk before `play` returns, and so before anybody hears of it.

    Safe to use from several threads: each command is done whole before the next one. `number` is the count of
    journal entries; a command that names another one in `at` raises StaleMove and changes nothing. In the soul
    phase all choose at once: there a player's own choice also counts where only others have chosen since.
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
        """Start a game in a new file; with a seed the engine shuffles and deals, without one the table does.

        Raises SessionError for seats that no game can have or where the file cannot be made.
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
        """Go on with a saved game where it was left; `read_only` only looks and takes no lock.

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
        """Read who plays and how far a saved game is, without replaying it or locking it."""
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
        """Who sits where."""
        return self.started.seats

    @property
    def names(self) -> tuple[str, ...]:
        """What the players are called, by seat."""
        return tuple(seat.name for seat in self.seats)

    @property
    def timeline(self) -> Timeline:
        """The game as its entries tell it."""
        return self._timeline

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that was ever entered, in order; entry n stands at index n - 1."""
        return self._timeline.entries

    @property
    def number(self) -> int:
        """The state number: how many entries there are."""
        return len(self._timeline.entries)

    @property
    def state(self) -> State:
        """The game as it stands."""
        return self._timeline.state

    @property
    def steps(self) -> tuple[Step, ...]:
        """The moves that still count, as corrected, each with the state before and after it."""
        return self._timeline.steps

    def timelines(self) -> Iterator[Timeline]:
        """Go through the game again entry by entry, undone and corrected ones too: what stood after each."""
        return timelines(self.entries)

    def play(
        self,
        move: Move,
        at: int | None = None,
        source: Source = "hand",
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] | None = None,
    ) -> int:
        """Make a move, with the picture and the frames that it was read from; returns the new state number.

        Raises IllegalMove, StaleMove or JournalError; then nothing has changed.
        """
        with self._mutex:
            self._check_at(at, owner_of_move(move))

            def played(number: int, stage: Stage) -> Entry:
                return Played(number, self._clock(), stage, move, source, evidence is not None)

            return self._append(played, evidence, stills or {})

    def undo(self, at: int | None = None, entry: int | None = None) -> int:
        """Take back the latest move or correction that still counts, or the named entry.

        Again and again it goes back to the start. Naming the entry of an undo takes that undo back. Returns
        the new state number. Raises IllegalMove where a later move would break the rules without it,
        NoSuchEntry, StaleMove or JournalError; then nothing has changed.
        """
        with self._mutex:
            self._check_at(at, None if entry is None else owner_of_entry(self.entries, entry))
            target = self._timeline.latest_undoable() if entry is None else entry
            return self._append(lambda number, stage: Undone(number, self._clock(), stage, target))

    def what_if(self, changes: Sequence[Change], choices: Sequence[Choice] = ()) -> WhatIf:
        """Tell what a correction would change, and change nothing.

        Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry.
        """
        return what_if(self._timeline, changes, choices)

    def revise(self, entry: int, move: Move, at: int | None = None) -> int:
        """Put another move in the place of an entry that counts; everything after it stands.

        Returns the new state number. Raises IllegalMove with the first reason where it or a later move would
        break the rules, NoSuchEntry, StaleMove or JournalError; then nothing has changed.
        """
        return self.correct(Revision((Change(entry, move),)), at)

    def correct(self, revision: Revision, at: int | None = None) -> int:
        """Change earlier moves just so: what it does not name stands. Returns the new state number.

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
            # Only the last one lets the others count: a power cut between them leaves the game as it was.
            for make in makers:
                self._append(make)
            return self.number

    def evidence(self, number: int) -> bytes | None:
        """Read the picture kept with an entry, or None where there is none or no such entry."""
        return self._journal.picture(number) if 1 <= number <= self.number else None

    def stills(self, number: int) -> dict[str, bytes]:
        """Read the camera's frames that an entry was read from, by name; none where none were kept."""
        return self._journal.stills(number)

    def export(self, target: str | Path) -> None:
        """Copy the game as it stands into a new file of its own, also in mid-game."""
        self._journal.copy_to(Path(target))

    def close(self) -> None:
        """Close the journal; the game can be opened again. Closing twice does no harm."""
        with self._mutex:
            self._journal.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_at(self, at: int | None, player: int | None = None) -> None:
        """player: whose board alone it is about that is done at that state, where it is about one."""
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
        """Try an entry on the timeline, write it with the stage that it led to, and only then take it on."""
        number = self.number + 1
        tried = self._timeline.after(make(number, Stage.of(self.state)))
        entry = make(number, Stage.of(tried.state))
        self._journal.append(Row(ENTRY.to_json(entry), evidence, stills))
        self._timeline = replace(tried, entries=(*tried.entries[:-1], entry))
        return number


def check_seats(seats: Sequence[Seat]) -> None:
    """Refuse names that no list could show. Raises SessionError."""
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
    """Read a whole journal; raises DamagedJournal where its entries do not lead where they led when played."""
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
