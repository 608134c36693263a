"""Evaluation of reading personal boards, finding cards, and rejecting cards that are not enrolled."""
