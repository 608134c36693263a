"""One taught table and its reader, made once: teaching takes seconds."""

from __future__ import annotations

import pytest

from models.reveal.tables import RehearsedTable
from vision.detector.model_set import ModelSet
from vision.hands import RevealReader


@pytest.fixture(scope="session")
def table() -> RehearsedTable:
    return RehearsedTable(500)


@pytest.fixture(scope="session")
def sight() -> ModelSet:
    """Return the networks that the reader detects with."""
    return ModelSet.shipped()


@pytest.fixture(scope="session")
def reader(table: RehearsedTable, sight: ModelSet) -> RevealReader:
    return RevealReader(table.profile, sight)
