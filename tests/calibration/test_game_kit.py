"""Kits of games, and profiles of tables that know several games."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from calibration import games
from calibration.cards.deck import EnrolledCard, EnrolledDeck, as_reference
from calibration.errors import ProfileError
from calibration.game_kit import CardField, CardSort, Kit, PieceGroup
from calibration.games import kit, kits
from calibration.games.wicked.kit import KIT
from calibration.pieces.samples import CROP_PX, PieceSamples, Specimen
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile, import_profile
from companion.games.wicked import components
from companion.games.wicked.standin_deck import STANDIN

GOLDEN = Path(__file__).parents[1] / "golden" / "profile-5"
"""A profile of format 5, as the companion wrote it then: one game, rows of boards as keys of their own."""
SAMPLES = PieceSamples(
    (
        Specimen(
            np.full((9, 3), 50, np.float32),
            (15.0, 12.0),
            150.0,
            np.zeros((CROP_PX, CROP_PX, 4), np.uint8),
            "0" * 16,
        ),
    )
)
PEBBLES = Kit(
    "pebbles",
    (2,),
    ("white", "grey"),
    pieces=(PieceGroup("pebble", ("small", "large")), PieceGroup("bag")),
    cards=(CardSort("task", "task", letter="T", fields=(CardField("stones", (("one", "two"),), most=2),)),),
)


@pytest.fixture
def two_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make a second game known, as a folder `calibration/games/pebbles` would."""
    module = ModuleType("calibration.games.pebbles.kit")
    module.__dict__["KIT"] = PEBBLES
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(games, "GAMES", (*games.GAMES, "pebbles"))
    yield
    games.kit.cache_clear()


def with_task(profile: TableProfile) -> TableProfile:
    card = EnrolledCard("T01", "task", as_reference(np.full((88, 63, 3), 99, np.uint8)), {"stones": ("one", "one")})
    return replace(profile.with_pieces("pebble:small", SAMPLES), deck=EnrolledDeck("tasks", {"T01": card}))


def test_the_box_holds_what_the_rules_need() -> None:
    assert KIT.players == tuple(components.CORRIDORS)
    assert KIT.figures == components.PLAYER_COLOURS
    assert KIT.board is not None
    assert dict(KIT.board.spots) == components.SPOTS
    for players, laid in components.CORRIDORS.items():
        cards, pieces = KIT.cards_needed(players), KIT.pieces_needed(KIT.figures[:players])
        assert cards["corridor"] == components.ROUNDS * laid <= len(STANDIN.corridors)
        assert cards["great"] == cards["small"] == components.ORACLES_DEALT * players
        assert pieces["search:purple"] == components.SEARCH_PIECES[players]
        assert pieces["sign:soul"] == pieces["sign:witch"] == players


@pytest.mark.parametrize("box", kits(), ids=lambda box: box.game)
def test_every_kit_is_consistent(box: Kit) -> None:
    assert len(set(box.kinds)) == len(box.kinds)
    assert all(box.group_of(kind) is not None for kind in box.kinds)
    assert set(box.pieces_needed(box.figures[: box.players[0]])) <= set(box.kinds)
    assert set(box.cards_needed(box.players[0])) <= {sort.id for sort in box.cards if sort.further}
    assert all(board.layout.fits(box.board) for board in box.printed_boards())
    for sort in box.cards:
        assert all(box.card_fields[one.name] is one for one in sort.fields)
        assert bool(sort.letter) != bool(sort.ids)
        assert not sort.fields or (sort.incomplete and sort.contents)
        assert set(sort.titles) == set(sort.ids or (sort.id,))
        assert all(one.title for one in sort.fields) if sort.fields else sort.about
    if box.board is not None:
        assert set(box.board.titles) == {*box.board.spots, *box.board.spaces}


def test_a_card_shows_only_words_of_its_fields() -> None:
    small = KIT.card_sorts["small"]
    assert small.allows({"needs": (("red", "low"),), "reward": ("white",)})
    for values in (
        {"needs": (("white", "low"),)},
        {"needs": ("red",)},
        {"upper": ("red",)},
        {"reward": ("red",) * 5},
    ):
        assert not small.allows(values)
    assert not KIT.card_sorts["great"].is_complete({"colours": ("red",)})


def test_a_profile_of_the_format_before_loads_and_keeps_all_that_it_knew(tmp_path: Path) -> None:
    shutil.copytree(GOLDEN, tmp_path / "p")
    cards_before = (tmp_path / "p" / "deck" / "deck.yaml").read_bytes()
    old = TableProfile.load(tmp_path / "p")
    old.save(tmp_path / "p")
    assert (tmp_path / "p" / "deck" / "deck.yaml").read_bytes() == cards_before
    for profile in (old, TableProfile.load(tmp_path / "p")):
        assert (profile.game, dict(profile.other_games)) == ("wicked", {})
        assert list(profile.pieces) == ["token:red"]
        assert profile.seating().angles == (0.0, 80.0, 180.0, 270.0)
        layout = profile.personal_boards["purple"].layout
        assert layout.rows["low"] == ((-20.0, -20.0), (-10.0, -20.0))
        assert list(layout.rows) == ["low", "middle", "high"]
        assert (layout.spaces["promotion"].y, layout.spaces["colour_change"].y) == (10.0, -10.0)
        assert profile.deck is not None
        assert {id: dict(card.values) for id, card in profile.deck.cards.items()} == {
            "C07": {"upper": ("yellow",), "lower": ("green", "red")},
            "G1": {"colours": ("red", "blue")},
            "S3": {"needs": (("red", "low"), ("blue", "high")), "reward": ("white",)},
            "back:corridor": {},
        }


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_profiles_of_all_older_formats_load(version: int, tmp_path: Path) -> None:
    content = json.loads((GOLDEN / "profile.json").read_text())
    later = {"seatings": 5, "personal_boards": 4, "boards": 3}
    older = {key: value for key, value in content.items() if later.get(key, 1) <= version}
    shutil.copytree(GOLDEN, tmp_path / "p")
    (tmp_path / "p" / "profile.json").write_text(json.dumps({**older, "version": version}))
    profile = TableProfile.load(tmp_path / "p")
    assert list(profile.personal_boards) == (["purple"] if version >= 4 else [])
    assert profile.deck is not None


@pytest.mark.parametrize("version", [0, -1, "5", 5.5, None, True])
def test_what_is_no_format_is_refused_in_one_line(version: object, tmp_path: Path) -> None:
    content = json.loads((GOLDEN / "profile.json").read_text())
    (tmp_path / "profile.json").write_text(json.dumps({**content, "version": version}))
    with pytest.raises(ProfileError, match="damaged at “version”"):
        TableProfile.load(tmp_path)


@pytest.mark.usefixtures("two_games")
def test_a_table_knows_several_games_and_each_sees_its_own_things(tmp_path: Path) -> None:
    table = TableProfile(4).with_flat(2.0, 4).with_pieces("token:red", SAMPLES)
    with_task(table.of("pebbles")).save(tmp_path / "p")
    wicked = TableProfile.load(tmp_path / "p")
    assert (list(wicked.pieces), wicked.deck, list(wicked.enrolled_games)) == (
        ["token:red"],
        None,
        ["wicked", "pebbles"],
    )
    pebbles = wicked.of("pebbles")
    assert (list(pebbles.pieces), pebbles.kit) == (["pebble:small"], PEBBLES)
    assert pebbles.deck is not None
    assert pebbles.deck.cards["T01"].shows("stones") == ("one", "one")
    assert pebbles.plane == wicked.plane
    assert list(pebbles.of("wicked").pieces) == ["token:red"]


@pytest.mark.usefixtures("two_games")
def test_saving_one_game_keeps_the_files_of_the_other(tmp_path: Path) -> None:
    with_task(TableProfile(4).of("pebbles")).save(tmp_path / "p")
    TableProfile.load(tmp_path / "p").with_pieces("token:red", SAMPLES).save(tmp_path / "p")
    TableProfile.load(tmp_path / "p").of("pebbles").with_pieces("bag", SAMPLES).save(tmp_path / "p")
    after = TableProfile.load(tmp_path / "p")
    assert list(after.pieces) == ["token:red"]
    assert list(after.of("pebbles").pieces) == ["pebble:small", "bag"]
    assert after.of("pebbles").deck is not None
    assert {path.name for path in (tmp_path / "p").iterdir() if path.is_dir()} == {"deck-pebbles"}


@pytest.mark.usefixtures("two_games")
def test_decks_travel_alone_and_leave_what_else_a_table_knows(tmp_path: Path) -> None:
    export_profile(with_task(TableProfile(4).of("pebbles")), tmp_path / "tasks.zip", deck_only=True)
    TableProfile(4).with_pieces("token:red", SAMPLES).save(tmp_path / "p")
    imported = import_profile(tmp_path / "tasks.zip", str(tmp_path / "p"), deck_only=True)
    assert (list(imported.pieces), imported.deck) == (["token:red"], None)
    deck = TableProfile.load(tmp_path / "p").of("pebbles").deck
    assert deck is not None
    assert list(deck.cards) == ["T01"]


@pytest.mark.usefixtures("two_games")
@pytest.mark.parametrize(("game", "kind"), [("pebbles", "token:red"), ("wicked", "pebble:small")])
def test_a_kind_of_another_game_is_refused(game: str, kind: str, tmp_path: Path) -> None:
    games_listed = {game: {"pieces": {kind: "pieces-a.npz"}}}
    (tmp_path / "profile.json").write_text(json.dumps({"version": 6, "seats": 4, "games": games_listed}))
    with pytest.raises(ProfileError, match=f"there is no kind {kind}"):
        TableProfile.load(tmp_path)


def test_a_game_that_is_not_known_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match=r"does not include the game “\.\./x”\. Update the companion"):
        kit("../x")
    (tmp_path / "profile.json").write_text(json.dumps({"version": 6, "seats": 4, "games": {"chess": {}}}))
    with pytest.raises(ProfileError, match="does not include the game “chess”"):
        TableProfile.load(tmp_path)
