from __future__ import annotations

from pathlib import Path

import pytest

from calibration.files.file_lock import exclusive_lock


def test_a_lock_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    with exclusive_lock(tmp_path / "a-lock"):
        with exclusive_lock(tmp_path / "b-lock", 0.0):
            pass
        with pytest.raises(TimeoutError):
            exclusive_lock(tmp_path / "a-lock", 0.0)
    with exclusive_lock(tmp_path / "a-lock", 0.0):
        pass


def test_where_a_file_cannot_be_locked_there_is_no_lock(tmp_path: Path) -> None:
    with exclusive_lock(tmp_path / "no folder" / "a-lock"):
        pass
    assert list(tmp_path.iterdir()) == []
