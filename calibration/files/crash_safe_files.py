"""Crash-safe file writes: a crash at any moment leaves either the old or the new file."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from calibration.errors import ProfileError
from calibration.translatable import say


def digest(data: bytes) -> str:
    """Return the SHA-256 of some bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file through a temporary sibling that is flushed to the disk and then renamed.

    mode: permissions, masked by the user's umask; they apply from the first byte on.
    """
    sibling = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(sibling, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        sibling.replace(path)
    finally:
        sibling.unlink(missing_ok=True)


def flush_folder(folder: Path) -> None:
    """Flush renames in a folder to disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_named(folder: Path, stem: str, suffix: str, data: bytes) -> str:
    """Write bytes under a name with their digest, unless the file exists; return the name.

    Different content gets a different name, so a file that is referenced is never overwritten.
    """
    name = f"{stem}-{digest(data)[:12]}{suffix}"
    path = folder / name
    if not path.exists() or path.read_bytes() != data:
        write_whole(path, data)
    return name


def read_part(folder: Path, name: str) -> bytes:
    """Read a file written by `write_named`. Raises ProfileError when it is missing or not what was written."""
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise ProfileError(
            say(
                "The file {name} in {folder} is missing: restore it, or enrol again what it contained.",
                name=name,
                folder=folder,
            )
        ) from error
    if Path(name).stem.rpartition("-")[2] != digest(data)[:12]:
        raise ProfileError(
            say(
                "The file {name} in {folder} is damaged: restore it, or enrol again what it contained.",
                name=name,
                folder=folder,
            )
        )
    return data


def drop_unused(folder: Path, used: set[str], suffixes: tuple[str, ...]) -> None:
    """Remove unreferenced parts, and leftovers of interrupted writes."""
    for path in folder.iterdir():
        leftover = path.name.startswith(".") and path.name.endswith(".tmp")
        if leftover or (path.suffix in suffixes and path.name not in used):
            with contextlib.suppress(OSError):
                path.unlink()
