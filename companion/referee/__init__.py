"""Where readings meet rules: what vision may expect, and what its readings propose to enter. Pure functions.

Nothing else in the house knows both sides; the engine never sees a reading and vision never sees a rule.
"""

from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.adapters.wicked.expectations import expectation
from companion.adapters.wicked.reveal_proposals import propose_reveal
from companion.referee.proposal import Candidate, Doubt, Proposal

__all__ = ["Candidate", "Doubt", "Proposal", "expectation", "propose_deal", "propose_lay", "propose_reveal"]
