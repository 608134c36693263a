"""The house has floors: no import runs upwards, and every module stays small enough to read in one sitting."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("companion", "vision", "calibration", "models", "web", "tests")


def test_no_import_runs_upwards_or_in_a_circle():
    lint_imports = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([lint_imports, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_rules_import_the_standard_library_and_the_wording_of_sentences_alone():
    code = (
        "import sys; before = set(sys.modules); import companion.games.wicked;"
        "new = {name for name in set(sys.modules) - before"
        " if name.split('.')[0] not in {*sys.stdlib_module_names, 'companion'}};"
        "print(*sorted(new))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["calibration", "calibration.wording"]


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".js", ".css"} and "vendor" not in path.parts
    ],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_a_module_fits_in_one_sitting(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 420
