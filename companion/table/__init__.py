"""The running table: camera frames and commands in, published views out.

`Table` processes frames and commands, `Loop` passes it a camera's frames, `FrameReader` decides which frames are
read, `SavedGames` stores the games.
"""

from companion.table.history.saved_games import SavedGames
from companion.table.reading.frame_loop import Loop
from companion.table.reading.frame_reader import FrameReader, Readers, ReadingSchedule
from companion.table.table import Table

__all__ = ["FrameReader", "Loop", "Readers", "ReadingSchedule", "SavedGames", "Table"]
