"""Records the golden fixture: the first moves of a game on the simulated table, as the camera saw them.

Write it anew with  python -m tests.companion.table.history.recording tests/golden/wicked-3-players.game.zip
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import cv2

from calibration.empty_table import BackgroundView
from calibration.pieces.samples import PieceSamples
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile
from companion.games.wicked.moves import Reveal
from companion.session import Session
from companion.session.archive import write_archive
from companion.table import ReadingSchedule
from tests.companion.director.rehearsal import PLAYERS as SEATS
from tests.companion.director.rehearsal import Rehearsal, Room, furnished

SEED = 3
PLAYERS = 3
REVEALS = 2
SPECIMENS = 6


def record(room: Room, folder: Path, file: Path) -> None:
    """Play until so many reveals are taken, and write the game with their frames and what it takes to read them."""
    rehearsal = Rehearsal(room, folder / "games", SEED, speed=8.0, schedule=ReadingSchedule(3, 2))
    rehearsal.start(PLAYERS)
    rehearsal.until(lambda: rehearsal.director.tally.hands.shown >= REVEALS)
    rehearsal.close()
    export_profile(thinned(room.profile), folder / "whole.zip")
    # The picture of the empty table is made from the views again.
    with (folder / "whole.zip").open("rb") as exported:
        repack(exported, folder / "profile.zip", lambda name: not name.startswith("background"))
    whole = io.BytesIO()
    journal = next((folder / "games").glob("*.journal"))
    with Session.open(journal, read_only=True) as session:
        write_archive(session, whole, frames=True, profile=(folder / "profile.zip").read_bytes())
        reveals = [step.number for step in session.steps if isinstance(step.move, Reveal)]
    kept = re.compile(rf"frames/({'|'.join(map(str, reveals))})-.*|[^/]*")
    repack(whole, file, lambda name: kept.fullmatch(name) is not None)


def thinned(profile: TableProfile) -> TableProfile:
    """Leave out what reading the hands of this game does not need: cards, others' pieces, and most samples."""
    colours = {f"search:{seat.figure}" for seat in SEATS[:PLAYERS]}
    pieces = {
        kind: PieceSamples(samples.specimens[:SPECIMENS])
        for kind, samples in profile.pieces.items()
        if kind in colours or kind.startswith("sign:")
    }
    assert profile.background is not None
    _, view = cv2.imencode(".jpg", profile.background, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return replace(profile, pieces=pieces, deck=None, views=(BackgroundView(bytes(view), ()),))


def repack(archive: IO[bytes], file: Path, wanted: Callable[[str], bool]) -> None:
    """Copy an archive with the wanted parts only."""
    with zipfile.ZipFile(archive) as read, zipfile.ZipFile(file, "w") as written:
        for entry in read.infolist():
            if wanted(entry.filename):
                data = read.read(entry)
                if entry.filename == "profile.json":
                    data = json.dumps(json.loads(data) | {"background": None}).encode()
                written.writestr(entry, data, entry.compress_type)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        record(furnished(), Path(made), Path(sys.argv[1]))
