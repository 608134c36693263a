from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.errors import ProfileError
from calibration.profile import TableProfile
from calibration.seats import Seating
from models.evaluation.scenes.picture_changes import relit
from models.synthetic_hand_reveals import SyntheticTable, still_scene
from tests.vision.hands.held import COLOURS, FOUR, LIMITS, open_hand, shown
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import HandOnTable, Pose, Scene
from vision.detector import CROP_PX, Detection
from vision.detector.model_set import ModelSet
from vision.detector.network import Network, PendingDetection
from vision.hands import DOUBTFUL_BELOW, HandReader
from vision.readings import Counts, Expectation, HandReading, HandsReading


@pytest.mark.parametrize("dressed", [False, True])
def test_a_table_without_hands_has_none(table: SyntheticTable, reader: HandReader, dressed: bool) -> None:
    image, empty = shown(table, dressed=dressed)
    assert reader.read(image, FOUR, empty).hands == ()
    assert reader.read_hands(image, FOUR, empty) == ()


def test_cards_and_boards_that_the_empty_table_did_not_have_are_no_hands(
    table: SyntheticTable, reader: HandReader
) -> None:
    image, _ = shown(table, dressed=True)
    assert reader.read(image, FOUR).hands == ()


def test_hands_in_dim_light_are_found(table: SyntheticTable, reader: HandReader) -> None:
    image, empty = (
        np.asarray(picture * 0.22, np.uint8) for picture in shown(table, *(open_hand(seat) for seat in range(4)))
    )
    assert len(reader.find(image, 4, empty)) == 4
    assert [hand.seat for hand in reader.read(image, FOUR, empty).hands] == [0, 1, 2, 3]


def test_an_empty_hand_that_may_be_a_fist_is_asked_about(
    table: SyntheticTable, reader: HandReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, empty = shown(table, open_hand(0), open_hand(2, "search:red"))
    assert not any(hand.doubtful for hand in reader.read(image, FOUR, empty).hands)
    found = reader.find(image, 4, empty)
    monkeypatch.setattr(reader, "find", lambda *_: tuple(replace(hand, score=0.6) for hand in found))
    bare, holding = reader.read(image, FOUR, empty).hands
    assert (bare.state, bare.doubtful, dict(bare.counts)) == ("open", True, {})
    assert (holding.state, holding.doubtful, dict(holding.counts)) == ("open", False, {"search:red": 1})


def test_a_hand_that_is_not_plainly_a_fist_is_looked_into(
    table: SyntheticTable, reader: HandReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, empty = shown(table, open_hand(0, "search:purple", "search:purple"))
    found = reader.find(image, 4, empty)

    def read_as_closed(certainty: float) -> HandReading:
        closed = tuple(replace(hand, state="closed", certainty=certainty) for hand in found)
        monkeypatch.setattr(reader, "find", lambda *_: closed)
        (hand,) = reader.read(image, FOUR, empty).hands
        return hand

    perhaps = read_as_closed(0.96)
    assert (perhaps.state, dict(perhaps.counts), perhaps.doubtful) == ("open", {"search:purple": 2}, True)
    plainly = read_as_closed(0.99)
    assert (plainly.state, dict(plainly.counts), plainly.doubtful) == ("closed", {}, False)


def test_fists_are_closed_and_hold_nothing(table: SyntheticTable, reader: HandReader) -> None:
    fists = [HandOnTable(seat, 1.0, 0.0, (f"search:{COLOURS[seat]}",) * 3, 11) for seat in range(4)]
    image, empty = shown(table, *fists)
    reading = reader.read(image, FOUR, empty)
    assert [(hand.seat, hand.state, dict(hand.counts)) for hand in reading.hands] == [
        (seat, "closed", {}) for seat in range(4)
    ]
    assert [hand.state for hand in reader.read_hands(image, FOUR, empty)] == ["closed"] * 4


def test_a_picture_that_was_looked_over_reads_as_one_that_was_not(
    table: SyntheticTable, reader: HandReader
) -> None:
    image, empty = shown(table, open_hand(0, "search:purple", "search:purple"))
    other, _ = shown(table, open_hand(2, "search:red"))
    plain = reader.read(image, FOUR, empty).hands
    reader.read_hands(image, FOUR, empty)
    assert reader.read(image, FOUR, empty).hands == plain
    reader.read_hands(other, FOUR, empty)
    assert reader.read(image, FOUR, empty).hands == plain
    assert [hand.seat for hand in plain] == [0]


def test_what_lay_there_before_the_hand_came_is_not_held(table: SyntheticTable, reader: HandReader) -> None:
    held = open_hand(0, "search:purple", "search:purple")
    image, empty = shown(table, held)
    (hand,) = reader.find(image, 4, empty)
    (held_now,) = reader.classify_pieces(reader.detect_pieces(image, [hand], (hand,), empty))
    assert len(held_now) >= 2
    # The same things in the same places, in other noise and less light: seen between fingers, say.
    still = still_scene(np.random.default_rng(7), 4, COLOURS, dressed=False)
    before = np.asarray(
        cv2.convertScaleAbs(table.renderer.render(replace(still, hands=(held,)), 9), alpha=0.8), np.uint8
    )
    assert reader.classify_pieces(reader.detect_pieces(image, [hand], (hand,), before)) == ((),)


@pytest.fixture
def passes(networks: ModelSet, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Network, Image]]:
    """Inference passes of the reader in order: network and crop."""
    noted: list[tuple[Network, Image]] = []

    def noting(network: Network) -> Callable[[Image], PendingDetection]:
        begin = network.begin

        def note(image: Image) -> PendingDetection:
            assert image.shape[0] == image.shape[1] < CROP_PX
            noted.append((network, image))
            return begin(image)

        return note

    for network in networks.hand_crop_detectors:
        monkeypatch.setattr(network, "begin", noting(network))
    return noted


def test_only_hands_that_one_pass_does_not_settle_get_a_second_one(
    table: SyntheticTable, reader: HandReader, networks: ModelSet, passes: list[tuple[Network, Image]]
) -> None:
    first, second = networks.hand_crop_detectors
    assert first is not second
    apart, heaped = open_hand(1, "search:green"), open_hand(2, *["search:red"] * 8)
    image, empty = shown(table, apart)
    assert reader.read(image, FOUR, empty).hands[0].confidence > DOUBTFUL_BELOW
    assert [network for network, _ in passes] == [first]
    passes.clear()
    image, empty = shown(table, apart, heaped)
    reader.read(image, FOUR, empty)
    assert [network for network, _ in passes] == [first, first, second]


def test_several_pictures_of_the_same_hands_are_each_read_in_another_orientation(
    table: SyntheticTable, reader: HandReader, networks: ModelSet, passes: list[tuple[Network, Image]]
) -> None:
    first, second = networks.hand_crop_detectors
    image, empty = shown(table, open_hand(2, *["search:red"] * 8))
    before = []
    orders = [[first, second], [second, first], [first], [second], [first]]
    for number, expected in enumerate(orders):
        passes.clear()
        (hand,) = reader.read(image, FOUR, empty, number).hands
        assert abs(hand.counts["search:red"] - 8) <= 2
        assert [network for network, _ in passes] == expected
        before.append(passes[0])
    for number, (network, crop) in enumerate(before[:4]):
        for other, another in before[number + 1 : 4]:
            assert network is not other or not np.array_equal(crop, another)


@pytest.fixture(scope="module")
def four_hands(table: SyntheticTable, reader: HandReader) -> HandsReading:
    image, empty = shown(
        table,
        open_hand(0, "search:purple"),
        open_hand(1, "search:green", "search:green", "sign:soul"),
        open_hand(2),
        open_hand(3, "search:yellow", "search:yellow"),
        dressed=True,
    )
    return reader.read(image, FOUR, empty)


def test_open_hands_are_read_exactly(four_hands: HandsReading) -> None:
    assert [(hand.seat, hand.state, dict(hand.counts)) for hand in four_hands.hands] == [
        (0, "open", {"search:purple": 1}),
        (1, "open", {"search:green": 2, "sign:soul": 1}),
        (2, "open", {}),
        (3, "open", {"search:yellow": 2}),
    ]


@pytest.mark.parametrize("empty_seen", [True, False])
def test_colours_are_recognised_when_the_camera_balances_anew_as_hands_come_in(
    table: SyntheticTable, reader: HandReader, empty_seen: bool
) -> None:
    kinds = ("search:purple", "search:green", "search:red", "search:yellow")
    hands = (open_hand(seat, *[kind] * 2, "sign:soul") for seat, kind in enumerate(kinds))
    image, empty = shown(table, *hands, dressed=True)
    reddish = relit(image, (0.45, 0.8, 1.25))
    read = reader.read(reddish, FOUR, empty if empty_seen else None).hands
    assert [dict(hand.counts) for hand in read] == [{kind: 2, "sign:soul": 1} for kind in kinds]


def test_a_piece_on_a_hand_s_edge_that_looks_like_a_loose_one_is_looked_at_again(
    table: SyntheticTable, reader: HandReader, networks: ModelSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    image, empty = shown(table, open_hand(1, "search:green"))
    first, _ = networks.hand_crop_detectors
    begin = first.begin

    class Loosely(PendingDetection):
        """What the first network sees, its pieces taken for such as lie on the table."""

        def __init__(self, looking: PendingDetection) -> None:
            self._looking = looking

        def found(self, least: float = 0.05) -> tuple[Detection, ...]:
            return tuple(replace(one, label="loose") for one in self._looking.found(least))

    monkeypatch.setattr(first, "begin", lambda crop: Loosely(begin(crop)))
    (hand,) = reader.read(image, FOUR, empty).hands
    assert hand.doubtful
    assert {"search:green": 1} in [dict(hand.counts), *(dict(other.counts) for other in hand.alternatives)]


def test_every_piece_has_a_box_inside_its_hand(four_hands: HandsReading) -> None:
    for hand in four_hands.hands:
        x, y, width, height = hand.box
        assert len(hand.pieces) == sum(hand.counts.values())
        for piece in hand.pieces:
            middle = piece.box[0] + piece.box[2] / 2, piece.box[1] + piece.box[3] / 2
            assert x <= middle[0] <= x + width
            assert y <= middle[1] <= y + height
            assert 8 < piece.box[2] < 50
            assert 8 < piece.box[3] < 50


def test_a_hand_that_shows_more_than_its_player_has_left_is_asked_about(
    table: SyntheticTable, reader: HandReader
) -> None:
    image, empty = shown(
        table,
        open_hand(0, *["search:red"] * 5),
        open_hand(1, "search:green", "search:green"),
        open_hand(2, "search:purple", "sign:soul"),
        open_hand(3, "search:yellow"),
    )
    limits: tuple[Counts, ...] = ({"search:red": 2}, {}, {"sign:soul": 1}, {"search:yellow": 1})
    for exact in (False, True):
        hands = reader.read(image, Expectation(4, limits, exact=exact), empty).hands
        assert [(hand.seat, hand.doubtful) for hand in hands] == [(0, True), (1, True), (2, True), (3, False)]


def test_without_limits_one_colour_is_read_in_each_hand(table: SyntheticTable, reader: HandReader) -> None:
    image, empty = shown(table, open_hand(0, "search:purple", "search:purple"), open_hand(3, "search:yellow"))
    counts = [dict(hand.counts) for hand in reader.read(image, Expectation(4), empty).hands]
    assert counts == [{"search:purple": 2}, {"search:yellow": 1}]


def test_a_hand_that_must_hold_all_is_doubted_when_it_clearly_does_not(
    table: SyntheticTable, reader: HandReader
) -> None:
    image, empty = shown(table, open_hand(0, "search:purple"), open_hand(3, "search:yellow", "search:yellow"))
    must = Expectation(4, ({"search:purple": 7}, {}, {}, {"search:yellow": 2}), exact=True)
    short, full = reader.read(image, must, empty).hands
    assert dict(short.counts) == {"search:purple": 7}
    assert short.doubtful
    assert short.confidence < 0.5
    assert dict(full.counts) == {"search:yellow": 2}
    assert not full.doubtful


@pytest.mark.slow
def test_two_answers_that_are_close_make_a_hand_doubtful(table: SyntheticTable, reader: HandReader) -> None:
    close = 0
    for seed in range(500, 506):
        reveal = table.reveal(seed, game_like=False)
        for hand in reader.read(reveal.frames[0], reveal.expectation, reveal.background).hands:
            assert hand.doubtful == (hand.confidence < DOUBTFUL_BELOW)
            chances = [hand.confidence, *(other.confidence for other in hand.alternatives)]
            assert chances[1:] == sorted(chances[1:], reverse=True)
            assert sum(chances) < 1.0 + 1e-6
            if len(chances) > 1 and chances[1] > 0.2:
                close += 1
                assert hand.doubtful
    assert close > 0


@pytest.mark.parametrize("tables", [3, pytest.param(12, marks=pytest.mark.slow)])
def test_most_hands_are_read_exactly_and_hardly_any_is_silently_wrong(
    table: SyntheticTable, reader: HandReader, tables: int
) -> None:
    hands = right = silent = 0
    for seed in range(600, 600 + tables):
        reveal = table.reveal(seed)
        read = {
            hand.seat: hand for hand in reader.read(reveal.frames[0], reveal.expectation, reveal.background).hands
        }
        for seat, counts in enumerate(reveal.counts):
            hands += 1
            found = read.get(seat)
            exact = found is not None and found.state == "open" and dict(found.counts) == dict(counts)
            right += exact
            silent += found is not None and not exact and not found.doubtful
    assert right / hands >= 0.8
    assert silent / hands <= 0.06


def test_a_picture_of_another_size_is_refused(reader: HandReader) -> None:
    with pytest.raises(ProfileError, match="calibrated at"):
        reader.read(np.zeros((480, 640, 3), np.uint8), FOUR)


def test_a_table_that_is_not_calibrated_is_refused() -> None:
    with pytest.raises(ProfileError, match="calibrate"):
        HandReader(TableProfile(seats=4))


@pytest.mark.slow
def test_hands_from_the_seats_of_three_four_and_five_are_distinguished(
    table: SyntheticTable, reader: HandReader
) -> None:
    for seats in (3, 4, 5):
        still = Scene(seats)
        hands = tuple(open_hand(seat, look=20 + seats) for seat in range(seats))
        image, empty = table.renderer.render(replace(still, hands=hands), 3), table.renderer.render(still, 4)
        found = reader.read(image, Expectation(seats), empty).hands
        assert [hand.seat for hand in found] == list(range(seats))


TWO_AND_TWO = ((-260.0, -215.0, 0.0), (-260.0, 215.0, 180.0), (260.0, 215.0, 180.0), (260.0, -215.0, 0.0))
"""Where people show their hands who sit two and two, clockwise: x, y (mm), and from which side (degrees)."""


def show_at(place: tuple[float, float, float], seat: int, *pieces: str, look: int = 3) -> HandOnTable:
    return replace(open_hand(seat, *pieces, look=look), at=Pose(*place))


@pytest.mark.slow
def test_people_who_sit_two_and_two_are_distinguished_by_the_colours_of_their_pieces(
    table: SyntheticTable, reader: HandReader
) -> None:
    hands = [
        show_at(place, seat, *[f"search:{COLOURS[seat]}"] * (seat + 1), look=60 + seat)
        for seat, place in enumerate(TWO_AND_TWO)
    ]
    image, empty = shown(table, *hands)
    for first in (0, 3):
        # Either of the two on the near side is called the first one: nobody has said where people sit.
        order = [(first + seat) % 4 for seat in range(4)]
        expectation = Expectation(4, tuple(LIMITS[player] for player in order))
        read = reader.read(image, expectation, empty).hands
        assert [dict(hand.counts) for hand in read] == [{f"search:{COLOURS[who]}": who + 1} for who in order]
        assert not any(hand.doubtful for hand in read)


def test_empty_hands_are_given_to_people_where_they_sit(table: SyntheticTable, reader: HandReader) -> None:
    image, empty = shown(table, *(show_at(place, seat) for seat, place in enumerate(TWO_AND_TWO)))
    seating = Seating((50.0, 130.0, 230.0, 310.0))
    read = reader.read(image, Expectation(4, LIMITS, seating=seating), empty).hands
    assert [(hand.seat, hand.state, hand.doubtful) for hand in read] == [(seat, "open", False) for seat in range(4)]
    sides = [(hand.box[0] > 600, hand.box[1] > 300) for hand in read]
    assert sides == [(False, True), (False, False), (True, False), (True, True)]


BOTH_HANDS = ((-90.0, -215.0, -8.0), (80.0, -215.0, 8.0))


def read_both(
    table: SyntheticTable, reader: HandReader, one: int, other: int, most: int = 7
) -> tuple[HandReading, ...]:
    """Ada shows so many purple pieces in one hand and so many in the other, and two others one hand each."""
    purple = "search:purple"
    hands = (
        show_at(BOTH_HANDS[0], 0, *[purple] * one, look=3),
        show_at(BOTH_HANDS[1], 0, *[purple] * other, look=1013),
        open_hand(1, "search:green", look=1005),
        open_hand(2, "search:red", look=2007),
    )
    image, empty = shown(table, *hands)
    limits = ({"search:purple": most, "sign:witch": 1, "sign:soul": 1}, *LIMITS[1:])
    return reader.read(image, Expectation(4, limits), empty).hands


def test_two_hands_of_one_player_are_added_up(table: SyntheticTable, reader: HandReader) -> None:
    read = read_both(table, reader, 2, 1)
    assert [(hand.seat, dict(hand.counts), hand.doubtful) for hand in read] == [
        (0, {"search:purple": 3}, False),
        (1, {"search:green": 1}, False),
        (2, {"search:red": 1}, False),
    ]
    both = read[0]
    assert len(both.pieces) == 3
    x, _, width, _ = both.box
    assert width > read[1].box[2] + 50, "the box is round both hands"
    assert all(x <= piece.box[0] <= x + width for piece in both.pieces)


@pytest.mark.slow
def test_a_second_hand_that_is_empty_adds_nothing(table: SyntheticTable, reader: HandReader) -> None:
    for one, other in ((3, 0), (0, 3)):
        read = read_both(table, reader, one, other)
        counts = [dict(hand.counts) for hand in read]
        assert counts == [{"search:purple": 3}, {"search:green": 1}, {"search:red": 1}]
        assert not read[0].doubtful


def test_two_hands_that_hold_more_than_the_player_has_left_are_asked_about(
    table: SyntheticTable, reader: HandReader
) -> None:
    ada = read_both(table, reader, 2, 2, most=2)[0]
    assert ada.seat == 0
    assert ada.doubtful
    assert ada.counts.get("search:purple", 0) <= 2


def test_somebody_elses_pieces_before_a_player_are_asked_about(table: SyntheticTable, reader: HandReader) -> None:
    # Chie's red pieces lie in a hand before Ada, and nobody else shows one: has Chie changed her seat?
    image, empty = shown(table, open_hand(0, "search:red", "search:red"))
    assert all(hand.doubtful for hand in reader.read(image, FOUR, empty).hands)
