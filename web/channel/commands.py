"""Pydantic models of the commands that a screen may send: strict types, limited lengths, no unknown fields."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from calibration.seats import FEWEST_SEATS, MOST_SEATS
from calibration.translatable import say
from companion.table.views import Refused

MAX_MESSAGE_BYTES = 16 * 1024
"""Bytes of one message from a screen, ten times the largest that the page sends."""

Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20, pattern=r"^[^\x00-\x1f\x7f]*$")
]
"""A player's name, without control characters."""
Identifier = Annotated[str, StringConstraints(min_length=1, max_length=80)]
"""The id of a game, proposal, reading, draft or device."""
Number = Annotated[int, Field(ge=0, le=1_000_000)]
"""The number of a journal entry, or of a piece found in a picture."""
Coordinate = Annotated[float, Field(ge=-100_000, le=100_000, allow_inf_nan=False)]
"""A coordinate in a picture, px."""
Angle = Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]
"""A direction, degrees clockwise from the calibration sheet's bottom edge."""
Point = tuple[Coordinate, Coordinate]
"""A point of a picture, x and y in px."""
MoveData = dict[str, Any]
"""A move in its JSON form, which the codec of the game that is played validates."""


class Command(BaseModel):
    """A command from a screen; an undeclared field is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Decision(Command):
    """A command that is checked and executed under the table's lock, so game and roles cannot change meanwhile."""


class GameCommand(Decision):
    """A command about the game; it names the game and the state that it was made for (`at`)."""

    game: Identifier
    at: Number


class NewSeat(Command):
    """One seat of a new game."""

    name: Name
    figure: Identifier


class StartGame(Decision):
    """Start a new game. game, at: the game and the state number on the sender's screen, None without a game.

    kind: id of the game to play; None: the served one. way: whether moves are read by the camera or entered by
    hand. own_cards: the cards are not enrolled; each is described or skipped when it is dealt or laid. options:
    chosen value by id of the game's options.
    """

    game: Identifier | None
    at: Number | None
    kind: Identifier | None = None
    seats: Annotated[tuple[NewSeat, ...], Field(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]
    way: Literal["camera", "hand"] = "camera"
    own_cards: bool = False
    options: Annotated[dict[Identifier, Annotated[int, Field(ge=0, le=20)]], Field(max_length=20)] = {}


class StartDemonstration(Command):
    """Start a demonstration game of bots on the simulated table. kind: id of the game; None: the served one."""

    game: Identifier | None
    at: Number | None
    kind: Identifier | None = None


class UseCamera(Command):
    """Use a camera instead of the simulated table. kind: id of the game that it reads; None: the served one."""

    kind: Identifier | None = None


class ResumeGame(Decision):
    """Resume a saved game."""

    game: Identifier | None
    at: Number | None
    id: Identifier


class Play(GameCommand):
    """Enter a move by hand. move: its JSON form."""

    move: MoveData


class Undo(GameCommand):
    """Undo the latest move, or the journal entry with this number."""

    entry: Number | None = None


class Accept(GameCommand):
    """Accept the proposal. choices: per question the index of the chosen answer; None enters no move for it."""

    proposal: Identifier
    choices: Annotated[tuple[Annotated[int, Field(ge=0, le=20)] | None, ...], Field(min_length=1, max_length=8)]


class Amend(GameCommand):
    """Enter a corrected move instead of the proposal."""

    proposal: Identifier
    move: MoveData


class StateThing(GameCommand):
    """State what lies on the table where the camera reads something else. thing: JSON, see `Adapter.statements`."""

    thing: MoveData


class Hold(GameCommand):
    """Stop the countdown after which the proposal is accepted by itself."""

    proposal: Identifier


class Dismiss(GameCommand):
    """Discard a proposal, or a comparison with the journal, by its id."""

    proposal: Identifier


class AcceptCorrection(GameCommand):
    """Make a correction that a comparison offers. correction: its index; None enters the latest phase as read."""

    comparison: Identifier
    correction: Annotated[int, Field(ge=0, le=20)] | None


class ReadWholeTable(Command):
    """Request a reading of the whole table from the next still picture, or cancel it; needs no state number."""

    on: bool


class Pause(Command):
    """Pause reading the camera, or resume it; idempotent, so it needs no state number."""

    on: bool


class SeatPeople(Command):
    """Set the direction of each seat, by seat; idempotent, so it needs no state number."""

    angles: Annotated[tuple[Angle, ...], Field(min_length=FEWEST_SEATS, max_length=MOST_SEATS)]


class RunDirector(Command):
    """Start or stop the director's bots."""

    on: bool


class StepDirector(Command):
    """Run the bots until the next open hands have been entered, then stop them."""


class SetDirectorSpeed(Command):
    """Set the speed of the director's bots, as a multiple of real time."""

    speed: Annotated[float, Field(ge=0.1, le=1000)]


class Refresh(Command):
    """Request a message with the whole present state."""


C = TypeVar("C", bound=Command)


def parse(kind: type[C], payload: Any) -> C:
    """Validate an event's payload; return it as a command of class `kind`. Raises `Refused` ("bad_request")."""
    try:
        text = json.dumps({} if payload is None else payload)
        if len(text) > MAX_MESSAGE_BYTES:
            raise Refused(
                "bad_request", say("That message is too long, so it was not read. Reload the page and try again.")
            )
        return kind.model_validate_json(text, strict=True)
    except (ValidationError, TypeError, ValueError, RecursionError) as error:
        raise Refused("bad_request", _error_message(error)) from None


def _error_message(error: Exception) -> str:
    """Return the message for the sender of a payload that failed validation."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]["loc"]
        if "name" in first:
            return say("A name needs 1 to 20 characters. Enter one for every player.")
        if first[:1] == ("seats",):
            return say("Enter a name and a colour for every player.")
    return say("The companion did not understand that message. Reload the page and try again.")
