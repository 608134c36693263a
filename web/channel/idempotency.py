"""The idempotency cache: a command that is sent again, as after a lost connection, gets the first answer."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

Answer = dict[str, Any]

_MAX_ANSWERS = 1024
"""Answers that are kept; the oldest is dropped first."""


class IdempotencyCache:
    """Caches the answers to the latest commands, by device and by the key that the page generated for a command."""

    def __init__(self, max_answers: int = _MAX_ANSWERS) -> None:
        self._max_answers = max_answers
        self._answers: OrderedDict[tuple[str, str], Future[Answer]] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, device: str, key: str, execute: Callable[[], Answer]) -> Answer:
        """Return the cached answer to a command, or execute it; wait while another thread executes the same one."""
        name = (device, key)
        with self._lock:
            cached = self._answers.get(name)
            if cached is None:
                own: Future[Answer] = Future()
                self._answers[name] = own
                while len(self._answers) > self._max_answers:
                    self._answers.popitem(last=False)
        if cached is not None:
            return cached.result()
        try:
            own.set_result(execute())
        except BaseException as error:
            own.set_exception(error)
            raise
        return own.result()
