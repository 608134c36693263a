"""Model set of the hand reader: hand detector, open/closed classifier, two hand-crop detectors."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.detector.network import DETECTOR, HANDS, PALMS, Network
from vision.detector.open_closed_classifier import OpenClosedClassifier


@dataclass(frozen=True, eq=False, slots=True)
class ModelSet:
    """Networks that read hands and the pieces in them."""

    hands: Network
    """Hand detector."""
    open_closed: OpenClosedClassifier
    """Open/closed classifier."""
    hand_crop_detectors: tuple[Network, ...]
    """Piece detectors for hand crops; inference passes use them in turn, because their errors differ."""

    @classmethod
    def shipped(cls, hand_crop_detector: Path | None = None) -> ModelSet:
        """Load the shipped networks. Raises RuntimeError when weights cannot be used.

        hand_crop_detector: ONNX file that replaces the first of the two hand-crop detectors.
        """
        return cls(
            Network(HANDS), OpenClosedClassifier(), (Network(hand_crop_detector or PALMS), Network(DETECTOR))
        )
