"""The two boards of the rulings, a game on the first, and random games."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.games.master.components import COLOURS, FORMULAS, TOKENS
from companion.games.master.maze import Maze
from companion.games.master.moves import Move, NoteFormula, Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves
from companion.games.master.rules.setup import MasterSetup, new_game, with_board
from companion.games.master.state import TAKEN, MasterState

FIRST = Maze.of_text("""
.   TB  .   TR  .   TB  .
TB  RB  TR  LR  LT  LR  RBL
.   TB  .   RB  .   TRB .
TBL LR  TR  TRL LR  RB  TRL
.   LB  .   LR  .   LR  .
RB  RB  LR  TR  TRB LB  TB
.   LB  .   TR  .   TR  .
spare: straight
""")
SECOND = Maze.of_text("""
.   TRL .   TB  .   BL  .
TRL TB  BL  BL  TB  TRB RB
.   RB  .   TL  .   TR  .
TL  BL  LR  TL  RB  LR  BL
.   TR  .   TRL .   LR  .
LR  RBL LR  TB  LR  LR  TRB
.   TB  .   LR  .   TL  .
spare: RB
""")


def placed(*, players: int = 2, **changes: object) -> MasterState:
    """A game on the first board, red to move, tokens in the order of their numbers, with these fields changed."""
    state = with_board(new_game(COLOURS[:players], MasterSetup()), FIRST, TOKENS)
    return replace(state, **changes)  # type: ignore[arg-type]  # a test names fields of MasterState


def moves_of(state: MasterState) -> Iterator[Move]:
    """All listed moves of all seats but formula cards, which never end a turn."""
    for seat in range(len(state.players)):
        for move in player_moves(state, seat):
            if state.phase == "formulas" or not isinstance(move, NoteFormula):
                yield move


def random_game(seed: int, players: int, turns: int = 400) -> Iterator[tuple[MasterState, Move, MasterState]]:
    """Every step of a random game, to its end or for so many moves; a token that can be taken is mostly taken."""
    dice = random.Random(seed)
    state = new_game(COLOURS[:players], MasterSetup(seed, first=seed % players, chained_wands=seed % 2 == 0))
    for _ in range(turns):
        options = list(moves_of(state))
        if not options:
            return
        taking = [move for move in options if getattr(move, "take", False)]
        move = dice.choice(taking if taking and dice.random() < 0.9 else options)
        after = apply(state, move)
        yield state, move, after
        state = after


def random_position(seed: int) -> MasterState:
    """A random position before a shift, with some tokens taken and a formula card for the mover."""
    dice = random.Random(seed)
    state = new_game(COLOURS[: dice.choice((2, 3, 4))], MasterSetup(seed))
    for _ in range(dice.randrange(6)):
        state = apply(state, dice.choice([m for m in player_moves(state, state.mover) if isinstance(m, Shift)]))
        ends = [m for m in player_moves(state, state.mover) if isinstance(m, (Walk, Stay))]
        state = apply(state, dice.choice(ends))
    taken = dice.randrange(len(TOKENS) - 1)
    tokens = tuple(TAKEN if number < taken else place for number, place in enumerate(state.tokens))
    players = tuple(
        replace(player, formula=FORMULAS[dice.randrange(21)] if seat == state.mover else None)
        for seat, player in enumerate(state.players)
    )
    return replace(state, tokens=tokens, players=players)
