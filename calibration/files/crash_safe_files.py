"""Writes files so that a crash at any moment leaves either the old or the new file, and reads them back checked."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
from pathlib import Path

from calibration.errors import ProfileError
from calibration.translatable import say


def digest(data: bytes) -> str:
    """Return the SHA-256 hash of data in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically: to a temporary file beside it, which is flushed to disk and then renamed.

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
    """Flush renames in a folder to disk, if the operating system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_named(folder: Path, stem: str, suffix: str, data: bytes) -> str:
    """Write data to a file whose name contains its digest, unless it exists; return the file's name.

    Other data gets another name, so that a referenced file is never overwritten. stem, suffix: start and end of the
    name.
    """
    name = f"{stem}-{digest(data)[:12]}{suffix}"
    path = folder / name
    if not path.exists() or path.read_bytes() != data:
        write_whole(path, data)
    return name


def read_part(folder: Path, name: str) -> bytes:
    """Return the data of a file written by `write_named`. Raises ProfileError if it is missing or was changed."""
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
    """Remove unused files from a folder, and leftovers of interrupted writes.

    used: names of files to keep. suffixes: of files that may be removed.
    """
    for path in folder.iterdir():
        leftover = path.name.startswith(".") and path.name.endswith(".tmp")
        if leftover or (path.suffix in suffixes and path.name not in used):
            with contextlib.suppress(OSError):
                path.unlink()
