"""Codes cannot be guessed: tries are few and slow, and who has the right one is not kept out by others."""

from __future__ import annotations

import pytest

from web.people.access_codes import HOST_CODE_LENGTH, new_code, same_code
from web.people.attempt_limit import PER_ADDRESS, UNSHARED, AttemptLimiter, RateLimit


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def _clock() -> Clock:
    return Clock()


def test_after_five_wrong_tries_an_address_waits_for_each_more(clock: Clock) -> None:
    tries = AttemptLimiter(clock=clock)
    assert [tries.begin("192.168.1.9") for _ in range(5)] == [0.0] * 5
    assert 0 < tries.begin("192.168.1.9") <= 20
    clock.now += 20.1
    assert tries.begin("192.168.1.9") == 0.0
    assert tries.begin("192.168.1.9") > 0


def test_ten_thousand_tries_from_one_address_take_days(clock: Clock) -> None:
    tries = AttemptLimiter(clock=clock)
    looked_at = 0
    for _ in range(10_000):
        looked_at += tries.begin("192.168.1.9") == 0.0
        clock.now += 1.0
    assert looked_at == 5 + 10_000 // 20 - 1


def test_many_addresses_together_are_slow_and_let_a_new_one_in_at_once(clock: Clock) -> None:
    tries = AttemptLimiter(all_addresses=RateLimit(30, 2.0), clock=clock)
    guessing = [f"10.0.0.{number}" for number in range(100)]
    for address in guessing:
        tries.begin(address)
    looked_at = 0
    for _ in range(100):
        looked_at += sum(tries.begin(address) == 0.0 for address in guessing)
        clock.now += 1.0
    assert looked_at <= len(guessing) * (UNSHARED.burst - 1) + 50
    assert tries.begin("192.168.1.5") == 0.0
    clock.now += 60.0
    assert tries.begin(guessing[0]) == 0.0


def test_a_right_code_leaves_no_trace(clock: Clock) -> None:
    tries = AttemptLimiter(clock=clock)
    for _ in range(4):
        tries.begin("192.168.1.9")
    tries.succeed("192.168.1.9")
    assert [tries.begin("192.168.1.9") for _ in range(5)] == [0.0] * 5


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("fd00::1", "fd00::2", True),  # one device has a whole network of these
        ("fd00:0:0:1::1", "fd00:0:0:2::1", False),
        ("::ffff:192.168.1.9", "192.168.1.9", True),
        ("192.168.1.9", "192.168.1.10", False),
        ("", "nonsense", True),
    ],
)
def test_an_address_is_what_a_device_cannot_change_at_will(clock: Clock, one: str, other: str, same: bool) -> None:
    tries = AttemptLimiter(clock=clock)
    for _ in range(5):
        tries.begin(one)
    assert (tries.begin(other) > 0) is same


def test_codes_are_typed_as_people_type() -> None:
    code = new_code(HOST_CODE_LENGTH)
    assert len(code) == HOST_CODE_LENGTH
    assert same_code(code, f" {code[:4].lower()}-{code[4:]} ")
    assert not same_code(code, code[:-1])
    assert not same_code(code, "ⓒ" * HOST_CODE_LENGTH)
    assert len({new_code(HOST_CODE_LENGTH) for _ in range(100)}) == 100


def test_a_visitor_who_mistypes_once_is_not_kept_out_by_others_who_guess(clock: Clock) -> None:
    tries = AttemptLimiter(clock=clock)
    for number in range(250):
        for _ in range(4):
            tries.begin(f"10.0.1.{number}")
    assert tries.begin("10.0.0.9") == 0.0  # mistyped
    assert tries.begin("10.0.0.9") == 0.0


def test_knowing_one_code_makes_guessing_another_no_quicker(clock: Clock) -> None:
    tries = AttemptLimiter(clock=clock)
    looked_at = 0
    for _ in range(100):
        looked_at += tries.begin("10.0.0.9", "host") == 0.0
        tries.begin("10.0.0.9", "table")
        tries.succeed("10.0.0.9", "table")
    assert looked_at == PER_ADDRESS.burst
