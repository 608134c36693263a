"""Everything that makes what the readers have learned: scenes, fitting and evaluation."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in play, see `companion`
