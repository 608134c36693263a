"""Generates perfect labyrinths (exactly one path between two cells) by a randomised depth-first search."""

from __future__ import annotations

from calibration.drawing.seeded_random import Dice


def generate_labyrinth(width: int, height: int, dice: Dice) -> frozenset[tuple[int, int, int, int]]:
    """Return the passages of a random labyrinth: (x, y, next x, next y) for each two connected cells.

    Each passage is contained in both directions. width, height: numbers of cells.
    """
    start = (dice.whole(0, width - 1), dice.whole(0, height - 1))
    seen, trail = {start}, [start]
    links: set[tuple[int, int, int, int]] = set()
    while trail:
        x, y = trail[-1]
        around = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        fresh = [(a, b) for a, b in around if 0 <= a < width and 0 <= b < height and (a, b) not in seen]
        if not fresh:
            trail.pop()
            continue
        a, b = dice.pick(fresh)
        links |= {(x, y, a, b), (a, b, x, y)}
        seen.add((a, b))
        trail.append((a, b))
    return frozenset(links)
