"""Trained detectors of hands, pieces, tokens and cards in square crops at table scale."""

from vision.detector.detection_types import (
    CLOSE_PX_PER_MM,
    CROP_PX,
    LABELS,
    WIDE_PX_PER_MM,
    Detection,
)

__all__ = ["CLOSE_PX_PER_MM", "CROP_PX", "LABELS", "WIDE_PX_PER_MM", "Detection"]
