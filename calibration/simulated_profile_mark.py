"""Marks the profiles that the simulated table generated, which it may overwrite."""

from __future__ import annotations

from pathlib import Path

_FILE = "enrolled_profile-for.txt"
"""Name of the file that holds the mark."""


def read_mark(folder: Path) -> str | None:
    """Return the digest that `write_mark` left in a profile's folder; None where there is none."""
    try:
        return (folder / _FILE).read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None


def write_mark(folder: Path, mark: str) -> None:
    """Mark the profile in a folder as generated. mark: digest of the data that it was generated from."""
    (folder / _FILE).write_text(mark, encoding="ascii")


def remove_mark(folder: Path) -> None:
    """Mark the profile in a folder as a real table's, which the simulated table may not overwrite."""
    (folder / _FILE).unlink(missing_ok=True)


def is_simulated(folder: Path) -> bool:
    """Return whether the simulated table generated the profile in a folder, so that it may overwrite it."""
    return read_mark(folder) is not None
