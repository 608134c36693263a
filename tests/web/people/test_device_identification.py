"""Browsers are known again by a cookie that nobody else can make, and the serving machine by its own name."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from flask import Flask

from companion.table.views import Refused, SeatView
from tests.web.conftest import SEATS, browser_at
from tests.web.small_table import SmallTable
from web import create_app
from web.people.device_identification import Device, Devices, is_local, kept_secret
from web.people.device_roles import DeviceRegister
from web.people.roles import HOST, PLAYER, SPECTATOR, Principal

PHONE = Device("00000000000000aa", "192.168.1.9", False, "phone", "en")
OTHER = Device("00000000000000bb", "192.168.1.10", False, "phone", "en")
HERE = Device("00000000000000cc", "127.0.0.1", True, "computer", "en")


def cookie_of(app: Flask, address: str = "192.168.1.9") -> str:
    answer = browser_at(app, address).get("/")
    return answer.headers["Set-Cookie"]


def test_the_cookie_is_for_this_page_alone(app: Flask) -> None:
    cookie = cookie_of(app)
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie  # a link in a chat keeps the device's seat
    assert "Secure" not in cookie
    assert "Max-Age=" in cookie
    client = app.test_client()
    answer = client.get("/", base_url="https://localhost")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_a_browser_is_known_again_after_a_restart_and_a_forged_cookie_is_not() -> None:
    first, again, other = (create_app(SmallTable(), secret=secret) for secret in ("a" * 64, "a" * 64, "b" * 64))
    cookie = cookie_of(first).split(";")[0]
    devices = Devices("a" * 64)
    known = devices.of({"HTTP_COOKIE": cookie}).id
    assert devices.of({"HTTP_COOKIE": cookie}).id == known
    client = browser_at(again, "192.168.1.9")
    name, value = cookie.split("=", 1)
    client.set_cookie(name, value)
    renewed = client.get("/").headers["Set-Cookie"].split(";")[0]
    assert devices.of({"HTTP_COOKIE": renewed}).id == known
    assert Devices("b" * 64).of({"HTTP_COOKIE": cookie}).id != known
    assert cookie_of(other).split("=")[0] != name
    for forged in (f"{name}={value[:-1]}", f'{name}="0000000000000000"', f"{name}=", f"{name}={'x' * 9000}", "a;b"):
        assert devices.of({"HTTP_COOKIE": forged}).id != known


class CookieJar:
    """The cookies of a browser, which keeps those with "Secure" from pages that come by http."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._cookies: dict[str, tuple[str, bool]] = {}

    def device_by(self, scheme: str) -> str:
        """Open the page by "http" or "https"; return the device as the channel knows it that connects then."""
        client = self._app.test_client(use_cookies=False)
        answer = client.get("/", base_url=f"{scheme}://table.local:8000", headers={"Cookie": self._sent(scheme)})
        name, value = answer.headers["Set-Cookie"].split(";")[0].split("=", 1)
        if scheme == "https" or not self._cookies.get(name, ("", False))[1]:
            self._cookies[name] = value, "Secure" in answer.headers["Set-Cookie"]
        return Devices("for tests only").of({"HTTP_COOKIE": self._sent(scheme), "wsgi.url_scheme": scheme}).id

    def _sent(self, scheme: str) -> str:
        sent = {name: value for name, (value, secure) in self._cookies.items() if scheme == "https" or not secure}
        return "; ".join(f"{name}={value}" for name, value in sent.items())


def test_a_device_is_known_again_over_sessions_with_and_without_tls(app: Flask) -> None:
    jar = CookieJar(app)
    assert len({jar.device_by(scheme) for scheme in ("http", "https", "http", "https", "http")}) == 1
    tls_first = CookieJar(app)
    tls_first.device_by("https")
    assert len({tls_first.device_by(scheme) for scheme in ("http", "http", "http")}) == 1


@pytest.mark.parametrize(
    ("environ", "local"),
    [
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost:8000"}, True),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "127.0.0.1"}, True),
        ({"REMOTE_ADDR": "::1", "HTTP_HOST": "[::1]:8000"}, True),
        ({"REMOTE_ADDR": "::ffff:127.0.0.1", "HTTP_HOST": "localhost:8000"}, True),
        ({"REMOTE_ADDR": "192.168.1.9", "HTTP_HOST": "localhost:8000"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "elsewhere.example:8000"}, False),  # its name points here
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}, False),
        ({"REMOTE_ADDR": "127.0.0.1", "HTTP_HOST": "localhost", "HTTP_FORWARDED": "for=8.8.8.8"}, False),
        ({"REMOTE_ADDR": "", "HTTP_HOST": "localhost"}, False),
        ({}, False),
    ],
)
def test_only_the_serving_machine_under_its_own_name_is_local(environ: dict[str, str], local: bool) -> None:
    assert is_local(environ) is local


def test_the_secret_is_kept_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "web"
    secret = kept_secret(folder)
    assert kept_secret(folder) == secret
    assert stat.S_IMODE((folder / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (folder / "secret").write_bytes(b"\xff damaged")
    assert kept_secret(folder) != secret


def test_places_outlive_a_restart_for_this_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "web" / "people.json"
    people = DeviceRegister(file)
    people.assign_seat(PHONE.id, SEATS[1])
    people.assign_role(OTHER.id, HOST)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = DeviceRegister(file)
    assert again.principal(PHONE, SEATS) == Principal(PLAYER, 1)
    assert again.principal(OTHER, SEATS) == Principal(HOST)
    file.write_bytes(b'[{"device": "x", "role": "king"}]')
    assert DeviceRegister(file).principal(OTHER, SEATS) == Principal(SPECTATOR)


def test_a_seat_is_found_again_where_the_same_player_sits_in_the_next_game() -> None:
    people = DeviceRegister()
    people.assign_seat(PHONE.id, SEATS[1])
    assert people.principal(PHONE, SEATS[::-1]) == Principal(PLAYER, 2)
    assert people.principal(PHONE, (SeatView("Bruno", "red"), *SEATS[2:])) == Principal(SPECTATOR)
    assert people.principal(PHONE, ()) == Principal(SPECTATOR)


def test_a_seat_has_one_device_and_the_serving_machine_may_look_on() -> None:
    people = DeviceRegister()
    assert people.principal(HERE, SEATS) == Principal(HOST)
    assert DeviceRegister(local_host=False).principal(HERE, SEATS) == Principal(SPECTATOR)
    assert [DeviceRegister(local_host=local).needs_no_code(HERE) for local in (True, False)] == [True, False]
    people.assign_seat(PHONE.id, SEATS[0])
    assert people.assign_seat(OTHER.id, SEATS[0]) == PHONE.id
    assert people.principal(PHONE, SEATS) == Principal(SPECTATOR)
    people.assign_seat(HERE.id, SEATS[0])
    people.withdraw(HERE.id)
    assert people.principal(HERE, SEATS) == Principal(SPECTATOR), "a seat that is freed does not make a host"
    people.assign_seat(HERE.id, SEATS[0])
    people.assign_seat(OTHER.id, SEATS[0])
    assert people.principal(HERE, SEATS) == Principal(SPECTATOR), "nor does one that another device gets"
    people.assign_role(HERE.id, SPECTATOR)
    assert people.principal(HERE, SEATS) == Principal(SPECTATOR)
    people.remove(HERE.id)
    assert people.principal(HERE, SEATS) == Principal(HOST)


def test_a_place_that_the_disk_does_not_keep_is_not_given_and_the_line_says_so(tmp_path: Path) -> None:
    (tmp_path / "web").write_text("in the way")
    people = DeviceRegister(tmp_path / "web" / "people.json")
    with pytest.raises(Refused, match="That could not be saved"):
        people.assign_role(OTHER.id, HOST)
    assert people.principal(OTHER, SEATS) == Principal(SPECTATOR)


def test_a_place_is_gone_at_once_also_where_the_disk_does_not_keep_that(tmp_path: Path) -> None:
    people = DeviceRegister(tmp_path / "web" / "people.json")
    people.assign_role(OTHER.id, HOST)
    (tmp_path / "web").rename(tmp_path / "elsewhere")
    (tmp_path / "web").write_text("in the way")
    with pytest.raises(Refused, match="returns at the next start"):
        people.remove(OTHER.id)
    assert people.principal(OTHER, SEATS) == Principal(SPECTATOR)
