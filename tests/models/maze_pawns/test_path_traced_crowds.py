"""Tests of training places from path-traced crowds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from models.maze_objects.random_scenes import DISC, PAWN, RINGS, WIZARDS
from models.maze_pawns.path_traced_crowds import CrowdView, crowd_view, rendered_crowds
from models.maze_pawns.place_crops import STORED_PX, Places, drawn_places, load_traced_places
from models.maze_pawns.train import epoch_places
from models.path_tracing.maze_jobs import OTHER, write_crowds
from tests.models.crowd_folder import write_crowd_folder
from vision.games.master.objects.object_network import COLOURS
from vision.games.master.objects.top_views import MARGIN, TILE_PX
from vision.games.master.readings import SIZE

_VERSIONS = 3


@pytest.fixture(scope="module")
def order(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """Return the folder of one crowd and its order; its picture shows a green disc for each token on black."""
    folder = tmp_path_factory.mktemp("crowds")
    return folder, write_crowd_folder(folder)


@pytest.fixture(scope="module")
def shown(order: tuple[Path, dict[str, Any]]) -> list[CrowdView]:
    (crowd,) = rendered_crowds(order[0])
    return [crowd_view(crowd, np.random.default_rng(seed)) for seed in range(_VERSIONS)]


@pytest.fixture(scope="module")
def places(order: tuple[Path, dict[str, Any]]) -> Places:
    return load_traced_places([order[0]], _VERSIONS)


def test_each_version_of_a_picture_has_other_errors_and_the_same_pieces(shown: list[CrowdView]) -> None:
    first, second = shown[:2]
    assert not np.array_equal(first.view.image, second.view.image)
    assert not np.array_equal(first.camera, second.camera)
    assert np.array_equal(first.present, second.present)


def test_every_piece_of_the_order_is_present_on_its_place(
    order: tuple[Path, dict[str, Any]], shown: list[CrowdView]
) -> None:
    made, present = order[1], shown[0].present
    assert sorted(np.flatnonzero(present[DISC])) == sorted(place for _, place in made["tokens"])
    assert sorted(np.flatnonzero(present[PAWN])) == sorted({place for _, place in made["wizards"]})
    for index, colour in enumerate(COLOURS):
        standing = {place for one, place in made["wizards"] if one == colour}
        assert set(np.flatnonzero(present[WIZARDS][index])) == standing
        assert np.flatnonzero(present[RINGS][index]).tolist() == [dict(made["starts"])[colour]]


def test_hidden_pieces_are_not_learned_from(order: tuple[Path, dict[str, Any]], shown: list[CrowdView]) -> None:
    made, weight = order[1], shown[0].weight
    hidden = made["tokens"][0][1]
    assert np.flatnonzero(weight[DISC] == 0).tolist() == [hidden]
    colour, place = next((colour, place) for colour, place in made["starts"])
    assert weight[RINGS][COLOURS.index(colour), place] == 0
    assert (weight[RINGS] == 0).sum() == 1
    colour, place = made["wizards"][0]
    if colour != OTHER:
        assert weight[WIZARDS][COLOURS.index(colour), place] == 0
    assert (weight[WIZARDS] == 0).sum() == (colour != OTHER)


def test_the_view_shows_discs_on_their_places(order: tuple[Path, dict[str, Any]], shown: list[CrowdView]) -> None:
    for one in shown:
        for _, place in order[1]["tokens"]:
            row, column = divmod(place, SIZE)
            x, y = (round((MARGIN + at) * TILE_PX) for at in (column + 0.6, row + 0.45))
            assert one.view.image[y - 1 : y + 2, x - 1 : x + 2, 1].mean() > 100


def test_places_with_and_without_wizards_are_learned_from(
    order: tuple[Path, dict[str, Any]], places: Places
) -> None:
    standing = len({place for _, place in order[1]["wizards"]})
    assert places.image.shape[1:] == (STORED_PX, STORED_PX, 3)
    assert places.present[:, -1].sum() == _VERSIONS * standing
    assert len(places.image) > _VERSIONS * (standing + 5)
    assert len({len(getattr(places, name)) for name in ("image", "paints", "lean", "present", "weight")}) == 1


def test_half_of_an_epoch_is_path_traced(places: Places) -> None:
    ours = drawn_places(np.random.default_rng(4))
    both, picked = epoch_places(ours, places)
    assert len(both.image) == len(ours.image) + len(places.image)
    assert sorted(picked[picked < len(ours.image)]) == list(range(len(ours.image)))
    assert np.mean(picked >= len(ours.image)) == pytest.approx(0.5, abs=0.02)
    assert epoch_places(ours, None)[1].tolist() == list(range(len(ours.image)))


def test_a_folder_without_crowds_is_refused(tmp_path: Path) -> None:
    write_crowds(tmp_path, 1)
    with pytest.raises(FileNotFoundError, match="make traced-crowds"):
        rendered_crowds(tmp_path)
