"""A running table is taught from its own pictures; the game goes on as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.camera.sheet_corners import paper_corners
from calibration.profile import TableProfile
from calibration.seats import Seating
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.table.enrolment.unconfirmed_results import KeepOptions, for_screens
from companion.table.reading.live_camera import LiveCamera
from companion.table.reading.pauses import SETUP_TIMEOUT
from companion.table.views import Refused, SeatView
from tests.companion.table.enrolment.enrolled import Taught, little_profile, renderer
from tests.waiting import eventually
from vision.cameras.grabber import GrabStatus
from vision.cameras.simulated import SimulatedCamera

PLAYERS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))
ALL = KeepOptions()


@pytest.fixture(name="taught")
def _taught(tmp_path: Path) -> Iterator[Taught]:
    taught = Taught(tmp_path, little_profile())
    yield taught
    taught.table.close()


def refused(code: str, line: str) -> pytest.RaisesExc[Refused]:
    return pytest.RaisesExc(Refused, match=line, check=lambda error: error.code == code)


def test_the_sheet_is_shown_again_in_mid_game_and_the_journal_stays_as_it_was(taught: Taught) -> None:
    taught.table.start_game(PLAYERS)
    game, eyes_before = taught.table.view.game, taught.table.plane
    journals = {path: path.read_bytes() for path in (taught.folder / "games").iterdir()}
    taught.table.pause_for_setup(True)
    taught.see(sheet_scene())
    found = taught.enrolment.find_sheet()
    assert found.sheet is not None
    assert found.sheet.good
    assert len(found.sheet.grid) == 8 + 6
    kept = taught.enrolment.keep(found.draft, ALL)
    assert kept.unread == ""
    assert taught.table.view.game == game
    assert {path: path.read_bytes() for path in (taught.folder / "games").iterdir()} == journals
    profile = TableProfile.load(taught.profile)
    assert taught.table.plane == profile.plane != eyes_before
    assert set(profile.pieces) == {"search:green"}
    assert profile.deck is not None


def test_four_corners_shown_a_little_beside_the_paper_give_the_same_table(taught: Taught) -> None:
    taught.see(sheet_scene())
    draft = taught.enrolment.look().draft
    truth = little_profile().plane
    assert truth is not None
    corners = truth.to_image(paper_corners()) + np.array([(3.0, -2.0), (-2.0, 2.0), (2.0, 3.0), (-3.0, -2.0)])
    found = taught.enrolment.fit_corners(draft, [(float(x), float(y)) for x, y in corners])
    assert found.sheet is not None
    taught.enrolment.keep(draft, ALL)
    plane = TableProfile.load(taught.profile).plane
    assert plane is not None
    spots = [(-300.0, 200.0), (0.0, 0.0), (250.0, -250.0)]
    assert np.abs(plane.to_image(spots) - truth.to_image(spots)).max() < 2.0


def test_corners_that_no_sheet_has_are_refused_in_one_line_and_nothing_changes(taught: Taught) -> None:
    taught.see(sheet_scene())
    draft = taught.enrolment.look().draft
    before = taught.table.plane
    with refused("not_now", "seat 1"):
        taught.enrolment.fit_corners(draft, [(100, 100), (500, 100), (500, 600), (100, 200)])
    with refused("not_now", "Nothing was found"):
        taught.enrolment.keep(draft, ALL)
    assert taught.table.plane == before


def test_pieces_are_kept_less_the_one_that_is_left_out(taught: Taught) -> None:
    taught.see(specimens_scene("search:purple", 1))
    found = taught.enrolment.find_pieces("search:purple")
    assert found.pieces is not None
    assert len(found.pieces.pieces) == 8
    kept = taught.enrolment.keep(found.draft, KeepOptions(without=frozenset({2})))
    assert {kind.kind: kind.specimens for kind in kept.known.kinds if kind.specimens} == {
        "search:purple": 7,
        "search:green": 8,
    }
    assert len(TableProfile.load(taught.profile).pieces["search:purple"].specimens) == 7


def test_a_piece_far_from_the_middle_is_pointed_at(taught: Taught) -> None:
    taught.see(specimens_scene("search:red", 1))
    found = taught.enrolment.find_pieces("search:red")
    assert found.pieces is not None
    middles = [np.mean(piece.outline, axis=0) for piece in found.pieces.pieces]
    alone = taught.enrolment.find_pieces("search:red").draft
    pointed = taught.enrolment.point_at(alone, [(float(middles[0][0]), float(middles[0][1]))])
    assert pointed.pieces is not None
    assert pointed.pieces.pieces
    taught.enrolment.keep(alone, ALL)
    assert "search:red" in TableProfile.load(taught.profile).pieces


def test_pieces_of_a_known_kind_are_not_learned_as_another(taught: Taught) -> None:
    taught.see(specimens_scene("search:green", 3))
    draft = taught.enrolment.find_pieces("search:red").draft
    with refused("not_now", "look like search:green") as caught:
        taught.enrolment.keep(draft, ALL)
    assert "--" not in str(caught.value)
    assert "search:red" not in TableProfile.load(taught.profile).pieces


def test_a_draft_gives_way_to_the_next_one(taught: Taught) -> None:
    taught.see(sheet_scene())
    first = taught.enrolment.find_sheet().draft
    assert taught.enrolment.picture(first)
    second = taught.enrolment.find_sheet().draft
    assert taught.enrolment.picture(first) is None
    with refused("stale", "replaced by a newer one"):
        taught.enrolment.keep(first, ALL)
    taught.enrolment.forget()
    with refused("stale", "replaced by a newer one"):
        taught.enrolment.keep(second, ALL)


def test_without_a_picture_or_a_sheet_nothing_is_taught(taught: Taught) -> None:
    with refused("not_now", "no picture"):
        taught.enrolment.find_sheet()
    taught.see(specimens_scene("search:red", 2))
    with refused("not_now", "again\\.$"):
        taught.enrolment.find_sheet()
    taught.table.update_camera_status(GrabStatus("retrying", "The camera is gone."))
    with refused("not_now", "no picture"):
        taught.enrolment.look()


def test_a_table_that_knows_no_card_yet_is_taught_but_not_read(tmp_path: Path) -> None:
    taught = Taught(tmp_path)
    taught.see(sheet_scene())
    with refused("not_now", "sheet first"):
        taught.enrolment.find_pieces("search:red")
    kept = taught.enrolment.keep(taught.enrolment.find_sheet().draft, ALL)
    assert kept.known.calibrated
    assert "card" in kept.unread
    assert taught.table.plane is None
    taught.table.close()


def test_a_deck_from_somebody_else_is_enough_to_begin_with(tmp_path: Path) -> None:
    taught = Taught(tmp_path)
    TableProfile(4, deck=little_profile().deck).save(taught.profile)
    camera = SimulatedCamera(renderer(), fps=4.0)
    camera.show(sheet_scene())
    watching = LiveCamera(taught.table, lambda: camera, None)
    watching.start()
    eventually(lambda: taught.table.picture is not None, 60.0)
    assert taught.table.view.camera.state == "preparing"
    kept = taught.enrolment.keep(taught.enrolment.find_sheet().draft, ALL)
    watching.close()
    assert kept.unread == ""
    assert taught.table.plane == TableProfile.load(taught.profile).plane is not None
    taught.table.close()


def test_reading_rests_while_the_table_is_taught_and_goes_on_by_itself(
    tmp_path: Path, later: Callable[[float], None], now: Callable[[], float]
) -> None:
    taught = Taught(tmp_path, little_profile(), clock=now)
    taught.see(sheet_scene())
    taught.table.pause_for_setup(True)
    assert taught.table.view.camera.state == "teaching"
    later(SETUP_TIMEOUT - 1)
    taught.table.pause_for_setup(True)
    later(SETUP_TIMEOUT - 1)
    taught.table.tick()
    assert taught.table.view.camera.state == "teaching"
    later(2)
    taught.table.tick()
    assert taught.table.view.camera.state != "teaching"
    taught.table.close()


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
    ("line", "told"),
    [
        ("Lay it before seat 0.", "Lay it before seat 1."),
        ("They look alike: show others (or enrol them anyway with --force).", "They look alike: show others."),
        ("Show red, or replace the earlier samples with --replace.", "Show red."),
        ("Not calibrated yet: run `companion calibrate` first.", "Not calibrated yet: do that on this page first."),
        ("Too similar: use a whiter lamp, then enrol both with --replace", "Too similar: use a whiter lamp"),
        ("Show it whole, or point out its spots with --corners and --spots.", "Show it whole."),
    ],
)
def test_lines_of_the_command_line_are_told_as_screens_need_them(line: str, told: str) -> None:
    assert for_screens(line) == told


def test_where_people_sit_is_kept_with_what_is_taught_and_reading_goes_on(taught: Taught) -> None:
    before = TableProfile.load(taught.profile)
    plane = taught.table.plane
    taught.table.seating.keep = taught.enrolment.keep_seating
    two_and_two = Seating((50.0, 130.0, 230.0, 310.0))
    taught.table.seating.seat(two_and_two)
    kept = TableProfile.load(taught.profile)
    assert kept.seating(4) == two_and_two
    assert (kept.plane, list(kept.pieces)) == (before.plane, list(before.pieces))
    assert taught.table.plane is plane


def test_a_damaged_profile_refuses_seats_in_one_line_and_they_stay_as_they_were(taught: Taught) -> None:
    taught.table.seating.keep = taught.enrolment.keep_seating
    (taught.profile / "profile.json").write_text("{")
    with pytest.raises(Refused, match="damaged"):
        taught.table.seating.seat(Seating((50.0, 130.0, 230.0, 310.0)))
    assert taught.table.seating.known == ()
