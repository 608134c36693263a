"""One screen of the live channel on a bare web socket, so that a test can also be an ill-behaved one."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import struct
from contextlib import suppress
from typing import Any

STRANGER = "table.test"
"""A host name by which a request from loopback does not count as the serving machine's own."""


class RefusedScreen(Exception):
    """The companion turned the screen away; the text is what it said."""


def frame(data: bytes, opcode: int = 1) -> bytes:
    """Return a masked frame, its mask all zeros."""
    size = len(data)
    if size < 126:
        head = struct.pack("!BB", 0x80 | opcode, 0x80 | size)
    elif size < 65536:
        head = struct.pack("!BBH", 0x80 | opcode, 0x80 | 126, size)
    else:
        head = struct.pack("!BBQ", 0x80 | opcode, 0x80 | 127, size)
    return head + bytes(4) + data


class Screen:
    """A connected screen; `number` is the last received state number of the game."""

    def __init__(self, port: int, *, host: str = "localhost", address: str = "127.0.0.1") -> None:
        self._port, self._host, self._address = port, host, address
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._asked = 0
        self.game: dict[str, Any] | None = None
        self.device = ""
        self.messages = 0
        self.closed = False
        self._joined: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._reading: asyncio.Task[None] | None = None

    async def open(self, *, join: bool = True, reads: bool = True) -> Screen:
        """Connect. join: also enter the channel; reads: go on reading. Raises RefusedScreen, OSError."""
        self._reader, self.writer = await asyncio.open_connection(
            "127.0.0.1", self._port, local_addr=(self._address, 0), limit=2**24
        )
        name = f"{self._host}:{self._port}"
        key = base64.b64encode(os.urandom(16)).decode()
        self.writer.write(
            f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: {name}\r\nOrigin: http://{name}\r\n"
            f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        head = (await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), 20)).decode("latin-1")
        if " 101 " not in head.split("\r\n")[0]:
            rest = await asyncio.wait_for(self._reader.read(), 10)
            raise RefusedScreen(rest.decode(errors="replace").strip() or head)
        if join:
            self.send("40")
            self._reading = asyncio.ensure_future(self._read())
            said = await asyncio.wait_for(self._joined, 20)
            if said:
                await self.leave()
                raise RefusedScreen(said)
            if not reads:
                self._reading.cancel()
        return self

    def send(self, text: str) -> None:
        """Send one packet."""
        self.writer.write(frame(text.encode()))

    async def say(self, event: str, payload: object = None, patience: float = 30.0) -> dict[str, Any]:
        """Send an event and return its answer. Raises TimeoutError, ConnectionError."""
        self._asked += 1
        answer = self._answers[self._asked] = asyncio.get_running_loop().create_future()
        self.send(f"42{self._asked}" + json.dumps([event] if payload is None else [event, payload]))
        reply: dict[str, Any] = await asyncio.wait_for(answer, patience)
        return reply

    async def leave(self) -> None:
        """Close the connection at once."""
        self.writer.transport.abort()
        if self._reading is not None:
            self._reading.cancel()
            with suppress(asyncio.CancelledError):
                await self._reading

    async def _read(self) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError, OSError):
            while True:
                first, second = await self._reader.readexactly(2)
                size = second & 127
                if size == 126:
                    (size,) = struct.unpack("!H", await self._reader.readexactly(2))
                elif size == 127:
                    (size,) = struct.unpack("!Q", await self._reader.readexactly(8))
                text = (await self._reader.readexactly(size)).decode(errors="replace")
                if first & 15 == 8:
                    break
                self._take(text)
        self.closed = True
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(ConnectionError("closed"))

    def _join(self, refusal: str) -> None:
        if not self._joined.done():
            self._joined.set_result(refusal)

    def _take(self, text: str) -> None:
        if text == "2":
            self.send("3")
        elif text.startswith("40"):
            self._join("")
        elif text.startswith("44"):
            self._join(text[2:])
        elif text.startswith("43"):
            found = re.match(r"43(\d+)", text)
            assert found is not None
            answer = self._answers.pop(int(found[1]), None)
            if answer is not None and not answer.done():
                answer.set_result(json.loads(text[found.end() :])[0])
        elif text.startswith("42"):
            name, *values = json.loads(text[2:])
            if name == "table":
                self.messages += 1
                if values[0]["game"] is not None or values[0]["game_key"] is None:
                    self.game = values[0]["game"]
            elif name == "door":
                self.device = values[0]["you"]["device"]
