"""Pictures of table tops, generated procedurally: many materials and patterns, at any angle."""

from vision.cameras.simulated.table_surfaces.parameters import KINDS, Edge, Ground, Kind, Playmat
from vision.cameras.simulated.table_surfaces.table_top_drawing import draw
from vision.cameras.simulated.table_surfaces.textures import SPAN_MM

__all__ = ["KINDS", "SPAN_MM", "Edge", "Ground", "Kind", "Playmat", "draw"]
