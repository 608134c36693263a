"""Printable sheets of the whole game, on A4 and on A3, to be printed at 100 %."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from calibration.drawing.pdf import A3, A4
from calibration.games.master.printable_sheets import SetContents, set_pdf
from companion.games.master.components import COLOURS, FORMULAS, LOOSE_TILES, TOKENS, WANDS

CONTENTS: Final = SetContents(LOOSE_TILES, TOKENS, WANDS * len(COLOURS), FORMULAS)
"""Components that the sheets contain."""
SHEETS: Final[Mapping[str, Callable[[], bytes]]] = {
    "master": cache(lambda: set_pdf(A4, CONTENTS)),
    "master-a3": cache(lambda: set_pdf(A3, CONTENTS)),
}
"""Function that returns the PDF of each set of sheets, by its name."""
