"""The enrolment draft: a picture with what was detected in it, until a person confirms it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calibration.plane import Image
from companion.table.enrolment.boards import BoardStep, FoundBoardView
from companion.table.enrolment.cards import CardStep, CardView
from companion.table.enrolment.enrolled_view import KnownView
from companion.table.enrolment.game_box_check import BoxView
from companion.table.enrolment.sheet_and_pieces import PiecesStep, PiecesView, SheetStep, SheetView

EnrolmentStep = SheetStep | PiecesStep | CardStep | BoardStep
"""What an enrolment command found in a picture."""


@dataclass(frozen=True, slots=True)
class DraftView:
    """A draft for screens."""

    draft: str
    """Id of the draft."""
    size: tuple[int, int]
    """Of the picture, px."""
    sheet: SheetView | None = None
    """The sheet as found; None for other drafts."""
    pieces: PiecesView | None = None
    """Pieces of one kind as found; None for other drafts."""
    card: CardView | None = None
    """The card as found; None for other drafts."""
    box: BoxView | None = None
    """Result of the box check; None for other drafts."""
    board: FoundBoardView | None = None
    """The board as found; None for other drafts."""


@dataclass(frozen=True, slots=True)
class KeptView:
    """What is enrolled after something was saved, and whether the table can be read with it."""

    known: KnownView
    """All that is enrolled."""
    unread: str
    """Why the table still cannot be read, "" where it can."""


@dataclass(frozen=True, slots=True)
class WatchView:
    """State of the picture during auto-capture."""

    state: Literal["moving", "hands", "still", "taken"]
    """moving; hands: something reaches into the picture; still; taken: a picture was just captured, see `draft`."""
    size: tuple[int, int]
    """Of the picture, px."""
    sheet: SheetView | None = None
    """The sheet as found in this picture; None where it was not searched or not found."""
    draft: DraftView | None = None
    """The draft of a picture that was just captured; None for none."""
    line: str = ""
    """Line about why nothing was found, or ""."""
    kept: KeptView | None = None
    """What is enrolled, after a picture of the empty table was captured and saved; else None."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A picture, and what was found in it so far."""

    id: str
    """Id of the draft."""
    image: Image
    """The picture, BGR."""
    step: EnrolmentStep | None = None
    """What can be saved; None until something was found."""
    box: BoxView | None = None
    """Result of the box check; None where it was not run."""

    @property
    def view(self) -> DraftView:
        """What screens show of the draft: the picture's size, and what was found in it."""
        height, width = self.image.shape[:2]
        sheet = self.step.view if isinstance(self.step, SheetStep) else None
        pieces = self.step.view if isinstance(self.step, PiecesStep) else None
        card = self.step.view if isinstance(self.step, CardStep) else None
        board = self.step.view if isinstance(self.step, BoardStep) else None
        return DraftView(self.id, (width, height), sheet, pieces, card, self.box, board)
