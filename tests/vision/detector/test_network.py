from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from models.detector.crops import Crop, close_crops, wide_crops
from models.detector.scenes import SyntheticPicture, session_pictures
from models.evaluation.scenes import held_out_parameters
from vision.bounding_boxes import overlap
from vision.detector import CROP_PX
from vision.detector.network import Network


@pytest.fixture(scope="module")
def network() -> Network:
    return Network()


@pytest.fixture(scope="module")
def drawn() -> SyntheticPicture:
    """A picture with people whom the detector has not seen."""
    return next(session_pictures(80, held_out_parameters.look(80)))


def cut(picture: SyntheticPicture, seed: int) -> list[Crop]:
    rng = np.random.default_rng(seed)
    return [*wide_crops(picture, rng, 1), *close_crops(picture, rng)]


def test_most_hands_and_pieces_of_an_unseen_session_are_found(network: Network, drawn: SyntheticPicture) -> None:
    asked = found = 0
    for crop in cut(drawn, 5):
        detections = network.detect([crop.image], 0.2)[0]
        for label, box in crop.boxes:
            if label in ("piece", "open", "closed"):
                asked += 1
                found += any(d.label == label and overlap(d.box, box) > 0.4 for d in detections)
    assert asked >= 12
    assert found / asked > 0.8


def test_nothing_is_found_in_an_even_grey(network: Network) -> None:
    assert network.detect([np.full((CROP_PX, CROP_PX, 3), 120, np.uint8)], 0.2) == [()]


def test_answers_come_strongest_first_and_do_not_depend_on_the_company(
    network: Network, drawn: SyntheticPicture
) -> None:
    one, other, *_ = (crop.image for crop in cut(drawn, 6))
    together = network.detect([one, other])
    assert together == [network.detect([one])[0], network.detect([other])[0]]
    for detections in together:
        scores = [d.score for d in detections]
        assert scores == sorted(scores, reverse=True)
        assert all(0 < score <= 1 for score in scores)


def test_many_pictures_are_answered_in_their_order(network: Network, drawn: SyntheticPicture) -> None:
    several = [crop.image for crop in cut(drawn, 7)][:4]
    assert network.detect(several * 5) == [network.detect([image])[0] for image in several] * 5


def test_what_was_begun_together_may_be_asked_in_any_order(network: Network, drawn: SyntheticPicture) -> None:
    one, other, *_ = (crop.image for crop in cut(drawn, 6))
    begun = [network.begin(one), network.begin(other)]
    assert [looking.found() for looking in reversed(begun)] == [
        network.detect([other])[0],
        network.detect([one])[0],
    ]
    assert network.begin(other).found(0.5) == network.detect([other], 0.5)[0]


def test_pictures_whose_sides_do_not_fit_are_refused(network: Network) -> None:
    with pytest.raises(ValueError, match="multiples of 16"):
        network.detect([np.zeros((250, 256, 3), np.uint8)])


def test_a_file_that_is_no_network_is_refused_in_words(tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"nothing")
    with pytest.raises(RuntimeError, match="detector's weights"):
        Network(broken)


def test_nothing_is_reported_to_anybody() -> None:
    program = (
        "from vision.detector.network import Network; Network(); import sys; "
        "assert sys.modules['openvino_telemetry'] is None"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
