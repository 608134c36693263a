"""What a player leaves on the table who ends a soul phase: what was still possible, and what it would bring."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.wording import Line, counted, listed, say
from companion.games.wicked.adviser.advice import Advice
from companion.games.wicked.moves import AchieveGreat, AchieveSmall, CastColourChange, CastPromotion, Promote
from companion.games.wicked.text.words import many


@dataclass(frozen=True, slots=True)
class MissedActions:
    """What would still make a board better, counted by kind of action, and the points that all of it brings.

    points can be none or fewer than none where a round is not the last: what keeps options open is worth it, too.
    """

    promotions: int = 0
    promotion_spells: int = 0
    colour_changes: int = 0
    small: int = 0
    great: int = 0
    points: int = 0


def missed_actions(advice: Advice) -> MissedActions | None:
    """Count what advice for a board would still do; None where the board is as good as it gets."""
    if not advice.moves:
        return None

    def count(kind: type) -> int:
        return sum(isinstance(move, kind) for move in advice.moves)

    return MissedActions(
        count(Promote),
        count(CastPromotion),
        count(CastColourChange),
        count(AchieveSmall),
        count(AchieveGreat),
        advice.points - advice.points_now,
    )


def missed_actions_line(name: str, left: MissedActions) -> Line:
    """Say it in one line: "Ada leaves three points on the table: one promotion and one great oracle."""
    counts = (
        many(left.promotions, "{n} promotion", "{n} promotions"),
        many(left.promotion_spells, "{n} promotion spell", "{n} promotion spells"),
        many(left.colour_changes, "{n} colour-change spell", "{n} colour-change spells"),
        many(left.small, "{n} small oracle", "{n} small oracles"),
        many(left.great, "{n} great oracle", "{n} great oracles"),
    )
    things = listed([line for line in counts if line.number])
    if left.points <= 0:
        return say("{name} could still do more: {things}.", name=name, things=things)
    return counted(
        left.points,
        "{name} leaves {n} point on the table: {things}.",
        "{name} leaves {n} points on the table: {things}.",
        name=name,
        things=things,
    )
