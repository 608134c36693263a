"""One game on disk: the journal of moves, undo, correction and replay.

Other packages use the names exported here; `codec` has the JSON of moves, setups and entries.
"""

from companion.games.game import Stage, Step
from companion.session.correction_preview import Blocked, Dropped, InsertedMove, Revision, WhatIf
from companion.session.entries import Change, Entry, Played, Revised, Seat, Source, Started, Supplied, Undone
from companion.session.errors import (
    DamagedJournal,
    JournalError,
    LockedJournal,
    Malformed,
    NewerJournal,
    NoSuchEntry,
    NotAJournal,
    SessionError,
    StaleMove,
    UnwritableJournal,
)
from companion.session.session import SUFFIX, Session, Summary
from companion.session.timeline import Timeline

__all__ = [
    "SUFFIX",
    "Blocked",
    "Change",
    "DamagedJournal",
    "Dropped",
    "Entry",
    "InsertedMove",
    "JournalError",
    "LockedJournal",
    "Malformed",
    "NewerJournal",
    "NoSuchEntry",
    "NotAJournal",
    "Played",
    "Revised",
    "Revision",
    "Seat",
    "Session",
    "SessionError",
    "Source",
    "Stage",
    "StaleMove",
    "Started",
    "Step",
    "Summary",
    "Supplied",
    "Timeline",
    "Undone",
    "UnwritableJournal",
    "WhatIf",
]
