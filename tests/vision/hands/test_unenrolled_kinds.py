"""Kinds that are not enrolled: a black piece on a black table, say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.games.wicked.kit import KIT
from models.synthetic_hand_reveals import SyntheticTable
from tests.vision.hands.held import COLOURS, FOUR, LIMITS, open_hand, shown
from vision.hands import HandReader
from vision.hands.candidate_pieces import CandidatePiece
from vision.hands.piece_probabilities import fitted_weights
from vision.hands.unenrolled_kinds import by_shape, holds_unenrolled, unenrolled_kinds
from vision.kind_colours import NO_PIECE
from vision.readings import Expectation, HandReading

RED, WITCH = "search:red", "sign:witch"


def without(table: SyntheticTable, *kinds: str) -> HandReader:
    """A reader of the same table to which these kinds were never shown."""
    pieces = {kind: samples for kind, samples in table.profile.pieces.items() if kind not in kinds}
    return HandReader(replace(table.profile, pieces=pieces))


def read(reader: HandReader, table: SyntheticTable, expectation: Expectation, *pieces: str) -> HandReading:
    image, empty = shown(table, open_hand(2, *pieces))
    (hand,) = reader.read(image, expectation, empty).hands
    return hand


def test_kinds_not_enrolled_are_those_of_the_game_that_the_hand_can_hold() -> None:
    every = [*(f"search:{colour}" for colour in (*COLOURS, "black")), WITCH, "sign:soul"]
    assert unenrolled_kinds(KIT, every, None) == ()
    assert unenrolled_kinds(KIT, [kind for kind in every if kind != RED], None) == (RED,)
    assert unenrolled_kinds(KIT, [WITCH], {RED: 2, WITCH: 1, "search:green": 0}) == (RED,)
    assert unenrolled_kinds(KIT, every, LIMITS[0]) == ()


@pytest.mark.first_is_quick
@pytest.mark.parametrize("expectation", [FOUR, Expectation(4)], ids=["rules known", "none known"])
@pytest.mark.parametrize("count", [1, 3])
def test_pieces_that_are_not_enrolled_are_counted_by_their_shape_and_need_confirmation(
    table: SyntheticTable, expectation: Expectation, count: int
) -> None:
    hand = read(without(table, RED), table, expectation, *[RED] * count)
    assert (hand.state, hand.doubtful) == ("open", True)
    assert dict(hand.counts) == {RED: count}
    assert hand.confidence <= 0.6
    assert len(hand.pieces) == count


@pytest.mark.slow
def test_a_sign_that_is_not_enrolled_is_never_left_out_silently(table: SyntheticTable) -> None:
    hand = read(without(table, WITCH), table, FOUR, RED, WITCH)
    assert hand.doubtful
    assert WITCH in {kind for counts in (hand.counts, *(a.counts for a in hand.alternatives)) for kind in counts}


@pytest.mark.parametrize(
    "pieces", [pytest.param((), marks=pytest.mark.slow), ("search:red", "search:red", "sign:soul")]
)
def test_hands_without_such_pieces_are_read_as_ever(
    table: SyntheticTable, reader: HandReader, pieces: tuple[str, ...]
) -> None:
    image, empty = shown(table, open_hand(2, *pieces))
    (usual,) = reader.read(image, Expectation(4), empty).hands
    (of_few,) = without(table, "search:green").read(image, Expectation(4), empty).hands
    assert dict(of_few.counts) == dict(usual.counts)
    assert abs(of_few.confidence - usual.confidence) < 0.02


def box(kinds: dict[str, float], score: float = 0.8) -> CandidatePiece:
    place = (40.0, 40.0, 24.0, 24.0)
    return CandidatePiece(place, place, score, 0.0, kinds, piece_log_odds=-3.0)


def test_only_what_looks_like_a_piece_and_like_no_enrolled_one_is_unexplained() -> None:
    known, strange = box({RED: 8.0, NO_PIECE: -40.0}), box({RED: -63.0, NO_PIECE: -1.0})
    faint = box({RED: -63.0, NO_PIECE: -1.0}, score=0.1)
    for held, expected in (
        ([known], False),
        ([strange], True),
        ([known, strange], True),
        ([faint], False),
        ([], False),
    ):
        shapes = by_shape(held, ["search:black"])
        assert holds_unenrolled(held, shapes, [RED], fitted_weights()) is expected
    # Where red cannot be, a red piece is strange, too.
    assert holds_unenrolled([known], by_shape([known], ["search:black"]), [], fitted_weights())


def test_by_shape_any_box_may_be_of_a_kind_without_colours() -> None:
    (one,) = by_shape([box({RED: -63.0, NO_PIECE: -1.0})], ["search:black"])
    assert NO_PIECE not in one.kinds
    assert one.kinds["search:black"] > one.kinds[RED] == -63.0
    assert (one.piece_log_odds, dict(one.area_log_ratios)) == (None, {})
    assert np.isclose(one.score, 0.8)
