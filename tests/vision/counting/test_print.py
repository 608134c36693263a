from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.errors import ProfileError
from calibration.pieces.enrolment import enrol_marked
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.sharing import export_profile, read_profile
from companion.cli import main
from models.print_segmentation.scenes import scene
from vision.boxes import centre, overlap
from vision.counting.box_detector import Maps, candidates, training_samples, typical_sizes
from vision.counting.pixel_features import local_features
from vision.counting.print_segmentation import FEATURES, OUTPUTS, shipped_network
from vision.counting.printed_boards import place_features, unexplained_boxes
from vision.counting.small_networks import Rows, TrainingConfig, train_ensemble
from vision.counting.table_counter import PieceCounter
from vision.readings import Box

KINDS = {"token:red": (40, 40, 190), "token:blue": (170, 80, 30)}
SIDE, PIECE = 320, 22.0
Lying = list[tuple[str, Box]]


def _print(rng: np.random.Generator) -> Image:
    """A printed board: soft patches of a few colours with fine drawing, some near to the pieces' colours."""
    inks = np.array([(60, 150, 80), (90, 190, 220), (60, 90, 150), (200, 150, 70), (120, 120, 130)], np.uint8)
    cells = inks[rng.integers(0, len(inks), (6, 6))]
    board = cv2.resize(cells, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (SIDE, SIDE, 3)).astype(np.float32), (0, 0), 1.5)
    return np.clip(cv2.GaussianBlur(board, (0, 0), 3).astype(np.float32) + grain, 0, 255).astype(np.uint8)


@cache
def board(seed: int, light: float = 1.0) -> tuple[Image, Lying]:
    """Sticks of two colours on print, lying any way round, with their boxes."""
    rng = np.random.default_rng(seed)
    picture = _print(rng)
    lying: Lying = []
    places = [(40 + 60 * column, 40 + 60 * row) for column in range(5) for row in range(5)]
    for number, place in enumerate(rng.permutation(places)[:18]):
        kind = list(KINDS)[number % 2]
        middle = (float(place[0] + rng.uniform(-8, 8)), float(place[1] + rng.uniform(-8, 8)))
        corners = cv2.boxPoints((middle, (PIECE, PIECE / 2.2), float(rng.uniform(0, 180))))
        cv2.fillPoly(picture, [np.round(corners).astype(np.int32)], KINDS[kind], cv2.LINE_AA)
        (left, top), (right, bottom) = corners.min(axis=0) - 1, corners.max(axis=0) + 1
        lying.append((kind, (float(left), float(top), float(right - left), float(bottom - top))))
    noisy = light * picture.astype(np.float32) + rng.normal(0, 2, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), lying


def enrolled(*seeds: int) -> TableProfile:
    """Return a profile with the pieces on these boards, pointed at."""
    profile = TableProfile(4).with_flat(2.0, 4)
    for seed in seeds:
        image, lying = board(seed)
        for kind in KINDS:
            boxes = [box for name, box in lying if name == kind]
            profile = enrol_marked(profile, kind, image, boxes=boxes, force=True)
    return profile


@pytest.fixture(scope="module")
def profile() -> TableProfile:
    return enrolled(1, 2)


@pytest.fixture(scope="module")
def counter() -> PieceCounter:
    """Counts with what is learned from one board: the second would double the time of learning."""
    return PieceCounter(enrolled(1))


@pytest.mark.parametrize(("seed", "light"), [pytest.param(3, 1.0, marks=pytest.mark.slow), (4, 0.75)])
def test_pieces_are_found_among_print_on_a_board_and_in_a_light_that_was_not_shown(
    counter: PieceCounter, seed: int, light: float
) -> None:
    image, lying = board(seed, light)
    found = [(piece.kind, piece.box) for piece in counter.count(image).pieces]
    right = [one for one in lying if any(one[0] == kind and overlap(one[1], box) > 0.3 for kind, box in found)]
    assert len(right) >= 0.85 * len(lying)
    assert len(found) <= len(right) + 3


def test_nothing_that_is_found_among_print_is_taken_silently(counter: PieceCounter) -> None:
    reading = counter.count(board(3)[0])
    assert [thing.box for thing in reading.doubtful] == [piece.box for piece in reading.pieces]
    assert sum(reading.counts.values()) == len(reading.pieces) > 0
    assert all(0 < piece.confidence < 1 for piece in reading.pieces)


@pytest.mark.slow
def test_a_piece_on_print_in_a_colour_that_is_not_enrolled_is_pointed_at(profile: TableProfile) -> None:
    made = scene(np.random.default_rng(1))  # 23 solid things of other paints
    reading = PieceCounter(profile).count(made.image)
    pointed = [thing for thing in reading.doubtful if "stands on the board" in thing.reason]
    assert all(thing.box not in [piece.box for piece in reading.pieces] for thing in pointed)
    on_things = [made.whose[int(y), int(x)] > 0 for x, y in (centre(thing.box) for thing in pointed)]
    assert sum(on_things) >= 11
    assert len(on_things) <= sum(on_things) + 3


def test_only_what_surely_stands_there_is_large_enough_and_was_not_found_is_strange() -> None:
    there = np.zeros((80, 80), np.float32)
    for row, column, side, sure in ((10, 10, 12, 0.95), (10, 40, 12, 0.95), (40, 10, 4, 0.95), (40, 40, 12, 0.8)):
        there[row : row + side, column : column + side] = sure
    found = [(2 * 40.0, 2 * 10.0, 2 * 12.0, 2 * 12.0)]
    assert unexplained_boxes(there, found, 144.0) == [(20.0, 20.0, 24.0, 24.0)]
    assert unexplained_boxes(there, [], 144.0) == [(20.0, 20.0, 24.0, 24.0), *found]
    assert len(unexplained_boxes(there, [], 16.0)) == 3


def test_the_boards_are_kept_with_the_profile_and_shared_with_it(profile: TableProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "p")
    export_profile(TableProfile.load(tmp_path / "p"), tmp_path / "p.zip")
    again = read_profile(tmp_path / "p.zip")
    assert [dict(own.marks) for own in again.boards] == [dict(own.marks) for own in profile.boards]
    assert [set(own.marks) for own in again.boards] == [set(KINDS)] * 2
    assert np.abs(again.boards[0].image.astype(int) - board(1)[0]).mean() < 8


def test_showing_a_picture_again_or_replacing_a_kind_leaves_one_set_of_marks(profile: TableProfile) -> None:
    image, lying = board(2)
    boxes = [box for name, box in lying if name == "token:red"]
    again = enrol_marked(profile, "token:red", image, boxes=boxes[:3], force=True)
    assert [len(own.marks["token:red"]) for own in again.boards] == [9, 3]
    anew = enrol_marked(profile, "token:red", image, boxes=boxes, replace=True)
    assert [set(own.marks) for own in anew.boards] == [{"token:blue"}, set(KINDS)]


def test_pieces_whose_board_is_not_known_are_asked_for_again(profile: TableProfile) -> None:
    bare = TableProfile(4, profile.plane, table_light=profile.table_light, pieces=profile.pieces)
    with pytest.raises(ProfileError, match="No pieces were pointed out on a board"):
        PieceCounter(bare).count(board(3)[0])


def test_a_damaged_picture_of_a_board_is_refused_with_one_line(profile: TableProfile, tmp_path: Path) -> None:
    profile.save(tmp_path / "p")
    broken = next((tmp_path / "p").glob("board-*.jpg"))
    broken.write_bytes(broken.read_bytes()[:40])
    cv2.imwrite(str(tmp_path / "board.png"), board(3)[0])
    done = CliRunner().invoke(main, ["count", "-p", str(tmp_path / "p"), str(tmp_path / "board.png")])
    assert (done.exit_code, done.stderr.strip().count("\n")) == (3, 0), done.output
    assert "is damaged: restore it, or enrol again" in done.stderr


def test_boxes_are_tried_at_a_bounded_number_of_places_though_a_whole_table_has_a_kinds_colour() -> None:
    windows = candidates(np.ones((640, 360), np.float32), np.array([[15.0, 10.0]]))
    assert len(windows) == 3 * 12_000


def test_places_look_the_same_when_the_picture_is_turned() -> None:
    image = board(5)[0]
    turned = local_features(np.ascontiguousarray(image[::-1, ::-1]))[::-1, ::-1]
    straight = local_features(image)
    inside = (slice(20, -20), slice(20, -20))
    assert np.median(np.abs(straight[inside] - turned[inside])) < 0.25 * np.median(np.abs(straight[inside]))


def test_a_classifier_learns_what_no_line_can_part() -> None:
    rng = np.random.default_rng(0)
    rows = rng.uniform(-1, 1, (2000, 2)).astype(np.float32)
    wanted = np.eye(2, dtype=np.float32)[(rows.prod(axis=1) > 0).astype(int)]
    learned = train_ensemble(rows, wanted, TrainingConfig(hidden=24, epochs=40, noise=0.02))
    other = rng.uniform(-1, 1, (500, 2)).astype(np.float32)
    assert np.mean((learned(other)[:, 1] > 0.5) == (other.prod(axis=1) > 0)) > 0.93


def test_members_that_begin_otherwise_answer_together() -> None:
    rng = np.random.default_rng(1)
    rows = rng.normal(0, 1, (300, 4)).astype(np.float32)
    unsure = 1 / (1 + np.exp(-2 * rows[:, 0] - rng.normal(0, 1, 300)))
    wanted = np.stack([1 - unsure, unsure], axis=1).astype(np.float32)
    learned = train_ensemble(rows, wanted, TrainingConfig(hidden=16, epochs=30))
    alone = [replace(learned, members=(one,))(rows) for one in learned.members]
    assert len(alone) > 1
    assert all(np.abs(alone[0] - other).max() > 0.01 for other in alone[1:])
    np.testing.assert_allclose(learned(rows), np.mean(alone, axis=0), atol=1e-6)
    np.testing.assert_allclose(learned(rows).sum(axis=1), 1, atol=1e-5)
    again = train_ensemble(rows, wanted, TrainingConfig(hidden=16, epochs=30))
    assert np.array_equal(learned(rows), again(rows)), "the same rows give the same classifier"


def test_boxes_are_told_by_what_stands_there_and_by_where_its_sides_are() -> None:
    own = np.zeros((60, 60), np.float32)
    own[20:30, 20:34] = 1.0
    row, column = np.indices(own.shape, dtype=np.float32)
    right = np.stack([0 * column + 20, 0 * row + 20, 0 * column + 34, 0 * row + 30], axis=-1)
    maps = Maps(own, np.zeros_like(own), own, right)
    true = [(2 * 20.0, 2 * 20.0, 2 * 14.0, 2 * 10.0)]
    shapes = typical_sizes(true)

    def learned_of(seen: Maps) -> Rows:
        return training_samples(seen, true, shapes, np.random.default_rng(1))[0]

    plain = learned_of(maps)
    flat, elsewhere = replace(maps, raised=np.zeros_like(own)), replace(maps, sides=right + np.float32(6))
    for other in (flat, elsewhere):
        assert learned_of(other).shape == plain.shape
        assert not np.allclose(learned_of(other), plain)
    # The last four of a box that fits are how far its sides are off: nothing here, six cells there.
    best = int(np.abs(plain[:, -4:]).sum(axis=1).argmin())
    assert np.abs(plain[best, -4:]).max() < 0.1
    assert (learned_of(elsewhere)[best, -4:] > 0.3).all()


def test_places_are_told_by_all_that_the_network_sees_there() -> None:
    image, _ = board(3)
    seen = shipped_network().segment(image)
    measured = place_features(image, seen)
    assert np.array_equal(measured[..., -(OUTPUTS + FEATURES) :], seen.outputs)
    assert np.array_equal(measured[..., : -(OUTPUTS + FEATURES)], local_features(image))
