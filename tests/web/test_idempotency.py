"""Idempotency: a command that is sent again after a lost network is executed once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.web.channel_client import reveal, send, state_of
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable
from web.channel.idempotency import IdempotencyCache


def test_a_command_sent_again_gets_the_first_answer_and_changes_nothing(table: SmallTable, screen: Connect) -> None:
    table.start_game(SEATS)
    client = screen()
    command = {**state_of(table), "move": reveal(3, 2, 2, 0), "tap": "4f"}
    assert send(client, "play", command) == {"ok": True}
    assert send(client, "play", command) == {"ok": True}
    assert len(table.states) == 2
    assert send(client, "play", {**command, "tap": "50"})["error"]["code"] == "stale"
    assert (
        send(screen(), "play", command)["error"]["code"] == "stale"
    )  # another device generated the same key by chance


@pytest.mark.parametrize("key", [1, None, "", "x" * 65, [], {}], ids=repr)
def test_a_malformed_idempotency_key_is_refused(table: SmallTable, screen: Connect, key: Any) -> None:
    table.start_game(SEATS)
    answer = send(screen(), "undo", {**state_of(table), "tap": key})
    assert answer["error"]["code"] == "bad_request"


def test_a_command_that_is_still_executing_is_waited_for() -> None:
    cache, begun, go_on, executed = IdempotencyCache(), threading.Event(), threading.Event(), []

    def execute() -> dict[str, Any]:
        executed.append(1)
        begun.set()
        assert go_on.wait(5)
        return {"ok": True}

    answers: list[dict[str, Any]] = []
    threads = [
        threading.Thread(target=lambda: answers.append(cache.answer("phone", "a", execute))) for _ in range(3)
    ]
    threads[0].start()
    assert begun.wait(5)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(5)
    assert answers == [{"ok": True}] * 3
    assert executed == [1]


def test_the_oldest_answers_are_dropped() -> None:
    cache = IdempotencyCache(max_answers=2)
    numbers = iter(range(10))
    for key in ("a", "b", "c"):
        cache.answer("phone", key, lambda: {"n": next(numbers)})
    assert cache.answer("phone", "c", lambda: {"n": next(numbers)}) == {"n": 2}
    assert cache.answer("phone", "a", lambda: {"n": next(numbers)}) == {"n": 3}
