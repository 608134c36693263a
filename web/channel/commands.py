"""Commands that a screen may send: strictly validated, bounded, nothing unknown let through."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from calibration.games.wicked.kinds import PIECE_KINDS
from calibration.pieces.samples import MOST_SPECIMENS
from calibration.wording import say
from companion.games.wicked.components import CORRIDORS, PLAYER_COLOURS, PlayerColour
from companion.games.wicked.moves import Move
from companion.table.views import Refused

LARGEST_MESSAGE = 16 * 1024
"""Bytes of one message from a screen; the largest honest one is a tenth of it."""

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20, pattern=r"^[^\x00-\x1f\x7f]*$")
]
Identifier = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Number = Annotated[int, Field(ge=0, le=1_000_000)]
Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
Angle = Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]
Spot = tuple[Coordinate, Coordinate]
"""A point of a picture, x and y in px."""
_LAID_OUT = f"^(sheet|empty|{'|'.join(PIECE_KINDS)}|box:COLOUR(-COLOUR){{2,4}})$".replace(
    "COLOUR", f"({'|'.join(PLAYER_COLOURS)})"
)
AnyMove = Annotated[Move, Field(discriminator="type")]


class Command(BaseModel):
    """Anything that a screen sends; a field that is not named here is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Decision(Command):
    """A command that is checked and carried out while nothing else changes the game or who may do what."""


class GameCommand(Decision):
    """A command about the game; it names the game and the state that it was made for (`at`)."""

    game: Identifier
    at: Number


class SeatChoice(Command):
    """One seat of a new game."""

    name: Name
    colour: PlayerColour


class StartGame(Decision):
    """Begin a new game; `game` and `at` are those on the screen that asks, None where none was on.

    own_cards: with cards that the companion does not know; they are described or skipped as they come to lie there.
    """

    game: Identifier | None
    at: Number | None
    seats: Annotated[tuple[SeatChoice, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]
    way: Literal["camera", "hand"] = "camera"
    own_cards: bool = False


class ShowMe(Command):
    """Show a demonstration: four bots on the simulated table."""

    game: Identifier | None
    at: Number | None


class UseCamera(Command):
    """Watch with a camera instead of the simulated table."""


class ResumeGame(Decision):
    """Go on with a saved game."""

    game: Identifier | None
    at: Number | None
    id: Identifier


class Play(GameCommand):
    """Enter a move by hand."""

    move: AnyMove


class Undo(GameCommand):
    """Take the latest move back, or the journal entry that is named."""

    entry: Number | None = None


class Accept(GameCommand):
    """Take one candidate of the proposal."""

    proposal: Identifier
    choice: Annotated[int, Field(ge=0, le=1000)]


class Amend(GameCommand):
    """Enter a corrected move instead of the proposal."""

    proposal: Identifier
    move: AnyMove


class Hold(GameCommand):
    """Keep the proposal from being taken by itself."""

    proposal: Identifier


class Pause(Command):
    """Stop reading the camera, or go on. Says what shall be, so it needs no state number."""

    on: bool


class SeatPeople(Command):
    """Let people sit in these directions, degrees clockwise from the sheet's bottom edge; needs no state number."""

    angles: Annotated[tuple[Angle, ...], Field(min_length=min(CORRIDORS), max_length=max(CORRIDORS))]


class Run(Command):
    """Let the director's bots play on, or stop them."""

    on: bool


class Step(Command):
    """Let the director act out one step."""


class Speed(Command):
    """Set how fast the director acts."""

    speed: Annotated[float, Field(ge=0.1, le=1000)]


class Teach(Command):
    """Stop reading while the table is taught, said again every few seconds, or go on reading."""

    on: bool


class Look(Command):
    """Take a picture to show the calibration sheet's corners in."""


class FindSheet(Command):
    """Take a picture and find the calibration sheet in it."""


class EmptyTable(Command):
    """Keep the newest picture as the bare table."""


class FitCorners(Command):
    """Show where the sheet's four corners lie in a picture, px: upper left first, by the clock."""

    draft: Identifier
    corners: Annotated[tuple[Spot, ...], Field(min_length=4, max_length=4)]


class FindPieces(Command):
    """Take a picture and find the pieces of one kind in it."""

    kind: Annotated[str, Field(pattern="^(" + "|".join(PIECE_KINDS) + ")$")]


class PointAt(Command):
    """Show where more pieces lie in a picture, px."""

    draft: Identifier
    spots: Annotated[tuple[Spot, ...], Field(min_length=1, max_length=MOST_SPECIMENS)]


class Keep(Command):
    """Keep what was found in a picture, less the pieces of these numbers.

    force: also what looks like another kind; replace: forget what was known of the kind.
    """

    draft: Identifier
    without: Annotated[tuple[Number, ...], Field(max_length=200)] = ()
    force: bool = False
    replace: bool = False


class LayOut(Command):
    """Show the sheet, nothing, pieces of a kind, or all that players of some colours need on the simulated table.

    what: "sheet", "empty", a kind, or "box:purple-green-red"; None puts the game back.
    """

    what: Annotated[str, Field(pattern=_LAID_OUT)] | None


class Refresh(Command):
    """Ask for the whole present state."""


C = TypeVar("C", bound=Command)


def understand(kind: type[C], payload: Any) -> C:
    """Validate one message strictly as JSON; raises `Refused` ("bad_request") with a line for people."""
    try:
        text = json.dumps({} if payload is None else payload)
        if len(text) > LARGEST_MESSAGE:
            raise Refused(
                "bad_request", say("That message is too long, so it was not read. Reload the page and try again.")
            )
        return kind.model_validate_json(text, strict=True)
    except (ValidationError, TypeError, ValueError, RecursionError) as error:
        raise Refused("bad_request", _plain(error)) from None


def _plain(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]["loc"]
        if "name" in first:
            return say("A name needs 1 to 20 letters. Give every player one.")
        if first[:1] == ("seats",):
            return say("The game is for 3 to 5 players, each with a name and a colour.")
    return say("The companion did not understand that message. Reload the page and try again.")
