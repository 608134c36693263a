"""Final scores (M9)."""

from __future__ import annotations

from calibration.translatable import say
from companion.games.game import Score, ScoreLine
from companion.games.master.components import FORMULA_POINTS, WAND_POINTS
from companion.games.master.state import MasterPlayer, MasterState


def final_scores(state: MasterState) -> tuple[Score, ...]:
    """Return the scores by seat as if the game ended now; formula cards count only once they are shown."""
    lines = [_score_lines(player, state.formulas_shown) for player in state.players]
    totals = [sum(line.points for line in each) for each in lines]
    return tuple(
        Score(
            seat,
            total,
            1 + sum(other > total for other in totals),
            each,
            # Of players who share a place, the first by seat stands behind players with more points.
            decided_by="points" if total < max(totals) and total not in totals[:seat] else "",
        )
        for seat, (total, each) in enumerate(zip(totals, lines, strict=True))
    )


def _score_lines(player: MasterPlayer, shown: bool) -> tuple[ScoreLine, ...]:
    """Return the terms of a player's score. shown: whether the formula card counts already."""
    on_formula = len(set(player.tokens) & set(player.formula or ())) if shown else 0
    return (
        ScoreLine("tokens", say("tokens"), len(player.tokens), sum(player.tokens)),
        ScoreLine("formula", say("tokens on the formula card"), on_formula, on_formula * FORMULA_POINTS),
        ScoreLine("wands", say("unused wands"), player.wands, player.wands * WAND_POINTS),
    )
