"""A recorded game read once more with the real reader and referee: no undetected error."""

from __future__ import annotations

import errno
import io
import json
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main, saved_games
from companion.session.archive import read_archive
from companion.table.history.replay_evaluation import profile_in, reread_frames

GOLDEN = sorted((Path(__file__).parents[3] / "golden").glob("*.game.zip"))
SMALL_ENOUGH = 1_500_000


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.name)
def test_no_recorded_hand_is_read_wrong_without_being_asked_about(file: Path) -> None:
    archive = read_archive(file)
    profile = profile_in(archive)
    assert profile is not None
    read = list(reread_frames(archive, profile))
    assert len(read) >= 2
    assert [one for one in read if one.verdict == "wrong"] == []
    assert [one for one in read if one.verdict == "unread"] == []
    assert any(one.read == one.expected for one in read)


def test_there_is_a_recorded_game_and_it_is_small() -> None:
    assert GOLDEN
    assert all(file.stat().st_size < SMALL_ENOUGH for file in GOLDEN)


@pytest.mark.slow
def test_the_command_tells_each_verdict_and_their_counts() -> None:
    result = CliRunner().invoke(main, ["replay", "--fixture", str(GOLDEN[0])])
    assert result.exit_code == 0
    *lines, counted = result.output.strip().splitlines()
    assert {line.split()[1] for line in lines} <= {"right", "asked"}
    assert counted.endswith("0 unread, 0 wrong.")


@pytest.mark.slow
def test_a_frame_that_contradicts_the_moves_is_called_wrong_or_asked_about(tmp_path: Path) -> None:
    """The same frames under other moves: what was expected is not what lies there."""
    file = tmp_path / "other.game.zip"
    with zipfile.ZipFile(GOLDEN[0]) as archive, zipfile.ZipFile(file, "w") as other:
        for name in archive.namelist():
            data = archive.read(name)
            if name == "journal.jsonl":
                lines = data.splitlines()
                entry = json.loads(lines[3])
                for hand in entry["move"]["hands"]:
                    hand.update(search=0, witch=0, soul=0)
                lines = [*lines[:3], json.dumps(entry).encode()]
                data = b"\n".join(lines)
            if name == "meta.json":
                data = json.dumps(json.loads(data) | {"entries": 4}).encode()
            if not name.startswith("frames/5"):
                other.writestr(name, data)
    archive_of_others = read_archive(file)
    profile = profile_in(archive_of_others)
    assert profile is not None
    (one,) = reread_frames(archive_of_others, profile)
    assert one.read != one.expected
    assert one.verdict in ("wrong", "asked")


def test_replay_tells_an_exported_game_like_a_journal() -> None:
    result = CliRunner().invoke(main, ["replay", str(GOLDEN[0])])
    assert result.exit_code == 0
    assert "Round 1 begins with the corridors" in result.output
    assert "Scores if the game ended now" in result.output


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["replay", "--profile", "x", "FILE"], 2, "--profile can be used only with --fixture"),
        (["replay", "--fixture", "NOTHING"], 3, "There is no file"),
        (["replay", "--fixture", "PLAIN"], 3, "This export contains no profile"),
        (["replay", "BROKEN"], 3, "is not an exported game"),
    ],
)
def test_what_cannot_be_replayed_ends_with_one_line(
    tmp_path: Path, options: list[str], code: int, words: str
) -> None:
    plain = io.BytesIO()
    with zipfile.ZipFile(GOLDEN[0]) as archive, zipfile.ZipFile(plain, "w") as written:
        for name in ("meta.json", "journal.jsonl"):
            written.writestr(name, archive.read(name))
    (tmp_path / "PLAIN").write_bytes(plain.getvalue())
    (tmp_path / "BROKEN").write_bytes(plain.getvalue()[:200])
    (tmp_path / "FILE").write_bytes(plain.getvalue())
    named = [str(tmp_path / each) if each.isupper() else each for each in options]
    result = CliRunner().invoke(main, named)
    assert result.exit_code == code
    assert words in result.output


def test_a_game_goes_out_and_comes_in_by_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "one"))
    runner = CliRunner()
    assert runner.invoke(main, ["game", "import", str(GOLDEN[0])]).exit_code == 0
    name = runner.invoke(main, ["game", "list"]).output.split()[0]
    out = tmp_path / "out.game.zip"
    result = runner.invoke(main, ["game", "export", name, "-o", str(out)])
    assert (result.exit_code, result.output.startswith(f"Written to {out}")) == (0, True)
    assert read_archive(out).entries == read_archive(GOLDEN[0]).entries
    assert runner.invoke(main, ["game", "import", str(out)]).exit_code == 3
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path / "two"))
    assert runner.invoke(main, ["game", "import", str(out)]).output.startswith(
        f"{name}: Ada, Bruno, Chie, 5 entries."
    )
    assert runner.invoke(main, ["game", "export", "nothing", "-o", str(out)]).exit_code == 3
    refused = runner.invoke(main, ["game", "export", name, "-o", str(tmp_path)])
    assert (refused.exit_code, refused.stderr) == (3, f"{tmp_path} cannot be written (Is a directory).\n")

    def unreadable(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(saved_games, "write_archive", unreadable)
    refused = runner.invoke(main, ["game", "export", name, "-o", str(out)])
    assert (refused.exit_code, refused.stderr) == (3, f"The game {name} cannot be read (Permission denied).\n")
