"""What a page may get wrong in its layout: parts that stick out, actions that are cut off or covered, and shifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      const named = ({ node, previousRect: from, currentRect: to }) => {
        const name = !node ? "?" : node.nodeType === 1 ? `${node.tagName}.${node.className}` : `text of .${node.parentElement?.className}`;
        return `${name} [${from.x} ${from.y} ${from.width} ${from.height} → ${to.x} ${to.y} ${to.width} ${to.height}]`;
      };
      window.shifts.push({ value: entry.value, at: entry.startTime, moved: entry.sources.map(named) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}"""
"""Run in a page before its own scripts: notes every layout shift that no input of a person brought about."""

_CUT_OFF = """() => {
  const actions = ".doing button, .doing a, .dock button, .dock a, .top a, .top button, .row-seat .choose, dialog[open] footer button";
  const scrolled = innerWidth <= 720 ? ".row-seat .choose, .director *, .picture *" : ".none";
  return [...document.querySelectorAll(actions)].filter((node) => node.checkVisibility() && !node.matches(scrolled)).flatMap((node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    const name = `${node.className} “${node.textContent.trim().slice(0, 24)}”`;
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) return [`${name} is cut off`];
    const points = [[(left + right) / 2, (top + bottom) / 2], [left + 6, top + 6], [right - 6, top + 6], [left + 6, bottom - 6], [right - 6, bottom - 6]];
    const hit = ([x, y]) => { const found = document.elementFromPoint(x, y); return found && (node.contains(found) || found.contains(node) && found.closest("button, a") === null && getComputedStyle(node).borderRadius !== "0px"); };
    return points.slice(0, 1).every(hit) && points.slice(1).filter(hit).length >= 2 ? [] : [`${name} is covered`];
  });
}"""
"""What has to be tapped and cannot be: outside the window without scrolling, or under something else."""

_STICKS_OUT = """() => {
  const page = document.documentElement;
  const found = page.scrollWidth > page.clientWidth ? [`the page is ${page.scrollWidth} px wide`] : [];
  const boxes = "dialog, .panel, .row-seat, .ledger, .board:not(.me-side), .proposal, .button, .hand, .stepper, .doing, .dock, .top, .lamp, .to-do, .shown-pieces, .summary, .last-result, .gains";
  for (const node of document.querySelectorAll(boxes)) {
    if (!node.checkVisibility()) continue;
    if (node.scrollWidth > node.clientWidth + 1) found.push(`${node.className} sticks out sideways`);
    if (node.scrollHeight > node.clientHeight + 2 && !["auto", "scroll"].includes(getComputedStyle(node).overflowY) && !node.matches(".doing, .button, .lamp")) found.push(`${node.className} is cut off below`);
  }
  return found;
}"""

_CLIPPED_TEXT = """() => [...document.querySelectorAll("main *, header *")].filter((node) =>
  getComputedStyle(node).textOverflow === "ellipsis" && node.scrollWidth > node.clientWidth).map((node) => node.textContent)"""


@dataclass(frozen=True)
class Faults:
    """What is wrong with one view on one screen, each in words."""

    cut_off: tuple[str, ...]
    sticks_out: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.cut_off or self.sticks_out)


def faults(page: Page) -> Faults:
    """Return what is cut off, covered or sticks out on the page as it is shown."""
    return Faults(tuple(page.evaluate(_CUT_OFF)), tuple(page.evaluate(_STICKS_OUT)))


def clipped_texts(page: Page) -> list[str]:
    """Return the texts that end in an ellipsis."""
    found: list[str] = page.evaluate(_CLIPPED_TEXT)
    return found


def shifts(page: Page) -> list[dict[str, Any]]:
    """Return the layout shifts since the last call: `value`, `at` in ms, and what `moved`."""
    found: list[dict[str, Any]] = page.evaluate("() => window.shifts.splice(0)")
    return found


def cumulative_layout_shift(found: list[dict[str, Any]]) -> float:
    """Return the largest sum of a session window: shifts at most 1 s apart, within 5 s (web.dev/cls)."""
    largest = total = 0.0
    began = last = -1e9
    for shift in found:
        if shift["at"] - last > 1000 or shift["at"] - began > 5000:
            began, total = shift["at"], 0.0
        last, total = shift["at"], total + shift["value"]
        largest = max(largest, total)
    return largest


def settle(page: Page, version: int) -> None:
    """Wait until the page shows this version of the view, with its pictures."""
    page.wait_for_function("(version) => Number(document.body.dataset.view) >= version", arg=version)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_function("() => [...document.images].every((picture) => picture.complete)")
