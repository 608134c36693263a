"""The record of functions that make bots play The Wicked Labyrinth at the simulated table."""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib.resources import files

from calibration.translatable import say
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.adapters.wicked.bots.choices import bot_move, hidden_deal, hidden_hand, hidden_lay
from companion.adapters.wicked.bots.demonstration import SEATS, is_entered, is_over, opening
from companion.adapters.wicked.bots.scenes import scene
from companion.adapters.wicked.bots.soul_phase import SOUL_PHASE
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.director.bot_interface import Bots, HiddenMove
from companion.director.hand_animation import animate_hands
from companion.games.wicked.components import PlayerColour
from companion.games.wicked.game import WICKED
from companion.games.wicked.moves import DealOracles, Hand, Lay, Move, Reveal
from companion.games.wicked.state import WickedState
from vision.cameras.simulated.scene import HandOnTable, Scene


def hidden_move(state: WickedState, key: str) -> HiddenMove[Move] | None:
    """Return the deal, lay or reveal that the bots show to the camera next; None in other phases.

    key: seed of the random choices.
    """
    match state.phase:
        case "deal":
            deal = hidden_deal(state, key)
            things = sum(len(cards) for cards in (*deal.great, *deal.small))
            return HiddenMove((deal,), say("The oracle cards are dealt."), things=things)
        case "lay":
            lay = hidden_lay(state, key)
            doing = say("The corridors of round {round} are laid.", round=state.round)
            return HiddenMove((lay,), doing, things=len(lay.cards))
        case "search":
            rng = random.Random(f"{key} {state.round} {state.corridor}")
            hands = tuple(hidden_hand(state, seat, rng) for seat in range(len(state.players)))
            contents = [pieces_in(hand, player.colour) for hand, player in zip(hands, state.players, strict=True)]
            doing = say("Everybody reveals at corridor {corridor}.", corridor=state.corridor + 1)
            return HiddenMove((Reveal(hands),), doing, animate_hands(contents, rng))
        case _:
            return None


def pieces_in(hand: Hand, colour: PlayerColour) -> list[str]:
    """Return the kind of each piece in a hand, such as `sign:witch`. colour: of the player."""
    return [f"search:{colour}"] * hand.search + ["sign:witch"] * hand.witch + ["sign:soul"] * hand.soul


def scene_of(state: WickedState, shown: Move | None, laid: int, hands: tuple[HandOnTable, ...]) -> Scene:
    """Return what lies on the table while a move is shown.

    shown: the move; None for none. laid: number of its cards that lie on the table already. hands: open hands.
    """
    if isinstance(shown, DealOracles) and state.phase == "deal":
        return scene(state, dealing=(shown, laid))
    if isinstance(shown, Lay) and state.phase == "lay":
        return scene(state, laying=(shown, laid))
    return scene(state, hands)


def _is_entered(before: WickedState, moves: Sequence[Move], state: WickedState) -> bool:
    """Return whether a state already contains these moves; False for moves that no picture shows."""
    return all(isinstance(move, (DealOracles, Lay, Reveal)) and is_entered(move, state) for move in moves)


BOTS: Bots[WickedState, Move] = Bots(
    game=WICKED,
    seats=SEATS,
    opening=opening,
    demonstration_over=is_over,
    hidden_move=hidden_move,
    is_entered=_is_entered,
    choose=bot_move,
    scene=scene_of,
    card_faces=card_faces,
    deck=deck_from_art,
    prepared_pieces=files("companion.adapters.wicked.bots") / "prepared_pieces",
    concurrent=SOUL_PHASE,
)
"""The bots of The Wicked Labyrinth."""
