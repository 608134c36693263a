"""The application factory: one table in, one Flask application with its live channel out."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request
from flask_socketio import SocketIO

from vision.cameras.phone import PhoneLink
from web.assets import Served, installed
from web.channel.bounds import NoAttachments, bound
from web.channel.commands import LARGEST_MESSAGE
from web.channel.enrolment import lessons
from web.channel.events import connect
from web.channel.joining import join_code, joining
from web.channel.publication import whole_message
from web.channel.router import Guarded
from web.channel.screens import Rooms
from web.games.wicked.pictures import pictures
from web.games.wicked.scoring import board_pictures, scoring
from web.languages import speak
from web.people.access import Door
from web.people.devices import Devices
from web.people.register import People
from web.people.security import guard, open_to_all, reader
from web.routes.api import api
from web.routes.diagnostics import diagnostics
from web.routes.exports import exports
from web.routes.history import history
from web.routes.phone import add_phone
from web.running_table import RunningTable
from web.serving.admission import Admission
from web.serving.proxies import believing


def create_app(
    table: RunningTable,
    *,
    secret: str | None = None,
    phone: PhoneLink | None = None,
    people: Path | None = None,
    local_host: bool = True,
    polling: bool = False,
    proxies: frozenset[str] = frozenset(),
    announce: Callable[[str], None] = lambda code: None,
) -> Flask:
    """Make the application that shows this table and passes commands to it.

    phone: where the pictures of a phone arrive, with a page that makes it the camera.

    secret signs the cookies by which browsers are known again; without one, each run makes its own. people: the
    file in which is kept who keeps the table and who sits where. local_host: the serving machine itself keeps the
    table without a code. polling: serve the channel also to browsers that open no web socket, as some do not to a
    certificate that was accepted by hand. proxies: addresses whose word on where a request came from is believed.
    announce: says a new pairing code where only the serving machine shows it.

    `app.extensions["door"]` knows who is there; `app.extensions["unsubscribe"]()` ends the listening.
    """
    app = Served(__name__)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_MESSAGE
    # What the page comes with is to be the same, letter by letter, as what the channel tells it later.
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    speak(app)
    devices = Devices(secret or secrets.token_hex(32))
    admission = app.extensions["admission"] = Admission()
    admission.exempt(proxies)
    door = Door(
        lambda: table.view,
        devices,
        People(people, local_host=local_host),
        announce=announce,
        know=admission.know,
    )
    app.extensions["door"] = door
    devices.greet(app)
    guard(app, lambda: door.reader(request.environ))
    app.register_blueprint(installed())
    app.register_blueprint(api(table))
    app.register_blueprint(pictures(table))
    app.register_blueprint(lessons(table))
    app.register_blueprint(history(table))
    app.register_blueprint(board_pictures(table))
    app.register_blueprint(diagnostics(app, table, door))
    app.register_blueprint(exports(table))
    app.register_blueprint(join_code(door))

    @app.get("/")
    @open_to_all
    def table_page() -> Response:
        page = render_template("page.html", phone=phone is not None, first=whole_message(table.view, reader()))
        response = make_response(page)
        # It tells of the game, to this device alone.
        response.headers["Cache-Control"] = "no-store"
        return response

    @app.errorhandler(404)
    def unknown(_: Exception) -> Response:
        return Response("There is nothing here. The companion's page is at /.\n", 404, mimetype="text/plain")

    socketio = SocketIO(
        app,
        async_mode="threading",
        manage_session=False,
        serializer=NoAttachments,
        max_http_buffer_size=LARGEST_MESSAGE,
        ping_interval=5,
        ping_timeout=10,
        transports=["websocket", "polling"] if polling else ["websocket"],
    )
    bound(socketio.server, LARGEST_MESSAGE)
    rooms, guarded = Rooms(socketio, table, door), Guarded(socketio, door, table)
    joining(socketio, guarded, door, rooms)
    connect(guarded, table, rooms)
    unscored = scoring(guarded.on, table, rooms.show_hosts)
    if phone is not None:
        add_phone(app, phone, devices.camera_key)
    if proxies:
        app.wsgi_app = believing(app.wsgi_app, proxies)  # type: ignore[method-assign, assignment]
    untold = table.subscribe(rooms.take)

    def unsubscribe() -> None:
        untold()
        unscored()

    app.extensions["unsubscribe"] = unsubscribe
    return app
