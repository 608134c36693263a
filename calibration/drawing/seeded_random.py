"""Seeded random choices, equal on every machine and Python version, so that a card's id fixes its art."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Random number generator seeded by a text.

    Only `Random.random` is used, whose sequence Python guarantees.
    """

    def __init__(self, text: str) -> None:
        digest = hashlib.sha256(text.encode()).digest()
        self._random = random.Random(int.from_bytes(digest[:8], "big"))

    def between(self, low: float, high: float) -> float:
        """Return a uniformly distributed number from low to high."""
        return low + (high - low) * self._random.random()

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from low to high, both included."""
        return low + int(self._random.random() * (high - low + 1))

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self._random.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """Return one of the choices."""
        return choices[int(self._random.random() * len(choices))]

    def shuffled(self, choices: Sequence[T]) -> list[T]:
        """Return all choices in a random order."""
        order = sorted((self._random.random(), index) for index in range(len(choices)))
        return [choices[index] for _, index in order]
