"""What the contract tests need of each game besides its record: setups, random moves, and twin games."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.games import GAMES
from companion.games.game import OVER, Game, Step, Viewer
from companion.games.master.components import FORMULAS
from companion.games.master.game import MASTER
from companion.games.master.moves import EndGame, NoteFormula, Stay
from companion.games.master.rules.setup import MasterSetup
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from tests.games.pebbles.game import MOST, PEBBLES, Hide, Take
from tests.games.pebbles.game import Setup as PebblesSetup

Played = tuple[Any, list[Any]]
"""The first state of a game and its moves."""


@dataclass(frozen=True)
class Sample:
    """One game with what random tests of it need."""

    game: Game[Any, Any, Any]
    setups: Callable[[random.Random], Any]
    """Returns a random setup."""
    choose: Callable[[Any, random.Random], Any]
    """Returns a random legal move of anybody who may move, or of the whole table."""
    twin: Callable[[Played, Viewer], Played]
    """Returns a game that differs from another one only in what the viewer may not know."""
    apart: Callable[[Any], bool]
    """Returns whether twin games may differ visibly from this state on, so that they are compared no longer."""
    ending: Callable[[Any], tuple[Any, ...]]
    """Returns moves that end the game from a state, known to everybody; none where it does not end so soon."""
    twin_game: Game[Any, Any, Any] | None = None
    """The game with what setups hide exchanged, so that twins begin alike; None: setups hide nothing."""


def listed_move(record: Game[Any, Any, Any]) -> Callable[[Any, random.Random], Any]:
    """Return a function that chooses a random legal move, for a game that lists all of them."""
    return lambda state, rng: rng.choice(record.legal_moves(state, rng.choice(record.to_move(state))))


def other_numbers(played: Played, viewer: Viewer) -> Played:
    """Return a game of Pebbles in which everybody but the viewer has hidden another number."""
    state, moves = played
    hidden = [isinstance(move, Hide) and move.player != viewer for move in moves]
    return state, [
        Hide(move.player, move.number % MOST + 1) if other else move
        for other, move in zip(hidden, moves, strict=True)
    ]


def other_pile(played: Played, viewer: Viewer) -> Played:
    """Return a game of The Wicked Labyrinth whose cards to come lie in another order."""
    state, moves = played
    return (replace(state, pile=tuple(reversed(state.pile))) if state.pile else state), moves


def master_move(state: Any, rng: random.Random) -> Any:
    """Return a random move of Master Labyrinth: formula cards are noted now and then, and games end early."""
    if state.phase == "shift" and rng.random() < _ENDING:
        return EndGame()
    seats = range(len(state.players))
    moves = [move for seat in seats for move in MASTER.legal_moves(state, seat)]
    noting = [move for move in moves if isinstance(move, NoteFormula)]
    others = [move for move in moves if not isinstance(move, NoteFormula)]
    return rng.choice(noting if not others or (noting and rng.random() < _NOTING) else others)


def other_formulas(played: Played, viewer: Viewer) -> Played:
    """Return a game of Master Labyrinth in which everybody but the viewer has another formula card."""
    state, moves = played
    return state, [
        replace(move, numbers=FORMULAS[(FORMULAS.index(move.numbers) + 1) % len(FORMULAS)])
        if isinstance(move, NoteFormula) and move.player != viewer
        else move
        for move in moves
    ]


def master_ending(state: Any) -> tuple[Any, ...]:
    """Return the moves by which the players of Master Labyrinth agree to end a game."""
    walking = (Stay(state.mover),) if state.phase == "walk" else ()
    return (*walking, EndGame()) if state.phase in ("shift", "walk") else ()


def pebbles_ending(state: Any) -> tuple[Any, ...]:
    """Return moves by which the last pebble is taken; none while numbers are hidden."""
    moves: list[Take] = []
    while state.left and None not in state.hidden:
        moves.append(Take(state.turn, min(MOST, state.left)))
        state = PEBBLES.apply(state, moves[-1])
    return tuple(moves)


_ENDING, _NOTING = 0.02, 0.1
"""Probabilities that a random game of Master Labyrinth ends, and that a formula card is noted."""

SAMPLES = {
    sample.game.id: sample
    for sample in (
        Sample(
            WICKED,
            lambda rng: WickedSetup(STANDIN, rng.choice((None, rng.randrange(10**6)))),
            random_move,
            other_pile,
            lambda state: state.round > 1 or state.pile is None,
            lambda state: (),
            replace(
                WICKED,
                new_game=lambda figures, setup: other_pile((WICKED.new_game(figures, setup), []), None)[0],
            ),
        ),
        Sample(
            MASTER,
            lambda rng: MasterSetup(
                rng.randrange(10**6), chained_wands=rng.random() < 0.5, tips=rng.random() < 0.5
            ),
            master_move,
            other_formulas,
            lambda state: state.formulas_shown,
            master_ending,
        ),
        Sample(
            PEBBLES,
            lambda rng: PebblesSetup(rng.randint(1, 20)),
            listed_move(PEBBLES),
            other_numbers,
            lambda state: PEBBLES.stage(state).phase == OVER,
            pebbles_ending,
        ),
    )
}
"""A sample of every registered game and of Pebbles, by id."""

IDS = (*GAMES, PEBBLES.id)
"""Games that the contract tests run over; one without a sample fails there."""


def new_game(sample: Sample, rng: random.Random) -> tuple[Sequence[str], Any, Any]:
    """Begin a random game; return the figures by seat, the setup and the first state."""
    figures = rng.sample([figure.id for figure in sample.game.figures], rng.choice(sample.game.players))
    setup = sample.setups(rng)
    return figures, setup, sample.game.new_game(figures, setup)


def random_game(sample: Sample, rng: random.Random) -> Played:
    """Play a random game to its end."""
    start = state = new_game(sample, rng)[2]
    moves = []
    while sample.game.stage(state).phase != OVER:
        moves.append(sample.choose(state, rng))
        state = sample.game.apply(state, moves[-1])
    return start, moves


def steps_of(record: Game[Any, Any, Any], played: Played) -> list[Step[Any, Any]]:
    """Return the steps of a game, numbered as in a journal."""
    before, steps = played[0], []
    for number, move in enumerate(played[1], start=2):
        after = record.apply(before, move)
        steps.append(Step(number, move, before, after))
        before = after
    return steps
