"""The phone's page and its channel: pictures in, and nothing else gets through."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import simple_websocket
from flask import Flask
from flask.testing import FlaskClient
from wsproto.events import BytesMessage
from wsproto.frame_protocol import CloseReason

from tests.serving import running
from tests.vision.cameras.phone_pictures import Clock, jpeg
from tests.waiting import LONGEST_WAIT
from tests.web.conftest import browser_at
from tests.web.small_table import SmallTable
from vision.cameras.phone import LARGEST_PICTURE, PhoneCamera, PhoneFigures, PhoneLink
from web import create_app
from web.routes.phone_camera import phone_app

PATH = "/camera/channel/?EIO=4&transport=polling"
ADDRESS = "https://192.168.1.5:8000/camera"


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


@pytest.fixture(name="link")
def _link(clock: Clock) -> PhoneLink:
    return PhoneLink(ADDRESS, clock)


@pytest.fixture(name="app")
def _app(link: PhoneLink) -> Flask:
    return create_app(SmallTable(), phone=link)


class Phone:
    """A browser's side of the channel, as far as a test needs it: packets by long polling, one after the other."""

    def __init__(self, client: FlaskClient, page: str = "") -> None:
        self.client = client
        opened = client.get(PATH)
        assert opened.status_code == 200
        self.path = f"{PATH}&sid={json.loads(opened.text[1:])['sid']}"
        self.joined = self.say("40" + (json.dumps({"page": page}) if page else ""))

    def send(self, *packets: str) -> None:
        self.client.post(self.path, data="\x1e".join(packets))

    def say(self, *packets: str) -> list[str]:
        """Send packets and give what comes back; nothing where the connection is gone."""
        self.send(*packets)
        came = self.client.get(self.path)
        return [one for one in came.text.split("\x1e") if one != "2"] if came.status_code == 200 else []

    def show(self, picture: bytes) -> dict[str, Any]:
        """Send a picture and give its acknowledgement."""
        attached = "b" + base64.b64encode(picture).decode()
        (answer,) = self.say('451-7["picture",{"_placeholder":true,"num":0}]', attached)
        assert answer.startswith("437")
        acknowledged: dict[str, Any] = json.loads(answer[3:])[0]
        return acknowledged


Join = Callable[..., Phone]


@pytest.fixture(name="join")
def _join(app: Flask) -> Join:
    def join(language: str = "en") -> Phone:
        client = app.test_client()
        client.set_cookie("language", language)
        return Phone(client)

    return join


def test_a_picture_is_acknowledged_and_becomes_a_frame(join: Join, link: PhoneLink) -> None:
    assert join().show(jpeg(200)) == {"ok": True, "kept": True}
    assert abs(float(PhoneCamera(link).grab().image.mean()) - 200) < 3


def test_the_lens_of_the_phone_is_noted(join: Join, link: PhoneLink) -> None:
    phone = join()
    phone.send('42["lens","Back Camera"]')
    phone.send('42["lens"]', '42["lens",7,"Back"]', '42["lens",{"name":"Back"}]')
    assert phone.show(jpeg())["ok"]
    assert link.lens == "Back Camera"


def test_a_picture_that_is_too_early_is_acknowledged_but_not_kept(join: Join) -> None:
    phone = join()
    assert phone.show(jpeg())["kept"]
    assert phone.show(jpeg()) == {"ok": True, "kept": False}


def test_a_second_phone_is_informed_that_another_one_is_the_camera(join: Join, clock: Clock) -> None:
    first, second = join(), join()
    assert first.show(jpeg())["ok"]
    answer = second.show(jpeg())
    assert not answer["ok"]
    assert "Another phone is the camera now" in answer["message"]
    first.send("41")
    clock.now += 1.0
    assert second.show(jpeg()) == {"ok": True, "kept": True}


def test_a_fifth_page_is_turned_away_until_one_is_closed(join: Join) -> None:
    phones = [join() for _ in range(4)]
    assert all(phone.joined[0].startswith("40") for phone in phones)
    (refusal,) = join().joined
    assert refusal.startswith("44")
    assert "Too many phones" in refusal
    phones[0].send("41")
    assert join().joined[0].startswith("40")


def test_a_page_that_reconnects_goes_on_as_the_same_phone_and_its_lost_connection_counts_no_more(
    app: Flask, link: PhoneLink, clock: Clock
) -> None:
    page = "0123456789abcdef01234567"
    lost = Phone(app.test_client(), page)
    lost.send('42["lens","Back Camera"]')
    assert lost.show(jpeg(50))["ok"]
    for _ in range(4):
        clock.now += 1.0
        again = Phone(app.test_client(), page)
        assert again.show(jpeg(200))["ok"]
    assert not lost.show(jpeg(50))["ok"]
    assert abs(float(PhoneCamera(link).grab().image.mean()) - 200) < 3
    lost.send("41")
    assert link.is_sending


def test_a_phone_without_a_new_picture_is_not_waited_for(join: Join, link: PhoneLink, clock: Clock) -> None:
    phone = join()
    assert phone.show(jpeg())["ok"]
    assert link.is_sending
    clock.now += 60.0
    assert phone.say('428["idle"]') == ["438[" + json.dumps({"ok": True}, separators=(",", ":")) + "]"]
    assert not link.is_sending
    clock.now += 1.0
    assert phone.show(jpeg())["ok"]


def test_refusals_are_in_the_language_of_the_phone(join: Join) -> None:
    assert join("pt").show(jpeg())["ok"]
    assert join("ja").show(jpeg())["message"].startswith("今は別の電話がカメラです")
    join(), join()
    (refusal,) = join("pt").joined
    assert "telefones demais" in json.loads(refusal[2:])["message"]


NO_EVENTS = [
    '427["picture","text"]',
    '427["picture"]',
    '427["picture",{"a":1},2]',
    '427["picture",null]',
    '427["picture",[[[[]]]]]',
]


def test_an_event_that_is_no_picture_is_refused_in_plain_words(
    join: Join, link: PhoneLink, subtests: pytest.Subtests
) -> None:
    phone = join()
    for packet in NO_EVENTS:
        with subtests.test(f"{packet!r:.60}"):
            (answer,) = phone.say(packet)
            assert answer.startswith("437")
            assert "not a JPEG" in json.loads(answer[3:])[0]["message"]
            assert link.figures == PhoneFigures()


NONSENSE = [
    ('4599999-7["picture"]',),
    ('452-7["picture",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]', "bAAAA", "bAAAA"),
    ('451-7["picture",{"_placeholder":true,"num":9}]', "bAAAA"),
    ("bAAAA",),
    ("4nonsense",),
    ('42{"picture":1}',),
    ('427["connect"]',),
    ('427["disconnect"]',),
]


@pytest.mark.parametrize("packets", NONSENSE, ids=repr)
def test_nonsense_gets_no_picture_in_and_the_next_phone_is_served(
    join: Join, link: PhoneLink, packets: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    join().send(*packets)
    assert link.figures == PhoneFigures()
    assert join().show(jpeg())["ok"]


@pytest.mark.parametrize(
    ("path", "largest"),
    [("/camera/channel", LARGEST_PICTURE * 4 // 3 + 1024), ("/socket.io", 16 * 1024)],
)
def test_a_message_that_grows_too_large_ends_the_connection_while_it_arrives(
    app: Flask, path: str, largest: int
) -> None:
    with running(app) as server:
        client = simple_websocket.Client(f"ws://127.0.0.1:{server.port}{path}/?EIO=4&transport=websocket")
        heard = iter(partial(client.receive, timeout=LONGEST_WAIT), "never")
        for size in (largest // 2, largest // 2, 16):  # and it never ends: a message that may not be waited for
            client.sock.sendall(client.ws.send(BytesMessage(bytes(size), message_finished=False)))
        with pytest.raises(simple_websocket.ConnectionClosed) as closed:
            assert {str(text)[0] for text in heard} <= {"0", "2"}  # its greeting, and pings where this takes long
    assert closed.value.reason == CloseReason.MESSAGE_TOO_BIG


def test_a_page_from_elsewhere_is_refused(app: Flask) -> None:
    client = app.test_client()
    assert client.get(PATH, headers={"Origin": "https://elsewhere.example"}).status_code == 400
    assert client.get(PATH, headers={"Origin": "http://localhost"}).status_code == 200


def test_the_tables_own_channel_takes_no_binary_parts() -> None:
    client = create_app(SmallTable(), polling=True).test_client()
    path = "/socket.io/?EIO=4&transport=polling"
    path += f"&sid={json.loads(client.get(path).text[1:])['sid']}"
    client.post(path, data="40")
    client.get(path)
    # Were the first one waited for, the second would be taken for its part.
    client.post(path, data="\x1e".join(('451-7["refresh",{"_placeholder":true,"num":0}]', '428["refresh",{}]')))
    assert "438" in client.get(path).text


def test_the_page_shows_its_own_address_as_a_code(app: Flask, link: PhoneLink) -> None:
    client = app.test_client()
    page = client.get("/camera")
    assert page.status_code == 200
    assert ADDRESS in page.text
    assert "camera=(self)" in page.headers["Permissions-Policy"]
    code = client.get("/camera/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert re.search(r"<svg[^>]*>", code.text)
    link.find_address = lambda: ""
    assert client.get("/camera/qr.svg").status_code == 404


def test_without_a_phone_there_is_no_such_page() -> None:
    client = create_app(SmallTable()).test_client()
    assert client.get("/camera").status_code == 404
    assert client.get(PATH).status_code == 404


def test_the_phones_page_can_be_served_alone(link: PhoneLink) -> None:
    client = phone_app(link).test_client()
    assert client.get("/camera").status_code == 200
    assert client.get("/").status_code == 404
    assert client.get("/camera").headers["Content-Security-Policy"].startswith("default-src 'none'")


def test_only_a_phone_that_scanned_the_code_may_be_the_camera(app: Flask, link: PhoneLink) -> None:
    stranger = browser_at(app, "192.168.1.9")
    assert ADDRESS not in stranger.get("/camera").text
    assert stranger.get("/camera/qr.svg").status_code == 403
    (refusal,) = Phone(stranger).joined
    assert refusal.startswith("44")
    assert "Scan the code" in refusal
    stranger.get("/camera?key=WRONG")
    assert Phone(stranger).joined[0].startswith("44")
    scanned = stranger.get(f"/camera?key={app.extensions['camera_key']}")
    assert all("HttpOnly" in cookie for cookie in scanned.headers.getlist("Set-Cookie"))
    assert Phone(stranger).show(jpeg())["ok"]
    assert stranger.get("/camera/qr.svg").status_code == 200
