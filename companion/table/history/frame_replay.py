"""Reads the frames of an exported game again and compares the readings with the moves played."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from calibration.errors import ProfileError
from calibration.pictures import decode_picture
from calibration.profile import TableProfile
from calibration.sharing import read_profile
from calibration.wording import say
from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.expectations import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.games.wicked import describe
from companion.games.wicked.components import CORRIDORS
from companion.games.wicked.moves import Move
from companion.games.wicked.state import State
from companion.referee.proposal import Proposal
from companion.session.archive import Archive
from companion.table.pictures.evidence import BACKGROUND, FRAME
from companion.table.reading.frame_reader import RING
from vision.cameras.frame import Image
from vision.cards.reader import CardReader
from vision.hands import RevealReader
from vision.readings import Point

Verdict = Literal["right", "asked", "unread", "wrong"]
"""right: proposed with certainty as it was played; asked: needed confirmation; unread: nothing was proposed;
wrong: another move was proposed with certainty, the worst case.
"""
VERDICTS: tuple[Verdict, ...] = ("right", "asked", "unread", "wrong")
"""All verdicts, in the order in which they are printed."""


@dataclass(frozen=True, slots=True)
class Reread:
    """One recorded move read again."""

    number: int
    verdict: Verdict
    expected: str
    """The move played, as a line."""
    read: str
    """The move proposed, as a line; "" where there is none."""


def profile_of(archive: Archive) -> TableProfile | None:
    """Return the profile that a fixture contains, None where there is none.

    Raises ProfileError where it cannot be used.
    """
    if archive.profile is None:
        return None
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        file = Path(folder) / "profile.zip"
        file.write_bytes(archive.profile)
        return read_profile(file)


def reread(archive: Archive, profile: TableProfile) -> Iterator[Reread]:
    """Read every frame of a move that counts, with the expectation of its state; yield the verdicts.

    Frames of cards are skipped where the profile has none. Raises TeachError where a frame is damaged or does not
    fit the profile.
    """
    names = [seat.name for seat in archive.seats]
    hands, cards = RevealReader(profile), None if profile.deck is None else CardReader(profile)
    plane = profile.plane
    if plane is None:
        raise ProfileError(say("This profile has no table: run `companion calibrate` first."))

    def seat_of(point: Point) -> int:
        return profile.seating(len(names)).seat_of(plane.to_table(point))

    def proposed(state: State, image: Image, background: Image | None) -> Proposal[Move] | None:
        ring = CORRIDORS[len(names)]
        if state.phase == "search":
            return propose_reveal(state, names, [hands.read(image, expectation(state), background)])
        if cards is not None and state.phase == "lay":
            return propose_lay(state, [cards.read(image, RING, ring)])
        if cards is not None and state.phase == "deal":
            return propose_deal(state, names, [cards.read(image, None, ring)], seat_of)
        return None

    for step in archive.played[-1].steps:
        stills = archive.rows[step.number - 1].stills
        if FRAME not in stills or (cards is None and step.before.phase != "search"):
            continue
        image = decode_picture(stills[FRAME], f"frames/{step.number}-{FRAME}.jpg")
        background = None
        if BACKGROUND in stills:
            background = decode_picture(stills[BACKGROUND], f"frames/{step.number}-{BACKGROUND}.jpg")
        verdict, move = _compared(proposed(step.before, image, background), step.move)
        yield Reread(
            step.number,
            verdict,
            describe(step.before, step.move, names),
            "" if move is None else describe(step.before, move, names),
        )


def counts(read: Iterable[Reread]) -> Counter[Verdict]:
    """Return the number of each verdict."""
    return Counter(one.verdict for one in read)


def _compared(proposal: Proposal[Move] | None, expected: Move) -> tuple[Verdict, Move | None]:
    if proposal is None or not proposal.answerable:
        return "unread", None
    (move,) = proposal.likeliest
    if not proposal.certain:
        return "asked", move
    return ("right" if _same(move, expected) else "wrong"), move


def _same(one: Move, other: Move) -> bool:
    """Return whether two moves are equal, whatever the order in which dealt cards are named."""
    if one.type == other.type == "deal":
        return all(
            set(mine) == set(yours)
            for kind in ("great", "small")
            for mine, yours in zip(getattr(one, kind), getattr(other, kind), strict=True)
        )
    return one == other
