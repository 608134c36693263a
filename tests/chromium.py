"""The Chromium of this system, for browser tests, benchmarks and pictures of the page."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import click
from playwright.sync_api import Browser, sync_playwright

MISSING = "There is no Chromium. Install it: sudo apt-get install -y chromium"


def installed() -> str | None:
    """Return the path of the browser; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def launched(env: Mapping[str, str] | None = None) -> Iterator[Browser]:
    """Start the browser. env: its environment, where that is another one. Raises ClickException without one."""
    path = installed()
    if path is None:
        raise click.ClickException(MISSING)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-background-networking"],
            env=None if env is None else dict(env),
        )
        yield browser
        browser.close()
