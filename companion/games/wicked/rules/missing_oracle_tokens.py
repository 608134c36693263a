"""Computes the tokens that a player still lacks for an open oracle card. Pure."""

from __future__ import annotations

from companion.games.wicked.components import RANKS, GreatOracle, Need, SmallOracle
from companion.games.wicked.state import WickedPlayer


def lacking(player: WickedPlayer, card: SmallOracle | GreatOracle) -> tuple[Need, ...]:
    """Return the tokens that a player still lacks for an oracle, the highest first; none if it can be achieved.

    Tokens on achieved great oracles count for a small oracle (W13), but not for a great one (W14).
    """
    if isinstance(card, GreatOracle):
        needs = [Need(colour, "high") for colour in card.colours]
        tokens = [(colour, "high") for colour in player.high.colours]
    else:
        needs = sorted(card.needs, key=lambda need: RANKS.index(need.rank), reverse=True)
        tokens = [(colour, rank) for rank in RANKS for colour in player.row(rank).colours]
        tokens += [(colour, "high") for oracle in player.achieved_great for colour in oracle.colours]
    missing: list[Need] = []
    for need in needs:
        # A token that serves a higher need serves a lower one too, so higher needs may take any that serves.
        serving = (
            token for token in tokens if token[0] == need.colour and RANKS.index(token[1]) >= RANKS.index(need.rank)
        )
        token = next(serving, None)
        if token is None:
            missing.append(need)
        else:
            tokens.remove(token)
    return tuple(missing)
