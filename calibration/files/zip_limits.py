"""Checks the size of a zip archive's directory before any of it is read into memory; errors of damaged archives."""

from __future__ import annotations

import struct
import zipfile
import zlib
from tokenize import TokenError
from typing import IO

DAMAGE_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    LookupError,
    OverflowError,
    TypeError,
    ValueError,
    SyntaxError,
    TokenError,
)
"""Errors of `zipfile`, and of NumPy for an array in it, that mean a damaged archive."""
_END = struct.Struct("<4s4H2LH")
"""End of central directory record of a zip archive (APPNOTE.TXT, 4.3.16)."""
_END_MARK = b"PK\x05\x06"
"""Signature of that record."""
_LONGEST_COMMENT = 65_535
"""Maximum length of the comment after that record, bytes: it is stored in 16 bits."""
_PART_BYTES = 512
"""Maximum size of the directory for each entry, its name included, bytes."""


def check_directory(file: IO[bytes], most_parts: int) -> None:
    """Raise zipfile.BadZipFile if a zip archive's directory is too large, or the file is no zip archive.

    `zipfile` reads the whole directory into memory. most_parts: maximum number of entries. The position in the file
    is restored.
    """
    at = file.tell()
    try:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END.size - _LONGEST_COMMENT))
        tail = file.read()
    finally:
        file.seek(at)
    # As zipfile does it: a mark right before the end counts, else the last one.
    place = len(tail) - _END.size
    if place < 0 or not (tail[place:].startswith(_END_MARK) and tail.endswith(b"\0\0")):
        place = tail.rfind(_END_MARK)
    if place < 0 or len(tail) - place < _END.size:
        raise zipfile.BadZipFile("no end of a directory")
    _, _, _, _, parts, directory_bytes, _, _ = _END.unpack_from(tail, place)
    # Beyond 65,535 parts or 4 GB these fields are full and the numbers are elsewhere: too large in any case.
    if parts > most_parts or directory_bytes > most_parts * _PART_BYTES:
        raise zipfile.BadZipFile("too many parts")
    if tail[max(0, place - 20) : place].startswith(b"PK\x06\x07"):
        raise zipfile.BadZipFile("a directory of 64 bits")
