"""Commands of a screen that teaches cards and boards, chooses the camera, lets it shoot, or counts the box."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from calibration.boards.printed import BOARD_ID
from calibration.cards.deck import CARD_ID, CardKind, Element
from calibration.games.wicked.deck import BACKS
from calibration.games.wicked.kinds import PIECE_KINDS
from companion.games.wicked.components import CORRIDORS, SPOTS, Colour, PlayerColour, Rank
from companion.table.enrolment.boards import BoardShape
from companion.table.enrolment.cards import CardContent
from companion.table.enrolment.service import CaptureTarget
from web.channel.commands import Command, Identifier, Spot

CARD_KINDS = ("corridor", "great", "small", "tile", *(f"back:{back}" for back in BACKS))
"""What a card may be shown as."""
_Shown = Annotated[str, Field(pattern="^(" + "|".join(CARD_KINDS) + ")$")]
_Half = Annotated[tuple[Element, ...], Field(max_length=4)]


class Watch(Command):
    """Look at the newest picture, and take it by itself once it rests; see `EnrolmentService.watch`."""

    what: CaptureTarget
    kind: Annotated[str, Field(pattern="^(" + "|".join(("", *PIECE_KINDS, *CARD_KINDS)) + ")$")] = ""
    draft: Annotated[str, Field(max_length=80)] = ""


class FindCard(Command):
    """Take a picture and cut the card out of it that lies in the middle."""

    kind: _Shown


class ShownCard(Command):
    """What a card is, as a person says."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]
    kind: CardKind
    upper: _Half = ()
    lower: _Half = ()
    colours: Annotated[tuple[Colour, ...], Field(max_length=2)] = ()
    needs: Annotated[tuple[tuple[Colour, Rank], ...], Field(max_length=4)] = ()
    reward: _Half = ()

    def shown(self) -> CardContent:
        """Give it as the teacher takes it."""
        return CardContent(self.id, self.kind, self.upper, self.lower, self.colours, self.needs, self.reward)


class KeepCard(Command):
    """Keep the card that was cut out of a picture. force: also where it looks like a known one."""

    draft: Identifier
    card: ShownCard
    force: bool = False


class CorrectCard(Command):
    """Say that a known card is something else."""

    card: ShownCard


class ForgetCard(Command):
    """Let a known card go."""

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]


class TakeStandIn(Command):
    """Take the printed stand-in cards for the deck."""


class FindBoard(Command):
    """Take a picture and find the one empty printed board in it."""


_Corners = Annotated[tuple[Spot, ...], Field(min_length=4, max_length=4)]
_Side = Annotated[float, Field(ge=60, le=500, allow_inf_nan=False)]


class PointBoard(Command):
    """Show where a board's corners, spots and spell spaces lie in a picture; see `BoardShape`."""

    draft: Identifier
    corners: _Corners
    size: tuple[_Side, _Side]
    spots: Annotated[tuple[Spot, ...], Field(min_length=1, max_length=sum(SPOTS.values()))]
    promotion: tuple[Spot, Spot]
    colour_change: tuple[Spot, Spot]

    def shape(self) -> BoardShape:
        """Give it as the teacher takes it."""
        return BoardShape(self.corners, self.size, self.spots, self.promotion, self.colour_change)


class PointBoardLike(Command):
    """Show where the corners of a board lie whose spots are as on a known one."""

    draft: Identifier
    corners: _Corners
    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class KeepBoard(Command):
    """Keep the board that was found as that of the player of a colour."""

    draft: Identifier
    colour: PlayerColour


class TakePrintedBoards(Command):
    """Take the boards that the project prints."""


class ForgetBoard(Command):
    """Let a known board go."""

    board: Annotated[str, Field(pattern=f"^{BOARD_ID}$")]


class CheckBox(Command):
    """Count what players of these colours, in seat order, need before a game."""

    colours: Annotated[tuple[PlayerColour, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class ChooseCamera(Command):
    """Look with another camera of those that are offered."""

    name: Annotated[str, Field(max_length=80)]


class CorrectPicture(Command):
    """Put a picture right that is upside down, on its side or mirrored compared with the table as it was found."""


class TurnPicture(Command):
    """Put the camera's picture right: mirrored first, then turned clockwise by so many right angles."""

    quarters: Annotated[int, Field(ge=0, le=3)]
    mirrored: bool
