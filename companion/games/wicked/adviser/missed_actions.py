"""Counts the actions that a player who ended a soul phase could still have taken, and their points."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.translatable import Line, counted, listed, say
from companion.games.wicked.adviser.advice import SoulAdvice
from companion.games.wicked.moves import AchieveGreat, AchieveSmall, CastColourChange, CastPromotion, Promote
from companion.games.wicked.text.words import many


@dataclass(frozen=True, slots=True)
class MissedActions:
    """Actions that would still have improved a board."""

    promotions: int = 0
    """Number of normal promotions."""
    promotion_spells: int = 0
    """Number of promotion spells."""
    colour_changes: int = 0
    """Number of colour-change spells."""
    small: int = 0
    """Number of small oracles."""
    great: int = 0
    """Number of great oracles."""
    points: int = 0
    """Points that these actions gain; can be 0 or less before the last round, where advice looks ahead."""


def missed_actions(advice: SoulAdvice) -> MissedActions | None:
    """Return the numbers of actions of each kind that an advice still recommends; None for none."""
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


def missed_actions_line(name: str, missed: MissedActions) -> Line:
    """Return missed actions as a sentence: "Ada leaves 3 points on the table: one promotion."."""
    counts = (
        many(missed.promotions, "{n} promotion", "{n} promotions"),
        many(missed.promotion_spells, "{n} promotion spell", "{n} promotion spells"),
        many(missed.colour_changes, "{n} colour-change spell", "{n} colour-change spells"),
        many(missed.small, "{n} small oracle", "{n} small oracles"),
        many(missed.great, "{n} great oracle", "{n} great oracles"),
    )
    things = listed([line for line in counts if line.number])
    if missed.points <= 0:
        return say("{name} could still do more: {things}.", name=name, things=things)
    return counted(
        missed.points,
        "{name} leaves {n} point on the table: {things}.",
        "{name} leaves {n} points on the table: {things}.",
        name=name,
        things=things,
    )
