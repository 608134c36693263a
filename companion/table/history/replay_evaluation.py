"""Reads the stored frames of an exported game again, and compares the proposals with the moves played."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from calibration.errors import ProfileError
from calibration.files.picture_files import decode_picture
from calibration.profile import TableProfile
from calibration.profile_sharing import read_profile
from calibration.translatable import say
from companion.adapters import adapter
from companion.games.game import Step
from companion.referee.proposal import Proposal
from companion.session.archive import Archive
from companion.table.game_adapter import Adapter, Situation, StillReadings
from companion.table.pictures.evidence import BACKGROUND, FRAME
from companion.table.reading.frame_reader import HandsReader, RestReader
from vision.cameras.frame import Image
from vision.readings import Point

Verdict = Literal["right", "asked", "unread", "wrong"]
"""How a proposal compares with the move played.

right: the same move with certainty; asked: it needs confirmation; unread: no move was proposed; wrong: another move
with certainty, the worst case.
"""
VERDICTS: tuple[Verdict, ...] = ("right", "asked", "unread", "wrong")
"""All verdicts, in the order in which they are printed."""


@dataclass(frozen=True, slots=True)
class Reread:
    """The result of reading the frame of one recorded move again."""

    number: int
    """Number of the journal entry."""
    verdict: Verdict
    """How the new proposal compares with the move played."""
    expected: str
    """The move played, as a line."""
    read: str
    """The move proposed, as a line; "" where there is none."""


def profile_in(archive: Archive) -> TableProfile | None:
    """Return the profile that an exported game contains; None where it contains none.

    Raises ProfileError where it cannot be used.
    """
    if archive.profile is None:
        return None
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / "profile.zip"
        file.write_bytes(archive.profile)
        return read_profile(file)


def reread_frames(archive: Archive, profile: TableProfile) -> Iterator[Reread]:
    """Read the stored frames of an exported game again; yield how the new proposals compare with its moves.

    Only frames of moves that were not undone are read, each with what the state before its move expects. Frames of
    things at rest are skipped where the profile has no cards. Raises CalibrationError where a frame is damaged or
    does not fit the profile.
    """
    names = tuple(seat.name for seat in archive.seats)
    reading = _FrameReading(adapter(archive.game.id), profile, names)
    describe = reading.adapter.game.describe
    steps = archive.played[-1].steps
    for place, step in enumerate(steps):
        stills = archive.rows[step.number - 1].stills
        if FRAME not in stills or not reading.can_read(step.before):
            continue
        image = decode_picture(stills[FRAME], f"frames/{step.number}-{FRAME}.jpg")
        background = None
        if BACKGROUND in stills:
            background = decode_picture(stills[BACKGROUND], f"frames/{step.number}-{BACKGROUND}.jpg")
        proposal = reading.propose(step.before, image, background)
        verdict, move = _judge(proposal, [later.move for later in steps[place:]], reading.adapter.same)
        played = Step(step.number, step.move, step.before, step.after)
        read = None if move is None else replace(played, move=move)
        yield Reread(
            step.number,
            verdict,
            describe(played, step.after, names, None),
            "" if read is None else describe(read, step.after, names, None),
        )


class _FrameReading:
    """Proposes moves from single frames with a profile; each reader is made when it is first needed."""

    def __init__(self, adapter: Adapter[Any, Any], profile: TableProfile, names: tuple[str, ...]) -> None:
        self.adapter = adapter
        self._profile = profile
        self._names = names
        if adapter.calibrated and profile.plane is None:
            raise ProfileError(say("This profile has no table: run `companion calibrate` first."))
        self._plane = profile.plane
        self._hands: HandsReader | None = None
        self._at_rest: RestReader | None = None

    def can_read(self, state: Any) -> bool:
        """Return whether a camera reads hands or things at rest in this state, and the profile suffices for it."""
        wanted = self.adapter.request(state).wanted
        known = self._profile.deck is not None or not self.adapter.calibrated
        return wanted == "hands" or (wanted == "at_rest" and known)

    def propose(self, state: Any, image: Image, background: Image | None) -> Proposal[Any] | None:
        """Return the proposal that a BGR frame leads to in this state, None for none.

        background: picture without hands.
        """
        request = self.adapter.request(state)
        read = StillReadings()
        if request.wanted == "hands":
            if self._hands is None and self.adapter.hands_reader is not None:
                self._hands = self.adapter.hands_reader(self._profile)
            if self._hands is not None:
                read = StillReadings(hands=[self._hands.read(image, request.expectation, background)])
        elif request.wanted == "at_rest":
            if self._at_rest is None and self.adapter.rest_reader is not None:
                self._at_rest = self.adapter.rest_reader(self._profile)
            if self._at_rest is not None:
                read = StillReadings(at_rest=[self._at_rest.read(image, request.hint)])
        return self.adapter.interpret(Situation(state, self._names, self._seat_of), read).proposal

    def _seat_of(self, point: Point) -> int:
        if self._plane is None:
            raise ProfileError(say("This profile has no table: run `companion calibrate` first."))
        return self._profile.seating(len(self._names)).seat_of(self._plane.to_table(point))


def verdict_counts(read: Iterable[Reread]) -> Counter[Verdict]:
    """Return how often each verdict ("right", "asked", "unread" or "wrong") occurs."""
    return Counter(one.verdict for one in read)


def _judge(
    proposal: Proposal[Any] | None, expected: Sequence[Any], same: Callable[[Any, Any], bool]
) -> tuple[Verdict, Any]:
    """Return (verdict on a proposal, its likeliest first move; None if unread).

    expected: the moves played from this frame on. same: returns whether two moves leave the same things on the
    table.
    """
    if proposal is None or not proposal.answerable:
        return "unread", None
    moves = proposal.likeliest
    if not proposal.certain:
        return "asked", moves[0]
    right = len(moves) <= len(expected) and all(map(same, moves, expected))
    return ("right" if right else "wrong"), moves[0]
