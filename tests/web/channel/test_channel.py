"""The live channel: what screens receive, and which commands are admitted."""

from __future__ import annotations

import pytest
from flask import Flask

from companion.games.wicked.moves import Hand, Reveal
from tests.web.commands import now, reveal, say
from tests.web.conftest import SEATS, Connect, last_view
from tests.web.small_table import SmallTable


@pytest.fixture(name="playing")
def _playing(table: SmallTable) -> SmallTable:
    table.start_game(SEATS)
    return table


def test_a_screen_receives_everything_when_it_connects(playing: SmallTable, screen: Connect) -> None:
    message = last_view(screen())
    assert message["game"]["seats"][1] == {"name": "Bruno", "figure": "green"}
    assert message["game_key"] == "game-1:1"
    assert message["camera"]["state"] == "watching"


def test_the_hidden_pile_is_never_sent(playing: SmallTable, screen: Connect) -> None:
    assert playing.states[-1].pile
    assert last_view(screen())["game"]["view"]["pile"] is None


def test_the_game_is_sent_again_only_when_it_has_moved_on(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.play(Reveal((Hand(1), Hand(2), Hand(3), Hand(4))), 1)
    assert last_view(client)["game"]["number"] == 2
    playing.pause(True)
    message = last_view(client)
    assert message["camera"]["state"] == "paused"
    assert message["game"] is None
    assert message["game_key"] == "game-1:2"


def test_a_move_is_played_and_published_to_every_screen(playing: SmallTable, screen: Connect) -> None:
    one, other = screen(), screen()
    assert say(one, "play", {**now(playing), "move": reveal(3, 2, 2, 0)}) == {"ok": True}
    outcome = last_view(other)["game"]["view"]["outcome"]
    assert [gain and gain["place"] for gain in outcome["gains"]] == ["first", "second", "second", None]


def test_a_tap_made_for_an_older_state_is_refused(playing: SmallTable, screen: Connect) -> None:
    client, before = screen(), now(playing)
    assert say(client, "play", {**before, "move": reveal(1, 0, 0, 0)})["ok"]
    answer = say(client, "play", {**before, "move": reveal(1, 0, 0, 0)})
    assert answer["error"]["code"] == "stale"
    assert "moved on" in answer["error"]["message"]
    assert len(playing.states) == 2


def test_a_tap_made_for_another_game_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = say(screen(), "undo", {"game": "game-0", "at": 1})
    assert answer["error"]["code"] == "stale"


def test_a_second_tablet_does_not_begin_a_second_game_by_accident(table: SmallTable, screen: Connect) -> None:
    start = {
        "game": None,
        "at": None,
        "seats": [{"name": seat.name, "figure": seat.figure} for seat in SEATS],
    }
    one, other = screen(), screen()
    assert say(one, "start_game", start)["ok"]
    assert say(other, "start_game", start)["error"]["code"] == "stale"
    assert table.started == 1


def test_an_illegal_move_tells_its_reason_and_changes_nothing(playing: SmallTable, screen: Connect) -> None:
    answer = say(screen(), "play", {**now(playing), "move": reveal(9, 0, 0, 0)})
    assert answer["error"]["code"] == "illegal"
    assert "wolf" in answer["error"]["message"]
    assert len(playing.states) == 1


MALFORMED: list[object] = [
    None,
    "undo",
    [],
    {},
    {"game": "game-1"},
    {"game": "game-1", "at": "0"},
    {"game": "game-1", "at": -1},
    {"game": "game-1", "at": 1, "more": 1},
    {"game": "x" * 81, "at": 1},
]


def test_a_malformed_command_is_refused_in_plain_words(
    playing: SmallTable, screen: Connect, subtests: pytest.Subtests
) -> None:
    for payload in MALFORMED:
        with subtests.test(f"{payload!r:.60}"):
            answer = say(screen(), "undo", payload)
            assert answer["error"]["code"] == "bad_request"
            assert "Reload" in answer["error"]["message"]
            assert len(playing.states) == 1


MALFORMED_MOVES = [
    {"type": "win"},
    {"type": "reveal", "hands": [{"search": 1, "gold": 2}]},
    {"type": "reveal", "hands": [{"search": "1"}]},
    {"type": "finish_soul", "player": 0, "other": True},
    {"player": 0},
    None,
]


def test_a_malformed_move_is_refused(playing: SmallTable, screen: Connect, subtests: pytest.Subtests) -> None:
    for move in MALFORMED_MOVES:
        with subtests.test(f"{move!r:.60}"):
            answer = say(screen(), "play", {**now(playing), "move": move})
            assert answer["error"]["code"] == "bad_request"


def test_the_host_says_where_people_sit_as_often_as_they_like(playing: SmallTable, screen: Connect) -> None:
    one, other = screen(), screen()
    for _ in range(2):
        assert say(one, "seat_people", {"angles": [-50, 50, 130, 230]}) == {"ok": True}
        assert [310.0, 50.0, 130.0, 230.0] in last_view(other)["seatings"]


NO_SEATINGS = [
    ([0, 90, 80, 270], "clockwise"),
    ([0, 5, 90, 180], "10 degrees apart"),
    ([0, 0, 0], "10 degrees apart"),
    ([0], "Reload"),
    ([0, 40, 80, 120, 160, 200, 240, 280, 320], "Reload"),
    ([0, 90, "nan"], "Reload"),
    ([0, 90, 1e9], "Reload"),
    ([0, 90, None], "Reload"),
    ("0,90,180", "Reload"),
    ({"0": 0}, "Reload"),
]


def test_a_way_to_sit_that_cannot_be_is_refused(
    playing: SmallTable, screen: Connect, subtests: pytest.Subtests
) -> None:
    for angles, says in NO_SEATINGS:
        with subtests.test(f"{angles!r:.60}"):
            before = playing.view
            answer = say(screen(), "seat_people", {"angles": angles})
            assert answer["error"]["code"] == "bad_request"
            assert says in answer["error"]["message"]
            assert playing.view is before


def test_a_message_that_is_too_long_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = say(screen(), "play", {**now(playing), "move": reveal(*[1] * 2000)})
    assert answer["error"]["code"] == "bad_request"
    assert "too long" in answer["error"]["message"]


def test_a_command_with_more_than_one_payload_is_refused(playing: SmallTable, screen: Connect) -> None:
    answer = screen().emit("undo", now(playing), now(playing), callback=True)
    assert answer["error"]["code"] == "bad_request"


WRONG_SEATS = [
    [],
    [{"name": "Ada", "figure": "purple"}] * 2,
    [{"name": "Ada", "figure": "purple"}] * 6,
    [{"name": "", "figure": "purple"}] * 3,
    [{"name": "A" * 21, "colour": "purple"}] * 3,
    [{"name": "A\nB", "figure": "purple"}] * 3,
    [{"name": "Ada", "figure": "pink"}] * 3,
]


def test_a_game_with_wrong_seats_is_not_begun(
    table: SmallTable, screen: Connect, subtests: pytest.Subtests
) -> None:
    for seats in WRONG_SEATS:
        with subtests.test(f"{seats!r:.60}"):
            answer = say(screen(), "start_game", {"game": None, "at": None, "seats": seats})
            assert answer["error"]["code"] == "bad_request"
            assert table.started == 0


def test_show_me_begins_a_game_and_lets_the_director_play(table: SmallTable, screen: Connect) -> None:
    assert say(screen(), "show_me", {"game": None, "at": None})["ok"]
    message = last_view(screen())
    assert len(message["game"]["seats"]) == 4
    assert message["director"]["running"]


def test_a_real_camera_has_no_director(screen: Connect, table: SmallTable) -> None:
    table.director = None
    answer = say(screen(), "director_run", {"on": True})
    assert answer["error"]["code"] == "not_now"


def test_a_proposal_is_shown_with_what_it_would_lead_to(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.propose(Reveal((Hand(2), Hand(2), Hand(1), Hand(0))), Reveal((Hand(2), Hand(3), Hand(1), Hand(0))))
    message = last_view(client)
    assert message["outcomes"][0]["reasons"][0] == "tie_for_most"
    assert message["outcomes"][1]["gains"][1]["place"] == "first"


def test_a_proposal_is_held_amended_and_accepted_only_by_its_own_name(playing: SmallTable, screen: Connect) -> None:
    client = screen()
    playing.propose(Reveal((Hand(2), Hand(2), Hand(1), Hand(0))))
    proposal = last_view(client)["proposal"]["id"]
    assert say(client, "accept", {**now(playing), "proposal": "p0", "choices": [0]})["error"]["code"] == "stale"
    assert say(client, "hold", {**now(playing), "proposal": proposal})["ok"]
    assert last_view(client)["proposal"]["held"]
    assert say(client, "amend", {**now(playing), "proposal": proposal, "move": reveal(4, 2, 1, 0)})["ok"]
    assert last_view(client)["game"]["view"]["outcome"]["hands"][0]["search"] == 4


def test_a_command_that_breaks_says_so_without_leaking_why(
    playing: SmallTable, screen: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(at: int) -> None:
        raise RuntimeError("/home/somebody/secret")

    monkeypatch.setattr(playing, "undo", broken)
    answer = say(screen(), "undo", now(playing))
    assert answer["error"]["code"] == "failed"
    assert "secret" not in answer["error"]["message"]


def test_the_socket_refuses_a_page_from_elsewhere(app: Flask) -> None:
    client = app.test_client()
    path = "/socket.io/?EIO=4&transport=websocket"
    for origin, line in (("http://elsewhere.example", "Not an accepted origin."), ("http://localhost", "upgrade")):
        answer = client.get(path, headers={"Origin": origin})
        assert (answer.status_code, line in answer.text) == (400, True)
