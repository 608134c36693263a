"""A tap that is sent again after a lost network counts once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from tests.waiting import LONGEST_WAIT
from tests.web.commands import now, reveal, say
from tests.web.conftest import SEATS, Connect
from tests.web.small_table import SmallTable
from web.channel.idempotency import IdempotencyCache


def test_a_tap_sent_again_gets_the_first_answer_and_changes_nothing(table: SmallTable, screen: Connect) -> None:
    table.start_game(SEATS)
    client = screen()
    tap = {**now(table), "move": reveal(3, 2, 2, 0), "tap": "4f"}
    assert say(client, "play", tap) == {"ok": True}
    assert say(client, "play", tap) == {"ok": True}
    assert len(table.states) == 2
    assert say(client, "play", {**tap, "tap": "50"})["error"]["code"] == "stale"
    assert say(screen(), "play", tap)["error"]["code"] == "stale"  # another device made the same name by chance


def test_a_tap_without_a_proper_name_is_refused(
    table: SmallTable, screen: Connect, subtests: pytest.Subtests
) -> None:
    wrong: list[object] = [1, None, "", "x" * 65, [], {}]
    for tap in wrong:
        with subtests.test(f"{tap!r:.60}"):
            table.start_game(SEATS)
            answer = say(screen(), "undo", {**now(table), "tap": tap})
            assert answer["error"]["code"] == "bad_request"


def test_a_tap_that_is_still_being_acted_on_is_waited_for() -> None:
    once, begun, go_on, acted = IdempotencyCache(), threading.Event(), threading.Event(), []

    def act() -> dict[str, Any]:
        acted.append(1)
        begun.set()
        assert go_on.wait(LONGEST_WAIT)
        return {"ok": True}

    answers: list[dict[str, Any]] = []
    threads = [threading.Thread(target=lambda: answers.append(once.answer("phone", "a", act))) for _ in range(3)]
    threads[0].start()
    assert begun.wait(LONGEST_WAIT)
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(LONGEST_WAIT)
    assert answers == [{"ok": True}] * 3
    assert acted == [1]


def test_old_taps_are_forgotten_so_that_memory_stays_small() -> None:
    once = IdempotencyCache(max_answers=2)
    numbers = iter(range(10))
    for tap in ("a", "b", "c"):
        once.answer("phone", tap, lambda: {"n": next(numbers)})
    assert once.answer("phone", "c", lambda: {"n": next(numbers)}) == {"n": 2}
    assert once.answer("phone", "a", lambda: {"n": next(numbers)}) == {"n": 3}
