"""The server where gunicorn does not run (Windows): Werkzeug's, with bounded connections, deadlines and bodies.

One thread a connection, one request a connection; admission, deadlines and TLS are those of the other server.
"""

from __future__ import annotations

import errno
import socket
import ssl
import time
from functools import partial
from typing import Any

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

from web.serving.admission import Admission, Connection
from web.serving.greeting import greet, plain_reply, refuse
from web.serving.requests import COUNTED, HEAD_SECONDS, Application, bounded
from web.serving.sockets import PlainSocket, TlsSocket


class _Handler(WSGIRequestHandler):
    """Answers one request within its deadlines, and logs only what went wrong."""

    protocol_version = "HTTP/1.1"
    connection: PlainSocket | TlsSocket
    server: ThreadServer

    def handle(self) -> None:
        """Read one request and answer it; a peer that is too slow is left."""
        self.connection.receive_until = time.monotonic() + HEAD_SECONDS
        try:
            super().handle()
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def make_environ(self) -> dict[str, Any]:
        """Describe the request, and that its connection is at work now."""
        environ = super().make_environ()
        admitted = self.server.admitted.get(self.connection)
        if admitted is not None:
            self.server.admission.works(admitted)
        environ["companion.connection"] = admitted
        return environ

    def send_response(self, code: Any, message: str | None = None) -> None:
        """Begin a reply without naming server and version."""
        self.send_response_only(code, message)
        self.send_header("Date", self.date_time_string())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keep no record of requests."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Keep no record of what peers do wrong."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that cannot be parsed, in one line."""
        self.close_connection = True
        self.wfile.write(plain_reply(f"{code} Bad Request", "The companion did not understand that request."))


class ThreadServer(ThreadedWSGIServer):
    """A thread for each admitted connection."""

    daemon_threads = True

    def __init__(
        self, listener: socket.socket, application: Application, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        host, port = listener.getsockname()[:2]
        self.tls = tls
        self.admission = admission
        self.admitted: dict[PlainSocket | TlsSocket, Connection] = {}
        bounded_application: Any = bounded(application, secure=tls is not None)
        super().__init__(host, port, bounded_application, _Handler, fd=listener.fileno())
        listener.close()

    def get_request(self) -> tuple[PlainSocket, Any]:
        """Accept a connection. Raises OSError, also where it was refused."""
        accepted, client = self.socket.accept()
        connection = PlainSocket.of(accepted)
        admitted = self.admission.enter(str(client[0]), partial(self._end, connection))
        if admitted is None:
            refuse(connection, self.tls is not None)
            raise ConnectionAbortedError(errno.ECONNABORTED, "Too many connections are open.")
        self.admitted[connection] = admitted
        return connection, client

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Greet one peer and answer its request, or leave it where it never gets that far."""
        admitted = self.admitted.get(request)
        try:
            greeted = greet(request, self.tls, self.port)
        except OSError:  # most often a browser that has not accepted the certificate yet
            return
        if greeted is None:
            return
        if admitted is not None:
            self.admitted[greeted] = admitted
            admitted.end = greeted.abort
        try:
            super().finish_request(greeted, client_address)
        finally:
            if greeted is not request:
                self.admitted.pop(greeted, None)
                greeted.abort()
                greeted.close()

    def shutdown_request(self, request: Any) -> None:
        """Count a connection out and close it."""
        admitted = self.admitted.pop(request, None)
        if admitted is not None:
            self.admission.leave(admitted)
        request.abort()
        request.close()

    def log(self, type: str, message: str, *args: Any) -> None:
        """Count faults in single lines."""
        if type == "error":
            COUNTED.error(message.replace("%", "%%") if not args else message, *args)

    def server_close(self) -> None:
        """Stop listening and end what is open."""
        super().server_close()
        self.admission.end_all()

    @staticmethod
    def _end(connection: PlainSocket) -> None:
        connection.abort()
