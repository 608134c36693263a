from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.camera.sheet import board, find
from tests.vision.cameras.simulated.tables import faces, table
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import CardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.simulated_layout import seat_angle

QUIET = replace(Look(), noise=0.0)


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(Look.from_seed(11), faces())


@pytest.fixture(scope="module")
def quiet() -> Renderer:
    return Renderer(QUIET, faces())


def hands(count: int, **changes: object) -> Scene:
    shown = {"reach": 1.0, "openness": 1.0, "pieces": ("search:red",) * 3, **changes}
    return Scene(count, hands=tuple(HandOnTable(seat, look=seat + 3, **shown) for seat in range(count)))  # type: ignore[arg-type]


def test_the_same_scene_number_and_look_give_the_same_picture(renderer: Renderer) -> None:
    scene = table(4)
    again = Renderer(Look.from_seed(11), faces()).render(scene, 7)
    assert np.array_equal(renderer.render(scene, 7), again)
    assert again.shape == (720, 1280, 3)
    assert again.dtype == np.uint8


def test_another_number_changes_nothing_but_the_noise(renderer: Renderer) -> None:
    scene = table(4)
    one, other = renderer.render(scene, 1).astype(int), renderer.render(scene, 2).astype(int)
    assert 0 < np.abs(one - other).mean() < 3 * renderer.look.noise
    assert abs((one - other).mean()) < 0.1


def test_drawing_other_scenes_in_between_does_not_change_a_picture(renderer: Renderer) -> None:
    scene = table(5)
    before = renderer.render(scene, 3)
    renderer.render(table(6), 0)
    renderer.render(replace(scene, hands=()), 0)
    assert np.array_equal(renderer.render(scene, 3), before)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_a_hand_comes_to_rest_in_its_own_seats_sector(renderer: Renderer, seats: int) -> None:
    _, truth = renderer.render_with_truth(hands(seats))
    assert [hand.seat for hand in truth.hands] == list(range(seats))
    origin = renderer.view.project(np.zeros((1, 3)))[0]
    for hand in truth.hands:
        x, y, width, height = hand.box
        right, up = x + width / 2 - origin[0], origin[1] - y - height / 2
        off = abs((np.degrees(np.arctan2(-right, -up)) - seat_angle(seats, hand.seat) + 180) % 360 - 180)
        assert off < 180 / seats


def test_hands_out_of_reach_leave_the_table_as_it_is(quiet: Renderer) -> None:
    empty = quiet.render(Scene(5)).astype(int)
    gone = quiet.render(hands(5, reach=0.0, openness=0.0)).astype(int)
    barely = quiet.render(hands(5, reach=0.001, openness=0.0)).astype(int)
    assert np.array_equal(gone, empty)
    changed = np.abs(barely - empty).max(axis=2) > 24
    assert changed.mean() < 0.01


def test_a_fist_shows_no_piece_and_an_open_hand_shows_all(quiet: Renderer) -> None:
    _, closed = quiet.render_with_truth(hands(4, openness=0.2))
    _, opened = quiet.render_with_truth(hands(4))
    assert [(hand.state, len(hand.pieces)) for hand in closed.hands] == [("closed", 0)] * 4
    assert [(hand.state, len(hand.pieces)) for hand in opened.hands] == [("open", 3)] * 4


def test_a_fist_looks_the_same_whatever_it_holds(quiet: Renderer) -> None:
    empty = quiet.render(hands(4, openness=0.0, pieces=()))
    full = quiet.render(hands(4, openness=0.0, pieces=("search:green",) * 8))
    assert np.array_equal(empty, full)


def test_truth_boxes_hold_the_pixels_that_a_piece_changes(quiet: Renderer) -> None:
    bare = quiet.render(hands(3, pieces=())).astype(int)
    for kind in ("search:purple", "search:green", "search:yellow", "sign:witch"):
        picture, truth = quiet.render_with_truth(hands(3, pieces=(kind,)))
        changed = np.abs(picture.astype(int) - bare).max(axis=2) > 40
        for hand in truth.hands:
            (piece,) = hand.pieces
            x, y, width, height = piece.box
            assert 7 < width < 26
            assert 7 < height < 26
            inside = changed[round(y) : round(y + height), round(x) : round(x + width)]
            assert inside.mean() > 0.3, (kind, hand.seat)
            changed[round(y) - 2 : round(y + height) + 2, round(x) - 2 : round(x + width) + 2] = False
        assert changed.mean() < 0.0004, kind


@pytest.mark.slow
def test_full_hands_can_nearly_always_be_counted() -> None:
    visible = []
    for seed in range(3):
        renderer = Renderer(Look.from_seed(seed), faces())
        scene = hands(5, pieces=("search:green",) * 8 + ("sign:witch", "sign:soul"))
        _, truth = renderer.render_with_truth(scene)
        for hand in truth.hands:
            visible += [piece.visible for piece in hand.pieces] + [0.0] * (10 - len(hand.pieces))
    assert np.mean(np.array(visible) >= 0.25) > 0.96
    assert np.mean(np.array(visible) < 0.9) > 0.15, "heaps must overlap as in real hands"


@pytest.mark.first_is_quick
@pytest.mark.parametrize("seed", range(4))
def test_the_sheet_gives_back_where_the_camera_hangs(seed: int) -> None:
    look = Look.from_seed(seed)
    renderer = Renderer(look, faces())
    found = find(renderer.render(Scene(4, tile=False, sheet=True)))
    assert len(found.table_mm) == len(board().getChessboardCorners())
    table_mm = np.c_[found.table_mm, np.zeros(len(found.table_mm))]
    view = renderer.view
    error = np.linalg.norm(view.project(table_mm) - found.image_px, axis=1)
    assert error.max() < 1.0
    solved, turn, shift = cv2.solvePnP(table_mm, found.image_px, view.matrix, view.distortion)
    assert solved
    position = (-cv2.Rodrigues(turn)[0].T @ shift).ravel()
    assert np.linalg.norm(position - view.position) < 0.02 * look.height


def test_the_lens_really_bends_straight_lines(quiet: Renderer) -> None:
    edge = quiet.view.project(np.array([[x, 380.0, 0.0] for x in (-600.0, 0.0, 600.0)]))
    middle = (edge[0] + edge[2]) / 2
    assert abs(edge[1][1] - middle[1]) > 2.0


def test_what_is_nearer_to_the_camera_is_larger_and_farther_from_the_middle(quiet: Renderer) -> None:
    low = quiet.view.project(np.array([[300.0, 0, 0], [316.0, 0, 0]]))
    high = quiet.view.project(np.array([[300.0, 0, 90], [316.0, 0, 90]]))
    assert high[0][0] > low[0][0] + 15
    assert high[1][0] - high[0][0] > low[1][0] - low[0][0]


def test_a_card_face_down_hides_which_card_it_is(quiet: Renderer) -> None:
    def shown(face: str | None) -> np.ndarray:
        return quiet.render(Scene(4, cards=(CardOnTable(Pose(0, 200), face),)))

    first, second = (card for card in list(faces())[:2])
    assert np.abs(shown(first).astype(int) - shown(second)).max() > 60
    assert np.abs(shown(first).astype(int) - shown(None)).max() > 60


def test_pieces_of_one_kind_alone_on_the_table_can_be_photographed_for_enrolment(quiet: Renderer) -> None:
    spots = [(-60, -40), (0, -35), (55, -45), (-50, 40), (5, 45), (60, 30)]
    pieces = tuple(PieceOnTable("search:yellow", Pose(x, y, x * 3)) for x, y in spots)
    picture, truth = quiet.render_with_truth(Scene(4, tile=False, pieces=pieces))
    bare = quiet.render(Scene(4, tile=False))
    changed = np.abs(picture.astype(int) - bare).max(axis=2) > 40
    count, *_ = cv2.connectedComponents(cv2.dilate(changed.astype(np.uint8), np.ones((5, 5))))
    assert count - 1 == len(truth.pieces) == 6


def test_a_hand_that_drifts_keeps_what_lies_in_it(quiet: Renderer) -> None:
    hand = HandOnTable(0, 1.0, 1.0, ("search:red",) * 4, 17)
    shots = [
        quiet.render_with_truth(Scene(4, hands=(replace(hand, drift=drift),)))[1].hands[0]
        for drift in ((0.0, 0.0, 0.0), (6.0, 0.0, 0.0), (0.0, 6.0, 0.0))
    ]
    still, aside, ahead = (np.array([piece.box[:2] for piece in shot.pieces]) for shot in shots)
    assert np.allclose(aside - still, (aside - still).mean(axis=0), atol=1.5)
    assert (aside - still)[:, 0].mean() > 3.0
    assert (ahead - still)[:, 1].mean() < -3.0
