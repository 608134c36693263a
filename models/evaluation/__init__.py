"""How well the companion reads what nothing was trained on: `make eval` (`python -m models.evaluation`).

Stands above all floors, because it measures the whole: the commands that people call, and the referee with the
rules.
"""
