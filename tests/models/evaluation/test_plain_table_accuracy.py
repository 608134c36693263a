from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.plane import TablePlane
from models.evaluation.pieces.plain_table_accuracy import (
    CountResult,
    SessionResult,
    count_matches,
    plane_errors,
    random_plain_table,
    summary,
)
from models.evaluation.scenes.synthetic_sessions import KINDS, SyntheticSession

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def session() -> SyntheticSession:
    return SyntheticSession(5000)


def test_a_true_plane_has_no_error_and_a_moved_one_just_as_much_as_it_was_moved(session: SyntheticSession) -> None:
    view, look = session.renderer.view, session.look
    across, up, along = (float(value) for value in cv2.Rodrigues(view.rotation)[0].reshape(-1))

    def plane(shift: float) -> TablePlane:
        moved = -view.rotation @ (view.position - (shift, 0.0, 0.0))
        x, y, z = (float(value) for value in moved)
        distortion = (look.k1, look.k2, 0.0, 0.0)
        return TablePlane(
            (1280, 720), float(view.matrix[0, 0]), (across, up, along), (x, y, z), distortion=distortion
        )

    assert max(plane_errors(session, plane(0.0))) < 0.1
    assert plane_errors(session, plane(3.0)) == pytest.approx((3.0, 3.0, 3.0, 3.0), abs=0.1)


def test_a_specimen_is_found_once_and_only_where_it_lies() -> None:
    lying = [(0.0, 0.0), (50.0, 0.0), (0.0, 50.0)]
    assert count_matches([(1.0, 2.0), (1.0, -2.0), (49.0, 3.0), (90.0, 90.0)], lying) == 2


def test_pieces_on_a_plain_table_lie_apart_from_each_other() -> None:
    for seed in range(5):
        pieces = random_plain_table(np.random.default_rng(seed)).pieces
        spots = np.array([(piece.pose.x, piece.pose.y) for piece in pieces])
        away = np.linalg.norm(spots[:, None] - spots[None], axis=2) + 1e3 * np.eye(len(spots))
        assert away.min() >= 26.0
        assert {piece.kind for piece in pieces} <= set(KINDS)


def test_a_table_counts_as_exact_only_when_every_kind_is_and_a_wrong_one_unasked_is_silent() -> None:
    tables = (
        CountResult({"search:red": 3}, {"search:red": 3}, 0, 10.0),
        CountResult({"search:red": 3}, {"search:red": 2, "search:black": 1}, 0, 10.0),
        CountResult({"search:red": 3}, {"search:red": 4}, 1, 10.0),
    )
    summarised = summary(
        [SessionResult(1, (0.1, 0.2, 0.5, 1.0), 5, 6, 1, tables), SessionResult(2, refused="too dark")]
    )
    assert (summarised["tables"], summarised["tables_exact"], summarised["tables_silently_wrong"]) == (3, 1, 1)
    assert (summarised["pieces_off"], summarised["not_taught"], summarised["plane_mm_worst"]) == (3, 1, 1.0)
