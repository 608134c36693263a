"""Faults of a table that no legal turn leads to, and messages that describe them to the players. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from calibration.translatable import Line, say
from companion.games.master.maze import Arrow
from companion.games.master.text.move_descriptions import arrow_name, place_name

FaultKind = Literal[
    "closed", "no_shift", "wizard_on_spare", "token_on_spare", "wrong_token", "standing", "missing", "unreachable",
    "out_of_turn", "wand", "walk_changed", "shift_changed", "token_moved", "noted_wrongly", "tile", "spare",
    "board",
]  # fmt: skip # a list of names
"""closed: the spare was pushed in at the closed arrow; no_shift: a wizard moved before the shift; wizard_on_spare,
token_on_spare: a wizard or token was pushed out and left on the spare; wrong_token: a token was taken where the
move ended, but not the next one due; standing: the next token was taken by a wizard that did not move there;
missing: a token is gone from a place where no move ended; unreachable: a wizard stands on a place that it cannot
reach; out_of_turn: another player's wizard moved; wand: the same, but that player may have used a wand and made the
latest shift; walk_changed, shift_changed: the latest move or shift in the journal was taken back on the table, and
perhaps another one made; token_moved: a token lies on another place; noted_wrongly: a token lies on the board
although the journal has it as taken; tile: a loose tile is another one or turned; spare: the spare has another
shape; board: a different board lies on the table."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault of a table. Fields that do not concern its kind are None."""

    kind: FaultKind
    """Kind of the fault."""
    place: int | None = None
    """Place of the wrong tile, token or wizard; None for the spare and for the whole board."""
    seat: int | None = None
    """Seat whose wizard is concerned, or that holds the token in the journal."""
    token: int | None = None
    """Number of the token concerned."""
    back: int | None = None
    """Place to which the wizard or token has to be put back."""
    arrow: Arrow | None = None
    """Arrow at which the spare was pushed in."""
    due: int | None = None
    """Number of the token that is the next to be taken."""

    @property
    def places(self) -> tuple[int, ...]:
        """Places to be marked on screens: where the fault is, and where the thing belongs."""
        return tuple(dict.fromkeys(place for place in (self.place, self.back) if place is not None))


def fault_line(fault: Fault, names: Sequence[str]) -> Line:
    """Return sentences that describe a fault and how to correct it. names: of the players, by seat."""
    name = "" if fault.seat is None else names[fault.seat]
    place = "" if fault.place is None else place_name(fault.place)
    back = "" if fault.back is None else place_name(fault.back)
    match fault.kind:
        case "closed":
            arrow = "" if fault.arrow is None else arrow_name(fault.arrow)
            return say(
                "The spare tile was pushed back in {arrow}, where it came out last. Take it back and push it in at "
                "another arrow.",
                arrow=arrow,
            )
        case "no_shift":
            return say(
                "{name}'s wizard moved before the spare tile was pushed in. Move it back to {back}, then push the "
                "tile in.",
                name=name,
                back=back,
            )
        case "wizard_on_spare":
            return say(
                "{name}'s wizard was pushed out on the spare tile. Stand it on {back}, on the tile just pushed in.",
                name=name,
                back=back,
            )
        case "token_on_spare":
            return say(
                "Token {number} was pushed out on the spare tile. Lay it on {back}, on the tile just pushed in.",
                number=fault.token,
                back=back,
            )
        case "wrong_token":
            return say(
                "Token {number} is gone, but {due} is the next one. Lay {number} back on {place}.",
                number=fault.token,
                due=fault.due,
                place=place,
            )
        case "standing":
            return say(
                "Token {number} is gone though {name}'s wizard did not move there. Lay it back on {place}: only a "
                "move that ends there takes it.",
                number=fault.token,
                name=name,
                place=place,
            )
        case "missing":
            return say(
                "Token {number} is gone from {place}, where no move ended. Lay it back.",
                number=fault.token,
                place=place,
            )
        case "unreachable":
            return say(
                "{name}'s wizard cannot come to {place}. Move it back to {back}, or along open paths from there.",
                name=name,
                place=place,
                back=back,
            )
        case "out_of_turn":
            return say(
                "{name}'s wizard moved though it is not {name}'s turn. Move it back to {back}.",
                name=name,
                back=back,
            )
        case "wand":
            return say(
                "{name}'s wizard moved though it is not {name}'s turn. If {name} used a wand, undo the latest "
                "entry: then the extra turn is read. Otherwise move the wizard back to {back}.",
                name=name,
                back=back,
            )
        case "walk_changed":
            return say(
                "{name}'s wizard does not stand on {back}, where its move was noted. If the move was changed, undo "
                "it: then the table is read again. Otherwise move the wizard back.",
                name=name,
                back=back,
            )
        case "shift_changed":
            return say(
                "{name}'s latest shift seems to be taken back. If it is, undo it: then the table is read again. "
                "Otherwise lay the board as on the screen.",
                name=name,
            )
        case "token_moved":
            return say(
                "Token {number} lies on {place}. Lay it back on {back}.",
                number=fault.token,
                place=place,
                back=back,
            )
        case "noted_wrongly":
            return say(
                "Token {number} lies on {place}, though it is noted as taken by {name}. Take it away or correct "
                "that move.",
                number=fault.token,
                place=place,
                name=name,
            )
        case "tile":
            return say("The tile on {place} is not as on the screen. Lay it as shown there.", place=place)
        case "spare":
            return say("The spare tile is another one than on the screen. Lay the right one beside the board.")
        case "board":
            return say("The board on the table is not the one on the screen. Lay it as shown there.")
