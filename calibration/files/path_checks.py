"""Checks of paths from users, which return False where `pathlib` raises OSError.

`Path.is_file` and `Path.is_dir` raise for names that are too long and for folders that may not be entered.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_file(path: str | Path) -> bool:
    """Return whether there is a file at a path that can be reached."""
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: str | Path) -> bool:
    """Return whether there is a folder at a path that can be reached."""
    return os.path.isdir(path)  # noqa: PTH112
