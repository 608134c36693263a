"""The host's settings of a game, stored in a small file beside the journal.

They are no part of the journal: a game replays without them, and a missing or damaged file means the defaults.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, TypeAdapter

from calibration.files.crash_safe_files import write_whole
from calibration.translatable import say
from companion.session.codec import Codec
from companion.session.errors import Malformed, SessionError

EntryMode = Literal["camera", "hand", "demo"]
"""How a game is entered: read by the camera, by hand alone, or by bots on the simulated table."""

SUFFIX = ".settings"
"""Suffix of the file."""
MOST_BYTES = 4096
"""Size limit of the file."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """The host's settings of a game, the same for all players."""

    hints: bool = False
    """Whether players may ask for the best continuation."""
    reminders: bool = True
    """Whether players who finish are reminded of obvious actions that are left."""
    way: EntryMode = "camera"
    """How the game is entered."""


SETTINGS = Codec[GameSettings](
    # A union with None, as in companion.session.codec: pydantic refuses a config for a dataclass itself.
    TypeAdapter(GameSettings | None, config=ConfigDict(extra="forbid", strict=True)),
    say("a game's settings"),
    MOST_BYTES,
)


def load_settings(journal: Path) -> GameSettings:
    """Return the settings of a game; the defaults where there are none. journal: file of the game."""
    try:
        with _settings_path(journal).open("rb") as file:
            return SETTINGS.from_json(file.read(MOST_BYTES + 1))
    except (OSError, Malformed):
        return GameSettings()


def save_settings(journal: Path, settings: GameSettings) -> None:
    """Store the settings of a game. Raises SessionError where they cannot be written.

    journal: file of the game, beside which they are stored.
    """
    with _as_session_errors():
        write_whole(_settings_path(journal), SETTINGS.to_json(settings).encode())


def delete_settings(journal: Path) -> None:
    """Delete the settings of a game, if any. Raises SessionError where that fails. journal: file of the game."""
    with _as_session_errors():
        _settings_path(journal).unlink(missing_ok=True)


@contextmanager
def _as_session_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise SessionError(
            say(
                "The settings could not be saved ({reason}). Free some space on the disk and try again.",
                reason=reason,
            )
        ) from None


def _settings_path(journal: Path) -> Path:
    return journal.with_suffix(SUFFIX)
