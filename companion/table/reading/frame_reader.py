"""The reading side: from frames to readings, read only when something rests on the table that is worth it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from calibration.plane import Region, TablePlane
from calibration.seats import Seating
from vision.cameras.frame import Frame, Image
from vision.games.wicked.readings import BoardExpectation, BoardsReading
from vision.health import Health, Refound, ViewHealth
from vision.readings import CardsReading, Expectation, Point, RevealReading
from vision.stillness import MotionState, RevealWatcher

RequestKind = Literal["hands", "ring", "cards"]
"""What is worth reading now: opened hands, the ring of corridor cards, or cards anywhere on the table."""

RING = Region(-245.0, -245.0, 245.0, 245.0)
"""Where the ring of corridors lies, with room for a tile that is not quite in the middle; mm."""


class QuickHand(Protocol):
    """A hand found quickly."""

    @property
    def state(self) -> str:
        """Whether it is "open" or "closed"."""
        ...


class ReadsReveals(Protocol):
    """A reader of hands, as `vision.hands.RevealReader`."""

    def read_hands(
        self, image: Image, expectation: Expectation, background: Image | None = None
    ) -> Sequence[QuickHand]:
        """Find the hands quickly, without looking at what lies in them."""
        ...

    def read(
        self, image: Image, expectation: Expectation, background: Image | None = None, number: int = 0
    ) -> RevealReading:
        """Read all hands of one picture; number: which of several of the same still hands it is, from 0."""
        ...


class ReadsCards(Protocol):
    """A reader of cards, as `vision.cards.reader.CardReader`."""

    def read(self, image: Image, region: Region | None = None, ring: int | None = None) -> CardsReading:
        """Read the cards of one picture, all or those of a region; `ring`: how many corridors lie there."""
        ...


class ReadsBoards(Protocol):
    """A reader of personal boards, as `vision.games.wicked.boards.BoardReader`."""

    def read(self, image: Image, expectation: BoardExpectation | None = None) -> BoardsReading:
        """Read all boards of one picture."""
        ...


@dataclass(frozen=True)
class Readers:
    """What a table reads with. seat_of: whose a point of the picture (px) is, for people who sit like this.

    background: the empty table as the camera at `plane` saw it. moved: gives the readers for the place that a moved
    camera was found at; None where they cannot be made for another. boards: makes the reader of boards, which takes
    a moment; None where boards or tokens are not known.
    """

    reveals: ReadsReveals
    cards: ReadsCards
    seat_of: Callable[[Point, Seating], int]
    background: Image | None = None
    plane: TablePlane | None = None
    moved: Callable[[Refound], Readers] | None = None
    boards: Callable[[], ReadsBoards] | None = None


@dataclass(frozen=True)
class ReadingRequest:
    """What the eyes are asked about.

    key: of the state that the answer is for; readings for another one are thrown away. wanted: None where
    nothing is worth reading. ring: how many corridors lie round the tile. asked: people are being asked already,
    so the same still picture is not read once more. confirms: the id of a proposal that is about to be entered, if
    any: new pictures are read for it, and each one is reported.
    """

    key: tuple[object, ...]
    wanted: RequestKind | None
    expectation: Expectation
    ring: int | None = None
    asked: bool = False
    confirms: str = ""


@dataclass(frozen=True, slots=True)
class ReadingSchedule:
    """How many still pictures are read for one answer, and after how many seconds of rest again.

    As long as nothing moves, each further pause is twice as long: the answer will hardly be another one. check:
    seconds between two looks at whether the view itself is as it should be.
    """

    reveal_pictures: int = 5
    card_pictures: int = 5
    again: float = 3.0
    check: float = 0.12


@dataclass(frozen=True)
class FrameResult:
    """What came of one frame: how things stand, and readings once enough still pictures have been read.

    While a proposal is confirmed there are readings after each picture; complete: they are as many as an answer
    takes. gone: no open hand is left of those that the proposal was read from.
    """

    sight: MotionState
    health: Health = field(default_factory=Health)
    reading: bool = False
    reveals: tuple[RevealReading, ...] = ()
    cards: tuple[CardsReading, ...] = ()
    complete: bool = False
    gone: bool = False


class FrameReader:
    """Watches every frame and reads the few that matter. Used by one thread at a time."""

    def __init__(self, readers: Readers, diligence: ReadingSchedule | None = None) -> None:
        self.readers = readers
        # The table has changed since it was enrolled: its first picture at rest shows better how it is now.
        self.watcher = RevealWatcher()
        self.health = Health()
        self._view = ViewHealth(readers.background, None if readers.moved is None else readers.plane)
        self._checked_at = float("-inf")
        self.last_reveal: RevealReading | None = None
        self.last_cards: CardsReading | None = None
        self._diligence = diligence or ReadingSchedule()
        self._reveals: list[RevealReading] = []
        self._cards: list[CardsReading] = []
        self._key: tuple[object, ...] | None = None
        self._confirms = ""
        self._period = -1
        self._done_at: float | None = None
        self._pause = self._diligence.again

    def look(self, frame: Frame, subject: ReadingRequest) -> FrameResult:
        """Take in a frame."""
        sight = self.watcher.feed(frame.image, trusted=self.health.fit)
        health = self._check(frame, sight)
        question = (sight.period, subject.key, subject.confirms)
        if question != (self._period, self._key, self._confirms):
            self._forget()
            if subject.key != self._key and subject.wanted in ("ring", "cards"):
                self.last_cards = None
            self._period, self._key, self._confirms = question
            self._pause = self._diligence.again
        if self._done_at is not None and not subject.asked and frame.taken_at - self._done_at >= self._pause:
            self._forget()
            self._pause *= 2.0
        if sight.state in ("watching", "hands"):
            self.last_reveal = None
        if health.trouble is not None and not health.fit:
            self._forget()
        if self._done_at is not None or not sight.still or not health.fit:
            return FrameResult(sight, health)
        if sight.state == "shown":
            self._look_whether_they_left(frame, subject.expectation)
            return FrameResult(sight, health)
        if subject.wanted == "hands" and sight.state == "still":
            return replace(self._read_hands(frame, sight, subject), health=health)
        if subject.wanted in ("ring", "cards") and sight.state in ("watching", "still"):
            return replace(self._read_cards(frame, sight, subject), health=health)
        gone = bool(subject.confirms) and subject.wanted == "hands"
        return FrameResult(sight, health, gone=gone)

    def taken(self) -> None:
        """Note that a reveal has been entered: the hands that show it are done with."""
        self.watcher.taken()
        self._forget()

    def _check(self, frame: Frame, sight: MotionState) -> Health:
        """Look now and then whether the view is as it should be, and take over what came of that."""
        if frame.taken_at - self._checked_at < self._diligence.check:
            return self.health
        self._checked_at = frame.taken_at
        hands = sight.state != "watching"
        health = self._view.feed(frame.image, frame.taken_at, still=sight.still, hands=hands)
        if health.anew:
            self.watcher.no_hands(frame.image)
        if health.refound is not None and self.readers.moved is not None:
            self.readers = self.readers.moved(health.refound)
            self.watcher.moved(health.refound.movement)
        # What happened is told once, how things are until the next look.
        self.health = replace(health, anew=False, refound=None, unlike=False)
        return health

    def _forget(self) -> None:
        self._reveals.clear()
        self._cards.clear()
        self._done_at = None

    def _look_whether_they_left(self, frame: Frame, expectation: Expectation) -> None:
        """Let nothing else that reaches over the picture's edge pass for the hands that showed a reveal.

        A cup put there, or an arm in the picture that was taken for the empty table, would end all reading.
        """
        if not self.readers.reveals.read_hands(frame.image, expectation, self._background()):
            self.watcher.no_hands(frame.image)
        self._done_at = frame.taken_at

    def _background(self) -> Image | None:
        return self.readers.background if self.watcher.background is None else self.watcher.background

    def _read_hands(self, frame: Frame, sight: MotionState, subject: ReadingRequest) -> FrameResult:
        background, expectation = self._background(), subject.expectation
        if not self._reveals:
            hands = self.readers.reveals.read_hands(frame.image, expectation, background)
            if hands and all(hand.state == "closed" for hand in hands):
                self._done_at = frame.taken_at
                return FrameResult(sight, self.health, gone=bool(subject.confirms))
        reading = self.readers.reveals.read(frame.image, expectation, background, len(self._reveals))
        self._reveals.append(reading)
        self.last_reveal = reading
        complete = len(self._reveals) >= self._diligence.reveal_pictures
        if complete:
            if not any(each.hands for each in self._reveals):
                self.watcher.no_hands(frame.image)
            self._done_at = frame.taken_at
        reported = tuple(self._reveals) if complete or subject.confirms else ()
        return FrameResult(sight, self.health, reading=True, reveals=reported, complete=complete)

    def _read_cards(self, frame: Frame, sight: MotionState, subject: ReadingRequest) -> FrameResult:
        region = RING if subject.wanted == "ring" else None
        reading = self.readers.cards.read(frame.image, region, subject.ring)
        self._cards.append(reading)
        self.last_cards = reading
        complete = len(self._cards) >= self._diligence.card_pictures
        if complete:
            self._done_at = frame.taken_at
        reported = tuple(self._cards) if complete or subject.confirms else ()
        return FrameResult(sight, self.health, reading=True, cards=reported, complete=complete)
