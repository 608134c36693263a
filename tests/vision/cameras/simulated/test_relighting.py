"""Heights show in the light: shadows fall away from the lamp, and nothing happens where nothing stands."""

from dataclasses import replace

import numpy as np
import pytest

from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.hands.relighting import Relief, relit
from vision.cameras.simulated.scene import HandOnTable, Scene

SCALE = 1.5
NONE = Relief(occlusion=0, shadow=0, lamp=0.1, edges=0, form=0, bleed=0, grain=0)
FLAT = np.zeros((120, 120), np.float32)
GREY = np.full((120, 120, 3), 128, np.uint8)


def block():
    raised = FLAT.copy()
    raised[50:70, 50:70] = 9
    return raised


def test_a_bare_level_hand_stays_as_it_is():
    strong = Relief(occlusion=1, shadow=1, lamp=0.3, edges=1, form=1, bleed=0, grain=1)
    lit = relit(GREY, FLAT, FLAT, np.array([0.5, 0.0, 0.866]), strong, SCALE, 1)
    assert np.abs(lit.astype(int) - 128).max() <= 1


@pytest.mark.parametrize(
    ("light", "dark", "free"), [((0.8, 0), (60, 40), (60, 80)), ((0, 0.8), (80, 60), (40, 60))]
)
def test_shadows_fall_away_from_the_lamp(light, dark, free):
    # y of the light points up the canvas: towards its first row.
    lit = relit(GREY, FLAT, block(), np.array([*light, 0.6]), replace(NONE, shadow=0.8), SCALE, 1)
    assert int(lit[dark][0]) < 70
    assert int(lit[free][0]) > 120


def test_gaps_in_a_heap_grow_dark():
    gap = block()
    gap[50:70, 58:62] = 0
    lit = relit(GREY, FLAT, gap, np.array([0.0, 0, 1]), replace(NONE, occlusion=1.0), SCALE, 1)
    assert int(lit[60, 60][0]) < int(lit[60, 20][0]) - 30


def test_a_look_with_relief_shows_it_and_tells_the_same_truth():
    scene = Scene(3, hands=(HandOnTable(0, 1.0, 1.0, ("search:red",) * 4 + ("sign:soul",), 5),))
    plain = Look.from_seed(3)
    lit = replace(plain, relief=Relief.random(np.random.default_rng(1)))
    (first, truth), (second, lit_truth) = (Renderer(look, {}).render_with_truth(scene) for look in (plain, lit))
    assert truth == lit_truth
    assert np.abs(first.astype(int) - second).max() > 25
