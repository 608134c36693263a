"""Tokens of another printing are enrolled on the page: one picture, saved at once, used for reading."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import TableProfile
from companion.games.master.rules.setup import MasterSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from companion.table.views import Refused
from models.evaluation.maze.synthetic_pictures import tokens_in_order
from vision.cameras.frame import Image


class Pictured(Table):
    """A table whose camera sends one picture."""

    shown: Image | None = None

    @property
    def picture(self) -> Image | None:
        """The newest picture."""
        return self.shown


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Pictured]:
    table = Pictured(SavedGames(tmp_path / "games"), MasterSetup(seed=1), game="master")
    yield table
    table.close()


def service_of(table: Table, folder: Path, game: str = "master") -> EnrolmentService:
    TableProfile(4).save(folder)
    return EnrolmentService(table, folder, readers_for, None, game)


def test_all_tokens_are_enrolled_from_one_picture_without_a_sheet(table: Pictured, tmp_path: Path) -> None:
    service = service_of(table, tmp_path / "p")
    before = service.known()
    assert not before.sheet
    assert not any(kind.specimens for kind in before.kinds)
    table.shown = tokens_in_order(4, "ornate", columns=8)
    kept = service.enrol_in_order()
    tokens = [kind for kind in kept.known.kinds if kind.kind.startswith("token:")]
    assert [kind.specimens for kind in tokens] == [1] * 21
    assert len(TableProfile.load(tmp_path / "p").of("master").pieces) == 21


def test_a_picture_without_tokens_leaves_the_profile_as_it_was(table: Pictured, tmp_path: Path) -> None:
    service = service_of(table, tmp_path / "p")
    table.shown = np.full((360, 640, 3), 120, np.uint8)
    with pytest.raises(Refused, match="not 21"):
        service.enrol_in_order()
    assert TableProfile.load(tmp_path / "p").of("master").pieces == {}


def test_a_game_whose_pieces_are_enrolled_kind_by_kind_refuses(tmp_path: Path) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    service = service_of(table, tmp_path / "p", "wicked")
    assert service.known().sheet
    with pytest.raises(Refused, match="kind by kind"):
        service.enrol_in_order()
    table.close()
