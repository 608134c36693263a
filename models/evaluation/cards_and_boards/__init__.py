"""Evaluation of reading personal boards, and of rejecting cards that are not enrolled."""
