"""Detects discs, wizards and start rings by place: a small network on the top view of the board.

It was trained on random boards (`models/maze_objects`), so that no look of tiles, discs or pawns is required.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.cameras.frame import Image
from vision.detector.network import loaded
from vision.games.master.objects.views import MARGIN, FieldView
from vision.games.master.readings import SIZE, STARTS

WEIGHTS: Final = Path(__file__).parent / "objects.onnx"
"""Weights of the network, ONNX."""
CELL_PX: Final = 32
"""Width of a tile in the network's input, px."""
INPUT_PX: Final = (SIZE + 2 * MARGIN) * CELL_PX
"""Side of the network's input for the whole field, px."""
COLOURS: Final = tuple(STARTS)
"""Colours of wizards and rings in the order of the outputs."""
OUTPUTS: Final = 12
"""Outputs per tile: log odds of a disc, of a wizard of each colour, of a ring of each colour; then offset (x, y) of
the disc's centre from the tile's middle, and its radius, in tiles."""

Layer = NDArray[np.float32]
"""Array of floats."""


@dataclass(frozen=True, eq=False)
class TileObjects:
    """Output of the network for each tile of a view; the first two axes are row and column."""

    disc: Layer
    """Log odds that a disc lies there, (rows, columns)."""
    wizards: Layer
    """Log odds that a wizard of each colour stands there, (rows, columns, 4)."""
    rings: Layer
    """Log odds that a ring of each colour is printed there, (rows, columns, 4)."""
    circles: Layer
    """Offset of the disc's centre from the tile's middle and its radius, in tiles, (rows, columns, 3)."""


class ObjectNetwork:
    """The network for views of any size."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        _, core, model = loaded(weights)
        self._compiled: Any = core.compile_model(model, "CPU", {"PERFORMANCE_HINT": "LATENCY"})

    def detect(self, view: FieldView) -> TileObjects:
        """Return the objects on each tile of a view."""
        planes = network_input(input_image(view), view.camera)
        raw = np.asarray(self._compiled.create_infer_request().infer(planes[None])[0][0], np.float32)
        inner = raw[:, MARGIN:-MARGIN, MARGIN:-MARGIN].transpose(1, 2, 0)
        return TileObjects(inner[..., 0], inner[..., 1:5], inner[..., 5:9], inner[..., 9:12])


@cache
def shipped_network() -> ObjectNetwork:
    """Load the shipped network; later calls return the same one."""
    return ObjectNetwork()


def input_image(view: FieldView) -> Image:
    """Return a view at the scale of the network's input."""
    side = (view.tiles + 2 * MARGIN) * CELL_PX
    return np.asarray(cv2.resize(view.image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def network_input(image: Image, camera: tuple[float, float, float]) -> Layer:
    """Return the network's input, (5, height, width): log-opponent colours and how upright things lean.

    The light is divided out by the medians of the view's inner part. camera: its position in tiles.
    """
    colours = colour.of_view(image)
    edge = MARGIN * CELL_PX
    inner = colours[edge:-edge:2, edge:-edge:2].reshape(-1, 3)
    levels = np.median(inner, axis=0)
    scaled = (colours - levels) * np.array([1.0, 2.0, 2.0], np.float32)
    tiles = (np.arange(image.shape[0], dtype=np.float32) + 0.5) / CELL_PX - MARGIN
    lean_x, lean_y = ((tiles - of) / max(camera[2], 3.0) for of in camera[:2])
    grid = np.meshgrid(lean_x, lean_y)
    return np.ascontiguousarray(np.stack([*scaled.transpose(2, 0, 1), *grid]), np.float32)
