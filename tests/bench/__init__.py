"""Benchmarks: `make bench` prints the figures that the README states. Nothing here is a test."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in play, see `companion`
