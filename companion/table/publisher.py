"""Delivers published views to subscribers in its own thread, so that a slow one does not block the table."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

View = TypeVar("View")


class Publisher(Generic[View]):
    """Calls subscribers with each published view, in its own thread; skips a view if a newer one is waiting."""

    def __init__(self) -> None:
        self._callbacks: dict[int, Callable[[View], None]] = {}
        self._next = 0
        self._newest: View | None = None
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)
        self._thread.start()

    def subscribe(self, callback: Callable[[View], None]) -> Callable[[], None]:
        """Register a callback for every further view; return the function that unsubscribes."""
        with self._changed:
            key, self._next = self._next, self._next + 1
            self._callbacks[key] = callback

        def unsubscribe() -> None:
            with self._changed:
                self._callbacks.pop(key, None)

        return unsubscribe

    def publish(self, view: View) -> None:
        """Queue a view for all subscribers; returns at once."""
        with self._changed:
            self._newest = view
            self._changed.notify()

    def close(self) -> None:
        """Deliver the view that is queued, if any, and stop the thread."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        if threading.current_thread() is not self._thread:
            self._thread.join(2.0)

    def _run(self) -> None:
        while True:
            with self._changed:
                while self._newest is None:
                    if self._closed:
                        return
                    self._changed.wait()
                view, self._newest = self._newest, None
                callbacks = tuple(self._callbacks.values())
            for callback in callbacks:
                try:
                    callback(view)
                except Exception:
                    logging.getLogger(__name__).exception("A subscriber failed to handle a view.")
