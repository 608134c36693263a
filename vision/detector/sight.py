"""The networks of play: hand finder, open/closed classifier, and two hand-crop detectors whose errors differ."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.detector.network import DETECTOR, HANDS, PALMS, Network
from vision.detector.openness import Openness


@dataclass(frozen=True, eq=False, slots=True)
class Sight:
    """The loaded networks of a reveal reader.

    hands: the hand finder. openness: the open/closed classifier. palms: the detectors of the inference passes on a
    hand's crop, in turn.
    """

    hands: Network
    openness: Openness
    palms: tuple[Network, ...]

    @classmethod
    def shipped(cls, palms: Path | None = None) -> Sight:
        """Load the shipped networks; palms: an ONNX file in place of the shipped hand-crop detector.

        Raises RuntimeError when weights cannot be used.
        """
        return cls(Network(HANDS), Openness(), (Network(palms or PALMS), Network(DETECTOR)))
