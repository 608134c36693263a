"""The application factory: creates the Flask application of one table, with its routes and live channel."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from flask import Flask, Response, make_response, render_template, request
from flask_socketio import SocketIO

from companion.games import available
from companion.games import game as record_of
from vision.cameras.phone import PhoneLink
from web.assets import AssetFlask, page_files
from web.channel.channels import Channels
from web.channel.commands import MAX_MESSAGE_BYTES
from web.channel.role_events import add_joining_events
from web.channel.role_filtered_messages import whole_message
from web.channel.router import CommandRouter
from web.channel.socketio_limits import NoAttachments, limit_server
from web.channel.table_events import add_table_events
from web.game_extensions import extension_of
from web.languages import localise
from web.people.access_control import AccessControl
from web.people.device_identification import Devices
from web.people.device_roles import DeviceRegister
from web.people.request_guards import add_request_guards, open_to_all, principal
from web.routes.app_installation import installation
from web.routes.diagnostics import diagnostics
from web.routes.enrolment import enrolment
from web.routes.join_qr_code import join_code
from web.routes.phone_camera import add_phone
from web.routes.running_game import running_game
from web.routes.saved_games import history
from web.routes.score_exports import exports
from web.serving.admission import Admission
from web.serving.reverse_proxy import trust_proxies
from web.table_interface import RunningTable

PING_SECONDS = 5
"""Seconds between two pings of the server on a connection."""
PING_TIMEOUT_SECONDS = 10
"""Seconds without an answer to a ping after which a screen counts as gone."""


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
    """Return the Flask application that publishes this table to screens and passes their commands to it.

    secret: signs the device cookies; None generates one for this run.
    phone: link that receives a phone's pictures; adds the phone camera page.
    people: file that stores which device has which role and seat; None keeps them in memory.
    local_host: whether a browser on the serving machine is host without a code.
    polling: also accept long polling, for browsers that refuse web sockets to a certificate accepted by hand.
    proxies: addresses of trusted reverse proxies.
    announce: called with each new host code, to print it on the serving machine only.

    `app.extensions["access"]` is the `AccessControl`; `app.extensions["unsubscribe"]()` detaches from the table.
    """
    app = AssetFlask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = MAX_MESSAGE_BYTES
    # The state embedded in the page is byte-equal to the first message of the channel.
    app.jinja_env.policies["json.dumps_kwargs"] = {"sort_keys": False}
    localise(app)
    devices = Devices(secret or secrets.token_hex(32))
    admission = app.extensions["admission"] = Admission()
    admission.exempt(proxies)
    access = AccessControl(
        lambda: table.view,
        devices,
        DeviceRegister(people, local_host=local_host),
        announce=announce,
        reserve=admission.reserve,
    )
    app.extensions["access"] = access
    devices.set_cookies(app)
    add_request_guards(app, lambda: access.principal(request.environ))
    app.register_blueprint(installation(table.served))
    app.register_blueprint(running_game(table))
    extensions = [each for each in map(extension_of, available()) if each is not None]
    for extension in extensions:
        for blueprint in extension.blueprints(table):
            app.register_blueprint(blueprint)
    app.register_blueprint(enrolment(table))
    app.register_blueprint(history(table))
    app.register_blueprint(diagnostics(app, table, access))
    app.register_blueprint(exports(table))
    app.register_blueprint(join_code(access))

    @app.get("/")
    @open_to_all
    def table_page() -> Response:
        view = table.view
        shown = table.served if view.game is None else view.game.record.id
        asked = request.args.get("game")
        game = asked if asked in available() else shown
        page = render_template(
            "page.html",
            phone=phone is not None,
            first=whole_message(table, principal()),
            game=game,
            title=record_of(game).title,
            page=page_files(game),
        )
        response = make_response(page)
        # The page contains the game as this device may know it.
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
        max_http_buffer_size=MAX_MESSAGE_BYTES,
        ping_interval=PING_SECONDS,
        ping_timeout=PING_TIMEOUT_SECONDS,
        transports=["websocket", "polling"] if polling else ["websocket"],
    )
    limit_server(socketio.server, MAX_MESSAGE_BYTES)
    channels, router = Channels(socketio, table, access), CommandRouter(socketio, access, table)
    add_joining_events(socketio, router, access, channels)
    add_table_events(router, table, channels)
    stop_games = [each.add_events(router, table, channels) for each in extensions]
    if phone is not None:
        add_phone(app, phone, devices.camera_key)
    if proxies:
        app.wsgi_app = trust_proxies(app.wsgi_app, proxies)  # type: ignore[method-assign, assignment]
    stop_publishing = table.subscribe(channels.publish)

    def unsubscribe() -> None:
        stop_publishing()
        for stop in stop_games:
            stop()

    app.extensions["unsubscribe"] = unsubscribe
    return app
