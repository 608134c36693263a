"""Pictures of patterned boards on which a person marked the pieces; the rest of each is known background."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

import cv2
import numpy as np

from calibration.errors import ProfileError
from calibration.plane import Image, TablePlane

Box = tuple[float, float, float, float]

MOST_BOARDS = 6
"""Pictures kept; the newest stay."""
_JPEG_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 95]
"""Quality of stored pictures, in the form of `cv2.imencode`."""


@dataclass(frozen=True, eq=False)
class MarkedPicture:
    """One picture of pieces on a patterned board."""

    jpeg: bytes
    """The picture, JPEG."""
    plane: TablePlane
    """Table plane of the picture."""
    marks: Mapping[str, tuple[Box, ...]]
    """Boxes (x, y, width, height in px) by kind, round every piece of that kind."""
    source: str
    """Short digest of the original picture."""

    def __post_init__(self) -> None:
        """Keep the marks read-only."""
        object.__setattr__(self, "marks", MappingProxyType(dict(self.marks)))

    @classmethod
    def of(cls, image: Image, plane: TablePlane, kind: str, boxes: Sequence[Box]) -> MarkedPicture:
        """Return the picture of a board with boxes of the pieces of a kind."""
        data = cv2.imencode(".jpg", image, _JPEG_QUALITY)[1].tobytes()
        source = hashlib.sha256(np.ascontiguousarray(image).tobytes()).hexdigest()[:16]
        return cls(data, plane, {kind: tuple(boxes)}, source)

    @cached_property
    def image(self) -> Image:
        """Return the picture, BGR. Raises ProfileError when it is damaged or not of its plane's size."""
        image = cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), cv2.IMREAD_COLOR)
        if image is None or (image.shape[1], image.shape[0]) != self.plane.image_size:
            raise ProfileError("A picture of a board with pieces is damaged: enrol its pieces again.")
        return np.asarray(image, np.uint8)


def with_board(
    boards: Sequence[MarkedPicture], more: MarkedPicture, *, replace_kind: bool
) -> tuple[MarkedPicture, ...]:
    """Add a picture, or its marks to the same picture. replace_kind: remove this kind's marks from the others."""
    kinds = set(more.marks)
    known = list(boards)
    if replace_kind:
        cut = [replace(b, marks={kind: m for kind, m in b.marks.items() if kind not in kinds}) for b in known]
        known = [board for board in cut if board.marks]
    same = next((board for board in known if board.source == more.source), None)
    if same is None:
        return (*known, more)[-MOST_BOARDS:]
    return tuple(replace(b, marks={**b.marks, **more.marks}) if b is same else b for b in known)
