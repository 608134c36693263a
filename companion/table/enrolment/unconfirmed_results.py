"""Enrolment steps: what was detected in a picture and is saved once a person has confirmed it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration import translatable
from calibration.camera import sheet
from calibration.camera.calibrate import Calibration, calibrate
from calibration.camera.marked_corners import calibrate_by_corners, paper_corners
from calibration.camera.quality import Findings
from calibration.errors import SheetError
from calibration.kit import Ability, Enrolled
from calibration.pieces import separability
from calibration.pieces.enrolment import enrol_marked, enrol_objects, resembled_kind, specimens_in
from calibration.pieces.marked_pieces import find_at_points
from calibration.pieces.segmentation import PX_PER_MM, SegmentedObject
from calibration.plane import Image, TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say
from companion.table.enrolment.boards import BoardStep
from companion.table.enrolment.cards import CardStep, DeckView, deck_view
from companion.table.enrolment.kit_view import KitView, kit_view

Polyline = tuple[tuple[float, float], ...]
"""Points (x, y) of a line or outline in a picture, px."""

_MOST_LENS_PICTURES = 12
"""Largest number of pictures for measuring the lens."""
_MARKED_CORNERS = 4
"""Number of corners in a calibration from corners that a person marked; a detected sheet has more."""
_POINTS_PER_LINE = 8
"""Number of points on each drawn line of the sheet: a lens may bend it."""


@dataclass(frozen=True, slots=True)
class SheetView:
    """The sheet as found in a picture, for screens."""

    findings: Findings
    """Quality of the calibration."""
    good: bool
    """As `Findings.good`."""
    advice: tuple[str, ...]
    """How to improve the calibration, a line each."""
    corners: Polyline
    """Corners of the paper, clockwise from the upper left one; seat 0 is at the edge between the last two."""
    grid: tuple[Polyline, ...]
    """The lines between the sheet's squares."""


@dataclass(frozen=True, slots=True)
class PieceView:
    """One object that was found, for screens."""

    outline: Polyline
    """Its outline in the picture, px."""
    size_mm: tuple[float, float]
    """Lengths of its two sides, mm."""


@dataclass(frozen=True, slots=True)
class PiecesView:
    """The objects found in a picture of pieces of one kind."""

    kind: str
    """Id of the kind."""
    pieces: tuple[PieceView, ...]
    """The objects found."""
    like: str | None = None
    """Another enrolled kind that they look like, if any."""


@dataclass(frozen=True, slots=True)
class KnownKind:
    """A kind of pieces, enrolled or not."""

    kind: str
    """Id of the kind."""
    specimens: int
    """Number of enrolled specimens, 0 for a kind that is not enrolled."""
    in_hands: bool
    """Whether players hold such pieces in their hands; others lie on boards."""


@dataclass(frozen=True, slots=True)
class ConfusableView:
    """Two kinds that may be confused."""

    one: str
    """Id of a kind."""
    other: str
    """Id of a kind."""
    whole: float
    """Rate of confusion where they are fully visible, 0..1."""
    hidden: float
    """Rate of confusion where they are partly hidden, 0..1."""
    advice: str
    """What to do, one line."""


@dataclass(frozen=True, slots=True)
class KnownView:
    """What is enrolled, for screens."""

    seats: int
    """Number of seats round the table."""
    calibrated: bool
    """Whether the table is calibrated with the present camera."""
    findings: Findings | None
    """Quality of the calibration; None without one."""
    advice: tuple[str, ...]
    """How to improve the calibration, a line each."""
    size: tuple[int, int] | None
    """Width and height of the pictures that it was calibrated with, px."""
    corners: Polyline | None
    """Corners of the sheet in the picture, px, as `SheetView.corners`."""
    kinds: tuple[KnownKind, ...]
    """All kinds of pieces of the game, with the number of specimens enrolled."""
    cards: dict[str, int]
    """Number of enrolled cards by sort."""
    deck: DeckView
    """The enrolled cards."""
    kit: KitView
    """What can be enrolled."""
    abilities: tuple[Ability, ...]
    """What the camera can read with what is enrolled, and what it cannot."""
    confusable: tuple[ConfusableView, ...] = ()
    """Pairs of enrolled kinds that may be confused, where both occur in hands or both on boards."""
    taken_for_another: float | None = None
    """Highest rate of confusion between kinds in hands, 0..1; None where fewer than two are enrolled."""
    boards: tuple[str, ...] = ()
    """Players' colours whose personal boards are enrolled."""
    sheet: bool = True
    """Whether the game's table is calibrated with the printed sheet."""
    empty_table: bool = False
    """Whether a picture of the empty table is stored, which helps to find pieces on a pattern."""


@dataclass(frozen=True, slots=True)
class KeepOptions:
    """How found pieces are to be saved as specimens."""

    without: frozenset[int] = frozenset()
    """Indexes of the found objects to leave out."""
    force: bool = False
    """Whether to save them even if they look like another kind."""
    replace: bool = False
    """Whether they replace the specimens enrolled before."""


@dataclass(frozen=True, eq=False)
class SheetStep:
    """The sheet as found, to be saved as the table's calibration."""

    calibration: Calibration
    """The calibration to save."""
    more: tuple[Image, ...] = ()
    """Further pictures of the sheet, for measuring the lens."""

    @property
    def view(self) -> SheetView:
        """The sheet for screens."""
        findings = self.calibration.findings
        plane = self.calibration.plane
        return SheetView(
            findings, findings.good, findings.advice, paper_corners_px(plane) or (), sheet_grid_px(plane)
        )

    def added_to(self, profile: TableProfile, options: KeepOptions) -> TableProfile:
        """Return the profile with this calibration in place of the old one."""
        return profile.calibrated(self.calibration)

    def with_lens_picture(self, image: Image) -> SheetStep:
        """Return the step calibrated with one more BGR picture of the sheet, tilted and anywhere in view.

        Raises SheetError where it shows no sheet or does not fit the others.
        """
        if self.calibration.findings.corners == _MARKED_CORNERS:
            raise SheetError(
                say("The corners were marked by hand. Wait until the sheet is found, then measure the lens.")
            )
        if len(self.more) >= _MOST_LENS_PICTURES:
            raise SheetError(say("There are enough pictures to measure the lens. Save them."))
        more = (*self.more, image)
        return replace(_checked(calibrate(self.calibration.image, self.calibration.seats, more=more)), more=more)


@dataclass(frozen=True, eq=False)
class PiecesStep:
    """Pieces of one kind that were found in a picture, to be saved as specimens."""

    image: Image
    """The picture, BGR."""
    plane: TablePlane
    """The table plane."""
    kind: str
    """Id of the kind."""
    finds: tuple[SegmentedObject, ...]
    """The objects to save."""
    marked: bool = False
    """Whether a person marked some of the pieces."""
    like: str | None = None
    """Another enrolled kind that they look like, if any."""

    @property
    def view(self) -> PiecesView:
        """The pieces for screens."""
        pieces = tuple(PieceView(_outline_in_picture(find, self.plane), find.size_mm) for find in self.finds)
        return PiecesView(self.kind, pieces, self.like)

    def added_to(self, profile: TableProfile, options: KeepOptions) -> TableProfile:
        """Return the profile with these specimens. Raises EnrolError for none, or for those of another kind."""
        kept = [find for number, find in enumerate(self.finds) if number not in options.without]
        others = [find for number, find in enumerate(self.finds) if number in options.without]
        if self.marked or not kept:
            centres = centres_in_picture(kept, self.plane)
            return enrol_marked(
                profile, self.kind, self.image, spots=centres, force=options.force, replace=options.replace
            )
        return enrol_objects(
            profile, self.kind, self.image, kept, others=others, force=options.force, replace=options.replace
        )

    def with_marked_pieces(self, spots: Sequence[tuple[float, float]]) -> PiecesStep:
        """Return the step with the pieces at these marked points, px, added. Raises EnrolError without any."""
        every = (*centres_in_picture(self.finds, self.plane), *spots)
        return replace(self, finds=find_at_points(self.image, self.plane, every), marked=True, like=None)


EnrolmentStep = SheetStep | PiecesStep | CardStep | BoardStep
"""What an enrolment command found in a picture."""


def sheet_step(image: Image, profile: TableProfile) -> SheetStep:
    """Return the calibration by the printed sheet in a BGR picture. Raises SheetError where it cannot be found."""
    return _checked(calibrate(image, profile.seats, before=profile.plane))


def corners_step(image: Image, profile: TableProfile, corners: Sequence[tuple[float, float]]) -> SheetStep:
    """Return the calibration by four marked corners, px, ordered as `SheetView.corners`. Raises SheetError."""
    known = profile.plane.fov_deg if profile.plane is not None and profile.plane.focal_measured else None
    return _checked(calibrate_by_corners(image, corners, profile.seats, known))


def pieces_step(image: Image, profile: TableProfile, kind: str) -> PiecesStep:
    """Return the pieces of a kind in a BGR picture, perhaps none. Raises CalibrationError where it is unusable."""
    finds = specimens_in(profile, kind, image)
    if profile.plane is None:
        raise ValueError("without a plane nothing is found")
    return PiecesStep(image, profile.plane, kind, finds, like=resembled_kind(profile, kind, image, finds))


def known_view(profile: TableProfile, *, fits: bool = True) -> KnownView:
    """Return what is enrolled, for screens. fits: whether the table plane is that of the present camera."""
    cards: dict[str, int] = {}
    for card in profile.deck.cards.values() if profile.deck is not None else ():
        cards[card.kind] = cards.get(card.kind, 0) + 1
    samples = {kind: len(known.specimens) for kind, known in profile.pieces.items()}
    plane, findings = profile.plane, profile.findings if fits else None
    calibrated = plane is not None and fits
    kit = profile.kit
    in_hands = kit.in_hands
    deck = deck_view(kit, profile.deck)
    boards_known = tuple(profile.personal_boards)
    enrolled = Enrolled(
        calibrated, frozenset(profile.pieces), bool(deck.cards) and not deck.missing, len(boards_known)
    )
    hands, boards = (
        separability.measure({kind: known for kind, known in profile.pieces.items() if in_hands(kind) is held})
        for held in (True, False)
    )
    return KnownView(
        seats=profile.seats,
        calibrated=calibrated,
        findings=findings,
        advice=() if findings is None else findings.advice,
        size=None if plane is None else plane.image_size,
        corners=None if plane is None or not fits else paper_corners_px(plane),
        kinds=tuple(KnownKind(kind, samples.get(kind, 0), in_hands(kind)) for kind in kit.kinds),
        cards=cards,
        deck=deck,
        kit=kit_view(kit),
        abilities=kit.abilities(enrolled),
        confusable=tuple(
            ConfusableView(pair.one, pair.other, pair.whole, pair.hidden, as_shown_on_screens(pair.advice))
            for pair in (*hands.confusable, *boards.confusable)
        ),
        taken_for_another=hands.worst if len(hands.kinds) > 1 else None,
        boards=boards_known,
        empty_table=any(not view.covered for view in profile.views),
    )


def paper_corners_px(plane: TablePlane) -> Polyline | None:
    """Return the corners of the sheet's paper in the picture, px; None where one is behind the camera."""
    return _finite_polyline(plane.to_image(paper_corners()))


def sheet_grid_px(plane: TablePlane) -> tuple[Polyline, ...]:
    """Return the lines between the sheet's squares in the picture, px."""
    half_x, half_y = (count * sheet.SQUARE_MM / 2 for count in (sheet.COLUMNS, sheet.ROWS))
    along = np.linspace(-1, 1, _POINTS_PER_LINE)
    upright = [np.stack([np.full_like(along, x), half_y * along], axis=1) for x in _grid_lines_mm(sheet.COLUMNS)]
    across = [np.stack([half_x * along, np.full_like(along, y)], axis=1) for y in _grid_lines_mm(sheet.ROWS)]
    lines = (_finite_polyline(plane.to_image(line)) for line in (*upright, *across))
    return tuple(line for line in lines if line is not None)


def centres_in_picture(finds: Sequence[SegmentedObject], plane: TablePlane) -> tuple[tuple[float, float], ...]:
    """Return the centre of each object in the picture, px."""
    return _rounded_points(plane.to_image([find.centre_mm for find in finds])) if finds else ()


def as_shown_on_screens(line: str) -> str:
    """Return a message of package `calibration` for screens: seats from 1, no command-line hints."""
    text = re.sub(r": run `companion [^`]*`(?: first)?", ": do that on this page first", line)
    text = re.sub(r" \([^()]*--\w+\)|, (?:or|then) [^,:.()]* with --\w+(?: and --\w+)*", "", text)
    text = re.sub(r"\bseat (\d)\b", lambda found: f"seat {int(found[1]) + 1}", text)
    # The catalogues have translations of this translatable.
    return line.with_english(text) if isinstance(line, translatable.Line) else text


def _checked(calibration: Calibration) -> SheetStep:
    """Return the step of a calibration. Raises SheetError where the calibration is unusable."""
    if (reason := calibration.findings.unusable) is not None:
        raise SheetError(reason)
    return SheetStep(calibration)


def _grid_lines_mm(count: int) -> NDArray[np.float64]:
    """Return the positions of the lines that separate this many squares, mm from the sheet's middle."""
    return np.asarray((np.arange(count + 1) - count / 2) * sheet.SQUARE_MM, np.float64)


def _outline_in_picture(find: SegmentedObject, plane: TablePlane) -> Polyline:
    contours, _ = cv2.findContours(find.mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rim = cv2.approxPolyDP(max(contours, key=len), 0.6, True).reshape(-1, 2)
    return _rounded_points(plane.to_image(find.region.to_mm(rim, PX_PER_MM)))


def _finite_polyline(points: ArrayLike) -> Polyline | None:
    """Return points as a polyline; None where one is not finite, as behind the camera."""
    return _rounded_points(points) if np.isfinite(np.asarray(points)).all() else None


def _rounded_points(points: ArrayLike) -> Polyline:
    """Return points as a polyline, rounded to 0.01 px."""
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in np.asarray(points).reshape(-1, 2))
