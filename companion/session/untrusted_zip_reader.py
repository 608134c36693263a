"""Reads the files of an untrusted exported game, a zip archive: names, sizes and pictures are checked."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping

from calibration.errors import CalibrationError
from calibration.files.picture_files import check_picture
from calibration.translatable import say
from companion.session.errors import ArchiveError

MOST_PARTS = 2000
"""Largest number of files in the archive."""
_MOST_WHOLE_BYTES = 256 * 1024 * 1024
"""Size limit of all files together, unpacked."""
_MOST_PICTURE_BYTES = 4 * 1024 * 1024
"""Limit of one picture."""
_MOST_PIXELS = 16_000_000
"""Limit of one picture."""
_PART = re.compile(
    r"meta\.json|journal\.jsonl|settings\.json|profile\.zip|evidence/(?P<evidence>[1-9]\d{0,3})\.jpg"
    r"|frames/(?P<entry>[1-9]\d{0,3})-(?P<name>frame-[1-9]|background)\.jpg"
)
"""Allowed names of files."""


def part_reader(archive: zipfile.ZipFile, name: str) -> Callable[[str, int], bytes]:
    """Check an archive's directory and return a function that reads one of its files.

    The function's arguments are the file's name and its size limit in bytes. name: of the archive, for error
    messages. Both functions raise ArchiveError.
    """
    names = [entry.filename for entry in archive.infolist()]
    if "meta.json" not in names or "journal.jsonl" not in names:
        raise ArchiveError(
            say("{file} is not an exported game. Choose a file that a companion wrote with “Export”.", file=name)
        )
    if len(names) > MOST_PARTS or len(set(names)) < len(names):
        raise ArchiveError(
            say("{file} is not an exported game: it contains too many files, or one of them twice.", file=name)
        )
    if any(entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for entry in archive.infolist()):
        raise ArchiveError(
            say("{file} is compressed in a way that is not supported. Export the game again.", file=name)
        )
    for part in names:
        if not _PART.fullmatch(part):
            harmless = "".join(sign if sign.isprintable() else "?" for sign in part[:60])
            raise ArchiveError(
                say("{file} is not an exported game: it contains a file named “{part}”.", file=name, part=harmless)
            )
    left = _MOST_WHOLE_BYTES

    def read(part: str, most: int) -> bytes:
        nonlocal left
        # Sizes in the directory are not trusted: unpacking stops at the limit.
        with archive.open(part) as opened:
            data = opened.read(min(most, left) + 1)
        if len(data) > min(most, left):
            raise ArchiveError(
                say("{file} is not an exported game: its file {part} is far too large.", file=name, part=part)
            )
        left -= len(data)
        return data

    return read


def read_pictures(
    archive: zipfile.ZipFile, parts: Callable[[str, int], bytes], entries: int, name: str
) -> tuple[Mapping[int, bytes], Mapping[int, dict[str, bytes]]]:
    """Return the entries' pictures by number, and the camera's frames by entry number and name, all JPEG.

    parts: from `part_reader`; entries: number of entries; name: of the archive, for error messages. Raises
    ArchiveError.
    """
    pictures: dict[int, bytes] = {}
    stills: dict[int, dict[str, bytes]] = {}
    for part in archive.namelist():
        found = _PART.fullmatch(part)
        number = int((found and (found["evidence"] or found["entry"])) or 0)
        if found is None or not number:
            continue
        if number > entries:
            raise ArchiveError(
                say("{file} is not an exported game: {part} belongs to no entry.", file=name, part=part)
            )
        data = parts(part, _MOST_PICTURE_BYTES)
        try:
            if not data.startswith(b"\xff\xd8"):
                raise ArchiveError(
                    say("{file} cannot be imported: {part} is not a JPEG picture.", file=name, part=part)
                )
            check_picture(data, part, _MOST_PIXELS)
        except CalibrationError as error:
            raise ArchiveError(say("{file} cannot be imported: {error}", file=name, error=error)) from None
        if found["evidence"]:
            pictures[number] = data
        else:
            stills.setdefault(number, {})[found["name"]] = data
    return pictures, stills
