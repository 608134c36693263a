"""What the tests of boards share."""

from __future__ import annotations

import pytest

from calibration.profile import TableProfile
from tests.vision.boards import enrolled
from tests.vision.boards.enrolled import Room
from vision.games.wicked.board_reader import BoardReader


@pytest.fixture(scope="session")
def room() -> Room:
    return enrolled.room()


@pytest.fixture(scope="session")
def profile() -> TableProfile:
    return enrolled.profile()


@pytest.fixture(scope="session")
def reader(profile: TableProfile) -> BoardReader:
    return BoardReader(profile)
