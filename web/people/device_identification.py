"""Identification of devices: a signed cookie with the device's id, and whether a request is from this machine."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, request
from itsdangerous import BadSignature, URLSafeSerializer

from calibration.files.crash_safe_files import write_whole
from web.languages import language_of

COOKIE_SECONDS = 180 * 24 * 60 * 60
"""Seconds for which a browser keeps a cookie after its latest visit."""
_MAX_COOKIE_HEADER = 4096
"""Characters of a Cookie header that are parsed."""
_ID = re.compile(r"[0-9a-f]{16}")
_SECRET = re.compile(r"[0-9a-f]{64}")
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")
"""Host names under which only the serving machine reaches itself."""


@dataclass(frozen=True, slots=True)
class Device:
    """The browser that sent a request."""

    id: str
    """16 hexadecimal digits, from the cookie."""
    address: str
    """IP address."""
    local: bool
    """Whether it runs on the serving machine."""
    kind: str
    """One of "phone", "tablet" and "computer"."""
    language: str
    """Code of its language, such as "en"."""


class Devices:
    """Identifies devices by a cookie that only this server can sign.

    The signature contains no time, so a wrong clock on either side has no effect. The cookie grants no rights: the
    server stores them, so they can be withdrawn.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._serializer = URLSafeSerializer(secret, salt="device", signer_kwargs={"digest_method": hashlib.sha256})
        # Cookies are shared by all ports of a host: two companions on one host need different names.
        cookie = f"companion-{hashlib.sha256(secret.encode()).hexdigest()[:8]}"
        # Browsers neither send the cookie of https pages to http pages nor let these replace it.
        self._cookies = {"https": cookie, "http": f"{cookie}-http"}

    @property
    def camera_key(self) -> str:
        """The key that authorises a phone as the camera; the same after a restart, so the phone can reconnect."""
        return hashlib.sha256(f"camera {self._secret}".encode()).hexdigest()[:16].upper()

    def of(self, environ: Mapping[str, Any]) -> Device:
        """Return the device that sent a request (WSGI environment); it gets a new id if it has no valid cookie."""
        return Device(
            self._id(environ) or secrets.token_hex(8),
            str(environ.get("REMOTE_ADDR", "")),
            is_local(environ),
            _kind(str(environ.get("HTTP_USER_AGENT", ""))),
            language_of(Request(dict(environ))),
        )

    def set_cookies(self, app: Flask) -> None:
        """Make an application set or renew the device's cookie with every page that a browser opens."""

        @app.after_request
        def set_cookie(response: Response) -> Response:
            if request.method == "GET" and response.status_code == 200 and response.mimetype == "text/html":
                id = self._id(request.environ)
                response.set_cookie(
                    self._cookies[_scheme(request.environ)],
                    str(self._serializer.dumps(id or secrets.token_hex(8))),
                    max_age=COOKIE_SECONDS,
                    secure=request.is_secure,
                    httponly=True,
                    samesite="Lax",  # sent with a link in a chat, not with what other sites load or post
                )
            return response

    def _id(self, environ: Mapping[str, Any]) -> str | None:
        """Return the device id of a request's cookie; None without a valid one.

        A browser that has none for this scheme is known by that of the other scheme, if it sends it.
        """
        own = self._cookies[_scheme(environ)]
        for name in (own, *(set(self._cookies.values()) - {own})):
            value = cookie_value(environ, name)
            with suppress(BadSignature):
                id = None if value is None else self._serializer.loads(value)
                if isinstance(id, str) and _ID.fullmatch(id):
                    return id
        return None


def _scheme(environ: Mapping[str, Any]) -> str:
    """Return "https" or "http" for a request (WSGI environment)."""
    return "https" if environ.get("wsgi.url_scheme") == "https" else "http"


def cookie_value(environ: Mapping[str, Any], name: str) -> str | None:
    """Return the value of a cookie of a request (WSGI environment); None if it is missing or unreadable."""
    try:
        cookie = SimpleCookie(str(environ.get("HTTP_COOKIE", ""))[:_MAX_COOKIE_HEADER]).get(name)
    except CookieError:
        return None
    return None if cookie is None else cookie.value


def is_local(environ: Mapping[str, Any]) -> bool:
    """Return whether a request is from a browser on the serving machine: loopback, a local host name, no proxy.

    The host name is checked against DNS rebinding: a foreign page may resolve its own name to this machine.
    """
    if any(name in environ for name in ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_VIA")):
        return False
    host = re.sub(r":\d+$", "", str(environ.get("HTTP_HOST", "")))
    try:
        address = ipaddress.ip_address(str(environ.get("REMOTE_ADDR", "")))
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback and host in _LOCAL_NAMES


def kept_secret(folder: Path) -> str:
    """Return the secret key stored in a folder; a missing or damaged one is generated, readable by this user alone.

    Raises OSError if it can neither be read nor written.
    """
    path = folder / "secret"
    try:
        secret = path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        secret = ""
    if not _SECRET.fullmatch(secret):
        secret = secrets.token_hex(32)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, secret.encode("ascii"), mode=0o600)
    return secret


def _kind(agent: str) -> str:
    """Return "tablet", "phone" or "computer" for a User-Agent header."""
    if "iPad" in agent or "Tablet" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobi" in agent else "computer"
