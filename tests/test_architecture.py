"""No import runs upwards, and the rules of a game depend on nothing else."""

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
