"""Exports and imports a whole profile, or its deck alone, as one file.

The file is a zip archive of the profile's folder. Imported files are untrusted: names, sizes and contents
are checked before anything is kept, and a file that fails leaves everything as it was.
"""

from __future__ import annotations

import io
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from calibration import games
from calibration.cards.deck import DECK_FILE, EnrolledDeck
from calibration.errors import CalibrationError, ProfileError
from calibration.files import crash_safe_files
from calibration.files.picture_files import MOST_PIXELS, check_picture
from calibration.files.zip_limits import DAMAGE_ERRORS, check_directory
from calibration.profile import TableProfile, exists
from calibration.profile_file import LOCK_FILE, PROFILE_FILE, deck_folder
from calibration.translatable import say

MOST_FILE_BYTES = 200 * 1024 * 1024
"""Largest size of an imported file, bytes."""
MOST_PARTS = 500
"""Maximum number of entries in it."""
MAX_PART_BYTES = 64 * 1024 * 1024
"""Largest unpacked size of an entry, bytes."""
_MAX_TEXT_BYTES = 2 * 1024 * 1024
"""Largest unpacked size of a JSON or YAML entry, bytes."""
_MAX_WHOLE_BYTES = 600 * 1024 * 1024
"""Largest unpacked size of all entries, bytes."""
_MAX_DECK_PIXELS = 4_000_000
"""Maximum number of pixels in a picture of a card."""
_ENTRY_TIME = (1980, 1, 1, 0, 0, 0)
"""Fixed time stamp of all entries, so that equal profiles give equal bytes."""


def export_profile(profile: TableProfile, file: Path, *, deck_only: bool = False) -> None:
    """Write a profile to one zip file; equal profiles give equal bytes.

    deck_only: write only the cards. Raises ProfileError if there are none, or the file cannot be written; an older
    file then stays unchanged.
    """
    if deck_only:
        if not _decks(profile):
            raise ProfileError(
                say("This profile has no cards to export: enrol them with `companion enrol card` first.")
            )
        profile = _only_decks(profile)
    buffer = io.BytesIO()
    with _temporary_folder() as folder, zipfile.ZipFile(buffer, "w") as archive:
        profile.save(folder)
        for name in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()):
            if _may_be_part(name):
                how = zipfile.ZIP_DEFLATED if name.endswith((".json", ".yaml")) else zipfile.ZIP_STORED
                archive.writestr(zipfile.ZipInfo(name, _ENTRY_TIME), (folder / name).read_bytes(), how)
    try:
        crash_safe_files.write_whole(file, buffer.getvalue())
    except OSError as error:
        raise ProfileError(
            say("{file} cannot be written: {reason}.", file=file, reason=error.strerror or error)
        ) from error


def import_profile(
    file: Path, name_or_path: str, *, overwrite: bool = False, deck_only: bool = False
) -> TableProfile:
    """Import a profile from a zip file, save it under a name or path, and return it.

    overwrite: replace a profile of that name. deck_only: import only the cards into the profile of that name, which
    keeps all else. Raises ProfileError for a file that is no profile, damaged, truncated or malicious, and for a
    name that is in use.
    """
    taken = exists(name_or_path)
    if taken and not (overwrite or deck_only):
        raise ProfileError(
            say(
                "There is already a profile {name_or_path}: choose another name, replace it with --replace, or "
                "import only the cards with --deck.",
                name_or_path=name_or_path,
            )
        )
    read = read_profile(file)
    if deck_only:
        if not _decks(read):
            raise ProfileError(say("{name} has no cards in it: import it without --deck.", name=file.name))
        read = _with_decks(TableProfile.load(name_or_path) if taken else TableProfile(read.seats), _decks(read))
    read.save(name_or_path)
    return read


def read_profile(file: Path) -> TableProfile:
    """Return the profile in a zip file of `export_profile`. Raises ProfileError as `import_profile` does."""
    with _temporary_folder() as folder:
        try:
            if file.stat().st_size > MOST_FILE_BYTES:
                raise ProfileError(
                    say(
                        "{name} is larger than {most_file_bytes} MB: it is too large for a profile.",
                        name=file.name,
                        most_file_bytes=MOST_FILE_BYTES >> 20,
                    )
                )
            with file.open("rb") as opened:
                check_directory(opened, 4 * MOST_PARTS)
                with zipfile.ZipFile(opened) as archive:
                    _unpack(archive, folder, file.name)
        except FileNotFoundError:
            raise ProfileError(say("There is no file {file}: check the name.", file=file)) from None
        except OSError as error:
            raise ProfileError(
                say("{file} cannot be read: {reason}.", file=file, reason=error.strerror or error)
            ) from error
        except DAMAGE_ERRORS as error:
            raise ProfileError(
                say(
                    "{name} is not a profile, or it is damaged: export it again with `companion profile export`.",
                    name=file.name,
                )
            ) from error
        try:
            return TableProfile.load(folder)
        except CalibrationError as error:
            # Its paths are in a temporary folder that is about to be deleted.
            reason = str(error).replace(f"{folder}/", "").replace(str(folder), file.name)
            raise ProfileError(say("{name} cannot be imported. {reason}", name=file.name, reason=reason)) from error


def _decks(profile: TableProfile) -> dict[str, EnrolledDeck]:
    """Return the enrolled cards of each game, by the game's id."""
    return {game: known.deck for game, known in profile.enrolled_games.items() if known.deck is not None}


def _only_decks(profile: TableProfile) -> TableProfile:
    """Return a profile with the same seats and cards, and nothing else."""
    return _with_decks(TableProfile(profile.seats), _decks(profile))


def _with_decks(profile: TableProfile, decks: Mapping[str, EnrolledDeck]) -> TableProfile:
    """Return the profile with the cards of some games replaced; all else stays. decks: by the game's id."""
    shown = profile.game
    for game, deck in decks.items():
        profile = replace(profile.of(game), deck=deck)
    return profile.of(shown)


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """Yield a temporary folder, which is deleted afterwards. Raises ProfileError if it cannot be made."""
    with _writing_temporary_files():
        folder = Path(tempfile.mkdtemp(prefix="companion-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _writing_temporary_files() -> Iterator[None]:
    """Raise ProfileError for an OSError inside the block, in which only temporary files are written."""
    try:
        yield
    except OSError as error:
        raise ProfileError(
            say("Temporary files cannot be written: {reason}.", reason=error.strerror or error)
        ) from error


def _unpack(archive: zipfile.ZipFile, folder: Path, name: str) -> None:
    """Unpack an untrusted archive into a folder, checking names, sizes and contents of all entries.

    name: of the archive, for error messages. Raises ProfileError; other errors mean that it is damaged.
    """
    entries = [entry for entry in archive.infolist() if not entry.is_dir() and entry.filename != LOCK_FILE]
    names = [entry.filename for entry in entries]
    if "profile.json" not in names:
        raise ProfileError(say("{name} is not a profile: it has no profile.json in it.", name=name))
    if len(entries) > MOST_PARTS or len(set(names)) < len(names):
        raise ProfileError(
            say("{name} is not a profile: it contains too many files, or one of them twice.", name=name)
        )
    with _writing_temporary_files():
        for cards in _deck_folders():
            (folder / cards).mkdir()
    left = _MAX_WHOLE_BYTES
    for entry in entries:
        if not _may_be_part(entry.filename):
            raise ProfileError(
                say(
                    "{name} is not a profile: it contains a file named “{filename}”.",
                    name=name,
                    filename=_harmless(entry.filename),
                )
            )
        most = min(left, _MAX_TEXT_BYTES if entry.filename.endswith((".json", ".yaml")) else MAX_PART_BYTES)
        # Sizes in the archive are untrusted: unpacking stops at a part's limit.
        with archive.open(entry) as part:
            data = part.read(most + 1)
        if len(data) > most:
            raise ProfileError(
                say(
                    "{name} is not a profile: its file {filename} is far too large.",
                    name=name,
                    filename=entry.filename,
                )
            )
        left -= len(data)
        _check_part(entry.filename, data)
        with _writing_temporary_files():
            (folder / entry.filename).write_bytes(data)
    for cards in _deck_folders():
        if not any((folder / cards).iterdir()):
            (folder / cards).rmdir()


def _deck_folders() -> tuple[str, ...]:
    return tuple(deck_folder(Path(), game).name for game in games.GAMES)


def _may_be_part(name: str) -> bool:
    """Return whether an entry of this name can belong to a profile."""
    folder, _, file = name.rpartition("/")
    if not folder:
        return PROFILE_FILE.fullmatch(name) is not None
    return folder in _deck_folders() and DECK_FILE.fullmatch(file) is not None


def _check_part(name: str, data: bytes) -> None:
    """Raise ProfileError for a picture or array file that would be too large when decoded.

    Errors of `zipfile` and NumPy mean that it is damaged.
    """
    if name.endswith((".png", ".jpg")):
        try:
            check_picture(data, name, _MAX_DECK_PIXELS if "/" in name else MOST_PIXELS)
        except CalibrationError as error:
            raise ProfileError(say("A picture of the profile cannot be used: {error}", error=error)) from error
    elif name.endswith(".npz"):
        check_directory(io.BytesIO(data), MOST_PARTS)
        with zipfile.ZipFile(io.BytesIO(data)) as arrays:
            if sum(entry.file_size for entry in arrays.infolist()) > MAX_PART_BYTES or len(arrays.infolist()) > 40:
                raise ProfileError(
                    say(
                        "The file {name} in the profile is far too large: export the profile again.",
                        name=name,
                    )
                )
            for entry in arrays.infolist():
                _check_array(arrays, entry, name)


def _check_array(arrays: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> None:
    """Raise ProfileError for an array that is too large by its header: NumPy would allocate that much memory."""
    with arrays.open(entry) as array:
        major, _ = np.lib.format.read_magic(array)
        read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
        shape, _, dtype = read(array)
        claimed = dtype.itemsize
        for side in shape:
            claimed *= side
        if claimed > MAX_PART_BYTES or dtype.hasobject:
            raise ProfileError(
                say(
                    "The file {name} in the profile is far too large: export the profile again.",
                    name=name,
                )
            )


def _harmless(text: str) -> str:
    """Return the first 60 characters of an untrusted text, with `?` in place of control characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in text[:60])
