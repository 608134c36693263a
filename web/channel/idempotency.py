"""Every tap counts once: a command that comes again, as after a lost network, gets the answer of the first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Answer = dict[str, Any]

_MOST = 1024


class Once:
    """Remembers the answers to the latest taps, each named by its device and by an id that the page made."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._answers: OrderedDict[tuple[str, str], Future[Answer]] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, device: str, tap: str, act: Callable[[], Answer]) -> Answer:
        """Act and give the answer, or give that of the same tap; one that is being acted on is waited for."""
        key = (device, tap)
        with self._lock:
            known = self._answers.get(key)
            if known is None:
                mine: Future[Answer] = Future()
                self._answers[key] = mine
                while len(self._answers) > self._most:
                    self._answers.popitem(last=False)
        if known is not None:
            return known.result()
        try:
            mine.set_result(act())
        except BaseException as error:
            mine.set_exception(error)
            raise
        return mine.result()
