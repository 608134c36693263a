from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from calibration.errors import ProfileError
from calibration.files.crash_safe_files import drop_unused, read_part, write_named, write_whole

NAMES = re.compile(r"list\.json|view-[0-9a-f]+\.jpg")


def test_only_unused_files_that_were_written_under_their_digest_are_removed(tmp_path: Path) -> None:
    used, unused = (write_named(tmp_path, "view", ".jpg", data) for data in (b"used", b"unused"))
    other_stem = write_named(tmp_path, "card", ".jpg", b"unused")
    own = ["holiday.jpg", "view-202403151230.jpg", ".holiday.jpg.0123abcd.tmp", ".list.json.mine.tmp", "list.json"]
    for name in own:
        (tmp_path / name).write_bytes(b"the user's")
    for name in (f".{used}.0123abcd.tmp", ".list.json.0123abcd.tmp"):
        (tmp_path / name).write_bytes(b"half")
    drop_unused(tmp_path, {used}, NAMES)
    assert unused != used
    assert {path.name for path in tmp_path.iterdir()} == {used, other_stem, *own}


def test_a_file_that_cannot_be_read_is_not_called_missing(tmp_path: Path) -> None:
    (tmp_path / "view-0123456789ab.jpg").mkdir()
    with pytest.raises(ProfileError, match=r"view-0123456789ab\.jpg cannot be read: Is a directory"):
        read_part(tmp_path, "view-0123456789ab.jpg")
    with pytest.raises(ProfileError, match="is missing"):
        read_part(tmp_path, "view-ba9876543210.jpg")


def test_a_file_is_written_where_a_link_leads(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "other" / "target"
    target.parent.mkdir()
    link.symlink_to(target)
    for data in (b"first", b"second"):
        write_whole(link, data)
        assert link.is_symlink()
        assert target.read_bytes() == data
    assert [path.name for path in target.parent.iterdir()] == ["target"]


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_whole(pipe, b"data")
        assert os.read(reader, 9) == b"data"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_a_folder_is_not_replaced_by_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for path in (tmp_path, Path()):
        with pytest.raises(IsADirectoryError):
            write_whole(path, b"data")
