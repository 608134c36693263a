"""What is costly to make and shared by the tests of table and director."""

from __future__ import annotations

import pytest

from tests.companion.director.rehearsal import Room, furnished, prepared


@pytest.fixture(scope="session", name="room")
def _room() -> Room:
    """The simulated table on the ground of the demonstration, with the bundled pieces."""
    return prepared()


@pytest.fixture(scope="session", name="plain_room")
def _plain_room() -> Room:
    """The simulated table on plain wood, with every kind of piece enrolled from its pictures."""
    return furnished()
