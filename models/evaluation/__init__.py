"""Evaluation of the companion on data that is in no training set: `make eval` (`python -m models.evaluation`).

It imports every other package, because it evaluates them together: readers, commands, and the referee with the
rules.
"""

from pathlib import Path
from typing import Final

RESULTS_FOLDER: Final = Path(__file__).parents[1] / "results"
"""Folder of the committed results."""
