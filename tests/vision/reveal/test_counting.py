from __future__ import annotations

import numpy as np
import pytest

from vision.reveal.counting import share_out, sum_posterior
from vision.reveal.network import load_network


def test_heaps_add_up() -> None:
    one = np.array([0.0, 1.0])
    unsure = np.array([0.0, 0.3, 0.7])
    assert sum_posterior([one, unsure]) == pytest.approx([0.0, 0.0, 0.3, 0.7])


def test_where_nothing_is_seen_a_hidden_piece_is_possible_but_unlikely() -> None:
    chances = sum_posterior([])
    assert chances[0] > 0.99
    assert chances[1] > 0


def test_a_total_is_shared_out_as_the_heaps_most_likely_hold_it() -> None:
    small, large = np.array([0.01, 0.9, 0.09]), np.array([0.01, 0.1, 0.4, 0.49])
    assert share_out([small, large], 4) == (1, 3)
    assert share_out([small, large], 3) == (1, 2)
    assert share_out([small, large], 9) == (2, 3)


def test_a_network_fitted_on_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match="other features"):
        load_network("heap", ("area",))
