"""One game as one file, for export and import: a zip archive.

`meta.json` identifies it and the version that wrote it; `journal.jsonl` holds the journal, one entry per line, in
the same JSON as on disk; `evidence/N.jpg` the picture of entry N; `settings.json` the host's settings, where they
differ from a new game's. A fixture has the camera's frames (`frames/N-NAME.jpg`) and the table's profile
(`profile.zip`) as well, so that its reading can be repeated.

An imported file is untrusted: names, sizes, pictures and every move are checked before anything is stored.
"""

from __future__ import annotations

import struct
import time
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Annotated, Any, Generic

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.files.zip_limits import check_directory
from calibration.translatable import say
from companion import __version__
from companion.games import UnknownGame
from companion.games.game import Game
from companion.session.codec import codecs, entry_parser
from companion.session.entries import Entry, M, Seat, Started, moves_in
from companion.session.errors import ArchiveError, Malformed, SessionError
from companion.session.game_settings import (
    MOST_BYTES,
    SETTINGS,
    GameSettings,
    delete_settings,
    load_settings,
    save_settings,
)
from companion.session.journal import Journal, Row
from companion.session.player_names import check_seats
from companion.session.replay import ReplayMismatch, timelines
from companion.session.session import Session
from companion.session.timeline import S, Timeline
from companion.session.untrusted_zip_reader import MOST_PARTS, part_reader, read_pictures

FORMAT = 2
"""Version of the format, which grows when journals get new content; a newer one is refused."""
KIND = "labyrinth-companion-game"
"""Identifies the file in `meta.json`."""
SUFFIX = ".game.zip"
"""Suffix of the file names that the companion chooses."""
MOST_FILE_BYTES = 128 * 1024 * 1024
"""Size limit of the file."""
THIS_FILE = say("This file")
"""Name of a file in error messages whose own name is not known."""
_MOST_ENTRIES = 3000
"""Limit of the journal's entries."""
_MOST_TEXT_BYTES = 8 * 1024 * 1024
"""Limit of the journal."""
_MOST_PROFILE_BYTES = 64 * 1024 * 1024
"""Limit of the profile."""
_LONGEST_CHECK = 30.0
"""Time limit for replaying the game, seconds; an ordinary game takes a fraction of one."""
_ID = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,79}"
"""Allowed ids of games."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""Time stamp of all files in the archive, so that equal games give equal archives."""


class Meta(BaseModel):
    """The content of `meta.json`: what the file is, and which version wrote it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    kind: Annotated[str, Field(max_length=64)]
    """Always `KIND`."""
    format: Annotated[int, Field(ge=1, le=1_000_000)]
    """Version of the format."""
    id: Annotated[str, Field(pattern=f"^{_ID}$")]
    """Id of the game."""
    companion: Annotated[str, Field(max_length=64)]
    """Version of the companion that wrote it."""
    entries: Annotated[int, Field(ge=1, le=_MOST_ENTRIES)]
    """Number of the journal's entries."""


@dataclass(frozen=True, slots=True)
class Archive(Generic[S, M]):
    """An exported game that was read, checked and replayed."""

    meta: Meta
    """Name, format and origin of the file."""
    played: tuple[Timeline[S, M], ...]
    """The game's timeline after each entry of the journal, at least one."""
    rows: tuple[Row, ...]
    """The entries with their pictures, as a journal stores them."""
    profile: bytes | None = field(default=None, repr=False)
    """The table's profile as `profile export` writes it; in fixtures only."""
    settings: GameSettings = field(default_factory=GameSettings)
    """The host's settings."""

    @property
    def game(self) -> Game[S, M, Any]:
        """The game that was played."""
        return self.played[-1].game

    @property
    def started(self) -> Started:
        """The opening entry."""
        return self.played[-1].started

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The players by seat."""
        return self.started.seats

    @property
    def timeline(self) -> Timeline[S, M]:
        """The game after its last entry: moves that count and states."""
        return self.played[-1]

    @property
    def state(self) -> S:
        """The state at the end."""
        return self.played[-1].state

    @property
    def entries(self) -> tuple[Entry[M], ...]:
        """All entries in order."""
        return self.played[-1].entries

    def timelines(self) -> tuple[Timeline[S, M], ...]:
        """Return the game as it was after each entry: moves that counted and states."""
        return self.played

    def save(self, path: Path) -> None:
        """Store the game as a journal, with its settings beside it. Raises SessionError; then no file was created.

        path: of the journal.
        """
        if self.settings == GameSettings():
            delete_settings(path)
        else:
            save_settings(path, self.settings)
        try:
            Journal.create(path, self.rows).close()
        except SessionError:
            delete_settings(path)
            raise


def is_archive(path: Path) -> bool:
    """Return whether a file is a zip archive, by its first bytes."""
    try:
        with path.open("rb") as file:
            return file.read(4) == b"PK\x03\x04"
    except OSError:
        return False


def write_archive(
    session: Session[S, M], file: str | Path | IO[bytes], *, frames: bool = False, profile: bytes | None = None
) -> None:
    """Write a game as one zip file; the same game gives the same bytes.

    frames: include the camera's frames; profile: include the table's profile, as `profile export` writes it. Raises
    OSError where it cannot be written, ArchiveError for an unfinished game with secrets.
    """
    if session.timeline.journal_hides_something:
        raise ArchiveError(say("This game hides something until it is over. Export it then."))
    entries = session.entries
    meta = Meta(kind=KIND, format=FORMAT, id=session.id, companion=__version__, entries=len(entries))
    with zipfile.ZipFile(file, "w") as archive:

        def add(name: str, data: str | bytes, how: int = zipfile.ZIP_STORED) -> None:
            archive.writestr(zipfile.ZipInfo(name, _LONG_AGO), data, how)

        add("meta.json", meta.model_dump_json(indent=1) + "\n")
        bodies = session.bodies()[: len(entries)]
        add("journal.jsonl", "".join(f"{body}\n" for body in bodies), zipfile.ZIP_DEFLATED)
        if (settings := load_settings(session.path)) != GameSettings():
            add("settings.json", SETTINGS.to_json(settings))
        for entry in entries:
            picture = session.evidence(entry.number)
            if picture is not None:
                add(f"evidence/{entry.number}.jpg", picture)
            for name, still in session.stills(entry.number).items() if frames else ():
                add(f"frames/{entry.number}-{name}.jpg", still)
        if profile is not None:
            add("profile.zip", profile)


def read_archive(file: str | Path | IO[bytes], name: str = THIS_FILE) -> Archive:
    """Return an exported game, checked and replayed. name: of the file, for error messages.

    Raises ArchiveError with one plain line for a file that is not an exported game, is damaged or malicious, comes
    from a newer companion, or breaks the rules. Nothing is stored.
    """
    try:
        if isinstance(file, (str, Path)) and Path(file).stat().st_size > MOST_FILE_BYTES:
            raise ArchiveError(
                say(
                    "{file} is larger than {most} MB: it is too large for an exported game.",
                    file=name,
                    most=MOST_FILE_BYTES >> 20,
                )
            )
        with Path(file).open("rb") if isinstance(file, (str, Path)) else nullcontext(file) as opened:
            check_directory(opened, 4 * MOST_PARTS)
            with zipfile.ZipFile(opened) as archive:
                return _read_zip(archive, name)
    except FileNotFoundError:
        raise ArchiveError(say("There is no file {file}. Check the name.", file=file)) from None
    except (zipfile.BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, LookupError, ValueError):
        raise ArchiveError(
            say("{file} is not an exported game, or it is damaged. Export the game again.", file=name)
        ) from None
    except OSError as error:
        raise ArchiveError(
            say("{file} cannot be read ({reason}).", file=name, reason=error.strerror or error)
        ) from None


def _read_zip(archive: zipfile.ZipFile, name: str) -> Archive:
    """Return the exported game in an open zip file. Raises ArchiveError."""
    parts = part_reader(archive, name)
    meta = _parse_meta(parts("meta.json", 65_536), name)
    lines = _split_lines(parts("journal.jsonl", _MOST_TEXT_BYTES), name)
    game, entries = _parse_entries(lines, name)
    if len(entries) != meta.entries:
        raise ArchiveError(
            say(
                "{file} is cut off: it has {there} of {entries} entries. Export it again.",
                file=name,
                there=len(entries),
                entries=meta.entries,
            )
        )
    _check_start(game, entries[0], name)
    played = _replay(game, entries, name)
    pictures, stills = read_pictures(archive, parts, len(entries), name)
    rows = tuple(
        Row(line, pictures.get(number), stills.get(number, {})) for number, line in enumerate(lines, start=1)
    )
    names = archive.namelist()
    profile = parts("profile.zip", _MOST_PROFILE_BYTES) if "profile.zip" in names else None
    settings = (
        _parse_settings(parts("settings.json", MOST_BYTES), name) if "settings.json" in names else GameSettings()
    )
    return Archive(meta, played, rows, profile, settings)


def _parse_meta(data: bytes, name: str) -> Meta:
    """Return the checked content of `meta.json`. Raises ArchiveError."""
    try:
        meta = Meta.model_validate_json(data)
    except ValidationError:
        raise ArchiveError(
            say("{file} is not an exported game: its description (meta.json) cannot be read.", file=name)
        ) from None
    if meta.kind != KIND:
        raise ArchiveError(say("{file} is not an exported game of this companion.", file=name))
    if meta.format > FORMAT:
        raise ArchiveError(
            say(
                "{file} was exported by a newer companion (format {format}; this one reads up to {known}). Update "
                "the companion.",
                file=name,
                format=meta.format,
                known=FORMAT,
            )
        )
    return meta


def _split_lines(data: bytes, name: str) -> list[str]:
    """Return the entries in `journal.jsonl`, each as JSON. Raises ArchiveError."""
    lines = [line.decode() for line in data.splitlines()]
    if len(lines) > _MOST_ENTRIES:
        raise ArchiveError(
            say("{file} cannot be imported: it has more than {most} entries.", file=name, most=_MOST_ENTRIES)
        )
    if not lines:
        raise ArchiveError(say("{file} cannot be imported: it has no entries.", file=name))
    return lines


def _parse_entries(lines: Sequence[str], name: str) -> tuple[Game[Any, Any, Any], list[Entry]]:
    """Return the game and its entries from their JSON. Raises ArchiveError."""
    entries: list[Entry] = []
    try:
        game, parse = entry_parser(lines[0])
        move_codec = codecs(game).move
        for line in lines:
            entry = parse(line)
            for move in moves_in(entry):
                move_codec.from_json(move_codec.to_json(move))  # checks the bounds, too
            entries.append(entry)
    except UnknownGame as error:
        raise ArchiveError(say("{file} cannot be imported: {error}", file=name, error=error)) from None
    except Malformed as error:
        raise ArchiveError(
            say(
                "{file} cannot be imported: entry {number} cannot be read. {error}",
                file=name,
                number=len(entries) + 1,
                error=error,
            )
        ) from None
    return game, entries


def _parse_settings(data: bytes, name: str) -> GameSettings:
    try:
        return SETTINGS.from_json(data)
    except Malformed as error:
        raise ArchiveError(
            say("{file} cannot be imported: its settings cannot be read. {error}", file=name, error=error)
        ) from None


def _check_start(game: Game[Any, Any, Any], entry: Entry, name: str) -> None:
    """Raise ArchiveError where the first entry is not the start of a game with possible players and setup."""
    if not isinstance(entry, Started):
        raise ArchiveError(say("{file} cannot be imported: it does not begin with the start of a game.", file=name))
    try:
        check_seats(entry.seats)
        setup_codec = codecs(game).setup
        setup_codec.from_json(setup_codec.to_json(entry.setup))  # checks the bounds, too
    except SessionError as error:
        raise ArchiveError(say("{file} cannot be imported: {error}", file=name, error=error)) from None
    if len(entry.version) > 64 or not entry.version.isprintable():
        raise ArchiveError(say("{file} cannot be imported: which companion wrote it cannot be read.", file=name))


def _replay(game: Game[S, M, Any], entries: Sequence[Entry[M]], name: str) -> tuple[Timeline[S, M], ...]:
    """Return the timeline after each entry. Raises ArchiveError where the entries break the rules."""
    played: list[Timeline[S, M]] = []
    ends = time.monotonic() + _LONGEST_CHECK
    try:
        for timeline in timelines(game, entries):
            played.append(timeline)
            if time.monotonic() > ends:
                raise ArchiveError(say("{file} cannot be imported: checking its moves takes too long.", file=name))
    except ReplayMismatch as error:
        raise ArchiveError(
            say(
                "{file} cannot be imported: entry {number} breaks the rules: {error}",
                file=name,
                number=error.number,
                error=error,
            )
        ) from None
    return tuple(played)
