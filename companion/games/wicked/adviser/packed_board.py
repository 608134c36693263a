"""A board in the soul phase as one integer, and all boards that one action makes of it (W9 to W15).

A search visits thousands of boards; as `WickedPlayer` values each would take a hundred times as long. The layout,
from the lowest bit: for each colour of COLOURS nine bits, three for each rank's count; three bits for each row's
total; four bits for the open great oracles, four for the small ones; five for colour-change spells; promotion
spells on top. An action adds a constant, because every field changes by a constant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from companion.games.wicked.components import COLOURS, RANKS, SEARCH_PIECES, SPOTS, Colour, Deck, Need
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    Lift,
    Promote,
    Swap,
)
from companion.games.wicked.rules.gains import LOW_SPOTS, colour_choices, keep_choices
from companion.games.wicked.rules.soul_phase import NEXT_RANK, achieve_small, soul_moves
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer

PART = 9
"""Bits of one colour."""
PART_MASK = (1 << PART) - 1
"""Mask of one colour's counts."""
TOTALS = 4 * PART
"""Offset of the row totals, bits."""
GREAT = TOTALS + 9
"""Offset of the open great oracles, bits."""
SMALL = GREAT + 4
"""Offset of the open small oracles, bits."""
CHANGES = SMALL + 4
"""Offset of the colour-change spells, bits."""
PROMOTIONS = CHANGES + 5
"""Offset of the promotion spells, bits."""
ONE_CHANGE = 1 << CHANGES
"""One colour-change spell."""
ONE_PROMOTION = 1 << PROMOTIONS
"""One promotion spell."""
OPEN_MASK = 15
"""Mask of the open oracles of one kind, shifted down."""
CHANGES_MASK = 31
"""Mask of the colour-change spells, shifted down."""
MOST_SPELLS = max(SEARCH_PIECES.values())
"""Spells on a board; each is marked by a search piece (W8)."""
MOST_GIFTS = 15
"""Tokens that all open small oracles together may pay; a low row has six spots."""
BOARD_MASK = (1 << CHANGES) - 1
"""Everything but the spells: what remains when the phase is over (W15)."""

UNIT = tuple(tuple((1 << PART * c + 3 * r) + (1 << TOTALS + 3 * r) for c in range(4)) for r in range(3))
"""Added by one token, by rank and colour."""
_FIELD = tuple(tuple(7 << PART * c + 3 * r for c in range(4)) for r in range(3))
"""Mask of the count of each rank and colour."""
_LIFT = tuple(tuple(UNIT[r + 1][c] - UNIT[r][c] for c in range(4)) for r in range(2))
"""Added by lifting one token, by rank and colour."""
_PAIR = tuple(tuple(_LIFT[r][c] - UNIT[r][c] for c in range(4)) for r in range(2))
"""Added by promoting a pair, by rank and colour."""
_SWAPS = tuple(
    tuple(tuple(UNIT[r][new] - UNIT[r][old] - ONE_CHANGE for new in range(4) if new != old) for old in range(4))
    for r in range(3)
)
"""Added by recolouring one token, by rank and old colour."""
_SPOTS = tuple(SPOTS[rank] for rank in RANKS)
"""Spots of each rank."""
_LOW_FIELDS = sum(_FIELD[0]) | 7 << TOTALS
"""Mask of the low row and its total."""
_INDEX: dict[str, int] = {colour: index for index, colour in enumerate(COLOURS)}
"""Index of each colour."""

SoulAction = Promote | CastPromotion | CastColourChange | AchieveSmall | AchieveGreat
"""An action of the soul phase, its end not included."""


class SoulPhase:
    """One player's soul phase as a graph: packed boards, and the boards that one action leads to.

    Raises ValueError for an impossible board: more than four open oracles of a kind, more than eight spells (each
    is marked by one of at most eight search pieces, W8), an overfull row, or small oracles that pay more than
    fifteen tokens.
    """

    def __init__(self, player: WickedPlayer, deck: Deck) -> None:
        if max(len(player.great), len(player.small)) > 4:
            raise ValueError("A board with more than four open oracles of a kind is not supported.")
        if min(player.promotion, player.colour_change) < 0 or player.promotion + player.colour_change > MOST_SPELLS:
            raise ValueError("A board with more than eight spells is not supported.")
        if any(player.row(rank).total > SPOTS[rank] or min(_counts(player.row(rank))) < 0 for rank in RANKS):
            raise ValueError("A row of the board has more tokens than spots.")
        self.player, self.deck = player, deck
        self.great = tuple(deck.great_oracle(card) for card in player.great)
        self.small = tuple(deck.small_oracle(card) for card in player.small)
        self.start = self.pack(player)
        self._great_deltas = tuple(
            (1 << GREAT + index, tuple(_great_field(oracle.colours)), _great_delta(oracle.colours, index))
            for index, oracle in enumerate(self.great)
        )
        self._owned = tuple(
            sum(oracle.colours.count(colour) for oracle in player.achieved_great) for colour in COLOURS
        )
        self.on_great = tuple(self._on_great(mask) for mask in range(1 << len(self.great)))
        """Tokens on great oracles by colour, by the mask of those still open."""
        self.needs = tuple(tuple(_thresholds(card.needs)) for card in self.small)
        """For each small oracle and each colour that it needs: the colour's index, and see `_thresholds`."""
        self._rewards = tuple(tuple(r for r in card.reward if r != "promotion") for card in self.small)
        self.reward_tokens = tuple(map(len, self._rewards))
        """Number of tokens that each small oracle gives."""
        if sum(self.reward_tokens) > MOST_GIFTS:
            raise ValueError("Small oracles that give so many tokens are not supported.")
        self.lifting = tuple("promotion" in card.reward for card in self.small)
        """Whether each small oracle gives a promotion."""

    def pack(self, player: WickedPlayer) -> int:
        """Return a board of this phase's player as one integer."""
        board = 0
        for r, rank in enumerate(RANKS):
            for unit, count in zip(UNIT[r], _counts(player.row(rank)), strict=True):
                board += unit * count
        board += sum(1 << GREAT + index for index, card in enumerate(self.player.great) if card in player.great)
        board += sum(1 << SMALL + index for index, card in enumerate(self.player.small) if card in player.small)
        return board + player.colour_change * ONE_CHANGE + player.promotion * ONE_PROMOTION

    def unpack(self, board: int) -> WickedPlayer:
        """Return the player with a packed board; oracles achieved in this phase are listed after earlier ones."""
        great, small = board >> GREAT, board >> SMALL
        return replace(
            self.player,
            low=row_of(board, 0),
            middle=row_of(board, 1),
            high=row_of(board, 2),
            promotion=board >> PROMOTIONS,
            colour_change=board >> CHANGES & CHANGES_MASK,
            great=tuple(card for i, card in enumerate(self.player.great) if great >> i & 1),
            small=tuple(card for i, card in enumerate(self.player.small) if small >> i & 1),
            achieved_great=self.player.achieved_great
            + tuple(AchievedGreat(o.id, o.colours) for i, o in enumerate(self.great) if not great >> i & 1),
            achieved_small=self.player.achieved_small
            + tuple(card for i, card in enumerate(self.player.small) if not small >> i & 1),
        )

    def steps(self, board: int) -> list[int]:
        """Return the boards to which one action leads, some perhaps twice; no spell goes without effect (W15)."""
        found = [board + delta for delta in self._great_steps(board)]
        if board >> SMALL & OPEN_MASK:
            self._small_steps(board, found)
        _append_lifted(board, _PAIR, 2, found)
        if board >= ONE_PROMOTION:
            _append_lifted(board - ONE_PROMOTION, _LIFT, 1, found)
        if board >> CHANGES & CHANGES_MASK:
            for fields, swaps in zip(_FIELD, _SWAPS, strict=True):
                for field, deltas in zip(fields, swaps, strict=True):
                    if board & field:
                        for delta in deltas:
                            found.append(board + delta)
        return found

    def idle_steps(self, board: int) -> list[int]:
        """Return the boards after one spell spent without effect; a promotion spell only if no token can rise."""
        found = []
        if board >> CHANGES & CHANGES_MASK:
            found.append(board - ONE_CHANGE)
        if board >= ONE_PROMOTION and not board >> TOTALS & 63:
            found.append(board - ONE_PROMOTION)
        return found

    def _great_steps(self, board: int) -> list[int]:
        return [
            delta
            for bit, needed, delta in self._great_deltas
            if board & bit and all(board >> shift & 7 >= count for shift, count in needed)
        ]

    def _small_steps(self, board: int, found: list[int]) -> None:
        for index in range(len(self.small)):
            if not board >> SMALL + index & 1 or not self.meets(board, index):
                continue
            rest = board - (1 << SMALL + index)
            for low in _low_rows_after_reward(rest & _LOW_FIELDS, self._rewards[index]):
                rewarded = (rest & ~_LOW_FIELDS) + low
                if self.lifting[index]:
                    before = len(found)
                    _append_lifted(rewarded, _LIFT, 1, found)
                    if len(found) > before:
                        continue
                found.append(rewarded)

    def meets(self, board: int, index: int) -> bool:
        """Return whether a board has the tokens that a small oracle, by its index in `small`, requires (W13)."""
        on_great = self.on_great[board >> GREAT & OPEN_MASK]
        for c, low, middle, high in self.needs[index]:
            part = board >> PART * c
            owned = on_great[c] + (part >> 6 & 7)
            if owned < high:
                return False
            owned += part >> 3 & 7
            if owned < middle or owned + (part & 7) < low:
                return False
        return True

    def action(self, board: int, after: int, seat: int) -> SoulAction:
        """Return the action that leads from a board to `after`. Raises ValueError if none does."""
        for index, oracle in enumerate(self.great):
            if (board ^ after) >> GREAT + index & 1:
                return AchieveGreat(seat, oracle.id)
        for index, card in enumerate(self.small):
            if (board ^ after) >> SMALL + index & 1:
                return self._small_action(board, after, card.id, seat)
        without_effect = not (board ^ after) & BOARD_MASK
        if (board ^ after) >> CHANGES & CHANGES_MASK:
            return CastColourChange(seat, None if without_effect else _swap_between(board, after))
        if board >> PROMOTIONS != after >> PROMOTIONS:
            return CastPromotion(seat, None if without_effect else _lift_between(board, after))
        return Promote(seat, _lift_between(board, after))

    def _small_action(self, board: int, after: int, card: str, seat: int) -> AchieveSmall:
        player = self.unpack(board)
        for move in soul_moves(replace(player, great=(), small=(card,)), seat, self.deck):
            if isinstance(move, AchieveSmall) and self.pack(achieve_small(player, move, self.deck)) == after:
                return move
        raise ValueError("No action leads from the one board to the other.")

    def _on_great(self, open_mask: int) -> tuple[int, ...]:
        achieved = [o.colours for index, o in enumerate(self.great) if not open_mask >> index & 1]
        return tuple(
            owned + sum(colours.count(colour) for colours in achieved)
            for owned, colour in zip(self._owned, COLOURS, strict=True)
        )


def row_of(board: int, rank: int) -> Tokens:
    """Return the tokens of one rank of a packed board. rank: index in RANKS."""
    return Tokens(*(board >> PART * c + 3 * rank & 7 for c in range(4)))


def _append_lifted(board: int, deltas: tuple[tuple[int, ...], ...], least_alike: int, found: list[int]) -> None:
    """Append to `found` each board to which the rise of one token by a rank leads (W11).

    If the row above is full, there is one board for each colour that may be displaced there. deltas: what the rise
    adds to the packed board, by the token's old rank and colour. least_alike: minimum number of tokens of that rank
    and colour: two to promote a pair, one for a spell or a reward.
    """
    for r in (0, 1):
        full = board >> TOTALS + 3 * r + 3 & 7 >= _SPOTS[r + 1]
        for c in range(4):
            if board >> PART * c + 3 * r & 7 < least_alike:
                continue
            lifted = board + deltas[r][c]
            if not full:
                found.append(lifted)
                continue
            for displaced in range(4):
                if board & _FIELD[r + 1][displaced]:
                    found.append(lifted - UNIT[r + 1][displaced])


@lru_cache(maxsize=4096)
def _low_rows_after_reward(low: int, reward: tuple[Colour, ...]) -> tuple[int, ...]:
    """Return all packed low rows that a player can have after taking a small oracle's reward.

    One for each choice of colours for white tokens, and of the tokens to keep in a full row (W7, W13). low: the low
    row before, packed.
    """
    row = row_of(low, 0)
    fixed = Tokens(*(reward.count(colour) for colour in COLOURS))
    rows: dict[Tokens, None] = {}
    for colours in colour_choices(len(reward) - fixed.total):
        offered = row + fixed + Tokens.of(colours)
        if offered.total <= LOW_SPOTS:
            rows[offered] = None
        else:
            rows.update((Tokens.of(kept), None) for kept in keep_choices(offered))
    return tuple(sum(unit * count for unit, count in zip(UNIT[0], _counts(r), strict=True)) for r in rows)


def _swap_between(board: int, after: int) -> Swap:
    """Return the recolouring of one token that leads from a board to `after`. Raises ValueError if none does."""
    for r, rank in enumerate(RANKS):
        was, now = _counts(row_of(board, r)), _counts(row_of(after, r))
        if was != now:
            changed = [n - w for w, n in zip(was, now, strict=True)]
            return Swap(rank, COLOURS[changed.index(-1)], COLOURS[changed.index(1)])
    raise ValueError("No action leads from the one board to the other.")


def _lift_between(board: int, after: int) -> Lift:
    """Return the rise of one token that leads from a board to `after`. Raises ValueError if none does."""
    for r, rank in enumerate(RANKS[:2]):
        was, now = _counts(row_of(board, r)), _counts(row_of(after, r))
        if was == now:
            continue
        c = next(index for index in range(4) if now[index] < was[index])
        above = r + 1
        before, then = _counts(row_of(board, above)), _counts(row_of(after, above))
        displaced: Colour | None = None
        if sum(before) >= SPOTS[NEXT_RANK[rank]]:
            gone = [index for index in range(4) if then[index] < before[index]]
            displaced = COLOURS[gone[0] if gone else c]
        return Lift(COLOURS[c], rank, displaced)
    raise ValueError("No action leads from the one board to the other.")


def _thresholds(needs: tuple[Need, ...]) -> Iterator[tuple[int, int, int, int]]:
    """Yield for each colour needed: its index, and how many tokens of at least low, middle and high rank."""
    for colour in dict.fromkeys(need.colour for need in needs):
        ranks = [need.rank for need in needs if need.colour == colour]
        high = ranks.count("high")
        yield _INDEX[colour], len(ranks), high + ranks.count("middle"), high


def _great_field(colours: tuple[Colour, Colour]) -> list[tuple[int, int]]:
    """Return for each colour of a great oracle: bit offset of its high tokens in a board, number of them needed."""
    return [(PART * _INDEX[colour] + 6, colours.count(colour)) for colour in dict.fromkeys(colours)]


def _great_delta(colours: tuple[Colour, Colour], index: int) -> int:
    """Return the number that achieving a great oracle adds to a packed board. index: of the oracle in the phase."""
    return -(1 << GREAT + index) - sum(UNIT[2][_INDEX[colour]] for colour in colours)


def _counts(tokens: Tokens) -> tuple[int, int, int, int]:
    return tokens.red, tokens.green, tokens.blue, tokens.yellow
