from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration.games.wicked.art import BOARD, CARD
from vision.cameras.simulated import Look
from vision.cameras.simulated.camera_projection import HEIGHT, WIDTH, CameraProjection
from vision.cameras.simulated.still_layer import corners
from vision.games.wicked.simulated_layout import ring_poses, seat_angle, seat_place

RING = {3: 4, 4: 5, 5: 6}


def flats(seats: int) -> dict[str, np.ndarray]:
    things = {f"corridor {slot}": corners(pose, CARD) for slot, pose in enumerate(ring_poses(RING[seats]))}
    for seat in range(seats):
        place = seat_place(seats, seat)
        things[f"board of seat {seat}"] = corners(place.board, BOARD)
        for index, pose in enumerate(place.great + place.small):
            things[f"oracle {index} of seat {seat}"] = corners(pose, CARD)
    return things


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_no_card_or_board_lies_on_another(seats: int) -> None:
    for (one, a), (other, b) in combinations(flats(seats).items(), 2):
        shared, _ = cv2.intersectConvexConvex(a.astype(np.float32), b.astype(np.float32))
        assert shared < 1.0, f"{one} lies on {other}"


@pytest.mark.slow
def test_every_look_sees_all_cards_and_boards_and_corridor_cards_are_wide_enough_to_know() -> None:
    laid = [(f"{name} of {seats}", flat) for seats in RING for name, flat in flats(seats).items()]
    for seed in range(20):
        view = CameraProjection(Look.from_seed(seed))
        for name, flat in laid:
            pixels = view.project(np.c_[flat, np.zeros(4)])
            inside = (pixels > 0).all() and (pixels < (WIDTH - 1, HEIGHT - 1)).all()
            assert inside, f"look {seed} does not see {name}"
            if name.startswith("corridor"):
                assert np.linalg.norm(pixels[0] - pixels[1]) >= 49.5, f"look {seed}, {name}"


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_everything_of_a_seat_lies_in_its_sector(seats: int) -> None:
    for seat in range(seats):
        place = seat_place(seats, seat)
        for pose in (place.board, *place.great, *place.small, place.revealed, place.impurity, place.hand):
            angle = np.degrees(np.arctan2(-pose.x, -pose.y))
            off = abs((angle - seat_angle(seats, seat) + 180) % 360 - 180)
            assert off < 180 / seats, f"seat {seat}: {pose}"


def test_corridors_start_above_the_witchs_head_and_go_clockwise_with_their_upper_side_inwards() -> None:
    first, second, *_ = ring_poses(6)
    assert (first.x, first.angle) == (pytest.approx(0), 180)
    assert first.y > 100
    assert second.x > 0
    upper_edge = corners(second, CARD)[:2].mean(axis=0)
    assert np.linalg.norm(upper_edge) < np.linalg.norm([second.x, second.y])


def test_a_table_for_two_is_refused_in_plain_words() -> None:
    with pytest.raises(ValueError, match="3, 4 or 5 can play"):
        seat_place(2, 0)
