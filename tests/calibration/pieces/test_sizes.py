"""Whether sizes of specimens fit each other."""

from __future__ import annotations

import numpy as np

from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen, contact_sheet
from calibration.pieces.size_check import size_problems


def _kind(*lengths: float) -> PieceSamples:
    crop = np.zeros((CROP_PX, CROP_PX, 4), np.uint8)
    crop[20:36, 20:36] = (40, 40, 190, 255)
    pixels = np.zeros((40, 3), np.float32)
    return PieceSamples(tuple(Specimen(pixels, (length, 9.0), 9.0 * length, crop) for length in lengths))


def test_pieces_of_alike_sizes_are_no_problem() -> None:
    pieces = {"search:red": _kind(15, 16), "search:green": _kind(14, 15), "search:black": _kind(17, 16)}
    assert size_problems(pieces) == ()


def test_a_specimen_that_is_cut_off_is_reported() -> None:
    (line,) = size_problems({"search:red": _kind(15, 16, 8)})
    assert line.startswith("The samples of search:red differ greatly in size, from 8×9 to 16×9 mm")


def test_a_kind_much_smaller_or_larger_than_its_siblings_is_reported_alone() -> None:
    pieces = {"search:red": _kind(15, 16), "search:green": _kind(15), "search:yellow": _kind(15)}
    pieces["search:black"] = _kind(8, 8)
    assert size_problems(pieces, "search:red") == ()
    (line,) = size_problems(pieces, "search:black")
    assert line == (
        "search:black was measured much smaller than the other kinds of its group, 8×9 against 15×9 mm: if "
        "that is wrong, enrol it again."
    )
    larger = {**pieces, "search:black": _kind(30)}
    assert "search:black was measured much larger than the other kinds of its group" in size_problems(larger)[0]


def test_signs_are_not_compared_with_search_pieces() -> None:
    assert size_problems({"search:red": _kind(15), "search:green": _kind(15), "sign:soul": _kind(28)}) == ()


def test_the_contact_sheet_shows_every_specimen_with_its_outline() -> None:
    sheet = contact_sheet(_kind(15, 15, 15, 15, 15, 15, 15))
    assert sheet.shape == (2 * 4 * CROP_PX, 6 * 4 * CROP_PX, 3)
    first, last = sheet[: 4 * CROP_PX, : 4 * CROP_PX], sheet[4 * CROP_PX :, 4 * CROP_PX :]
    assert (first == (92, 164, 201)).all(axis=2).any()
    assert not last.any()
