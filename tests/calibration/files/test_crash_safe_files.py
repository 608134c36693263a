from __future__ import annotations

import re
from pathlib import Path

from calibration.files.crash_safe_files import drop_unused, write_named

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
