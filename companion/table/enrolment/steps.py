"""What a table is taught from a screen: what was found in a picture, before anybody says that it is right. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration import wording
from calibration.camera import sheet
from calibration.camera.calibrate import Calibration, calibrate
from calibration.camera.findings import Findings
from calibration.camera.sheet_corners import calibrate_by_corners, paper_corners
from calibration.errors import SheetError
from calibration.games.wicked.kinds import PIECE_KINDS, in_hands
from calibration.pieces import separability
from calibration.pieces.enrolment import another_kind, enrol_finds, enrol_pointed, specimens_in
from calibration.pieces.pointing import find_pointed
from calibration.pieces.specimens import PX_PER_MM, Find
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.wording import say
from companion.table.enrolment.boards import BoardStep
from companion.table.enrolment.cards import CardStep, DeckView, deck_view

Line = tuple[tuple[float, float], ...]
"""Points in px of the picture, x and y."""

_MOST_LENS_PICTURES = 12
_BY_HAND = 4
"""Corners of a sheet that somebody has shown."""
_STEPS = 8
"""Points on each line of the sheet: a lens may bend it."""


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet as it was found, for screens: its lines in the picture, and what that says about the camera.

    corners: of the paper, upper left first, by the clock; seat 0 sits before the last two. advice: plain lines on
    what would make it surer.
    """

    findings: Findings
    good: bool
    advice: tuple[str, ...]
    corners: Line
    grid: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class PieceView:
    """One thing that was found, for screens: its outline in the picture, and its sides in mm."""

    outline: Line
    size_mm: tuple[float, float]


@dataclass(frozen=True, slots=True)
class PiecesView:
    """The pieces that were found in a picture of one kind. like: another known kind that they look like, if so."""

    kind: str
    pieces: tuple[PieceView, ...]
    like: str | None = None


@dataclass(frozen=True, slots=True)
class KnownKind:
    """How many specimens of a kind are known."""

    kind: str
    specimens: int


@dataclass(frozen=True, slots=True)
class ConfusableView:
    """Two kinds that may be taken for one another: how often, 0..1, in sight and partly hidden, and what to do."""

    one: str
    other: str
    whole: float
    hidden: float
    advice: str


@dataclass(frozen=True, slots=True)
class KnownView:
    """What a table has been taught, for screens.

    corners: where the sheet's are in a picture; cards: their number by kind; boards: the players' colours whose
    personal boards are known. confusable: of kinds that lie together, in hands or on boards; taken_for_another: in
    what share of looks the worst kind of those in hands is, None where fewer than two of them are known.
    empty_table: whether a picture of the bare table is kept, from which pieces stand out on a pattern.
    """

    seats: int
    calibrated: bool
    findings: Findings | None
    advice: tuple[str, ...]
    size: tuple[int, int] | None
    corners: Line | None
    kinds: tuple[KnownKind, ...]
    cards: dict[str, int]
    deck: DeckView
    confusable: tuple[ConfusableView, ...] = ()
    taken_for_another: float | None = None
    boards: tuple[str, ...] = ()
    empty_table: bool = False


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """How found pieces are to be kept: less those of these numbers, even where they look like another kind
    (`force`), instead of what was known of their kind (`replace`)."""

    without: frozenset[int] = frozenset()
    force: bool = False
    replace: bool = False


@dataclass(frozen=True, eq=False)
class SheetStep:
    """Where the sheet lies, to be kept as the table's plane. more: other pictures of it, to measure the lens by."""

    calibration: Calibration
    more: tuple[Image, ...] = ()

    @property
    def view(self) -> SheetView:
        """Tell it to screens."""
        findings = self.calibration.findings
        plane = self.calibration.plane
        return SheetView(findings, findings.good, findings.advice, corners_in(plane) or (), grid_in(plane))

    def kept_in(self, profile: TableProfile, wish: KeepOptions) -> TableProfile:
        """Give the profile with it."""
        return profile.calibrated(self.calibration)

    def with_more(self, image: Image) -> SheetStep:
        """Give the lesson with one more picture of the sheet, anywhere in sight and held at a tilt.

        Raises SheetError where it shows no sheet or does not fit the others.
        """
        if self.calibration.findings.corners == _BY_HAND:
            raise SheetError(
                say("The corners were shown by hand. Let the sheet be found first, then measure the lens.")
            )
        if len(self.more) >= _MOST_LENS_PICTURES:
            raise SheetError(say("That is enough for the lens. Keep it."))
        more = (*self.more, image)
        return replace(_usable(calibrate(self.calibration.image, self.calibration.seats, more=more)), more=more)


@dataclass(frozen=True, eq=False)
class PiecesStep:
    """Pieces of one kind in a picture, to be kept as samples.

    pointed: somebody has shown where they lie; like: another known kind that they look like, if so.
    """

    image: Image
    plane: TablePlane
    kind: str
    finds: tuple[Find, ...]
    pointed: bool = False
    like: str | None = None

    @property
    def view(self) -> PiecesView:
        """Tell it to screens."""
        pieces = tuple(PieceView(_outline(find, self.plane), find.size_mm) for find in self.finds)
        return PiecesView(self.kind, pieces, self.like)

    def kept_in(self, profile: TableProfile, wish: KeepOptions) -> TableProfile:
        """Give the profile with them. Raises EnrolError where none is left or they look like another kind."""
        kept = [find for number, find in enumerate(self.finds) if number not in wish.without]
        others = [find for number, find in enumerate(self.finds) if number in wish.without]
        if self.pointed or not kept:
            spots = spots_of(kept, self.plane)
            return enrol_pointed(
                profile, self.kind, self.image, spots=spots, force=wish.force, replace=wish.replace
            )
        return enrol_finds(
            profile, self.kind, self.image, kept, others=others, force=wish.force, replace=wish.replace
        )

    def pointed_at(self, spots: Sequence[tuple[float, float]]) -> PiecesStep:
        """Give the lesson with pieces at these points, px, too. Raises EnrolError where none can be made out."""
        every = (*spots_of(self.finds, self.plane), *spots)
        return replace(self, finds=find_pointed(self.image, self.plane, every), pointed=True, like=None)


EnrolmentStep = SheetStep | PiecesStep | CardStep | BoardStep


def sheet_step(image: Image, profile: TableProfile) -> SheetStep:
    """Find the printed sheet in a picture. Raises SheetError with one plain line."""
    return _usable(calibrate(image, profile.seats, before=profile.plane))


def corners_step(image: Image, profile: TableProfile, corners: Sequence[tuple[float, float]]) -> SheetStep:
    """Find the sheet by its four corners, px, in the order of `SheetView.corners`. Raises SheetError."""
    known = profile.plane.fov_deg if profile.plane is not None and profile.plane.focal_measured else None
    return _usable(calibrate_by_corners(image, corners, profile.seats, known))


def pieces_step(image: Image, profile: TableProfile, kind: str) -> PiecesStep:
    """Find the pieces of a kind, none perhaps. Raises TeachError for a picture in which none can be found."""
    finds = specimens_in(profile, kind, image)
    if profile.plane is None:
        raise ValueError("without a plane nothing is found")
    return PiecesStep(image, profile.plane, kind, finds, like=another_kind(profile, kind, image, finds))


def known_view(profile: TableProfile) -> KnownView:
    """Tell what a table has been taught."""
    cards: dict[str, int] = {}
    for card in profile.deck.cards.values() if profile.deck is not None else ():
        cards[card.kind] = cards.get(card.kind, 0) + 1
    samples = {kind: len(known.specimens) for kind, known in profile.pieces.items()}
    plane, findings = profile.plane, profile.findings
    hands, boards = (
        separability.measure({kind: known for kind, known in profile.pieces.items() if in_hands(kind) is held})
        for held in (True, False)
    )
    return KnownView(
        seats=profile.seats,
        calibrated=plane is not None,
        findings=findings,
        advice=() if findings is None else findings.advice,
        size=None if plane is None else plane.image_size,
        corners=None if plane is None else corners_in(plane),
        kinds=tuple(KnownKind(kind, samples.get(kind, 0)) for kind in PIECE_KINDS),
        cards=cards,
        deck=deck_view(profile.deck),
        confusable=tuple(
            ConfusableView(pair.one, pair.other, pair.whole, pair.hidden, for_screens(pair.advice))
            for pair in (*hands.confusable, *boards.confusable)
        ),
        taken_for_another=hands.worst if len(hands.kinds) > 1 else None,
        boards=tuple(profile.personal_boards),
        empty_table=any(not view.covered for view in profile.views),
    )


def corners_in(plane: TablePlane) -> Line | None:
    """Give where the paper's corners are in the picture; None where one lies behind the camera."""
    return _line(plane.to_image(paper_corners()))


def grid_in(plane: TablePlane) -> tuple[Line, ...]:
    """Give the lines between the sheet's squares as the picture shows them."""
    half_x, half_y = (count * sheet.SQUARE_MM / 2 for count in (sheet.COLUMNS, sheet.ROWS))
    along = np.linspace(-1, 1, _STEPS)
    upright = [np.stack([np.full(_STEPS, x), half_y * along], axis=1) for x in _steps(sheet.COLUMNS)]
    across = [np.stack([half_x * along, np.full(_STEPS, y)], axis=1) for y in _steps(sheet.ROWS)]
    lines = (_line(plane.to_image(line)) for line in (*upright, *across))
    return tuple(line for line in lines if line is not None)


def spots_of(finds: Sequence[Find], plane: TablePlane) -> tuple[tuple[float, float], ...]:
    """Give the middle of each thing in the picture, px."""
    return _points(plane.to_image([find.centre_mm for find in finds])) if finds else ()


def for_screens(line: str) -> str:
    """Count seats from 1 in a line of the calibration, and leave out what only a command line can do."""
    told = re.sub(r": run `companion [^`]*`(?: first)?", ": do that on this page first", line)
    told = re.sub(r" \([^()]*--\w+\)|, (?:or|then) [^,:.()]* with --\w+(?: and --\w+)*", "", told)
    told = re.sub(r"\bseat (\d)\b", lambda found: f"seat {int(found[1]) + 1}", told)
    # Catalogues say it as screens need it.
    return line.worded(told) if isinstance(line, wording.Line) else told


def _usable(calibration: Calibration) -> SheetStep:
    if (reason := calibration.findings.unusable) is not None:
        raise SheetError(reason)
    return SheetStep(calibration)


def _steps(count: int) -> NDArray[np.float64]:
    return np.asarray((np.arange(count + 1) - count / 2) * sheet.SQUARE_MM, np.float64)


def _outline(find: Find, plane: TablePlane) -> Line:
    contours, _ = cv2.findContours(find.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = cv2.approxPolyDP(max(contours, key=len), 0.6, True).reshape(-1, 2)
    return _points(plane.to_image(find.region.to_mm(rim, PX_PER_MM)))


def _line(points: ArrayLike) -> Line | None:
    return _points(points) if np.isfinite(np.asarray(points)).all() else None


def _points(points: ArrayLike) -> Line:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in np.asarray(points).reshape(-1, 2))
