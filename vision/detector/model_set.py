"""Model set of play: hand detector, open/closed classifier, two hand-crop detectors with different errors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.detector.network import DETECTOR, HANDS, PALMS, Network
from vision.detector.open_closed import OpenClosedClassifier


@dataclass(frozen=True, eq=False, slots=True)
class ModelSet:
    """Model set of a reveal reader."""

    hands: Network
    """Hand detector."""
    open_closed: OpenClosedClassifier
    """Open/closed classifier."""
    hand_crop_detectors: tuple[Network, ...]
    """Detectors of the passes over a hand's crop, used in turn."""

    @classmethod
    def shipped(cls, hand_crop_detector: Path | None = None) -> ModelSet:
        """Load the shipped networks. palms: ONNX file that replaces the shipped hand-crop detector.

        Raises RuntimeError when weights cannot be used.
        """
        return cls(
            Network(HANDS), OpenClosedClassifier(), (Network(hand_crop_detector or PALMS), Network(DETECTOR))
        )
