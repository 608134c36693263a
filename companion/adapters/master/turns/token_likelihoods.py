"""Log-likelihoods of the tokens on the board after a turn, and faults such as a token taken wrongly. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import NONE, SPARE, Evidence, Floats
from companion.adapters.master.turns.possible_shifts import Shifted
from companion.adapters.master.turns.table_faults import Fault
from companion.adapters.master.turns.wizard_placements import FORGOTTEN, Placement
from companion.games.master.components import PLACES, TOKENS
from companion.games.master.maze import line_of
from companion.games.master.state import TAKEN, MasterState

WRONG_TAKE: Final = 0.005
"""Prior that a token which must not be taken is taken from the place where a wizard's move ended or began."""
PASSED_TAKE: Final = 1e-2
"""Prior that the next token is taken by a wizard that could reach it but ended its move elsewhere."""
LOST_TOKEN: Final = 1e-5
"""Prior that a token disappears from any other place."""
MOVED_TOKEN: Final = 1e-3
"""Prior that a token is moved to another place."""
NOTED_WRONGLY: Final = 5e-3
"""Prior that a token which the journal has as taken lies on the board: it was left lying under the wizard (M5), or
returned."""
_PRESENT: Final = 4.0
"""Log-likelihood ratio of a token to no token above which it certainly lies on its place."""
_MIN_ODDS: Final = 1e-3
"""Minimum odds of a fault to none at which a token that was taken may lie on the board."""


@dataclass(frozen=True, eq=False)
class TokenLikelihoods:
    """Likelihoods of tokens that all turns with the same shift share."""

    seen: Evidence
    """Evidence about the board after the turn."""
    elsewhere: Floats
    """Likelihood ratio of each token to no token on each place that should have none (0 on other places), for each
    class of pictures; shape (q, 50, 21)."""
    anywhere: Floats
    """Sum of `elsewhere` over the places of the board, without the spare; shape (q, 21)."""

    @classmethod
    def of(cls, after: MasterState, seen: Evidence) -> TokenLikelihoods:
        """Return the likelihoods for all turns that begin with the same shift. after: position after that shift."""
        rows = seen.tokens
        odds = np.exp(np.minimum(50.0, rows[..., :NONE] - rows[..., NONE:]))
        odds[:, [place for place in after.tokens if place != TAKEN]] = 0.0
        return cls(seen, odds, odds[:, :PLACES].sum(axis=1))

    def scores(
        self, shifted: Shifted, placement: Placement, after: MasterState
    ) -> tuple[float, float, list[tuple[float, Fault]]]:
        """Return the log-likelihood of all tokens without faults, that allowing for faults, and (odds, fault).

        Both are sums over the classes of pictures. The odds are those of a fault to none. placement: where the
        wizards stand. after: position after the turn.
        """
        rows, below = self.seen.tokens, self.seen.tokens_below
        standing = {placement.mover, *after.wizards}
        if placement.other is not None:
            standing.add(placement.other_place)
        legal = self.seen.qualities + rows[..., NONE].sum(axis=1)
        for place in standing:
            if place < PLACES:
                legal = legal + (below[:, place, NONE] - rows[:, place, NONE])
        lying = [(index, place) for index, place in enumerate(after.tokens) if place != TAKEN]
        gains = {index: (below if place in standing else rows)[:, place] for index, place in lying}
        gains = {index: row[:, index] - row[:, NONE] for index, row in gains.items()}
        for gain in gains.values():
            legal = legal + gain
        total = legal
        entered = None if shifted.arrow is None else line_of(shifted.arrow)[0]
        unclear: list[tuple[Floats, list[tuple[Floats, Fault]]]] = []
        for index, place in lying:
            if gains[index].min() > _PRESENT:
                continue
            gone = np.exp(-gains[index])
            options = [
                (
                    _removal_prior(shifted, placement, place) * gone,
                    _removal_fault(shifted, placement, index, place),
                ),
                (MOVED_TOKEN / PLACES * gone * self.anywhere[:, index], self._displacement_fault(index, place)),
            ]
            if place == entered:
                left = FORGOTTEN * gone * self.elsewhere[:, SPARE, index]
                options.append((left, Fault("token_on_spare", None, token=TOKENS[index], back=place)))
            wrong = np.sum([odds for odds, _ in options], axis=0)
            total = total + np.log1p(wrong)
            unclear.append((wrong, options))
        for wrong, fault in self._noted_wrongly(shifted.after, standing):
            total = total + np.log1p(wrong)
            unclear.append((wrong, [(wrong, fault)]))
        quality = np.exp(total - total.max())
        quality /= quality.sum()
        faults = [
            (float(quality @ wrong), max(options, key=lambda each: float(quality @ each[0]))[1])
            for wrong, options in unclear
        ]
        return float(np.logaddexp.reduce(legal)), float(np.logaddexp.reduce(total)), faults

    def _noted_wrongly(self, after: MasterState, standing: set[int]) -> list[tuple[Floats, Fault]]:
        """Return (odds, fault) of each token that the journal has as taken but that is read on a bare place.

        The odds are those of the fault to none, for each class of pictures. after: position after the shift.
        standing: places of wizards, on which a disc is no evidence.
        """
        held = [(number, seat) for seat, player in enumerate(after.players) for number in player.tokens]
        odds = NOTED_WRONGLY / PLACES * self.elsewhere[:, :PLACES, [TOKENS.index(number) for number, _ in held]]
        odds[:, [place for place in standing if place < PLACES]] = 0.0
        sums = odds.sum(axis=1)
        return [
            (sums[:, column], Fault("noted_wrongly", int(odds[0, :, column].argmax()), seat, token=number))
            for column, (number, seat) in enumerate(held)
            if sums[:, column].max() > _MIN_ODDS
        ]

    def _displacement_fault(self, index: int, place: int) -> Fault:
        """Return the fault that a token was moved from its place to where it is most probably read.

        index: of the token in `TOKENS`.
        """
        there = int(self.elsewhere[0, :PLACES, index].argmax())
        return Fault("token_moved", there, token=TOKENS[index], back=place)


def _removal_prior(shifted: Shifted, placement: Placement, place: int) -> float:
    """Return the prior that a token was wrongly removed from a place where it should lie."""
    after = shifted.after
    here = after.wizards[after.mover]
    if place == here or placement.mover == place:
        return WRONG_TAKE
    passed = shifted.may_walk and after.maze is not None and after.maze.reached(here) >> place & 1
    return PASSED_TAKE if passed and after.token_at(place) == after.next_token else LOST_TOKEN


def _removal_fault(shifted: Shifted, placement: Placement, index: int, place: int) -> Fault:
    """Return the fault that a token was wrongly removed from a place. index: of the token in `TOKENS`."""
    number = TOKENS[index]
    if place not in (placement.mover, shifted.after.wizards[shifted.after.mover]):
        return Fault("missing", place, token=number)
    if number == shifted.after.next_token:
        return Fault("standing", place, shifted.after.mover, token=number)
    return Fault("wrong_token", place, shifted.after.mover, token=number, due=shifted.after.next_token)
