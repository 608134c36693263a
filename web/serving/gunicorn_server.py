"""gunicorn's threaded worker inside the companion's own process, with one thread per request in progress.

Camera, networks and game live in one process, so there is no arbiter that forks workers. Admission control and
deadlines, which the worker leaves to a reverse proxy, are added here.
"""

from __future__ import annotations

import errno
import selectors
import socket
import ssl
import sys
import time
from functools import partial
from typing import Any

from gunicorn.config import Config
from gunicorn.http import get_parser
from gunicorn.http.wsgi import Response, create
from gunicorn.workers.gthread import TConn, ThreadWorker

from web.serving.admission import Admission, Connection
from web.serving.deadline_sockets import PlainSocket, TlsSocket
from web.serving.rate_limited_log import RATE_LIMITED_LOG
from web.serving.request_limits import HEAD_SECONDS, IDLE_SECONDS, Application, limit_requests
from web.serving.tls_handshake import plain_reply, refuse, shake_hands

_UNREAD_SECONDS = 0.5
"""Seconds for which a body that the application ignored is still read, so that its sender gets the response."""
_NO_FILES_SECONDS = 0.05
"""Seconds to wait before accepting again when no more files can be opened."""


class _Log:
    """gunicorn's log interface: errors go to the rate-limited log, all else is dropped."""

    def __init__(self) -> None:
        self.error = self.critical = RATE_LIMITED_LOG.error
        self.info = self.debug = self.warning = RATE_LIMITED_LOG.info

    def exception(self, message: str, *args: object) -> None:
        """Log the exception being handled, unless it is an OSError: those are the peer's fault."""
        if not isinstance(sys.exc_info()[1], OSError):
            RATE_LIMITED_LOG.exception(message, *args)

    def access(self, *_: object) -> None:
        """Do nothing: requests are not logged."""

    def close_on_exec(self) -> None:
        """Do nothing: the log has no file."""


class _Connection(TConn):  # type: ignore[misc]
    """An admitted connection; its TLS handshake runs in the thread that handles its first request."""

    sock: PlainSocket | TlsSocket
    initialized: bool

    def __init__(
        self, cfg: Config, accepted: PlainSocket, client: Any, server: Any, tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(cfg, accepted, client, server)
        self.accepted = accepted
        self.tls = tls
        self.admitted: Connection | None = None

    def init(self) -> None:
        """Make the TLS handshake, if any, and create the request parser, on the first call only. Raises OSError."""
        if self.initialized:
            return
        self.initialized = True
        secured = shake_hands(self.accepted, self.tls, self.server[1])
        if secured is None:
            raise ConnectionResetError(errno.ECONNRESET, "The peer left.")
        self.sock = secured
        self.parser = get_parser(self.cfg, self.sock, self.client)

    def close(self, graceful: bool = False) -> None:
        """Close the connection without waiting for the peer."""
        self.sock.abort()
        self.sock.close()


class _Response(Response):  # type: ignore[misc]
    """A response without gunicorn's Server header."""

    def default_headers(self) -> list[str]:
        """Return gunicorn's default headers without the Server header."""
        lines: list[str] = super().default_headers()
        return [line for line in lines if not line.startswith("Server:")]


class _Worker(ThreadWorker):  # type: ignore[misc]
    """The worker: admits connections, sets deadlines, and closes connections that are idle too long."""

    alive: bool

    def __init__(
        self, listener: socket.socket, cfg: Config, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(0, 0, [listener], None, 0, cfg, _Log())
        self.tmp.close()
        self.admission = admission
        self.tls = tls

    def notify(self) -> None:
        """Do nothing: there is no arbiter (gunicorn's parent process) to notify."""

    def is_parent_alive(self) -> bool:
        """Return True, because there is no arbiter (gunicorn's parent process)."""
        return True

    def prepare(self, application: Application) -> None:
        """Create thread pool and poller for an application.

        Replaces gunicorn's `init_process`, which would install signal handlers.
        """
        self.wsgi = application
        self.tpool = self.get_thread_pool()
        self.poller = selectors.DefaultSelector()
        self.method_queue.init()

    def accept(self, listener: socket.socket) -> None:
        """Accept a connection and poll it for its first byte, without a thread; or refuse it at the limit."""
        try:
            accepted, client = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                RATE_LIMITED_LOG.error("No more files can be opened, so a connection waits: raise `ulimit -n`.")
                time.sleep(_NO_FILES_SECONDS)
            return
        connection = _Connection(self.cfg, PlainSocket.of(accepted), client, listener.getsockname(), self.tls)
        admitted = self.admission.admit(str(client[0]), partial(self._end, connection))
        if admitted is None:
            refuse(connection.accepted, self.tls is not None)
            return
        connection.admitted = admitted
        self.nr_conns += 1
        connection.timeout = time.monotonic() + HEAD_SECONDS
        self.pending_conns.append(connection)
        self.poller.register(
            connection.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, connection)
        )

    def handle(self, conn: _Connection) -> Any:
        """Read and answer a request within its deadline; return whether the connection stays open.

        Runs in a thread of the pool.
        """
        conn.data_ready = True
        conn.sock.receive_until = time.monotonic() + HEAD_SECONDS
        kept = False
        try:
            kept = bool(super().handle(conn)) and self.alive
        finally:
            if not kept:  # closed here because the main loop may have ended meanwhile
                self._close(conn)
        return kept

    def enqueue_req(self, conn: _Connection) -> None:
        """Submit a connection with a request to the thread pool; close it if that is cancelled."""
        handled = self.tpool.submit(self.handle, conn)
        handled.add_done_callback(partial(self._handled, conn))

    def _handled(self, conn: _Connection, handled: Any) -> None:
        """Pass a connection back to the main thread after its request; close it if the request was cancelled.

        handled: future of the request.
        """
        if handled.cancelled():
            self._close(conn)
        self.method_queue.defer(self.finish_request, conn, handled)

    def _close(self, conn: _Connection) -> None:
        """Close a connection and remove it from admission control."""
        if conn.admitted is not None:
            self.admission.release(conn.admitted)
        conn.close()

    def handle_request(self, req: Any, conn: _Connection) -> bool:
        """Answer one request whose head is complete; return whether the connection stays open."""
        if conn.admitted is not None:
            self.admission.set_busy(conn.admitted)
        resp, environ = create(req, conn.sock, conn.client, conn.server, self.cfg, response_class=_Response)
        environ["wsgi.multithread"] = True
        environ["companion.connection"] = conn.admitted
        if not self.alive or len(self.keepalived_conns) >= self.max_keepalived:
            resp.force_close()
        parts = self.wsgi(environ, resp.start_response)
        try:
            for part in parts:
                resp.write(part)
            resp.close()
        finally:
            if hasattr(parts, "close"):
                parts.close()
        return not resp.should_close()

    def _keepalive_after(self, conn: _Connection, keepalive: bool) -> bool:
        """Read the rest of a request's body briefly; return whether the connection stays open."""
        conn.sock.receive_until = time.monotonic() + _UNREAD_SECONDS
        read = conn.parser.finish_body(deadline=time.monotonic() + _UNREAD_SECONDS)
        return bool(keepalive and read)

    def finish_request(self, conn: _Connection, fs: Any) -> None:
        """Poll a connection for its next request if it stays open, else close it.

        fs: future of the answered request.
        """
        if conn.admitted is not None:
            # Before the next request, which may have been read already and then begins at once.
            self.admission.set_idle(conn.admitted)
        super().finish_request(conn, fs)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer a request that cannot be parsed with status 400 and one line of text."""
        client.sendall(plain_reply("400 Bad Request", "The companion did not understand that request."))

    def murder_pending(self) -> None:
        """Close connections that sent nothing within their deadline."""
        self._close_late(self.pending_conns)

    def murder_keepalived(self, force: bool = False) -> None:
        """Close connections that sent no further request within their deadline, or all of them."""
        self._close_late(self.keepalived_conns, force)

    def _close_late(self, waiting: Any, force: bool = False) -> None:
        """Close the waiting connections whose deadline has passed, or with `force` all of them."""
        while waiting and (force or waiting[0].timeout <= time.monotonic()):
            self._end(waiting[0])

    def _end(self, conn: _Connection) -> None:
        """Close a connection: at once if it is polled, else through its own thread. Main thread only."""
        for waiting in (self.pending_conns, self.keepalived_conns):
            if conn in waiting:
                waiting.remove(conn)
                self.poller.unregister(conn.sock)
                self.nr_conns -= 1
                self._close(conn)
                return
        conn.sock.abort()

    def serve(self) -> None:
        """Serve until `handle_exit` ends the loop, then close every connection."""
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        try:
            while self.alive:
                self.wait_for_and_dispatch_events(timeout=1.0)
                self.murder_keepalived()
                self.murder_pending()
        finally:
            self.alive = False
            self.murder_keepalived(force=True)
            self._close_late(self.pending_conns, force=True)
            self.admission.close_all()
            self.tpool.shutdown(wait=False, cancel_futures=True)
            self.poller.close()
            for listener in self.sockets:
                listener.close()


class GunicornServer:
    """An http server on a bound socket, with gunicorn's threaded worker."""

    def __init__(
        self, listener: socket.socket, application: Application, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        self.host, self.port = listener.getsockname()[:2]
        self._listener = listener
        cfg = Config()
        connections = admission.limits.total
        for name, value in {
            "threads": connections,
            "worker_connections": connections * 3,
            "keepalive": int(IDLE_SECONDS),
            "limit_request_line": 4094,
            "limit_request_fields": 60,
            "limit_request_field_size": 8190,
            "graceful_timeout": 0,
        }.items():
            cfg.set(name, value)
        listener.setblocking(False)
        self._worker = _Worker(listener, cfg, admission, tls)
        self._worker.prepare(limit_requests(application, secure=tls is not None))

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Serve until `shutdown` is called from another thread, or until interrupted."""
        self._worker.serve()

    def shutdown(self) -> None:
        """End `serve_forever`."""
        self._worker.handle_exit(None, None)

    def server_close(self) -> None:
        """Stop listening."""
        self._worker.handle_exit(None, None)
        self._listener.close()
