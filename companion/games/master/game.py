"""Master Labyrinth as a `Game`: what journal, history and screens use of its rules."""

from __future__ import annotations

from calibration.translatable import Line, say
from companion.games.game import Figure, Game, Stage, Step, Viewer
from companion.games.master.components import COLOURS
from companion.games.master.moves import Deal, EndGame, Move, NoteFormula, Shift, acting_player
from companion.games.master.rules.engine import apply
from companion.games.master.rules.legal_moves import player_moves, waiting_for
from companion.games.master.rules.moves_after_correction import rebase
from companion.games.master.rules.setup import OPTIONS, MasterSetup, new_game, with_options
from companion.games.master.scoring import final_scores
from companion.games.master.state import MasterState
from companion.games.master.state_for_viewer import view
from companion.games.master.text.move_descriptions import describe
from companion.games.master.text.notation import read_move, write_move

_FIGURES: dict[str, tuple[Line, str]] = {
    "red": (say("red wizard"), "firebrick"),
    "brown": (say("brown wizard"), "peru"),
    "blue": (say("blue wizard"), "royalblue"),
    "white": (say("white wizard"), "linen"),
}


def _stage(state: MasterState) -> Stage:
    return Stage(state.phase, state.round, state.complete_turns % len(state.players))


def _evidence_visible(step: Step[MasterState, Move], now: MasterState, viewer: Viewer) -> bool:
    """Return whether the viewer may look at a step's pictures: not if they show a formula card secret from them."""
    return not isinstance(step.move, NoteFormula) or viewer == step.move.player or now.formulas_shown


def _other_round(step: Step[MasterState, Move]) -> int | None:
    """Return the round of a move that may follow a wait for a wand or stand between two turns; None for others.

    After a shift, a deal or the end no wand can prolong the previous turn. A formula card that is noted between two
    rounds belongs to the first one, as the end does if it comes next.
    """
    match step.move:
        case Shift() | Deal() | EndGame():
            return step.after.round
        case NoteFormula():
            return step.before.round_begun
        case _:
            return None


def _owner(move: Move) -> int | None:
    """Return the seat of the player whose formula card a move notes, which affects nobody else; else None."""
    return move.player if isinstance(move, NoteFormula) else None


MASTER: Game[MasterState, Move, MasterSetup] = Game(
    id="master",
    title=say("Master Labyrinth"),
    players=(2, 3, 4),
    figures=tuple(Figure(colour, *_FIGURES[colour]) for colour in COLOURS),
    setup=MasterSetup,
    moves=Move,
    new_game=new_game,
    apply=apply,
    legal_moves=player_moves,
    to_move=waiting_for,
    actor=acting_player,
    stage=_stage,
    final_scores=final_scores,
    view=view,
    describe=describe,
    to_text=write_move,
    from_text=read_move,
    options=OPTIONS,
    with_options=with_options,
    other_round=_other_round,
    secrets="seats",
    evidence_visible=_evidence_visible,
    concurrent_owner=_owner,
    rebase=rebase,
)
"""The record of the game. Formula cards are visible to their own seat only until play has ended."""
