"""The cards of the simulated table, as the project draws them."""

from __future__ import annotations

from calibration.games.wicked import art
from calibration.games.wicked.kit import BACKS
from companion.director.bot_interface import Face
from companion.games.wicked.components import Deck

FACE_PX_PER_MM = 4.0
"""Resolution of drawn faces."""


def card_faces(deck: Deck, px_per_mm: float = FACE_PX_PER_MM) -> dict[str, Face]:
    """Return the drawn face of every card of a deck by its id, and the three backs (`back:corridor` …)."""
    faces = {f"back:{back}": art.rasterise(art.card_back(back), px_per_mm) for back in BACKS}
    for corridor in deck.corridors:
        faces[corridor.id] = art.rasterise(
            art.corridor_face(corridor.id, corridor.upper, corridor.lower), px_per_mm
        )
    for great in deck.great:
        faces[great.id] = art.rasterise(art.great_face(great.id, great.colours), px_per_mm)
    for small in deck.small:
        needs = [(need.colour, need.rank) for need in small.needs]
        faces[small.id] = art.rasterise(art.small_face(small.id, needs, small.reward), px_per_mm)
    return faces
