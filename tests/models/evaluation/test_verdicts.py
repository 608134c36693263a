import json
from pathlib import Path

from models.evaluation.measuring.companion_calls import hand_answer
from models.evaluation.metrics.verdicts import HandAnswer, LabelledHand, ReadingTotals, counted, evaluate_table
from models.evaluation.scenes.picture_sets import load
from tests.models.evaluation.example_tables import tables


def answer(seat: int = 0, state: str = "open", doubtful: bool = False, **counts: int) -> HandAnswer:
    named = {f"search:{kind}": count for kind, count in counts.items()}
    return HandAnswer(seat, "open" if state == "open" else "closed", named, 0.9, doubtful)


def truth(seat: int = 0, *, low: int, high: int, inside: float = 1.0) -> LabelledHand:
    return LabelledHand(seat, "open", {"search:red": low}, {"search:red": high}, inside)


def test_the_figures_are_those_of_an_independent_script(tmp_path: Path) -> None:
    # Counted once by another program that calls the commands from outside, on these same made-up tables.
    scenes, readings = zip(*tables(400, seed=7), strict=True)
    named = {f"{number:03}": scene for number, scene in enumerate(scenes)}
    (tmp_path / "truth.json").write_text(json.dumps({"scenes": named}), "utf-8")
    verdicts = [
        evaluate_table(shot.hands, None if read is None else map(hand_answer, read["hands"]))
        for shot, read in zip(load(tmp_path).shots, readings, strict=True)
    ]
    tally = ReadingTotals.of(verdicts)
    assert (tally.hands, tally.hands_exact, tally.hands_near, tally.hands_found) == (949, 810, 878, 891)
    assert (tally.hands_doubtful, tally.hands_silently_wrong, tally.ghosts) == (177, 66, 17)
    assert (tally.tables, tally.tables_exact, tally.tables_silently_wrong) == (400, 265, 40)
    assert (tally.empty, tally.empty_clean) == (43, 35)


def test_a_count_is_right_between_what_is_in_sight_and_what_is_there() -> None:
    low, high = counted([("search:red", 1.0), ("search:red", 0.25), ("search:red", 0.24)])
    assert (low, high) == ({"search:red": 2}, {"search:red": 3})
    for count, right in ((1, False), (2, True), (3, True), (4, False)):
        assert evaluate_table([LabelledHand(0, "open", low, high)], [answer(red=count)]).exact is right


def test_a_piece_of_a_kind_that_is_not_there_makes_a_hand_wrong() -> None:
    assert not evaluate_table([truth(low=1, high=1)], [answer(red=1, black=1)]).exact


def test_wrong_and_not_doubtful_is_silently_wrong() -> None:
    for doubtful in (False, True):
        verdict = evaluate_table([truth(low=2, high=2)], [answer(red=1, doubtful=doubtful)])
        assert verdict.hands[0].near
        assert verdict.hands[0].silently_wrong is verdict.silently_wrong is not doubtful


def test_a_doubt_at_one_seat_makes_people_look_at_the_whole_table() -> None:
    truths = [truth(0, low=2, high=2), truth(1, low=2, high=2)]
    verdict = evaluate_table(truths, [answer(0, red=1), answer(1, red=2, doubtful=True)])
    assert verdict.hands[0].silently_wrong
    assert not verdict.exact
    assert not verdict.silently_wrong


def test_a_hand_read_where_none_is_spoils_the_table() -> None:
    for truths in ([], [LabelledHand(0, "closed", {}, {})]):
        verdict = evaluate_table(truths, [answer(0, red=1)])
        assert (verdict.exact, verdict.silently_wrong, len(verdict.ghosts)) == (False, True, 1)
    assert evaluate_table([], [answer(0, "closed")]).exact


def test_a_hand_mostly_outside_the_picture_need_not_be_read() -> None:
    assert evaluate_table([truth(low=2, high=2, inside=0.6)], []).exact
    assert not evaluate_table([truth(low=2, high=2, inside=0.61)], []).exact


def test_a_missed_hand_is_noticed_and_a_picture_not_read_is_never_right() -> None:
    missed = evaluate_table([truth(low=0, high=0)], [])
    assert (missed.exact, missed.silently_wrong, missed.hands[0].near) == (False, False, False)
    unread = evaluate_table([], None)
    assert (unread.exact, unread.silently_wrong, ReadingTotals.of([unread]).empty_clean) == (False, False, 0)


def test_confidence_is_held_against_whole_entries() -> None:
    truths = [truth(0, low=1, high=1), LabelledHand(1, "closed", {}, {})]
    verdict = evaluate_table(truths, [answer(0, red=1), answer(1, "closed"), answer(2, "closed")])
    assert verdict.sure == ((0.9, True), (0.9, True), (0.9, False))
