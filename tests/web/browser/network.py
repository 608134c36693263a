"""A network between one page and the companion that a test can interrupt."""

from __future__ import annotations

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
