"""The live channel: the messages that screens get, and which commands are accepted."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.games.wicked.moves import Hand, Reveal
from tests.web.channel_client import latest_view, reveal, send, state_of
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable


@pytest.fixture(name="playing")
def _playing(table: SmallTable) -> SmallTable:
    table.start_game(SEATS)
    return table


def test_a_screen_gets_the_whole_state_when_it_connects(playing: SmallTable, screen: Connect) -> None:
    message = latest_view(screen())
    assert message["game"]["seats"][1] == {"name": "Bruno", "colour": "green"}
    assert message["game_key"] == "game-1:0"
    assert message["camera"]["state"] == "watching"


def test_the_hidden_pile_is_never_sent(playing: SmallTable, screen: Connect) -> None:
    assert playing.states[-1].pile
    assert latest_view(screen())["game"]["state"]["pile"] is None


def test_the_game_is_sent_again_only_after_a_change(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.play(Reveal((Hand(1), Hand(2), Hand(3), Hand(4))), 0)
    assert latest_view(client)["game"]["number"] == 1
    playing.pause(True)
    message = latest_view(client)
    assert message["camera"]["state"] == "paused"
    assert message["game"] is None
    assert message["game_key"] == "game-1:1"


def test_a_move_is_played_and_published_to_every_screen(playing: SmallTable, screen: Connect) -> None:
    one, other = screen(), screen()
    assert send(one, "play", {**state_of(playing), "move": reveal(3, 2, 2, 0)}) == {"ok": True}
    outcome = latest_view(other)["game"]["state"]["outcome"]
    assert [gain and gain["place"] for gain in outcome["gains"]] == ["first", "second", "second", None]


def test_a_command_for_an_older_state_is_refused(playing: SmallTable, screen: Connect) -> None:
    client, before = screen(), state_of(playing)
    assert send(client, "play", {**before, "move": reveal(1, 0, 0, 0)})["ok"]
    answer = send(client, "play", {**before, "move": reveal(1, 0, 0, 0)})
    assert answer["error"]["code"] == "stale"
    assert "moved on" in answer["error"]["message"]
    assert len(playing.states) == 2


def test_a_command_for_another_game_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = send(screen(), "undo", {"game": "game-0", "at": 0})
    assert answer["error"]["code"] == "stale"


def test_a_second_tablet_does_not_start_a_second_game_by_accident(table: SmallTable, screen: Connect) -> None:
    start = {
        "game": None,
        "at": None,
        "seats": [{"name": seat.name, "colour": seat.colour} for seat in SEATS],
    }
    one, other = screen(), screen()
    assert send(one, "start_game", start)["ok"]
    assert send(other, "start_game", start)["error"]["code"] == "stale"
    assert table.started == 1


def test_an_illegal_move_is_refused_with_its_reason_and_changes_nothing(
    playing: SmallTable, screen: Connect
) -> None:
    answer = send(screen(), "play", {**state_of(playing), "move": reveal(9, 0, 0, 0)})
    assert answer["error"]["code"] == "illegal"
    assert "wolf" in answer["error"]["message"]
    assert len(playing.states) == 1


MALFORMED = [
    None,
    "undo",
    [],
    {},
    {"game": "game-1"},
    {"game": "game-1", "at": "0"},
    {"game": "game-1", "at": -1},
    {"game": "game-1", "at": 0, "more": 1},
    {"game": "x" * 81, "at": 0},
]


@pytest.mark.parametrize("payload", MALFORMED, ids=repr)
def test_a_malformed_command_is_refused_in_plain_words(
    playing: SmallTable, screen: Connect, payload: object
) -> None:
    answer = send(screen(), "undo", payload)
    assert answer["error"]["code"] == "bad_request"
    assert "Reload" in answer["error"]["message"]
    assert len(playing.states) == 1


@pytest.mark.parametrize(
    "move",
    [
        {"type": "win"},
        {"type": "reveal", "hands": [{"search": 1, "gold": 2}]},
        {"type": "reveal", "hands": [{"search": "1"}]},
        {"type": "finish_soul", "player": 0, "other": True},
        {"player": 0},
        None,
    ],
    ids=repr,
)
def test_a_malformed_move_is_refused(playing: SmallTable, screen: Connect, move: object) -> None:
    answer = send(screen(), "play", {**state_of(playing), "move": move})
    assert answer["error"]["code"] == "bad_request"


def test_the_host_sets_the_seating_repeatedly(playing: SmallTable, screen: Connect) -> None:
    one, other = screen(), screen()
    for _ in range(2):
        assert send(one, "seat_people", {"angles": [-50, 50, 130, 230]}) == {"ok": True}
        assert [310.0, 50.0, 130.0, 230.0] in latest_view(other)["seatings"]


@pytest.mark.parametrize(
    ("angles", "says"),
    [
        ([0, 90, 80, 270], "clockwise"),
        ([0, 5, 90, 180], "10 degrees apart"),
        ([0, 0, 0], "10 degrees apart"),
        ([0, 90], "Reload"),
        ([0, 60, 120, 180, 240, 300], "Reload"),
        ([0, 90, "nan"], "Reload"),
        ([0, 90, 1e9], "Reload"),
        ([0, 90, None], "Reload"),
        ("0,90,180", "Reload"),
        ({"0": 0}, "Reload"),
    ],
    ids=repr,
)
def test_an_impossible_seating_is_refused(playing: SmallTable, screen: Connect, angles: object, says: str) -> None:
    before = playing.view
    answer = send(screen(), "seat_people", {"angles": angles})
    assert answer["error"]["code"] == "bad_request"
    assert says in answer["error"]["message"]
    assert playing.view is before


def test_a_message_that_is_too_long_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = send(screen(), "play", {**state_of(playing), "move": reveal(*[1] * 2000)})
    assert answer["error"]["code"] == "bad_request"
    assert "too long" in answer["error"]["message"]


def test_a_command_with_more_than_one_payload_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = screen().emit("undo", state_of(playing), state_of(playing), callback=True)
    assert answer["error"]["code"] == "bad_request"


@pytest.mark.parametrize(
    "seats",
    [
        [],
        [{"name": "Ada", "colour": "purple"}] * 2,
        [{"name": "Ada", "colour": "purple"}] * 6,
        [{"name": "", "colour": "purple"}] * 3,
        [{"name": "A" * 21, "colour": "purple"}] * 3,
        [{"name": "A\nB", "colour": "purple"}] * 3,
        [{"name": "Ada", "colour": "pink"}] * 3,
    ],
    ids=repr,
)
def test_a_game_with_wrong_seats_is_not_started(table: SmallTable, screen: Connect, seats: object) -> None:
    answer = send(screen(), "start_game", {"game": None, "at": None, "seats": seats})
    assert answer["error"]["code"] == "bad_request"
    assert table.started == 0


def test_show_me_starts_a_game_and_the_director(table: SmallTable, screen: Connect) -> None:
    assert send(screen(), "show_me", {"game": None, "at": None})["ok"]
    message = latest_view(screen())
    assert len(message["game"]["seats"]) == 4
    assert message["director"]["running"]


def test_a_real_camera_has_no_director(screen: Connect, table: SmallTable) -> None:
    table.director = None
    answer = send(screen(), "director_run", {"on": True})
    assert answer["error"]["code"] == "not_now"


def test_a_proposal_is_published_with_its_outcomes(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.propose(Reveal((Hand(2), Hand(2), Hand(1), Hand(0))), Reveal((Hand(2), Hand(3), Hand(1), Hand(0))))
    message = latest_view(client)
    assert message["outcomes"][0]["reasons"][0] == "tie_for_most"
    assert message["outcomes"][1]["gains"][1]["place"] == "first"


def test_a_proposal_is_held_amended_and_accepted_only_by_its_own_id(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.propose(Reveal((Hand(2), Hand(2), Hand(1), Hand(0))))
    proposal = latest_view(client)["proposal"]["id"]
    assert send(client, "accept", {**state_of(playing), "proposal": "p0", "choice": 0})["error"]["code"] == "stale"
    assert send(client, "hold", {**state_of(playing), "proposal": proposal})["ok"]
    assert latest_view(client)["proposal"]["held"]
    assert send(client, "amend", {**state_of(playing), "proposal": proposal, "move": reveal(4, 2, 1, 0)})["ok"]
    assert latest_view(client)["game"]["state"]["outcome"]["hands"][0]["search"] == 4


def test_a_command_that_fails_is_answered_without_details_of_the_error(
    playing: SmallTable, screen: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(at: int) -> None:
        raise RuntimeError("/home/somebody/secret")

    monkeypatch.setattr(playing, "undo", broken)
    answer = send(screen(), "undo", state_of(playing))
    assert answer["error"]["code"] == "failed"
    assert "secret" not in answer["error"]["message"]


def test_the_socket_refuses_a_page_of_another_origin(app: Flask) -> None:
    client = app.test_client()
    path = "/socket.io/?EIO=4&transport=websocket"
    for origin, line in (("http://elsewhere.example", "Not an accepted origin."), ("http://localhost", "upgrade")):
        answer = client.get(path, headers={"Origin": origin})
        assert (answer.status_code, line in answer.text) == (400, True)
