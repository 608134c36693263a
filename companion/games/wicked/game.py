"""The Wicked Labyrinth as a `Game`: what journal, history and screens use of its rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.translatable import Line, say
from companion.games.game import Figure, Game, Rebased, Score, ScoreLine, Stage, Step, Viewer
from companion.games.wicked.components import CORRIDORS, PLAYER_COLOURS, Deck, PlayerColour
from companion.games.wicked.moves import ChooseColours, KeepTokens, Move, Reveal, acting_player
from companion.games.wicked.rules.engine import apply
from companion.games.wicked.rules.legal_moves import DealChoice, LayChoice, legal, player_moves, waiting_for
from companion.games.wicked.rules.setup import new_game
from companion.games.wicked.scoring.final_scores import (
    GREAT_POINTS,
    POINTS,
    SMALL_POINTS,
    FinalScore,
    final_scores,
)
from companion.games.wicked.scoring.scores_of_counted_boards import AHEAD_BY
from companion.games.wicked.scoring.statistics import PlayerStatistics, player_statistics
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.move_descriptions import describe
from companion.games.wicked.text.notation import read_move, write_move
from companion.games.wicked.text.words import ANIMAL_NAMES, by_name

_COLOURS: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}


@dataclass(frozen=True, slots=True)
class WickedSetup:
    """What a game begins with besides its players."""

    deck: Deck
    """All cards of the game."""
    seed: int | None = None
    """Seed with which the engine shuffles, deals and lays; None where people do at a real table."""


def _new_game(figures: Sequence[str], setup: WickedSetup) -> WickedState:
    unknown = [figure for figure in figures if figure not in _COLOURS]
    if unknown:
        raise ValueError(f"No player can be {unknown[0]}: choose one of {', '.join(PLAYER_COLOURS)}.")
    return new_game([_COLOURS[figure] for figure in figures], setup.deck, setup.seed)


def _stage(state: WickedState) -> Stage:
    return Stage(state.phase, state.round, state.corridor)


def _scores(state: WickedState) -> tuple[Score, ...]:
    return tuple(map(as_score, final_scores(state)))


def as_score(score: FinalScore) -> Score:
    """Return a final score of this game as the `Score` that all games share."""
    ahead_by = AHEAD_BY.get(score.decided_by)
    return Score(score.player, score.total, score.place, _score_lines(score), score.decided_by, ahead_by)


def _score_lines(score: FinalScore) -> tuple[ScoreLine, ...]:
    return (
        ScoreLine("low", say("low tokens"), score.low, score.low * POINTS["low"]),
        ScoreLine("middle", say("middle tokens"), score.middle, score.middle * POINTS["middle"]),
        ScoreLine("high", say("high tokens"), score.high, score.high * POINTS["high"]),
        ScoreLine("great", say("great oracles"), score.great, score.great * GREAT_POINTS),
        ScoreLine("small", say("small oracles"), score.small, score.small * SMALL_POINTS),
        ScoreLine("impurity", say("impurity"), score.impurity, -score.impurity),
        ScoreLine("given_back", say("impurity given back"), score.given_back, score.given_back),
    )


def _view(state: WickedState, viewer: Viewer) -> WickedState:
    """Return the state without the order of the remaining cards, which is secret from everybody."""
    return replace(state, pile=None)


def _describe(step: Step[WickedState, Move], now: WickedState, names: Sequence[str], viewer: Viewer) -> Line:
    return describe(step.before, step.move, names)


def _statistics(
    steps: Sequence[Step[WickedState, Move]], state: WickedState, viewer: Viewer
) -> tuple[PlayerStatistics, ...]:
    return player_statistics(((step.before, step.move, step.after) for step in steps), len(state.players))


def _unknown_to_all(state: WickedState) -> bool:
    """Return whether the engine is going to lay corridor cards; those that people lay are not known to it."""
    return bool(state.pile)


@dataclass(frozen=True, slots=True)
class Bounds:
    """The cards that can be dealt or laid now."""

    deal: DealChoice | None
    """The choice of oracle cards; None when nothing is dealt."""
    lay: LayChoice | None
    """The choice of corridor cards; None when nothing is laid."""


def _bounds(state: WickedState) -> Bounds | None:
    return Bounds((allowed := legal(state)).deal, allowed.lay) if state.phase in ("deal", "lay") else None


def _with_names(line: str, state: WickedState, names: Sequence[str]) -> str:
    return by_name(line, state.players, names)


def _owner(move: Move) -> int | None:
    """Return the seat of the one player whom a move affects; None for choices at a corridor and common moves."""
    return None if isinstance(move, (ChooseColours, KeepTokens)) else acting_player(move)


def _rebase(state: WickedState, move: Move) -> Rebased[Move]:
    chosen_at_corridor = isinstance(move, (ChooseColours, KeepTokens))
    if acting_player(move) is not None and (chosen_at_corridor or state.phase != "gain"):
        return Rebased("dropped")
    if state.phase in ("gain", "soul"):
        return Rebased("choice")
    forced = _only_reveal(state) if isinstance(move, Reveal) else None
    return Rebased("blocked") if forced is None else Rebased("replaced", forced)


def _only_reveal(state: WickedState) -> Reveal | None:
    """Return the reveal if just one is legal; None if several are or none is due."""
    hands = legal(state).hands
    return Reveal(tuple(each[0] for each in hands)) if hands and all(len(each) == 1 for each in hands) else None


WICKED: Game[WickedState, Move, WickedSetup] = Game(
    id="wicked",
    title=say("The Wicked Labyrinth"),
    players=tuple(CORRIDORS),
    figures=tuple(Figure(colour, ANIMAL_NAMES[colour], colour) for colour in PLAYER_COLOURS),
    setup=WickedSetup,
    moves=Move,
    new_game=_new_game,
    apply=apply,
    legal_moves=player_moves,
    to_move=waiting_for,
    actor=acting_player,
    stage=_stage,
    final_scores=_scores,
    view=_view,
    describe=_describe,
    to_text=write_move,
    from_text=read_move,
    concurrent_owner=_owner,
    bounds=_bounds,
    with_names=_with_names,
    statistics=_statistics,
    rebase=_rebase,
    secrets="table",
    unknown_to_all=_unknown_to_all,
    minutes=(30, 40),
)
"""The record. Only the pile of a game that the engine shuffled is hidden; at a real table nothing is."""
