"""Converts readings into proposals by the rules. Pure functions.

No other package depends on both: the engine has no readings, and vision has no rules.
"""

from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.expectations import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.referee.proposal import Candidate, Doubt, Proposal

__all__ = ["Candidate", "Doubt", "Proposal", "expectation", "propose_deal", "propose_lay", "propose_reveal"]
