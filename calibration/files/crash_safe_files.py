"""Writes files so that a crash at any moment leaves either the old or the new file, and reads them back checked."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from calibration.errors import ProfileError
from calibration.translatable import say

_TEMPORARY = re.compile(r"\.(.+)\.[0-9a-f]{8}\.tmp")
"""Names of temporary files; the group is the name of the file that was being written."""


def digest(data: bytes) -> str:
    """Return the SHA-256 hash of data in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Write a file atomically: to a temporary file beside it, which is flushed to disk and then renamed.

    Links are followed; devices and pipes are written directly. mode: permissions, masked by the user's umask; they
    apply from the first byte on.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    with _prepared(path, data, mode) as rename:
        rename()


def write_in_turn(files: Mapping[Path, bytes]) -> None:
    """Write files in the order given; an error before all of them are on the disk changes none.

    Then only their temporary files are renamed, and each rename is on the disk before the next one.
    """
    with contextlib.ExitStack() as stack:
        renames = [stack.enter_context(_prepared(path, data)) for path, data in files.items()]
        for path, rename in zip(files, renames, strict=True):
            rename()
            flush_folder(path.parent)


@contextlib.contextmanager
def _prepared(path: Path, data: bytes, mode: int = 0o666) -> Iterator[Callable[[], object]]:
    """Write data to a temporary file beside a file; yield a function that replaces the file by it."""
    target = Path(os.path.realpath(path))
    sibling = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with open(sibling, "wb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield lambda: sibling.replace(target)
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
    """Return the data of a file written by `write_named`.

    Raises ProfileError if it is missing, cannot be read or was changed.
    """
    try:
        data = (folder / name).read_bytes()
    except FileNotFoundError as error:
        raise ProfileError(
            say(
                "The file {name} in {folder} is missing: restore it, or enrol again what it contained.",
                name=name,
                folder=folder,
            )
        ) from error
    except OSError as error:
        raise ProfileError(
            say("{path} cannot be read: {reason}.", path=folder / name, reason=error.strerror or error)
        ) from error
    if not _has_digest_of(name, data):
        raise ProfileError(
            say(
                "The file {name} in {folder} is damaged: restore it, or enrol again what it contained.",
                name=name,
                folder=folder,
            )
        )
    return data


def drop_unused(folder: Path, used: Collection[str], names: re.Pattern[str]) -> None:
    """Remove files of `write_named` that are no longer used from a folder, and leftovers of interrupted writes.

    All others stay, since the folder may be one of the user's. used: names of files to keep. names: pattern of all
    names that are written to the folder.
    """
    for path in folder.iterdir():
        with contextlib.suppress(OSError):
            leftover = _TEMPORARY.fullmatch(path.name)
            if leftover is not None:
                unused = names.fullmatch(leftover[1]) is not None
            else:
                unused = path.name not in used and names.fullmatch(path.name) is not None
                unused = unused and _has_digest_of(path.name, path.read_bytes())
            if unused:
                path.unlink()


def _has_digest_of(name: str, data: bytes) -> bool:
    """Return whether `write_named` would give data this name."""
    return Path(name).stem.rpartition("-")[2] == digest(data)[:12]
