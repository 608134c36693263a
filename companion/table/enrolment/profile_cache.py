"""Loads a profile from disk, cached until its file changes."""

from __future__ import annotations

from pathlib import Path

from calibration.profile import TableProfile, exists, folder_of


class SavedProfile:
    """One profile, by name or folder. seats: number of seats of an empty profile, used where none is saved."""

    def __init__(self, name_or_path: str | Path, seats: int) -> None:
        self._name = name_or_path
        self._seats = seats
        self._read: tuple[tuple[int, int], TableProfile] | None = None

    def load(self) -> TableProfile:
        """Return the saved profile, or an empty one where none is saved. Raises ProfileError for a damaged one."""
        if not exists(self._name):
            return TableProfile(self._seats)
        try:
            status = (folder_of(self._name) / "profile.json").stat()
        except OSError:
            return TableProfile.load(self._name)
        # This file is written last, and with a new inode.
        stamp = (status.st_mtime_ns, status.st_ino)
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, TableProfile.load(self._name)
        return self._read[1]
