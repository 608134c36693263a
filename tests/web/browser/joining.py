"""Phones that join a table by its code."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.browser.conftest import Visit
from tests.web.browser.looking import PHONE


def code_of(host: Page) -> str:
    return host.locator("[data-test=table-code]").inner_text()


def join(visit: Visit, address: str, code: str, seat: int, before: Callable[[Page], None] | None = None) -> Page:
    """Open the address of the scanned code and take a seat; return the phone's page."""
    page = visit(f"{address}#join/{code}", PHONE, before=before)
    page.locator("[data-test=step_back]").click()  # the tests' phones are on the serving machine, too
    page.locator(f"[data-test=take-{seat}]").click()
    expect(page.locator("[data-test=me-board]")).to_be_visible()
    return page
