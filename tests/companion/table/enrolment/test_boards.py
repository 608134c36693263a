"""Boards, tokens and tiles enrolled from pictures of a running table: found, pointed out, asked about, refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.errors import EnrolError
from calibration.game_kit import BoardPlan
from calibration.games.wicked.kit import KIT
from calibration.games.wicked.standin_boards import standin_boards, standin_layout
from calibration.profile import TableProfile
from companion.director.setup_scenes import specimens_scene
from companion.table.enrolment.boards import BoardShape, marked_board_step, similar_board_step, without_board
from companion.table.enrolment.enrolled_view import known_view
from companion.table.enrolment.sheet_and_pieces import KeepOptions
from companion.table.views import Refused
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile, renderer
from tests.companion.table.enrolment.enrolled_boards import lying, true_shape
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import BoardOnTable, PieceOnTable, Pose, Scene

COLOURS = ("purple", "green", "red", "black", "yellow")


@pytest.fixture(name="setup")
def _setup(tmp_path: Path) -> Iterator[EnrolmentTable]:
    setup = EnrolmentTable(tmp_path, little_profile())
    yield setup
    setup.table.close()


def picture(colour: str = "red") -> Image:
    return renderer().render(lying(colour), 3)


def test_an_empty_printed_board_is_found_wherever_it_lies_and_kept_as_its_players(setup: EnrolmentTable) -> None:
    setup.see(lying("red"))
    found = setup.enrolment.find_board()
    assert found.board is not None
    assert found.board.proposed == "red"
    shown = cv2.imdecode(
        np.frombuffer(setup.enrolment.draft_board_picture(found.draft) or b"", np.uint8), cv2.IMREAD_COLOR
    )
    assert shown is not None
    assert shown.shape[1] / shown.shape[0] == pytest.approx(210 / 148, abs=0.01)
    kept = setup.enrolment.keep_board(found.draft, "red")
    assert kept.known.boards == ("red",)
    assert set(TableProfile.load(setup.profile).personal_boards) == {"red"}
    assert (setup.enrolment.board_picture("red") or b"").startswith(b"\xff\xd8")
    assert setup.enrolment.board_picture("green") is None
    assert setup.enrolment.delete_board("red").known.boards == ()


def test_the_printed_boards_are_taken_at_once(setup: EnrolmentTable) -> None:
    kept = setup.enrolment.enrol_printed_boards()
    assert kept.known.boards == COLOURS
    assert kept.unread == ""
    learned = TableProfile.load(setup.profile).personal_boards
    assert all(np.array_equal(learned[board.id].picture, board.picture) for board in standin_boards())


@pytest.mark.slow
def test_any_other_board_is_pointed_out_and_the_next_one_by_its_corners_alone(setup: EnrolmentTable) -> None:
    setup.see(lying("green"))
    shape = true_shape()
    draft = setup.enrolment.take_picture().draft
    found = setup.enrolment.mark_board(draft, shape)
    assert found.board is not None
    assert found.board.proposed is None
    setup.enrolment.keep_board(draft, "green")
    learned = TableProfile.load(setup.profile).personal_boards["green"]
    truth = standin_layout()
    for rank in ("low", "middle", "high"):
        assert np.abs(np.array(learned.layout.rows[rank]) - np.array(truth.rows[rank])).max() < 0.6
    assert abs(learned.layout.spaces["promotion"].width - truth.spaces["promotion"].width) < 1.5
    assert learned.layout.spot_mm <= truth.spot_mm

    setup.see(lying("black"))
    another = setup.enrolment.take_picture().draft
    setup.enrolment.mark_similar_board(another, shape.corners, "green")
    setup.enrolment.keep_board(another, "black")
    second = TableProfile.load(setup.profile).personal_boards["black"]
    assert np.abs(np.array(second.layout.rows["low"]) - np.array(learned.layout.rows["low"])).max() < 0.6
    assert second.picture.shape == learned.picture.shape


def test_what_is_no_board_is_said_and_nothing_is_kept(setup: EnrolmentTable) -> None:
    setup.see(specimens_scene("search:red", 1))
    with pytest.raises(Refused, match=r"None of the printed boards is found: show one whole from above\.$"):
        setup.enrolment.find_board()
    draft = setup.enrolment.take_picture().draft
    with pytest.raises(Refused, match="There is no picture of a board yet"):
        setup.enrolment.keep_board(draft, "red")
    with pytest.raises(Refused, match="no longer enrolled"):
        setup.enrolment.mark_similar_board(draft, true_shape().corners, "red")
    with pytest.raises(Refused, match="no longer enrolled"):
        setup.enrolment.delete_board("red")
    assert TableProfile.load(setup.profile).personal_boards == {}


def test_a_board_with_something_on_it_is_not_taken_for_an_empty_one(setup: EnrolmentTable) -> None:
    tokens = tuple(PieceOnTable("token:red", Pose(x, y)) for x, y in standin_layout().rows["low"][:2])
    setup.see(Scene(seats=4, tile=False, boards=(BoardOnTable("red", Pose(0.0, 0.0)),), pieces=tokens))
    with pytest.raises(Refused, match="remove everything from it"):
        setup.enrolment.find_board()


PLAN = KIT.board or BoardPlan({})
TAPPED_WRONG: dict[str, Callable[[BoardShape], BoardShape]] = {
    "15 spots": lambda true: replace(true, spots=()),
    "in a line": lambda true: replace(true, corners=((0.0, 0.0),) * 4),
    "clockwise": lambda true: replace(true, corners=tuple(reversed(true.corners))),
    "two spots overlap": lambda true: replace(true, spots=(true.spots[0],) * 15),
    "off the board": lambda true: replace(true, spots=tuple((x + 900.0, y) for x, y in true.spots)),
    "a spot lies in a space": lambda true: replace(
        true, spaces={**true.spaces, "promotion": (true.spots[0], true.spots[14])}
    ),
}
"""Changes of a board's true shape, by the reason for which they are refused."""


@pytest.mark.parametrize("line", TAPPED_WRONG)
def test_taps_that_make_no_board_are_refused(line: str) -> None:
    with pytest.raises(EnrolError, match=line):
        marked_board_step(picture(), TAPPED_WRONG[line](true_shape()), PLAN)


def test_three_corners_are_no_board() -> None:
    with pytest.raises(EnrolError, match="four corners"):
        similar_board_step(picture(), true_shape().corners[:3], standin_layout())
    with pytest.raises(EnrolError, match="no longer enrolled"):
        without_board(TableProfile(4), "red")


@pytest.mark.slow
def test_tokens_that_look_like_search_pieces_are_asked_about_and_kept_at_one_tap(setup: EnrolmentTable) -> None:
    setup.see(specimens_scene("search:green", 3))
    found = setup.enrolment.find_pieces("token:green")
    assert found.pieces is not None
    assert found.pieces.like == "search:green"
    with pytest.raises(Refused, match="look like search:green"):
        setup.enrolment.keep(found.draft, KeepOptions())
    kept = setup.enrolment.keep(found.draft, KeepOptions(force=True))
    assert {known.kind: known.specimens for known in kept.known.kinds}["token:green"] == 8
    setup.see(specimens_scene("token:blue", 1))
    other = setup.enrolment.find_pieces("token:blue")
    assert other.pieces is not None
    assert other.pieces.like is None
    assert setup.enrolment.keep(other.draft, KeepOptions()).known.kinds


@pytest.mark.slow
def test_kinds_that_never_lie_together_are_not_held_against_each_other(setup: EnrolmentTable) -> None:
    """Green tokens and green search pieces are as alike as can be here; hands are read without tokens."""
    setup.see(specimens_scene("search:green", 3))
    setup.enrolment.keep(setup.enrolment.find_pieces("token:green").draft, KeepOptions(force=True))
    profile = TableProfile.load(setup.profile)
    known = known_view(profile)
    assert known.confusable == ()
    assert known.taken_for_another is None
    one = replace(profile, pieces={**profile.pieces, "search:red": profile.pieces["search:green"]})
    assert [(pair.one, pair.other) for pair in known_view(one).confusable] == [("search:green", "search:red")]
    assert [KIT.in_hands(kind) for kind in ("search:red", "sign:soul", "token:red", "impurity:3")] == [
        True,
        True,
        False,
        False,
    ]
