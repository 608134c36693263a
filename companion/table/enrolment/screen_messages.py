"""Adapts error messages and advice of package `calibration`, written for the command line, to screens. Pure."""

from __future__ import annotations

import re

from calibration import translatable


def as_shown_on_screens(line: str) -> str:
    """Return a message of package `calibration` as screens show it: seats from 1, no command-line hints."""
    text = re.sub(r": run `companion [^`]*`(?: first)?", ": do that on this page first", line)
    text = re.sub(r" \([^()]*--\w+\)|, (?:or|then) [^,:.()]* with --\w+(?: and --\w+)*", "", text)
    text = re.sub(r"\bseat (\d)\b", lambda found: f"seat {int(found[1]) + 1}", text)
    # The catalogues have translations of this translatable.
    return line.with_english(text) if isinstance(line, translatable.Line) else text
