"""What the host has chosen for a game beside its moves, kept in a small file beside the journal.

It is no part of the journal: a game replays without it, and where the file is missing or damaged, all is as a new
game has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, TypeAdapter

from calibration.storage import write_whole
from calibration.wording import say
from companion.session.codec import Codec
from companion.session.errors import Malformed, SessionError

EntryMode = Literal["camera", "hand", "demo"]
"""How a game is entered: read by the camera, by hand alone, or played by bots on the simulated table."""

SUFFIX = ".settings"
MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What the host has chosen for a game beside its moves; the same for everybody at the table.

    hints: players may ask what is best for their board; reminders: who ends a soul phase is told what lies open;
    way: how the game is entered.
    """

    hints: bool = False
    reminders: bool = True
    way: EntryMode = "camera"


SETTINGS = Codec[GameSettings](
    # One of a union with None, as in companion.session.codec: pydantic refuses a config for a dataclass itself.
    TypeAdapter(GameSettings | None, config=ConfigDict(extra="forbid", strict=True)),
    "a game's settings",
    MOST_BYTES,
)


def settings_beside(journal: Path) -> GameSettings:
    """Read what was chosen for the game of a journal."""
    try:
        with _path(journal).open("rb") as file:
            return SETTINGS.from_json(file.read(MOST_BYTES + 1))
    except (OSError, Malformed):
        return GameSettings()


def keep_settings(journal: Path, settings: GameSettings) -> None:
    """Keep what was chosen for the game of a journal. Raises SessionError where it cannot be written."""
    with _plainly():
        write_whole(_path(journal), SETTINGS.to_json(settings).encode())


def forget_settings(journal: Path) -> None:
    """Drop what was chosen for the game of a journal, if anything was. Raises SessionError where it cannot be."""
    with _plainly():
        _path(journal).unlink(missing_ok=True)


@contextmanager
def _plainly() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise SessionError(
            say("The choice could not be kept ({reason}). Make room on the disk and try again.", reason=reason)
        ) from None


def _path(journal: Path) -> Path:
    return journal.with_suffix(SUFFIX)
