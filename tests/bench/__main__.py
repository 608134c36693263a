"""Run every benchmark, one after another: `python -m tests.bench [NAME...]`."""

import importlib

import click

BENCHMARKS = {
    "games": "play.games",
    "adviser": "play.adviser",
    "master": "play.master",
    "turns": "turns.certainty",
    "simulated": "play.simulated",
    "reading": "reading.reveals",
    "maze": "reading.maze",
    "speed": "reading.speed",
    "table": "reading.table",
    "confirming": "reading.confirming",
    "health": "reading.health",
    "idle": "reading.idle",
    "screens": "page.screens",
    "turn_screens": "page.turn_screens",
    "load": "page.load",
    "page": "page.layout",
    "taps": "play.taps",
    "showme": "page.showme",
}
"""Modules by name, in the order in which they run."""


@click.command()
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(list(BENCHMARKS)))
def main(names: tuple[str, ...]) -> None:
    """Print each benchmark's lines under its name; all of them where none is named."""
    for name in names or BENCHMARKS:
        print(f"\n{name}", flush=True)
        importlib.import_module(f"tests.bench.{BENCHMARKS[name]}").main()


if __name__ == "__main__":
    main()
