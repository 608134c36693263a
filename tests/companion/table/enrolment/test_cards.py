"""Cards are enrolled from pictures of a running table, and corrected without another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from calibration.errors import EnrolError
from calibration.game_kit import CardValues
from calibration.games.wicked.kit import KIT
from calibration.profile import TableProfile
from calibration.profile_sharing import export_profile
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.director.setup_scenes import sheet_scene
from companion.games.wicked.components import Deck
from companion.games.wicked.standin_deck import STANDIN
from companion.table.enrolment.cards import CardContent, check_card, deck_view
from companion.table.enrolment.drafts import KeptView
from companion.table.views import Refused
from tests.companion.table.enrolment.enrolled import EnrolmentTable, little_profile
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import CardOnTable, Pose, Scene

NOTHING: dict[str, tuple[str, ...]] = dict.fromkeys(KIT.card_fields, ())
BOTH: CardValues = {"upper": ("red",), "lower": ("red",)}
TWO = Deck("two", STANDIN.corridors[20:22], STANDIN.great[:1], ())


@cache
def dealer() -> Renderer:
    return Renderer(Look(), card_faces(TWO))


def known_cards(kept: KeptView) -> list[str]:
    return [card.id for card in kept.known.deck.cards]


def lying(card: str | None) -> Scene:
    return Scene(seats=4, tile=False, cards=(CardOnTable(Pose(4.0, -3.0, 6.0), card),))


@pytest.fixture(name="setup")
def _setup(tmp_path: Path) -> Iterator[EnrolmentTable]:
    setup = EnrolmentTable(tmp_path, replace(little_profile(), deck=None), draws=dealer)
    yield setup
    setup.table.close()


def test_a_card_is_cut_out_proposed_put_right_and_kept(setup: EnrolmentTable) -> None:
    setup.see(lying("C21"))
    found = setup.enrolment.find_card("corridor")
    assert found.card is not None
    assert found.card.proposed.id == "C01"
    assert set(found.card.proposed.values["upper"]) <= {"blue", "yellow"}
    assert (setup.enrolment.draft_card_picture(found.draft) or b"").startswith(b"\x89PNG")
    said = replace(found.card.proposed, id="C21", values=NOTHING | {"upper": ("blue", "yellow"), "lower": ("red",)})
    kept = setup.enrolment.keep_card(found.draft, said)
    assert kept.known.deck.cards == (said,)
    assert "needs 15 more corridors" in kept.known.deck.missing
    assert (setup.enrolment.card_picture("C21") or b"").startswith(b"\x89PNG")
    assert TableProfile.load(setup.profile).deck is not None
    other = setup.enrolment.correct_card(replace(said, values={**said.values, "lower": ("green",)}))
    assert other.known.deck.cards[0].values["lower"] == ("green",)
    assert setup.enrolment.delete_card("C21").known.deck.cards == ()


@pytest.mark.slow
def test_the_same_card_is_not_learned_twice(setup: EnrolmentTable) -> None:
    setup.see(lying("C21"))
    setup.enrolment.keep_card(
        setup.enrolment.find_card("corridor").draft,
        CardContent("C21", "corridor", {"upper": ("blue",), "lower": ("red",)}),
    )
    setup.see(lying("C21"))
    again = setup.enrolment.find_card("corridor")
    assert again.card is not None
    assert again.card.alike == "C21"
    said = replace(again.card.proposed, values=BOTH)
    with pytest.raises(Refused, match=f"{said.id} and C21 look alike"):
        setup.enrolment.keep_card(again.draft, said)
    assert set(known_cards(setup.enrolment.keep_card(again.draft, said, force=True))) == {"C21", said.id}
    setup.enrolment.delete_card(said.id)
    setup.see(lying("C22"))
    other = setup.enrolment.find_card("corridor")
    assert setup.enrolment.keep_card(
        other.draft, CardContent("C22", "corridor", {"upper": ("red",), "lower": ("green",)})
    ).known.cards == {"corridor": 2}


def test_no_card_and_the_sheet_are_reported_plainly(setup: EnrolmentTable) -> None:
    setup.see(Scene(seats=4, tile=False))
    with pytest.raises(Refused, match="No card is found"):
        setup.enrolment.find_card("corridor")
    with pytest.raises(Refused, match="the kind of card"):
        setup.enrolment.find_card("")
    setup.see(sheet_scene())
    with pytest.raises(Refused, match="remove it"):
        setup.enrolment.find_card("great")


@pytest.mark.slow
def test_the_stand_in_deck_is_taken_at_once_and_the_rules_play_with_it(setup: EnrolmentTable) -> None:
    kept = setup.enrolment.enrol_standin_deck()
    assert kept.known.cards == {"corridor": 24, "great": 12, "small": 12, "back": 3, "tile": 1}
    assert kept.known.deck.missing == ""
    assert setup.table.components == STANDIN


@pytest.mark.slow
def test_a_shared_deck_comes_in_and_the_table_stays(setup: EnrolmentTable, tmp_path: Path) -> None:
    pieces = set(TableProfile.load(setup.profile).pieces)
    shared = replace(STANDIN, name="from a friend", corridors=tuple(reversed(STANDIN.corridors)))
    file = tmp_path / "friend.zip"
    export_profile(TableProfile(4, deck=deck_from_art(shared)), file, deck_only=True)
    kept = setup.enrolment.import_deck(file)
    assert kept.known.deck.name == "from a friend"
    assert setup.table.components == shared
    assert set(TableProfile.load(setup.profile).pieces) == pieces
    file.write_bytes(b"PK\x03\x04 no zip at all")
    with pytest.raises(Refused, match="not a profile"):
        setup.enrolment.import_deck(file)
    assert setup.table.components == shared


@pytest.mark.parametrize(
    ("card", "line"),
    [
        (CardContent("C01", "corridor", {"upper": ("red",)}), "both halves"),
        (CardContent("G01", "great", {"colours": ("red",)}), "two colours"),
        (CardContent("S01", "small", {"needs": (("red", "low"),)}), "and its reward"),
        (CardContent("../../etc", "corridor", BOTH), "letters, digits"),
        (CardContent("tile", "corridor", BOTH), "letters, digits"),
        (CardContent("back:front", "back"), "whose back"),
    ],
)
def test_what_no_card_can_be_is_refused(card: CardContent, line: str) -> None:
    with pytest.raises(EnrolError, match=line):
        check_card(KIT, card)


def test_a_deck_without_cards_tells_what_a_game_needs() -> None:
    empty_deck = deck_view(KIT, None)
    assert empty_deck.wanted == {"corridor": (16, 20, 24), "great": (6, 8, 10), "small": (6, 8, 10)}
    assert empty_deck.missing == (
        "A game of 3 players still needs 16 more corridors, 6 more great oracles and 6 more small oracles."
    )
