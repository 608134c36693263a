"""JSON at the border: both ways without loss, and nothing in but what is known."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import UnknownGame
from companion.games.wicked import apply
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Malformed
from companion.session.codec import codecs, entry_parser
from tests.companion.session.conftest import NewGame

CODECS = codecs(WICKED)


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(3, 5), st.booleans())
def test_every_move_of_a_game_and_its_setup_come_back_from_json_as_they_were(
    seed: int, players: int, shuffled: bool
) -> None:
    rng = random.Random(seed)
    setup = WickedSetup(STANDIN, seed if shuffled else None)
    state = WICKED.new_game(PLAYER_COLOURS[:players], setup)
    while state.phase != "over":
        move = random_move(state, rng)
        assert CODECS.move.from_json(CODECS.move.to_json(move)) == move
        assert CODECS.move.from_data(CODECS.move.to_data(move)) == move
        state = apply(state, move)
    assert CODECS.setup.from_json(CODECS.setup.to_json(setup)) == setup


def test_entries_come_back_from_json_as_they_were(new_game: NewGame) -> None:
    session = new_game()
    session.play(random_move(session.state, random.Random(1)), source="camera", evidence=b"x")
    session.revise(2, random_move(session.steps[0].before, random.Random(2)))
    session.undo()
    assert [CODECS.entry.from_json(CODECS.entry.to_json(entry)) for entry in session.entries] == list(
        session.entries
    )


NO_MOVES = [
    ({"type": "cheat"}, "'cheat' is not a known type"),
    ({"hands": []}, "it has no type"),
    ({"type": "reveal"}, "reveal.hands is missing"),
    ({"type": "reveal", "hands": [], "extra": 1}, "reveal.extra is not a known key"),
    ({"type": "reveal", "hands": [{"search": "3"}]}, "reveal.hands.0.search should be a valid integer"),
    ({"type": "reveal", "hands": [{"search": True}]}, "reveal.hands.0.search should be a valid integer"),
    ({"type": "reveal", "hands": [{"search": 3.5}]}, "reveal.hands.0.search should be a valid integer"),
    ({"type": "reveal", "hands": [{"search": -1}]}, "too large or negative"),
    ({"type": "reveal", "hands": [{"search": 10**30}]}, "too large or negative"),
    ({"type": "reveal", "hands": [{}] * 65}, "too large or negative"),
    ({"type": "reveal", "hands": [{}] * 100_000}, "it is too large"),
    ({"type": "lay", "cards": ["C" * 65]}, "too large or negative"),
    ({"type": "choose_colours", "player": 0, "colours": ["white"]}, "choose_colours.colours.0"),
    ({"type": "finish_soul", "player": None}, "finish_soul.player"),
    ([], "it should be an object"),
    (None, "it is empty"),
    ("reveal", "it should be an object"),
    (float("nan"), "it is not JSON"),
    ({"type": "reveal", "hands": {1, 2}}, "it is not JSON"),
    ({"type": "x" * 500}, "is not a known type"),
]


def test_what_is_no_move_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for data, said in NO_MOVES:
        with subtests.test(f"{data!r:.60}"):
            with pytest.raises(Malformed, match="This is not a move: ") as refusal:
                CODECS.move.from_data(data)
            assert said in str(refusal.value)
            assert "\n" not in str(refusal.value)
            assert len(str(refusal.value)) < 200


NO_JSON: list[str | bytes] = ["", "{", "[" * 5_000, '{"type": "reveal", "hands": []} x', b"\xff\xfe", "NaN"]


def test_what_is_no_json_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for text in NO_JSON:
        with subtests.test(f"{text!r:.60}"), pytest.raises(Malformed, match=r"^This is not a move: it "):
            CODECS.move.from_json(text)


def test_json_is_the_same_from_text_and_from_data(new_game: NewGame) -> None:
    started = new_game().started
    assert json.loads(CODECS.entry.to_json(started)) == CODECS.entry.to_data(started)


def test_a_seed_may_be_large_and_a_setup_is_limited_like_a_move() -> None:
    setup = WickedSetup(STANDIN, 20261126)
    assert CODECS.setup.from_json(CODECS.setup.to_json(setup)) == setup
    for wrong in (
        WickedSetup(STANDIN, 1 << 64),
        WickedSetup(STANDIN, -1),
        WickedSetup(replace(STANDIN, name="x" * 65)),
    ):
        with pytest.raises(Malformed, match="This is not a setup: a number, text or list in it is too large"):
            CODECS.setup.from_json(CODECS.setup.to_json(wrong))


def test_the_opening_entry_names_the_game_whose_codecs_read_the_others(new_game: NewGame) -> None:
    session = new_game()
    game, parse = entry_parser(session.bodies()[0])
    assert game is WICKED
    assert parse(session.bodies()[0]) == session.started


NO_OPENINGS = ["", "[]", "7", "[" * 5_000, '{"game": "wicked"', "1" * 5_000, '"x" ' * 500_000]


def test_what_is_no_opening_entry_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for text in NO_OPENINGS:
        with (
            subtests.test(f"{text!r:.60}"),
            pytest.raises(Malformed, match=r"^This is not a journal entry: it is "),
        ):
            entry_parser(text)


def test_a_game_that_is_not_known_here_is_named() -> None:
    with pytest.raises(UnknownGame, match=r"does not include the game “chess”\. Update the companion\."):
        entry_parser('{"game": "chess"}')
