"""The trained network, run by OpenVINO: pictures in, boxes out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.frame import Image
from vision.detector.detector import LABELS, Detection
from vision.readings import Box

HANDS, DETECTOR, PALMS = (Path(__file__).parent / f"{name}.onnx" for name in ("hands", "detector", "palms"))
"""The shipped weights: hand finder (wide scale), general detector (both scales), hand-crop detector."""
_STRIDE = 16
SAME = 0.4
"""Two boxes of a label that overlap by more (intersection over union) are one thing seen twice."""
_LEAST = 0.05
"""Weaker boxes are not even candidates."""
_MOST = 120
_SIDE_BY_SIDE = 2
"""So many pictures are looked at side by side, each on its part of the cores; a picture alone has all of them."""
_AT_ONCE = 8
"""Of many pictures only so many are begun together: each takes memory."""


def loaded(weights: Path) -> tuple[Any, Any, Any]:
    """Read a network's ONNX file; gives OpenVINO, its core and the model. Raises RuntimeError when it cannot."""
    # Importing OpenVINO reports that to its maker unless its reporting part is missing.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    # It takes a while to import, and a table that nobody watches needs none of it.
    import openvino

    core = openvino.Core()
    try:
        return openvino, core, core.read_model(weights.read_bytes(), b"")
    except (RuntimeError, OSError) as error:
        raise RuntimeError(
            f"The detector's weights in {weights} cannot be used: install the companion again."
        ) from error


class Network:
    """A detector loaded for play. Not to be shared between threads."""

    def __init__(self, weights: Path = DETECTOR) -> None:
        """Load the weights of an ONNX file. Raises RuntimeError when they cannot be used."""
        openvino, self._core, self._model = loaded(weights)
        self._prepost, self._bytes = openvino.preprocess.PrePostProcessor, openvino.Type.u8
        self._compiled: dict[tuple[tuple[int, ...], int], tuple[Any, list[Any]]] = {}

    def detect(self, images: Sequence[Image], least: float = _LEAST) -> list[tuple[Detection, ...]]:
        """Find things in pictures (BGR, uint8) whose sides 16 divides; strongest first."""
        if len(images) == 1:
            return [self._begin(images[0], 1).found(least)]
        found: list[tuple[Detection, ...]] = []
        for start in range(0, len(images), _AT_ONCE):
            found += [
                each.found(least) for each in [self.begin(image) for image in images[start : start + _AT_ONCE]]
            ]
        return found

    def begin(self, image: Image) -> Looking:
        """Begin to look at a picture (BGR, uint8) whose sides 16 divides, and do not wait for what is found.

        Pictures that are begun together are looked at side by side: that takes less time than one by one.
        """
        return self._begin(image, _SIDE_BY_SIDE)

    def _begin(self, image: Image, streams: int) -> Looking:
        height, width = image.shape[:2]
        if height % _STRIDE or width % _STRIDE:
            raise ValueError(f"The sides of a picture must be multiples of {_STRIDE} px, not {width} and {height}.")
        planes = np.ascontiguousarray(image[..., ::-1].transpose(2, 0, 1)[None])
        compiled, idle = self._for(planes.shape, streams)
        request = idle.pop() if idle else compiled.create_infer_request()
        request.start_async({0: planes})
        return Looking(request, idle)

    def _for(self, shape: tuple[int, ...], streams: int) -> tuple[Any, list[Any]]:
        """Compile the network once for so many pictures of this shape (1, 3, height, width) side by side.

        The requests that are idle go with it.
        """
        if (shape, streams) not in self._compiled:
            if len(self._compiled) > 12:
                self._compiled.clear()
            model = self._model.clone()
            model.reshape(list(shape))
            prepared = self._prepost(model)
            prepared.input().tensor().set_element_type(self._bytes)
            prepared.input().preprocess().convert_element_type().scale(255.0)
            model = prepared.build()
            self._compiled[shape, streams] = self._core.compile_model(model, "CPU", {"NUM_STREAMS": streams}), []
        return self._compiled[shape, streams]


class Looking:
    """A picture that the network has begun to look at."""

    def __init__(self, request: Any, idle: list[Any]) -> None:
        self._request, self._idle = request, idle

    def found(self, least: float = _LEAST) -> tuple[Detection, ...]:
        """Wait for what is found in it, strongest first. To be asked once."""
        self._request.wait()
        found = _boxes(np.asarray(self._request.get_output_tensor(0).data[0], np.float32), least)
        self._idle.append(self._request)
        return found


def _boxes(raw: NDArray[np.float32], least: float) -> tuple[Detection, ...]:
    """Read the network's answer, (4 + labels, anchors): centres and sizes in px, then a score a label."""
    strongest = raw[4:].max(axis=0)
    kept = np.flatnonzero(strongest > least)
    if not len(kept):
        return ()
    centre, size, scores = raw[:2, kept].T, raw[2:4, kept].T, strongest[kept]
    labels = raw[4:, kept].argmax(axis=0)
    boxes = np.c_[centre - size / 2, size]
    chosen = cv2.dnn.NMSBoxesBatched(boxes.tolist(), scores.tolist(), labels.tolist(), least, SAME)
    ordered = sorted(np.asarray(chosen, int).reshape(-1), key=lambda index: -scores[index])
    return tuple(Detection(LABELS[labels[i]], _box(boxes[i]), float(scores[i])) for i in ordered[:_MOST])


def _box(row: NDArray[np.float64]) -> Box:
    x, y, width, height = (float(value) for value in row)
    return x, y, width, height
