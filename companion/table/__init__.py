"""The running table: owns camera, readers, referee and session, and publishes what happens as plain views.

`Table` takes frames and commands, `Loop` runs one on a camera, `Eyes` reads for it, `SavedGames` keeps the games.
"""

from companion.table.history.saved_games import SavedGames
from companion.table.reading.frame_reader import Diligence, Eyes, Readers
from companion.table.reading.loop import Loop
from companion.table.table import Table

__all__ = ["Diligence", "Eyes", "Loop", "Readers", "SavedGames", "Table"]
