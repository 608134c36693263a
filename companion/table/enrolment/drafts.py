"""A picture that a table is taught from, and what screens are told of it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.plane import Image
from companion.table.enrolment.boards import BoardStep, FoundBoardView
from companion.table.enrolment.box_check import BoxView
from companion.table.enrolment.cards import CardStep, CardView
from companion.table.enrolment.steps import EnrolmentStep, KnownView, PiecesStep, PiecesView, SheetStep, SheetView


@dataclass(frozen=True, slots=True)
class DraftView:
    """A picture that the table is taught from, by its id, its size in px, and what was found in it."""

    draft: str
    size: tuple[int, int]
    sheet: SheetView | None = None
    pieces: PiecesView | None = None
    card: CardView | None = None
    box: BoxView | None = None
    board: FoundBoardView | None = None


@dataclass(frozen=True, slots=True)
class KeptView:
    """What is known after something was kept; `unread`: why the table cannot be read all the same, else empty."""

    known: KnownView
    unread: str


@dataclass(frozen=True, slots=True)
class WatchView:
    """What the camera sees while somebody shows it something.

    state: "moving", "hands" (something reaches in), "still", or "taken": a picture was just taken, as `draft`.
    sheet: as it lies now; size: of the picture, px; line: one plain line about why nothing was found, or empty.
    kept: what is known once a picture of the empty table was kept at once.
    """

    state: Literal["moving", "hands", "still", "taken"]
    size: tuple[int, int]
    sheet: SheetView | None = None
    draft: DraftView | None = None
    line: str = ""
    kept: KeptView | None = None


@dataclass(frozen=True, eq=False)
class Draft:
    """A picture that the table is taught from, with what was found in it so far."""

    id: str
    image: Image
    step: EnrolmentStep | None = None
    box: BoxView | None = None

    @property
    def view(self) -> DraftView:
        """Tell it to screens."""
        height, width = self.image.shape[:2]
        sheet = self.step.view if isinstance(self.step, SheetStep) else None
        pieces = self.step.view if isinstance(self.step, PiecesStep) else None
        card = self.step.view if isinstance(self.step, CardStep) else None
        board = self.step.view if isinstance(self.step, BoardStep) else None
        return DraftView(self.id, (width, height), sheet, pieces, card, self.box, board)
