import numpy as np
import pytest

from models.detector.scenes import FIRST_SEED, training_ground
from models.evaluation.scenes import held_out_parameters
from vision.cameras.simulated.hands.arm_pictures import person


def test_no_hand_that_is_judged_with_is_trained_with() -> None:
    held_out, trained = (
        {index for number in range(300) for index in (person(number, cast).open, person(number, cast).closed)}
        for cast in ("held out", "training")
    )
    assert held_out
    assert trained
    assert not held_out & trained
    assert all(index % 5 == 0 for index in held_out)
    assert held_out_parameters.look(3).cast == "held out"


def test_judging_and_training_agree_where_the_seeds_of_training_begin() -> None:
    assert held_out_parameters.FIRST_TRAINING_SEED == FIRST_SEED


def test_no_ground_that_is_judged_on_is_trained_with() -> None:
    grounds = [training_ground(np.random.default_rng(number)) for number in range(200)]
    assert {ground.kind for ground in grounds} == set(held_out_parameters.TRAINING_GROUNDS)
    assert not {ground.kind for ground in grounds} & set(held_out_parameters.HELD_OUT_GROUNDS)
    assert all(ground.seed >= held_out_parameters.FIRST_TRAINING_SEED for ground in grounds)


@pytest.mark.parametrize("seed", [-1, held_out_parameters.FIRST_TRAINING_SEED])
def test_a_seed_of_the_training_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match="not held out"):
        held_out_parameters.look(seed)


def test_the_camera_hangs_where_pieces_are_small() -> None:
    looks = [held_out_parameters.look(seed) for seed in range(200)]
    assert all(800 <= look.height <= 1100 for look in looks)
    assert len({look.table for look in looks}) == 3


def test_every_session_has_its_own_pieces_and_one_in_four_the_stand_in_set() -> None:
    assert held_out_parameters.random_pieces(4).solids == {}
    made = [held_out_parameters.random_pieces(seed).solids["search:red"] for seed in (1, 2, 3, 1)]
    assert made[0] == made[3]
    assert len({solid.outline for solid in made}) == 3
    assert len({solid.paint for solid in made}) == 3
