"""The rules of The Wicked Labyrinth, complete and pure: states, moves and what each move leads to.

`new_game` starts a game, `legal` lists the legal moves, `apply` plays one, `final_scores` scores. Numbers such as
`W5` refer to the rulings in docs/rules/wicked.md.
"""

from companion.games.wicked.moves import Move
from companion.games.wicked.rules.engine import apply
from companion.games.wicked.rules.legal_moves import Legal, legal, waiting_for
from companion.games.wicked.rules.search_phase import outcome, rank
from companion.games.wicked.rules.setup import new_game
from companion.games.wicked.scoring.final_scores import FinalScore, final_scores
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.move_descriptions import describe

__all__ = [
    "FinalScore",
    "Legal",
    "Move",
    "WickedState",
    "apply",
    "describe",
    "final_scores",
    "legal",
    "new_game",
    "outcome",
    "rank",
    "waiting_for",
]
