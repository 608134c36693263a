"""Which device asks: a signed cookie that names it, and whether it is the serving machine itself."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

from flask import Flask, Request, Response, request
from itsdangerous import BadSignature, URLSafeSerializer

from calibration.storage import write_whole
from web.languages import language_of

_LASTING = 180 * 24 * 60 * 60
"""Seconds for which a browser keeps the cookie after its latest visit."""
_ID = re.compile(r"[0-9a-f]{16}")
_SECRET = re.compile(r"[0-9a-f]{64}")
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


@dataclass(frozen=True, slots=True)
class Device:
    """A browser that asks.

    local: it runs on the serving machine; kind: "phone", "tablet" or "computer"; language: that it wants.
    """

    id: str
    address: str
    local: bool
    kind: str
    language: str


class Devices:
    """Knows devices again by a cookie that only this server can sign.

    The signature bears no time, so a wrong clock on either side changes nothing; what a device may do is kept by
    the server and not in the cookie, so it can be taken back.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret
        self._serializer = URLSafeSerializer(secret, salt="device", signer_kwargs={"digest_method": hashlib.sha256})
        # Browsers keep cookies by machine and not by port: two companions on one would take each other's.
        self.cookie = f"companion-{hashlib.sha256(secret.encode()).hexdigest()[:8]}"

    @property
    def camera_key(self) -> str:
        """The key by which a phone may be the camera: the same after a restart, so that it goes on by itself."""
        return hashlib.sha256(f"camera {self._secret}".encode()).hexdigest()[:16].upper()

    def of(self, environ: Mapping[str, Any]) -> Device:
        """Tell which device a request or a connection comes from; one without a good cookie is a new one."""
        return Device(
            self._known(environ) or secrets.token_hex(8),
            str(environ.get("REMOTE_ADDR", "")),
            is_local(environ),
            _kind(str(environ.get("HTTP_USER_AGENT", ""))),
            language_of(Request(dict(environ))),
        )

    def greet(self, app: Flask) -> None:
        """Give every browser that opens a page its cookie, and let it be kept longer where it has one."""

        @app.after_request
        def remember(response: Response) -> Response:
            if request.method == "GET" and response.status_code == 200 and response.mimetype == "text/html":
                known = self._known(request.environ)
                response.set_cookie(
                    self.cookie,
                    str(self._serializer.dumps(known or secrets.token_hex(8))),
                    max_age=_LASTING,
                    secure=request.is_secure,
                    httponly=True,
                    samesite="Strict",
                )
            return response

    def _known(self, environ: Mapping[str, Any]) -> str | None:
        try:
            morsel = SimpleCookie(str(environ.get("HTTP_COOKIE", ""))[:4096]).get(self.cookie)
            named = None if morsel is None else self._serializer.loads(morsel.value)
        except (BadSignature, CookieError):
            return None
        return named if isinstance(named, str) and _ID.fullmatch(named) else None


def is_local(environ: Mapping[str, Any]) -> bool:
    """Tell whether the serving machine itself asks, by a name of its own.

    The name counts because a page from elsewhere may point its own name at this machine; what a proxy passes on
    comes from somebody else.
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
    """Give the secret kept in a folder, made where there is none or it is damaged; for this user alone.

    Raises OSError where it can neither be read nor written.
    """
    path = folder / "secret"
    try:
        kept = path.read_text(encoding="ascii").strip()
    except (FileNotFoundError, UnicodeDecodeError):
        kept = ""
    if not _SECRET.fullmatch(kept):
        kept = secrets.token_hex(32)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, kept.encode("ascii"), mode=0o600)
    return kept


def _kind(agent: str) -> str:
    if "iPad" in agent or "Tablet" in agent or ("Android" in agent and "Mobile" not in agent):
        return "tablet"
    return "phone" if "Mobi" in agent else "computer"
