"""Soak-test the server on loopback and print figures: `make soak`; SOAK="--kills 1000 --minutes 60" takes hours."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from companion.games.wicked import apply, new_game
from companion.games.wicked.bots import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.moves import Move
from companion.games.wicked.standin import STANDIN
from tests.soak.client import REMOTE_HOST, ChannelClient, ScreenRefused
from tests.soak.floods import FLOODS
from tests.soak.process import CompanionProcess

MAX_MEMORY_MB = 400.0
"""Resident memory under each flood."""
MAX_LATENCY_S = 0.1
"""95th percentile of a host's commands under each flood, unless the baseline is slower than half of it."""
MAX_MEMORY_GROWTH = 0.05
"""Growth of the memory during the long game, as a fraction."""
WATCHING_SCREENS = 20
"""Screens that watch the long game."""
_MOVE: TypeAdapter[Any] = TypeAdapter(Move)
_COLOURS = PLAYER_COLOURS[:4]
_SEATS = [{"name": name, "colour": colour} for name, colour in zip("ABCD", _COLOURS, strict=True)]


async def start_game(host: ChannelClient) -> tuple[str, int]:
    """Start a game and return its id and state number. Raises RuntimeError if none starts."""
    for _ in range(3):
        game = host.game
        answer = await host.send(
            "start_game",
            {"game": game and game["id"], "at": game and game["number"], "seats": _SEATS},
        )
        await asyncio.sleep(0.5)
        if answer["ok"] and host.game is not None:
            return host.game["id"], host.game["number"]
    raise RuntimeError(f"No game started: {answer}")


async def flood(served: CompanionProcess, name: str, seconds: float) -> tuple[float, float]:
    """Flood a companion while its host sends commands; print and return peak memory (MB) and p95 latency (s)."""
    host = await ChannelClient(served.port).open()
    # In a separate process at lower priority: a real flood comes from other machines.
    attacker = await asyncio.create_subprocess_exec(
        "nice", sys.executable, "-m", "tests.soak.floods", name, str(served.port), stderr=asyncio.subprocess.PIPE
    )
    await asyncio.sleep(1.0)
    taps: list[float] = []
    memory, threads, lost = 0.0, 0, 0
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        began = time.monotonic()
        try:
            await host.send("pause", {"on": len(taps) % 2 == 0})
        except (ConnectionError, TimeoutError):
            lost += 1
            host = await ChannelClient(served.port).open()
        taps.append(time.monotonic() - began)
        memory, threads = max(memory, served.memory), max(threads, served.threads)
        await asyncio.sleep(0.05)
    flood_failed = attacker.returncode is not None
    if not flood_failed:
        attacker.kill()
    await attacker.communicate()
    await host.leave()
    await asyncio.sleep(1.0)
    taps.sort()
    late = taps[int(len(taps) * 0.95)]
    print(
        f"{name:36} {memory:5.0f} MB  {threads:4} threads  tap median {statistics.median(taps) * 1000:4.0f} ms, "
        f"p95 {late * 1000:4.0f} ms, worst {taps[-1] * 1000:5.0f} ms  host lost {lost}"
        + ("  the flood itself failed" if flood_failed else ""),
        flush=True,
    )
    return memory, late


async def many_screens(served: CompanionProcess, count: int) -> tuple[int, int]:
    """Open screens from as many addresses; return how many were served, and how many refused with a line."""
    host = await ChannelClient(served.port).open()
    screens: list[ChannelClient] = []
    refused = 0
    for number in range(count):
        one = ChannelClient(served.port, host=REMOTE_HOST, address=f"127.3.{number // 250}.{number % 250 + 1}")
        try:
            screens.append(await one.open())
        except ScreenRefused as error:
            refused += "screens" in str(error) or "connections" in str(error)
    began = time.monotonic()
    await host.send("pause", {"on": True})
    tap = time.monotonic() - began
    print(
        f"{count} screens: {len(screens)} served, {refused} refused in words, {served.memory:.0f} MB, "
        f"{served.threads} threads, host tap {tap * 1000:.0f} ms",
        flush=True,
    )
    for screen in [*screens, host]:
        await screen.leave()
    return len(screens), refused


async def is_stored(served: CompanionProcess, acknowledged: tuple[str, int]) -> bool:
    """Return whether a game, finished or not, has all entries that were acknowledged."""
    address = f"http://localhost:{served.port}/api/history"
    with await asyncio.to_thread(urllib.request.urlopen, address) as answer:
        games = {game["id"]: game["entries"] for game in json.load(answer)["games"]}
    id, number = acknowledged
    return bool(games.get(id, 0) >= number)


async def kills(home: Path, count: int, seed: int) -> int:
    """Kill a companion repeatedly while it plays; return how many games lost an acknowledged move."""
    rng = random.Random(seed)
    served = CompanionProcess(home)
    acknowledged: tuple[str, int] | None = None
    state, lost, played = None, 0, 0
    for _ in range(count):
        served.start()
        host = await ChannelClient(served.port).open()
        await asyncio.sleep(0.2)
        game = host.game
        if acknowledged is not None and not await is_stored(served, acknowledged):
            lost += 1
        # An unacknowledged move may be in the journal nevertheless; continue with a new game then.
        if game is None or state is None or state.phase == "over" or (game["id"], game["number"]) != acknowledged:
            acknowledged = await start_game(host)
            state = new_game(list(_COLOURS), STANDIN, None)
        dies_at = time.monotonic() + rng.uniform(0.05, 0.8)
        killer = asyncio.get_running_loop().call_later(dies_at - time.monotonic(), served.kill)
        with suppress(ConnectionError, TimeoutError):
            while state.phase != "over":
                move = random_move(state, rng)
                payload = {
                    "game": acknowledged[0],
                    "at": acknowledged[1],
                    "move": _MOVE.dump_python(move, mode="json"),
                }
                answer = await host.send("play", payload, 10)
                if not answer["ok"]:
                    raise RuntimeError(f"A legal move was refused: {answer}")
                state, acknowledged, played = apply(state, move), (acknowledged[0], acknowledged[1] + 1), played + 1
            await asyncio.sleep(max(0.0, dies_at - time.monotonic()) + 0.1)
        killer.cancel()
        served.kill()
        await host.leave()
    print(f"{count} kills, {played} moves acknowledged, {lost} lost, seed {seed}", flush=True)
    return lost


async def long_game(home: Path, minutes: float, screens: int) -> float:
    """Play games on the simulated table with screens connected; return the growth of its memory, as a fraction.

    Compares the means of the second and the last fifth of the time: in the first the networks are still loading.
    """
    served = CompanionProcess(home, simulated=True)
    served.start()
    try:
        host = await ChannelClient(served.port).open()
        watching = [
            await ChannelClient(served.port, host=REMOTE_HOST, address=f"127.4.0.{number + 1}").open()
            for number in range(screens)
        ]
        samples: list[float] = []
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            game = host.game
            if game is None or game["state"]["phase"] == "over":
                await host.send("show_me", {"game": game and game["id"], "at": game and game["number"]})
            await asyncio.sleep(1.0)
            samples.append(served.memory)
        part = max(1, len(samples) // 5)
        before, after = statistics.mean(samples[part : 2 * part]), statistics.mean(samples[-part:])
        lost = sum(one.closed for one in watching)
        messages = min(one.messages for one in watching)
        print(
            f"{minutes:g} minutes, {screens} screens: {before:.0f} MB at first, {after:.0f} MB at the end "
            f"({(after / before - 1) * 100:+.1f} %), {lost} screens lost, at least {messages} messages each, "
            f"{served.tracebacks} tracebacks",
            flush=True,
        )
        for one in [*watching, host]:
            await one.leave()
        return after / before - 1
    finally:
        served.kill()


async def soak(options: argparse.Namespace) -> bool:
    """Run all soak tests; return whether every figure is within its limit."""
    passed = True
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as folder:
        served = CompanionProcess(Path(folder) / "floods")
        served.start()
        try:
            host = await ChannelClient(served.port).open()
            await start_game(host)
            await host.leave()
            baseline = 0.0
            for name in FLOODS:
                memory, late = await flood(served, name, options.seconds)
                baseline = baseline or late
                passed &= memory <= MAX_MEMORY_MB and late <= max(MAX_LATENCY_S, 2 * baseline)
            opened, refused = await many_screens(served, options.screens)
            passed &= opened + refused == options.screens
            print(f"tracebacks in the log: {served.tracebacks}", flush=True)
            passed &= served.tracebacks == 0
        finally:
            served.kill()
        passed &= await kills(Path(folder) / "kills", options.kills, options.seed) == 0
        growth = await long_game(Path(folder) / "game", options.minutes, WATCHING_SCREENS)
        passed &= abs(growth) <= MAX_MEMORY_GROWTH
    return passed


def main() -> None:
    """Run the soak tests; exit with status 1 if a figure exceeds its limit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="duration of each flood")
    parser.add_argument("--screens", type=int, default=300)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=3.0, help="duration of the simulated game")
    parser.add_argument("--seed", type=int, default=1)
    raise SystemExit(0 if asyncio.run(soak(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
