"""What holds for all tests."""

from __future__ import annotations

import os
import random

import pytest
from hypothesis import HealthCheck, settings

# Several tests run side by side, and machines differ: how long an example takes says nothing about what is right.
settings.register_profile(
    "unhurried", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("unhurried")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the browser tests that are no journeys, and the further cases of a test whose first is quick, as slow.

    Begin with the tests that may take longest.

    In CI a browser test that fails is run once more, as a busy machine may starve Chromium; the summary lists it.
    """
    for item in items:
        if item.get_closest_marker("browser") and os.environ.get("CI") == "true":
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("browser") and not item.get_closest_marker("journey"):
            item.add_marker(pytest.mark.slow)
    quick: set[str] = set()
    for item in items:
        if item.get_closest_marker("first_is_quick"):
            function = item.nodeid.partition("[")[0]
            if function in quick:
                item.add_marker(pytest.mark.slow)
            quick.add(function)
    items.sort(key=lambda item: -max((mark.args[0] for mark in item.iter_markers("timeout")), default=0))


@pytest.fixture
def seed() -> int:
    """Return a seed that differs in each run and is printed; `TEST_SEED=123` in the environment sets it."""
    chosen = int(os.environ.get("TEST_SEED") or random.SystemRandom().randrange(10**6))
    print(f"Repeat with TEST_SEED={chosen}")
    return chosen
