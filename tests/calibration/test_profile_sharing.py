from __future__ import annotations

import errno
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration import profile_sharing
from calibration.cards.deck import EnrolledCard, EnrolledDeck, as_reference
from calibration.empty_table import BackgroundView
from calibration.errors import ProfileError
from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen
from calibration.profile import TableProfile, exists
from calibration.profile_sharing import export_profile, import_profile, read_profile
from tests.calibration.drawn import camera
from tests.oversized_png import png_claiming

Parts = dict[str, bytes]


def _card(name: str, seed: int) -> EnrolledCard:
    picture = np.random.default_rng(seed).integers(0, 255, (88, 63, 3)).astype(np.uint8)
    return EnrolledCard(name, "corridor", as_reference(picture), {"upper": ("yellow",), "lower": ("green",)})


@pytest.fixture(scope="module")
def enrolled() -> TableProfile:
    rng = np.random.default_rng(1)
    pixels = rng.normal(50, 5, (40, 3)).astype(np.float32)
    crop = rng.integers(0, 255, (CROP_PX, CROP_PX, 4)).astype(np.uint8)
    samples = PieceSamples((Specimen(pixels, (16.0, 11.0), 140.0, crop, "a"),))
    view = BackgroundView.of(rng.integers(0, 255, (360, 640, 3)).astype(np.uint8))
    deck = EnrolledDeck(
        "ours", {"C01": _card("C01", 1), "back:corridor": replace(_card("x", 2), id="back:corridor")}
    )
    plane = camera(size=(640, 360))
    return TableProfile(5, plane, None, (0.2, 0.3, 0.4), (view,), {"search:red": samples}, deck)


@pytest.fixture(scope="module")
def parts(enrolled: TableProfile, tmp_path_factory: pytest.TempPathFactory) -> Parts:
    file = tmp_path_factory.mktemp("shared") / "home.zip"
    export_profile(enrolled, file)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _zipped(folder: Path, parts: Parts) -> Path:
    file = folder / "given.zip"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return file


def test_an_exported_profile_is_taken_in_whole(enrolled: TableProfile, tmp_path: Path) -> None:
    export_profile(enrolled, tmp_path / "home.zip")
    import_profile(tmp_path / "home.zip", str(tmp_path / "q"))
    back = TableProfile.load(tmp_path / "q")
    assert (back.seats, back.plane, back.table_light, back.views) == (
        enrolled.seats,
        enrolled.plane,
        enrolled.table_light,
        enrolled.views,
    )
    assert np.array_equal(back.pieces["search:red"].pixels, enrolled.pieces["search:red"].pixels)
    assert back.deck is not None
    assert enrolled.deck is not None
    assert list(back.deck.cards) == list(enrolled.deck.cards)
    assert np.array_equal(back.deck.cards["C01"].picture, enrolled.deck.cards["C01"].picture)
    export_profile(back, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == (tmp_path / "home.zip").read_bytes()


def test_a_deck_is_shared_without_the_table_and_taken_into_ones_own(enrolled: TableProfile, tmp_path: Path) -> None:
    export_profile(enrolled, tmp_path / "deck.zip", deck_only=True)
    shared = read_profile(tmp_path / "deck.zip")
    assert (shared.plane, shared.views, dict(shared.pieces)) == (None, (), {})
    own = replace(enrolled, seats=3, deck=None)
    own.save(tmp_path / "own")
    import_profile(tmp_path / "deck.zip", str(tmp_path / "own"), deck_only=True)
    after = TableProfile.load(tmp_path / "own")
    assert (after.seats, after.plane, list(after.pieces)) == (3, own.plane, ["search:red"])
    assert after.deck is not None
    assert set(after.deck.cards) == {"C01", "back:corridor"}


def test_a_profile_that_is_there_is_replaced_only_when_asked(enrolled: TableProfile, tmp_path: Path) -> None:
    export_profile(enrolled, tmp_path / "home.zip")
    TableProfile(2).save(tmp_path / "q")
    with pytest.raises(ProfileError, match="already"):
        import_profile(tmp_path / "home.zip", str(tmp_path / "q"))
    assert TableProfile.load(tmp_path / "q").seats == 2
    import_profile(tmp_path / "home.zip", str(tmp_path / "q"), overwrite=True)
    assert TableProfile.load(tmp_path / "q").seats == 5


def _swelling_array() -> bytes:
    buffer = io.BytesIO()
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (10**9, 3)})
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("pixels.npy", header.getvalue())
    return buffer.getvalue()


def _named(parts: Parts, start: str) -> str:
    return next(name for name in parts if name.startswith(start))


def _with_changes(parts: Parts, **changes: object) -> Parts:
    listing = json.loads(parts["profile.json"])
    listing.update(changes)
    return {**parts, "profile.json": json.dumps(listing).encode()}


HARM: dict[str, tuple[Callable[[Parts], Parts], str]] = {
    "climbs out": (lambda p: {**p, "../../evil.json": b"{}"}, "it contains a file named"),
    "from the root": (lambda p: {**p, "/etc/evil.json": b"{}"}, "it contains a file named"),
    "another name": (lambda p: {**p, "run.sh": b"rm"}, "it contains a file named “run.sh”"),
    "backslashes": (lambda p: {**p, "deck\\..\\..\\evil.png": b""}, "it contains a file named"),
    "swelling text": (lambda p: {**p, "deck/deck.yaml": b" " * 3_000_000}, "far too large"),
    "swelling part": (lambda p: {**p, _named(p, "view"): b"\0" * 5_000_000}, "far too large"),
    "swelling picture": (lambda p: {**p, _named(p, "background"): png_claiming(12_000, 9_000)}, "12000×9000"),
    "swelling card": (lambda p: {**p, _named(p, "deck/C01"): png_claiming(4_000, 4_000)}, "4000×4000"),
    "swelling array": (lambda p: {**p, _named(p, "pieces"): _swelling_array()}, "far too large"),
    "deep text": (lambda p: {**p, "deck/deck.yaml": b"[" * 200_000}, "cannot be read"),
    "deep listing": (lambda p: {**p, "profile.json": b"[" * 200_000}, "damaged at"),
    "vast picture size": (
        lambda p: _with_changes(p, plane={**json.loads(p["profile.json"])["plane"], "image_size": [10**6, 10**6]}),
        "damaged at “plane",
    ),
    "no listing": (lambda p: {k: v for k, v in p.items() if k != "profile.json"}, "no profile.json"),
    "a part is lost": (lambda p: {k: v for k, v in p.items() if not k.startswith("view")}, "is missing"),
    "a part is another": (lambda p: {**p, _named(p, "view"): p[_named(p, "background")]}, "damaged"),
    "newer": (lambda p: _with_changes(p, version=99), "newer version"),
    "many parts": (lambda p: {**p, **{f"view-{k:x}.jpg": b"" for k in range(600)}}, "too many files"),
}


def test_a_file_made_to_do_harm_is_refused_in_one_line_and_nothing_is_kept(
    parts: Parts, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    for harm in HARM:
        with subtests.test(f"{harm!r:.60}"):
            monkeypatch.setattr(profile_sharing, "MAX_PART_BYTES", 4_000_000)
            change, says = HARM[harm]
            file = _zipped(tmp_path, change(parts))
            before = sorted(tmp_path.parent.rglob("*"))
            with pytest.raises(ProfileError) as refusal:
                import_profile(file, str(tmp_path / "q"))
            assert says in str(refusal.value)
            assert "\n" not in str(refusal.value)
            assert "/companion-" not in str(refusal.value)
            assert not exists(str(tmp_path / "q"))
            assert sorted(tmp_path.parent.rglob("*")) == before


def test_a_file_cut_off_or_damaged_anywhere_is_refused(enrolled: TableProfile, tmp_path: Path) -> None:
    export_profile(enrolled, tmp_path / "home.zip")
    whole = (tmp_path / "home.zip").read_bytes()
    bad = tmp_path / "bad.zip"
    rng = np.random.default_rng(7)
    for share in (0.0, 0.1, 0.5, 0.99):
        bad.write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(ProfileError, match=r"bad\.zip"):
            read_profile(bad)
    refused = 0
    for _ in range(20):
        data = bytearray(whole)
        for at in rng.integers(0, len(data), 20):
            data[at] ^= int(rng.integers(1, 256))
        bad.write_bytes(bytes(data))
        try:
            read_profile(bad)
        except ProfileError:
            refused += 1
    assert refused > 15


def test_a_file_damaged_in_its_packed_listing_is_refused(enrolled: TableProfile, tmp_path: Path) -> None:
    export_profile(enrolled, tmp_path / "home.zip")
    whole = (tmp_path / "home.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "home.zip") as archive:
        entry = archive.getinfo("profile.json")
    start = entry.header_offset + 30 + len(entry.filename)
    for place in range(start, start + entry.compress_size, 9):
        damaged = bytearray(whole)
        damaged[place] ^= 0xFF
        (tmp_path / "bad.zip").write_bytes(damaged)
        with pytest.raises(ProfileError, match=r"bad\.zip"):
            read_profile(tmp_path / "bad.zip")


def test_a_full_disk_of_temporary_files_is_not_blamed_on_the_file(
    enrolled: TableProfile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export_profile(enrolled, tmp_path / "home.zip")

    def full(path: Path, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(ProfileError, match=r"^Temporary files cannot be written: No space left on device"):
        read_profile(tmp_path / "home.zip")


def test_files_that_are_none_are_refused(enrolled: TableProfile, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="no file"):
        read_profile(tmp_path / "none.zip")
    with pytest.raises(ProfileError, match="cannot be read"):
        read_profile(tmp_path)
    with pytest.raises(ProfileError, match="cannot be written"):
        export_profile(enrolled, tmp_path / "none" / "home.zip")
    with pytest.raises(ProfileError, match="no cards to export"):
        export_profile(replace(enrolled, deck=None), tmp_path / "home.zip", deck_only=True)
