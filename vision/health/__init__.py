"""Health of the camera's view of the table: detect a camera that was moved, other light, blur, a covered table."""

from vision.health.pose_recovery import Refound
from vision.health.trouble_classification import Limits, Trouble
from vision.health.view_health import Health, HealthDelays, ViewHealth

__all__ = ["Health", "HealthDelays", "Limits", "Refound", "Trouble", "ViewHealth"]
