"""Training and evaluation of the shipped networks and probabilities: synthetic scenes, fitting, measurements."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in play, see `companion`
