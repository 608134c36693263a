"""Serve an application on a free port of this computer while a test or benchmark runs."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from tests.waiting import LONGEST_WAIT
from vision.cameras.phone import PhoneLink
from web import create_app
from web.serving.certificate import Certificate
from web.serving.server_startup import Server, listen
from web.table_interface import RunningTable


def free_port() -> int:
    """Return the number of a port of this computer that is free at present."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    app: Flask, port: int = 0, certificate: Certificate | None = None, *, threads: bool | None = None
) -> Iterator[Server]:
    """Yield the running server of an application; the arguments are those of `listen`."""
    server = listen(app, "127.0.0.1", port, certificate, threads=threads)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join(LONGEST_WAIT)


@contextmanager
def served(table: RunningTable, phone: PhoneLink | None = None) -> Iterator[str]:
    """Yield the address at which a table is served."""
    app = create_app(table, phone=phone)
    try:
        with running(app) as server:
            yield f"http://127.0.0.1:{server.port}/"
    finally:
        app.extensions["unsubscribe"]()
