"""Searches each tile of a top view for a disc: finds the strongest circle of each radius near the tile's middle."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.objects.tokens.circle_detection import circle_votes, edges_of
from vision.games.master.objects.tokens.number_likelihoods import number_log_likelihoods
from vision.games.master.objects.tokens.token_faces import TokenFaces
from vision.games.master.objects.top_views import MARGIN, TILE_PX, FieldView

RADII: Final = np.array([0.2, 0.22, 0.242, 0.266, 0.293, 0.322, 0.354])
"""Radii of discs that are tried, in tiles."""
_REACH: Final = 0.25
"""Largest distance of a disc's centre from the middle of its tile along each axis, in tiles."""
_SAMPLE: Final = 8
"""Number of tiles, those with the clearest circles, from which the common radius is computed."""


def search_circles(view: FieldView) -> NDArray[np.float64]:
    """Return the strongest circle of each radius near each tile's middle, (tiles², radii, 3).

    The last axis is x and y, in px of the view, and votes, 0..1.
    """
    edges = edges_of(view.image)
    reach = round(_REACH * TILE_PX)
    middles = ((np.arange(view.tiles) + MARGIN + 0.5) * TILE_PX).astype(int)
    found = np.zeros((view.tiles**2, len(RADII), 3))
    for index, radius in enumerate(RADII * TILE_PX):
        votes = circle_votes(edges, float(radius))
        for tile, (y, x) in enumerate((y, x) for y in middles for x in middles):
            window = votes[y - reach : y + reach + 1, x - reach : x + reach + 1]
            row, column = np.unravel_index(window.argmax(), window.shape)
            found[tile, index] = x - reach + column, y - reach + row, window[row, column]
    return found


def common_radius(view: FieldView, circles: NDArray[np.float64], faces: TokenFaces) -> int:
    """Return the index into `RADII` of the radius at which the clearest circles resemble tokens most.

    All discs have the same size; many have printed rings inside their rim, which are circles as well. circles: as
    returned by `search_circles`. faces: of the tokens.
    """
    clearest = np.argsort(-circles[..., 2].max(axis=1))[:_SAMPLE]
    radii = np.broadcast_to((RADII * TILE_PX)[:, None], (len(RADII), len(clearest)))
    tried = np.dstack([circles[clearest, :, :2].transpose(1, 0, 2), radii]).reshape(-1, 3)
    logs = number_log_likelihoods(view.colours, tried, faces, TILE_PX / view.picture_px, scales=(1.0,))
    return int(logs.max(axis=1).reshape(len(RADII), -1).sum(axis=1).argmax())
