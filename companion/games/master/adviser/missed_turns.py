"""Finds the turns of a finished game in which a player could have gained more points."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibration.translatable import Line, counted, say
from companion.games.game import Step
from companion.games.master.adviser.advice_texts import tokens_line
from companion.games.master.adviser.turn_search import Advice, best_pair, token_worth
from companion.games.master.components import WAND_POINTS
from companion.games.master.moves import Move, Shift, Stay, UseWand, Walk
from companion.games.master.state import MasterState


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn as it was played, extra turns included."""

    number: int
    """Number of the first shift's journal entry."""
    round: int
    """Number of the round, from 1."""
    seat: int
    """The player."""
    before: MasterState
    """State before the turn, with the formula cards that were revealed at the end of the game."""
    gained: int
    """Points: numbers of the tokens taken, those on their own formula card with its points, minus wands used."""
    taken: tuple[int, ...]
    """Numbers of the tokens taken."""


@dataclass(frozen=True, slots=True)
class MissedTurn:
    """A turn that could have gained more."""

    number: int
    """Number of the journal entry of the turn's first shift."""
    round: int
    """Number of the round, from 1."""
    seat: int
    """The player."""
    better: Advice
    """The best turn in that position."""
    lost: int
    """Points of the better turn minus those of the played one."""
    line: Line
    """Sentence about what the better turn would have gained."""


def missed_turns(
    steps: Sequence[Step[MasterState, Move]], names: Sequence[str], least: int = 1
) -> tuple[MissedTurn, ...]:
    """Return the turns that gained at least `least` points less than the best possible turn, in order of play.

    steps: all steps of a finished game. names: by seat. Payments for tips are not counted. Takes 40 ms a turn.
    """
    missed = []
    for played in played_turns(steps):
        better = best_pair(played.before, played.seat)
        lost = better.gain - played.gained
        if lost >= least:
            line = _missed_line(played, better, lost, names[played.seat])
            missed.append(MissedTurn(played.number, played.round, played.seat, better, lost, line))
    return tuple(missed)


def played_turns(steps: Sequence[Step[MasterState, Move]]) -> Iterator[PlayedTurn]:
    """Yield the complete turns of a game in order; an extra turn by a wand counts as part of the turn before it."""
    if not steps:
        return
    formulas = [player.formula for player in steps[-1].after.players]
    shift: Step[MasterState, Move] | None = None
    current: PlayedTurn | None = None
    for step in steps:
        move = step.move
        if isinstance(move, UseWand) and current is not None:
            current = replace(current, gained=current.gained - WAND_POINTS)
        elif isinstance(move, Shift):
            shift = step
            if not step.before.extra or current is None:
                if current is not None:
                    yield current
                current = PlayedTurn(
                    step.number, step.after.round, move.player, _with_formulas(step.before, formulas), 0, ()
                )
        elif isinstance(move, (Walk, Stay)) and shift is not None and current is not None:
            number = step.before.token_at(move.place) if isinstance(move, Walk) and move.take else None
            if number is not None:
                gained = current.gained + token_worth(current.before, move.player, number)
                current = replace(current, gained=gained, taken=(*current.taken, number))
            shift = None
    if current is not None and shift is None:
        yield current


def _with_formulas(state: MasterState, formulas: Sequence[tuple[int, int, int] | None]) -> MasterState:
    """Return the state with all players' formula cards replaced. formulas: numbers by seat; None for none."""
    players = tuple(
        replace(player, formula=formula) for player, formula in zip(state.players, formulas, strict=True)
    )
    return replace(state, players=players)


def _missed_line(played: PlayedTurn, better: Advice, lost: int, name: str) -> Line:
    """Return a sentence about what the better turn would have gained. lost: points. name: of the player."""
    taken, tokens = tokens_line(played.taken), tokens_line(better.taken)
    if not better.taken:
        what = say("{name} gained nothing by a wand", name=name)
    elif played.taken == better.taken:
        what = (
            say("{name} took {taken} and needed no wand", name=name, taken=taken)
            if len(better.turns) == 1
            else say("{name} took {taken} and needed only one wand", name=name, taken=taken)
        )
    elif len(better.turns) == 1:
        what = (
            say("{name} took {taken} and could have taken {tokens}", name=name, taken=taken, tokens=tokens)
            if played.taken
            else say("{name} could have taken {tokens}", name=name, tokens=tokens)
        )
    elif played.taken:
        what = say(
            "{name} took {taken} and could have taken {tokens} with a wand", name=name, taken=taken, tokens=tokens
        )
    else:
        what = say("{name} could have taken {tokens} with a wand", name=name, tokens=tokens)
    return counted(lost, "{what}: {n} point more.", "{what}: {n} points more.", what=what)
