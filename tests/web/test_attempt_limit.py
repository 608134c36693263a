"""The rate limit on attempts at codes: guessing is slow, and nobody is locked out by other addresses."""

from __future__ import annotations

import pytest

from web.people.attempt_limit import PER_ADDRESS, UNSHARED, AttemptLimiter, RateLimit
from web.people.codes import HOST_CODE_LENGTH, new_code, same_code


class SteppedClock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(name="clock")
def _clock() -> SteppedClock:
    return SteppedClock()


def test_after_five_wrong_attempts_an_address_waits_before_each_further_one(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(clock=clock)
    assert [attempts.begin("192.168.1.9") for _ in range(5)] == [0.0] * 5
    assert 0 < attempts.begin("192.168.1.9") <= 20
    clock.now += 20.1
    assert attempts.begin("192.168.1.9") == 0.0
    assert attempts.begin("192.168.1.9") > 0


def test_one_address_makes_one_attempt_per_20_seconds(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(clock=clock)
    accepted = 0
    for _ in range(10_000):
        accepted += attempts.begin("192.168.1.9") == 0.0
        clock.now += 1.0
    assert accepted == 5 + 10_000 // 20 - 1


def test_many_guessing_addresses_are_limited_together_and_a_new_address_is_not(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(all_addresses=RateLimit(30, 2.0), clock=clock)
    guessing = [f"10.0.0.{number}" for number in range(100)]
    for address in guessing:
        attempts.begin(address)
    accepted = 0
    for _ in range(100):
        accepted += sum(attempts.begin(address) == 0.0 for address in guessing)
        clock.now += 1.0
    assert accepted <= len(guessing) * (UNSHARED.burst - 1) + 50
    assert attempts.begin("192.168.1.5") == 0.0
    clock.now += 60.0
    assert attempts.begin(guessing[0]) == 0.0


def test_a_right_code_resets_the_limit(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(clock=clock)
    for _ in range(4):
        attempts.begin("192.168.1.9")
    attempts.succeed("192.168.1.9")
    assert [attempts.begin("192.168.1.9") for _ in range(5)] == [0.0] * 5


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
def test_attempts_are_counted_per_ipv4_address_or_ipv6_network(
    clock: SteppedClock, one: str, other: str, same: bool
) -> None:
    attempts = AttemptLimiter(clock=clock)
    for _ in range(5):
        attempts.begin(one)
    assert (attempts.begin(other) > 0) is same


def test_codes_match_regardless_of_case_spaces_and_hyphens() -> None:
    code = new_code(HOST_CODE_LENGTH)
    assert len(code) == HOST_CODE_LENGTH
    assert same_code(code, f" {code[:4].lower()}-{code[4:]} ")
    assert not same_code(code, code[:-1])
    assert not same_code(code, "ⓒ" * HOST_CODE_LENGTH)
    assert len({new_code(HOST_CODE_LENGTH) for _ in range(100)}) == 100


def test_a_visitor_who_mistypes_once_is_not_locked_out_by_other_addresses(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(clock=clock)
    for number in range(250):
        for _ in range(4):
            attempts.begin(f"10.0.1.{number}")
    assert attempts.begin("10.0.0.9") == 0.0  # mistyped
    assert attempts.begin("10.0.0.9") == 0.0


def test_a_right_table_code_does_not_reset_the_limit_on_host_codes(clock: SteppedClock) -> None:
    attempts = AttemptLimiter(clock=clock)
    accepted = 0
    for _ in range(100):
        accepted += attempts.begin("10.0.0.9", "host") == 0.0
        attempts.begin("10.0.0.9", "table")
        attempts.succeed("10.0.0.9", "table")
    assert accepted == PER_ADDRESS.burst
