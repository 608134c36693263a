"""Detects discs, wizards and start rings on each tile: a small network on the top view of the board.

It was trained on random boards (`models/maze_objects`), so no particular look of tiles, discs or pawns is needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import colour
from vision.cameras.frame import Image
from vision.detector.compilation import compiled
from vision.games.master.objects.top_views import COLOUR_SCALE, MARGIN, FieldView
from vision.games.master.readings import SIZE, STARTS

WEIGHTS: Final = Path(__file__).parent / "objects.onnx"
"""Weights of the network, ONNX."""
CELL_PX: Final = 32
"""Width of a tile in the network's input, px."""
INPUT_PX: Final = (SIZE + 2 * MARGIN) * CELL_PX
"""Side of the network's input for the whole field, px."""
COLOURS: Final = tuple(STARTS)
"""Colours of wizards and rings in the order of the outputs."""
PRESENCES: Final = 10
"""Log odds per tile: of a disc, of a wizard of each colour, of a ring of each colour, of a pawn of any colour."""
_STREAMS: Final = 2
"""Number of inferences that run in parallel."""
OUTPUTS: Final = PRESENCES + 3
"""Outputs per tile: the log odds, then the offset (x, y) of the disc's centre from the tile's middle and its
radius, in tiles."""

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
    pawns: Layer
    """Log odds that a pawn of any colour stands there, (rows, columns)."""
    circles: Layer
    """Offset of the disc's centre from the tile's middle and its radius, in tiles, (rows, columns, 3)."""


class ObjectNetwork:
    """The object network, loaded once for views of any size."""

    def __init__(self, weights: Path = WEIGHTS) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        self._compiled: Any = compiled(weights, streams=_STREAMS)
        self._requests: dict[int, tuple[Any, ...]] = {}
        self._lock = Lock()

    def detect(self, view: FieldView) -> TileObjects:
        """Return the network's output for each tile of a top view, averaged over four rotations of the view."""
        colours = balanced(input_image(view))
        x, y, height = view.camera
        total = np.zeros((view.tiles, view.tiles, OUTPUTS), np.float32)
        with self._lock:
            if view.tiles not in self._requests:  # one request for each rotation, of inputs of one size
                self._requests[view.tiles] = tuple(self._compiled.create_infer_request() for _ in range(4))
            requests = self._requests[view.tiles]
            for turns, request in enumerate(requests):
                planes = with_lean(np.rot90(colours, turns), (x, y, height))
                request.start_async({0: planes[None]})
                x, y = y, view.tiles - x
            for turns, request in enumerate(requests):
                request.wait()
                found = np.asarray(request.get_output_tensor(0).data[0], np.float32)
                inner = found[:, MARGIN:-MARGIN, MARGIN:-MARGIN].transpose(1, 2, 0)
                for _ in range(turns):
                    inner = np.rot90(inner, -1)
                    x_offset, y_offset, radius = inner[..., PRESENCES:].transpose(2, 0, 1)
                    inner = np.dstack([inner[..., :PRESENCES], -y_offset, x_offset, radius])
                total += inner / len(requests)
        return TileObjects(total[..., 0], total[..., 1:5], total[..., 5:9], total[..., 9], total[..., PRESENCES:])


@cache
def shipped_network() -> ObjectNetwork:
    """Return the object network with the shipped weights, which the first call loads."""
    return ObjectNetwork()


def input_image(view: FieldView) -> Image:
    """Return the picture of a top view, BGR, resized to CELL_PX per tile."""
    side = (view.tiles + 2 * MARGIN) * CELL_PX
    return np.asarray(cv2.resize(view.image, (side, side), interpolation=cv2.INTER_AREA), np.uint8)


def network_input(image: Image, camera: tuple[float, float, float]) -> Layer:
    """Return the network's input, (5, height, width), for one picture and camera position.

    Its planes are three log-opponent colours, and x and y of the lean (see `with_lean`). image: as returned by
    `input_image`. camera: its position (x, y, height), in tiles.
    """
    return with_lean(balanced(image), camera)


def balanced(image: Image) -> Layer:
    """Return scaled log-opponent colours of a BGR image, (height, width, 3), relative to their median.

    So the colour and brightness of the light cancel out. The median is that of the inner part, without the margin.
    """
    colours = colour.of_view(image)
    edge = MARGIN * CELL_PX
    inner = colours[edge:-edge:2, edge:-edge:2].reshape(-1, 3)
    levels = np.median(inner, axis=0)
    return np.asarray((colours - levels) * COLOUR_SCALE, np.float32)


def with_lean(colours: Layer, camera: tuple[float, float, float]) -> Layer:
    """Return the network's input, (5, height, width): colours, then x and y of the lean at each pixel.

    The lean is the apparent displacement of an upright thing's top per unit of its height: the offset from the
    point below the camera, divided by the camera's height. colours: as returned by `balanced`. camera: its position
    (x, y, height), in tiles.
    """
    tiles = (np.arange(colours.shape[0], dtype=np.float32) + 0.5) / CELL_PX - MARGIN
    lean_x, lean_y = ((tiles - of) / max(camera[2], 3.0) for of in camera[:2])
    grid = np.meshgrid(lean_x, lean_y)
    return np.ascontiguousarray(np.stack([*colours.transpose(2, 0, 1), *grid]), np.float32)
