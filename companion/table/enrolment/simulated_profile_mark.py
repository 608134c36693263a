"""Marks a profile that the simulated table created for itself and may overwrite."""

from __future__ import annotations

from pathlib import Path

from calibration.profile import folder_of

_FILE = "enrolled_profile-for.txt"
"""Name of the file that holds the mark."""


def read_mark(folder: Path) -> str | None:
    """Return the mark of a profile's folder, None where it has none that can be read."""
    try:
        return (folder / _FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def write_mark(folder: Path, mark: str) -> None:
    """Write the mark of a profile's folder. mark: digest of the data that the profile was generated from."""
    (folder / _FILE).write_text(mark, encoding="ascii")


def is_simulated(name: str) -> bool:
    """Return whether a profile is the simulated table's own, which may be overwritten."""
    return read_mark(folder_of(name)) is not None
