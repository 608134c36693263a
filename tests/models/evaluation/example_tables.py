"""Random truths and random readings of them, in the forms of truth.json and of `companion read reveal --json`."""

from __future__ import annotations

import random
from typing import Any

KINDS = ("search-red", "search-black", "sign-witch", "sign-soul")
Row = dict[str, Any]


def tables(count: int, seed: int) -> list[tuple[Row, Row | None]]:
    """Return scenes with what was read in them; None where reading failed."""
    rng = random.Random(seed)
    return [(scene := _scene(rng, number), _reading(rng, scene)) for number in range(count)]


def _scene(rng: random.Random, number: int) -> Row:
    hands = []
    seats = rng.randrange(3, 6)
    for seat in range(seats) if rng.random() < 0.9 else ():
        if rng.random() < 0.1:
            continue
        state = "closed" if rng.random() < 0.15 else "open"
        kinds = [rng.choice(KINDS) for _ in range(rng.randrange(4))] if state == "open" else []
        pieces = [{"kind": kind, "visible_fraction": rng.choice((0.1, 0.25, 1.0))} for kind in kinds]
        inside = 0.5 if rng.random() < 0.1 else 1.0
        hands.append({"seat": seat, "state": state, "in_frame": inside, "pieces": pieces})
    return {"file": f"scenes/{number:03}.jpg", "n": seats, "hands": hands}


def _reading(rng: random.Random, scene: Row) -> Row | None:
    if rng.random() < 0.04:
        return None
    hands = []
    for seat in range(scene["n"]):
        truth = next((hand for hand in scene["hands"] if hand["seat"] == seat), None)
        if rng.random() < (0.05 if truth else 0.97):
            continue
        state = truth["state"] if truth and rng.random() < 0.95 else "open"
        counts: dict[str, int] = {}
        for piece in truth["pieces"] if truth and state == "open" else ():
            if piece["visible_fraction"] > 0.2 or rng.random() < 0.5:
                kind = piece["kind"].replace("-", ":")
                counts[kind] = counts.get(kind, 0) + 1
        if state == "open" and rng.random() < 0.15:
            kind = rng.choice(KINDS).replace("-", ":")
            counts[kind] = max(0, counts.get(kind, 0) + rng.choice((-1, 1, 2)))
        hands.append(
            {
                "seat": seat,
                "state": state,
                "counts": counts,
                "confidence": round(rng.random(), 3),
                "doubtful": rng.random() < 0.2,
                "box": [0, 0, 10, 10],
            }
        )
    return {"image": scene["file"].split("/")[1], "hands": hands, "milliseconds": 1.0}
