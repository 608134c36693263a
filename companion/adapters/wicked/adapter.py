"""The adapter of The Wicked Labyrinth: what the camera reads in each phase, and what readings mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.translatable import listed, say, sentences
from companion.adapters.wicked.boards.all_boards_reader import WHOLE_TABLE
from companion.adapters.wicked.camera_readers import RING, CardsHint, hands_reader, rest_reader
from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.deck_for_rules import rules_deck
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.adapters.wicked.hand_limits import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.adapters.wicked.table_services import WickedServices
from companion.games.game import Viewer
from companion.games.wicked.components import CORRIDORS, GreatOracle, Need, SmallOracle
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.moves import Move, Reveal
from companion.games.wicked.rules.missing_oracle_tokens import lacking
from companion.games.wicked.rules.player_described_cards import OWN_CARDS
from companion.games.wicked.rules.search_phase import outcome
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import RankingOutcome, WickedState
from companion.referee.finding import Finding
from companion.referee.proposal import Proposal
from companion.table.game_adapter import Adapter, Situation, StateRequest, StillReadings
from vision.readings import HandsReading


def request(state: WickedState) -> StateRequest:
    """Return what the camera has to read in a state: hands, the ring of corridors, all cards, or nothing."""
    ring = CORRIDORS[len(state.players)]
    match state.phase:
        case "search":
            return StateRequest("hands", expectation(state))
        case "lay":
            return StateRequest("at_rest", expectation(state), CardsHint(ring, RING))
        case "deal":
            return StateRequest("at_rest", expectation(state), CardsHint(ring))
        case _:
            return StateRequest(None, expectation(state))


def interpret(situation: Situation[WickedState], read: StillReadings) -> Finding[Move]:
    """Return what readings of hands or cards mean in the present phase: a proposal, or why there is none."""
    state, names = situation.state, situation.names
    proposal: Proposal[Move] | None
    match state.phase:
        case "search":
            proposal = propose_reveal(state, names, read.hands)
        case "lay":
            proposal = propose_lay(state, read.at_rest)
        case _:
            proposal = propose_deal(state, names, read.at_rest, situation.seat_of)
    # Hands leave after they were read, cards stay: a table without them has changed.
    taken_up = bool(read.at_rest) and proposal is None
    return Finding(proposal, unread=unread_line(names, read.hands, proposal), supersedes=taken_up)


def unread_line(names: Sequence[str], readings: Sequence[HandsReading], proposal: Proposal[Move] | None) -> str:
    """Return sentences about why nothing can be proposed; "" if something can, or if no hand or every hand is open.

    readings: of hands; players who show no open hand are named. names: by seat.
    """
    if proposal is not None:
        return "" if proposal.answerable else sentences(*(doubt.question for doubt in proposal.doubts))
    opened = {hand.seat for reading in readings for hand in reading.hands if hand.state == "open"}
    missing = [name for seat, name in enumerate(names) if seat not in opened]
    if len(missing) in (0, len(names)):
        return ""
    return say(
        "No open hand is seen of {names}. Show it, also an empty one, or enter the reveal by hand.",
        names=listed(missing),
    )


def preview(state: WickedState, moves: tuple[Move, ...], viewer: Viewer) -> RankingOutcome | None:
    """Return who ranks where and gains what by a proposed reveal; None for other moves. Raises IllegalMove."""
    match moves:
        case (Reveal() as move,):
            return outcome(state, move)
        case _:
            return None


@dataclass(frozen=True, slots=True)
class OpenOracle:
    """An oracle card that a player has not achieved."""

    card: str
    """Id of the card."""
    missing: tuple[Need, ...]
    """Tokens that the player still lacks for it."""


def open_oracles(state: WickedState, seat: int) -> tuple[OpenOracle, ...]:
    """Return a player's oracle cards that are not achieved, great ones first."""
    player, deck = state.players[seat], state.deck
    cards: list[GreatOracle | SmallOracle] = [deck.great_oracle(card) for card in player.great]
    cards += [deck.small_oracle(card) for card in player.small]
    return tuple(OpenOracle(card.id, tuple(lacking(player, card))) for card in cards)


def is_same_move(one: Move, other: Move) -> bool:
    """Return whether two moves are equal, apart from the order of a player's dealt cards."""
    if one.type == other.type == "deal":
        return all(
            set(mine) == set(yours)
            for kind in ("great", "small")
            for mine, yours in zip(getattr(one, kind), getattr(other, kind), strict=True)
        )
    return one == other


def _shown_by_hands(move: Move) -> bool:
    """Return whether a move is shown to the camera by open hands."""
    return isinstance(move, Reveal)


ADAPTER: Adapter[WickedState, Move] = Adapter(
    game=WICKED,
    request=request,
    interpret=interpret,
    hands_reader=hands_reader,
    rest_reader=rest_reader,
    whole_table=WHOLE_TABLE,
    shown_by_hands=_shown_by_hands,
    same=is_same_move,
    components=rules_deck,
    setup=lambda deck, way: WickedSetup(deck),
    undescribed=lambda: OWN_CARDS,
    preview=preview,
    aids=open_oracles,
    services=WickedServices,
    standin_deck=lambda: deck_from_art(STANDIN),
)
"""The adapter of The Wicked Labyrinth."""
