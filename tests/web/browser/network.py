"""Networks between a page and the companion: one that a test can interrupt, and a slow one."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

from playwright.sync_api import Page, WebSocketRoute

from tests.web.browser.conftest import over_web_sockets


class Network:
    """Between one page and the companion: it can be gone, and it can carry another message than the page sent."""

    def __init__(self) -> None:
        self.on = True
        self._sockets: list[WebSocketRoute] = []
        self._forged: tuple[str, str] | None = None

    def over(self, page: Page) -> None:
        """Route the page's live channel over this network."""
        over_web_sockets(page, self._connect)

    def gone(self) -> None:
        """Close the connection, and accept no other one."""
        self.on = False
        self._sockets[-1].close(code=1001)

    def back(self) -> None:
        """Accept connections again; the page reconnects by itself."""
        self.on = True
        self._sockets[-1].close(code=1001)

    def forge(self, part: str, other: str) -> None:
        """Put something else into the next message with this part, as somebody might who changes the page."""
        self._forged = (part, other)

    def _connect(self, route: WebSocketRoute) -> None:
        self._sockets.append(route)
        if not self.on:
            return
        server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if self._forged is not None and isinstance(message, str) and self._forged[0] in message:
                message = message.replace(*self._forged)
                self._forged = None
            server.send(message)

        route.on_message(from_page)


class SlowNetwork:
    """Passes connections on to a port of this machine, but what is sent there only at this speed."""

    def __init__(self, port: int, bytes_per_second: int) -> None:
        self._port = port
        self._speed = bytes_per_second
        self._over = threading.Event()
        self._open = [socket.create_server(("127.0.0.1", 0))]

    def __enter__(self) -> int:
        """Begin to pass on; return the port to connect to."""
        threading.Thread(target=self._accept, daemon=True).start()
        port: int = self._open[0].getsockname()[1]
        return port

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for each in self._open:
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._open[0].accept()[0]
                near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
                far = socket.create_connection(("127.0.0.1", self._port))
                self._open += [near, far]
                threading.Thread(target=self._pass, args=(near, far, self._speed), daemon=True).start()
                threading.Thread(target=self._pass, args=(far, near, 100_000_000), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, speed: int) -> None:
        with suppress(OSError):
            while data := source.recv(8192):
                target.sendall(data)
                self._over.wait(len(data) / speed)
        for each in (source, target):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
