"""The services that only The Wicked Labyrinth adds to a table."""

from __future__ import annotations

from companion.adapters.wicked.advice_service import AdviceService
from companion.adapters.wicked.scoring.service import ScoringService
from companion.table.game_adapter import TableAccess


class WickedServices:
    """Advice in the soul phase, and scoring of boards without a game."""

    def __init__(self, table: TableAccess) -> None:
        self.advice = AdviceService(table.lock, table.playing, table.settings_of)
        self.scoring = ScoringService(table.folder / "scoring", table.profile, table.picture)

    def close(self) -> None:
        """Stop the threads of the services."""
        self.scoring.close()
