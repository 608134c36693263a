"""Print docstrings and module names drawn at random: `python -m tests.checks.sample --seed 1`.

A reader who knows Python but not the project explains each; what they do not understand has to be reworded.
"""

from __future__ import annotations

import ast
import random
from pathlib import Path

import click

from tests.checks.files import ROOT, relative, written

_PACKAGES = ("calibration", "vision", "companion", "web", "models")
"""Packages that are sampled unless others are named."""


@click.command()
@click.option("--seed", default=1, show_default=True, help="The same seed draws the same sample.")
@click.option("--number", default=40, show_default=True, help="Docstrings, and as many module names.")
@click.argument("packages", nargs=-1)
def main(seed: int, number: int, packages: tuple[str, ...]) -> None:
    """Print functions without their code, then module names without their contents, of PACKAGES."""
    roots = tuple(f"{package.rstrip('/')}/" for package in packages or _PACKAGES)
    modules = [path for path in written() if path.suffix == ".py" and relative(path).startswith(roots)]
    docstrings = [docstring for path in modules for docstring in _docstrings(path)]
    names = [relative(path) for path in modules if path.stem not in ("__init__", "__main__")]
    rng = random.Random(seed)
    click.echo(f"seed {seed}: {number} of {len(docstrings)} docstrings, {number} of {len(names)} module names")
    for line in sorted(rng.sample(docstrings, min(number, len(docstrings)))):
        click.echo(f"  {line}")
    for name in sorted(rng.sample(names, min(number, len(names)))):
        click.echo(f"  {name}")


def _docstrings(path: Path) -> list[str]:
    """Return each function's signature, after its module and class, with its whole docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    place = path.relative_to(ROOT).with_suffix("").as_posix()
    owners: list[tuple[ast.Module | ast.ClassDef, str]] = [(tree, "")]
    owners += ((node, f"{node.name}.") for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return [
        f"{place} {owner}{node.name}({ast.unparse(node.args)}): {text}"
        for parent, owner in owners
        for node in parent.body
        if isinstance(node, ast.FunctionDef) and (text := ast.get_docstring(node))
    ]


if __name__ == "__main__":
    main()
