"""The plain truth about soul phases: every board that the engine's own moves reach, and made-up boards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.games.wicked import WickedState, apply, legal
from companion.games.wicked.components import COLOURS, RANKS, SPOTS, Colour, Rank
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import ONE, AchievedGreat, Tokens, WickedPlayer
from tests.companion.games.wicked.scenarios import board, deck_with, soul_phase

GENEROUS = deck_with(
    great={"G01": ("red", "red"), "G02": ("red", "blue")},
    small={
        "S01": ((("low", "red"),), ("white", "white")),
        "S02": ((("low", "blue"), ("middle", "blue")), ("white", "promotion")),
        "S03": ((("high", "red"),), ("promotion",)),
        "S04": ((("low", "green"), ("low", "yellow")), ("red", "blue", "white")),
    },
)
"""A deck of other rewards than the stand-in deck has: several white ones, tokens with a promotion."""


def unordered(player: WickedPlayer) -> WickedPlayer:
    """Put achieved oracles in order, so that boards that look alike are equal."""
    return replace(
        player,
        achieved_great=tuple(sorted(player.achieved_great, key=lambda oracle: oracle.card)),
        achieved_small=tuple(sorted(player.achieved_small)),
    )


def reachable_boards(state: WickedState, seat: int = 0, most: int | None = None) -> dict[WickedPlayer, int] | None:
    """Find every board that a player can reach, spells left included, and in how few actions.

    None where they are more than `most`. Spending a spell without effect is left out: the end of the phase does
    that, too (W15).
    """
    found = {unordered(state.players[seat]): 0}
    queue = [state]
    for here in queue:
        depth = found[unordered(here.players[seat])]
        for move in legal(here).for_player(seat):
            without_effect = getattr(move, "lift", move) is None or getattr(move, "swap", move) is None
            if isinstance(move, FinishSoul) or (without_effect and move.type != "achieve_small"):
                continue
            after = apply(here, move)
            player = unordered(after.players[seat])
            if player not in found:
                found[player] = depth + 1
                queue.append(after)
        if most is not None and len(found) > most:
            return None
    return found


def made_up(rng: random.Random, crowded: bool = False) -> WickedState:
    """Make up a soul phase: any tokens, spells and oracles on the board of seat 0; crowded: full rows."""
    deck = rng.choice((STANDIN, STANDIN, GENEROUS))
    great = rng.sample(deck.great[: 2 if rng.random() < 0.5 and deck is GENEROUS else 12], 2)
    small = rng.sample(deck.small[: 4 if deck is GENEROUS else 12], 2)
    spots = (6, 5, 4)
    counts = [rng.randint(most - 2 if crowded else 0, most) for most in spots]
    colours = COLOURS[: rng.choice((2, 3, 4, 4))]
    rows = {rank: Tokens.of(rng.choices(colours, k=n)) for rank, n in zip(RANKS, counts, strict=True)}
    already = rng.random() < 0.2
    player = board(
        "",
        **rows,
        promotion=rng.choice((0, 0, 0, 1, 1, 2)),
        colour_change=rng.choice((0, 0, 0, 0, 1, 1, 2, 3)),
        impurity=rng.randint(0, 5),
        great=tuple(card.id for card in great[already:]),
        achieved_great=tuple(AchievedGreat(card.id, card.colours) for card in great[:already]),
        small=tuple(card.id for card in small),
    )
    return soul_phase(player, deck)


def corruptions(player: WickedPlayer) -> list[WickedPlayer]:
    """List what a camera may see instead that takes one token away, adds one, or takes one for another."""
    seen = []
    for rank in RANKS:
        row = player.row(rank)
        there: list[Colour | None] = [colour for colour in COLOURS if row[colour]]
        for one in (*there, *((None,) if row.total < SPOTS[rank] else ())):
            for instead in (*COLOURS, None):
                if instead != one:
                    left = row if one is None else row - ONE[one]
                    left = left if instead is None else left + ONE[instead]
                    seen.append(_with_row(player, rank, left))
    return seen


def _with_row(player: WickedPlayer, rank: Rank, tokens: Tokens) -> WickedPlayer:
    if rank == "low":
        return replace(player, low=tokens)
    return replace(player, middle=tokens) if rank == "middle" else replace(player, high=tokens)


def corrupted(player: WickedPlayer, rng: random.Random) -> WickedPlayer:
    """See one spot of a board wrongly."""
    return rng.choice(corruptions(player))


def small_positions(
    count: int, seed: int, most: int = 150
) -> Iterator[tuple[WickedState, dict[WickedPlayer, int]]]:
    """Make up positions with at most so many boards to reach, those included."""
    rng = random.Random(seed)
    while count:
        state = made_up(rng, crowded=rng.random() < 0.3)
        boards = reachable_boards(state, most=most)
        if boards is not None and len(boards) > 1:
            count -= 1
            yield state, boards
