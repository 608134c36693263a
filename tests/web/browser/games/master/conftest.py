"""Games of Master Labyrinth on the same random board in every run."""

from __future__ import annotations

import pytest

_SEED = 4


@pytest.fixture(autouse=True)
def _board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.adapters.master.adapter.secrets.randbelow", lambda _: _SEED)
