from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import profile as profiles
from calibration.camera import sheet
from calibration.camera.calibrate import calibrate
from calibration.cards.deck import EnrolledCard, EnrolledDeck, as_reference
from calibration.empty_table import MOST_VIEWS
from calibration.errors import ProfileError
from calibration.pieces.enrolment import enrol
from calibration.pieces.segmentation import MIDDLE
from calibration.profile import TableProfile
from calibration.seats import Seating
from tests.calibration.drawn import blob, camera, lay, photograph, sheet_picture, table_top

PURPLE = (120, 40, 90)


def _card(name: str, seed: int) -> EnrolledCard:
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 255, (88, 63, 3)).astype(np.uint8)
    return EnrolledCard(name, "corridor", as_reference(picture), {"upper": ("yellow",), "lower": ("green",)})


@pytest.fixture(scope="module")
def enrolled() -> TableProfile:
    plane = camera()
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(plane), 4))
    picture = photograph(blob(blob(table_top(), PURPLE, 40, 30), PURPLE, -60, -10), plane)
    profile = enrol(profile, "search:purple", [picture])
    return replace(profile, deck=EnrolledDeck("test deck", {"C01": _card("C01", 1), "C02": _card("C02", 2)}))


def _same(one: TableProfile, other: TableProfile) -> bool:
    assert one.background is not None
    assert other.background is not None
    assert one.deck is not None
    assert other.deck is not None
    return (
        (one.seats, one.plane, one.findings, one.table_light, one.views)
        == (other.seats, other.plane, other.findings, other.table_light, other.views)
        and np.array_equal(one.background, other.background)
        and list(one.pieces) == list(other.pieces)
        and all(np.array_equal(one.pieces[kind].pixels, other.pieces[kind].pixels) for kind in one.pieces)
        and list(one.deck.cards) == list(other.deck.cards)
        and all(np.array_equal(one.deck.cards[c].picture, other.deck.cards[c].picture) for c in one.deck.cards)
    )


def test_a_saved_profile_is_read_back_the_same(enrolled: TableProfile, tmp_path: Path) -> None:
    enrolled.save(tmp_path / "p")
    back = TableProfile.load(tmp_path / "p")
    assert _same(enrolled, back)
    specimen, again = enrolled.pieces["search:purple"].specimens[0], back.pieces["search:purple"].specimens[0]
    assert np.allclose(specimen.size_mm, again.size_mm)
    assert np.array_equal(specimen.crop, again.crop)
    assert back.deck is not None
    assert back.deck.cards["C01"].shows("upper") == ("yellow",)


def test_a_crash_at_any_moment_leaves_the_old_profile_or_the_new_one(
    enrolled: TableProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert enrolled.deck is not None
    newer = replace(
        enrolled,
        seats=5,
        views=enrolled.views[:1],
        deck=enrolled.deck.without_cards({"C01"}).with_cards([_card("C02", 7), _card("C03", 3)]),
        pieces={"search:red": enrolled.pieces["search:purple"]},
    )
    enrolled.save(tmp_path / "old")
    listing = (tmp_path / "old" / "deck" / "deck.yaml").read_bytes()
    calls = crash_at = 0

    def crashing(call: Callable[..., None]) -> Callable[..., None]:
        def crash_or_call(*arguments: object) -> None:
            nonlocal calls
            calls += 1
            if calls == crash_at:
                raise KeyboardInterrupt
            call(*arguments)

        return crash_or_call

    monkeypatch.setattr(os, "fsync", crashing(os.fsync))
    monkeypatch.setattr(os, "replace", crashing(os.replace))
    between = 0
    for crash_at in range(1, 99):
        folder = tmp_path / str(crash_at)
        shutil.copytree(tmp_path / "old", folder)
        for name in (".profile.json.deadbeef.tmp", "deck/.deck.yaml.deadbeef.tmp"):
            (folder / name).write_bytes(b"half")
        calls = 0
        try:
            newer.save(folder)
        except KeyboardInterrupt:
            found = TableProfile.load(folder)
            if (folder / "deck" / "deck.yaml").read_bytes() == listing:
                assert _same(found, enrolled)
            elif found.seats == 4:
                between += 1
                assert found.deck is not None
                assert _same(replace(found, deck=enrolled.deck), enrolled)
                assert list(found.deck.cards) == ["C02", "C03"]
            else:
                assert _same(found, newer)
        else:
            break
    assert crash_at > 10
    assert between == 2
    assert _same(TableProfile.load(folder), newer)
    assert not list(folder.rglob("*.tmp"))


def test_two_processes_may_save_one_profile_at_the_same_time(enrolled: TableProfile, tmp_path: Path) -> None:
    assert enrolled.background is not None
    variants = [enrolled.with_view(np.roll(enrolled.background, 40 * number, axis=1), ()) for number in range(1, 5)]
    enrolled.save(tmp_path)
    with ThreadPoolExecutor() as pool:
        for saved in [pool.submit(variant.save, tmp_path) for variant in 3 * variants]:
            saved.result()
    assert any(_same(TableProfile.load(tmp_path), variant) for variant in variants)


def test_a_profile_in_a_folder_of_the_user_s_own_pictures_leaves_them_there(
    enrolled: TableProfile, tmp_path: Path
) -> None:
    own = [tmp_path / name for name in ("holiday.jpg", "scan.png", "deck/tile.png", "numbers.npz", ".notes.tmp")]
    (tmp_path / "deck").mkdir()
    for path in own:
        path.write_bytes(b"own")
    enrolled.save(tmp_path)
    before = set(tmp_path.rglob("*"))
    replace(enrolled, views=(), pieces={}, deck=EnrolledDeck("less", {"C01": _card("C01", 1)})).save(tmp_path)
    assert {path.suffix for path in before - set(tmp_path.rglob("*"))} == {".jpg", ".png", ".npz"}
    assert all(path.read_bytes() == b"own" for path in own)


def test_a_deck_made_by_hand_is_never_replaced(
    enrolled: TableProfile, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for text in (
        "version: 1\ncards: [{id: C01, 'picture': c01.png}]",
        "version: 1\ncards: [{id: C01, picture: scan 1.jpg}, {id: C02, picture: C02-0123456789ab.png}",
        "cards: [",
        "other: things",
    ):
        with subtests.test(text):
            folder = tmp_path / str(len(text))
            (folder / "deck").mkdir(parents=True)
            (folder / "deck" / "deck.yaml").write_text(text)
            with pytest.raises(ProfileError, match="not a deck that the companion wrote"):
                enrolled.save(folder)
            assert (folder / "deck" / "deck.yaml").read_text() == text
            assert {path.name for path in folder.rglob("*")} == {"deck", "deck.yaml", "profile.json-lock"}


def _break_json(folder: Path) -> None:
    (folder / "profile.json").write_text('{"version": 1, "sea')


def _unknown_key(folder: Path) -> None:
    content = json.loads((folder / "profile.json").read_text())
    (folder / "profile.json").write_text(json.dumps({**content, "colour": "red"}))


def _seats_not_clockwise(folder: Path) -> None:
    content = json.loads((folder / "profile.json").read_text())
    (folder / "profile.json").write_text(json.dumps({**content, "seatings": [{"angles": [0, 180, 90, 270]}]}))


def _endless_seat(folder: Path) -> None:
    content = json.loads((folder / "profile.json").read_text())
    (folder / "profile.json").write_text(json.dumps({**content, "seatings": [{"angles": [0, float("nan"), 90]}]}))


def _newer_version(folder: Path) -> None:
    (folder / "profile.json").write_text('{"version": 99, "shape": "new"}')


def _camera_under_the_table(folder: Path) -> None:
    content = json.loads((folder / "profile.json").read_text())
    content["plane"]["translation"] = [0, 0, -900]
    (folder / "profile.json").write_text(json.dumps(content))


def _climbing_part(folder: Path) -> None:
    content = json.loads((folder / "profile.json").read_text())
    content["games"]["wicked"]["pieces"]["search:purple"] = "../../secret.npz"
    (folder / "profile.json").write_text(json.dumps(content))


def _lost_part(folder: Path) -> None:
    next(folder.glob("pieces-*.npz")).unlink()


def _cut_part(folder: Path) -> None:
    part = next(folder.glob("background-*.png"))
    part.write_bytes(part.read_bytes()[:2000])


def _lost_deck(folder: Path) -> None:
    (folder / "deck" / "deck.yaml").unlink()


def _broken_deck(folder: Path) -> None:
    (folder / "deck" / "deck.yaml").write_text("cards: [")


def _unknown_element(folder: Path) -> None:
    path = folder / "deck" / "deck.yaml"
    path.write_text(path.read_text().replace("yellow", "orange"))


def _lost_card(folder: Path) -> None:
    next((folder / "deck").glob("*.png")).unlink()


DAMAGE = [
    (_break_json, "damaged at"),
    (_unknown_key, "damaged at “colour”"),
    (_newer_version, "newer version"),
    (_seats_not_clockwise, "damaged at “seatings.0"),
    (_endless_seat, "damaged at “seatings.0"),
    (_camera_under_the_table, "camera is under the table"),
    (_climbing_part, "damaged at “games.wicked.pieces.search:purple”"),
    (_lost_part, "is missing"),
    (_cut_part, "is damaged"),
    (_lost_deck, "cannot be read"),
    (_broken_deck, "cannot be read"),
    (_unknown_element, "damaged at “cards.0.upper.0”"),
    (_lost_card, "is missing"),
]


def test_a_damaged_profile_is_refused_with_one_plain_line(
    enrolled: TableProfile, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for damage, says in DAMAGE:
        with subtests.test(f"{says!r:.60}"):
            folder = enrolled.save(tmp_path / damage.__name__)
            damage(folder)
            with pytest.raises(ProfileError) as refusal:
                TableProfile.load(folder)
            assert says in str(refusal.value)
            assert "\n" not in str(refusal.value)


def test_a_name_lies_in_the_companions_home_and_a_path_where_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert profiles.folder_of("kitchen table") == tmp_path / "profiles" / "kitchen table"
    assert profiles.folder_of("./kitchen") == Path("kitchen")
    assert not profiles.exists("kitchen table")
    with pytest.raises(ProfileError, match="cannot be a profile's name"):
        profiles.folder_of("a\nb")
    with pytest.raises(ProfileError, match="There is no table profile"):
        TableProfile.load("kitchen table")
    with pytest.raises(ProfileError, match="There is no home folder"):
        profiles.folder_of("~nobody-of-this-name/kitchen")


def test_a_path_that_no_system_allows_is_refused_in_one_line() -> None:
    assert not profiles.exists("./" + 300 * "x")
    with pytest.raises(ProfileError, match="cannot be read"):
        TableProfile.load("./" + 300 * "x")


def test_a_folder_that_cannot_be_written_is_reported_in_one_line(enrolled: TableProfile, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ProfileError, match=r"cannot be written to .*/file/p: "):
        enrolled.save(tmp_path / "file" / "p")


def test_the_empty_table_of_the_same_views_is_computed_and_encoded_once(
    enrolled: TableProfile, tmp_path: Path
) -> None:
    changed = replace(enrolled.with_pieces("search:red", enrolled.pieces["search:purple"]), deck=None)
    assert changed.background is enrolled.background is not None
    loaded = TableProfile.load(changed.save(tmp_path / "p"))
    (picture,) = (tmp_path / "p").glob("background-*.png")
    assert loaded.empty_table is not None
    assert loaded.empty_table.png == picture.read_bytes()
    assert replace(loaded, deck=None).empty_table is loaded.empty_table
    assert loaded.background is not None
    other = loaded.with_view(np.full_like(loaded.background, 90), [])
    assert other.background is not None
    assert not np.array_equal(other.background, loaded.background)


def test_calibrating_again_keeps_pieces_and_cards(enrolled: TableProfile) -> None:
    again = enrolled.calibrated(calibrate(sheet_picture(camera(tilt=25)), 5))
    assert again.seats == 5
    assert again.pieces == enrolled.pieces
    assert again.deck is enrolled.deck
    assert len(again.views) == 1


@pytest.mark.slow
def test_a_table_calibrated_again_in_mid_game_still_knows_what_lies_under_the_sheet(enrolled: TableProfile) -> None:
    nudged = camera(tilt=17, turn=8)
    dimmer = sheet_picture(nudged, light=0.8)
    again = enrolled.calibrated(calibrate(dimmer, 4))
    assert again.background is not None
    bare = photograph(table_top(), nudged, light=0.8)
    middle = nudged.rectify(
        np.abs(again.background.astype(int) - bare).max(axis=2, keepdims=True).astype(np.uint8), 1.0
    )
    assert np.percentile(middle[middle.shape[0] // 2 - 90 : middle.shape[0] // 2 + 90], 90) < 15
    other_table = photograph(lay(table_top(3, (160, 90, 60)), sheet.picture(4.0), 4.0, 0, 0), nudged)
    assert enrolled.calibrated(calibrate(other_table, 4)).views[0].covered


def test_where_people_sit_is_kept_for_each_number_of_players(enrolled: TableProfile, tmp_path: Path) -> None:
    two_and_two, three = Seating((50, 130, 230, 310)), Seating((320, 40, 180))
    enrolled.with_seating(two_and_two).with_seating(three).save(tmp_path / "p")
    again = TableProfile.load(tmp_path / "p")
    assert (again.seating(4), again.seating(3), again.seating(5)) == (two_and_two, three, Seating.even(5))
    assert again.calibrated(calibrate(sheet_picture(camera()), 4)).seating() == two_and_two
    assert again.with_seating(Seating.even(4)).seatings == (three,)


def test_a_profile_from_before_seats_were_kept_has_even_seats(enrolled: TableProfile, tmp_path: Path) -> None:
    enrolled.save(tmp_path / "p")
    content = json.loads((tmp_path / "p" / "profile.json").read_text())
    content["version"] = 4
    del content["seatings"]
    (tmp_path / "p" / "profile.json").write_text(json.dumps(content))
    assert TableProfile.load(tmp_path / "p").seating(4) == Seating.even(4)


def test_a_profile_of_the_first_version_is_still_read(enrolled: TableProfile, tmp_path: Path) -> None:
    enrolled.save(tmp_path / "p")
    content = json.loads((tmp_path / "p" / "profile.json").read_text())
    content["version"] = 1
    del content["plane"]["principal_point"]
    for name in ("pictures", "fov_from", "lens_measured", "height_doubt_mm", "edge_doubt_mm", "palm_doubt_mm"):
        del content["findings"][name]
    (tmp_path / "p" / "profile.json").write_text(json.dumps(content))
    old = TableProfile.load(tmp_path / "p")
    assert old.plane == enrolled.plane
    assert old.findings is not None
    assert old.findings.edge_doubt_mm is None


def test_pieces_keep_their_colours_when_the_table_is_calibrated_again_in_the_dusk(enrolled: TableProfile) -> None:
    plane = camera()
    again = enrolled.calibrated(calibrate(sheet_picture(plane, light=0.55), 4))
    dusk = photograph(blob(table_top(), PURPLE, 40, 30), plane, 5, light=0.55)
    seen = enrol(again, "search:red", [dusk], force=True).pieces["search:red"]
    assert np.linalg.norm(seen.mean - enrolled.pieces["search:purple"].mean) < 12
    assert enrolled.with_flat(2.0, 4).table_light == enrolled.table_light


def test_a_deck_that_is_forgotten_does_not_come_back(enrolled: TableProfile, tmp_path: Path) -> None:
    enrolled.save(tmp_path / "p")
    replace(enrolled, deck=None).save(tmp_path / "p")
    assert TableProfile.load(tmp_path / "p").deck is None


@pytest.mark.slow
def test_the_empty_table_has_neither_sheet_nor_pieces_on_it() -> None:
    plane = camera()
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(plane), 4))
    spots = [[(40, 30), (-60, -10)], [(-20, 60), (70, -50)], [(0, 0), (100, 40)]]
    for seed, places in enumerate(spots):
        top = table_top()
        for x, y in places:
            top = blob(top, PURPLE, x, y)
        profile = enrol(profile, "search:purple", [photograph(top, plane, seed)])
    empty = photograph(table_top(), plane, 99)
    assert profile.background is not None
    off = np.abs(profile.background.astype(int) - empty).max(axis=2)
    inside = plane.rectify(np.dstack([off.astype(np.uint8)]), 1.0, MIDDLE)
    assert np.percentile(inside, 99.9) < 25


def test_the_picture_of_the_bare_table_stays_when_many_pictures_of_pieces_follow(enrolled: TableProfile) -> None:
    bare = photograph(table_top(), camera(), 98)
    profile = enrolled.with_view(bare, ())
    for number in range(MOST_VIEWS + 2):
        profile = profile.with_view(np.roll(bare, number + 1, axis=0), [((0.0, 0.0), (9.0, 0.0), (9.0, 9.0))])
    assert len(profile.views) == MOST_VIEWS
    assert [view.covered for view in profile.views].count(()) == 1
