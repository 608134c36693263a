"""The networks of play: one finds hands, one tells open ones from fists, two look into them in turn and a third
from nearer, for they err in different ways."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from vision.detector.network import DETECTOR, HANDS, NEARER, PALMS, Network
from vision.detector.openness import Openness


@dataclass(frozen=True, eq=False, slots=True)
class Sight:
    """What hands are found with, what tells whether they are open, what each look into a palm is made with, the
    first one first, and what looks from nearer into a doubtful one, if anything does."""

    hands: Network
    openness: Openness
    palms: tuple[Network, ...]
    nearer: Network | None = None

    @classmethod
    def shipped(cls, palms: Path | None = None) -> Sight:
        """Load the shipped networks; palms: an ONNX file for the first look into palms, if not the shipped one.

        Raises RuntimeError when weights cannot be used.
        """
        return cls(Network(HANDS), Openness(), (Network(palms or PALMS), Network(DETECTOR)), Network(NEARER))
