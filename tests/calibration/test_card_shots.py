import numpy as np

from calibration.art import corridor_face, rasterise
from calibration.card_shots import card_picture
from calibration.deck import REFERENCE_PX_PER_MM
from tests.calibration.drawn import camera, lay, photograph, table_top

PLANE = camera()


def test_a_card_is_cut_out_where_the_table_under_it_is_known_only_roughly() -> None:
    bare = table_top(3)
    face = rasterise(corridor_face("C01", ["yellow"], ["green"]), REFERENCE_PX_PER_MM)
    patch = np.full((98, 100, 3), np.median(bare.reshape(-1, 3), axis=0) * 0.8, np.uint8)
    roughly = photograph(lay(bare, patch, 1.0, 0.0, 0.0), PLANE, 1)
    picture = card_picture(
        photograph(lay(bare, face, REFERENCE_PX_PER_MM, 4.0, -3.0, 5.0), PLANE, 2), PLANE, roughly
    )
    assert picture.shape[:2] == (88 * REFERENCE_PX_PER_MM, 63 * REFERENCE_PX_PER_MM)
