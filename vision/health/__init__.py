"""Whether the camera still sees the table as it should: nudged, in another light, blurred, covered."""

from vision.health.judging import Limits, Trouble
from vision.health.refinding import Refound
from vision.health.view import Health, Patience, ViewHealth

__all__ = ["Health", "Limits", "Patience", "Refound", "Trouble", "ViewHealth"]
