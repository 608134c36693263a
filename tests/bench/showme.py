"""Seconds from *Show me* to the first hands and to the first reading drawn: `python -m tests.bench showme`.

Cold: `companion serve` has just been started, in an empty home. Warm: the same, ten seconds later.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from playwright.sync_api import Browser, sync_playwright

_HANDS = ".lamp.hands, .lamp.settling, .lamp.reading, .demo-player.proposed"
_READ = ".lamp.reading, .lamp.needs_you, .demo-player.proposed"
_PATIENCE = 120_000
_WARM = 10.0


def main() -> None:
    """Print the seconds for a cold and for a warm start."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name, wait in (("cold", 0.0), ("warm", _WARM)):
            hands, read = measure(browser, wait)
            print(f"  {name}: first hands after {hands:.1f} s, first reading drawn after {read:.1f} s")
        browser.close()
    print(f"      load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def measure(browser: Browser, wait: float) -> tuple[float, float]:
    """Serve an empty home, wait so many seconds, tap *Show me*; return seconds to hands and to a drawn reading."""
    with tempfile.TemporaryDirectory() as home:
        port = _free_port()
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
            page.wait_for_timeout(wait * 1000)
            began = time.perf_counter()
            show.click()
            page.locator(_HANDS).first.wait_for(timeout=_PATIENCE)
            hands = time.perf_counter() - began
            page.locator(_READ).first.wait_for(timeout=_PATIENCE)
            read = time.perf_counter() - began
            page.close()
            return hands, read
        finally:
            serving.send_signal(signal.SIGINT)
            serving.wait(20)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


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
