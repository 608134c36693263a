"""Computes the state that each move leads to (M1 to M9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from calibration.translatable import Line, say
from companion.games.game import IllegalMove
from companion.games.master.components import FORMULAS, LOOSE, PLACES, TOKENS, WANDS
from companion.games.master.maze import ARROWS, CARRIED, OPPOSITE, ROTATIONS, Maze, bits, letters
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
    acting_player,
)
from companion.games.master.rules.setup import with_board
from companion.games.master.state import TAKEN, LatestTurn, MasterPlayer, MasterState

_FAULTS: Final = {
    "fixed": say("A fixed tile does not match the game's board."),
    "shape": say("A tile has openings that no tile of the box has."),
    "numbers": say("The box has 13 straight tiles, 15 corners and 6 T pieces: the board does not match."),
}


def apply(state: MasterState, move: Move) -> MasterState:
    """Return the state that a move leads to. Raises IllegalMove."""
    player = acting_player(move)
    if player is not None and not 0 <= player < len(state.players):
        raise IllegalMove(say("There is no such seat."))
    match move:
        case NoteFormula():
            return _note_formula(state, move)
        case LayBoard():
            return _lay_board(state, move)
        case EndGame():
            return _agree_to_end(state)
        case CountHoldings():
            return _count_holdings(state, move)
        case UseWand():
            return _use_wand(state, move)
        case Deal():
            return _accept_deal(state, move)
        case Shift():
            return _shift(state, move)
        case Walk() | Stay():
            return _move_wizard(state, move)


def _lay_board(state: MasterState, move: LayBoard) -> MasterState:
    if state.phase != "board":
        raise IllegalMove(say("The board is already laid."))
    if len(move.loose) != len(LOOSE):
        raise IllegalMove(say("The board needs 33 loose tiles."))
    if sorted(move.tokens) != list(TOKENS):
        raise IllegalMove(say("Each of the 21 tokens must lie on the board exactly once."))
    try:
        maze = Maze.of_loose([bits(tile) for tile in move.loose], bits(move.spare))
    except ValueError:
        raise IllegalMove(_FAULTS["shape"]) from None
    if fault := maze.problem():
        raise IllegalMove(_FAULTS[fault])
    return with_board(state, maze, move.tokens)


def shift_problem(state: MasterState, maze: Maze, arrow: str, openings: str) -> Line | None:
    """Return the reason why this shift is illegal in a state, as a sentence; None if it is legal.

    maze: the maze of the state. openings: of the turned spare, letters.
    """
    if arrow not in ARROWS:
        return say("There is no such arrow.")
    if arrow == state.closed:
        return say("This arrow is closed: the spare tile came out here last.")
    if openings not in map(letters, ROTATIONS[maze.spare]):
        return say("The spare tile cannot be turned like this.")
    return None


def _check_turn(state: MasterState, player: int, phase: str) -> Maze:
    """Return the state's maze. Raises IllegalMove unless it is this player's turn, in this phase."""
    if state.maze is None or state.phase == "board":
        raise IllegalMove(say("The board is not laid yet."))
    if state.phase in ("formulas", "over"):
        raise IllegalMove(say("The game is over."))
    if player != state.mover:
        raise IllegalMove(say("It is another player's turn."))
    if state.phase != phase:
        raise IllegalMove(
            say("First the spare tile is pushed in.")
            if phase == "walk"
            else say("The spare tile was pushed in already.")
        )
    return state.maze


def _shift(state: MasterState, move: Shift) -> MasterState:
    maze = _check_turn(state, move.player, "shift")
    if problem := shift_problem(state, maze, move.arrow, move.openings):
        raise IllegalMove(problem)
    carried = CARRIED[move.arrow]
    return replace(
        state,
        phase="walk",
        maze=maze.shifted(move.arrow, bits(move.openings)),
        wizards=tuple(carried[place] for place in state.wizards),
        tokens=tuple(TAKEN if place == TAKEN else carried[place] for place in state.tokens),
        closed=OPPOSITE[move.arrow],
        pushed=move,
        latest=None,
        wand_of=None,
        unused_wand_of=state.wand_of,
    )


def _move_wizard(state: MasterState, move: Walk | Stay) -> MasterState:
    maze = _check_turn(state, move.player, "walk")
    here = state.wizards[move.player]
    if isinstance(move, Stay):
        return _end_turn(state, here, None)
    if not 0 <= move.place < PLACES or move.place == here or not maze.reached(here) >> move.place & 1:
        raise IllegalMove(say("The wizard cannot reach that place."))
    number = state.token_at(move.place) if move.take else None
    if move.take and (number is None or number != state.next_token):
        raise IllegalMove(say("Only the smallest number that is left can be taken, where the move ends."))
    tokens, players = state.tokens, state.players
    if number is not None:
        tokens = tuple(TAKEN if place == move.place else place for place in tokens)
        players = _with_player_changed(players, move.player, tokens=(*players[move.player].tokens, number))
    wizards = tuple(move.place if seat == move.player else place for seat, place in enumerate(state.wizards))
    return _end_turn(replace(state, wizards=wizards, tokens=tokens, players=players), here, number)


def _end_turn(state: MasterState, start: int, taken: int | None) -> MasterState:
    """Return the state after a turn: what is due for a tip is paid (M7), and the game ends (M8) or goes on.

    start: place of the mover's wizard after the shift. taken: number of the token that was taken.
    """
    if state.pushed is None:
        raise ValueError("No spare was pushed in in this turn.")
    paid = state
    if state.deal is not None and _is_deal_kept(state, state.deal):
        paid = _pay(state, state.deal)
    due = state.deal if paid is not state else None
    player = state.mover
    latest = LatestTurn(state.pushed, start, state.wizards[player], taken, due)
    if paid.next_token is None:
        return _end_game(replace(paid, latest=latest, deal=None, pushed=None))
    return replace(
        paid,
        latest=latest,
        phase="shift",
        mover=(player + 1) % len(state.players),
        turns=state.turns + (not state.extra),
        extra=False,
        wand_of=player if paid.wand_may_follow else None,
        deal=None,
        pushed=None,
        unused_wand_of=None,
    )


def _is_deal_kept(state: MasterState, deal: Deal) -> bool:
    """Return whether the turn just made is the recommended one, for which the mover has promised a payment."""
    pushed = state.pushed
    return (
        pushed is not None
        and (pushed.arrow, pushed.openings) == (deal.arrow, deal.openings)
        and state.wizards[deal.player] == deal.place
    )


def _pay(state: MasterState, deal: Deal) -> MasterState:
    """Return the state after the promised token or wand was paid; the same object if the payer does not have it."""
    payer, rival = state.players[deal.player], state.players[deal.rival]
    if deal.token is None and payer.wands:
        players = _with_player_changed(state.players, deal.player, wands=payer.wands - 1)
        return replace(state, players=_with_player_changed(players, deal.rival, wands=rival.wands + 1))
    if deal.token in payer.tokens:
        kept = tuple(number for number in payer.tokens if number != deal.token)
        players = _with_player_changed(state.players, deal.player, tokens=kept)
        return replace(state, players=_with_player_changed(players, deal.rival, tokens=(*rival.tokens, deal.token)))
    return state


def _use_wand(state: MasterState, move: UseWand) -> MasterState:
    if state.phase != "shift" or state.wand_of != move.player or state.deal is not None:
        raise IllegalMove(say("A wand can be used once, right after the player's own turn."))
    return replace(
        state,
        players=_with_player_changed(state.players, move.player, wands=state.players[move.player].wands - 1),
        mover=move.player,
        extra=True,
        wand_of=None,
    )


def _accept_deal(state: MasterState, move: Deal) -> MasterState:
    maze = _check_turn(state, move.player, "shift")
    if state.deal is not None:
        raise IllegalMove(say("Only one tip can be accepted in a turn."))
    if not 0 <= move.rival < len(state.players) or move.rival == move.player:
        raise IllegalMove(say("A tip must come from another player."))
    if problem := shift_problem(state, maze, move.arrow, move.openings):
        raise IllegalMove(problem)
    if not 0 <= move.place < PLACES:
        raise IllegalMove(say("There is no such place."))
    payer = state.players[move.player]
    if move.token is None and not payer.wands:
        raise IllegalMove(say("There is no wand left to promise."))
    if move.token is not None and move.token not in (*payer.tokens, state.next_token):
        raise IllegalMove(say("Only a token that the mover holds, or the next one, can be promised."))
    return replace(state, deal=move, wand_of=None)


def _note_formula(state: MasterState, move: NoteFormula) -> MasterState:
    if state.phase == "over":
        raise IllegalMove(say("The game is over."))
    if move.numbers not in FORMULAS:
        raise IllegalMove(say("There is no formula card with these three numbers."))
    if state.phase == "formulas":
        shown = [player.formula for player in state.players]
        if move.numbers == shown[move.player]:
            raise IllegalMove(say("This formula card is already noted for this player."))
        if move.numbers in shown:
            raise IllegalMove(say("Another player has shown this formula card."))
    players = _with_player_changed(state.players, move.player, formula=move.numbers)
    return (
        _end_game(replace(state, players=players)) if state.phase == "formulas" else replace(state, players=players)
    )


def _agree_to_end(state: MasterState) -> MasterState:
    if state.phase == "over":
        raise IllegalMove(say("The game is over."))
    if state.phase == "formulas":
        raise IllegalMove(say("Play has ended already. Only formula cards are still to be noted."))
    return _end_game(state)


def _end_game(state: MasterState) -> MasterState:
    """Return the state after the end of play: "over", or "formulas" while formula cards are still to be entered.

    A card that two players noted is removed from both, because it exists once. The round is that of the last turn.
    """
    if state.maze is None:
        raise IllegalMove(say("The board is not laid yet."))
    formulas = [player.formula for player in state.players]
    same_card = tuple(seat for seat, card in enumerate(formulas) if card is not None and formulas.count(card) > 1)
    players = tuple(
        replace(player, formula=None) if seat in same_card else player for seat, player in enumerate(state.players)
    )
    known = all(player.formula is not None for player in players)
    return replace(
        state,
        phase="over" if known else "formulas",
        players=players,
        turns=state.turns_before_latest,
        extra=False,
        wand_of=None,
        deal=None,
        pushed=None,
        unused_wand_of=None,
        same_card=same_card or state.same_card,
    )


def _count_holdings(state: MasterState, move: CountHoldings) -> MasterState:
    """Return the state with tokens and wands as counted on the table after play (M9)."""
    if not state.formulas_shown:
        raise IllegalMove(say("Tokens and wands are counted once play has ended."))
    if not len(move.tokens) == len(move.wands) == len(state.players):
        raise IllegalMove(say("Count the tokens and wands of every player."))
    taken = [number for number, place in zip(TOKENS, state.tokens, strict=True) if place == TAKEN]
    if sorted(number for numbers in move.tokens for number in numbers) != taken:
        raise IllegalMove(say("Each token that was taken lies before exactly one player, and no other token."))
    wands, most = sum(move.wands), WANDS * len(state.players)
    if min(move.wands) < 0 or wands > most:
        raise IllegalMove(
            say(
                "There are {most} wands in the game, three a player: {wands} is wrong.",
                most=most,
                wands=wands,
            )
        )
    players = tuple(
        replace(player, tokens=tokens, wands=wands)
        for player, tokens, wands in zip(state.players, move.tokens, move.wands, strict=True)
    )
    return replace(state, players=players, counted=True)


def _with_player_changed(
    players: tuple[MasterPlayer, ...],
    seat: int,
    *,
    wands: int | None = None,
    tokens: tuple[int, ...] | None = None,
    formula: tuple[int, int, int] | None = None,
) -> tuple[MasterPlayer, ...]:
    """Return the players, one of them with other wands, tokens or formula card; None leaves what there is."""
    old = players[seat]
    new = MasterPlayer(
        old.colour,
        old.wands if wands is None else wands,
        old.tokens if tokens is None else tokens,
        old.formula if formula is None else formula,
    )
    return (*players[:seat], new, *players[seat + 1 :])
