"""The http server for systems without gunicorn (Windows): Werkzeug's, with the same limits.

One thread and one request per connection; admission control, deadlines and TLS are the same as with gunicorn.
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
from web.serving.deadline_sockets import PlainSocket, TlsSocket
from web.serving.rate_limited_log import RATE_LIMITED_LOG
from web.serving.request_limits import HEAD_SECONDS, Application, limit_requests
from web.serving.tls_handshake import plain_reply, refuse, shake_hands


class _Handler(WSGIRequestHandler):
    """Answers the one request of a connection, within its deadlines."""

    protocol_version = "HTTP/1.1"
    connection: PlainSocket | TlsSocket
    server: ThreadServer

    def handle(self) -> None:
        """Read and answer the request; close the connection of a peer that is too slow."""
        self.connection.receive_until = time.monotonic() + HEAD_SECONDS
        try:
            super().handle()
        except (TimeoutError, ConnectionError):
            self.close_connection = True

    def make_environ(self) -> dict[str, Any]:
        """Return the request's WSGI environment, and mark its connection as busy."""
        environ = super().make_environ()
        admitted = self.server.admitted.get(self.connection)
        if admitted is not None:
            self.server.admission.set_busy(admitted)
        environ["companion.connection"] = admitted
        return environ

    def send_response(self, code: Any, message: str | None = None) -> None:
        """Send the status line and the Date header, but no Server header."""
        self.send_response_only(code, message)
        self.send_header("Date", self.date_time_string())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Do nothing: requests are not logged."""

    def log(self, type: str, message: str, *args: Any) -> None:
        """Do nothing: errors that a peer causes are not logged."""

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer a request that cannot be parsed with one line of text."""
        self.close_connection = True
        self.wfile.write(plain_reply(f"{code} Bad Request", "The companion did not understand that request."))


class ThreadServer(ThreadedWSGIServer):
    """An http server on a bound socket, with one thread per admitted connection."""

    daemon_threads = True

    def __init__(
        self, listener: socket.socket, application: Application, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        host, port = listener.getsockname()[:2]
        self.tls = tls
        self.admission = admission
        self.admitted: dict[PlainSocket | TlsSocket, Connection] = {}
        limited: Any = limit_requests(application, secure=tls is not None)
        super().__init__(host, port, limited, _Handler, fd=listener.fileno())
        listener.close()

    def get_request(self) -> tuple[PlainSocket, Any]:
        """Accept a connection; return its socket and its client's address. Raises OSError if it is refused."""
        accepted, client = self.socket.accept()
        connection = PlainSocket.of(accepted)
        admitted = self.admission.admit(str(client[0]), partial(self._end, connection))
        if admitted is None:
            refuse(connection, self.tls is not None)
            raise ConnectionAbortedError(errno.ECONNABORTED, "Too many connections are open.")
        self.admitted[connection] = admitted
        return connection, client

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Make the TLS handshake and answer the connection's request; a failed handshake ends the connection.

        request: socket of the connection.
        """
        admitted = self.admitted.get(request)
        try:
            secured = shake_hands(request, self.tls, self.port)
        except OSError:  # most often a browser that has not accepted the certificate yet
            return
        if secured is None:
            return
        if admitted is not None:
            self.admitted[secured] = admitted
            admitted.close = secured.abort
        try:
            super().finish_request(secured, client_address)
        finally:
            if secured is not request:
                self.admitted.pop(secured, None)
                secured.abort()
                secured.close()

    def shutdown_request(self, request: Any) -> None:
        """Close a connection and remove it from admission control. request: its socket."""
        admitted = self.admitted.pop(request, None)
        if admitted is not None:
            self.admission.release(admitted)
        request.abort()
        request.close()

    def log(self, type: str, message: str, *args: Any) -> None:
        """Log a message of the type "error", rate-limited; drop others."""
        if type == "error":
            RATE_LIMITED_LOG.error(message.replace("%", "%%") if not args else message, *args)

    def server_close(self) -> None:
        """Stop listening and close every connection."""
        super().server_close()
        self.admission.close_all()

    @staticmethod
    def _end(connection: PlainSocket) -> None:
        """Shut a connection down, so that its thread ends."""
        connection.abort()
