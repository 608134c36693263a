"""Pydantic models of the enrolment commands: camera, calibration sheet, pieces, cards, boards, box check."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import Field, model_validator

from calibration.boards.enrolled_board import BOARD_ID
from calibration.cards.deck import CARD_ID
from calibration.games import kits
from calibration.pieces.samples import MOST_SPECIMENS
from companion.table.enrolment.boards import BoardShape
from companion.table.enrolment.cards import CardContent
from companion.table.enrolment.service import CaptureTarget
from web.channel.commands import Command, Identifier, Number, Point

_KINDS = tuple(kind for kit in kits() for kind in kit.kinds)
"""Kinds of pieces of all games."""
_CARDS = tuple(shown for kit in kits() for shown in kit.shown_cards)
"""Ids of cards and sorts that `FindCard` accepts, of all games."""
_SORTS = tuple(sort for kit in kits() for sort in kit.card_sorts)
"""Sorts of cards of all games."""
_FIGURES = tuple(figure for kit in kits() for figure in kit.figures)
"""Figures that mark players, of all games."""
_PLAYERS = tuple(number for kit in kits() for number in kit.players)
"""Numbers of players of all games."""

_MOST_SPOTS = max(kit.board.spot_count for kit in kits() if kit.board is not None)
"""Largest number of spots on a board of any game."""


def _one_of(words: Iterable[str]) -> str:
    """Return a regular expression that matches any of these words."""
    return f"({'|'.join(map(re.escape, dict.fromkeys(words)))})"


_BOX = f"box:{_one_of(_FIGURES)}(-{_one_of(_FIGURES)}){{{min(_PLAYERS) - 1},{max(_PLAYERS) - 1}}}"
_PieceKind = Annotated[str, Field(pattern=f"^{_one_of(_KINDS)}$")]
_ShownCard = Annotated[str, Field(pattern=f"^{_one_of(_CARDS)}$")]
_Figure = Annotated[str, Field(pattern=f"^{_one_of(_FIGURES)}$")]
_FieldName = Annotated[str, Field(max_length=40)]
_Word = Annotated[str, Field(max_length=40)]
_FieldValues = Annotated[tuple[_Word | tuple[_Word, ...], ...], Field(max_length=8)]
"""Values of one field of a card."""
_Corners = Annotated[tuple[Point, ...], Field(min_length=4, max_length=4)]
"""Four corners in a picture, px, clockwise from the upper left."""
_SideMm = Annotated[float, Field(ge=60, le=500, allow_inf_nan=False)]
"""Length of a board's side, mm."""


class SetEnrolling(Command):
    """Suspend reading the camera for set-up, repeated every few seconds while it is open, or resume it."""

    on: bool


class TakePicture(Command):
    """Take a picture in which a person can mark the calibration sheet's corners."""


class FindSheet(Command):
    """Take a picture and find the calibration sheet in it."""


class EnrolInOrder(Command):
    """Take a picture and enrol all pieces that it shows in their order."""


class KeepEmptyTable(Command):
    """Store the newest picture as that of the empty table. force: also where something seems to lie there."""

    force: bool = False


class FitCorners(Command):
    """Calibrate from the sheet's four corners in a picture."""

    draft: Identifier
    corners: _Corners


class FindPieces(Command):
    """Take a picture and find the pieces of one kind in it."""

    kind: _PieceKind


class AddPieces(Command):
    """Mark pieces in a picture that were not found. spots: their positions, px."""

    draft: Identifier
    spots: Annotated[tuple[Point, ...], Field(min_length=1, max_length=MOST_SPECIMENS)]


class KeepPieces(Command):
    """Save the sheet or the pieces that were found in a picture.

    without: indexes of the pieces to leave out.
    force: save pieces even if they look like another kind.
    replace: discard the kind's earlier specimens.
    """

    draft: Identifier
    without: Annotated[tuple[Number, ...], Field(max_length=200)] = ()
    force: bool = False
    replace: bool = False


class LayOut(Command):
    """Lay the sheet, nothing, pieces of a kind, or a box's content on the simulated table.

    what: "sheet", "empty", a kind, or "box:FIGURE-FIGURE-…" for players of these figures; None restores the game.
    """

    what: Annotated[str, Field(pattern=f"^(sheet|empty|{_one_of(_KINDS)}|{_BOX})$")] | None


class CaptureWhenStill(Command):
    """Capture the newest picture if it is still; sent repeatedly; see `EnrolmentService.auto_capture`."""

    what: CaptureTarget
    kind: Annotated[str, Field(pattern=f"^({_one_of((*_KINDS, *_CARDS))})?$")] = ""
    draft: Annotated[str, Field(max_length=80)] = ""


class FindCard(Command):
    """Take a picture and crop the card in its middle. kind: what a person has laid there."""

    kind: _ShownCard


class CardDescription(Command):
    """What is printed on a card, as a person enters it: the values of each field of its sort."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]
    kind: Annotated[str, Field(pattern=f"^{_one_of(_SORTS)}$")]
    values: Annotated[dict[_FieldName, _FieldValues], Field(max_length=20)] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        """Return the model unchanged. Raises ValueError for values that no card of this sort has in any game."""
        sorts = [box.card_sorts[self.kind] for box in kits() if self.kind in box.card_sorts]
        if not any(sort.allows(self.values) for sort in sorts):
            raise ValueError("no such card can show that")
        return self

    def card(self) -> CardContent:
        """Return the description as the enrolment service takes it, without empty fields."""
        return CardContent(self.id, self.kind, {name: values for name, values in self.values.items() if values})


class KeepCard(Command):
    """Store the cropped card. force: also if it resembles an enrolled one."""

    draft: Identifier
    card: CardDescription
    force: bool = False


class CorrectCard(Command):
    """Change the description of an enrolled card."""

    card: CardDescription


class ForgetCard(Command):
    """Delete an enrolled card."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]


class TakeStandIn(Command):
    """Enrol the printable stand-in deck."""


class FindBoard(Command):
    """Take a picture and find the one empty printed board in it."""


class PointBoard(Command):
    """Mark a board's corners, spots and spaces in a picture; see `BoardShape`."""

    draft: Identifier
    corners: _Corners
    size: tuple[_SideMm, _SideMm]
    spots: Annotated[tuple[Point, ...], Field(min_length=1, max_length=_MOST_SPOTS)]
    spaces: Annotated[dict[Annotated[str, Field(max_length=40)], tuple[Point, Point]], Field(max_length=8)]

    def shape(self) -> BoardShape:
        """Return the marked corners, size, spots and spaces as a `BoardShape`."""
        return BoardShape(self.corners, self.size, self.spots, self.spaces)


class PointBoardLike(Command):
    """Mark the corners of a board whose spots are arranged as on the enrolled board with this id."""

    draft: Identifier
    corners: _Corners
    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class KeepBoard(Command):
    """Store the found board as that of the player with this figure or colour."""

    draft: Identifier
    colour: _Figure


class TakePrintedBoards(Command):
    """Enrol the boards that the project prints."""


class ForgetBoard(Command):
    """Delete an enrolled board."""

    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class CheckBox(Command):
    """Count the pieces that players of these figures or colours, in seat order, need for a game."""

    colours: Annotated[tuple[_Figure, ...], Field(min_length=min(_PLAYERS), max_length=max(_PLAYERS))]


class ChooseCamera(Command):
    """Use another of the listed cameras."""

    name: Annotated[str, Field(max_length=80)]


class CorrectPicture(Command):
    """Rotate and mirror the picture so that it matches the enrolled table."""


class TurnPicture(Command):
    """Set the picture's correction: mirrored first, then rotated clockwise by `quarters` right angles."""

    quarters: Annotated[int, Field(ge=0, le=3)]
    mirrored: bool
