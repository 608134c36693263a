"""Serving on the local network: a threaded server with quiet logs and one plain line where the port is taken."""

from __future__ import annotations

import errno
import logging
import socket

from flask import Flask
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from web.certificate import Certificate
from web.tls import TlsServer


class PortTakenError(OSError):
    """Something else listens there already; the text says what to do."""


class QuietHandler(WSGIRequestHandler):
    """Keeps connections open between requests and logs only what went wrong."""

    protocol_version = "HTTP/1.1"

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing about what went well."""


def listen(
    app: Flask,
    host: str = "0.0.0.0",  # noqa: S104
    port: int = 8000,
    certificate: Certificate | None = None,
) -> BaseWSGIServer:
    """Bind the address and return the server; port 0 takes any free one (`server.port`). Raises PortTakenError.

    certificate: serve https with it, and send http on to it.
    """
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
        bound.listen(128)
    except OSError as error:
        bound.close()
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise PortTakenError(
                error.errno, f"Port {port} cannot be used ({error.strerror}). Take another: --port {_another(port)}"
            ) from None
        raise
    if certificate is None:
        server = make_server(host, port, app, threaded=True, request_handler=QuietHandler, fd=bound.fileno())
    else:
        server = TlsServer(host, port, app, QuietHandler, fd=bound.fileno())
        server.secure(certificate.context())
    bound.close()
    return server


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
