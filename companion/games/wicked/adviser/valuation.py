"""What a board is worth where a soul phase ends with it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from companion.games.wicked.adviser.packed_board import GREAT, OPEN_MASK, PART, PART_MASK, SMALL, SoulPhase
from companion.games.wicked.components import COLOURS
from companion.games.wicked.scoring.final_scores import GIVEN_BACK, GREAT_POINTS, POINTS, SMALL_POINTS

Ranks = tuple[int, int, int]
"""A number for low, middle and high rank."""


@dataclass(frozen=True, slots=True)
class Valuation:
    """What counts at the end of a soul phase, in whole numbers of any unit.

    token: one token by rank, those on great oracles too. great, small: achieving an oracle, besides its tokens.
    given_back: one point of impurity that a great oracle takes off; expected_impurity: points that the player is
    taken to collect in later rounds. wish: what a token is worth more where a great oracle that is still open asks
    for its colour. Raises ValueError where a higher token would be worth less: the bound rests on that.
    """

    token: Ranks
    great: int
    small: int
    given_back: int
    expected_impurity: int = 0
    wish: Ranks = (0, 0, 0)

    def __post_init__(self) -> None:
        for low, middle, high in (self.token, self.wish):
            if not 0 <= low <= middle <= high:
                raise ValueError("A higher token must not be worth less than a lower one.")


_POINT = 1 << 20
LAST_ROUND = Valuation(
    token=(POINTS["low"] * _POINT + 1, POINTS["middle"] * _POINT + (1 << 5), POINTS["high"] * _POINT + (1 << 10)),
    great=GREAT_POINTS * _POINT + (1 << 15),
    small=SMALL_POINTS * _POINT,
    given_back=_POINT,
)
"""Points, and below them the chain that breaks ties: great oracles, high, middle, low tokens (W16). Each count of
the chain stays below 32, and impurity left is the same for equal points and oracles."""

EARLIER_ROUND = Valuation(
    token=(80, 250, 560), great=500, small=200, given_back=100, expected_impurity=2, wish=(20, 100, 250)
)
"""Hundredths of a point, for rounds with more to come: what keeps options open.

A low token counts for less than its point, because new ones will want its spot; a middle or high one for more,
because it takes a spot that is not crowded and may rise. Tokens in the colours of a great oracle that is still open
are worth more, the higher the more, so that they are neither recoloured nor sent back lightly. An achieved great
oracle is taken to give back impurity that is yet to come. Small oracles are worth their points: their rewards are
tokens and promotions, which count by themselves. Of seven such valuations this one won the most points in games of
the advised player against random ones.
"""


class BoardEvaluator:
    """Values boards of one phase."""

    def __init__(self, phase: SoulPhase, valuation: Valuation) -> None:
        self.phase, self.valuation = phase, valuation
        masks = range(1 << len(phase.great))
        self.wished = tuple(self._wishes(mask) for mask in masks)
        """How many tokens of each colour the great oracles ask for that are open, by their mask."""
        self.great_bonus = tuple(self._great_bonus(mask) for mask in masks)
        """What the great oracles are worth that were achieved in this phase, by the mask of those still open."""
        self.small_bonus = tuple(
            valuation.small * (len(phase.small) - mask.bit_count()) for mask in range(1 << len(phase.small))
        )
        self._tables = tuple(
            tuple(_worths(wished, valuation.token, valuation.wish) for wished in self.wished[mask])
            for mask in masks
        )

    def value(self, board: int) -> int:
        """Value a board where the phase ends with it."""
        open_great = board >> GREAT & OPEN_MASK
        red, green, blue, yellow = self._tables[open_great]
        return (
            red[board & PART_MASK]
            + green[board >> PART & PART_MASK]
            + blue[board >> 2 * PART & PART_MASK]
            + yellow[board >> 3 * PART & PART_MASK]
            + self.great_bonus[open_great]
            + self.small_bonus[board >> SMALL & OPEN_MASK]
        )

    def _wishes(self, mask: int) -> tuple[int, ...]:
        still_open = [oracle for index, oracle in enumerate(self.phase.great) if mask >> index & 1]
        return tuple(sum(oracle.colours.count(colour) for oracle in still_open) for colour in COLOURS)

    def _great_bonus(self, mask: int) -> int:
        player, valuation = self.phase.player, self.valuation
        achieved, before = len(self.phase.great) - mask.bit_count(), len(player.achieved_great)
        impurity = player.impurity + valuation.expected_impurity
        back = min(impurity, GIVEN_BACK * (before + achieved)) - min(impurity, GIVEN_BACK * before)
        return achieved * (valuation.great + 2 * valuation.token[2]) + back * valuation.given_back


def worth_of(low: int, middle: int, high: int, wished: int, token: Ranks, wish: Ranks) -> int:
    """Value the tokens of one colour; the highest serve what great oracles ask for."""
    value = low * token[0] + middle * token[1] + high * token[2]
    for count, more in ((high, wish[2]), (middle, wish[1]), (low, wish[0])):
        serving = min(wished, count)
        value += serving * more
        wished -= serving
    return value


@lru_cache(maxsize=64)
def _worths(wished: int, token: Ranks, wish: Ranks) -> tuple[int, ...]:
    """Value everything that the nine bits of one colour can hold."""
    return tuple(worth_of(part & 7, part >> 3 & 7, part >> 6, wished, token, wish) for part in range(1 << PART))
