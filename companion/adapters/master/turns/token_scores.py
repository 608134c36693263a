"""How well the tokens that are seen fit a turn, and which of them may have been taken or moved wrongly. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from companion.adapters.master.evidence.board_evidence import NONE, SPARE, Evidence, Floats
from companion.adapters.master.turns.faults import Fault
from companion.adapters.master.turns.possible_shifts import Shifted
from companion.adapters.master.turns.wizard_placements import FORGOTTEN, Placement
from companion.games.master.components import PLACES, TOKENS
from companion.games.master.maze import line_of
from companion.games.master.state import TAKEN, MasterState

WRONG_TAKE: Final = 0.005
"""Prior that a token which must not be taken is taken where a wizard stands, or stood until it left."""
PASSED_TAKE: Final = 1e-2
"""Prior that the next token is taken though the wizard only could come to it."""
LOST_TOKEN: Final = 1e-5
"""Prior that a token vanishes elsewhere."""
MOVED_TOKEN: Final = 1e-3
"""Prior that a token is moved."""
_PRESENT: Final = 4.0
"""Log-likelihood ratio of a token to nothing beyond which it surely lies there."""


@dataclass(frozen=True, eq=False)
class TokenScores:
    """What is seen of tokens on each place, once for all turns with the same shift."""

    seen: Evidence
    elsewhere: Floats
    """Odds of each token to nothing on each place where none should lie, for each quality, shape (q, 50, 21)."""
    anywhere: Floats
    """Sum over all places of the board, shape (q, 21)."""

    @classmethod
    def of(cls, after: MasterState, seen: Evidence) -> TokenScores:
        """Return them for a position after a shift."""
        rows = seen.tokens
        odds = np.exp(np.minimum(50.0, rows[..., :NONE] - rows[..., NONE:]))
        odds[:, [place for place in after.tokens if place != TAKEN]] = 0.0
        return cls(seen, odds, odds[:, :PLACES].sum(axis=1))

    def scores(
        self, shifted: Shifted, placement: Placement, after: MasterState
    ) -> tuple[float, float, list[tuple[float, Fault]]]:
        """Return the log-likelihood of tokens as they should be, with all that may be wrong, and likely faults.

        The quality of the picture is unknown: each one's likelihood counts by its prior.
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
                (_gone_prior(shifted, placement, place) * gone, _gone(shifted, placement, index, place)),
                (MOVED_TOKEN / PLACES * gone * self.anywhere[:, index], self._moved(index, place)),
            ]
            if place == entered:
                left = FORGOTTEN * gone * self.elsewhere[:, SPARE, index]
                options.append((left, Fault("token_on_spare", None, token=TOKENS[index], back=place)))
            wrong = np.sum([odds for odds, _ in options], axis=0)
            total = total + np.log1p(wrong)
            unclear.append((wrong, options))
        quality = np.exp(total - total.max())
        quality /= quality.sum()
        faults = [
            (float(quality @ wrong), max(options, key=lambda each: float(quality @ each[0]))[1])
            for wrong, options in unclear
        ]
        return float(np.logaddexp.reduce(legal)), float(np.logaddexp.reduce(total)), faults

    def _moved(self, index: int, place: int) -> Fault:
        there = int(self.elsewhere[0, :PLACES, index].argmax())
        return Fault("token_moved", there, token=TOKENS[index], back=place)


def _gone_prior(shifted: Shifted, placement: Placement, place: int) -> float:
    """Return the prior that a token is gone that should lie there."""
    after = shifted.after
    here = after.wizards[after.mover]
    if place == here or placement.mover == place:
        return WRONG_TAKE
    passed = shifted.may_walk and after.maze is not None and after.maze.reached(here) >> place & 1
    return PASSED_TAKE if passed and after.token_at(place) == after.next_token else LOST_TOKEN


def _gone(shifted: Shifted, placement: Placement, index: int, place: int) -> Fault:
    number = TOKENS[index]
    if place not in (placement.mover, shifted.after.wizards[shifted.after.mover]):
        return Fault("missing", place, token=number)
    if number == shifted.after.next_token:
        return Fault("standing", place, shifted.after.mover, token=number)
    return Fault("wrong_token", place, shifted.after.mover, token=number, due=shifted.after.next_token)
