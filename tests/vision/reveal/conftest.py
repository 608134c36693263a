"""One taught table and its reader, made once: teaching takes seconds."""

from __future__ import annotations

import pytest

from models.reveal.tables import RehearsedTable
from vision.detector.sight import Sight
from vision.hands import RevealReader


@pytest.fixture(scope="session")
def table() -> RehearsedTable:
    return RehearsedTable(500)


@pytest.fixture(scope="session")
def sight() -> Sight:
    """Return the networks that the reader detects with."""
    return Sight.shipped()


@pytest.fixture(scope="session")
def reader(table: RehearsedTable, sight: Sight) -> RevealReader:
    return RevealReader(table.profile, sight)
