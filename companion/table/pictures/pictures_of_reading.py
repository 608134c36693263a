"""The JPEG pictures of one reading, for screens and for the journal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pictures:
    """The pictures of a reading, JPEG."""

    whole: bytes | None = None
    """The picture that was read, with the reading drawn over it."""
    stills: Mapping[str, bytes] = field(default_factory=dict)
    """The unchanged frames, by name; see `evidence`."""
    seats: Mapping[int, bytes] = field(default_factory=dict)
    """What was read at each seat, enlarged; by seat."""

    def of_seat(self, seat: int | None) -> bytes | None:
        """Return the JPEG of one seat, or of the whole picture for None; None if there is none."""
        return self.whole if seat is None else self.seats.get(seat)
