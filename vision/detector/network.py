"""Detector network on OpenVINO: from pictures to boxes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.compilation import compiled, loaded
from vision.detector.detection_types import LABELS, Detection
from vision.readings import Box

HANDS, DETECTOR, PALMS = (Path(__file__).parent / f"{name}.onnx" for name in ("hands", "detector", "palms"))
"""Shipped weights: hand detector (wide scale), general detector (both scales), hand-crop detector."""
_STRIDE = 16
"""Sides of an input picture must be a multiple of this, px."""
SAME = 0.4
"""Minimum overlap (intersection over union) of two boxes of one label that are the same object."""
_MIN_SCORE = 0.05
"""Minimum score of a candidate box."""
_MAX_BOXES = 120
"""Maximum number of boxes returned."""
_STREAMS = 2
"""Number of parallel inference streams for several pictures; a single picture is processed by all cores."""
_BATCH = 8
"""Maximum number of pictures in flight, as each takes memory."""
_SHAPES = 12
"""Shapes of inputs whose inference requests are kept."""


class Network:
    """A loaded detector. Not thread-safe."""

    def __init__(self, weights: Path = DETECTOR) -> None:
        """Load the weights from an ONNX file. Raises RuntimeError when they cannot be used."""
        loaded(weights)  # refuses an unusable file now; each size is compiled when it is first needed
        self._weights = weights
        self._idle: dict[tuple[tuple[int, ...], int], list[Any]] = {}

    def detect(self, images: Sequence[Image], least: float = _MIN_SCORE) -> list[tuple[Detection, ...]]:
        """Return the objects detected in each picture, strongest first.

        images: BGR, uint8, sides multiples of 16 px. least: minimum score.
        """
        if len(images) == 1:
            return [self._begin(images[0], 1).found(least)]
        found: list[tuple[Detection, ...]] = []
        for start in range(0, len(images), _BATCH):
            found += [each.found(least) for each in [self.begin(image) for image in images[start : start + _BATCH]]]
        return found

    def begin(self, image: Image) -> PendingDetection:
        """Start inference on a BGR uint8 picture without waiting for the result; its sides are multiples of 16 px.

        Pictures started together are processed in parallel, which is faster than one by one.
        """
        return self._begin(image, _STREAMS)

    def _begin(self, image: Image, streams: int) -> PendingDetection:
        """Start inference on a network that is compiled for this number of parallel inferences."""
        height, width = image.shape[:2]
        if height % _STRIDE or width % _STRIDE:
            raise ValueError(f"The sides of a picture must be multiples of {_STRIDE} px, not {width} and {height}.")
        planes = np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1)[None])
        idle = self._idle.setdefault((planes.shape, streams), [])
        if len(self._idle) > _SHAPES:
            self._idle = {(planes.shape, streams): idle}
        request = idle.pop() if idle else self._request(planes.shape, streams)
        request.start_async({0: planes})
        return PendingDetection(request, idle)

    def _request(self, shape: tuple[int, ...], streams: int) -> Any:
        """Return a new inference request for inputs of this shape, (1, 3, height, width)."""
        return compiled(self._weights, shape, streams=streams, of_bytes=True).create_infer_request()


class PendingDetection:
    """Inference in progress on one picture."""

    def __init__(self, request: Any, idle: list[Any]) -> None:
        self._request, self._idle = request, idle

    def found(self, least: float = _MIN_SCORE) -> tuple[Detection, ...]:
        """Wait for the result and return the detected objects, strongest first. Call only once."""
        self._request.wait()
        found = _boxes(np.asarray(self._request.get_output_tensor(0).data[0], np.float32), least)
        self._idle.append(self._request)
        return found


def _boxes(raw: NDArray[np.float32], least: float) -> tuple[Detection, ...]:
    """Decode the network's raw output (4 + labels, anchors) to detections, strongest first.

    Each anchor has centre and size in px and one score per label.
    """
    strongest = raw[4:].max(axis=0)
    kept = np.flatnonzero(strongest > least)
    if not len(kept):
        return ()
    centre, size, scores = raw[:2, kept].T, raw[2:4, kept].T, strongest[kept]
    labels = raw[4:, kept].argmax(axis=0)
    boxes = np.c_[centre - size / 2, size]
    chosen = cv2.dnn.NMSBoxesBatched(boxes.tolist(), scores.tolist(), labels.tolist(), least, SAME)
    ordered = sorted(np.asarray(chosen, int).reshape(-1), key=lambda index: -scores[index])
    return tuple(Detection(LABELS[labels[i]], _box(boxes[i]), float(scores[i])) for i in ordered[:_MAX_BOXES])


def _box(row: NDArray[np.float64]) -> Box:
    """Return a row of an array as a box."""
    x, y, width, height = (float(value) for value in row)
    return x, y, width, height
