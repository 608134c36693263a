"""Evaluation of the companion on data that is in no training set: `make eval` (`python -m models.evaluation`).

Imports every other package, because it measures all of it: the commands that people call, and the referee with the
rules.
"""
