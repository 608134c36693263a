"""The saved games: one journal each, in one folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from calibration.files.crash_safe_files import write_whole
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
_LISTED = 50
"""Saved games in a list."""
_RECORD = "last-opened"
"""File with the id of the game opened here last."""
_NAMED = 3
"""Unreadable journals that are reported at a start."""


class SavedGames:
    """The saved games of one folder, which is created when needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(
        self, game: Game[Any, Any, U], seats: Sequence[SeatView], setup: U, way: EntryMode = "camera"
    ) -> Session:
        """Create a journal for a new game, with its entry mode beside it. Raises SessionError."""
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
            self._record(id)
        return session

    def open(self, id: str, *, read_only: bool = False) -> Session:
        """Open a saved game for playing, or read-only. Raises SessionError."""
        session = Session.open(self.path(id), read_only=read_only)
        if not read_only:
            self._record(id)
        return session

    def path(self, id: str) -> Path:
        """Return a saved game's file. Raises SessionError where there is none of that name."""
        path = self.folder / f"{id}{SUFFIX}"
        if not _ID.fullmatch(id) or not path.is_file():
            raise SessionError(say("There is no saved game of that name. Choose one of the list."))
        return path

    def import_game(self, archive: Archive) -> str:
        """Import an exported game and return its id; one that is here already is refused.

        Raises SessionError; then nothing was stored.
        """
        self._make_folder()
        ends = archive.rows[0].body, archive.rows[-1].body
        if any(_ends(path) == ends for path in self._latest()):
            raise ArchiveError(say("This game is here already: choose it in the list."))
        wanted = archive.meta.id
        names = (wanted, *(f"{wanted[:70]}-{n}" for n in range(2, 1000)))
        id = next(name for name in names if not (self.folder / f"{name}{SUFFIX}").exists())
        if self._recorded() is None:  # times in the folder no longer show what was played here
            self._record(self.unfinished() or "")
        archive.save(self.folder / f"{id}{SUFFIX}")
        return id

    def summaries(self) -> tuple[Summary, ...]:
        """Return the latest saved games, the one played last first; unreadable files are left out."""
        return tuple(self._summaries())

    def saved(self) -> tuple[SavedGame, ...]:
        """Return the latest saved games for screens."""
        return tuple(
            SavedGame(
                summary.id,
                summary.game,
                tuple(SeatView(seat.name, seat.figure) for seat in summary.seats),
                summary.stage,
                summary.latest.isoformat(),
            )
            for summary in self._summaries()
            if self.way_of(summary.id) != "demo"
        )

    def unfinished(self) -> str | None:
        """Return the id of the game that was opened here last, if it is not over.

        Older versions kept no record of that: the game written last is used instead.
        """
        recorded = self._recorded()
        if recorded is None:
            summaries = [summary for summary in self._summaries() if self.way_of(summary.id) != "demo"]
        else:
            path = self.folder / f"{recorded}{SUFFIX}"
            summaries = [] if not path.is_file() else [summary for summary in [_peek(path)] if summary is not None]
        if not summaries or summaries[0].stage.phase == OVER:
            return None
        return summaries[0].id

    def way_of(self, id: str) -> EntryMode:
        """Return the entry mode of a saved game."""
        return load_settings(self.folder / f"{id}{SUFFIX}").way

    def unreadable(self) -> tuple[str, ...]:
        """Return a line for each of the latest journals that cannot be read."""
        lines: list[str] = []
        for path in self._latest()[:_LISTED]:
            try:
                Session.peek(path)
            except SessionError as error:
                lines.append(f"{path.name}: {error}")
        return tuple(lines[:_NAMED])

    def _record(self, id: str) -> None:
        """Record which game is open; on a full disk the game reports that at its next move."""
        with suppress(OSError):
            write_whole(self.folder / _RECORD, id.encode())

    def _recorded(self) -> str | None:
        """Return the game that was opened here last, "" where there is none; None where no record was kept."""
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

    def _latest(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(self.folder.glob(f"*{SUFFIX}"), key=_written, reverse=True)

    def _summaries(self) -> list[Summary]:
        found: list[Summary] = []
        for path in self._latest()[:_LISTED]:
            summary = _peek(path)
            if summary is not None:
                found.append(summary)
        return sorted(found, key=lambda summary: summary.latest, reverse=True)


def _peek(path: Path) -> Summary | None:
    try:
        return Session.peek(path)
    except SessionError:
        return None


def _ends(path: Path) -> tuple[str, str] | None:
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


def _written(path: Path) -> float:
    """Return the time when a journal was last written; a killed process may have left a WAL file beside it."""
    times = [0.0]
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            times.append(part.stat().st_mtime)
    return max(times)
