"""A companion in a process of its own, with what the system says of it: memory, threads, files."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from tests.serving import free_port

_START = "from companion.cli import main; main()"
_STARTED_WITHIN = 90.0


class Served:
    """A companion on loopback; simulated: with the simulated table, else with a video of nothing as its camera."""

    def __init__(self, home: Path, *, simulated: bool = False) -> None:
        self.home = home
        self.port = free_port()
        home.mkdir(parents=True, exist_ok=True)
        self._arguments: tuple[str, ...] = ()
        if not simulated:
            self._arguments = ("--camera", str(_video(home / "nothing.avi")), "--profile", "soak")
        self._log = home / "log"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers. Raises RuntimeError with its last lines where it does not."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    _START,
                    "serve",
                    "--host",
                    "127.0.0.1",
                    "--port",
                    str(self.port),
                    *self._arguments,
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, "COMPANION_HOME": str(self.home / "data"), "PYTHONUNBUFFERED": "1"},
            )
        ends = time.monotonic() + _STARTED_WITHIN
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > ends:
                raise RuntimeError(f"The companion did not start: {self._log.read_text(errors='replace')[-500:]}")
            time.sleep(0.05)

    def kill(self, sign: signal.Signals = signal.SIGKILL) -> None:
        """End it by a signal and wait for that."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(sign)
            self._process.wait(30)

    def _answers(self) -> bool:
        with suppress(OSError), urllib.request.urlopen(f"http://localhost:{self.port}/", timeout=5):
            return True
        return False

    @property
    def memory(self) -> float:
        """Resident memory, MB."""
        return self._status("VmRSS") / 1024

    @property
    def threads(self) -> int:
        """Number of threads."""
        return self._status("Threads")

    @property
    def tracebacks(self) -> int:
        """How many tracebacks its log shows."""
        return self._log.read_text(errors="replace").count("Traceback (most recent call last)")

    def _status(self, field: str) -> int:
        assert self._process is not None
        text = Path(f"/proc/{self._process.pid}/status").read_text(encoding="ascii")
        found = re.search(rf"{field}:\s+(\d+)", text)
        return int(found[1]) if found else 0


def _video(path: Path) -> Path:
    if not path.exists():
        writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
        for _ in range(10):
            writer.write(np.full((48, 64, 3), 40, np.uint8))
        writer.release()
    return path
