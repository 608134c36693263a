"""Seconds from *Show me* to the first hands and to the first reading drawn: `python -m tests.bench showme`.

Cold: `companion serve` has just been started, in an empty home. Warm: its simulated table is ready. Processor time
of the companion, on Linux, stays true on a busy machine; the clock does not.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser

from tests.chromium import launched
from tests.serving import free_port

_HANDS = ".lamp:is([data-state=hands], [data-state=settling], [data-state=reading]), .demo-player.proposed"
_READ = ".lamp:is([data-state=reading], [data-state=needs_you]), .demo-player.proposed"
_PATIENCE = 120_000
_READY = ".lamp[data-state]:not([data-state=preparing])"


def main() -> None:
    """Print the seconds for a cold and for a warm start."""
    with launched() as browser:
        for name in ("cold", "warm"):
            hands, read, spent = measure(browser, warm=name == "warm")
            print(
                f"  {name}: first hands after {hands:.1f} s, first reading drawn after {read:.1f} s, "
                f"{spent:.1f} s of processor time since the companion's start or the tap"
            )
    print(f"      load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def measure(browser: Browser, *, warm: bool) -> tuple[float, float, float]:
    """Serve an empty home and tap *Show me*; return seconds to hands, to a drawn reading, and of processor time."""
    with tempfile.TemporaryDirectory() as home:
        port = free_port()
        command = [sys.executable, "-c", "from companion.cli import main; main()", "serve", "--host", "127.0.0.1"]
        command += ["--port", str(port)]
        environment = {**os.environ, "COMPANION_HOME": home}
        serving = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
        try:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            _until_served(port)
            page.goto(f"http://127.0.0.1:{port}/")
            show = page.locator("[data-test=show-me]:enabled")
            show.wait_for()
            if warm:
                page.locator(_READY).wait_for(timeout=_PATIENCE)
                page.wait_for_timeout(1000)
            spent = _processor_seconds(serving.pid) if warm else 0.0
            began = time.perf_counter()
            show.click()
            page.locator(_HANDS).first.wait_for(timeout=_PATIENCE)
            hands = time.perf_counter() - began
            page.locator(_READ).first.wait_for(timeout=_PATIENCE)
            read = time.perf_counter() - began
            spent = _processor_seconds(serving.pid) - spent
            page.close()
            return hands, read, spent
        finally:
            serving.send_signal(signal.SIGINT)
            serving.wait(20)


def _processor_seconds(pid: int) -> float:
    """Return the processor time of a process so far, 0 where the system does not say it this way."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _until_served(port: int) -> None:
    ends = time.monotonic() + _PATIENCE / 1000
    while time.monotonic() < ends:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise RuntimeError("The companion does not serve.")


if __name__ == "__main__":
    main()
