import numpy as np
import pytest

from vision.cameras.frame import Frame, Image
from vision.cameras.orientation_correction import Orientation, TurnedCamera

PICTURE = np.asarray(np.arange(2 * 3 * 3).reshape(2, 3, 3), np.uint8)


class OnePicture:
    closed = False

    def grab(self) -> Frame:
        return Frame(PICTURE, 7, 1.5)

    def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize(
    ("turn", "wanted"),
    [
        (Orientation(), PICTURE),
        (Orientation(1), np.rot90(PICTURE, -1)),
        (Orientation(2), PICTURE[::-1, ::-1]),
        (Orientation(3), np.rot90(PICTURE)),
        (Orientation(0, mirrored=True), PICTURE[:, ::-1]),
        (Orientation(1, mirrored=True), np.rot90(PICTURE[:, ::-1], -1)),
    ],
)
def test_a_picture_is_mirrored_first_and_then_turned_clockwise(turn: Orientation, wanted: Image) -> None:
    assert np.array_equal(turn.apply(PICTURE), wanted)


def test_two_turns_one_after_the_other_are_one_turn() -> None:
    turns = [Orientation(quarters, mirrored) for quarters in range(4) for mirrored in (False, True)]
    for one in turns:
        for other in turns:
            assert np.array_equal(one.then(other).apply(PICTURE), other.apply(one.apply(PICTURE)))


def test_a_frame_keeps_its_number_and_its_time() -> None:
    camera = OnePicture()
    turned = TurnedCamera(camera, Orientation(1))
    frame = turned.grab()
    assert (frame.number, frame.taken_at, frame.image.shape) == (7, 1.5, (3, 2, 3))
    turned.close()
    assert camera.closed


def test_there_is_no_fifth_way_to_hang_a_camera() -> None:
    with pytest.raises(ValueError, match="right angles"):
        Orientation(4)
