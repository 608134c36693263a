"""What the host has chosen for a game beside its moves, kept in a small file beside the journal.

It is no part of the journal: a game replays without it, and where the file is missing or damaged, all is as a new
game has it.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from calibration.storage import write_whole
from calibration.wording import say
from companion.session import SessionError
from companion.table.views import GameSettings

SUFFIX = ".settings"
_LARGEST = 4096
# One of a union with None, as in companion.session.codec: pydantic refuses a config for a dataclass itself.
_JSON: TypeAdapter[GameSettings | None] = TypeAdapter(
    GameSettings | None, config=ConfigDict(extra="forbid", strict=True)
)


def settings_beside(journal: Path) -> GameSettings:
    """Read what was chosen for the game of a journal."""
    try:
        with _path(journal).open("rb") as file:
            return _JSON.validate_json(file.read(_LARGEST)) or GameSettings()
    except (OSError, ValidationError):
        return GameSettings()


def keep_settings(journal: Path, settings: GameSettings) -> None:
    """Keep what was chosen for the game of a journal. Raises SessionError where it cannot be written."""
    try:
        write_whole(_path(journal), _JSON.dump_json(settings))
    except OSError as error:
        reason = error.strerror or str(error)
        raise SessionError(
            say("The choice could not be kept ({reason}). Make room on the disk and try again.", reason=reason)
        ) from None


def _path(journal: Path) -> Path:
    return journal.with_suffix(SUFFIX)
