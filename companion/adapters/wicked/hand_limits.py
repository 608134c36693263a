"""The most pieces that each hand can hold now, as the hand reader expects it."""

from __future__ import annotations

from companion.games.wicked.rules.search_phase import is_last_corridor
from companion.games.wicked.state import WickedPlayer, WickedState
from vision.readings import Expectation


def expectation(state: WickedState) -> Expectation:
    """Return the most pieces that each hand can hold: the search pieces and signs that its player has left (W2).

    At a round's last corridor, where everything must be revealed (W3), they are exact numbers.
    """
    return Expectation(
        seats=len(state.players),
        limits=tuple(_limits(player) for player in state.players),
        exact=state.phase == "search" and is_last_corridor(state),
    )


def _limits(player: WickedPlayer) -> dict[str, int]:
    left = {
        f"search:{player.colour}": player.held.search,
        "sign:witch": player.held.witch,
        "sign:soul": player.held.soul,
    }
    return {kind: count for kind, count in left.items() if count}
