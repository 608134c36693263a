from __future__ import annotations

import numpy as np
import pytest

from models.evaluation.scenes.picture_changes import relit
from models.synthetic_hand_reveals import COLOURS, card_faces, still_scene
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import HandOnTable, Scene
from vision.exposure_change import exposure
from vision.readings import Box


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(Look.from_seed(500), card_faces(500))


@pytest.fixture(scope="module")
def bare(renderer: Renderer) -> Image:
    return renderer.render(Scene(4), 2)


@pytest.fixture(scope="module")
def in_play(renderer: Renderer) -> tuple[Image, tuple[Box, ...]]:
    """A game with cards, boards and four hands full, and where the hands are."""
    still = still_scene(np.random.default_rng(7), 4, list(COLOURS[:4]), dressed=True)
    hands = tuple(HandOnTable(seat, 1.0, 1.0, (f"search:{COLOURS[seat]}",) * 6, 3) for seat in range(4))
    scene = Scene(4, cards=still.cards, boards=still.boards, pieces=still.pieces, hands=hands)
    image, truth = renderer.render_with_truth(scene, 1)
    return image, tuple(hand.box for hand in truth.hands)


@pytest.mark.parametrize("gains", [(1.0, 1.0, 1.0), (0.6, 0.9, 1.2), (1.2, 1.1, 0.8), (0.55, 0.55, 0.55)])
def test_the_exposure_and_balance_of_a_picture_in_a_game_are_measured(
    bare: Image, in_play: tuple[Image, tuple[Box, ...]], gains: tuple[float, float, float]
) -> None:
    image, hands = in_play
    exposed = exposure(bare, relit(image, gains), hands)
    assert exposed * gains == pytest.approx(1.0, abs=0.06)


def test_what_hands_show_says_nothing(bare: Image) -> None:
    image = bare.copy()
    box = (0.0, 0.0, image.shape[1] * 0.7, float(image.shape[0]))
    image[:, : round(box[2])] = relit(bare, (0.6, 0.8, 0.7))[:, : round(box[2])]
    assert exposure(bare, image, [box]) == pytest.approx(1.0, abs=0.01)


def test_of_another_surface_in_no_one_light_nothing_is_reported(bare: Image) -> None:
    patches = np.random.default_rng(0).integers(20, 240, (bare.shape[0] // 40, bare.shape[1] // 40, 3), np.uint8)
    assert exposure(bare, patches.repeat(40, axis=0).repeat(40, axis=1)).tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("level", [0, 255])
def test_without_light_and_with_too_much_nothing_is_reported(bare: Image, level: int) -> None:
    assert exposure(bare, np.full_like(bare, level)).tolist() == [1.0, 1.0, 1.0]


def test_a_few_light_things_on_a_black_table_say_nothing(bare: Image) -> None:
    black = np.full_like(bare, 4)
    black[100:260, 100:300] = bare[100:260, 100:300]
    other = black.copy()
    other[100:260, 100:300] = relit(bare, (0.6, 0.8, 0.7))[100:260, 100:300]
    assert exposure(black, other).tolist() == [1.0, 1.0, 1.0]


def test_no_light_is_thought_to_differ_by_more_than_three_times(bare: Image) -> None:
    dim = relit(bare, (0.2, 0.2, 0.2))
    assert exposure(bare, dim) == pytest.approx(np.exp(1.1))


def test_pictures_of_any_size_can_be_compared() -> None:
    tiny = Renderer(Look(), {}).render(Scene(4), 1)[:5, :7]
    assert exposure(tiny, tiny).tolist() == pytest.approx([1.0, 1.0, 1.0])
