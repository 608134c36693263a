"""What becomes of the output of commands where it cannot be written as it is."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main

FULL = Path("/dev/full")
COMPANION = (sys.executable, "-c", "import sys; from companion.cli import main; sys.exit(main())")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
def test_a_full_disk_ends_a_command_with_one_line(subtests: pytest.Subtests) -> None:
    for arguments in (["--help"], ["--version"], ["print", "--help"]):
        with subtests.test(" ".join(arguments)), FULL.open("w") as full:
            result = subprocess.run([*COMPANION, *arguments], stdout=full, stderr=subprocess.PIPE, text=True)
            assert result.returncode == 3
            (line,) = result.stderr.splitlines()
            assert line.startswith("The output cannot be written: ")


def test_a_command_that_is_interrupted_exits_with_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.table.history.saved_games.SavedGames.saved_games", interrupted)
    result = CliRunner().invoke(main, ["game", "list"])
    assert (result.exit_code, result.stderr) == (130, "\nInterrupted.\n")


def test_a_name_that_the_encoding_lacks_is_escaped(tmp_path: Path) -> None:
    profile = tmp_path / "桜"
    result = subprocess.run(
        [*COMPANION, "calibrate", "--profile", str(profile), "--flat", "2"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
    )
    assert result.returncode == 0, result.stderr
    assert b"\\u685c" in result.stdout
