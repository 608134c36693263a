import json
from collections import Counter
from pathlib import Path

import pytest

from calibration.files.picture_files import read_picture
from companion.games.wicked import legal
from models.evaluation.measuring.hand_reading import FIVE_FRAMES, ONE_FRAME, measure_held_out, picture_row
from models.evaluation.scenes import picture_sets
from models.evaluation.scenes.synthetic_sessions import KINDS, SCENES, SyntheticSession

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def session() -> SyntheticSession:
    return SyntheticSession(1)


def test_what_is_shown_is_legal_and_lies_in_the_hands(session: SyntheticSession) -> None:
    for number in range(SCENES - 2):
        moment = session.moment(number)
        assert moment.shown is not None
        for seat, (hand, shown) in enumerate(zip(moment.scene.hands, moment.shown.hands, strict=True)):
            assert shown in legal(moment.state).hands[seat]
            own = f"search:{moment.state.players[seat].colour}"
            held = {own: shown.search, "sign:witch": shown.witch, "sign:soul": shown.soul}
            assert Counter(hand.pieces) == Counter(held)
    fists, nobody = session.moment(SCENES - 2), session.moment(SCENES - 1)
    assert {hand.openness for hand in fists.scene.hands} >= {0.0}
    assert (fists.shown, nobody.shown, nobody.scene.hands) == (None, None, ())


def test_a_session_is_a_set_of_pictures_with_the_whole_truth(session: SyntheticSession, tmp_path: Path) -> None:
    folder = tmp_path / "session"
    session.write(folder, [0])
    pictures = picture_sets.load(folder)
    assert set(pictures.enrol) == set(KINDS)
    (shot,) = pictures.shots
    assert read_picture(shot.path).shape == (720, 1280, 3)
    held = {hand.seat: Counter(hand.pieces) for hand in session.moment(0).scene.hands}
    assert {hand.seat: Counter(hand.high) for hand in shot.hands} == held
    _, truth = session.renderer.render_with_truth(session.moment(0).scene, 100)
    assert {hand.seat: hand.box for hand in shot.hands} == {hand.seat: hand.box for hand in truth.hands}


@pytest.mark.slow
def test_both_ways_of_reading_are_measured_picture_by_picture() -> None:
    outcome = measure_held_out(2, "held-out", [0])
    assert outcome.refused == ()
    assert [one.way for one in outcome.measured] == [ONE_FRAME, FIVE_FRAMES]
    for one in outcome.measured:
        row = json.loads(json.dumps(picture_row(one)))
        assert (row["picture"], row["made"], row["exact"]) == ("000002/0", "rendered", one.verdict.exact)
        assert len(row["hands"]) == one.seats
        assert (one.error_strip is None) is one.verdict.exact
