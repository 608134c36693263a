"""The running table: owns camera, readers, referee and session, and publishes what happens as plain views.

`Table` takes frames and commands, `Loop` runs one on a camera, `Eyes` reads for it, `Library` keeps the games.
"""

from companion.table.eyes import Diligence, Eyes, Readers
from companion.table.library import Library
from companion.table.loop import Loop
from companion.table.table import Table

__all__ = ["Diligence", "Eyes", "Library", "Loop", "Readers", "Table"]
