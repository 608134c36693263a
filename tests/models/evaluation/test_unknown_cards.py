"""Cards that are not enrolled are laid, read and evaluated: none is surely called another.

On these grounds, wood and flowers, the dark border of the cards shows; on black cloth outlines are missed.
"""

from __future__ import annotations

import pytest

from models.evaluation.cards_and_boards.unknown_cards import measure

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seed", [1, 5])
def test_no_card_that_is_not_enrolled_is_surely_called_another(seed: int) -> None:
    results = measure(seed, None)
    unenrolled = [one for one in results if one.truth == "not enrolled"]
    assert len(unenrolled) >= 3
    assert [one for one in results if one.read in ("wrong", "face down") and one.sure] == []
    assert sum(one.read == "unknown" for one in unenrolled) > len(unenrolled) / 2
    enrolled = [one for one in results if one.truth == "enrolled"]
    assert sum(one.read == "right" for one in enrolled) >= 0.9 * len(enrolled) > 0
