from __future__ import annotations

import itertools
import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.camera.calibrate import calibrate
from calibration.cards.deck import EnrolledDeck
from calibration.errors import PictureError, ProfileError
from calibration.plane import Image, Region
from calibration.profile import TableProfile
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.standin_deck import STANDIN
from tests.calibration.drawn import blob, camera, lay, photograph, sheet_picture, table_top
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import CardOnTable, Pose, Scene
from vision.cards.pose_votes import CardPose
from vision.cards.reader import CardReader, FoundCard, PreparedRegion
from vision.cards.search_index import PX_PER_MM
from vision.games.wicked.simulated_layout import ring_poses, seat_place
from vision.readings import CardReading, CardsReading

PLANE = camera(tilt=15)


@pytest.fixture(scope="module")
def deck() -> EnrolledDeck:
    return deck_from_art(STANDIN)


@pytest.fixture(scope="module")
def reader(deck: EnrolledDeck) -> CardReader:
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4))
    return CardReader(replace(profile, deck=deck))


def _table(deck: EnrolledDeck, laid: list[tuple[str, float, float, float]], seed: int = 1) -> Image:
    top = table_top(seed)
    for name, x, y, angle in laid:
        top = lay(top, deck.cards[name].picture, 4.0, x, y, angle)
    return photograph(top, PLANE, seed)


def _at(reading: CardsReading, x: float, y: float) -> CardReading | None:
    spot = PLANE.to_image((x, y))
    near = [card for card in reading.cards if np.linalg.norm(np.mean(card.corners, axis=0) - spot) < 15]
    assert len(near) <= 1
    return near[0] if near else None


def test_cards_lying_any_way_are_named_with_their_corners(reader: CardReader, deck: EnrolledDeck) -> None:
    laid = [("C05", -250.0, 60.0, 17.0), ("G03", -80.0, 110.0, 200.0), ("S11", 120.0, -60.0, 91.0)]
    reading = reader.read(_table(deck, laid))
    assert len(reading.cards) == 3
    for name, x, y, angle in laid:
        card = _at(reading, x, y)
        assert card is not None
        assert card.card == name
        assert card.confidence > 0.95
        assert card.slot is None
        cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
        for corner, (right, up) in zip(card.corners, ((-1, 1), (1, 1), (1, -1), (-1, -1)), strict=True):
            dx, dy = right * 31.5, up * 44.0
            truth = PLANE.to_image((x + dx * cos + dy * sin, y - dx * sin + dy * cos))
            assert np.linalg.norm(truth - corner) < 1.5


def test_every_card_of_the_deck_is_distinguished_from_every_other(reader: CardReader, deck: EnrolledDeck) -> None:
    names = [card.id for card in deck.cards.values() if card.kind in ("corridor", "great", "small")]
    spots = [
        (x, y) for x in (-320.0, -230.0, -140.0, -50.0, 40.0, 130.0, 220.0, 310.0) for y in (-110.0, 0.0, 110.0)
    ]
    rng = np.random.default_rng(3)
    for batch in (names[:24], names[24:]):
        laid = [
            (name, x, y, float(rng.uniform(-9, 9) + 180 * rng.integers(2)))
            for name, (x, y) in zip(batch, spots, strict=True)
        ]
        reading = reader.read(_table(deck, laid))
        found = {name: _at(reading, x, y) for name, x, y, _ in laid}
        assert {name: card and card.card for name, card in found.items()} == {name: name for name in batch}
        assert len(reading.cards) == len(batch)


@pytest.mark.parametrize("turn", [0.0, 130.0])
def test_the_ring_is_counted_clockwise_from_the_witchs_head(
    reader: CardReader, deck: EnrolledDeck, turn: float
) -> None:
    names = ["C01", "back:corridor", "C10", "C24", "back:corridor"]
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    places = [(p.x * cos + p.y * sin, -p.x * sin + p.y * cos, p.angle + turn + 5) for p in ring_poses(5)]
    laid = [("tile", 0.0, 0.0, turn), ("G01", 330.0, 0.0, 0.0), ("C02", -330.0, 20.0, 0.0)]
    laid += [(name, *place) for name, place in zip(names, places, strict=True)]
    reading = reader.read(_table(deck, laid))
    slots = {card.slot: card.card for card in reading.cards if card.slot is not None}
    assert slots == {0: "C01", 1: None, 2: "C10", 3: "C24", 4: None}
    outside = _at(reading, -330.0, 20.0)
    assert outside is not None
    assert (outside.card, outside.slot) == ("C02", None)


def test_what_lies_on_a_card_found_is_not_looked_at_again(reader: CardReader, deck: EnrolledDeck) -> None:
    picture = _table(deck, [("C05", -200.0, 60.0, 17.0), ("G03", 100.0, 80.0, 200.0)])
    searched = PreparedRegion.of(picture, PLANE, PLANE.region(), 12)
    lying = {thing.id: thing for thing in reader.find_cards(searched)}
    assert set(lying) == {"C05", "G03"}

    def on(thing: FoundCard, features: PreparedRegion) -> int:
        where = PLANE.to_image(features.region.to_mm(features.features.points, PX_PER_MM))
        outline = np.array(thing.corners, np.float32)
        return sum(cv2.pointPolygonTest(outline, (float(x), float(y)), True) > 1 for x, y in where)

    left = searched.excluding([lying["C05"], replace(lying["G03"], confidence=0.4)])
    assert on(lying["C05"], searched) > 50
    assert on(lying["C05"], left) == 0
    assert on(lying["G03"], left) == on(lying["G03"], searched) > 50


@given(*[st.floats(-300, 300)] * 3, *[st.floats(-20, 20)] * 3)
def test_a_place_moved_there_and_back_is_the_same(
    x: float, y: float, angle: float, right: float, down: float, turn: float
) -> None:
    start = CardPose(x, y, angle)
    there = start.moved(right, down, 0.0).moved(0.0, 0.0, turn)
    back = there.moved(0.0, 0.0, -turn).moved(-right, -down, 0.0)
    assert (back.x, back.y, back.angle) == pytest.approx((x, y, angle), abs=1e-9)
    assert math.hypot(there.x - x, there.y - y) == pytest.approx(math.hypot(right, down))


def test_a_card_turned_clockwise_is_moved_to_its_own_right_and_down() -> None:
    moved = CardPose(5.0, 7.0, 90.0).moved(10.0, 3.0, -30.0)
    assert (moved.x, moved.y, moved.angle) == pytest.approx((2.0, -3.0, 60.0))


def test_only_the_asked_part_of_the_table_is_searched(reader: CardReader, deck: EnrolledDeck) -> None:
    picture = _table(deck, [("C05", -250.0, 60.0, 0.0), ("C06", 100.0, 0.0, 0.0)])
    reading = reader.read(picture, Region(0.0, -150.0, 250.0, 150.0))
    assert [card.card for card in reading.cards] == ["C06"]


def test_a_table_without_cards_has_none(reader: CardReader) -> None:
    top = table_top(4)
    for x in range(-300, 301, 60):
        top = blob(top, (40, 40, 190), float(x), 30.0)
    assert reader.read(photograph(top, PLANE)).cards == ()
    assert reader.read(np.zeros((720, 1280, 3), np.uint8)).cards == ()


def test_a_card_that_is_not_enrolled_is_never_called_another(deck: EnrolledDeck) -> None:
    missing = {"C05", "C13", "G07", "S04"}
    known = EnrolledDeck("part", {name: card for name, card in deck.cards.items() if name not in missing})
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4))
    part_reader = CardReader(replace(profile, deck=known))
    laid = [(name, 150.0 * number - 225.0, 30.0, 4.0) for number, name in enumerate(sorted(missing))]
    reading = part_reader.read(_table(deck, laid))
    assert {(card.card, card.state) for card in reading.cards} == {(None, "unknown")}
    assert sum(_at(reading, x, y) is not None for _, x, y, _ in laid) == len(reading.cards) >= 3


def test_a_card_face_down_and_one_that_is_not_enrolled_are_distinguished(deck: EnrolledDeck) -> None:
    known = EnrolledDeck("part", {name: card for name, card in deck.cards.items() if name != "C10"})
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4))
    names = ["C01", "back:corridor", "C10", "C24"]
    laid = [
        ("tile", 0.0, 0.0, 0.0),
        *((name, p.x, p.y, p.angle) for name, p in zip(names, ring_poses(4), strict=True)),
    ]
    reading = CardReader(replace(profile, deck=known)).read(_table(deck, laid), slot_count=4)
    assert {card.slot: (card.card, card.state) for card in reading.cards if card.slot is not None} == {
        0: ("C01", "known"),
        1: (None, "face_down"),
        2: (None, "unknown"),
        3: ("C24", "known"),
    }


def test_print_that_is_larger_stretched_or_mirrored_is_not_named(reader: CardReader, deck: EnrolledDeck) -> None:
    face = deck.cards["C05"].picture
    larger, stretched = cv2.resize(face, None, fx=1.3, fy=1.3), cv2.resize(face, None, fx=1.0, fy=1.25)
    top = table_top(5)
    for picture, x in ((larger, -260.0), (stretched, -90.0), (np.ascontiguousarray(face[:, ::-1]), 80.0)):
        top = lay(top, np.asarray(picture, np.uint8), 4.0, x, 40.0, 12.0)
    half = np.concatenate([face[:176], deck.cards["G04"].picture[176:]])
    reading = reader.read(photograph(lay(top, half, 4.0, 250.0, 40.0, 200.0), PLANE, 5))
    assert [card.card for card in reading.cards] == [None, None]
    assert {card.state for card in reading.cards} == {"unknown"}
    assert all(_at(reading, x, 40.0) is not None for x in (80.0, 250.0))


def test_a_page_that_shows_a_card_in_its_size_is_not_surely_that_card(
    reader: CardReader, deck: EnrolledDeck
) -> None:
    card = deck.cards["C05"].picture
    face = card[20:-20, 20:-20, :3]  # printed without its border, so that no outline is seen
    ground = np.median(face.reshape(-1, 3), axis=0).astype(np.uint8)
    page = np.empty((640, 640, 3), np.uint8)
    page[:] = ground
    page[120 : 120 + face.shape[0], 160 : 160 + face.shape[1]] = face
    reading = reader.read(photograph(lay(table_top(6), page, 4.0, 0.0, 0.0, 8.0), PLANE, 6))
    assert [card.card for card in reading.cards if card.confidence >= 0.9 and card.card is not None] == []


def test_readings_never_overlap(reader: CardReader, deck: EnrolledDeck) -> None:
    top = table_top(7)
    for number, name in enumerate(("C03", "G05", "S08", "C11")):
        top = lay(top, deck.cards[name].picture, 4.0, -45.0 + 30.0 * number, 12.0 * number, 25.0 * number)
    reading = reader.read(photograph(top, PLANE, 7))
    outlines = [np.array(card.corners, np.float32) for card in reading.cards]
    for one, other in itertools.combinations(outlines, 2):
        shared, _ = cv2.intersectConvexConvex(one, other)
        assert shared < 0.16 * min(cv2.contourArea(one), cv2.contourArea(other))


def test_two_cards_that_look_alike_are_doubtful_between_the_two(deck: EnrolledDeck) -> None:
    twin = replace(deck.cards["C05"], id="C99")
    profile = TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4))
    reader = CardReader(replace(profile, deck=deck.with_cards([twin])))
    reading = reader.read(_table(deck, [("C05", -100.0, 40.0, 20.0), ("C06", 100.0, 40.0, 20.0)]))
    card, other = _at(reading, -100.0, 40.0), _at(reading, 100.0, 40.0)
    assert card is not None
    assert other is not None
    assert {card.card, *(guess.card for guess in card.alternatives)} == {"C05", "C99"}
    assert card.confidence < 0.9
    assert all(0.1 < guess.confidence <= card.confidence for guess in card.alternatives)
    assert (other.card, other.confidence > 0.95, other.alternatives) == ("C06", True, ())


@pytest.mark.first_is_quick
@pytest.mark.parametrize("side", [22.0, 45.0])
def test_a_checked_cloth_has_no_outline_of_a_card(reader: CardReader, side: float) -> None:
    cells = np.indices((20, 30)).sum(axis=0) % 2
    checks = np.where(cells[..., None] == 1, (40, 40, 190), (225, 225, 225)).astype(np.uint8)
    cloth = cv2.resize(checks, None, fx=4 * side, fy=4 * side, interpolation=cv2.INTER_NEAREST)[:2400, :3600]
    picture = photograph(lay(table_top(8), np.asarray(cloth, np.uint8), 4.0, 0.0, 0.0, 9.0), PLANE, 8)
    assert reader.read(picture).cards == ()


@pytest.mark.slow
def test_a_card_half_covered_is_named_rightly_or_not_at_all(reader: CardReader, deck: EnrolledDeck) -> None:
    for name in ("C03", "C11", "G05", "S08"):
        top = lay(table_top(2), deck.cards[name].picture, 4.0, 0, 0)
        for cover in (15.0, 30.0, 45.0):
            hidden = lay(top, np.full((300, 300, 3), 120, np.uint8), 2.0, 75.0 - 44.0 + 88.0 - cover, 0)
            named = [card.card for card in reader.read(photograph(hidden, PLANE)).cards if card.state == "known"]
            assert named in ([], [name])


def test_a_simulated_table_is_read_without_a_wrong_card(deck: EnrolledDeck) -> None:
    renderer = Renderer(Look.from_seed(11), {name: card.picture for name, card in deck.cards.items()})
    sheet = renderer.render(Scene(4, tile=False, sheet=True), 0)
    reader = CardReader(replace(TableProfile(4).calibrated(calibrate(sheet, 4)), deck=deck))
    laid: list[tuple[Pose, str | None, str]] = [
        (pose, face, "corridor")
        for pose, face in zip(ring_poses(5), ("C04", None, "C09", "C16", None), strict=True)
    ]
    for seat in range(4):
        place = seat_place(4, seat)
        laid += [(pose, f"G{2 * seat + k + 1:02}", "great") for k, pose in enumerate(place.great)]
        laid += [(pose, f"S{2 * seat + k + 1:02}", "small") for k, pose in enumerate(place.small)]
    cards = tuple(CardOnTable(pose, face, back) for pose, face, back in laid)
    reading = reader.read(renderer.render(Scene(4, cards=cards), 1))
    sure = {card.card for card in reading.cards if card.confidence > 0.5} - {None, "tile"}
    assert sure == {face for _, face, _ in laid if face}
    assert {card.slot: card.card for card in reading.cards if card.slot is not None} == dict(
        enumerate(("C04", None, "C09", "C16", None))
    )


def test_a_profile_without_plane_or_cards_cannot_read(deck: EnrolledDeck) -> None:
    with pytest.raises(ProfileError, match="not calibrated"):
        CardReader(TableProfile(4, deck=deck))
    with pytest.raises(ProfileError, match="No card is enrolled"):
        CardReader(TableProfile(4).calibrated(calibrate(sheet_picture(PLANE), 4)))


def test_a_picture_of_another_size_is_refused(reader: CardReader) -> None:
    with pytest.raises(ProfileError, match="640×360"):
        reader.read(np.zeros((360, 640, 3), np.uint8))


def test_a_picture_without_colours_is_refused(reader: CardReader, deck: EnrolledDeck) -> None:
    coloured = _table(deck, [("C05", -80.0, 60.0, 0.0)])
    grey = np.asarray(cv2.cvtColor(cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)
    with pytest.raises(PictureError, match="no colours"):
        reader.read(grey)
