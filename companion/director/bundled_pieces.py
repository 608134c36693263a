"""Pieces of the simulated table that are enrolled in advance, so that a demonstration starts at once.

`python -m companion.director.bundled_pieces` enrols them again, needed after a change of the renderer.
"""

from __future__ import annotations

from importlib.resources import files

from calibration.pieces.samples import PieceSamples
from vision.cameras.simulated.grounds import KINDS, Ground, Kind

SHOWN: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind not in ("plain", "felt", "stone"))
"""Grounds with a pattern.

The simulated sensor's noise is one field that moves from picture to picture: on a plain ground that looks like a
moved camera.
"""
GROUND = Ground.from_seed(11, SHOWN)
"""The ground that the pieces were enrolled on: light planks, on which hands and all five colours stand out."""
_FOLDER = files("companion.director") / "prepared_pieces"
"""The enrolled specimens, one file a kind."""


def prepared_pieces() -> dict[str, PieceSamples]:
    """Return the bundled specimens of every kind, enrolled on `GROUND`. Raises ProfileError for a bad file."""
    found = {}
    for file in _FOLDER.iterdir():
        if file.name.endswith(".npz"):
            found[file.name.removesuffix(".npz").replace("-", ":", 1)] = PieceSamples.from_bytes(file.read_bytes())
    return found


def main() -> None:
    """Enrol every kind of piece on the ground and write the specimens beside this module."""
    from dataclasses import replace
    from pathlib import Path

    from companion.adapters.wicked.bots.simulated_profile import card_faces, enrolled_profile
    from companion.games.wicked.standin_deck import STANDIN
    from vision.cameras.simulated import Look, Renderer

    renderer = Renderer(replace(Look(), ground=GROUND), card_faces(STANDIN))
    folder = Path(str(_FOLDER))
    folder.mkdir(exist_ok=True)
    for kind, samples in enrolled_profile(renderer.render, STANDIN, print).pieces.items():
        (folder / f"{kind.replace(':', '-')}.npz").write_bytes(samples.to_bytes())


if __name__ == "__main__":
    main()
