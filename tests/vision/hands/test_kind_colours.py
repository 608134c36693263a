from __future__ import annotations

import numpy as np
import pytest

from models.synthetic_hand_reveals import KINDS, SyntheticTable
from vision.cameras.simulated.scene import PieceOnTable, Pose, Scene
from vision.colour import of_picture
from vision.kind_colours import kind_likelihoods, learn_kind


@pytest.mark.parametrize("kind", KINDS)
def test_a_piece_looks_most_like_its_own_kind(table: SyntheticTable, kind: str) -> None:
    models = {known: learn_kind(table.profile.pieces[known]) for known in KINDS}
    lying = tuple(PieceOnTable(kind, Pose(x, 60.0, 40.0)) for x in (-90.0, 0.0, 90.0))
    image, truth = table.renderer.render_with_truth(Scene(4, tile=False, pieces=lying), 5)
    colours = of_picture(image, np.ones(3))
    for piece in truth.pieces:
        (evidence,) = kind_likelihoods(colours, [piece.box], models)
        assert max(evidence, key=lambda known: evidence[known]) == kind


def test_a_box_outside_the_picture_says_nothing(table: SyntheticTable) -> None:
    models = {kind: learn_kind(table.profile.pieces[kind]) for kind in KINDS}
    colours = np.zeros((20, 20, 3), np.float32)
    assert set(kind_likelihoods(colours, [(100.0, 100.0, 10.0, 10.0)], models)[0].values()) == {0.0}
