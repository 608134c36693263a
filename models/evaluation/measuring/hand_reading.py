"""Measure the reading of hands with two methods: one frame by the commands, and five frames with the rules.

The first uses `companion read reveal`, the second the referee's proposal, as in play.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.profile import TableProfile
from companion.adapters.wicked.hand_limits import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.games.wicked.moves import Reveal
from companion.games.wicked.state import WickedPlayer
from companion.referee.proposal import Proposal
from models.evaluation.measuring import companion_calls
from models.evaluation.metrics.verdicts import HandAnswer, LabelledHand, TableVerdict, evaluate_table
from models.evaluation.output.error_pictures import error_strip
from models.evaluation.scenes import picture_sets
from models.evaluation.scenes.picture_sets import PictureSet
from models.evaluation.scenes.synthetic_sessions import FRAMES, SCENES, SyntheticSession
from vision.cameras.frame import Image
from vision.hands import HandReader

ONE_FRAME = "one frame, no rule known"
FIVE_FRAMES = "five frames, rules known"


@dataclass(frozen=True, slots=True)
class PictureResult:
    """Result of one picture, or of five frames of one moment."""

    group: str
    """Name of the evaluated set."""
    picture: str
    """Name of the picture, unique in its set."""
    way: str
    """How it was read: `ONE_FRAME` or `FIVE_FRAMES`."""
    rendered: bool
    """Whether the picture is rendered, not photographed."""
    seats: int
    """Number of seats."""
    verdict: TableVerdict
    """Verdict on the reading."""
    milliseconds: float
    """Time of the reading, per frame."""
    error_strip: bytes | None = None
    """JPEG that shows the errors (`models.evaluation.output.error_pictures`); None if the reading is exact."""


@dataclass(frozen=True, slots=True)
class SetResult:
    """Results of one set of pictures."""

    measured: tuple[PictureResult, ...]
    """Result of each picture."""
    refused: tuple[str, ...]
    """Error lines of the commands that failed."""
    enrolled: tuple[str, ...] = ()
    """Kinds of pieces that were enrolled."""


def measure_set(folder: Path, group: str, profile: Path | None = None) -> SetResult:
    """Enrol and read a picture set by the companion's commands, and return the results.

    group: name of the evaluated set in the results; profile: where the enrolled profile is kept; if it exists
    already, it is used without enrolling. None: a temporary folder.
    """
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as temporary:
        pictures = picture_sets.load(folder)
        return _read_by_commands(pictures, Path(temporary) / "profile" if profile is None else profile, group)


def measure_held_out(seed: int, group: str, numbers: Sequence[int] = range(SCENES)) -> SetResult:
    """Render and enrol the held-out session of a seed, read its scenes with both methods, and return the results.

    group: name of the evaluated set in the results; numbers: of the scenes.
    """
    return measure_session(SyntheticSession(seed), group, numbers)


def measure_session(
    session: SyntheticSession,
    group: str,
    numbers: Sequence[int] = range(SCENES),
    *,
    pointed: bool = False,
    empty: bool = False,
) -> SetResult:
    """Enrol a session's pieces, read its scenes with both methods, and return the results.

    group: name of the evaluated set in the results; numbers: of the scenes; pointed: mark the position of each
    specimen at enrolment; empty: show the empty table before enrolment.
    """
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as temporary:
        folder, profile = Path(temporary) / f"{session.seed:06}", Path(temporary) / "profile"
        session.write(folder, numbers)
        pictures = picture_sets.load(folder)
        alone = _read_by_commands(pictures, profile, group, pointed=pointed, empty=empty)
        reader, refused = None, alone.refused
        enrolled: tuple[str, ...] = ()
        try:
            loaded = TableProfile.load(profile)
            enrolled = tuple(sorted(loaded.pieces))
            reader = HandReader(loaded)
        except CalibrationError as error:
            # Enrolment failed: no table of this session can be read.
            refused = (*refused, f"{group} {pictures.name}: {error}")
        truths = {shot.name: shot.hands for shot in pictures.shots}
        together = [_read_five_frames(session, number, reader, truths[str(number)], group) for number in numbers]
        return SetResult((*alone.measured, *together), refused, enrolled)


def _read_by_commands(
    pictures: PictureSet, profile: Path, group: str, *, pointed: bool = False, empty: bool = False
) -> SetResult:
    """Enrol a picture set unless the profile exists; return the results of its pictures, read without rules."""
    refused = () if profile.exists() else companion_calls.enrol(pictures, profile, pointed=pointed, empty=empty)
    answers, unread = companion_calls.read_reveals(pictures, profile)
    measured = []
    for shot in pictures.shots:
        answer = answers.get(shot.name)
        verdict = evaluate_table(shot.hands, None if answer is None else answer.hands)
        image = None if verdict.exact else np.asarray(cv2.imread(str(shot.path)), np.uint8)
        measured.append(
            _picture_result(
                group,
                f"{pictures.name}/{shot.name}",
                ONE_FRAME,
                pictures.rendered,
                shot.seats,
                verdict,
                0.0 if answer is None else answer.milliseconds,
                image,
            )
        )
    return SetResult(tuple(measured), refused + unread)


def _read_five_frames(
    session: SyntheticSession, number: int, reader: HandReader | None, truths: Sequence[LabelledHand], group: str
) -> PictureResult:
    """Read five frames of moving hands as in play, and return how right the referee's proposal is.

    number: of the scene; reader: None if enrolment failed; truths: ground truth of all hands.
    """
    moment = session.moment(number)
    frames, empty = session.frames(number)
    expected = expectation(moment.state)
    readings = (
        [] if reader is None else [reader.read(frame, expected, empty, nth) for nth, frame in enumerate(frames)]
    )
    names = [f"seat {seat}" for seat in range(len(moment.state.players))]
    proposal = propose_reveal(moment.state, names, readings)
    if moment.shown is None:
        verdict = _verdict_without_reveal(proposal, empty=not truths)
    else:
        verdict = evaluate_table(truths, None if proposal is None else _answers(proposal, moment.state.players))
        chance = 0.0 if proposal is None else proposal.questions[0].choices[0].probability
        verdict = replace(verdict, sure=((chance, verdict.exact),) if proposal is not None else ())
    return _picture_result(
        group,
        f"{session.seed:06}/{number}",
        FIVE_FRAMES,
        True,
        len(names),
        verdict,
        sum(reading.milliseconds for reading in readings) / FRAMES,
        None if verdict.exact else frames[0],
    )


def _verdict_without_reveal(proposal: Proposal[Reveal] | None, *, empty: bool) -> TableVerdict:
    """Return the verdict where some player shows no open hand: right if the referee made no proposal (None).

    empty: whether there are no hands at all.
    """
    taken = proposal is not None and proposal.certain
    return TableVerdict((), (), proposal is None, taken, empty, False, ())


def _answers(proposal: Proposal[Reveal], players: Sequence[WickedPlayer]) -> Iterator[HandAnswer]:
    """Yield the hand of each seat in the most probable reveal of a proposal."""
    best = proposal.questions[0].choices[0]
    (reveal,) = best.moves
    asked = {doubt.seat for doubt in proposal.doubts}
    for seat, (player, hand) in enumerate(zip(players, reveal.hands, strict=True)):
        counts = {f"search:{player.colour}": hand.search, "sign:witch": hand.witch, "sign:soul": hand.soul}
        yield HandAnswer(
            seat, "open", {kind: n for kind, n in counts.items() if n}, best.probability, seat in asked
        )


def _picture_result(
    group: str,
    picture: str,
    way: str,
    rendered: bool,
    seats: int,
    verdict: TableVerdict,
    milliseconds: float,
    image: Image | None,
) -> PictureResult:
    strip = None if image is None else error_strip(image, f"{picture}, {way}", verdict)
    return PictureResult(group, picture, way, rendered, seats, verdict, milliseconds, strip)


def picture_row(measured: PictureResult) -> Mapping[str, Any]:
    """Return one picture's result as plain values for JSON."""
    verdict = measured.verdict
    hands = [
        {
            "seat": hand.truth.seat,
            "is": dict(hand.truth.high),
            "seen": dict(hand.truth.low),
            "read": None if hand.answer is None else dict(hand.answer.counts),
            "state": "missed" if hand.answer is None else hand.answer.state,
            "confidence": None if hand.answer is None else round(hand.answer.confidence, 4),
            "doubtful": hand.doubtful,
            "exact": hand.exact,
            "off_by_one_at_most": hand.near,
        }
        for hand in verdict.hands
    ]
    return {
        "set": measured.group,
        "picture": measured.picture,
        "way": measured.way,
        "made": "rendered" if measured.rendered else "photographed",
        "seats": measured.seats,
        "exact": verdict.exact,
        "silently_wrong": verdict.silently_wrong,
        "unread": verdict.unread,
        "milliseconds": round(measured.milliseconds, 1),
        "hands": hands,
        "ghosts": [
            {
                "seat": ghost.seat,
                "read": dict(ghost.counts),
                "confidence": round(ghost.confidence, 4),
                "doubtful": ghost.doubtful,
            }
            for ghost in verdict.ghosts
        ],
    }
