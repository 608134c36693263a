"""The pictures of a reading that screens show: a frozen value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a reading, JPEG."""

    whole: bytes | None = None
    """The picture that was read, with the reading drawn over it."""
    stills: Mapping[str, bytes] = field(default_factory=dict)
    """The unchanged frames, by name."""
    seats: Mapping[int, bytes] = field(default_factory=dict)
    """What was read of each seat, enlarged."""

    def of(self, seat: int | None) -> bytes | None:
        """Return the picture of one seat, or the whole one; None where there is none."""
        return self.whole if seat is None else self.seats.get(seat)
