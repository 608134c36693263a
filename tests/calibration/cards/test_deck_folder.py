from __future__ import annotations

import hashlib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import yaml
from click.testing import CliRunner, Result

from calibration.cards.deck import EnrolledDeck, as_reference
from calibration.games.wicked import art
from calibration.games.wicked.element_proposals import propose
from calibration.games.wicked.kit import KIT
from calibration.profile import TableProfile
from companion.cli import main
from tests.calibration.drawn import camera, lay, photograph, table_top

COLOURED = ("red", "green", "blue", "yellow", "white")


def _run(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def _face(name: str, upper: str, lower: str) -> Any:
    return art.rasterise(art.corridor_face(name, [upper], [lower]), 4.0)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A deck folder as an owner of a game makes it, and a flat profile `p`."""
    made = tmp_path / "my deck"
    made.mkdir()
    cv2.imwrite(str(made / "scan 7.jpg"), cv2.resize(_face("C07", "yellow", "green")[..., :3], (630, 880)))
    cv2.imwrite(str(made / "g1.png"), art.rasterise(art.great_face("G1", ["red", "blue"]), 6.0))
    cv2.imwrite(str(made / "s3.png"), art.rasterise(art.small_face("S3", (("red", "low"),), ["white"]), 4.0))
    cv2.imwrite(str(made / "back.png"), art.rasterise(art.card_back("corridor"), 4.0))
    cv2.imwrite(str(made / "tile.png"), art.rasterise(art.tile_face(), 3.0))
    _write(made, lambda deck: None)
    TableProfile(4).with_flat(2.0, 4).save(tmp_path / "p")
    return made


def _write(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    deck = {
        "name": "Mine",
        "cards": [
            {"id": "C07", "kind": "corridor", "picture": "scan 7.jpg", "upper": ["yellow"], "lower": ["green"]},
            {"id": "G1", "kind": "great", "picture": "g1.png", "colours": ["red", "blue"]},
            {
                "id": "S3",
                "kind": "small",
                "picture": "s3.png",
                "requirement": [["red", "low"]],
                "reward": ["white"],
            },
            {"id": "back:corridor", "kind": "back", "picture": "back.png"},
            {"id": "tile", "kind": "tile", "picture": "tile.png"},
        ],
    }
    change(deck)
    (folder / "deck.yaml").write_text(yaml.safe_dump(deck), encoding="utf-8")


def test_a_folder_of_pictures_becomes_the_deck(folder: Path, tmp_path: Path) -> None:
    done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
    assert done.exit_code == 0, done.output
    assert "5 cards enrolled" in done.output
    deck = TableProfile.load(tmp_path / "p").deck
    assert deck is not None
    assert deck.cards["S3"].shows("needs") == (("red", "low"),)
    assert deck.cards["C07"].size_mm == (63.0, 88.0)
    assert deck.cards["tile"].size_mm == pytest.approx((112, 97), abs=1)
    # Outside the tile's corners nothing is seen.
    assert deck.cards["tile"].picture[0, 0, 3] == 0


def test_a_profile_s_own_deck_folder_can_be_given_to_another_table(folder: Path, tmp_path: Path) -> None:
    assert _run("enrol", "deck", "-p", tmp_path / "p", folder).exit_code == 0
    TableProfile(3).with_flat(2.0, 3).save(tmp_path / "q")
    assert _run("enrol", "deck", "-p", tmp_path / "q", tmp_path / "p" / "deck").exit_code == 0
    one, other = (TableProfile.load(tmp_path / name).deck for name in "pq")
    assert one is not None
    assert other is not None
    assert list(one.cards) == list(other.cards)
    assert all(np.array_equal(card.picture, other.cards[name].picture) for name, card in one.cards.items())


UNUSABLE = [
    (lambda deck: deck["cards"][0].update(picture="none.jpg"), "no file"),
    (lambda deck: deck["cards"][0].update(picture="../p/profile.json"), "damaged at"),
    (lambda deck: deck["cards"][0].update(picture="deck.yaml"), "not a picture"),
    (lambda deck: deck["cards"][0].update(picture="tile.png"), "not upright and cut"),
    (lambda deck: deck["cards"][0].update(upper=["pink"]), "damaged at"),
    (lambda deck: deck["cards"][0].update(lower=[]), "upper and lower"),
    (lambda deck: deck["cards"][1].update(colours=["red"]), "two colours"),
    (lambda deck: deck["cards"][1].update(id="C07"), "twice"),
    (lambda deck: deck.update(cards=[]), "damaged at"),
    (lambda deck: deck.update(version=9), "newer version"),
    (lambda deck: deck["cards"].append({**deck["cards"][0], "id": "C08"}), "without anchors"),
]


def test_a_folder_that_cannot_be_used_is_reported_in_one_line_and_changes_nothing(
    folder: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for change, says in UNUSABLE:
        with subtests.test(f"{says!r:.60}"):
            _write(folder, change)
            before = hashlib.sha256((tmp_path / "p" / "profile.json").read_bytes()).hexdigest()
            done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
            assert done.exit_code == 3, done.output
            assert says in done.stderr
            assert len(done.stderr.strip().splitlines()) == 1
            assert hashlib.sha256((tmp_path / "p" / "profile.json").read_bytes()).hexdigest() == before
            assert not (tmp_path / "p" / "deck").exists()


def test_values_that_yaml_cannot_convert_are_refused_in_one_line(
    folder: Path, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    for value in ("2025-02-30", "0x_"):
        with subtests.test(value):
            (folder / "deck.yaml").write_text(f"name: {value}\ncards: []\n")
            done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
            assert done.exit_code == 3
            assert "cannot be read" in done.stderr


def _with_a_pair(deck: dict[str, Any]) -> None:
    deck["cards"].append(deepcopy(deck["cards"][0]) | {"id": "C08"})


def test_two_cards_that_look_alike_are_left_out_by_name_and_the_rest_is_kept(folder: Path, tmp_path: Path) -> None:
    _write(folder, _with_a_pair)
    done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
    assert done.exit_code == 0, done.output
    assert "C07 and C08 look alike" in done.stderr
    assert "both are left out" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "4 cards enrolled; 4 in total" in done.stdout
    deck = TableProfile.load(tmp_path / "p").deck
    assert deck is not None
    assert list(deck.cards) == ["G1", "S3", "back:corridor", "tile"]


def test_a_card_like_one_that_is_known_is_left_out_and_the_known_one_stays(folder: Path, tmp_path: Path) -> None:
    assert _run("enrol", "deck", "-p", tmp_path / "p", folder).exit_code == 0
    _write(folder, lambda deck: deck["cards"][0].update(id="C08"))
    done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
    assert done.exit_code == 0, done.output
    assert "C08 is left out" in done.stderr
    deck = TableProfile.load(tmp_path / "p").deck
    assert deck is not None
    assert {"C07", "C08"} & set(deck.cards) == {"C07"}


def test_a_known_card_keeps_its_picture_when_the_new_one_is_left_out(folder: Path, tmp_path: Path) -> None:
    assert _run("enrol", "deck", "-p", tmp_path / "p", folder).exit_code == 0
    before = TableProfile.load(tmp_path / "p").deck
    cv2.imwrite(str(folder / "c07.png"), _face("C07", "red", "blue"))

    def swap(deck: dict[str, Any]) -> None:
        deck["cards"][0]["picture"] = "s3.png"
        deck["cards"] += [
            deepcopy(deck["cards"][0]) | {"id": "C08", "picture": "scan 7.jpg"},
            deepcopy(deck["cards"][0]) | {"id": "C09", "picture": "c07.png"},
        ]

    _write(folder, swap)
    done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
    assert done.exit_code == 0, done.output
    first, second = done.stderr.strip().splitlines()
    assert ("C07 and S3 look alike" in first, "both are left out" in first) == (True, True)
    assert ("C07 and C08 look alike" in second, "C08 is left out" in second) == (True, True)
    assert "4 cards enrolled; 6 in total" in done.stdout
    after = TableProfile.load(tmp_path / "p").deck
    assert before is not None
    assert after is not None
    assert after.cards.keys() == {*before.cards, "C09"}
    assert np.array_equal(after.cards["C07"].picture, before.cards["C07"].picture)


def test_cards_that_look_alike_are_kept_by_force_with_a_warning(folder: Path, tmp_path: Path) -> None:
    _write(folder, _with_a_pair)
    done = _run("enrol", "deck", "-p", tmp_path / "p", "--force", folder)
    assert done.exit_code == 0, done.output
    assert "C07 and C08 look alike" in done.stderr
    assert "6 cards enrolled" in done.stdout
    deck = TableProfile.load(tmp_path / "p").deck
    assert deck is not None
    assert {"C07", "C08"} <= set(deck.cards)


def test_a_deck_of_nothing_but_an_alike_pair_is_refused(folder: Path, tmp_path: Path) -> None:
    def only_the_pair(deck: dict[str, Any]) -> None:
        _with_a_pair(deck)
        deck["cards"] = [deck["cards"][0], deck["cards"][-1]]

    _write(folder, only_the_pair)
    done = _run("enrol", "deck", "-p", tmp_path / "p", folder)
    assert done.exit_code == 3
    assert "C07 and C08 look alike" in done.stderr
    assert not (tmp_path / "p" / "deck").exists()


def test_a_folder_without_a_deck_is_reported(tmp_path: Path) -> None:
    TableProfile(4).with_flat(2.0, 4).save(tmp_path / "p")
    done = _run("enrol", "deck", "-p", tmp_path / "p", tmp_path / "nothing")
    assert (done.exit_code, "cannot be read" in done.stderr) == (3, True)


@pytest.mark.parametrize(("upper", "lower"), [*zip(COLOURED, COLOURED[1:] + COLOURED[:1], strict=True)])
def test_colours_propose_the_elements(upper: str, lower: str) -> None:
    proposal = propose(as_reference(_face("C01", upper, lower)))
    assert (proposal.upper, proposal.lower) == ((upper,), (lower,))


def test_a_blank_card_proposes_nothing() -> None:
    grey = as_reference(np.full((88, 63, 3), 128, np.uint8))
    assert (propose(grey).upper, propose(grey).lower) == ((), ())


def test_the_camera_s_picture_of_a_card_is_read_for_a_proposal_and_a_slip_is_noticed(tmp_path: Path) -> None:
    plane = camera()
    profile = TableProfile(4, plane=plane, table_light=(0.1, 0.1, 0.1))
    profile.save(tmp_path / "p")
    shot = tmp_path / "c.png"
    face = np.full((352, 252, 3), (150, 120, 130), np.uint8)
    cv2.rectangle(face, (0, 0), (251, 351), (30, 25, 25), 12)
    cv2.circle(face, (126, 90), 45, (50, 50, 200), cv2.FILLED)
    cv2.circle(face, (126, 260), 45, (70, 150, 40), cv2.FILLED)
    cv2.imwrite(str(shot), photograph(lay(table_top(), face, 4.0, 5, -8), plane))
    words = ("enrol", "card", "-p", tmp_path / "p", "--id", "C07")
    done = _run(*words, "--propose", shot)
    assert (done.exit_code, "--upper red --lower green" in done.output) == (0, True), done.output
    assert TableProfile.load(tmp_path / "p").deck is None
    done = _run(*words, "--upper", "blue", "--lower", "green", shot)
    assert (done.exit_code, "upper half looks red, not blue" in done.output) == (0, True), done.output
    assert EnrolledDeck.load(tmp_path / "p" / "deck", KIT).cards["C07"].shows("upper") == ("blue",)
