"""Whether the page of The Wicked Labyrinth rests, and whether every action is wholly visible (twenty minutes)."""

from __future__ import annotations

from playwright.sync_api import sync_playwright

from tests.bench.page import layout


def main() -> None:
    """Print the shifts of the layout and what is cut off, by number of players and size of the screen."""
    with sync_playwright() as playwright:
        layout.measure(playwright)
