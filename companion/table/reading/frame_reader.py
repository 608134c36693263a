"""Decides which frames are read, and reads them: still ones with a clear view, while a reading is requested."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

from calibration.plane import TablePlane
from calibration.seats import Seating
from companion.table.pictures.overlay import draw_cards
from vision.cameras.frame import Frame, Image
from vision.health import Health, Refound, Trouble, ViewHealth
from vision.motion_state import HandsWatcher, MotionState
from vision.readings import Expectation, HandsReading, Point

if TYPE_CHECKING:
    from vision.hands.hand_contents_reader import QuickHand

_OF_ANY_PICTURE: tuple[Trouble, ...] = ("dark", "glaring", "colourless", "blurred", "frozen", "flicker")
"""Faults of a view that matter wherever the camera stands."""
RequestKind = Literal["hands", "at_rest", "whole_table"]
"""What is read: open hands over the table, things at rest on it, or the whole table.

The whole table takes long, so a worker thread reads it, from one picture.
"""


class HandsReader(Protocol):
    """Interface of a game's reader of open hands, such as `HandReader` in package `vision`."""

    def read_hands(
        self, image: Image, expectation: Expectation, background: Image | None = None
    ) -> Sequence[QuickHand]:
        """Return the hands in one picture, open or closed, without counting the pieces in them, which is faster.

        expectation: what hands can hold. background: picture of the table without hands.
        """
        ...

    def read(
        self, image: Image, expectation: Expectation, background: Image | None = None, number: int = 0
    ) -> HandsReading:
        """Return the reading of all hands in one picture, with the pieces counted.

        expectation: what hands can hold. background: picture of the table without hands. number: index of this
        picture among those of the same still hands, from 0.
        """
        ...


class RestReader(Protocol):
    """Interface of a game's reader of things at rest, such as cards."""

    def read(self, image: Image, hint: Any) -> Any:
        """Return the reading of things at rest in one picture.

        hint: from the game's adapter, see `StateRequest.hint`.
        """
        ...


@dataclass(frozen=True)
class Readers:
    """The readers of one enrolled table."""

    hands: HandsReader | None
    """None for a game that is played without hands over the table."""
    at_rest: RestReader | None
    """None for a game of which nothing is read at rest."""
    seat_of: Callable[[Point, Seating], int]
    """Returns the seat that a point of the picture (px) belongs to, for a seating."""
    background: Image | None = None
    """Picture of the empty table, by the camera at `plane`."""
    plane: TablePlane | None = None
    """The table plane; None without a calibration."""
    moved: Callable[[Refound], Readers] | None = None
    """Makes the readers for a camera that was moved; None where they cannot be made again."""
    whole_table: Callable[[], Any] | None = None
    """Makes the reader of the whole table; None where too little is enrolled for it."""
    draw_at_rest: Callable[[Image, Any], None] = draw_cards
    """Draws a reading of things at rest over a picture."""
    calibrated: bool = True
    """Whether the camera has to stay where it was calibrated; otherwise only its picture has to be good."""


@dataclass(frozen=True)
class ReadingRequest:
    """What to read in the next frames, for one state of the game."""

    key: tuple[object, ...]
    """Identifies the state; readings for another one are discarded."""
    wanted: RequestKind | None
    """Kind of reading; None where nothing is to be read."""
    expectation: Expectation
    """What hands can hold."""
    hint: Hashable = None
    """Passed to the `RestReader`; its meaning is the game's."""
    first_pictures: bool = False
    """Whether the readings of things at rest are reported after each picture, for an answer before the last one."""
    asked: bool = False
    """Whether a question is open already; the same still picture is then not read again."""
    confirms: str = ""
    """Id of a proposal whose countdown has ended: each new picture is read to confirm it; "" for none."""
    read_already: int | None = None
    """Number of the still interval in which nothing is read, because its proposal counts down; None for none."""


@dataclass(frozen=True, slots=True)
class ReadingSchedule:
    """How many still pictures are combined into one answer, and when a still table is read again."""

    hand_pictures: int = 5
    """Still pictures read for one answer about hands."""
    rest_pictures: int = 5
    """Still pictures read for one answer about things at rest."""
    again: float = 3.0
    """Seconds until a still table is read again; the pause doubles each time while nothing moves."""
    check: float = 0.12
    """Seconds between two checks of the view's health."""


@dataclass(frozen=True)
class FrameResult:
    """The result of one frame. `hands` and `at_rest` are empty until enough still pictures have been read."""

    motion: MotionState
    """Motion in the picture."""
    health: Health = field(default_factory=Health)
    """Health of the view."""
    reading: bool = False
    """Whether this frame was read; most are not."""
    hands: tuple[HandsReading, ...] = ()
    """Readings of hands, one per picture; reported after each picture while a proposal is being confirmed."""
    at_rest: tuple[Any, ...] = ()
    """The same for things at rest; also reported after each picture if the request wants the first ones."""
    complete: bool = False
    """Whether the readings are as many as one answer needs (`ReadingSchedule`)."""
    gone: bool = False
    """Whether the open hands that a proposal was read from have left."""


class FrameReader:
    """Tracks motion and view health in every frame and reads the few that a request needs. Used by one thread."""

    def __init__(self, readers: Readers, schedule: ReadingSchedule | None = None) -> None:
        self.readers = readers
        # The table has changed since it was enrolled: its first picture at rest shows better how it is now.
        self.watcher = HandsWatcher()
        self.health = Health()
        self._view = ViewHealth(readers.background, None if readers.moved is None else readers.plane)
        self._checked_at = float("-inf")
        self.last_hands: HandsReading | None = None
        self.last_at_rest: Any = None
        self._schedule = schedule or ReadingSchedule()
        self._hands: list[HandsReading] = []
        self._at_rest: list[Any] = []
        self._key: tuple[object, ...] | None = None
        self._confirms = ""
        self._period = -1
        self._taken_at = float("-inf")
        self._done_at: float | None = None
        self._pause = self._schedule.again

    def process(self, frame: Frame, request: ReadingRequest) -> FrameResult:
        """Process a frame; return its motion, the health of the view and, if the frame completes them, readings.

        Raises CalibrationError for a picture that the readers cannot use, as one of another size.
        """
        self._check_size(frame.image)
        self._taken_at = frame.taken_at
        motion = self.watcher.feed(frame.image, trusted=self.health.fit)
        health = self._check_view_health(frame, motion)
        question = (motion.period, request.key, request.confirms)
        if question != (self._period, self._key, self._confirms):
            self._discard_readings()
            if request.key != self._key and request.wanted == "at_rest":
                self.last_at_rest = None
            self._period, self._key, self._confirms = question
            self._pause = self._schedule.again
        if self._done_at is not None and not request.asked and frame.taken_at - self._done_at >= self._pause:
            self._discard_readings()
            self._pause *= 2.0
        if motion.state in ("watching", "hands"):
            self.last_hands = None
        if health.trouble is not None and not health.fit:
            self._discard_readings()
        read_already = motion.period == request.read_already
        if self._done_at is not None or read_already or not motion.still or not health.fit:
            return FrameResult(motion, health)
        if motion.state == "shown":
            self._check_hands_left(frame, request.expectation)
            return FrameResult(motion, health)
        if request.wanted == "hands" and motion.state == "still" and self.readers.hands is not None:
            return replace(self._read_hands(self.readers.hands, frame, motion, request), health=health)
        if (
            request.wanted == "at_rest"
            and motion.state in ("watching", "still")
            and self.readers.at_rest is not None
        ):
            return replace(self._read_at_rest(self.readers.at_rest, frame, motion, request), health=health)
        gone = bool(request.confirms) and request.wanted == "hands"
        return FrameResult(motion, health, gone=gone)

    def hands_entered(self) -> None:
        """Discard the readings of the hands in view, because their move has been entered."""
        self.watcher.taken()
        self._discard_readings()

    def skip_further_pictures(self) -> None:
        """Read no more pictures of the table as it lies, because the first ones have led to an answer."""
        self._done_at = self._taken_at

    def _check_size(self, image: Image) -> None:
        """Raise ProfileError for a picture of another size than the calibrated one.

        One on its side passes, because `ViewHealth` names that.
        """
        plane = self.readers.plane
        if self.readers.calibrated and plane is not None and sorted(image.shape[:2]) != sorted(plane.image_size):
            plane.fitting(image)

    def _check_view_health(self, frame: Frame, motion: MotionState) -> Health:
        """Return the health of the view, checked at intervals; adopt a camera pose or background found anew."""
        if frame.taken_at - self._checked_at < self._schedule.check:
            return self.health
        self._checked_at = frame.taken_at
        hands = motion.state != "watching"
        health = self._view.feed(frame.image, frame.taken_at, still=motion.still, hands=hands)
        if not self.readers.calibrated and health.trouble not in _OF_ANY_PICTURE:
            health = Health()
        if health.anew:
            self.watcher.no_hands(frame.image)
        if health.refound is not None and self.readers.moved is not None:
            self.readers = self.readers.moved(health.refound)
            self.watcher.moved(health.refound.movement)
        # Events are reported once, states until the next check.
        self.health = replace(health, anew=False, refound=None, unlike=False)
        return health

    def _discard_readings(self) -> None:
        """Discard the readings so far, so that a still table is read from the beginning."""
        self._hands.clear()
        self._at_rest.clear()
        self._done_at = None

    def _check_hands_left(self, frame: Frame, expectation: Expectation) -> None:
        """Accept the picture as one without hands if no hand is detected in it.

        Otherwise a cup at the edge, or an arm in the picture of the empty table, would block all further reading.
        """
        reader = self.readers.hands
        if reader is None or not reader.read_hands(frame.image, expectation, self._background()):
            self.watcher.no_hands(frame.image)
        self._done_at = frame.taken_at

    def _background(self) -> Image | None:
        """Return the newest picture of the table without hands, or the enrolled one."""
        return self.readers.background if self.watcher.background is None else self.watcher.background

    def _read_hands(
        self, reader: HandsReader, frame: Frame, motion: MotionState, request: ReadingRequest
    ) -> FrameResult:
        """Read the hands in a frame, unless all are closed, and return the frame's result."""
        background, expectation = self._background(), request.expectation
        if not self._hands:
            hands = reader.read_hands(frame.image, expectation, background)
            if hands and all(hand.state == "closed" for hand in hands):
                self._done_at = frame.taken_at
                return FrameResult(motion, self.health, gone=bool(request.confirms))
        reading = reader.read(frame.image, expectation, background, len(self._hands))
        self._hands.append(reading)
        self.last_hands = reading
        complete = len(self._hands) >= self._schedule.hand_pictures
        if complete:
            if not any(each.hands for each in self._hands):
                self.watcher.no_hands(frame.image)
            self._done_at = frame.taken_at
        reported = tuple(self._hands) if complete or request.confirms else ()
        return FrameResult(motion, self.health, reading=True, hands=reported, complete=complete)

    def _read_at_rest(
        self, reader: RestReader, frame: Frame, motion: MotionState, request: ReadingRequest
    ) -> FrameResult:
        """Read the things at rest in a frame, and return the frame's result."""
        reading = reader.read(frame.image, request.hint)
        self._at_rest.append(reading)
        self.last_at_rest = reading
        complete = len(self._at_rest) >= self._schedule.rest_pictures
        if complete:
            self._done_at = frame.taken_at
        reported = tuple(self._at_rest) if complete or request.confirms or request.first_pictures else ()
        return FrameResult(motion, self.health, reading=True, at_rest=reported, complete=complete)
