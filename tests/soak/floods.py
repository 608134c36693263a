"""Floods by somebody of the network who has no code; each is a task that goes on until it is cancelled."""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sys
from collections.abc import Awaitable, Callable

from tests.soak.client import STRANGER, Screen

Flood = Callable[[int], Awaitable[None]]


async def nothing(port: int) -> None:
    """Do nothing: the baseline."""
    await asyncio.Event().wait()


async def stalled_bodies(port: int) -> None:
    """Announce ten gigabytes a hundred times and send ten megabytes of each."""

    async def one() -> None:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"POST /nowhere HTTP/1.1\r\nHost: {STRANGER}\r\nContent-Length: 9999999999\r\n\r\n".encode())
        for _ in range(100):
            writer.write(bytes(100_000))
            await writer.drain()

    while True:
        await asyncio.gather(*(one() for _ in range(100)), return_exceptions=True)
        await asyncio.sleep(0.5)


async def lengths_below_zero(port: int) -> None:
    """Send bodies whose length is given as -1."""
    while True:
        with contextlib.suppress(OSError):
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            path = "/socket.io/?EIO=4&transport=polling"
            writer.write(f"POST {path} HTTP/1.1\r\nHost: {STRANGER}\r\nContent-Length: -1\r\n\r\n".encode())
            for _ in range(100):
                writer.write(bytes(100_000))
                await writer.drain()


async def silent_connections(port: int) -> None:
    """Open as many connections as this process can, and say nothing."""
    held = []
    most = min(1100, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100)
    while True:
        with contextlib.suppress(OSError):
            held.append(await asyncio.open_connection("127.0.0.1", port))
        if len(held) >= most:
            for _, writer in held[: most // 2]:
                writer.transport.abort()
            del held[: most // 2]
            await asyncio.sleep(1.0)


async def half_requests(port: int) -> None:
    """Hold 200 half requests and 200 web sockets that never join."""
    while True:
        halves = [await asyncio.open_connection("127.0.0.1", port) for _ in range(200)]
        for _, writer in halves:
            writer.write(b"GET / HTTP/1.1\r\nHo")
        screens = [Screen(port, host=STRANGER) for _ in range(200)]
        await asyncio.gather(*(one.open(join=False) for one in screens), return_exceptions=True)
        await asyncio.sleep(8.0)


async def asking_screens(port: int, *, reads: bool = True) -> None:
    """Ask for the whole state from five screens, 200 times a second each, answering pings."""
    screens: list[Screen] = []
    while True:
        for one in [one for one in screens if one.closed or one.writer.is_closing()]:
            screens.remove(one)
        while len(screens) < 5:
            screens.append(await Screen(port, host=STRANGER).open(reads=reads))
        for one in screens:
            for _ in range(20):
                one.send('42["refresh"]')
            if not reads:
                one.send("3")
        await asyncio.sleep(0.1)


async def unread_screens(port: int) -> None:
    """Ask as `asking_screens` does and read nothing."""
    await asking_screens(port, reads=False)


async def oversized_messages(port: int) -> None:
    """Send messages of a megabyte from ten screens, again and again."""

    async def one() -> None:
        while True:
            with contextlib.suppress(Exception):
                screen = await Screen(port, host=STRANGER).open()
                screen.send("42" + "x" * 1_000_000)
                await asyncio.wait_for(screen.writer.drain(), 5)
                await screen.leave()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(10)))


async def pages(port: int) -> None:
    """Ask for the page over twenty connections, each as soon as it has the last one."""

    async def one() -> None:
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(f"GET / HTTP/1.1\r\nHost: {STRANGER}\r\nConnection: close\r\n\r\n".encode())
                await reader.read()
                writer.close()

    await asyncio.gather(*(one() for _ in range(20)))


FLOODS: dict[str, Flood] = {
    "idle (baseline)": nothing,
    "stalled bodies": stalled_bodies,
    "lengths below zero": lengths_below_zero,
    "silent connections": silent_connections,
    "half requests, silent web sockets": half_requests,
    "5 screens ask 1000 times a second": asking_screens,
    "the same, and read nothing": unread_screens,
    "oversized messages": oversized_messages,
    "page requests on 20 connections": pages,
}


async def _attack(name: str, port: str) -> None:
    await FLOODS[name](int(port))


if __name__ == "__main__":
    asyncio.run(_attack(*sys.argv[1:]))
