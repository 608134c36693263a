"""gunicorn's threaded worker, in this very process: one worker, a thread per connection that is being served.

The companion keeps its camera, networks and game in one process, so there is no arbiter that forks and none whose
death would leave a worker behind with the port and the journal. What the worker leaves to a proxy in front of it is
added here: the admission of connections and the deadlines.
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
from web.serving.greeting import greet, plain_reply, refuse
from web.serving.requests import COUNTED, HEAD_SECONDS, IDLE_SECONDS, Application, bounded
from web.serving.sockets import PlainSocket, TlsSocket

_UNREAD_SECONDS = 0.5
"""For which a body that the application did not want is still read, so that its sender sees the reply."""
_FULL_PAUSE = 0.05


class _Log:
    """What gunicorn logs to: faults in counted lines, nothing of what went well."""

    def __init__(self) -> None:
        self.error = self.critical = COUNTED.error
        self.info = self.debug = self.warning = COUNTED.info

    def exception(self, message: str, *args: object) -> None:
        """Log the exception being handled, unless the peer is at fault."""
        if not isinstance(sys.exc_info()[1], OSError):
            COUNTED.exception(message, *args)

    def access(self, *_: object) -> None:
        """Keep no record of requests."""

    def close_on_exec(self) -> None:
        """Nothing is open."""


class _Connection(TConn):  # type: ignore[misc]
    """A connection that was admitted; its handshake is made in the thread that serves it."""

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
        """Greet the peer and prepare to parse what it asks. Raises OSError."""
        if self.initialized:
            return
        self.initialized = True
        greeted = greet(self.accepted, self.tls, self.server[1])
        if greeted is None:
            raise ConnectionResetError(errno.ECONNRESET, "The peer left.")
        self.sock = greeted
        self.parser = get_parser(self.cfg, self.sock, self.client)

    def close(self, graceful: bool = False) -> None:
        """Close it without waiting for the peer."""
        self.sock.abort()
        self.sock.close()


class _Response(Response):  # type: ignore[misc]
    def default_headers(self) -> list[str]:
        """Name no server and no version."""
        lines: list[str] = super().default_headers()
        return [line for line in lines if not line.startswith("Server:")]


class _Worker(ThreadWorker):  # type: ignore[misc]
    """The worker: admits connections, sets deadlines, and closes what waits too long."""

    alive: bool

    def __init__(
        self, listener: socket.socket, cfg: Config, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        super().__init__(0, 0, [listener], None, 0, cfg, _Log())
        self.tmp.close()
        self.admission = admission
        self.tls = tls

    def notify(self) -> None:
        """There is no arbiter to notify."""

    def is_parent_alive(self) -> bool:
        """There is no arbiter that could be gone."""
        return True

    def prepare(self, application: Application) -> None:
        """Make threads and poller; in place of `init_process`, which would take over the process's signals."""
        self.wsgi = application
        self.tpool = self.get_thread_pool()
        self.poller = selectors.DefaultSelector()
        self.method_queue.init()

    def accept(self, listener: socket.socket) -> None:
        """Admit a connection and wait for its first byte without a thread, or refuse it in words."""
        try:
            accepted, client = listener.accept()
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                COUNTED.error("No more files can be opened, so a connection waits: raise `ulimit -n`.")
                time.sleep(_FULL_PAUSE)
            return
        connection = _Connection(self.cfg, PlainSocket.of(accepted), client, listener.getsockname(), self.tls)
        admitted = self.admission.enter(str(client[0]), partial(self._end, connection))
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
        """Read and answer a request within its deadline; runs in a thread of the pool."""
        conn.data_ready = True
        conn.sock.receive_until = time.monotonic() + HEAD_SECONDS
        kept = False
        try:
            kept = bool(super().handle(conn)) and self.alive
        finally:
            if not kept:  # here, as the main loop may have ended meanwhile
                self._close(conn)
        return kept

    def enqueue_req(self, conn: _Connection) -> None:
        """Have a connection served by a thread, or close it where there will be none any more."""
        handled = self.tpool.submit(self.handle, conn)
        handled.add_done_callback(partial(self._handled, conn))

    def _handled(self, conn: _Connection, handled: Any) -> None:
        if handled.cancelled():
            self._close(conn)
        self.method_queue.defer(self.finish_request, conn, handled)

    def _close(self, conn: _Connection) -> None:
        if conn.admitted is not None:
            self.admission.leave(conn.admitted)
        conn.close()

    def handle_request(self, req: Any, conn: _Connection) -> bool:
        """Answer one request whose head is complete; returns whether the connection is kept open."""
        if conn.admitted is not None:
            self.admission.works(conn.admitted)
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
        conn.sock.receive_until = time.monotonic() + _UNREAD_SECONDS
        read = conn.parser.finish_body(deadline=time.monotonic() + _UNREAD_SECONDS)
        return bool(keepalive and read)

    def finish_request(self, conn: _Connection, fs: Any) -> None:
        """Keep the connection for its next request, or count it out."""
        before = self.nr_conns
        super().finish_request(conn, fs)
        if conn.admitted is not None and self.nr_conns == before:
            self.admission.waits(conn.admitted)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """Answer a request that cannot be parsed, in one line and without saying who answers."""
        client.sendall(plain_reply("400 Bad Request", "The companion did not understand that request."))

    def murder_pending(self) -> None:
        """Close what has sent nothing in time."""
        self._close_late(self.pending_conns)

    def murder_keepalived(self, force: bool = False) -> None:
        """Close what has asked for nothing more in time, or all of it."""
        self._close_late(self.keepalived_conns, force)

    def _close_late(self, waiting: Any, force: bool = False) -> None:
        while waiting and (force or waiting[0].timeout <= time.monotonic()):
            self._end(waiting[0])

    def _end(self, conn: _Connection) -> None:
        """End a connection: at once where it waits in the poller, else its own thread notices. Main thread only."""
        for waiting in (self.pending_conns, self.keepalived_conns):
            if conn in waiting:
                waiting.remove(conn)
                self.poller.unregister(conn.sock)
                self.nr_conns -= 1
                self._close(conn)
                return
        conn.sock.abort()

    def serve(self) -> None:
        """Serve until `handle_exit`, then end every connection."""
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
            self.admission.end_all()
            self.tpool.shutdown(wait=False, cancel_futures=True)
            self.poller.close()
            for listener in self.sockets:
                listener.close()


class GunicornServer:
    """Serves an application on a bound socket until `shutdown`."""

    def __init__(
        self, listener: socket.socket, application: Application, admission: Admission, tls: ssl.SSLContext | None
    ) -> None:
        self.host, self.port = listener.getsockname()[:2]
        self._listener = listener
        cfg = Config()
        most = admission.bounds.most
        for name, value in {
            "threads": most,
            "worker_connections": most * 3,
            "keepalive": int(IDLE_SECONDS),
            "limit_request_line": 4094,
            "limit_request_fields": 60,
            "limit_request_field_size": 8190,
            "graceful_timeout": 0,
        }.items():
            cfg.set(name, value)
        listener.setblocking(False)
        self._worker = _Worker(listener, cfg, admission, tls)
        self._worker.prepare(bounded(application, secure=tls is not None))

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
