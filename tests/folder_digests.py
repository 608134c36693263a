"""Digests of a folder's files, to prove that none has changed."""

from __future__ import annotations

import hashlib
from pathlib import Path


def digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file in a folder and its subfolders, by relative path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
