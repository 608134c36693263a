"""The service that scores boards without a journal: reads pictures in a thread, and saves all changes."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.errors import CalibrationError
from calibration.files.picture_files import check_picture, decode_picture
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import counted, say, sentences
from companion.adapters.wicked.boards.reading_overlays import board_picture
from companion.adapters.wicked.scoring import scoring_state
from companion.adapters.wicked.scoring.board_import import ImportedBoards, imported_boards
from companion.adapters.wicked.scoring.scoring_state import Countable, Scoring
from companion.adapters.wicked.scoring.storage import ScoringStore
from companion.adapters.wicked.scoring.view_model import ScoringView, scoring_view
from companion.games.wicked.components import ORACLES_DEALT, Colour, PlayerColour, Rank
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.publisher import Publisher
from companion.table.views import Refused
from vision.games.wicked.readings import BoardExpectation

if TYPE_CHECKING:
    from vision.games.wicked.board_reader import BoardReader

LARGEST_PICTURE = 24 * 1024 * 1024
"""Largest size of a picture, bytes; phones take pictures of at most a third of this."""
_MAX_QUEUED = 6
"""Largest number of pictures in the queue."""
_NAME = say("The picture")
_NO_BOARDS = say(
    "No boards are enrolled yet: enrol them on the page or with `companion enrol board`, or fill them in by hand."
)


@dataclass(frozen=True, eq=False)
class _PictureJob:
    """A picture in the queue."""

    picture: bytes | Image
    """Bytes of a picture file, or pixels: rows × columns × BGR."""
    sitting: int
    """Number of `clear`s before it was queued; its boards are dropped if there was another one since."""
    again: str | None
    """Id of the board that it replaces; None if it adds boards."""


class ScoringService:
    """Scores boards independently of any game. Callable from any thread.

    A command that cannot be executed raises `Refused` and changes nothing. A change is stored before it is
    published. folder: where boards and pictures are stored. profile: returns the table's profile, None while it is
    being set up. picture: returns the camera's newest picture as BGR pixels, None without one.
    """

    def __init__(
        self, folder: Path, profile: Callable[[], TableProfile | None], picture: Callable[[], Image | None]
    ) -> None:
        self._store = ScoringStore(folder)
        self._profile = profile
        self._camera_picture = picture
        self._lock = threading.RLock()
        self._scoring = self._store.load()
        self._publisher: Publisher[ScoringView] = Publisher()
        self._jobs: deque[_PictureJob] = deque()
        self._wake = threading.Condition(self._lock)
        self._thread: threading.Thread | None = None
        self._closed = False
        self._sitting = 0
        self._reading = False
        self._outcome: tuple[str, bool] = ("", False)
        self._unread = ""
        self._version = 0
        self._reader: tuple[TableProfile, BoardReader] | None = None

    # Queries

    @property
    def view(self) -> ScoringView:
        """The boards and scores as they are now, for screens."""
        with self._lock:
            return scoring_view(
                self._scoring,
                scoring_state.score_standing(self._scoring),
                self._version,
                self._progress(),
                self._outcome,
                self._unread,
            )

    def subscribe(self, callback: Callable[[ScoringView], None]) -> Callable[[], None]:
        """Call a function with the new view after each change, from another thread; return one that ends that."""
        return self._publisher.subscribe(callback)

    def watch(self) -> ScoringView:
        """Check whether pictures can be read now, and return the view, which contains the result."""
        unread = self._why_unread()
        with self._lock:
            self._unread = unread
            return self.view

    def picture(self, name: str) -> bytes | None:
        """Return the stored picture of a board, as JPEG; None without one. name: as in `ScoredBoard.picture`."""
        return self._store.picture(name)

    # Commands

    def set_players(self, players: int) -> None:
        """Set the number of players."""
        self._change(lambda now: scoring_state.with_players(now, players))

    def begin_by_hand(self, colour: PlayerColour) -> None:
        """Add an empty board of this colour, to be filled in."""
        self._change(lambda now: scoring_state.with_empty_board(now, colour))

    def set_token(self, board: str, rank: Rank, index: int, token: Colour | None) -> None:
        """Set the token on a spot of a board, None to empty it. board: id. index: of the spot in its rank."""
        self._change(lambda now: scoring_state.with_spot(now, board, rank, index, token))

    def set_count(self, board: str, what: Countable, number: int) -> None:
        """Set a count of a board, such as that of its small oracles. board: its id."""
        self._change(lambda now: scoring_state.with_number(now, board, what, number))

    def set_achieved(self, board: str, place: int, achieved: bool) -> None:
        """Set whether a great oracle is achieved.

        board: id of its board. place: index in `ScoredBoard.great`.
        """
        self._change(lambda now: scoring_state.with_great(now, board, place, achieved))

    def confirm(self, board: str, about: str) -> None:
        """Confirm a doubtful part of a board as it is. board: its id. about: the part, as in `OpenDoubt`."""
        self._change(lambda now: scoring_state.without_doubt(now, board, about))

    def remove(self, board: str) -> None:
        """Remove a board. board: its id."""
        self._change(lambda now: scoring_state.without_board(now, board))

    def clear(self) -> None:
        """Remove all boards and the number of players."""
        with self._lock:
            self._save(Scoring(made=self._scoring.made), {})
            self._sitting += 1
            self._jobs.clear()
            self._outcome = ("", False)
            self._publish()

    # Pictures

    def add_picture(self, data: bytes, again: str | None = None) -> None:
        """Queue a picture file of one or more boards for reading.

        again: id of a board that it replaces; None adds boards. Raises `Refused` if it is not a picture, or if none
        can be read now.
        """
        if len(data) > LARGEST_PICTURE:
            raise Refused("bad_request", say("That picture is too large: choose one of at most 24 MB."))
        try:
            check_picture(data, _NAME)
        except CalibrationError as error:
            raise Refused("bad_request", str(error)) from None
        self._queue(data, again)

    def read_camera(self, again: str | None = None) -> None:
        """Queue the camera's newest picture for reading.

        again: id of a board that it replaces; None adds boards. Raises `Refused` as `add_picture` does.
        """
        image = self._camera_picture()
        if image is None:
            raise Refused("not_now", say("The camera is not sending pictures now. Photograph the boards instead."))
        self._queue(image, again)

    def close(self) -> None:
        """Stop reading and publishing; wait at most 5 s for the picture that is being read."""
        with self._lock:
            self._closed = True
            self._jobs.clear()
            self._wake.notify_all()
            thread = self._thread
        if thread is not None:
            thread.join(5.0)
        self._publisher.close()

    # Internal

    def _queue(self, picture: bytes | Image, again: str | None) -> None:
        unread = self._why_unread()
        if unread:
            raise Refused("not_now", unread)
        with self._lock:
            if self._scoring.players is None:
                raise Refused("not_now", say("Set the number of players first."))
            if again is not None:
                self._scoring.board(again)
            if len(self._jobs) >= _MAX_QUEUED:
                raise Refused(
                    "not_now", say("Too many pictures are waiting. Send the next one when they have been read.")
                )
            self._jobs.append(_PictureJob(picture, self._sitting, again))
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="boards", daemon=True)
                self._thread.start()
            self._wake.notify_all()
            self._publish()

    def _change(self, change: Callable[[Scoring], Scoring]) -> None:
        with self._lock:
            self._save(change(self._scoring), {})
            self._outcome = ("", False)
            self._publish()

    def _save(self, scoring: Scoring, pictures: dict[str, bytes]) -> None:
        """Save a scoring with new pictures, JPEG by board id. Raises `Refused` if it cannot be saved."""
        try:
            self._scoring = self._store.save(scoring, pictures)
        except OSError as error:
            raise Refused(
                "not_now",
                say(
                    "The boards cannot be saved in {folder} ({reason}). Free some disk space and try again.",
                    folder=self._store.folder,
                    reason=error.strerror or error,
                ),
            ) from None

    def _progress(self) -> str:
        if not self._reading and not self._jobs:
            return ""
        waiting = len(self._jobs) - (not self._reading)
        more = counted(waiting, "{n} more is waiting.", "{n} more are waiting.") if waiting else ""
        return sentences(say("Reading the picture…"), more)

    def _publish(self) -> None:
        self._version += 1
        self._publisher.publish(self.view)

    def _run(self) -> None:
        while True:
            with self._lock:
                while not self._jobs and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                job = self._jobs.popleft()
                self._reading = True
                self._publish()
            outcome = self._read(job)
            with self._lock:
                if job.sitting == self._sitting:
                    self._outcome = outcome
                self._reading = False
                self._publish()

    def _read(self, job: _PictureJob) -> tuple[str, bool]:
        """Read a picture and add its boards; return a message for screens, and whether the picture was refused."""
        try:
            profile = self._profile()
            if profile is None:
                raise Refused("not_now", self._why_unread())
            image = job.picture if not isinstance(job.picture, bytes) else decode_picture(job.picture, _NAME)
            reader = self._reader_for(profile)
            players = self._scoring.players
            seating = profile.seating(players)
            expectation = BoardExpectation(players, ORACLES_DEALT, ORACLES_DEALT, players, seating)
            reading = reader.read(image, expectation)
            with self._lock:
                if job.sitting != self._sitting:
                    return "", False
                imported = imported_boards(self._scoring, reading, job.again)
                self._save(imported.scoring, _pictures(imported, image))
            return sentences(*imported.lines, *(reading.problems if job.again is None else ())), False
        except Refused as refused:
            return str(refused), True
        except CalibrationError as error:
            return as_shown_on_screens(str(error)), True
        except Exception:
            # One bad picture must not keep the next ones from being read.
            logging.getLogger(__name__).exception("A picture of boards could not be read.")
            return say("The picture could not be read. Take another one, or fill the board in by hand."), True

    def _reader_for(self, profile: TableProfile) -> BoardReader:
        """Return the board reader of a profile; it is cached until the profile's enrolled data change."""
        from vision.games.wicked.board_reader import BoardReader

        made = self._reader
        if made is None or not _reads_boards_alike(made[0], profile):
            self._reader = made = profile, BoardReader(profile)
        return made[1]

    def _why_unread(self) -> str:
        """Return the reason why pictures cannot be read now, as sentences; "" if they can."""
        try:
            profile = self._profile()
        except Refused as refused:
            return str(refused)
        if profile is None:
            return say("Pictures cannot be read yet: the table is being set up. Boards can be filled in by hand.")
        return "" if profile.personal_boards else _NO_BOARDS


def _reads_boards_alike(one: TableProfile, other: TableProfile) -> bool:
    """Return whether a board reader works alike with two profiles; enrolled data are compared by identity."""
    parts = ((one.personal_boards, other.personal_boards), (one.pieces, other.pieces))
    same = all(a.keys() == b.keys() and all(a[name] is b[name] for name in a) for a, b in parts)
    return same and one.deck is other.deck and one.plane == other.plane and one.seats == other.seats


def _pictures(imported: ImportedBoards, image: Image) -> dict[str, bytes]:
    """Return a picture of each imported board with its reading drawn on it, as JPEG by board id.

    image: picture that was read, BGR.
    """
    return {id: board_picture(image, reading) for id, reading in imported.read}
