"""What readings say of tiles and tokens, by how well their picture shows them."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from companion.adapters.master.evidence.board_likelihoods import evidence
from companion.games.master.components import LOOSE
from companion.games.master.moves import Shift
from companion.games.master.rules.engine import apply
from tests.companion.adapters.master.findings import certain, found
from tests.companion.adapters.master.laid_table import CLEAN, LaidTable, NoisyReader
from tests.companion.games.master.mazes import placed


def test_a_picture_that_shows_no_token_leads_to_no_question() -> None:
    state = placed()
    shift = Shift(0, "T1", "TB")
    table = LaidTable.of(apply(state, shift))
    (reading,) = NoisyReader(random.Random(1), CLEAN).read(table)
    assert certain(found(state, [replace(reading, tokens=())])) == (shift,)


def test_a_tile_under_a_wizard_is_less_certain_than_another_one() -> None:
    state = placed()
    place = next(place for place in LOOSE if place not in state.tokens)
    scores = []
    for where in (16, place):
        table = LaidTable.of(state).with_wizard("red", where)
        seen = evidence(NoisyReader(random.Random(1), CLEAN).read(table), ("red", "brown"), state.maze)
        assert seen is not None
        scores.append(np.sort(seen.tiles[place])[::-1])
    free, below = scores
    assert below[0] - below[-1] < free[0] - free[-1]
