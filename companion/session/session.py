"""One game that is being played: its state in memory and its journal on disk."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any, Generic, TypeAlias

from calibration.translatable import say
from companion import __version__
from companion.games import UnknownGame
from companion.games.game import Game, Stage, Step
from companion.session.codec import codecs, entry_parser
from companion.session.correction_preview import InsertedMove, Revision, WhatIf, what_if
from companion.session.entries import Change, Entry, M, Played, Revised, Seat, Source, Started, Supplied, U, Undone
from companion.session.errors import DamagedJournal, Malformed, NewerJournal, SessionError, StaleMove
from companion.session.journal import Journal, Row
from companion.session.player_names import check_seats
from companion.session.replay import ReplayMismatch, replayed, timelines
from companion.session.stale_move_check import only_others_since, owner_of_entry
from companion.session.timeline import S, Timeline

SUFFIX = ".journal"
"""Suffix of a saved game's file; the rest of the name is the game's id."""

_EntryMaker: TypeAlias = Callable[[int, Stage], Entry[M]]
"""Function that returns an entry, given its number and the stage of the game after it."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Summary:
    """A saved game in a list, from its first and last entry."""

    id: str
    """Id of the saved game."""
    path: Path
    """Its journal."""
    game: str
    """Id of the game that is played."""
    seats: tuple[Seat, ...]
    """The players."""
    number: int
    """Number of entries."""
    started: datetime
    """Time of the first entry."""
    latest: datetime
    """Time of the last entry."""
    stage: Stage
    """How far the game is."""


class Session(Generic[S, M]):
    """A game and its journal. A move is on the disk before `play` returns, and so before it is published.

    Thread-safe: commands are serialised. `number` is the count of journal entries. A command for another state
    (`at`) raises StaleMove and changes nothing; but a move that affects no other player is accepted where only
    other players have moved since.
    """

    def __init__(self, journal: Journal, timeline: Timeline[S, M], clock: Callable[[], datetime] = _now) -> None:
        self._journal = journal
        self._timeline = timeline
        self._entry_codec = codecs(timeline.game).entry
        self._clock = clock
        self._mutex = threading.RLock()

    @classmethod
    def create(
        cls,
        path: str | Path,
        game: Game[S, M, U],
        seats: Sequence[Seat],
        setup: U,
        *,
        clock: Callable[[], datetime] = _now,
    ) -> Session[S, M]:
        """Start a game in a new file. Raises SessionError for impossible seats or where it cannot be created.

        setup: what the game begins with besides its players.
        """
        check_seats(seats)
        try:
            state = game.new_game([seat.figure for seat in seats], setup)
        except ValueError as error:
            raise SessionError(str(error)) from None
        started = Started(1, clock(), game.stage(state), game.id, tuple(seats), setup, __version__)
        journal = Journal.create(Path(path), [Row(codecs(game).entry.to_json(started))])
        with _closing_on_error(journal):
            return cls(journal, _replayed(journal, game, codecs(game).entry.from_json, journal.bodies()), clock)

    @classmethod
    def open(
        cls, path: str | Path, *, read_only: bool = False, clock: Callable[[], datetime] = _now
    ) -> Session[S, M]:
        """Open a saved game. read_only: take no lock and refuse commands.

        Raises JournalError for a file that is no journal, newer, damaged, locked by another companion, or
        unwritable.
        """
        journal = Journal.open(Path(path), read_only=read_only)
        with _closing_on_error(journal):
            bodies = journal.bodies()
            return cls(journal, _replayed(journal, *_parser_of(journal, bodies[0]), bodies), clock)

    @staticmethod
    def peek(path: str | Path) -> Summary:
        """Return the summary of a saved game without replaying or locking it."""
        journal = Journal.open(Path(path), read_only=True)
        try:
            opening, latest = journal.ends()
            _, parse = _parser_of(journal, opening)
            first, last = (_parse_entry(journal, parse, body) for body in (opening, latest))
        finally:
            journal.close()
        if not isinstance(first, Started):
            raise DamagedJournal(journal.path, say("it does not begin with the start of a game"))
        return Summary(
            _id_of(journal.path),
            journal.path,
            first.game,
            first.seats,
            last.number,
            first.time,
            last.time,
            last.stage,
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
    def game(self) -> Game[S, M, Any]:
        """The game that is played."""
        return self._timeline.game

    @property
    def started(self) -> Started:
        """The opening entry: game, seats, setup, and which companion wrote it."""
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
    def timeline(self) -> Timeline[S, M]:
        """The game after its last entry: moves that count and states."""
        return self._timeline

    @property
    def entries(self) -> tuple[Entry[M], ...]:
        """All entries in order; entry n is at index n - 1."""
        return self._timeline.entries

    @property
    def number(self) -> int:
        """Number of the present state: the count of entries."""
        return len(self._timeline.entries)

    @property
    def state(self) -> S:
        """The present state."""
        return self._timeline.state

    @property
    def steps(self) -> tuple[Step[S, M], ...]:
        """The moves that count, neither undone nor removed, each with the state before and after it."""
        return self._timeline.steps

    def timelines(self) -> Iterator[Timeline[S, M]]:
        """Yield the game as it was after each journal entry, also after those that no longer count."""
        return timelines(self.game, self.entries)

    def play(
        self,
        move: M,
        at: int | None = None,
        source: Source = "hand",
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] | None = None,
    ) -> int:
        """Enter a move; return the new state number.

        at: number of the state that the move was made for, any if None. evidence: picture, and stills: frames by
        name, that it was read from, JPEG. Raises IllegalMove, StaleMove or JournalError; then nothing has changed.
        """
        with self._mutex:
            self._check_at(at, self.game.concurrent_owner(move))
            return self._append(self._played(move, source, evidence), evidence=evidence, stills=stills or {})

    def play_all(
        self,
        moves: Sequence[M],
        source: Source = "hand",
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] | None = None,
        *,
        instead_of: Sequence[int] = (),
    ) -> int:
        """Enter moves one after the other, all of them or none; return the new state number.

        evidence, stills: as for `play`; they are stored with the first move. instead_of: numbers of entries that
        are undone before. Raises as `play` and `undo` do.
        """
        with self._mutex:
            undone = [self._undone(number) for number in instead_of]
            played = [self._played(move, source, None if index else evidence) for index, move in enumerate(moves)]
            return self._append(*undone, *played, evidence=evidence, stills=stills or {}, pictured=len(undone))

    def undo(self, at: int | None = None, entry: int | None = None) -> int:
        """Undo an entry, or the latest move or correction that counts if None; return the new state number.

        Repeated without an entry, it goes back to the start. Undoing an undo restores what it undid. at: as for
        `play`. Raises IllegalMove where a later move would break the rules without it, NoSuchEntry, StaleMove or
        JournalError; then nothing has changed.
        """
        with self._mutex:
            self._check_at(at, None if entry is None else owner_of_entry(self.game, self.entries, entry))
            target = self._timeline.latest_undoable() if entry is None else entry
            self._timeline.check_not_corrected_with_others(target)
            return self._append(self._undone(target))

    def what_if(self, changes: Sequence[Change[M]], choices: Sequence[InsertedMove[M]] = ()) -> WhatIf[S, M]:
        """Return what a correction would change, without changing anything.

        Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry.
        """
        return what_if(self._timeline, changes, choices)

    def revise(self, entry: int, move: M, at: int | None = None) -> int:
        """Replace the move of an entry that counts; later moves stay. Return the new state number.

        at: as for `play`. Raises IllegalMove with the first reason where it or a later move would break the rules,
        NoSuchEntry, StaleMove or JournalError; then nothing has changed.
        """
        return self.correct(Revision((Change(entry, move),)), at)

    def correct(self, revision: Revision[M], at: int | None = None) -> int:
        """Apply a correction; moves that it does not name stay. Return the new state number.

        at: as for `play`. Raises IllegalMove with the first reason where a move that counts would break the rules,
        NoSuchEntry, StaleMove or JournalError; then nothing that counts has changed.
        """
        with self._mutex:
            self._check_at(at)
            first, *also = revision.changes
            numbers = tuple(self.number + place for place in range(1, len(revision.choices) + 1))

            def supplied(choice: InsertedMove[M]) -> Callable[[int, Stage], Entry[M]]:
                return lambda number, stage: Supplied(number, self._clock(), stage, choice.after, choice.move)

            def revised(number: int, stage: Stage) -> Entry[M]:
                return Revised(
                    number, self._clock(), stage, first.entry, first.move, tuple(also), revision.dropped, numbers
                )

            return self._append(*map(supplied, revision.choices), revised)

    def bodies(self) -> tuple[str, ...]:
        """Return the JSON of all entries in order, as stored on the disk."""
        return self._journal.bodies()

    def evidence(self, number: int) -> bytes | None:
        """Return the picture kept with an entry, JPEG; None where there is none or no such entry."""
        return self._journal.picture(number) if 1 <= number <= self.number else None

    def stills(self, number: int) -> dict[str, bytes]:
        """Return the camera's frames that an entry was read from, JPEG by name; empty where none were stored."""
        return self._journal.stills(number)

    def close(self) -> None:
        """Close the journal; the game can be opened again. Closing twice is harmless."""
        with self._mutex:
            self._journal.close()

    def __enter__(self) -> Session[S, M]:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_at(self, at: int | None, player: int | None = None) -> None:
        """Raise StaleMove if a command was made for another state than the present one.

        at: number of the state that it was made for, None for any. player: seat of the only player that it affects,
        if there is one; then moves of others since `at` are allowed.
        """
        if at is None or at == self.number:
            return
        if player is None or not only_others_since(self.game, self.entries, at, player):
            raise StaleMove(at, self.number)

    def _played(self, move: M, source: Source, evidence: bytes | None) -> _EntryMaker[M]:
        """Return a function that makes the entry of a move. evidence: picture that is stored with it, if any."""
        return lambda number, stage: Played(number, self._clock(), stage, move, source, evidence is not None)

    def _undone(self, entry: int) -> _EntryMaker[M]:
        """Return a function that makes the entry of an undo. entry: number of the entry that is undone."""
        return lambda number, stage: Undone(number, self._clock(), stage, entry)

    def _append(
        self,
        *makers: _EntryMaker[M],
        evidence: bytes | None = None,
        stills: Mapping[str, bytes] = MappingProxyType({}),
        pictured: int = 0,
    ) -> int:
        """Append entries; return the last number. The timeline changes only if all are legal and written.

        evidence, stills: pictures that are stored with one of them. pictured: index of that one.
        """
        tried, rows = self._timeline, list[Row]()
        for index, make in enumerate(makers):
            number = self.number + index + 1
            after = tried.after(make(number, self.game.stage(tried.state)))
            entry = make(number, self.game.stage(after.state))
            tried = replace(after, entries=(*after.entries[:-1], entry))
            body = self._entry_codec.to_json(entry)
            rows.append(Row(body, evidence, stills) if index == pictured else Row(body))
        self._journal.append(*rows)
        self._timeline = tried
        return self.number


def _id_of(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


@contextmanager
def _closing_on_error(journal: Journal) -> Iterator[None]:
    """Close the journal if the block raises."""
    try:
        yield
    except BaseException:
        journal.close()
        raise


Parser = Callable[[str | bytes], Entry[Any]]
"""Parses a journal's entry. Raises Malformed."""


def _parser_of(journal: Journal, opening: str) -> tuple[Game[Any, Any, Any], Parser]:
    """Return a journal's game and the parser of its entries. opening: JSON of the first entry.

    Raises NewerJournal for an unknown game, DamagedJournal for a malformed entry.
    """
    try:
        return entry_parser(opening)
    except UnknownGame as error:
        raise NewerJournal(say("{path} cannot be opened. {error}", path=journal.path, error=error)) from None
    except Malformed as error:
        raise _unreadable_entry(journal, error) from None


def _parse_entry(journal: Journal, parse: Parser, body: str) -> Entry[Any]:
    """Return an entry from its JSON. Raises DamagedJournal."""
    try:
        return parse(body)
    except Malformed as error:
        raise _unreadable_entry(journal, error) from None


def _unreadable_entry(journal: Journal, error: Malformed) -> DamagedJournal:
    return DamagedJournal(journal.path, say("an entry cannot be read ({error})", error=error))


def _replayed(journal: Journal, game: Game[S, M, Any], parse: Parser, bodies: Sequence[str]) -> Timeline[S, M]:
    """Return the game after the last of a journal's entries. Raises DamagedJournal where one breaks the rules.

    bodies: JSON of all entries.
    """
    entries = [_parse_entry(journal, parse, body) for body in bodies]
    try:
        return replayed(game, entries)
    except ReplayMismatch as error:
        started = entries[0]
        if not isinstance(started, Started):
            raise DamagedJournal(journal.path, str(error)) from None
        raise DamagedJournal(
            journal.path,
            say(
                "entry {number}, written by version {version}, breaks the present rules ({error})",
                number=error.number,
                version=started.version,
                error=error,
            ),
        ) from None
