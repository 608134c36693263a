"""What is costly to make and shared by the tests of table and director."""

from __future__ import annotations

import pytest

from tests.companion.director.rehearsal import Room, furnished


@pytest.fixture(scope="session", name="room")
def _room() -> Room:
    """The simulated table in its standard look, taught from its own pictures."""
    return furnished()
