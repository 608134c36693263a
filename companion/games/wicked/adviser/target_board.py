"""The board that a search has to reach, with a pruning test and a distance for other boards."""

from __future__ import annotations

from functools import lru_cache

from companion.games.wicked.adviser.packed_board import (
    BOARD_MASK,
    CHANGES,
    CHANGES_MASK,
    GREAT,
    OPEN_MASK,
    PART,
    PART_MASK,
    PROMOTIONS,
    SMALL,
    SoulPhase,
)
from companion.games.wicked.components import COLOURS

_WEIGHT = tuple((part & 7) + 2 * (part >> 3 & 7) + 4 * (part >> 6) for part in range(1 << PART))
"""By packed counts of one colour: their value in low tokens, which normal promotions do not change."""
_HIGH_WEIGHT, _LIFT_WEIGHT = 4, 2
"""Weight of a high token, and the most that a promotion spell adds."""
_MAX_MISREAD_WEIGHT = 2 * _HIGH_WEIGHT
"""The most weight that one reading error can add: the two high tokens of a great oracle."""


class TargetBoard:
    """The packed board that a search has to reach. spells_gone: remaining spells do not have to match."""

    def __init__(self, phase: SoulPhase, board: int, spells_gone: bool) -> None:
        self.board, self.spells_gone = board, spells_gone
        self._mask = BOARD_MASK if spells_gone else -1
        self._phase = phase
        self._great, self._small = board >> GREAT & OPEN_MASK, board >> SMALL & OPEN_MASK
        self._weights = self._weights_of(board)
        self._rewards = tuple(
            (
                sum(_LIFT_WEIGHT for reward in oracle.reward if reward == "promotion"),
                oracle.reward.count("white"),
                tuple(oracle.reward.count(colour) for colour in COLOURS),
            )
            for oracle in phase.small
        )
        self._differences = tuple(_differences(board >> PART * c & PART_MASK) for c in range(4))

    def is_reached(self, board: int) -> bool:
        """Return whether a packed board equals the target; spells are ignored if they need not match."""
        return board & self._mask == self.board

    def may_follow_from(self, board: int, misread: int = 0) -> bool:
        """Return whether the target, read with at most `misread` errors, may be reachable from a packed board.

        False is certain: the target is unreachable. True is not: it may be unreachable all the same.
        """
        closed = (self._great & ~(board >> GREAT)).bit_count() + (self._small & ~(board >> SMALL)).bit_count()
        if closed > misread:
            return False
        promotions, changes = board >> PROMOTIONS, board >> CHANGES & CHANGES_MASK
        if not self.spells_gone:
            promotions -= self.board >> PROMOTIONS
            changes -= self.board >> CHANGES & CHANGES_MASK
            if min(promotions, 0) + min(changes, 0) < -misread:
                return False
            promotions, changes = max(promotions, 0) + misread, max(changes, 0) + misread
        any_colour, gifts = _LIFT_WEIGHT * promotions + _MAX_MISREAD_WEIGHT * misread, [0, 0, 0, 0]
        to_achieve = board >> SMALL & OPEN_MASK
        if not misread:
            to_achieve &= ~self._small
        for index, (lift, whites, tokens) in enumerate(self._rewards):
            if to_achieve >> index & 1:
                any_colour += lift + whites
                gifts = [gift + more for gift, more in zip(gifts, tokens, strict=True)]
        weights = self._weights_of(board)
        if sum(self._weights) > sum(weights) + any_colour + sum(gifts):
            return False
        # What a colour lacks comes out of what they share; a recoloured token brings at most what a high one has.
        lacking = (
            max(0, needed - weight - gift)
            for needed, weight, gift in zip(self._weights, weights, gifts, strict=True)
        )
        return sum(lacking) <= any_colour + _HIGH_WEIGHT * changes

    def distance(self, board: int) -> int:
        """Return the number of tokens, cards and spells in which a packed board differs from the target."""
        red, green, blue, yellow = self._differences
        fields = (
            red[board & PART_MASK]
            + green[board >> PART & PART_MASK]
            + blue[board >> 2 * PART & PART_MASK]
            + yellow[board >> 3 * PART & PART_MASK]
        )
        apart = sum(max(fields >> 10 * r & 31, fields >> 10 * r + 5 & 31) for r in range(3))
        cards = (board ^ self.board) >> GREAT & (OPEN_MASK | OPEN_MASK << SMALL - GREAT)
        apart += cards.bit_count()
        if not self.spells_gone:
            apart += abs((board >> PROMOTIONS) - (self.board >> PROMOTIONS))
            apart += abs((board >> CHANGES & CHANGES_MASK) - (self.board >> CHANGES & CHANGES_MASK))
        return apart

    def _weights_of(self, board: int) -> tuple[int, ...]:
        """Return the value of each colour's tokens, those on great oracles included; a low token is worth 1."""
        on_great = self._phase.on_great[board >> GREAT & OPEN_MASK]
        return tuple(
            _WEIGHT[board >> PART * c & PART_MASK] + _HIGH_WEIGHT * tokens for c, tokens in enumerate(on_great)
        )


@lru_cache(maxsize=256)
def _differences(target: int) -> tuple[int, ...]:
    """Return, for all packed counts of one colour in order, how they differ from the target, as in `_difference`.

    target: packed counts of that colour on the target board, nine bits.
    """
    return tuple(_difference(part, target) for part in range(1 << PART))


def _difference(part: int, target: int) -> int:
    """Return how one colour's tokens differ from the target's: per rank five bits for surplus, then five for lack.

    part, target: packed counts of the colour on a board and on the target board, nine bits.
    """
    fields = 0
    for r in range(3):
        more = (part >> 3 * r & 7) - (target >> 3 * r & 7)
        fields |= (max(more, 0) | max(-more, 0) << 5) << 10 * r
    return fields
