"""The page that makes a phone the camera, and the Socket.IO channel that receives its pictures."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping
from typing import Any

import socketio
from flask import Blueprint, Flask, Request, Response, make_response, render_template, request

from calibration.translatable import say
from vision.cameras.phone import LARGEST_PICTURE, PhoneLink, PhoneRefused
from web.assets import AssetFlask
from web.channel.socketio_limits import OneAttachment, limit_server
from web.languages import language_of, localise, text_of
from web.people.access_codes import new_code, same_code
from web.people.device_identification import COOKIE_SECONDS, cookie_value, is_local
from web.people.request_guards import add_request_guards, open_to_all, principal
from web.people.roles import HOST
from web.routes.app_installation import installation
from web.routes.join_qr_code import qr_response
from web.serving.websocket import lift_join_deadline, set_join_deadline

PAGE = "/camera"
"""Address of the phone camera page."""
_CHANNEL = "camera/channel"
"""Path of the channel."""
_COOKIE = "companion-camera"
"""Name of the cookie that stores the key after a phone has scanned it."""
_KEY_LENGTH = 12
"""Number of letters of a generated key; many, because it is scanned and not typed."""
_MAX_KEY_LENGTH = 80
"""Maximum number of compared characters of a key in an address."""
_MAX_BODY_BYTES = 1024
"""Maximum size of a request's body, bytes; the page sends none."""
_MAX_PAGES = 4
"""Maximum number of connected pages: a phone may reconnect before its old page is dropped."""
_MAX_PACKET_BYTES = LARGEST_PICTURE * 4 // 3 + 1024
"""Maximum size of a message, bytes: a picture in base64 with its envelope, as long polling sends it."""
_NO_KEY = say("This phone cannot be the camera yet. Scan the code that the companion shows.")
_TOO_MANY_PAGES = say("Too many phones are connected as the camera. Close the page on the others.")
_FAILED = say("The companion could not process the picture. Its log has the details.")
_PING_SECONDS = 2
"""Seconds between two pings of the server on a connection."""
_PING_TIMEOUT_SECONDS = 10
"""Seconds without an answer to a ping after which a phone counts as gone; the answer waits behind a picture."""
_PAGE_ID = re.compile(r"[0-9a-f]{24}")
"""Form of the id that a page generates when it is opened."""


def phone_app(link: PhoneLink) -> Flask:
    """Return a Flask application with nothing but the phone camera page and its channel."""
    app = AssetFlask("web")
    localise(app)
    app.register_blueprint(installation())
    app.config["MAX_CONTENT_LENGTH"] = _MAX_BODY_BYTES
    add_request_guards(app)
    add_phone(app, link)
    return app


def add_phone(app: Flask, link: PhoneLink, key: str | None = None) -> None:
    """Add the phone camera page and its channel to an application.

    The channel is separate from the screens' because its messages are large. Only a browser that has opened the
    page with the key in its address, as in the QR code, may be the camera. key: None: a random one. The key is
    stored in `app.extensions["camera_key"]`.
    """
    key = key or new_code(_KEY_LENGTH)
    app.extensions["camera_key"] = key
    app.register_blueprint(_page_blueprint(link, key))
    server = socketio.Server(
        async_mode="threading",
        # One picture at a time, as back-pressure on a phone that sends too many.
        async_handlers=False,
        serializer=OneAttachment,
        max_http_buffer_size=_MAX_PACKET_BYTES,
        http_compression=False,
        ping_interval=_PING_SECONDS,
        ping_timeout=_PING_TIMEOUT_SECONDS,
    )
    limit_server(server, _MAX_PACKET_BYTES)
    _add_picture_events(server, link, key)
    app.wsgi_app = socketio.WSGIApp(server, app.wsgi_app, socketio_path=_CHANNEL)  # type: ignore[method-assign]


def address_with_key(address: str, key: str) -> str:
    """Return the address of the camera page with the key as a query parameter.

    A phone that opens it may be the camera.
    """
    return f"{address}?key={key}"


def _may_be_camera(environ: Mapping[str, Any], key: str) -> bool:
    """Return whether a request comes from the serving machine itself, or from a browser with the key in its cookie.

    environ: WSGI environment of the request.
    """
    if is_local(environ):
        return True
    stored = cookie_value(environ, _COOKIE)
    return stored is not None and same_code(key, stored)


def _page_blueprint(link: PhoneLink, key: str) -> Blueprint:
    """Return the blueprint of the camera page and its QR code."""
    blueprint = Blueprint("phone", __name__)

    @blueprint.get(PAGE)
    @open_to_all
    def camera_page() -> Response:
        scanned = same_code(key, request.args.get("key", "")[:_MAX_KEY_LENGTH])
        authorised = scanned or _may_be_camera(request.environ, key)
        address = address_with_key(link.address, key) if link.address and authorised else ""
        response = make_response(render_template("camera.html", channel=f"/{_CHANNEL}", address=address))
        if scanned:
            response.set_cookie(
                _COOKIE, key, max_age=COOKIE_SECONDS, secure=request.is_secure, httponly=True, samesite="Strict"
            )
        return response

    @blueprint.get(f"{PAGE}/qr.svg")
    @open_to_all
    def qr() -> Response:
        if principal().role != HOST and not _may_be_camera(request.environ, key):
            return make_response("Only a host can show this code.\n", 403)
        if not link.address:
            return make_response("There is no address to show yet.\n", 404)
        return qr_response(address_with_key(link.address, key))

    return blueprint


def _translate_for(environ: Mapping[str, Any], text: str) -> str:
    """Return a text in the language of a phone. environ: WSGI environment of its connection."""
    return text_of(text, language_of(Request(dict(environ))))


def _add_picture_events(server: Any, link: PhoneLink, key: str) -> None:
    """Handle a phone page's events: it connects, disconnects, sends a picture, has none, or names its lens.

    server: Socket.IO server of the channel. key: that a page must have to connect.
    """
    phones: dict[str, str] = {}
    environs: dict[str, Mapping[str, Any]] = {}
    lock = threading.Lock()

    def refused(environ: Mapping[str, Any], line: str) -> Exception:
        """Return the exception that refuses a connection, with a text in the page's language."""
        error: Exception = socketio.exceptions.ConnectionRefusedError(_translate_for(environ, line))
        return error

    def connect(sid: str, environ: Mapping[str, Any], auth: object = None) -> None:
        if not _may_be_camera(environ, key):
            raise refused(environ, _NO_KEY)
        page = auth.get("page") if isinstance(auth, dict) else None
        phone = page if isinstance(page, str) and _PAGE_ID.fullmatch(page) else sid
        with lock:
            # A page that reconnects replaces its lost connection: what may still arrive there is old.
            for lost in [one for one, known in phones.items() if known == phone]:
                del phones[lost]
            if len(phones) >= _MAX_PAGES:
                raise refused(environ, _TOO_MANY_PAGES)
            phones[sid] = phone
        environs[sid] = environ
        link.join(phone)
        lift_join_deadline(environ)

    def disconnect(sid: str, *reason: object) -> None:
        with lock:
            phone = phones.pop(sid, None)
        if phone is not None:
            link.leave(phone)
        set_join_deadline(environs.pop(sid, {}))

    def picture(sid: str, *payload: object) -> dict[str, object]:
        """Store one picture and return the acknowledgement; after it the page takes and sends the next picture."""
        phone = phones.get(sid)
        if phone is None:  # left over from a lost connection: nobody waits for the answer
            return {"ok": False, "message": ""}
        try:
            return {"ok": True, "kept": link.offer(phone, payload[0] if len(payload) == 1 else None)}
        except PhoneRefused as error:
            line = str(error)
        except Exception:
            logging.getLogger(__name__).exception("A picture from a phone could not be processed.")
            line = _FAILED
        return {"ok": False, "message": _translate_for(environs.get(sid, {}), line)}

    def idle(sid: str, *payload: object) -> dict[str, object]:
        """Record that a page has no new picture; it takes the next one after this acknowledgement."""
        phone = phones.get(sid)
        if phone is not None:
            link.pause(phone)
        return {"ok": phone is not None}

    def lens(sid: str, *payload: object) -> None:
        """Store the name of the phone's lens; a malformed one is ignored."""
        phone = phones.get(sid)
        if phone is None:
            return
        try:
            link.report_lens(phone, payload[0] if len(payload) == 1 else None)
        except Exception:
            logging.getLogger(__name__).exception("The name of a phone's lens could not be stored.")

    server.on("idle", idle)
    server.on("lens", lens)
    server.on("connect", connect)
    server.on("disconnect", disconnect)
    server.on("picture", picture)
