"""Moves as one-line text, for golden games and tests.

board TB,RB,TR,… / TL / 7,12,1,…     loose tiles in reading order / spare / tokens in reading order
0 shift L5 TR                        the spare goes in at the left of row 5 with openings top and right
0 walk 3,4 takes | 0 walk 3,4        row and column, from 0
0 stay
0 wand
0 pays 1 token 4 for L5 TR 3,4       | 0 pays 1 wand for …
0 formula 11-3-14
count 3,11:1 :0 7:3                 tokens and wands of each player, by seat
end
"""

from __future__ import annotations

from companion.games.master.components import SIZE
from companion.games.master.maze import ARROWS, Arrow
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

_ARROWS: dict[str, Arrow] = {arrow: arrow for arrow in ARROWS}


def write_move(move: Move) -> str:
    """Return a move as one line of text; `read_move` parses it."""
    match move:
        case LayBoard():
            return f"board {','.join(move.loose)} / {move.spare} / {','.join(map(str, move.tokens))}"
        case Shift():
            return f"{move.player} shift {move.arrow} {move.openings}"
        case Walk():
            return f"{move.player} walk {_write_place(move.place)}{' takes' if move.take else ''}"
        case Stay():
            return f"{move.player} stay"
        case UseWand():
            return f"{move.player} wand"
        case Deal():
            what = "wand" if move.token is None else f"token {move.token}"
            place = _write_place(move.place)
            return f"{move.player} pays {move.rival} {what} for {move.arrow} {move.openings} {place}"
        case NoteFormula():
            return f"{move.player} formula {'-'.join(map(str, move.numbers))}"
        case EndGame():
            return "end"
        case CountHoldings():
            held = zip(move.tokens, move.wands, strict=True)
            return " ".join(["count", *(f"{','.join(map(str, tokens))}:{wands}" for tokens, wands in held)])


def read_move(line: str) -> Move:
    """Parse a move from one line of text. Raises ValueError."""
    try:
        return _read(line.split())
    except (ValueError, KeyError, IndexError):
        raise ValueError(f"{line[:80]!r} is not a move.") from None


def _read(words: list[str]) -> Move:
    match words:
        case ["board", loose, "/", spare, "/", tokens]:
            return LayBoard(tuple(loose.split(",")), spare, tuple(map(int, tokens.split(","))))
        case [player, "shift", arrow, openings]:
            return Shift(int(player), _ARROWS[arrow], openings)
        case [player, "walk", place]:
            return Walk(int(player), _read_place(place), False)
        case [player, "walk", place, "takes"]:
            return Walk(int(player), _read_place(place), True)
        case [player, "stay"]:
            return Stay(int(player))
        case [player, "wand"]:
            return UseWand(int(player))
        case [player, "pays", rival, "wand", "for", arrow, openings, place]:
            return Deal(int(player), int(rival), None, _ARROWS[arrow], openings, _read_place(place))
        case [player, "pays", rival, "token", token, "for", arrow, openings, place]:
            return Deal(int(player), int(rival), int(token), _ARROWS[arrow], openings, _read_place(place))
        case [player, "formula", numbers]:
            first, second, third = map(int, numbers.split("-"))
            return NoteFormula(int(player), (first, second, third))
        case ["end"]:
            return EndGame()
        case ["count", *held]:
            parts = [one.split(":") for one in held]
            each = tuple(tuple(map(int, filter(None, numbers.split(",")))) for numbers, _ in parts)
            return CountHoldings(each, tuple(int(wands) for _, wands in parts))
    raise ValueError("no move")


def _write_place(place: int) -> str:
    """Return a place as "row,column", from 0."""
    return f"{place // SIZE},{place % SIZE}"


def _read_place(text: str) -> int:
    """Return the place of "row,column", from 0. Raises ValueError."""
    row, column = map(int, text.split(","))
    if not 0 <= column < SIZE:
        raise ValueError("no column")
    return SIZE * row + column
