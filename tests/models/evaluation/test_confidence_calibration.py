import pytest

from models.evaluation.metrics.confidence_calibration import expected_calibration_error, reliability


def test_confidences_that_come_true_have_no_error() -> None:
    answers = [(0.75, number % 4 > 0) for number in range(40)] + [(1.0, True)] * 10
    bins = reliability(answers)
    assert [(b.low, b.high, b.count) for b in bins] == [(0.6, 0.8, 40), (0.99, 1.0, 10)]
    assert expected_calibration_error(bins) == pytest.approx(0.0)


def test_boasting_is_an_error_of_as_much_as_was_boasted() -> None:
    bins = reliability([(0.97, True), (0.97, False)])
    assert expected_calibration_error(bins) == pytest.approx(0.47)


def test_an_answer_on_an_edge_is_counted_once() -> None:
    assert sum(b.count for b in reliability([(p, True) for p in (0.0, 0.2, 0.9, 0.95, 0.99, 1.0)])) == 6


def test_no_answer_is_no_error() -> None:
    assert expected_calibration_error(reliability([])) == 0.0
