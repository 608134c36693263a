"""Run every benchmark, one after another: `python -m tests.bench [NAME...]`."""

import importlib
import sys

BENCHMARKS = (
    "games", "adviser", "master", "turns", "simulated", "reading", "maze", "speed", "table", "confirming", "health",
    "idle", "screens", "turn_screens", "load", "page", "taps", "showme",
)  # fmt: skip # a list of names


def main() -> None:
    """Print each benchmark's lines under its name."""
    for name in sys.argv[1:] or BENCHMARKS:
        print(f"\n{name}", flush=True)
        importlib.import_module(f"tests.bench.{name}").main()


if __name__ == "__main__":
    main()
