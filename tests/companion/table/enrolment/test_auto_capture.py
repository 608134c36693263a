"""The camera shoots by itself: once for each rest, never while somebody reaches in."""

from __future__ import annotations

from companion.director.setup_scenes import specimens_scene
from companion.table.enrolment.auto_capture import AutoCapture
from tests.companion.table.enrolment.enrolled import renderer
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import HandOnTable, Scene

EMPTY = Scene(seats=4, tile=False)
ARM = Scene(seats=4, tile=False, hands=(HandOnTable(0, 0.7, 0.2),))


def pictures(scene: Scene, count: int = 5) -> list[Image]:
    return [renderer().render(scene, number) for number in range(count)]


def shots(capture: AutoCapture, scene: Scene, count: int = 5) -> int:
    return sum(capture.feed(picture) for picture in pictures(scene, count))


def test_each_rest_is_taken_once_and_only_when_the_hand_has_left() -> None:
    capture = AutoCapture()
    assert shots(capture, EMPTY) == 1
    assert shots(capture, EMPTY) == 0
    assert shots(capture, ARM) == 0
    assert shots(capture, specimens_scene("search:red", 1)) == 1
    assert shots(capture, specimens_scene("search:red", 1)) == 0


def test_the_same_picture_is_no_sign_of_rest() -> None:
    capture = AutoCapture()
    picture = pictures(EMPTY, 1)[0]
    assert not any(capture.feed(picture) for _ in range(10))


def test_what_reaches_in_for_good_belongs_to_the_table_after_a_while() -> None:
    capture = AutoCapture()
    shots(capture, EMPTY)
    assert shots(capture, ARM, 7) == 0
    assert shots(capture, ARM, 7) == 1
