"""Serving on the local network: bounded, with deadlines, and one plain line where the port is taken."""

from __future__ import annotations

import errno
import logging
import os
import socket
from typing import Protocol

from flask import Flask

from web.serving.admission import Admission, Bounds
from web.serving.certificate import Certificate
from web.serving.greeting import tls_context

_FILES_BESIDE = 96
"""Open files that the companion needs besides its connections: cameras, journals, networks."""
_FILES_PER_CONNECTION = 2
_BACKLOG = 128


class PortTakenError(OSError):
    """Something else listens there already; the text says what to do."""


class Server(Protocol):
    """A server that listens already."""

    host: str
    port: int

    def serve_forever(self, poll_interval: float = 0.5) -> None:
        """Serve until `shutdown` is called from another thread, or until interrupted."""

    def shutdown(self) -> None:
        """End `serve_forever`."""

    def server_close(self) -> None:
        """Stop listening."""


def listen(
    app: Flask,
    host: str = "0.0.0.0",  # noqa: S104
    port: int = 8000,
    certificate: Certificate | None = None,
    *,
    threads: bool | None = None,
) -> Server:
    """Bind the address and return the server; port 0 takes any free one (`server.port`). Raises PortTakenError.

    certificate: serve https with it, and send http on to it. threads: serve with the fallback for systems on which
    gunicorn does not run; unless given, only there.
    """
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere it would let two servers share a port
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTakenError(
                error.errno, f"Port {port} cannot be used ({error.strerror}). Take another: --port {_another(port)}"
            ) from None
        raise
    admission: Admission = app.extensions.setdefault("admission", Admission())
    admission.bounds = _bounds()
    tls = None if certificate is None else tls_context(certificate.context())
    if os.name != "posix" if threads is None else threads:
        from web.serving.thread_server import ThreadServer

        return ThreadServer(bound, app, admission, tls)
    from web.serving.gunicorn_server import GunicornServer

    return GunicornServer(bound, app, admission, tls)


def _bounds() -> Bounds:
    """Return how many connections this process can hold, after asking the system for as many files as it needs."""
    wanted = Bounds()
    try:
        import resource
    except ImportError:  # Windows counts no sockets as files
        return wanted
    needed = wanted.most * _FILES_PER_CONNECTION + _FILES_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (ValueError, OSError):
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    most = max(48, (soft - _FILES_BESIDE) // _FILES_PER_CONNECTION)
    return Bounds(
        most, min(wanted.reserved, most // 3), min(wanted.per_address, most // 3), min(wanted.per_known, most // 2)
    )


def _another(port: int) -> int:
    """Name a port to try instead: one that there is and that needs no rights."""
    return port + 1 if 1024 <= port < 65535 else 8000


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> None:  # noqa: S104
    """Serve until interrupted. Raises PortTakenError before anything is served."""
    server = listen(app, host, port)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
