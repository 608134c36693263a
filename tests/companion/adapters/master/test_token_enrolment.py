"""Tokens of any printing are enrolled from one picture, stored, and recognised in another picture."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.drawing.raster import rasterise
from calibration.errors import ProfileError
from calibration.games.master.art.tokens import token_face
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile, import_profile
from companion.adapters.master.token_enrolment import enrolled_tokens
from companion.cli import main
from models.evaluation.maze.synthetic_pictures import tokens_in_order
from vision import colour
from vision.games.master.objects.tokens.token_faces import DISC_PX, faces_of, normalised, polar_views
from vision.games.master.readings import NUMBERS
from vision.games.master.token_enrolment import token_samples

OTHER_PRINT = "ornate"


def laid(numbers: tuple[int, ...], columns: int = 5, pale: int | None = None) -> np.ndarray:
    """Return a picture of printed tokens in rows, each turned by chance, BGR.

    pale: number of a token in faint colours.
    """
    rng = np.random.default_rng(1)
    height, width = 50 + 110 * -(-len(NUMBERS) // columns), 44 + 108 * columns
    picture = np.full((height, width, 3), (120, 150, 170), np.float64) + rng.normal(0, 4, (height, width, 1))
    for place, number in enumerate(numbers):
        face = rasterise(token_face(number), 4.0)
        side = face.shape[0]
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), 1.0)
        face = np.asarray(cv2.warpAffine(face, turn, (side, side)), np.uint8)
        x, y = 30 + place % columns * 108, 30 + place // columns * 110
        share = face[..., 3:] / 255.0
        under = picture[y : y + side, x : x + side]
        shown = 235 + (face[..., :3] - 235.0) * (0.08 if number == pale else 1.0)
        picture[y : y + side, x : x + side] = under * (1 - share) + shown * share
    return np.clip(picture, 0, 255).astype(np.uint8)


def numbers_in(picture: np.ndarray, profile: TableProfile) -> list[int]:
    """Return the numbers as which a profile's tokens are recognised in a picture of all in order."""
    faces = faces_of(profile.pieces)
    read = []
    for samples in token_samples(picture).values():
        crop = np.ascontiguousarray(samples.specimens[0].crop[..., :3])
        middle = (crop.shape[0] - 1) / 2
        polar = normalised(polar_views(colour.of_view(crop), np.array([[middle, middle, DISC_PX / 2]])))
        read.append(faces.numbers[int(faces.compare(polar, DISC_PX / 2)[0].argmax())])
    return read


@pytest.mark.slow
def test_another_printing_is_recognised_after_one_picture_and_a_round_trip(tmp_path: Path) -> None:
    picture = tokens_in_order(4, OTHER_PRINT, columns=8)
    cv2.imwrite(str(tmp_path / "tokens.png"), picture)
    result = CliRunner().invoke(main, ["enrol", "tokens", "-p", str(tmp_path / "p"), str(tmp_path / "tokens.png")])
    assert (result.exit_code, result.output) == (0, "21 tokens enrolled.\n")
    profile = TableProfile.load(tmp_path / "p")
    assert profile.pieces == {}
    own = profile.of("master")
    assert list(own.pieces) == [f"token:{number}" for number in NUMBERS]
    later = tokens_in_order(4, OTHER_PRINT, "half", 25.0, columns=8)
    assert numbers_in(later, own) == list(NUMBERS)
    export_profile(profile, tmp_path / "p.zip")
    imported = import_profile(tmp_path / "p.zip", str(tmp_path / "q")).of("master")
    assert numbers_in(later, imported) == list(NUMBERS)


@pytest.mark.slow
def test_a_second_picture_is_added_or_replaces_the_first(tmp_path: Path) -> None:
    one, other = (tokens_in_order(4, OTHER_PRINT, light, columns=8) for light in ("day", "lamp"))
    first = enrolled_tokens(TableProfile(4), one)
    assert {len(of.specimens) for of in enrolled_tokens(first, other).pieces.values()} == {1}
    assert {len(of.specimens) for of in enrolled_tokens(first, other, add=True).pieces.values()} == {2}


def test_printed_tokens_in_a_wrong_order_are_refused_and_named() -> None:
    assert len(enrolled_tokens(TableProfile(4), laid(NUMBERS)).pieces) == 21
    swapped = (*NUMBERS[:5], 9, 7, 8, 6, *NUMBERS[9:])
    with pytest.raises(ProfileError, match="where 6 belongs is 9 and where 9 belongs is 6"):
        enrolled_tokens(TableProfile(4), laid(swapped))


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_turned_picture_is_enrolled_in_the_same_order(quarters: int) -> None:
    turned = np.ascontiguousarray(np.rot90(laid(NUMBERS), quarters))
    assert numbers_in(turned, TableProfile(4).of("master")) == list(NUMBERS)


@pytest.mark.parametrize("quarters", [0, 2])
def test_equal_rows_do_not_show_how_they_are_turned_and_are_never_taken_as_upright_silently(
    quarters: int, tmp_path: Path
) -> None:
    picture = np.ascontiguousarray(np.rot90(tokens_in_order(4, OTHER_PRINT), quarters))
    with pytest.raises(ProfileError, match="Which row is the first is not clear"):
        enrolled_tokens(TableProfile(4), picture)
    cv2.imwrite(str(tmp_path / "rows.png"), picture)
    result = CliRunner().invoke(main, ["enrol", "tokens", "-p", str(tmp_path / "p"), str(tmp_path / "rows.png")])
    assert result.exit_code == 0
    assert result.output.startswith("21 tokens enrolled. The picture was taken as upright")


def test_a_pale_token_is_enrolled_as_well() -> None:
    assert len(enrolled_tokens(TableProfile(4), laid(NUMBERS, pale=5)).pieces) == 21


@pytest.mark.parametrize("seen", [NUMBERS[:20], ()])
def test_too_few_tokens_leave_the_profile_as_it_was(seen: tuple[int, ...], tmp_path: Path) -> None:
    enrolled_tokens(TableProfile(4), laid(NUMBERS)).save(tmp_path / "p")
    before = {path.name: path.read_bytes() for path in (tmp_path / "p").iterdir()}
    cv2.imwrite(str(tmp_path / "few.png"), laid(seen))
    result = CliRunner().invoke(main, ["enrol", "tokens", "-p", str(tmp_path / "p"), str(tmp_path / "few.png")])
    assert result.exit_code == 3
    assert result.output.count("\n") == 1
    assert "not 21" in result.output
    assert {path.name: path.read_bytes() for path in (tmp_path / "p").iterdir()} == before


def test_what_was_found_is_written_as_a_picture(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "all.png"), laid(NUMBERS))
    arguments = ["enrol", "tokens", "-p", str(tmp_path / "p"), "--show", str(tmp_path / "found.png")]
    assert CliRunner().invoke(main, [*arguments, str(tmp_path / "all.png")]).exit_code == 0
    shown = cv2.imread(str(tmp_path / "found.png"))
    assert shown is not None
    assert shown.shape[0] > shown.shape[1] / 2


def test_where_the_picture_cannot_be_written_nothing_is_enrolled(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "all.png"), laid(NUMBERS))
    arguments = ["enrol", "tokens", "-p", str(tmp_path / "p"), "--show", str(tmp_path / "none" / "found.png")]
    done = CliRunner().invoke(main, [*arguments, str(tmp_path / "all.png")])
    assert (done.exit_code, "cannot be written" in done.stderr) == (3, True)
    assert not (tmp_path / "p").exists()
