"""The adviser: what a board can become in the soul phase, exactly (W9 to W15). Pure."""

from companion.games.wicked.adviser.advice import Advice, advise, advise_player, promise, valuation_for
from companion.games.wicked.adviser.hints import forgotten, forgotten_line, hint_line
from companion.games.wicked.adviser.missed_actions import Leftover, left_on_the_table, leftover_line
from companion.games.wicked.adviser.reachability import Reached, misread_line, reachable
from companion.games.wicked.adviser.valuation import EARLIER_ROUND, LAST_ROUND, Valuation

__all__ = [
    "EARLIER_ROUND",
    "LAST_ROUND",
    "Advice",
    "Leftover",
    "Reached",
    "Valuation",
    "advise",
    "advise_player",
    "forgotten",
    "forgotten_line",
    "hint_line",
    "left_on_the_table",
    "leftover_line",
    "misread_line",
    "promise",
    "reachable",
    "valuation_for",
]
