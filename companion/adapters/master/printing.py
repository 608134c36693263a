"""Sheets to print at 100 %: the whole set for A4, and for A3."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from calibration.drawing.pdf import A3, A4
from calibration.games.master.printable_sheets import SetContents, set_pdf
from companion.games.master.components import COLOURS, FORMULAS, LOOSE_TILES, TOKENS, WANDS

CONTENTS: Final = SetContents(LOOSE_TILES, TOKENS, WANDS * len(COLOURS), FORMULAS)
"""What is in the box."""
SHEETS: Final[Mapping[str, Callable[[], bytes]]] = {
    "master": cache(lambda: set_pdf(A4, CONTENTS)),
    "master-a3": cache(lambda: set_pdf(A3, CONTENTS)),
}
"""What makes the PDF of each sheet, by name."""
