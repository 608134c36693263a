"""One enrolled table and its reader, made once: enrolment takes seconds."""

from __future__ import annotations

import pytest

from models.synthetic_hand_reveals import SyntheticTable
from vision.detector.model_set import ModelSet
from vision.hands import HandReader


@pytest.fixture(scope="session")
def table() -> SyntheticTable:
    return SyntheticTable(500)


@pytest.fixture(scope="session")
def networks() -> ModelSet:
    """Return the networks that the reader detects with."""
    return ModelSet.shipped()


@pytest.fixture(scope="session")
def reader(table: SyntheticTable, networks: ModelSet) -> HandReader:
    return HandReader(table.profile, networks)
