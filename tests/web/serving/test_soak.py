"""The soak itself: `make soak` runs for hours, this for seconds."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.soak.__main__ import begin, flood, kills, many_screens
from tests.soak.client import Screen
from tests.soak.floods import FLOODS
from tests.soak.served import Served

pytestmark = pytest.mark.slow


def run(work: Coroutine[Any, Any, Any]) -> Any:
    """Return what a coroutine returns, run in a thread: Playwright's loop may be running in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def flooded(served: Served) -> tuple[float, tuple[int, int]]:
    """Return the memory under the first flood, MB, and how many of five screens were served and refused."""
    host = await Screen(served.port).open()
    await begin(host)
    await host.leave()
    memory, _ = await flood(served, list(FLOODS)[1], 1.0)
    return memory, await many_screens(served, 5)


def test_a_flooded_companion_serves_and_keeps_its_memory(tmp_path: Path) -> None:
    served = Served(tmp_path)
    served.start()
    try:
        memory, screens = run(flooded(served))
    finally:
        served.kill()
    assert 0 < memory < 400
    assert screens == (5, 0)
    assert served.tracebacks == 0


def test_a_killed_companion_loses_no_acknowledged_move(tmp_path: Path) -> None:
    assert run(kills(tmp_path, 2, seed=1)) == 0
