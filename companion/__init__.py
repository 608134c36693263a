"""The companion of a physical board game: rules, session, referee, the running table and the commands."""

import os

# Products of matrices are small here: threads for them would mostly wait for one another, in busy loops that take
# the cores from the threads that read. It must be said before NumPy is imported for the first time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

__version__ = "0.1.0"
