"""Lists the possible states of a player given the reading of the board and its earlier state. Pure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.games.wicked.components import (
    COLOURS,
    ORACLES_DEALT,
    PLAYER_COLOURS,
    RANKS,
    SPOTS,
    Colour,
    Deck,
)
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer, WickedState
from vision.games.wicked.readings import BoardReading, BoardsReading, SpotReading

MAX_INTERPRETATIONS = 32
"""Largest number of interpretations of one board; with more, its reading is too uncertain."""
SURE_OF_SMALL = 0.8
"""Minimum confidence in the count of face-down small oracles."""
_MIN_COMPLETE = 0.97
"""Smallest sum of a spot's probabilities from which its alternatives count as complete."""
_EVEN, _FIXED = 0.5, 1.0
"""Probability of an oracle that may or may not be achieved, and of one that was read."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """A possible state of a player after the end of the soul phase, given the reading of the board."""

    player: WickedPlayer
    """The possible state."""
    chance: float
    """Probability of the state, not normalised."""
    spots: tuple[str | None, ...]
    """Tokens on the doubtful spots, in their order; of several ways to have the same state, the likeliest."""


def boards_by_seat(state: WickedState, reading: BoardsReading) -> dict[int, BoardReading]:
    """Return the board of each seat: that in the player's colour; if it has no player's colour, that lying there.

    A seat for which two boards were read is left out.
    """
    colours = [player.colour for player in state.players]
    found: dict[int, list[BoardReading]] = {}
    for board in reading.boards:
        if board.board in colours:
            found.setdefault(colours.index(board.board), []).append(board)
        elif board.board not in PLAYER_COLOURS and board.seat is not None and board.seat < len(colours):
            found.setdefault(board.seat, []).append(board)
    return {seat: boards[0] for seat, boards in found.items() if len(boards) == 1}


def interpretations(board: BoardReading, before: WickedPlayer, deck: Deck) -> tuple[Interpretation, ...]:
    """Return the possible states of a player after the soul phase, given the board's reading, likeliest first.

    Only doubtful parts vary. before: the player before the soul phase, whose achieved oracles stay achieved. States
    with an overfull row are left out. Empty if there are more than `MAX_INTERPRETATIONS`.
    """
    open_spots = [spot for spot in board.spots if spot.reason]
    greats = list(_achieved_great_sets(board, before))
    choices = [[(spot, token, chance) for token, chance in possible_tokens(spot)] for spot in open_spots]
    smalls = list(_achieved_small_sets(board, before))
    if math.prod(map(len, choices)) * len(greats) * len(smalls) > MAX_INTERPRETATIONS:
        return ()
    found: dict[WickedPlayer, list[tuple[float, tuple[str | None, ...]]]] = {}
    for taken in itertools.product(*choices):
        rows = _tokens_by_rank(board, {(spot.rank, spot.index): token for spot, token, _ in taken})
        if any(rows[rank].total > SPOTS[rank] for rank in RANKS):
            continue
        for (great, p), (small, q) in itertools.product(greats, smalls):
            player = _ended(before, rows, great, small, deck)
            chance = math.prod(chance for _, _, chance in taken) * p * q
            found.setdefault(player, []).append((chance, tuple(token for _, token, _ in taken)))
    merged = [
        Interpretation(player, math.fsum(chance for chance, _ in ways), max(ways, key=lambda way: way[0])[1])
        for player, ways in found.items()
    ]
    return tuple(sorted(merged, key=lambda way: -way.chance))


def possible_tokens(spot: SpotReading) -> tuple[tuple[str | None, float], ...]:
    """Return the possible tokens on a doubtful spot, None for no token, each with its probability.

    Probability that the reading leaves open, as where something unknown lies there, is spread over the contents
    that it does not list.
    """
    listed = ((spot.token, spot.confidence), *((other.token, other.confidence) for other in spot.alternatives))
    share = math.fsum(chance for _, chance in listed)
    others = [token for token in (*COLOURS, None) if token not in dict(listed)]
    if share >= _MIN_COMPLETE:
        return listed
    return (*listed, *((token, (1.0 - share) / len(others)) for token in others))


def reopened_cards(board: BoardReading, before: WickedPlayer) -> tuple[str, ...]:
    """Return the ids of the player's achieved oracle cards that the reading shows as not achieved.

    before: the player as in the journal.
    """
    great = {card.card for card in board.great if not card.achieved and not card.reason}
    return (
        *(oracle.card for oracle in before.achieved_great if oracle.card in great),
        *(card for card in before.achieved_small if card in board.small.open),
    )


def cards_of_others(board: BoardReading, state: WickedState, seat: int) -> tuple[str, ...]:
    """Return the ids of the oracle cards read beside a board that do not belong to its player.

    As long as the player has fewer cards of a kind than are dealt, one that nobody has may still be named as the
    player's (`NameOracle`). state: as in the journal. seat: of the player.
    """
    own = _oracles_by_kind(state.players[seat])
    others = {card for other in state.players for cards in _oracles_by_kind(other) for card in cards}
    return tuple(
        card
        for mine, seen in zip(own, ([one.card for one in board.great], board.small.open), strict=True)
        for card in seen
        if card not in mine and (card in others or len(mine) >= ORACLES_DEALT)
    )


def _oracles_by_kind(player: WickedPlayer) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ids of a player's great and of the small oracles, achieved or not."""
    achieved = tuple(one.card for one in player.achieved_great)
    return (*player.great, *achieved), (*player.small, *player.achieved_small)


def _tokens_by_rank(board: BoardReading, taken: dict[tuple[str, int], str | None]) -> dict[str, Tokens]:
    """Return the tokens that lie on a board, by rank.

    taken: tokens assumed instead of those read, by rank and index of the spot.
    """
    lying: dict[str, list[str | None]] = {rank: [] for rank in RANKS}
    for spot in board.spots:
        if spot.rank in lying:
            lying[spot.rank].append(taken.get((spot.rank, spot.index), spot.token))
    return {rank: Tokens(*(tokens.count(colour) for colour in COLOURS)) for rank, tokens in lying.items()}


def _achieved_great_sets(board: BoardReading, before: WickedPlayer) -> Iterator[tuple[frozenset[str], float]]:
    """Yield the sets of great oracles that may have been achieved since, each with its probability.

    before: the player before the soul phase.
    """
    seen = {card.card: card for card in board.great}
    options: list[list[tuple[tuple[str, ...], float]]] = []
    for card in before.great:
        if card in seen and not seen[card].reason:
            options.append([((card,) if seen[card].achieved else (), _FIXED)])
        else:
            options.append([((), _EVEN), ((card,), _EVEN)])
    yield from _combinations(options)


def _achieved_small_sets(board: BoardReading, before: WickedPlayer) -> Iterator[tuple[frozenset[str], float]]:
    """Yield the sets of small oracles that may have been achieved since, each with its probability.

    Achieved ones lie face down; how many of the player's own do is unclear if the camera sees another card open.
    before: the player before the soul phase.
    """
    seen = board.small
    dealt = len(before.small) + len(before.achieved_small)
    clear = (
        len(seen.open) + seen.achieved == dealt
        and set(seen.open) <= set(before.small)
        and seen.confidence >= SURE_OF_SMALL
    )
    options: list[list[tuple[tuple[str, ...], float]]] = []
    for card in before.small:
        if card in seen.open:
            options.append([((), _FIXED)])
        elif clear:
            options.append([((card,), _FIXED)])
        else:
            options.append([((), _EVEN), ((card,), _EVEN)])
    yield from _combinations(options)


def _combinations(
    options: Sequence[Sequence[tuple[tuple[str, ...], float]]],
) -> Iterator[tuple[frozenset[str], float]]:
    """Yield the set of cards of each combination of one option per card, with its probability.

    options: for each card, possible additions to the set, with probabilities.
    """
    for taken in itertools.product(*options):
        cards = frozenset(card for cards, _ in taken for card in cards)
        yield cards, math.prod(chance for _, chance in taken)


def _ended(
    before: WickedPlayer, rows: dict[str, Tokens], great: frozenset[str], small: frozenset[str], deck: Deck
) -> WickedPlayer:
    return replace(
        before,
        low=rows["low"],
        middle=rows["middle"],
        high=rows["high"],
        promotion=0,
        colour_change=0,
        great=tuple(card for card in before.great if card not in great),
        achieved_great=before.achieved_great
        + tuple(AchievedGreat(card, _colours(deck, card)) for card in before.great if card in great),
        small=tuple(card for card in before.small if card not in small),
        achieved_small=before.achieved_small + tuple(card for card in before.small if card in small),
        finished=True,
    )


def _colours(deck: Deck, card: str) -> tuple[Colour, Colour]:
    return deck.great_oracle(card).colours
