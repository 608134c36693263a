"""The enrolment draft: a picture with what was detected in it, until a person confirms it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.plane import Image
from companion.table.enrolment.boards import BoardStep, FoundBoardView
from companion.table.enrolment.box_check import BoxView
from companion.table.enrolment.cards import CardStep, CardView
from companion.table.enrolment.unconfirmed_results import (
    EnrolmentStep,
    KnownView,
    PiecesStep,
    PiecesView,
    SheetStep,
    SheetView,
)


@dataclass(frozen=True, slots=True)
class DraftView:
    """A draft for screens."""

    draft: str
    """Id of the draft."""
    size: tuple[int, int]
    """Of the picture, px."""
    sheet: SheetView | None = None
    pieces: PiecesView | None = None
    card: CardView | None = None
    box: BoxView | None = None
    board: FoundBoardView | None = None


@dataclass(frozen=True, slots=True)
class KeptView:
    """What is enrolled after something was saved."""

    known: KnownView
    unread: str
    """Why the table still cannot be read, "" where it can."""


@dataclass(frozen=True, slots=True)
class WatchView:
    """State of the picture during auto-capture."""

    state: Literal["moving", "hands", "still", "taken"]
    """moving; hands: something reaches in; still; taken: a picture was just captured, as `draft`."""
    size: tuple[int, int]
    """Of the picture, px."""
    sheet: SheetView | None = None
    """The sheet as it lies now."""
    draft: DraftView | None = None
    line: str = ""
    """Why nothing was found, or ""."""
    kept: KeptView | None = None
    """What is enrolled, after a picture of the empty table was saved."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A picture with what was found in it so far."""

    id: str
    image: Image
    step: EnrolmentStep | None = None
    box: BoxView | None = None

    @property
    def view(self) -> DraftView:
        """The draft for screens."""
        height, width = self.image.shape[:2]
        sheet = self.step.view if isinstance(self.step, SheetStep) else None
        pieces = self.step.view if isinstance(self.step, PiecesStep) else None
        card = self.step.view if isinstance(self.step, CardStep) else None
        board = self.step.view if isinstance(self.step, BoardStep) else None
        return DraftView(self.id, (width, height), sheet, pieces, card, self.box, board)
