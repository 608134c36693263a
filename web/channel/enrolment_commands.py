"""Pydantic models of the set-up commands: camera, calibration sheet, pieces, cards, boards, box check."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from calibration.boards.printed import BOARD_ID
from calibration.cards.deck import CARD_ID, CardKind, Element
from calibration.games.wicked.drawn_deck import BACKS
from calibration.games.wicked.kinds import PIECE_KINDS
from calibration.pieces.samples import MOST_SPECIMENS
from companion.games.wicked.components import CORRIDORS, PLAYER_COLOURS, SPOTS, Colour, PlayerColour, Rank
from companion.table.enrolment.boards import BoardShape
from companion.table.enrolment.cards import CardContent
from companion.table.enrolment.service import CaptureTarget
from web.channel.commands import Command, Identifier, Number, Point

CARD_KINDS = ("corridor", "great", "small", "tile", *(f"back:{back}" for back in BACKS))
"""Kinds of cards that can be enrolled."""
_LAY_OUT_PATTERN = f"^(sheet|empty|{'|'.join(PIECE_KINDS)}|box:COLOUR(-COLOUR){{2,4}})$".replace(
    "COLOUR", f"({'|'.join(PLAYER_COLOURS)})"
)
_EnrolledKind = Annotated[str, Field(pattern="^(" + "|".join(CARD_KINDS) + ")$")]
_Half = Annotated[tuple[Element, ...], Field(max_length=4)]
"""The elements on one half of a card."""
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


class KeepEmptyTable(Command):
    """Store the newest picture as that of the empty table."""


class FitCorners(Command):
    """Calibrate from the sheet's four corners in a picture."""

    draft: Identifier
    corners: _Corners


class FindPieces(Command):
    """Take a picture and find the pieces of one kind in it."""

    kind: Annotated[str, Field(pattern="^(" + "|".join(PIECE_KINDS) + ")$")]


class AddPieces(Command):
    """Mark pieces in a picture that were not found. spots: their positions, px."""

    draft: Identifier
    spots: Annotated[tuple[Point, ...], Field(min_length=1, max_length=MOST_SPECIMENS)]


class KeepPieces(Command):
    """Store what was found in a picture.

    without: numbers of the pieces to leave out.
    force: store also what resembles another kind.
    replace: discard the kind's earlier samples.
    """

    draft: Identifier
    without: Annotated[tuple[Number, ...], Field(max_length=200)] = ()
    force: bool = False
    replace: bool = False


class LayOut(Command):
    """Place the sheet, nothing, pieces of a kind, or a box's content on the simulated table.

    what: "sheet", "empty", a kind, or "box:purple-green-red" (player colours); None restores the game.
    """

    what: Annotated[str, Field(pattern=_LAY_OUT_PATTERN)] | None


class CaptureWhenStill(Command):
    """Capture the newest picture if the scene is still; repeated until it is; see `EnrolmentService.watch`."""

    what: CaptureTarget
    kind: Annotated[str, Field(pattern="^(" + "|".join(("", *PIECE_KINDS, *CARD_KINDS)) + ")$")] = ""
    draft: Annotated[str, Field(max_length=80)] = ""


class FindCard(Command):
    """Take a picture and crop the card in its middle."""

    kind: _EnrolledKind


class CardDescription(Command):
    """What is printed on a card, as a person enters it."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]
    kind: CardKind
    upper: _Half = ()
    lower: _Half = ()
    colours: Annotated[tuple[Colour, ...], Field(max_length=2)] = ()
    needs: Annotated[tuple[tuple[Colour, Rank], ...], Field(max_length=4)] = ()
    reward: _Half = ()

    def card(self) -> CardContent:
        """Return the description as an argument for `EnrolmentService`."""
        return CardContent(self.id, self.kind, self.upper, self.lower, self.colours, self.needs, self.reward)


class KeepCard(Command):
    """Store the cropped card. force: also if it resembles an enrolled one."""

    draft: Identifier
    card: CardDescription
    force: bool = False


class CorrectCard(Command):
    """Change the description of an enrolled card."""

    card: CardDescription


class ForgetCard(Command):
    """Remove an enrolled card."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]


class TakeStandIn(Command):
    """Enrol the printable stand-in deck."""


class FindBoard(Command):
    """Take a picture and find the one empty printed board in it."""


class PointBoard(Command):
    """Mark a board's corners, spots and spell spaces in a picture; see `BoardShape`."""

    draft: Identifier
    corners: _Corners
    size: tuple[_SideMm, _SideMm]
    spots: Annotated[tuple[Point, ...], Field(min_length=1, max_length=sum(SPOTS.values()))]
    promotion: tuple[Point, Point]
    colour_change: tuple[Point, Point]

    def shape(self) -> BoardShape:
        """Return the marks as an argument for `EnrolmentService`."""
        return BoardShape(self.corners, self.size, self.spots, self.promotion, self.colour_change)


class PointBoardLike(Command):
    """Mark the corners of a board whose spots are arranged as on an enrolled one."""

    draft: Identifier
    corners: _Corners
    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class KeepBoard(Command):
    """Store the found board as that of a player colour."""

    draft: Identifier
    colour: PlayerColour


class TakePrintedBoards(Command):
    """Enrol the boards that the project prints."""


class ForgetBoard(Command):
    """Remove an enrolled board."""

    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class CheckBox(Command):
    """Count the pieces on the table for a game of these colours, in seat order; the box check."""

    colours: Annotated[tuple[PlayerColour, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class ChooseCamera(Command):
    """Use another of the listed cameras."""

    name: Annotated[str, Field(max_length=80)]


class CorrectPicture(Command):
    """Rotate and mirror the picture so that it matches the enrolled table."""


class TurnPicture(Command):
    """Set the picture's correction: mirrored first, then rotated clockwise by `quarters` right angles."""

    quarters: Annotated[int, Field(ge=0, le=3)]
    mirrored: bool
