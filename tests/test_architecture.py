"""No import runs upwards, and the rules of a game depend on nothing else."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def test_no_import_runs_upwards_or_in_a_circle():
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_import_the_standard_library_and_translatable_sentences_alone():
    code = (
        "import sys; before = set(sys.modules); import companion.games.wicked;"
        "new = {name for name in set(sys.modules) - before"
        " if name.split('.')[0] not in {*sys.stdlib_module_names, 'companion'}};"
        "print(*sorted(new))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["calibration", "calibration.translatable"]


def test_the_drawing_of_the_architecture_shows_the_imports_that_there_are():
    drawn, paths = drawing()
    imports = {
        (part, other)
        for part, folder in paths.items()
        for file in sorted((ROOT / folder.removesuffix("/GAME")).rglob("*.py"))
        if part == owner(file.relative_to(ROOT).as_posix(), paths)
        for module in re.findall(r"^\s*from ([\w.]+) import", file.read_text(encoding="utf-8"), re.MULTILINE)
        if (other := owner(module.replace(".", "/") + "/", paths)) not in (part, None)
    }
    registry = {(part, "adapters") for part in ("table", "director", "cli", "web")}
    assert drawn <= imports, f"drawn, not imported: {sorted(drawn - imports)}"
    reached = closure(drawn) | registry
    assert imports <= reached, f"imported, not drawn: {sorted(imports - reached)}"


def drawing() -> tuple[set[tuple[str, str]], dict[str, str]]:
    """Return the solid arrows of the drawing in docs/architecture.md, and the path of each of its nodes."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    chart = page.partition("flowchart BT\n")[2].partition("```")[0]
    paths = dict(re.findall(r'(\w+)\["([\w/]+)', chart))
    arrows = re.findall(r"^  (\w+).*? (?:-- \w+ )?--> (.+)$", chart, re.MULTILINE)
    return {(one, other) for one, ends in arrows for other in re.findall(r"(\w+)(?:\[.*?\])?", ends)}, paths


def owner(path: str, paths: dict[str, str]) -> str | None:
    """Return the node of the drawing that a file belongs to, the one with the longest path."""
    holders = [
        node for node, folder in paths.items() if re.match(folder.replace("GAME", r"\w+").rstrip("/") + "/", path)
    ]
    return max(holders, key=lambda node: len(paths[node]), default=None)


def closure(arrows: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return all pairs of nodes of which arrows lead from the one to the other."""
    reached = set(arrows)
    while more := {(a, d) for a, b in reached for c, d in arrows if b == c} - reached:
        reached |= more
    return reached
