"""Rounds numbers for output."""

from __future__ import annotations

from typing import Any


def rounded(value: Any) -> Any:
    """Return a JSON value with every float in it rounded to four decimals."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    return [rounded(entry) for entry in value] if isinstance(value, list) else value
