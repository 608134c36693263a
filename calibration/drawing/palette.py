"""Colours that all printed and rendered art shares: ink, vellum and gold."""

from __future__ import annotations

from typing import Final

INK: Final = "#14121a"
RAISED: Final = "#1f1c28"
VELLUM: Final = "#efe6d3"
PARCHMENT: Final = "#dccba4"
GOLD: Final = "#c9a45c"
DEEP_GOLD: Final = "#8a6a2c"
BRIGHT_GOLD: Final = "#f1d48e"
