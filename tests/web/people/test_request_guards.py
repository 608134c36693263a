"""The guards on every request: who may ask, from which page, and how much may be sent."""

from __future__ import annotations

import pytest
from flask import Flask, Response, jsonify, request

from web.people.request_guards import PAGE_HEADER, add_request_guards, limit_body, open_to, open_to_all, principal
from web.people.roles import HOST, PLAYER, ROLES, SPECTATOR, Principal, Role

OURS = {"Origin": "http://localhost", PAGE_HEADER: "1"}


@pytest.fixture(name="asking")
def _asking() -> list[Principal]:
    """Who asks: the last of these."""
    return [Principal(HOST)]


@pytest.fixture(name="app")
def _app(asking: list[Principal]) -> Flask:
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 1024
    add_request_guards(app, lambda: asking[-1])

    @app.post("/change")
    @open_to(HOST, PLAYER)
    def change() -> Response:
        return jsonify(seat=principal().seat)

    @app.post("/bring")
    @open_to(HOST)
    @limit_body(4096)
    def bring() -> Response:
        return jsonify(size=len(request.get_data()))

    @app.get("/look")
    @open_to_all
    def look() -> str:
        return "as it is"

    @app.get("/forgotten")
    def forgotten() -> str:
        return "somebody forgot to say who may see this"

    return app


@pytest.mark.parametrize("role", ROLES)
def test_a_route_that_does_not_say_for_whom_it_is_is_closed(
    app: Flask, asking: list[Principal], role: Role
) -> None:
    asking.append(Principal(role, 0 if role == PLAYER else None))
    answer = app.test_client().get("/forgotten")
    assert answer.status_code == 403
    assert b"somebody" not in answer.data


@pytest.mark.parametrize(
    ("who", "look", "change", "bring"),
    [
        (Principal(HOST), 200, 200, 200),
        (Principal(PLAYER, 2), 200, 200, 403),
        (Principal(SPECTATOR), 200, 403, 403),
    ],
)
def test_each_role_gets_what_is_open_to_it(
    app: Flask, asking: list[Principal], who: Principal, look: int, change: int, bring: int
) -> None:
    asking.append(who)
    client = app.test_client()
    assert client.get("/look").status_code == look
    assert client.post("/change", headers=OURS).status_code == change
    assert client.post("/bring", headers=OURS).status_code == bring


FOREIGN = [
    {},
    {"Origin": "http://localhost"},
    {PAGE_HEADER: "1"},
    {"Origin": "http://elsewhere.example", PAGE_HEADER: "1"},
    {"Origin": "https://localhost", PAGE_HEADER: "1"},
    {"Origin": "http://localhost:8001", PAGE_HEADER: "1"},
    {"Origin": "null", PAGE_HEADER: "1"},
    {**OURS, "Sec-Fetch-Site": "cross-site"},
    {**OURS, "Sec-Fetch-Site": "same-site"},
]


def test_what_another_page_sends_changes_nothing(app: Flask, subtests: pytest.Subtests) -> None:
    for headers in FOREIGN:
        with subtests.test(f"{headers!r:.60}"):
            answer = app.test_client().post("/change", headers=headers)
            assert answer.status_code == 403
            assert answer.json is not None
            assert "Open the companion's own page" in answer.json["error"]["message"]


def test_only_a_route_that_says_so_takes_a_large_body(app: Flask) -> None:
    client = app.test_client()
    assert client.post("/bring", data=b"x" * 4000, headers=OURS).json == {"size": 4000}
    answer = client.post("/bring", data=b"x" * 5000, headers=OURS)
    assert answer.status_code == 413
    assert answer.json == {
        "error": {
            "code": "bad_request",
            "message": "That is larger than 4 KB, so it was not read. Choose a smaller file.",
        }
    }
