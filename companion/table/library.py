"""The games on disk: one journal each, in one folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.games.wicked.components import Deck
from companion.session import SUFFIX, Seat, Session, SessionError, Summary
from companion.table.views import SavedGame, SeatView

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}")
_LISTED = 50


class Library:
    """The saved games of one folder, which is made when it is needed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, seats: Sequence[SeatView], deck: Deck) -> Session:
        """Begin a game in a new journal. Raises SessionError."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SessionError(
                f"Games cannot be kept in {self.folder} ({error.strerror}). Make room or choose another folder."
            ) from None
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        taken = {path.name for path in self.folder.iterdir()}
        number = next(n for n in range(1, 1 << 30) if f"{stamp}-{n}{SUFFIX}" not in taken)
        path = self.folder / f"{stamp}-{number}{SUFFIX}"
        return Session.create(path, [Seat(seat.name, seat.colour) for seat in seats], deck)

    def open(self, id: str) -> Session:
        """Go on with a saved game. Raises SessionError."""
        if not _ID.fullmatch(id):
            raise SessionError("There is no saved game of that name. Choose one of the list.")
        return Session.open(self.folder / f"{id}{SUFFIX}")

    def saved(self) -> tuple[SavedGame, ...]:
        """List the latest saved games, the newest first; a file that cannot be read is left out."""
        return tuple(
            SavedGame(
                summary.id,
                tuple(SeatView(seat.name, seat.colour) for seat in summary.seats),
                summary.stage.phase,
                summary.stage.round,
                summary.latest.isoformat(),
            )
            for summary in self._summaries()
        )

    def unfinished(self) -> str | None:
        """Find the game played last, if it is not over."""
        summaries = self._summaries()
        if not summaries or summaries[0].stage.phase == "over":
            return None
        return summaries[0].id

    def unreadable(self) -> str | None:
        """Say in one line why the journal that was written last cannot be read, if so: it is in no list."""
        for path in self._latest()[:1]:
            try:
                Session.peek(path)
            except SessionError as error:
                return f"{path.name}: {error}"
        return None

    def _latest(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        return sorted(self.folder.glob(f"*{SUFFIX}"), key=_written, reverse=True)

    def _summaries(self) -> list[Summary]:
        found: list[Summary] = []
        for path in self._latest()[:_LISTED]:
            try:
                found.append(Session.peek(path))
            except SessionError:
                continue
        return sorted(found, key=lambda summary: summary.latest, reverse=True)


def _written(path: Path) -> float:
    """Tell when a journal was written last; what a killed companion wrote may still lie beside it."""
    times = [0.0]
    for part in (path, path.with_name(path.name + "-wal")):
        with suppress(OSError):
            times.append(part.stat().st_mtime)
    return max(times)
