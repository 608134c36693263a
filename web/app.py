"""The application factory: one table in, one Flask application with its live channel out."""

from __future__ import annotations

import secrets

from flask import Flask, Response
from flask_socketio import SocketIO

from vision.cameras.phone import PhoneLink
from web.api import api
from web.bounds import NoAttachments, bound
from web.channel import connect
from web.commands import LARGEST_MESSAGE
from web.pages import pages
from web.phone import add_phone
from web.pictures import pictures
from web.publication import Broadcast
from web.roles import HOST, Reader
from web.running_table import RunningTable
from web.security import guard
from web.teaching import lessons


def create_app(table: RunningTable, *, secret: str | None = None, phone: PhoneLink | None = None) -> Flask:
    """Make the application that shows this table and passes commands to it.

    phone: where the pictures of a phone arrive, with a page that makes it the camera.

    secret signs whatever the page keeps in a browser; without one, each run makes its own. The socket answers
    only pages that this server served (same origin). `app.extensions["unsubscribe"]()` ends its listening.
    """
    app = Flask(__name__)
    app.config["SECRET_KEY"] = secret or secrets.token_hex(32)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_MESSAGE
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None
    guard(app, lambda: Reader(HOST))
    app.register_blueprint(pages(phone is not None))
    app.register_blueprint(api(table))
    app.register_blueprint(pictures(table))
    app.register_blueprint(lessons(table))

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
    )
    bound(socketio.server, LARGEST_MESSAGE)
    connect(socketio, table)
    broadcast = Broadcast(lambda message: socketio.emit("table", message))
    if phone is not None:
        add_phone(app, phone)
    app.extensions["unsubscribe"] = table.subscribe(broadcast.take)
    return app
