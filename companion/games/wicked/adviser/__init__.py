"""The adviser: the best soul phase, exactly, and which boards a soul phase can end with (W9 to W15). Pure."""

from companion.games.wicked.adviser.advice import SoulAdvice, advise, advise_player, valuation_for, value_bound
from companion.games.wicked.adviser.hints import hint_line, obvious_actions, obvious_actions_line
from companion.games.wicked.adviser.missed_actions import MissedActions, missed_actions, missed_actions_line
from companion.games.wicked.adviser.reachability import Reachability, misread_line, reachable
from companion.games.wicked.adviser.valuation import EARLIER_ROUND, LAST_ROUND, Valuation

__all__ = [
    "EARLIER_ROUND",
    "LAST_ROUND",
    "MissedActions",
    "Reachability",
    "SoulAdvice",
    "Valuation",
    "advise",
    "advise_player",
    "hint_line",
    "misread_line",
    "missed_actions",
    "missed_actions_line",
    "obvious_actions",
    "obvious_actions_line",
    "reachable",
    "valuation_for",
    "value_bound",
]
