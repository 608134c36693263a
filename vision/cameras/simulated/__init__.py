"""Simulated table: a camera that renders synthetic scenes of cards, pieces and hands."""

from __future__ import annotations

from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.camera import SimulatedCamera
from vision.cameras.simulated.components_to_draw import rasterised
from vision.cameras.simulated.renderer import Renderer

__all__ = ["Look", "Renderer", "SimulatedCamera", "rasterised"]
