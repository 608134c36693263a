"""The value of a board at the end of a soul phase."""

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
    """Values of tokens and oracles at the end of a soul phase, in whole numbers of any unit.

    Raises ValueError if a token of a higher rank has a lower value: the upper bound relies on the order.
    """

    token: Ranks
    """Value of a token by rank, on great oracles too."""
    great: int
    """Value of achieving a great oracle, besides its tokens."""
    small: int
    """Value of achieving a small oracle, besides its reward."""
    given_back: int
    """Value of one point of impurity that a great oracle cancels."""
    expected_impurity: int = 0
    """Impurity that the player is assumed to collect in later rounds, points."""
    wish: Ranks = (0, 0, 0)
    """Added value of a token that an open great oracle needs, by rank."""

    def __post_init__(self) -> None:
        for low, middle, high in (self.token, self.wish):
            if not 0 <= low <= middle <= high:
                raise ValueError("A higher token must not be worth less than a lower one.")


_POINT = 1 << 20
"""One point, in units of LAST_ROUND."""
LAST_ROUND = Valuation(
    token=(POINTS["low"] * _POINT + 1, POINTS["middle"] * _POINT + (1 << 5), POINTS["high"] * _POINT + (1 << 10)),
    great=GREAT_POINTS * _POINT + (1 << 15),
    small=SMALL_POINTS * _POINT,
    given_back=_POINT,
)
"""Points first, then the tie-breaks: great oracles, high, middle, low tokens (W16). Each count stays below 32,
and impurity left is the same for equal points and oracles.
"""

EARLIER_ROUND = Valuation(
    token=(80, 250, 560), great=500, small=200, given_back=100, expected_impurity=2, wish=(20, 100, 250)
)
"""Hundredths of a point, for rounds with more to come: keeps options open.

A low token counts for less than its point, because new ones need its spot; a middle or high one for more, because
its row is less crowded and it may rise. Tokens in the colours of an open great oracle are worth more, the higher
the more. An achieved great oracle is assumed to cancel impurity of later rounds. Small oracles are worth their
points: their rewards are tokens and promotions, which count by themselves. Of seven valuations this one won the
most points in games of the advised player against random ones.
"""


class BoardEvaluator:
    """Computes the value of packed boards of one soul phase."""

    def __init__(self, phase: SoulPhase, valuation: Valuation) -> None:
        self.phase, self.valuation = phase, valuation
        masks = range(1 << len(phase.great))
        self.wished = tuple(self._wishes(mask) for mask in masks)
        """Tokens of each colour that the open great oracles need, by their mask."""
        self.great_bonus = tuple(self._great_bonus(mask) for mask in masks)
        """Value of the great oracles achieved in this phase, by the mask of those still open."""
        self.small_bonus = tuple(
            valuation.small * (len(phase.small) - mask.bit_count()) for mask in range(1 << len(phase.small))
        )
        """Value of the small oracles achieved in this phase, by the mask of those still open."""
        self._tables = tuple(
            tuple(_worths(wished, valuation.token, valuation.wish) for wished in self.wished[mask])
            for mask in masks
        )

    def value(self, board: int) -> int:
        """Return the value of a packed board if the phase ends with it, in units of the valuation."""
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
    """Return the value of one colour's tokens. low, middle, high: their numbers.

    wished: number of tokens that open great oracles need; the highest ones count for them. token: value of a token
    by rank. wish: added value, by rank, of a token that counts for an open great oracle.
    """
    value = low * token[0] + middle * token[1] + high * token[2]
    for count, more in ((high, wish[2]), (middle, wish[1]), (low, wish[0])):
        serving = min(wished, count)
        value += serving * more
        wished -= serving
    return value


@lru_cache(maxsize=64)
def _worths(wished: int, token: Ranks, wish: Ranks) -> tuple[int, ...]:
    """Return the value of one colour's tokens for all 512 packed counts: low, middle and high, three bits each.

    Arguments as in `worth_of`.
    """
    return tuple(worth_of(part & 7, part >> 3 & 7, part >> 6, wished, token, wish) for part in range(1 << PART))
