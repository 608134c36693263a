"""JSON at the border: both ways without loss, and nothing in but what is known."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.wicked import apply, final_scores
from companion.games.wicked import new_game as pure_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Malformed
from companion.session.codec import DECK, ENTRY, MOVE, SCORE, STATE
from tests.companion.session.conftest import NewGame


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(3, 5), st.booleans())
def test_every_move_state_and_score_of_a_game_comes_back_from_json_as_it_was(
    seed: int, players: int, shuffled: bool
) -> None:
    rng = random.Random(seed)
    state = pure_game(players, STANDIN, seed if shuffled else None)
    while state.phase != "over":
        move = random_move(state, rng)
        assert MOVE.from_json(MOVE.to_json(move)) == move
        assert MOVE.from_data(MOVE.to_data(move)) == move
        state = apply(state, move)
        if rng.random() < 0.1:
            assert STATE.from_json(STATE.to_json(state)) == state
    for score in final_scores(state):
        assert SCORE.from_data(SCORE.to_data(score)) == score
    assert DECK.from_json(DECK.to_json(STANDIN)) == STANDIN


def test_entries_come_back_from_json_as_they_were(new_game: NewGame) -> None:
    session = new_game()
    session.play(random_move(session.state, random.Random(1)), source="camera", evidence=b"x")
    session.revise(2, random_move(session.steps[0].before, random.Random(2)))
    session.undo()
    assert [ENTRY.from_json(ENTRY.to_json(entry)) for entry in session.entries] == list(session.entries)


NO_MOVES = [
    ({"type": "cheat"}, "'cheat' is no known type"),
    ({"hands": []}, "it has no type"),
    ({"type": "reveal"}, "reveal.hands is missing"),
    ({"type": "reveal", "hands": [], "extra": 1}, "reveal.extra is not known here"),
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
    ({"type": "x" * 500}, "is no known type"),
]


def test_what_is_no_move_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for data, said in NO_MOVES:
        with subtests.test(f"{data!r:.60}"):
            with pytest.raises(Malformed, match="This is not a move: ") as refusal:
                MOVE.from_data(data)
            assert said in str(refusal.value)
            assert "\n" not in str(refusal.value)
            assert len(str(refusal.value)) < 200


NO_JSON = ["", "{", "[" * 5_000, '{"type": "reveal", "hands": []} x', b"\xff\xfe", "NaN"]


def test_what_is_no_json_is_refused_with_one_plain_line(subtests: pytest.Subtests) -> None:
    for text in NO_JSON:
        with subtests.test(f"{text!r:.60}"), pytest.raises(Malformed, match=r"^This is not a move: it "):
            MOVE.from_json(text)


def test_json_is_the_same_from_text_and_from_data(new_game: NewGame) -> None:
    state = new_game().state
    assert json.loads(STATE.to_json(state)) == STATE.to_data(state)
