"""The application factory: one table in, one Flask application with its live channel out."""

from __future__ import annotations

import secrets

from flask import Flask, Response
from flask_socketio import SocketIO

from web.api import api
from web.channel import connect
from web.commands import LARGEST_MESSAGE
from web.pages import pages
from web.pictures import pictures
from web.publication import Broadcast
from web.running_table import RunningTable
from web.security import guard


def create_app(table: RunningTable, *, secret: str | None = None) -> Flask:
    """Make the application that shows this table and passes commands to it.

    secret signs whatever the page keeps in a browser; without one, each run makes its own. The socket answers
    only pages that this server served (same origin). `app.extensions["unsubscribe"]()` ends its listening.
    """
    app = Flask(__name__)
    app.config["SECRET_KEY"] = secret or secrets.token_hex(32)
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_MESSAGE
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = None
    guard(app)
    app.register_blueprint(pages())
    app.register_blueprint(api(table))
    app.register_blueprint(pictures(table))

    @app.errorhandler(404)
    def unknown(_: Exception) -> Response:
        return Response("There is nothing here. The companion's page is at /.\n", 404, mimetype="text/plain")

    socketio = SocketIO(
        app,
        async_mode="threading",
        manage_session=False,
        max_http_buffer_size=LARGEST_MESSAGE,
        ping_interval=5,
        ping_timeout=10,
    )
    connect(socketio, table)
    broadcast = Broadcast(lambda message: socketio.emit("table", message))
    app.extensions["unsubscribe"] = table.subscribe(broadcast.take)
    return app
