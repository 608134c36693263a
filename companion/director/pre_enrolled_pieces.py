"""Pieces of the simulated table that are enrolled in advance, so that a demonstration starts at once.

`python -m companion.director.pre_enrolled_pieces [GAME]` enrols them again, needed after a change of the renderer.
"""

from __future__ import annotations

import sys
from typing import Any

from calibration.pieces.samples import PieceSamples
from companion.director.bot_interface import Bots
from vision.cameras.simulated.table_surfaces import KINDS, Ground, Kind

SHOWN: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in ("plain", "felt", "stone"))
"""Grounds with a pattern.

The simulated sensor's noise is one field that moves from picture to picture: on a plain ground that looks like a
moved camera.
"""
GROUND = Ground.from_seed(11, SHOWN)
"""The ground that the pieces were enrolled on: light planks, on which hands and all paints stand out."""


def prepared_pieces(bots: Bots[Any, Any]) -> dict[str, PieceSamples]:
    """Return the specimens that a game bundles, by kind of piece, enrolled on the table surface `GROUND`.

    Empty where the game bundles none. Raises ProfileError for a damaged file.
    """
    folder = bots.prepared_pieces
    found = {}
    for file in () if folder is None or not folder.is_dir() else folder.iterdir():
        if file.name.endswith(".npz"):
            found[file.name.removesuffix(".npz").replace("-", ":", 1)] = PieceSamples.from_bytes(file.read_bytes())
    return found


def main(game: str) -> None:
    """Enrol every kind of piece of a game on the table surface `GROUND`; write the specimens to its folder."""
    from dataclasses import replace
    from pathlib import Path

    from calibration.profile import TableProfile
    from companion.adapters import adapter
    from companion.director.bot_interface import bots
    from companion.director.simulated_profile import SimulatedBox, enrolled_profile
    from vision.cameras.simulated import Look, Renderer

    found = bots(game)
    if found.prepared_pieces is None:
        raise SystemExit(f"{game} bundles no pieces: its bots name no folder for them.")
    box = SimulatedBox(found, adapter(game).components(TableProfile(4, game=game)))
    renderer = Renderer(replace(Look(), ground=GROUND), found.card_faces(box.setup), game=game)
    folder = Path(str(found.prepared_pieces))
    folder.mkdir(exist_ok=True)
    for kind, samples in enrolled_profile(renderer.render, box, print).pieces.items():
        (folder / f"{kind.replace(':', '-')}.npz").write_bytes(samples.to_bytes())


if __name__ == "__main__":
    from calibration.games import GAMES

    main(*sys.argv[1:] or GAMES[:1])
