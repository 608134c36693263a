"""The folder of saved games: creates, opens, lists and imports their journals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from calibration.files.crash_safe_files import write_whole
from calibration.files.path_checks import is_file, is_folder
from calibration.translatable import say
from companion.games.game import OVER, Game
from companion.session import SUFFIX, Seat, Session, SessionError, Summary
from companion.session.archive import Archive
from companion.session.errors import ArchiveError
from companion.session.game_settings import EntryMode, GameSettings, load_settings, save_settings
from companion.session.journal import Journal
from companion.table.views import SavedGame, SeatView

U = TypeVar("U")
"""A game's setup."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
"""Allowed ids of games."""
_MAX_LISTED = 50
"""Maximum number of games in a list."""
_RECORD = "last-opened"
"""Name of the file with the id of the game that was opened last."""
_MAX_REPORTED = 3
"""Maximum number of unreadable journals that are reported."""


class SavedGames:
    """The saved games of one folder, which is created when needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create_game(
        self, game: Game[Any, Any, U], seats: Sequence[SeatView], setup: U, way: EntryMode = "camera"
    ) -> Session:
        """Create the journal of a new game and return its session. Raises SessionError.

        way: how moves are entered: "camera", "hand" or "demo" (a demonstration by bots).
        """
        self._make_folder()
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        taken = {path.name for path in self.folder.iterdir()}
        number = next(n for n in range(1, 1 << 30) if f"{stamp}-{n}{SUFFIX}" not in taken)
        id = f"{stamp}-{number}"
        path = self.folder / f"{id}{SUFFIX}"
        if way != GameSettings().way:
            save_settings(path, GameSettings(way=way))
        session = Session.create(path, game, [Seat(seat.name, seat.figure) for seat in seats], setup)
        if way != "demo":
            self._record_opened(id)
        return session

    def open(self, id: str, *, read_only: bool = False) -> Session:
        """Open a saved game, to be played on unless `read_only`; return its session. Raises SessionError."""
        session = Session.open(self.path(id), read_only=read_only)
        if not read_only:
            self._record_opened(id)
        return session

    def path(self, id: str) -> Path:
        """Return the path of a saved game's journal. Raises SessionError where there is none of that name."""
        path = self.folder / f"{id}{SUFFIX}"
        if not _ID.fullmatch(id) or not is_file(path):
            raise SessionError(say("There is no saved game of that name. Choose one of the list."))
        return path

    def import_game(self, archive: Archive) -> str:
        """Save an exported game and return its new id; a demonstration becomes a game that people enter.

        Raises SessionError, also for a game that is saved already; then nothing was stored.
        """
        if archive.settings.way == "demo":
            archive = replace(archive, settings=replace(archive.settings, way="hand"))
        self._make_folder()
        ends = archive.rows[0].body, archive.rows[-1].body
        listed = [path for path in self._journals_newest_first() if load_settings(path).way != "demo"]
        if any(_first_and_last_body(path) == ends for path in listed):
            raise ArchiveError(say("This game is here already: choose it in the list."))
        wanted = archive.meta.id
        names = (wanted, *(f"{wanted[:70]}-{n}" for n in range(2, 1000)))
        id = next(name for name in names if not (self.folder / f"{name}{SUFFIX}").exists())
        if self._last_opened() is None:  # times in the folder no longer show what was played here
            self._record_opened(self.unfinished() or "")
        archive.save(self.folder / f"{id}{SUFFIX}")
        return id

    def summaries(self) -> tuple[Summary, ...]:
        """Return summaries of the latest saved games, the one played last first, without unreadable files."""
        return tuple(self._summaries())

    def saved_games(self) -> tuple[SavedGame, ...]:
        """Return the latest saved games for screens, without demonstrations of bots, the one played last first."""
        return tuple(
            SavedGame(
                summary.id,
                summary.game,
                tuple(SeatView(seat.name, seat.figure) for seat in summary.seats),
                summary.stage,
                summary.latest.isoformat(),
            )
            for summary in self._summaries()
            if self.entry_mode_of(summary.id) != "demo"
        )

    def unfinished(self) -> str | None:
        """Return the id of the game that was opened last; None if it is over or there is none.

        Older versions kept no record of that: the game written last is used instead.
        """
        recorded = self._last_opened()
        if recorded is None:
            summaries = [summary for summary in self._summaries() if self.entry_mode_of(summary.id) != "demo"]
        else:
            path = self.folder / f"{recorded}{SUFFIX}"
            summary = _peek(path) if is_file(path) else None
            summaries = [] if summary is None else [summary]
        if not summaries or summaries[0].stage.phase == OVER:
            return None
        return summaries[0].id

    def entry_mode_of(self, id: str) -> EntryMode:
        """Return how the moves of a saved game are entered: "camera", "hand" or "demo" (by bots)."""
        return load_settings(self.folder / f"{id}{SUFFIX}").way

    def unreadable(self) -> tuple[str, ...]:
        """Return an error line for each of the latest journals that cannot be read, at most three."""
        lines: list[str] = []
        for path in self._journals_newest_first()[:_MAX_LISTED]:
            try:
                Session.peek(path)
            except SessionError as error:
                lines.append(f"{path.name}: {error}")
        return tuple(lines[:_MAX_REPORTED])

    def _record_opened(self, id: str) -> None:
        """Store which game was opened; errors are ignored, because a full disk is reported at the next move."""
        with suppress(OSError):
            write_whole(self.folder / _RECORD, id.encode())

    def _last_opened(self) -> str | None:
        """Return the id of the game that was opened last; "" for none, None where that was never stored."""
        try:
            recorded = (self.folder / _RECORD).read_text(encoding="ascii").strip()
        except (OSError, UnicodeError):
            return None
        return recorded if _ID.fullmatch(recorded) or not recorded else None

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SessionError(
                say(
                    "Games cannot be kept in {folder} ({reason}). Make room or choose another folder.",
                    folder=self.folder,
                    reason=error.strerror,
                )
            ) from None

    def _journals_newest_first(self) -> list[Path]:
        """Return the journals' paths, the one written last first."""
        if not is_folder(self.folder):
            return []
        return sorted(self.folder.glob(f"*{SUFFIX}"), key=_last_write_time, reverse=True)

    def _summaries(self) -> list[Summary]:
        """Return summaries of the latest readable journals, the one played last first."""
        found: list[Summary] = []
        for path in self._journals_newest_first()[:_MAX_LISTED]:
            summary = _peek(path)
            if summary is not None:
                found.append(summary)
        return sorted(found, key=lambda summary: summary.latest, reverse=True)


def _peek(path: Path) -> Summary | None:
    """Return the summary of a journal, None where it cannot be read."""
    try:
        return Session.peek(path)
    except SessionError:
        return None


def _first_and_last_body(path: Path) -> tuple[str, str] | None:
    """Return the text of a journal's first and last entry, to recognise a copy; None where it cannot be read."""
    try:
        journal = Journal.open(path, read_only=True)
    except SessionError:
        return None
    try:
        return journal.ends()
    except SessionError:
        return None
    finally:
        journal.close()


def _last_write_time(path: Path) -> float:
    """Return when a journal, or the WAL file that a killed process left beside it, was last written, s."""
    times = [0.0]
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            times.append(part.stat().st_mtime)
    return max(times)
