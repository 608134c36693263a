"""Where readings meet rules: what vision may expect, and what its readings propose to enter. Pure functions.

Nothing else in the house knows both sides; the engine never sees a reading and vision never sees a rule.
"""

from companion.referee.cards import propose_deal, propose_lay
from companion.referee.expecting import expectation
from companion.referee.proposal import Candidate, Doubt, Proposal
from companion.referee.reveals import propose_reveal

__all__ = ["Candidate", "Doubt", "Proposal", "expectation", "propose_deal", "propose_lay", "propose_reveal"]
