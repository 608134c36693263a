"""Procedural table tops of many materials and patterns, at any angle."""

from vision.cameras.simulated.grounds.drawing import draw
from vision.cameras.simulated.grounds.fields import SPAN_MM
from vision.cameras.simulated.grounds.ground import KINDS, Edge, Ground, Kind, Playmat

__all__ = ["KINDS", "SPAN_MM", "Edge", "Ground", "Kind", "Playmat", "draw"]
