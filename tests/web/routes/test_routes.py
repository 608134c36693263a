"""Pages, questions and pictures over plain HTTP."""

from __future__ import annotations

import json
import random
import re
import socket
import urllib.request
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from calibration.translatable import say
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Hand, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.table.views import SeatView
from tests.serving import running
from tests.waiting import LONGEST_WAIT
from tests.web.conftest import SEATS, Connect, browser_at, last_view
from tests.web.small_table import SmallTable
from web import PortTakenError, create_app
from web.serving.server_startup import listen

WEB = Path(__file__).parents[3] / "web"


def test_the_page_carries_a_strict_policy_and_no_inline_script(app: Flask) -> None:
    response = app.test_client().get("/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "unsafe" not in policy
    assert b"<script type" in response.data
    assert b"</script>" in response.data
    assert b" onclick" not in response.data
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Frame-Options"] == "DENY"


def first_of(app: Flask, address: str = "127.0.0.1", language: str = "en") -> dict[str, Any]:
    """What the page for a browser at this address comes with."""
    page = browser_at(app, address).get("/", headers={"Accept-Language": language})
    assert page.headers["Cache-Control"] == "no-store"
    found = re.search(r'<script type="application/json" id="first">(.*?)</script>', page.text)
    assert found is not None
    first: dict[str, Any] = json.loads(found.group(1))
    return first


def test_the_page_comes_with_what_its_reader_may_know(app: Flask, table: SmallTable) -> None:
    table.start_game((SeatView("</script><b>&amp;", SEATS[0].figure), *SEATS[1:]))
    host, onlooker = first_of(app), first_of(app, "192.168.1.5")
    assert (host["you"]["role"], onlooker["you"]["role"]) == ("host", "onlooker")
    assert host["director"] is not None
    assert onlooker["director"] is None
    for first in (host, onlooker):
        assert first["game"]["seats"][0]["name"] == "</script><b>&amp;"
        assert first["game"]["view"]["pile"] is None


def test_the_page_comes_with_what_the_channel_tells_letter_by_letter(
    app: Flask, table: SmallTable, screen: Connect
) -> None:
    table.start_game(SEATS)
    assert json.dumps(first_of(app)) == json.dumps(last_view(screen()))


def test_the_page_comes_with_its_state_in_its_language(app: Flask, table: SmallTable) -> None:
    table.change(
        camera=replace(
            table.view.camera,
            message=say("The camera has sent no picture for {age} s. Check its cable or its app.", age=7),
        )
    )
    english, japanese = (first_of(app, language=language)["camera"]["message"] for language in ("en", "ja"))
    assert english.startswith("The camera has sent no picture for 7 s")
    assert japanese != english


def test_nothing_on_the_page_comes_from_elsewhere() -> None:
    kinds = {".js", ".css", ".html"}
    own = [path for path in WEB.rglob("*") if path.suffix in kinds and "vendor" not in path.parts]
    assert len(own) > 10
    elsewhere = re.compile(r"(https?:|wss?:|[\"'(])//")
    assert [path.name for path in own if elsewhere.search(path.read_text(encoding="utf-8"))] == []


def test_every_vendored_file_is_listed_with_its_licence() -> None:
    listed = (WEB / "static/vendor/README.md").read_text()
    for path in [*(WEB / "static/vendor").glob("*.js"), *(WEB / "static/fonts").glob("*.woff2")]:
        assert path.name in listed
    assert "MIT" in (WEB / "static/vendor/socket.io-LICENSE.txt").read_text()


def test_a_malformed_host_is_refused(app: Flask) -> None:
    response = app.test_client().get("/", headers={"Host": "a'; script-src *"})
    assert response.status_code == 400


CHANGING = ["/", "/api/state", "/api/options/0", "/preview.jpg"]


def test_plain_http_changes_nothing(app: Flask, subtests: pytest.Subtests) -> None:
    for path in CHANGING:
        for method in ["post", "put", "delete", "patch"]:
            with subtests.test(f"{path!r:.60} {method!r:.60}"):
                assert getattr(app.test_client(), method)(path).status_code == 405


def test_the_state_is_printed_as_json(app: Flask, table: SmallTable) -> None:
    table.start_game(SEATS)
    answer = app.test_client().get("/api/state")
    assert answer.json is not None
    assert answer.json["game"]["view"]["phase"] == "search"
    assert answer.headers["Cache-Control"] == "no-store"


def test_options_name_the_state_that_they_are_for(app: Flask, table: SmallTable) -> None:
    table.start_game(SEATS)
    rng = random.Random(1)
    while table.states[-1].phase != "soul":
        table.play(random_move(table.states[-1], rng), len(table.states))
    answer = app.test_client().get("/api/options/2").json
    assert answer is not None
    assert answer["number"] == len(table.states)
    assert answer["options"][-1]["move"] == {"type": "finish_soul", "player": 2}
    player = table.states[-1].players[2]
    assert [one["card"] for one in answer["aids"]] == [*player.great, *player.small]
    assert all(set(need) == {"colour", "rank"} for one in answer["aids"] for need in one["missing"])


def test_options_of_an_empty_seat_are_refused_in_plain_words(app: Flask, table: SmallTable) -> None:
    table.start_game(SEATS)
    answer = app.test_client().get("/api/options/4")
    assert answer.status_code == 404
    assert answer.json == {"error": {"code": "not_now", "message": "Nobody sits there. Reload the page."}}


def test_choices_bound_what_can_be_dealt_and_laid() -> None:
    table = SmallTable()
    table.start_game(SEATS)
    client = create_app(table).test_client()
    answer = client.get("/api/choices").json
    assert answer is not None
    assert answer["deal"]["players"] == 4
    assert len(answer["deal"]["great"]) == 12
    assert answer["lay"] is None


def test_a_picture_is_sent_once_and_then_known(app: Flask, table: SmallTable) -> None:
    client = app.test_client()
    assert client.get("/preview.jpg").status_code == 204
    table.picture = b"\xff\xd8 a picture"
    first = client.get("/preview.jpg")
    assert first.mimetype == "image/jpeg"
    again = client.get("/preview.jpg", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    table.picture = b"\xff\xd8 another"
    assert client.get("/preview.jpg", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        *[f"/art/deck/{STANDIN.name}/{card.id}.svg" for card in STANDIN.corridors[:2]],
        f"/art/deck/{STANDIN.name}/{STANDIN.great[0].id}.svg",
        f"/art/deck/{STANDIN.name}/{STANDIN.small[-1].id}.svg",
        "/art/back/corridor.svg",
        "/art/board/black.svg",
        "/art/icon/sheep.svg",
        "/art/icon/sign:soul.svg",
        "/art/tile.svg",
    ],
)
def test_art_is_vector_and_may_be_kept(app: Flask, path: str) -> None:
    response = app.test_client().get(path)
    assert response.status_code == 200
    assert response.mimetype == "image/svg+xml"
    assert response.data.lstrip().startswith(b"<")
    assert "max-age" in response.headers["Cache-Control"]


NO_ART = [
    "/art/deck/nobody/C01.svg",
    f"/art/deck/{STANDIN.name}/C99.svg",
    "/art/back/face.svg",
    "/art/icon/secret.svg",
]


def test_art_that_does_not_exist_is_not_found(app: Flask, subtests: pytest.Subtests) -> None:
    for path in NO_ART:
        with subtests.test(f"{path!r:.60}"):
            assert app.test_client().get(path).status_code == 404


def test_the_picture_of_an_entry_is_that_of_the_named_game_alone(app: Flask, table: SmallTable) -> None:
    client, here = app.test_client(), "/api/evidence/2.jpg"
    table.picture = b"a picture"
    assert client.get(here).status_code == 204
    table.start_game(SEATS)
    assert [client.get(f"{here}{of}").status_code for of in ("", "?of=game-1", "?of=game-2")] == [200, 200, 204]


def test_a_taken_port_is_reported_in_one_line(app: Flask) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTakenError, match=f"Port {port} cannot be used .*--port {port + 1}"):
            listen(app, "127.0.0.1", port)


def test_where_there_is_no_next_port_another_one_is_named(app: Flask) -> None:
    with socket.socket() as other:
        with suppress(OSError):  # somebody else has it: as good
            other.bind(("127.0.0.1", 65535))
            other.listen()
        with pytest.raises(PortTakenError, match=r"Port 65535 cannot be used .*--port 8000"):
            listen(app, "127.0.0.1", 65535)


def test_the_server_answers_on_a_free_port(app: Flask) -> None:
    with (
        running(app) as server,
        urllib.request.urlopen(f"http://127.0.0.1:{server.port}/", timeout=LONGEST_WAIT) as answer,
    ):
        assert answer.status == 200


def test_a_hand_of_the_proposal_is_shown_only_while_it_is_proposed(app: Flask, table: SmallTable) -> None:
    client = app.test_client()
    table.start_game(SEATS)
    table.picture = b"\xff\xd8 a picture"
    table.propose(Reveal(tuple(Hand(1) for _ in SEATS)))
    assert table.view.proposal is not None
    here = f"/api/proposal/0.jpg?of={table.view.proposal.id}"
    assert (client.get(here).status_code, client.get(here).data) == (200, table.picture)
    for nowhere in (here.replace("/0.jpg", "/1.jpg"), "/api/proposal/0.jpg?of=another", "/api/proposal/0.jpg"):
        assert (client.get(nowhere).status_code, client.get(nowhere).data) == (204, b"")
    table.change(proposal=None)
    assert client.get(here).status_code == 204
