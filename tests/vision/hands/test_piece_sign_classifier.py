"""What boxes look like beside the kinds of a table: views, and what the shipped network tells of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.hands.painted import LIGHT, MIDDLE, MODELS, RED, RIM, SKIN, SOUL, WITCH, WOOD, noisy
from vision.cameras.frame import Image
from vision.colour import of_picture
from vision.detector import CLOSE_PX_PER_MM, CROP_PX
from vision.hands.candidate_pieces import CandidatePiece, with_all_evidence
from vision.hands.counting import hypotheses
from vision.hands.piece_probabilities import fitted_weights
from vision.hands.piece_sign_classifier import (
    HIDES,
    NOWHERE,
    OUTCOMES,
    PLANES,
    SIDE_PX,
    SIGN_PLANES,
    PieceSignClassifier,
    input_planes,
)
from vision.kind_colours import NO_PIECE, KindColours
from vision.readings import Box

PIECE, OTHER, BARE = (60.0, 100.0, 26.0, 26.0), (150.0, 100.0, 28.0, 28.0), (100.0, 160.0, 26.0, 26.0)
BOXES = (PIECE, OTHER, BARE)
SCORES = (0.8, 0.7, 0.3)
AREAS = {WOOD: 180.0, WITCH: 220.0, SOUL: 280.0}
FIT, BETTER_THAN_REST, OWN_BOX, OTHERS, SIZE = 3, 4, 5, 6, 7
BETTER_THAN_WOOD = SIGN_PLANES.start + 1
CENTRE = SIDE_PX // 2


def palm() -> Image:
    """A red piece and a sign with a light rim on skin."""
    picture = np.full((CROP_PX, CROP_PX, 3), SKIN, np.uint8)
    cv2.rectangle(picture, (62, 102), (83, 123), RED, -1)
    cv2.circle(picture, (164, 114), 13, RIM, -1)
    cv2.circle(picture, (164, 114), 8, MIDDLE, -1)
    return noisy(picture)


def seen(boxes: tuple[Box, ...] = BOXES, *, signs: bool = True) -> Mapping[str, NDArray[np.float32]]:
    models = MODELS if signs else {kind: MODELS[kind] for kind in (WOOD, NO_PIECE)}
    return input_planes(of_picture(palm(), LIGHT), boxes, SCORES[: len(boxes)], WOOD, models, AREAS)


def test_each_box_is_seen_beside_each_sign() -> None:
    examples = seen()
    assert list(examples) == [WITCH, SOUL]
    for planes in examples.values():
        assert planes.shape == (len(BOXES), PLANES, SIDE_PX, SIDE_PX)
        assert planes.dtype == np.float32
        assert np.abs(planes).max() <= -NOWHERE


def test_wood_and_sign_stand_out_where_they_lie() -> None:
    examples = seen()[SOUL]
    assert examples[0, FIT, CENTRE, CENTRE] > 0.5 > examples[1, FIT, CENTRE, CENTRE]
    assert examples[0, BETTER_THAN_REST, CENTRE, CENTRE] > 1 > -1 > examples[2, BETTER_THAN_REST, CENTRE, CENTRE]
    assert examples[1, BETTER_THAN_WOOD, CENTRE, CENTRE] > 1 > -1 > examples[0, BETTER_THAN_WOOD, CENTRE, CENTRE]


def test_a_view_shows_its_own_box_and_how_plainly_others_were_found() -> None:
    near = (PIECE, (70.0, 112.0, 20.0, 20.0))
    examples = seen(near)[SOUL]
    assert examples[0, OWN_BOX].sum() == pytest.approx(27 * 27, abs=60)
    assert examples[0, OWN_BOX, CENTRE, CENTRE] == 1.0
    assert examples[0, OTHERS].max() == np.float32(SCORES[1])
    assert examples[1, OTHERS].max() == np.float32(SCORES[0])


def test_a_view_shows_how_large_wood_and_sign_are() -> None:
    examples = seen()
    of_wood, of_sign = ({sign: float(of[0, plane].sum()) for sign, of in examples.items()} for plane in (SIZE, -1))
    assert of_wood == pytest.approx(dict.fromkeys((WITCH, SOUL), AREAS[WOOD] * CLOSE_PX_PER_MM**2), rel=0.05)
    assert of_sign == pytest.approx({kind: AREAS[kind] * CLOSE_PX_PER_MM**2 for kind in (WITCH, SOUL)}, rel=0.05)


def test_sizes_that_nobody_knows_are_nowhere() -> None:
    for planes in input_planes(of_picture(palm(), LIGHT), BOXES, SCORES, WOOD, MODELS, {}).values():
        assert (planes[:, [SIZE, -1]] == NOWHERE).all()


def test_a_box_at_the_edge_of_the_crop_is_seen_whole() -> None:
    (examples,) = seen(((0.0, 0.0, 10.0, 10.0),))[SOUL]
    assert np.isfinite(examples).all()
    assert (examples[:, 0] == examples[:, 1]).all()


def test_without_signs_there_is_one_view_without_them() -> None:
    examples = seen(signs=False)
    assert list(examples) == [""]
    assert (examples[""][:, SIGN_PLANES] == NOWHERE).all()


@pytest.mark.parametrize(("search_kind", "models"), [(None, MODELS), (WOOD, {WOOD: MODELS[WOOD]})])
def test_with_nothing_to_compare_with_there_is_no_view(
    search_kind: str | None, models: Mapping[str, KindColours]
) -> None:
    assert input_planes(of_picture(palm(), LIGHT), BOXES, SCORES, search_kind, models, AREAS) == {}


def test_the_network_tells_a_piece_a_sign_and_bare_skin_apart() -> None:
    examples = np.exp(PieceSignClassifier().classify(seen()[SOUL])[:, :HIDES])
    assert examples.sum(axis=1) == pytest.approx(1.0, abs=1e-4)
    assert [OUTCOMES[best] for best in examples.argmax(axis=1)] == ["painted", "sign", "nothing"]


def test_what_it_tells_becomes_counts() -> None:
    held = tuple(CandidatePiece(box, box, score, 0.0) for box, score in zip(BOXES, SCORES, strict=True))
    known = {kind: MODELS[kind] for kind in (WOOD, WITCH, SOUL)}
    examples = with_all_evidence(
        held, palm(), LIGHT, known, AREAS, (CROP_PX / 2, CROP_PX / 2), PieceSignClassifier()
    )
    piece, sign, bare = (one.piece_log_odds for one in examples)
    assert piece is not None
    assert sign is not None
    assert bare is not None
    assert min(piece, sign) > 2 > 0 > bare
    assert examples[1].sign_log_odds[SOUL] > 1 > -1 > examples[0].sign_log_odds[SOUL]
    best = hypotheses(examples, [WOOD], [WITCH, SOUL], None, fitted_weights())[0]
    assert best.counts == {WOOD: 1, SOUL: 1}


def test_damaged_weights_are_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "broken.onnx").write_bytes(b"not a network")
    with pytest.raises(RuntimeError, match="install the companion again"):
        PieceSignClassifier(tmp_path / "broken.onnx")
