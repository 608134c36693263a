"""Converts journal entries of formats 1 and 2, from when this was the only game, to format 3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def upgraded(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decoded journal entry converted to format 3, as a copy; newer entries are copied unchanged."""
    new = dict(entry)
    stage = entry.get("stage")
    if isinstance(stage, dict) and "corridor" in stage:
        new["stage"] = _renamed(stage, {"corridor": "step"})
    if entry.get("type") == "started" and "deck" in entry:
        new["game"] = "wicked"
        new["setup"] = {name: new.pop(name) for name in ("deck", "seed") if name in new}
        if isinstance(seats := entry.get("seats"), list):
            new["seats"] = [_renamed(seat, {"colour": "figure"}) for seat in seats]
    return new


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """Return a JSON object with keys renamed; any other value unchanged. names: new key by old key."""
    return {names.get(key, key): each for key, each in value.items()} if isinstance(value, dict) else value
