"""Saved games for review: list, moves, and the state after each move; also export and import."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from calibration.translatable import say
from companion.games.game import OVER, Score, Viewer, round_of
from companion.session import (
    Played,
    Revised,
    Seat,
    Session,
    SessionError,
    Source,
    Stage,
    Step,
    Summary,
    Timeline,
)
from companion.session.archive import THIS_FILE, read_archive, write_archive
from companion.table.history.saved_games import SavedGames
from companion.table.refusals import refusals
from companion.table.running_game import may_see_picture
from companion.table.views import Refused, SeatView

_KEPT = 4
"""Replayed games kept in memory."""


@dataclass(frozen=True, slots=True)
class PastGame:
    """A saved game in a list."""

    id: str
    """Id of the saved game."""
    game: str
    """Id of the game that is played."""
    seats: tuple[SeatView, ...]
    """The players."""
    stage: Stage
    """How far the game is."""
    entries: int
    """Number of journal entries."""
    started: str
    """Time of its first entry, ISO 8601 with time zone."""
    played: str
    """Time of its latest entry, ISO 8601 with time zone."""
    winners: tuple[int, ...]
    """Winners' seats; empty while it is not over or where it cannot be replayed."""


@dataclass(frozen=True, slots=True)
class PastStep:
    """A move that counts (was not undone)."""

    place: int
    """Position among the moves that count, from 1."""
    number: int
    """Number of its journal entry."""
    text: str
    """The move as a line."""
    type: str
    """Tag of the move in JSON."""
    round: int
    """Number of the round in which it was made."""
    player: int | None
    """The seat whose choice it was; None for all players together."""
    source: Source | None
    """Who entered it; None for a move that a correction inserted."""
    time: str
    """When it was entered, ISO 8601 with time zone."""
    evidence: bool
    """Whether a picture is stored with it that the viewer may see."""
    corrected: bool
    """Whether it replaced a move that was entered first."""


@dataclass(frozen=True, slots=True)
class PastGameDetail:
    """A saved game with all moves that count."""

    game: PastGame
    """The game as in the list."""
    version: str
    """Version of the companion that started it."""
    scores: tuple[Score, ...]
    """Points of the players, by seat."""
    steps: tuple[PastStep, ...]
    """The moves, in order of play."""
    taken_back: int
    """Number of moves that do not count, because they were undone."""


@dataclass(frozen=True, slots=True)
class PastState:
    """The state of a saved game after one of its moves, as a viewer may know it."""

    id: str
    """Id of the saved game."""
    place: int
    """Position of that move, from 1; 0 for the beginning of the game."""
    game: str
    """Id of the game that is played."""
    seats: tuple[SeatView, ...]
    """The players."""
    stage: Stage
    """How far the game is."""
    view: Any
    """What the game's rules show to the viewer."""
    scores: tuple[Score, ...]
    """Points of the players, by seat."""
    waiting_for: tuple[int, ...]
    """Seats that have to move."""


class PastGames:
    """Reviews the saved games. Thread-safe; a method raises `Refused` for a game that does not exist."""

    def __init__(self, saved: SavedGames) -> None:
        self.saved = saved
        self._lock = threading.Lock()
        self._timelines: OrderedDict[tuple[str, int, int, int, int, int], Timeline] = OrderedDict()
        self._winners: dict[tuple[str, int], tuple[int, ...]] = {}

    def games(self) -> tuple[PastGame, ...]:
        """Return the saved games, without demonstrations of bots, the one played last first."""
        return tuple(
            self._past_game(summary)
            for summary in self.saved.summaries()
            if self.saved.entry_mode_of(summary.id) != "demo"
        )

    def game(self, id: str, viewer: Viewer = None) -> PastGameDetail:
        """Return a saved game with all moves that were not undone, each described as the viewer may know it."""
        with refusals():
            path, timeline = self.saved.path(id), self._timeline(id)
        entries, record = timeline.entries, timeline.game
        first, last = entries[0], entries[-1]
        game = PastGame(
            path.name.removesuffix(path.suffix),
            record.id,
            _seats(timeline.started.seats),
            record.stage(timeline.state),
            len(entries),
            first.time.isoformat(),
            last.time.isoformat(),
            _winners(timeline),
        )
        corrections = [entry for entry in entries if isinstance(entry, Revised) and timeline.applies(entry)]
        revised = {change.entry for entry in corrections for change in entry.changes}
        steps = tuple(
            _step(place, step, timeline, viewer, revised) for place, step in enumerate(timeline.steps, start=1)
        )
        played = sum(isinstance(entry, Played) for entry in entries)
        return PastGameDetail(
            game,
            timeline.started.version,
            record.final_scores(timeline.state),
            steps,
            max(0, played - sum(isinstance(entries[step.number - 1], Played) for step in timeline.steps)),
        )

    def state_after(self, id: str, place: int, viewer: Viewer = None) -> PastState:
        """Return the state of a saved game after one of its moves, as the viewer may know it.

        place: position of that move among those that count, from 1; 0 for the beginning of the game.
        """
        with refusals():
            timeline = self._timeline(id)
        if not 0 <= place <= len(timeline.steps):
            raise Refused("not_now", say("The game has no such move. Choose one of the list."))
        state, record = timeline.steps[place - 1].after if place else timeline.start, timeline.game
        return PastState(
            id,
            place,
            record.id,
            _seats(timeline.started.seats),
            record.stage(state),
            record.view(state, viewer),
            record.final_scores(state),
            record.to_move(state),
        )

    def evidence(self, id: str, entry: int, viewer: Viewer = None) -> bytes | None:
        """Return the picture of a journal entry (by number) as JPEG; None without one that the viewer may see."""
        with refusals(), self.saved.open(id, read_only=True) as session:
            return session.evidence(entry) if may_see_picture(session.timeline, entry, viewer) else None

    def export(self, id: str, file: IO[bytes], *, frames: bool = False, profile: bytes | None = None) -> None:
        """Write a game to a file as an archive; see `companion.session.archive`.

        frames: also write the stored frames. profile: zip of a profile to write with it.
        Raises `Refused` while the game hides something that the file would contain.
        """
        with refusals(), self.saved.open(id, read_only=True) as session:
            write_archive(session, file, frames=frames, profile=profile)

    def import_game(self, file: str | Path | IO[bytes], name: str = THIS_FILE) -> str:
        """Import an exported game and return its id. Raises `Refused`; then nothing changed.

        name: of the file, for messages.
        """
        with refusals():
            return self.saved.import_game(read_archive(file, name))

    def _past_game(self, summary: Summary) -> PastGame:
        winners: tuple[int, ...] = ()
        if summary.stage.phase == OVER:
            key = (summary.id, summary.number)
            with suppress(SessionError):
                if key not in self._winners:
                    self._winners[key] = _winners(self._timeline(summary.id))
                winners = self._winners[key]
        return PastGame(
            summary.id,
            summary.game,
            _seats(summary.seats),
            summary.stage,
            summary.number,
            summary.started.isoformat(),
            summary.latest.isoformat(),
            winners,
        )

    def _timeline(self, id: str) -> Timeline:
        """Return a game's moves and states, replayed from its journal and cached until the journal changes.

        The journal's modification time may change before its newest entry can be read, so entries are counted as
        well.
        """
        path = self.saved.path(id)
        key = (id, Session.peek(path).number, *_stamp(path), *_stamp(path.with_name(path.name + "-wal")))
        with self._lock:
            known = self._timelines.get(key)
            if known is not None:
                self._timelines.move_to_end(key)
                return known
        with self.saved.open(id, read_only=True) as session:
            timeline = session.timeline
        with self._lock:
            self._timelines[key] = timeline
            while len(self._timelines) > _KEPT:
                self._timelines.popitem(last=False)
        return timeline


def _stamp(path: Path) -> tuple[int, int]:
    """Return (a file's modification time, ns; its size, bytes); zeros where there is none."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    return status.st_mtime_ns, status.st_size


def _seats(seats: Sequence[Seat]) -> tuple[SeatView, ...]:
    return tuple(SeatView(seat.name, seat.figure) for seat in seats)


def _winners(timeline: Timeline) -> tuple[int, ...]:
    """Return the seats of the winners; none while the game is not over."""
    if timeline.game.stage(timeline.state).phase != OVER:
        return ()
    return tuple(score.player for score in timeline.game.final_scores(timeline.state) if score.place == 1)


def _step(place: int, step: Step[Any, Any], timeline: Timeline, viewer: Viewer, revised: set[int]) -> PastStep:
    """Return a move for the list of moves, as the viewer may know it.

    place: its position among the moves that count, from 1. revised: numbers of corrected entries.
    """
    entry, record = timeline.entries[step.number - 1], timeline.game
    played = entry if isinstance(entry, Played) else None
    return PastStep(
        place,
        step.number,
        record.describe(step, timeline.state, tuple(seat.name for seat in timeline.started.seats), viewer),
        getattr(step.move, "type", ""),
        round_of(record, step),
        record.actor(step.move),
        None if played is None else played.source,
        entry.time.isoformat(),
        played is not None and played.evidence and record.evidence_visible(step, timeline.state, viewer),
        step.number in revised,
    )
