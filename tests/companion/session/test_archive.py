"""A game as one file: what goes out comes in again elsewhere, and nothing else does."""

from __future__ import annotations

import io
import json
import random
import zipfile
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.files.zip_limits import check_directory
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Hand, Reveal
from companion.session import Session
from companion.session.archive import is_archive, read_archive, write_archive
from companion.session.errors import ArchiveError
from companion.session.game_settings import GameSettings, load_settings, save_settings
from companion.session.journal import Journal
from companion.table.history.saved_games import SavedGames
from tests.companion.session.conftest import NewGame

MOVE = Reveal((Hand(1), Hand(2), Hand(0)))
PICTURE = bytes(cv2.imencode(".jpg", np.full((90, 160, 3), 90, np.uint8))[1])


def exported(session: Session, *, frames: bool = False) -> bytes:
    buffer = io.BytesIO()
    write_archive(session, buffer, frames=frames)
    return buffer.getvalue()


@pytest.fixture(name="game")
def _game(new_game: NewGame) -> Session:
    """A broken-off game with a picture, an undo and a correction in it."""
    session = new_game()
    session.play(MOVE, source="camera", evidence=PICTURE, stills={"frame-1": PICTURE, "background": PICTURE})
    session.play(MOVE)
    session.undo()
    session.revise(2, Reveal((Hand(2), Hand(2), Hand(0))))
    return session


HINTS = GameSettings(hints=True, reminders=False)


def test_what_the_host_has_chosen_goes_along(game: Session, tmp_path: Path) -> None:
    save_settings(game.path, HINTS)
    data = exported(game)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read("settings.json")) == {"hints": True, "reminders": False, "way": "camera"}
    elsewhere = SavedGames(tmp_path / "elsewhere")
    id = elsewhere.import_game(read_archive(io.BytesIO(data)))
    assert load_settings(elsewhere.path(id)) == HINTS


def test_an_export_of_before_has_what_a_new_game_has_whatever_lay_there(game: Session, tmp_path: Path) -> None:
    elsewhere = SavedGames(tmp_path / "elsewhere")
    elsewhere.folder.mkdir()
    save_settings(elsewhere.folder / f"{game.id}.journal", HINTS)  # of a game that is gone
    id = elsewhere.import_game(read_archive(io.BytesIO(exported(game))))
    assert load_settings(elsewhere.path(id)) == GameSettings()


Change = Callable[[dict[str, bytes]], None]


def changed(data: bytes, change: Change) -> io.BytesIO:
    """Pack an export once more with some parts changed."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    change(parts)
    again = io.BytesIO()
    with zipfile.ZipFile(again, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content, zipfile.ZIP_DEFLATED)
    again.seek(0)
    return again


def test_an_exported_game_is_the_same_game_elsewhere(game: Session, tmp_path: Path) -> None:
    elsewhere = SavedGames(tmp_path / "elsewhere")
    id = elsewhere.import_game(read_archive(io.BytesIO(exported(game, frames=True))))
    assert id == game.id
    with elsewhere.open(id) as there:
        assert there.entries == game.entries
        assert there.state == game.state
        assert there.evidence(2) == PICTURE
        assert there.stills(2) == {"background": PICTURE, "frame-1": PICTURE}
        there.play(MOVE)
    assert [path.name for path in elsewhere.folder.iterdir() if path.suffix == ".journal"] == [f"{id}.journal"]


def test_the_journal_in_it_is_the_journal_line_by_line(game: Session) -> None:
    with zipfile.ZipFile(io.BytesIO(exported(game))) as archive:
        lines = archive.read("journal.jsonl").decode().splitlines()
        assert archive.namelist() == ["meta.json", "journal.jsonl", "evidence/2.jpg"]
    assert lines == list(Journal.open(game.path, read_only=True).bodies())


def test_the_same_game_gives_the_same_bytes(game: Session) -> None:
    assert exported(game) == exported(game)


def test_a_game_that_is_here_already_is_refused_and_a_later_one_gets_its_own_name(
    game: Session, tmp_path: Path
) -> None:
    elsewhere = SavedGames(tmp_path / "elsewhere")
    elsewhere.import_game(read_archive(io.BytesIO(exported(game))))
    with pytest.raises(ArchiveError, match="is here already"):
        elsewhere.import_game(read_archive(io.BytesIO(exported(game))))
    game.play(MOVE)
    assert elsewhere.import_game(read_archive(io.BytesIO(exported(game)))) == f"{game.id}-2"
    assert len(elsewhere.summaries()) == 2


def test_a_whole_random_game_comes_through(new_game: NewGame) -> None:
    rng = random.Random(4)
    session = new_game(seed=4)
    while session.state.phase != "over":
        session.play(random_move(session.state, rng))
    assert read_archive(io.BytesIO(exported(session))).state == session.state


def put(name: str, content: bytes) -> Change:
    return lambda parts: parts.update({name: content})


def without(name: str) -> Change:
    def change(parts: dict[str, bytes]) -> None:
        del parts[name]

    return change


def meta(**fields: object) -> Change:
    return lambda parts: parts.update({"meta.json": json.dumps(json.loads(parts["meta.json"]) | fields).encode()})


def replaced(old: bytes, new: bytes) -> Change:
    def change(parts: dict[str, bytes]) -> None:
        assert old in parts["journal.jsonl"]
        parts["journal.jsonl"] = parts["journal.jsonl"].replace(old, new, 1)

    return change


def entry_twice(parts: dict[str, bytes]) -> None:
    lines = parts["journal.jsonl"].splitlines(keepends=True)
    parts["journal.jsonl"] = b"".join([*lines, lines[-1]])
    meta(entries=len(lines) + 1)(parts)


HOSTILE: list[tuple[Change, str]] = [
    (without("meta.json"), "is not an exported game. Choose"),
    (without("journal.jsonl"), "is not an exported game. Choose"),
    (put("../../evil", b"x"), r"it contains a file named “../../evil”"),
    (put("/etc/passwd", b"x"), "it contains a file named"),
    (put("evidence/2.png", b"x"), "it contains a file named"),
    (put("evidence/9.jpg", PICTURE), "belongs to no entry"),
    (put("evidence/2.jpg", b"<svg/>"), "is not a JPEG picture"),
    (put("evidence/2.jpg", b"\xff\xd8\xff"), "cut off|cannot be imported"),
    (put("evidence/2.jpg", PICTURE + b"\0" * (5 << 20)), "far too large"),
    (put("journal.jsonl", b"\0" * (20 << 20)), "far too large"),
    (put("settings.json", b"hints"), "its settings cannot be read"),
    (put("settings.json", b"null"), "its settings cannot be read"),
    (put("settings.json", b'{"hints": 1}'), "its settings cannot be read"),
    (put("settings.json", b'{"hints": true, "cheats": true}'), "its settings cannot be read"),
    (put("settings.json", b" " * 5000), "far too large"),
    (put("settings/hints.json", b"{}"), "it contains a file named"),
    (put("meta.json", b"{}"), "its description"),
    (put("meta.json", b"[" * 60_000), "its description"),
    (meta(kind="a poem"), "not an exported game of this companion"),
    (meta(format=3), r"newer companion \(format 3; this one reads up to 2\). Update"),
    (meta(id="../up"), "its description"),
    (meta(entries=99), "cut off: it has 5 of 99 entries"),
    (meta(more=1), "its description"),
    (put("journal.jsonl", b""), "it has no entries"),
    (put("journal.jsonl", b"{}\n" * 3001), "more than 3000 entries"),
    (replaced(b'"type":"reveal"', b'"type":"win"'), "entry 2 cannot be read"),
    (replaced(b'"search":1', b'"search":6'), "entry 3 breaks the rules: The wolf"),
    (replaced(b'"search":1', b'"search":9'), "entry 2 breaks the rules"),
    (replaced(b'"search":1', b'"search":9999999'), "entry 2 cannot be read.*too large"),
    (replaced(b'"number":2', b'"number":7'), "entry 2 breaks the rules"),
    (replaced(b'"name":"Ada"', b'"name":"A\\u0007"'), "A name must have"),
    (entry_twice, "breaks the rules"),
]


def test_what_is_no_honest_export_is_refused_in_one_line_and_nothing_is_kept(
    game: Session, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for change, words in HOSTILE:
        with subtests.test(f"{words!r:.60}"):
            elsewhere = SavedGames(tmp_path / "elsewhere")
            with pytest.raises(ArchiveError, match=words) as caught:
                elsewhere.import_game(read_archive(changed(exported(game), change), "friday.game.zip"))
            line = str(caught.value)
            assert line.startswith("friday.game.zip ")
            assert "\n" not in line
            assert len(line) < 400
            assert elsewhere.summaries() == ()
            assert list(elsewhere.folder.glob("*.settings")) == []


OTHER_KINDS = [b"", b"PK\x03\x04", b"\xff\xd8 a picture", b"PK\x05\x06" + b"\0" * 18]


def test_a_file_of_another_kind_is_called_so(subtests: pytest.Subtests) -> None:
    for data in OTHER_KINDS:
        with subtests.test(f"{data!r:.60}"), pytest.raises(ArchiveError, match="is not an exported game"):
            read_archive(io.BytesIO(data))


def test_an_export_that_was_cut_off_anywhere_is_refused(game: Session) -> None:
    data = exported(game)
    for length in range(0, len(data), 97):
        with pytest.raises(ArchiveError):
            read_archive(io.BytesIO(data[:length]))


def test_bytes_that_were_changed_on_the_way_never_come_in_as_another_game(game: Session) -> None:
    data, rng = exported(game), random.Random(8)
    for _ in range(150):
        broken = bytearray(data)
        broken[rng.randrange(len(broken))] ^= 1 << rng.randrange(8)
        try:
            read = read_archive(io.BytesIO(bytes(broken)))
        except ArchiveError:
            continue
        assert read.entries == game.entries


def test_the_declared_size_of_an_entry_is_not_trusted(game: Session) -> None:
    data = changed(exported(game), put("evidence/2.jpg", PICTURE + b"\0" * (5 << 20))).getvalue()
    declared = data.replace((len(PICTURE) + (5 << 20)).to_bytes(4, "little"), len(PICTURE).to_bytes(4, "little"))
    assert declared != data
    with pytest.raises(ArchiveError):
        read_archive(io.BytesIO(declared))


def test_an_export_is_distinguished_from_a_journal(game: Session, tmp_path: Path) -> None:
    file = tmp_path / "friday.game.zip"
    write_archive(game, file)
    assert is_archive(file)
    assert not is_archive(game.path)
    assert not is_archive(tmp_path / "nothing")


def test_a_directory_of_very_many_names_is_refused_before_it_is_read() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(20_000):
            archive.writestr(f"{number}", b"")
    file.seek(0)
    with pytest.raises(zipfile.BadZipFile, match="too many parts"):
        check_directory(file, 2000)
    assert file.tell() == 0
    with pytest.raises(ArchiveError, match="is not an exported game"):
        read_archive(file)


def test_a_directory_that_claims_few_parts_and_is_long_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(5000):
            archive.writestr(f"{number:0300}", b"")
    data = bytearray(file.getvalue())
    data[-12:-10] = data[-14:-12] = (1).to_bytes(2, "little")
    with pytest.raises(zipfile.BadZipFile, match="too many parts"):
        check_directory(io.BytesIO(bytes(data)), 2000)
