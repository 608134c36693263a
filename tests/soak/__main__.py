"""Soak the server on loopback and print the figures: `make soak`; SOAK="--kills 1000 --minutes 60" takes hours."""

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
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import PLAYER_COLOURS
from companion.games.wicked.moves import Move
from companion.games.wicked.standin_deck import STANDIN
from tests.soak.client import STRANGER, RefusedScreen, Screen
from tests.soak.floods import FLOODS
from tests.soak.served import Served

MOST_MEMORY = 400.0
"""MB under each flood."""
MOST_LATENCY = 0.1
"""Seconds, the 95th percentile of a host's taps under each flood."""
_MOVE: TypeAdapter[Any] = TypeAdapter(Move)
_COLOURS = PLAYER_COLOURS[:4]
_SEATS = [{"name": name, "figure": colour} for name, colour in zip("ABCD", _COLOURS, strict=True)]


async def begin(host: Screen) -> tuple[str, int]:
    """Begin a game; return its id and state number."""
    for _ in range(3):
        game = host.game
        reply = await host.say(
            "start_game",
            {"game": game and game["id"], "at": game and game["number"], "seats": _SEATS},
        )
        await asyncio.sleep(0.5)
        if reply["ok"] and host.game is not None:
            return host.game["id"], host.game["number"]
    raise RuntimeError(f"No game began: {reply}")


async def flood(served: Served, name: str, seconds: float) -> tuple[float, float]:
    """Flood a companion while its host taps; print and return most memory (MB) and latency (s, 95th percentile)."""
    host = await Screen(served.port).open()
    # In a process of its own, at lower priority: a flood would come from other machines.
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
            await host.say("pause", {"on": len(taps) % 2 == 0})
        except (ConnectionError, TimeoutError):
            lost += 1
            host = await Screen(served.port).open()
        taps.append(time.monotonic() - began)
        memory, threads = max(memory, served.memory), max(threads, served.threads)
        await asyncio.sleep(0.05)
    failed = attacker.returncode is not None
    if not failed:
        attacker.kill()
    await attacker.communicate()
    await host.leave()
    await asyncio.sleep(1.0)
    taps.sort()
    late = taps[int(len(taps) * 0.95)]
    print(
        f"{name:36} {memory:5.0f} MB  {threads:4} threads  tap median {statistics.median(taps) * 1000:4.0f} ms, "
        f"p95 {late * 1000:4.0f} ms, worst {taps[-1] * 1000:5.0f} ms  host lost {lost}"
        + ("  the flood itself failed" if failed else ""),
        flush=True,
    )
    return memory, late


async def many_screens(served: Served, count: int) -> tuple[int, int]:
    """Open so many screens from as many addresses; return how many were served, and refused in words."""
    host = await Screen(served.port).open()
    screens, refused = [], 0
    for number in range(count):
        one = Screen(served.port, host=STRANGER, address=f"127.3.{number // 250}.{number % 250 + 1}")
        try:
            screens.append(await one.open())
        except RefusedScreen as error:
            refused += "screens" in str(error) or "connections" in str(error)
    began = time.monotonic()
    await host.say("pause", {"on": True})
    tap = time.monotonic() - began
    print(
        f"{count} screens: {len(screens)} served, {refused} refused in words, {served.memory:.0f} MB, "
        f"{served.threads} threads, host tap {tap * 1000:.0f} ms",
        flush=True,
    )
    for screen in [*screens, host]:
        await screen.leave()
    return len(screens), refused


async def kept(served: Served, acknowledged: tuple[str, int]) -> bool:
    """Return whether a game has as many entries as were acknowledged: the history also has those that are over."""
    address = f"http://localhost:{served.port}/api/history"
    with await asyncio.to_thread(urllib.request.urlopen, address) as answer:
        games = {game["id"]: game["entries"] for game in json.load(answer)["games"]}
    id, number = acknowledged
    return bool(games.get(id, 0) >= number)


async def kills(home: Path, count: int, seed: int) -> int:
    """Kill a companion during a move so many times; return how many acknowledged moves were lost."""
    rng = random.Random(seed)
    served = Served(home)
    acknowledged: tuple[str, int] | None = None
    state, lost, played = None, 0, 0
    for _ in range(count):
        served.start()
        host = await Screen(served.port).open()
        await asyncio.sleep(0.2)
        game = host.game
        if acknowledged is not None and not await kept(served, acknowledged):
            lost += 1
        # A move that was not acknowledged may be in the journal all the same: then a new game goes on.
        if game is None or state is None or state.phase == "over" or (game["id"], game["number"]) != acknowledged:
            acknowledged = await begin(host)
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
                reply = await host.say("play", payload, 10)
                if not reply["ok"]:
                    raise RuntimeError(f"A legal move was refused: {reply}")
                state, acknowledged, played = apply(state, move), (acknowledged[0], acknowledged[1] + 1), played + 1
            await asyncio.sleep(max(0.0, dies_at - time.monotonic()) + 0.1)
        killer.cancel()
        served.kill()
        await host.leave()
    print(f"{count} kills, {played} moves acknowledged, {lost} lost, seed {seed}", flush=True)
    return lost


async def long_game(home: Path, minutes: float, screens: int) -> float:
    """Play the simulated table with so many screens; return by how much its memory grew, as a fraction.

    Compared are the means of the second and of the last fifth: the first has the networks' first pictures in it.
    """
    served = Served(home, simulated=True)
    served.start()
    try:
        host = await Screen(served.port).open()
        watching = [
            await Screen(served.port, host=STRANGER, address=f"127.4.0.{number + 1}").open()
            for number in range(screens)
        ]
        samples: list[float] = []
        ends = time.monotonic() + minutes * 60
        while time.monotonic() < ends:
            game = host.game
            if game is None or game["stage"]["phase"] == "over":
                await host.say("show_me", {"game": game and game["id"], "at": game and game["number"]})
            await asyncio.sleep(1.0)
            samples.append(served.memory)
        part = max(1, len(samples) // 5)
        before, after = statistics.mean(samples[part : 2 * part]), statistics.mean(samples[-part:])
        gone = sum(one.closed for one in watching)
        messages = min(one.messages for one in watching)
        print(
            f"{minutes:g} minutes, {screens} screens: {before:.0f} MB at first, {after:.0f} MB at the end "
            f"({(after / before - 1) * 100:+.1f} %), {gone} screens lost, at least {messages} messages each, "
            f"{served.tracebacks} tracebacks",
            flush=True,
        )
        for one in [*watching, host]:
            await one.leave()
        return after / before - 1
    finally:
        served.kill()


async def soak(options: argparse.Namespace) -> bool:
    """Run all parts; return whether every figure is as wanted."""
    good = True
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as folder:
        served = Served(Path(folder) / "floods")
        served.start()
        try:
            host = await Screen(served.port).open()
            await begin(host)
            await host.leave()
            baseline = 0.0
            for name in FLOODS:
                memory, late = await flood(served, name, options.seconds)
                baseline = baseline or late
                good &= memory <= MOST_MEMORY and late <= max(MOST_LATENCY, 2 * baseline)
            opened, refused = await many_screens(served, options.screens)
            good &= opened + refused == options.screens
            print(f"tracebacks in the log: {served.tracebacks}", flush=True)
            good &= served.tracebacks == 0
        finally:
            served.kill()
        good &= await kills(Path(folder) / "kills", options.kills, options.seed) == 0
        good &= abs(await long_game(Path(folder) / "game", options.minutes, 20)) <= 0.05
    return good


def main() -> None:
    """Soak as the options say; ends with 1 where a figure is not as wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each flood")
    parser.add_argument("--screens", type=int, default=300)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--minutes", type=float, default=3.0, help="of the simulated game")
    parser.add_argument("--seed", type=int, default=1)
    raise SystemExit(0 if asyncio.run(soak(parser.parse_args())) else 1)


if __name__ == "__main__":
    main()
