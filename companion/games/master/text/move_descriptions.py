"""Describes every move in one sentence, for the history of a game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from calibration.translatable import Line, by_side, counted, listed, say
from companion.games.game import Step, Viewer
from companion.games.master.components import SIZE
from companion.games.master.maze import Arrow, bits, letters, line_of, rotated
from companion.games.master.moves import (
    CountHoldings,
    Deal,
    EndGame,
    LayBoard,
    Move,
    NoteFormula,
    Shift,
    Stay,
    UseWand,
    Walk,
)
from companion.games.master.state import MasterState

TOKEN_NAMES: Final[dict[int, Line]] = {
    1: say("crab apples"),
    2: say("pine cone"),
    3: say("oak leaf"),
    4: say("slug oil"),
    5: say("clover"),
    6: say("garlic"),
    7: say("raven's feather"),
    8: say("henbane"),
    9: say("spider"),
    10: say("skull"),
    11: say("blindworm"),
    12: say("quartz"),
    13: say("toad"),
    14: say("salamander"),
    15: say("weasel"),
    16: say("silver thistle"),
    17: say("snake"),
    18: say("emerald"),
    19: say("mandrake"),
    20: say("black rooster"),
    25: say("mistletoe"),
}
"""Names of the tokens by number."""
_SIDES: Final = {"T": say("top"), "R": say("right"), "B": say("bottom"), "L": say("left")}


def describe(step: Step[MasterState, Move], now: MasterState, names: Sequence[str], viewer: Viewer) -> Line:
    """Describe a step in one sentence without a full stop, with nothing that is secret from the viewer.

    now: the present state. names: by seat. The numbers of a formula card are left out until play has ended, even on
    its player's own screen, which others may see. The exception is a move offered to that player, whose state
    before is the present state.
    """
    move, before = step.move, step.before
    match move:
        case LayBoard():
            return say("The board is laid")
        case EndGame():
            return say("Everybody agrees to end the game")
        case CountHoldings():
            return _count(before, move, names)
        case Shift():
            return say(
                "{name} pushes the spare tile in {arrow}", name=names[move.player], arrow=arrow_name(move.arrow)
            )
        case Walk():
            taken = before.token_at(move.place) if move.take else None
            return _with_payment(_walk(move, taken, names[move.player]), step.after, names)
        case Stay():
            return _with_payment(say("{name} stays", name=names[move.player]), step.after, names)
        case UseWand():
            return say("{name} uses a wand and moves again", name=names[move.player])
        case Deal():
            return say(
                "{name} promises {rival} {what} for a tip: {arrow}, to {place}",
                name=names[move.player],
                rival=names[move.rival],
                what=_price(move),
                arrow=arrow_name(move.arrow),
                place=place_name(move.place),
            )
        case NoteFormula():
            if now.formulas_shown or (viewer == move.player and now == before):
                numbers = " · ".join(map(str, move.numbers))
                return say("{name}'s formula card is {numbers}", name=names[move.player], numbers=numbers)
            return say("{name} notes a formula card", name=names[move.player])


def _walk(move: Walk, taken: int | None, name: str) -> Line:
    if taken is None:
        return say("{name} moves to {place}", name=name, place=place_name(move.place))
    return say("{name} takes {number}, {token}", name=name, number=taken, token=TOKEN_NAMES[taken])


def _count(before: MasterState, move: CountHoldings, names: Sequence[str]) -> Line:
    changes: list[Line] = []
    for name, player, tokens, wands in zip(names, before.players, move.tokens, move.wands, strict=True):
        gained = [say("token {number}", number=number) for number in tokens if number not in player.tokens]
        if wands != player.wands:
            gained.append(counted(wands, "{n} wand", "{n} wands"))
        if gained:
            changes.append(say("{name} has {things}", name=name, things=listed(gained)))
    if not changes:
        return say("Tokens and wands are counted: all is as recorded")
    return say("Tokens and wands are counted: {changes}", changes=listed(changes))


def _price(deal: Deal) -> Line:
    return say("a wand") if deal.token is None else say("token {number}", number=deal.token)


def _with_payment(line: Line, after: MasterState, names: Sequence[str]) -> Line:
    """Return the description of a turn's end, with what was paid for a tip if anything was.

    line: the description without it. after: state after the turn. names: by seat.
    """
    deal = None if after.latest is None else after.latest.paid
    if deal is None:
        return line
    return say("{turn}; {rival} gets {what} for the tip", turn=line, rival=names[deal.rival], what=_price(deal))


@cache
def arrow_name(arrow: Arrow) -> Line:
    """Return an arrow in words, "at the top of column 2", with a version for each side of the table."""
    return by_side([_arrow_name(arrow, quarters) for quarters in range(4)])


@cache
def place_name(place: int) -> Line:
    """Return a place as "row 2, column 3", from 1 at the top left, with a version for each side of the table."""
    return by_side([_place_name(place, quarters) for quarters in range(4)])


@cache
def sides_name(openings: int) -> Line:
    """Return the open sides of a tile in words, "top and right", with a version for each side of the table.

    openings: four bits.
    """
    turned = (letters(rotated(openings, quarters)) for quarters in range(4))
    return by_side([listed([_SIDES[side] for side in sides]) for sides in turned])


def _arrow_name(arrow: Arrow, quarters: int) -> Line:
    side = letters(rotated(bits(arrow[0]), quarters))
    row, column = _row_and_column(line_of(arrow)[0], quarters)
    number = 1 + (column if side in "TB" else row)
    match side:
        case "T":
            return say("at the top of column {number}", number=number)
        case "B":
            return say("at the bottom of column {number}", number=number)
        case "L":
            return say("at the left of row {number}", number=number)
        case _:
            return say("at the right of row {number}", number=number)


def _place_name(place: int, quarters: int) -> Line:
    row, column = _row_and_column(place, quarters)
    return say("row {row}, column {column}", row=row + 1, column=column + 1)


def _row_and_column(place: int, quarters: int) -> tuple[int, int]:
    """Return row and column of a place, from 0, on a board drawn turned clockwise by quarter turns."""
    row, column = divmod(place, SIZE)
    for _ in range(quarters):
        row, column = column, SIZE - 1 - row
    return row, column
