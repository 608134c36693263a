"""All legal moves of a state, and the seats that the game waits for."""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT
from companion.games.wicked.moves import ChooseColours, DealOracles, Hand, KeepTokens, Lay, Move, Reveal
from companion.games.wicked.rules.gains import colour_choices, keep_choices
from companion.games.wicked.rules.search_phase import legal_hands
from companion.games.wicked.rules.setup import corridors_left
from companion.games.wicked.rules.soul_phase import soul_moves
from companion.games.wicked.state import WickedState


@dataclass(frozen=True, slots=True)
class DealChoice:
    """The oracle cards that can be dealt to the players, each card at most once."""

    players: int
    """Number of players."""
    each: int
    """Number of great cards, and of small cards, for each player."""
    great: tuple[str, ...]
    """Ids of the great cards to choose from."""
    small: tuple[str, ...]
    """Ids of the small cards to choose from."""


@dataclass(frozen=True, slots=True)
class LayChoice:
    """The corridor cards that can be laid in this round, each at most once, in any order."""

    count: int
    """Number of cards to lay."""
    cards: tuple[str, ...]
    """Ids of the corridor cards to choose from."""


@dataclass(frozen=True, slots=True)
class Legal:
    """The legal moves of a state: listed one by one, or as a choice where they are too many to list."""

    moves: tuple[Move, ...] = ()
    """The moves that can be listed, seat by seat."""
    hands: tuple[tuple[Hand, ...], ...] = ()
    """While a corridor is searched, every legal hand by seat; a Reveal is any combination of them."""
    deal: DealChoice | None = None
    """The cards that can be dealt; None outside the phase "deal"."""
    lay: LayChoice | None = None
    """The cards that can be laid; None outside the phase "lay"."""

    def for_player(self, player: int) -> tuple[Move, ...]:
        """Return the moves in `moves` of the player at a seat."""
        return tuple(
            move
            for move in self.moves
            if not isinstance(move, (DealOracles, Lay, Reveal)) and move.player == player
        )


def legal(state: WickedState) -> Legal:
    """Return what may be done in a state: moves in a fixed order, or what to choose from; nothing after the end."""
    seats = range(len(state.players))
    if state.phase == "deal":
        great = tuple(card.id for card in state.deck.great)
        small = tuple(card.id for card in state.deck.small)
        return Legal(deal=DealChoice(len(state.players), ORACLES_DEALT, great, small))
    if state.phase == "lay":
        return Legal(lay=LayChoice(CORRIDORS[len(state.players)], corridors_left(state)))
    if state.phase == "search":
        return Legal(hands=tuple(legal_hands(state, seat) for seat in seats))
    return Legal(moves=tuple(move for seat in seats for move in player_moves(state, seat)))


def player_moves(state: WickedState, seat: int) -> tuple[Move, ...]:
    """Return the legal moves of the player at a seat in phases "gain" and "soul"; none in other phases."""
    player = state.players[seat]
    if state.phase == "soul":
        return tuple(soul_moves(player, seat, state.deck))
    if state.phase != "gain" or player.pending is None:
        return ()
    pending = player.pending
    if pending.whites:
        return tuple(ChooseColours(seat, colours) for colours in colour_choices(pending.whites))
    return tuple(KeepTokens(seat, keep) for keep in keep_choices(player.low + pending.gained))


def waiting_for(state: WickedState) -> tuple[int, ...]:
    """Return the seats that have to move before the game goes on; none while cards are dealt or laid."""
    if state.phase == "search":
        return tuple(range(len(state.players)))
    if state.phase == "gain":
        return tuple(seat for seat, player in enumerate(state.players) if player.pending is not None)
    if state.phase == "soul":
        return tuple(seat for seat, player in enumerate(state.players) if not player.finished)
    return ()
