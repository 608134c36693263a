"""A running table is enrolled from its own pictures; the game goes on as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.camera.hand_marked_corners import paper_corners
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.enrolment.sheet_and_pieces import KeepOptions
from companion.table.reading.live_camera import LiveCamera
from companion.table.reading.pause_reasons import SETUP_TIMEOUT
from companion.table.views import Refused, SeatView
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile, renderer
from tests.refusals import refused
from tests.waiting import eventually
from vision.cameras.grabber import GrabStatus
from vision.cameras.simulated import SimulatedCamera

PLAYERS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
ALL = KeepOptions()


@pytest.fixture(name="setup")
def _setup(tmp_path: Path) -> Iterator[EnrolmentTable]:
    setup = EnrolmentTable(tmp_path, little_profile())
    yield setup
    setup.table.close()


def test_the_sheet_is_shown_again_in_mid_game_and_the_journal_stays_as_it_was(setup: EnrolmentTable) -> None:
    setup.table.start_game(PLAYERS)
    game, plane_before = setup.table.view.game, setup.table.plane
    journals = {path: path.read_bytes() for path in (setup.folder / "games").iterdir()}
    setup.table.pause_for_setup(True)
    setup.see(sheet_scene())
    found = setup.enrolment.find_sheet()
    assert found.sheet is not None
    assert found.sheet.good
    assert len(found.sheet.grid) == 8 + 6
    kept = setup.enrolment.keep(found.draft, ALL)
    assert kept.unread == ""
    assert setup.table.view.game == game
    assert {path: path.read_bytes() for path in (setup.folder / "games").iterdir()} == journals
    profile = TableProfile.load(setup.profile)
    assert setup.table.plane == profile.plane != plane_before
    assert set(profile.pieces) == {"search:green"}
    assert profile.deck is not None


def test_four_corners_shown_a_little_beside_the_paper_give_the_same_table(setup: EnrolmentTable) -> None:
    setup.see(sheet_scene())
    draft = setup.enrolment.take_picture().draft
    truth = little_profile().plane
    assert truth is not None
    corners = truth.to_image(paper_corners()) + np.array([(3.0, -2.0), (-2.0, 2.0), (2.0, 3.0), (-3.0, -2.0)])
    found = setup.enrolment.fit_corners(draft, [(float(x), float(y)) for x, y in corners])
    assert found.sheet is not None
    setup.enrolment.keep(draft, ALL)
    plane = TableProfile.load(setup.profile).plane
    assert plane is not None
    spots = [(-300.0, 200.0), (0.0, 0.0), (250.0, -250.0)]
    assert np.abs(plane.to_image(spots) - truth.to_image(spots)).max() < 2.0


def test_corners_that_no_sheet_has_are_refused_in_one_line_and_nothing_changes(setup: EnrolmentTable) -> None:
    setup.see(sheet_scene())
    draft = setup.enrolment.take_picture().draft
    before = setup.table.plane
    with refused("not_now", "seat 1"):
        setup.enrolment.fit_corners(draft, [(100, 100), (500, 100), (500, 600), (100, 200)])
    with refused("not_now", "Nothing was found"):
        setup.enrolment.keep(draft, ALL)
    assert setup.table.plane == before


@pytest.mark.slow
def test_pieces_are_kept_less_the_one_that_is_left_out(setup: EnrolmentTable) -> None:
    setup.see(specimens_scene("search:purple", 1))
    found = setup.enrolment.find_pieces("search:purple")
    assert found.pieces is not None
    assert len(found.pieces.pieces) == 8
    kept = setup.enrolment.keep(found.draft, KeepOptions(without=frozenset({2})))
    assert {kind.kind: kind.specimens for kind in kept.known.kinds if kind.specimens} == {
        "search:purple": 7,
        "search:green": 8,
    }
    assert len(TableProfile.load(setup.profile).pieces["search:purple"].specimens) == 7


@pytest.mark.slow
def test_a_piece_far_from_the_middle_is_pointed_at(setup: EnrolmentTable) -> None:
    setup.see(specimens_scene("search:red", 1))
    found = setup.enrolment.find_pieces("search:red")
    assert found.pieces is not None
    middles = [np.mean(piece.outline, axis=0) for piece in found.pieces.pieces]
    alone = setup.enrolment.find_pieces("search:red").draft
    pointed = setup.enrolment.add_marked_pieces(alone, [(float(middles[0][0]), float(middles[0][1]))])
    assert pointed.pieces is not None
    assert pointed.pieces.pieces
    setup.enrolment.keep(alone, ALL)
    assert "search:red" in TableProfile.load(setup.profile).pieces


@pytest.mark.slow
def test_pieces_of_a_known_kind_are_not_learned_as_another(setup: EnrolmentTable) -> None:
    setup.see(specimens_scene("search:green", 3))
    draft = setup.enrolment.find_pieces("search:red").draft
    with refused("not_now", "look like search:green") as caught:
        setup.enrolment.keep(draft, ALL)
    assert "--" not in str(caught.value)
    assert "search:red" not in TableProfile.load(setup.profile).pieces


def test_a_draft_gives_way_to_the_next_one(setup: EnrolmentTable) -> None:
    setup.see(sheet_scene())
    first = setup.enrolment.find_sheet().draft
    assert setup.enrolment.draft_picture(first)
    second = setup.enrolment.find_sheet().draft
    assert setup.enrolment.draft_picture(first) is None
    with refused("stale", "replaced by a newer one"):
        setup.enrolment.keep(first, ALL)
    setup.enrolment.close_draft()
    with refused("stale", "replaced by a newer one"):
        setup.enrolment.keep(second, ALL)


def test_without_a_picture_or_a_sheet_nothing_is_enrolled(setup: EnrolmentTable) -> None:
    with refused("not_now", "no picture"):
        setup.enrolment.find_sheet()
    setup.see(specimens_scene("search:red", 2))
    with refused("not_now", "again\\.$"):
        setup.enrolment.find_sheet()
    setup.table.update_camera_status(GrabStatus("retrying", "The camera is gone."))
    with refused("not_now", "no picture"):
        setup.enrolment.take_picture()


def test_a_table_without_an_enrolled_card_is_calibrated_but_not_read(tmp_path: Path) -> None:
    setup = EnrolmentTable(tmp_path)
    setup.see(sheet_scene())
    with refused("not_now", "sheet first"):
        setup.enrolment.find_pieces("search:red")
    kept = setup.enrolment.keep(setup.enrolment.find_sheet().draft, ALL)
    assert kept.known.calibrated
    assert "card" in kept.unread
    assert setup.table.plane is None
    setup.table.close()


@pytest.mark.slow
def test_a_deck_from_somebody_else_is_enough_to_begin_with(tmp_path: Path) -> None:
    setup = EnrolmentTable(tmp_path)
    TableProfile(4, deck=little_profile().deck).save(setup.profile)
    camera = SimulatedCamera(renderer(), fps=4.0)
    camera.show(sheet_scene())
    watching = LiveCamera(setup.table, lambda: camera, None)
    watching.start()
    eventually(lambda: setup.table.picture is not None, 60.0)
    assert setup.table.view.camera.state == "preparing"
    kept = setup.enrolment.keep(setup.enrolment.find_sheet().draft, ALL)
    watching.close()
    assert kept.unread == ""
    assert setup.table.plane == TableProfile.load(setup.profile).plane is not None
    setup.table.close()


def test_reading_rests_during_set_up_and_resumes_by_itself(
    tmp_path: Path, later: Callable[[float], None], now: Callable[[], float]
) -> None:
    setup = EnrolmentTable(tmp_path, little_profile(), clock=now)
    setup.see(sheet_scene())
    setup.table.pause_for_setup(True)
    assert setup.table.view.camera.state == "teaching"
    later(SETUP_TIMEOUT - 1)
    setup.table.pause_for_setup(True)
    later(SETUP_TIMEOUT - 1)
    setup.table.tick()
    assert setup.table.view.camera.state == "teaching"
    later(2)
    setup.table.tick()
    assert setup.table.view.camera.state != "teaching"
    setup.table.close()


@pytest.fixture(name="times")
def _times() -> list[float]:
    return [0.0]


@pytest.fixture(name="now")
def _now(times: list[float]) -> Callable[[], float]:
    return lambda: times[0]


@pytest.fixture(name="later")
def _later(times: list[float]) -> Callable[[float], None]:
    def later(by: float) -> None:
        times[0] += by

    return later


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Lay it before seat 0.", "Lay it before seat 1."),
        ("They look alike: show others (or enrol them anyway with --force).", "They look alike: show others."),
        ("Show red, or replace the earlier samples with --replace.", "Show red."),
        ("Not calibrated yet: run `companion calibrate` first.", "Not calibrated yet: do that on this page first."),
        ("Too similar: use a whiter lamp, then enrol both with --replace", "Too similar: use a whiter lamp"),
        ("Show it whole, or point out its spots with --corners and --spots.", "Show it whole."),
    ],
)
def test_lines_of_the_command_line_are_reworded_for_screens(line: str, text: str) -> None:
    assert as_shown_on_screens(line) == text


def test_where_people_sit_is_saved_in_the_profile_and_reading_goes_on(setup: EnrolmentTable) -> None:
    before = TableProfile.load(setup.profile)
    plane = setup.table.plane
    setup.table.seating.keep = setup.enrolment.keep_seating
    two_and_two = Seating((50.0, 130.0, 230.0, 310.0))
    setup.table.seating.set_seating(two_and_two)
    kept = TableProfile.load(setup.profile)
    assert kept.seating(4) == two_and_two
    assert (kept.plane, list(kept.pieces)) == (before.plane, list(before.pieces))
    assert setup.table.plane is plane


def test_a_damaged_profile_refuses_seats_in_one_line_and_they_stay_as_they_were(setup: EnrolmentTable) -> None:
    setup.table.seating.keep = setup.enrolment.keep_seating
    (setup.profile / "profile.json").write_text("{")
    with pytest.raises(Refused, match="damaged"):
        setup.table.seating.set_seating(Seating((50.0, 130.0, 230.0, 310.0)))
    assert setup.table.seating.known == ()
