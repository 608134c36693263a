"""What a page may get wrong in its layout: what sticks out, actions that are cut off or covered, and shifts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_suffix(".js")
"""What `measured` puts into a page: the functions below call it."""
APART_MS, LONGEST_MS = 1000, 5000
"""Of a session window: shifts at most so far apart, all of them within so long (web.dev/cls)."""
_COMMENT, _RULE = re.compile(r"/\*.*?\*/", re.DOTALL), re.compile(r"([^{}]+)\{")
_BARE = re.compile(r"\.([\w-]+)(?:::?[\w-]+(?:\([^)]*\))?|\[[^\]]*\])*")


@dataclass(frozen=True)
class Faults:
    """What is wrong with one view on one screen, each in words."""

    cut_off: tuple[str, ...]
    sticks_out: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.cut_off or self.sticks_out)


def measured(page: Page) -> Page:
    """Return the page, which can be measured from its next address on."""
    page.add_init_script(path=SCRIPT)
    return page


def faults(page: Page) -> Faults:
    """Return what is cut off, covered or sticks out on the page as it is shown."""
    cut_off, sticks_out = page.evaluate("() => [measuring.cutOff(), measuring.sticksOut()]")
    return Faults(tuple(cut_off), tuple(sticks_out))


def clipped_texts(page: Page) -> list[str]:
    """Return the texts that end in an ellipsis."""
    found: list[str] = page.evaluate("() => measuring.clippedTexts()")
    return found


def shifts(page: Page) -> list[dict[str, Any]]:
    """Return the layout shifts since the last call: `value`, `at` in ms, and what `moved`."""
    found: list[dict[str, Any]] = page.evaluate("() => measuring.shifts()")
    return found


def ring_spread(page: Page) -> tuple[float, float]:
    """Return how far the corridors' slots spread, as shares of the ring's width and height; 1 where none lie."""
    width, height = page.evaluate("() => measuring.ringSpread()")
    return width, height


def numerals(page: Page) -> list[float]:
    """Return the font sizes, in px, of the counts, ranks and points that are shown large."""
    sizes: list[float] = page.evaluate("() => measuring.numerals()")
    return sizes


def cumulative_layout_shift(found: Sequence[dict[str, Any]]) -> float:
    """Return the largest sum of shifts within a session window."""
    largest = total = 0.0
    began = last = float("-inf")
    for shift in found:
        if shift["at"] - last > APART_MS or shift["at"] - began > LONGEST_MS:
            began, total = shift["at"], 0.0
        last, total = shift["at"], total + shift["value"]
        largest = max(largest, total)
    return largest


def settle(page: Page, version: int) -> None:
    """Wait until the page shows this version of the view, with its pictures."""
    page.wait_for_function(
        "(version) => Number(document.body.dataset.view) >= version"
        " && [...document.images].every((picture) => picture.complete)",
        arg=version,
    )
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def bare_classes(sheet: str) -> Iterator[str]:
    """Yield each class that a style sheet styles wherever it stands."""
    for rule in _RULE.finditer(_COMMENT.sub("", sheet)):
        for selector in rule[1].split(","):
            if found := _BARE.fullmatch(selector.strip()):
                yield found[1]
