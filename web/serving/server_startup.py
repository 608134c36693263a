"""Starts the http server: binds the port, sets connection limits, and chooses the implementation."""

from __future__ import annotations

import errno
import logging
import os
import socket
from typing import Protocol

from flask import Flask

from web.serving.admission import Admission, ConnectionLimits
from web.serving.certificate import Certificate
from web.serving.tls_handshake import tls_context

_OTHER_FILES = 96
"""Open files besides connections: cameras, journals, networks."""
_FILES_PER_CONNECTION = 2
"""Open files of one connection: its socket, and a file that a request reads or writes."""
_MIN_CONNECTIONS = 48
"""Connections that are served even if the system allows too few open files."""
_BACKLOG = 128
"""Connections that the system queues until they are accepted."""


class PortTakenError(OSError):
    """The port is in use or not permitted; the text says what to do."""


class Server(Protocol):
    """A server that is already listening; implemented by `GunicornServer` and `ThreadServer`."""

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
    """Bind the address and return the server, which is listening. Raises PortTakenError.

    port: 0 takes any free one (`server.port`). certificate: serve https with it, and redirect http to https; None
    serves http. threads: whether to use `ThreadServer`; None uses it only on systems without gunicorn (Windows).
    """
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    if os.name == "posix":  # elsewhere the option lets two servers share a port
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(_BACKLOG)
    except OSError as error:
        bound.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTakenError(
                error.errno,
                f"Port {port} cannot be used ({error.strerror}). Take another: --port {_other_port(port)}",
            ) from None
        raise
    admission: Admission = app.extensions.setdefault("admission", Admission())
    admission.limits = _connection_limits()
    tls = None if certificate is None else tls_context(certificate.context())
    if os.name != "posix" if threads is None else threads:
        from web.serving.thread_server import ThreadServer

        return ThreadServer(bound, app, admission, tls)
    from web.serving.gunicorn_server import GunicornServer

    return GunicornServer(bound, app, admission, tls)


def _connection_limits() -> ConnectionLimits:
    """Return the connection limits that this process's limit of open files allows, which is raised if possible."""
    default = ConnectionLimits()
    try:
        import resource
    except ImportError:  # on Windows, sockets do not count as open files
        return default
    needed = default.total * _FILES_PER_CONNECTION + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        except (ValueError, OSError):
            soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return default
    total = max(_MIN_CONNECTIONS, (soft - _OTHER_FILES) // _FILES_PER_CONNECTION)
    return ConnectionLimits(
        total,
        min(default.reserved, total // 3),
        min(default.per_address, total // 3),
        min(default.per_reserved_address, total // 2),
    )


def _other_port(port: int) -> int:
    """Return another port to suggest, one that needs no privileges."""
    return port + 1 if 1024 <= port < 65535 else 8000


def serve(app: Flask, host: str = "0.0.0.0", port: int = 8000) -> None:  # noqa: S104
    """Serve by http until interrupted. Raises PortTakenError before serving."""
    server = listen(app, host, port)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
