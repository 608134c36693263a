"""Check that the pinned libraries can be installed on every supported platform: `make platforms`.

pip resolves for another platform but evaluates markers for its own, so the markers are evaluated here first. Prints
a line a platform; ends with 1 where one does not resolve. Without a package index there is nothing to check.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent
PYTHON = "3.11"
_PATIENCE = 600
_LINUX = {"sys_platform": "linux", "os_name": "posix", "platform_system": "Linux"}
_MAC = {"sys_platform": "darwin", "os_name": "posix", "platform_system": "Darwin"}
PLATFORMS = {
    "Windows": (
        ["win_amd64"],
        {"sys_platform": "win32", "os_name": "nt", "platform_system": "Windows", "platform_machine": "AMD64"},
    ),
    "Intel Mac": (["macosx_13_0_x86_64"], {**_MAC, "platform_machine": "x86_64"}),
    "Apple Silicon": (["macosx_14_0_arm64"], {**_MAC, "platform_machine": "arm64"}),
    "Raspberry Pi OS, 64 bit": (
        [*(f"manylinux_2_{minor}_aarch64" for minor in range(36, 16, -1)), "manylinux2014_aarch64"],
        {**_LINUX, "platform_machine": "aarch64"},
    ),
    "Linux": (
        [*(f"manylinux_2_{minor}_x86_64" for minor in range(36, 16, -1)), "manylinux2014_x86_64"],
        {**_LINUX, "platform_machine": "x86_64"},
    ),
}  # fmt: skip # a table of platforms
"""Wheel tags, the best first, and the environment of markers."""


def applying(lines: list[str], environment: dict[str, str]) -> list[str]:
    """Return the requirements that apply in an environment, without their markers."""
    found = []
    for line in lines:
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({**environment, "python_version": PYTHON}):
            requirement.marker = None
            found.append(str(requirement))
    return found


def resolve(name: str) -> tuple[str, str]:
    """Resolve for one platform and return its name with "" or what stands in the way."""
    tags, environment = PLATFORMS[name]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        constraints = Path(folder) / "constraints.txt"
        constraints.write_text("\n".join(applying(pinned, environment)), encoding="utf-8")
        command = [
            sys.executable, "-m", "pip", "install", "--dry-run", "--quiet", "--disable-pip-version-check",
            "--ignore-installed", "--target", folder, "--only-binary=:all:", "--python-version", PYTHON,
            "--implementation", "cp", *(part for tag in tags for part in ("--platform", tag)),
            "-c", str(constraints), *applying(project["dependencies"], environment),
        ]  # fmt: skip # a table of platforms
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            click.echo(f"{name}: not resolved within {_PATIENCE} s, so not checked.")
            return name, ""
    problems = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
    return name, "" if done.returncode == 0 else "\n  ".join(problems or done.stderr.splitlines()[-3:])


def index_answers() -> bool:
    """Return whether there is a package index to ask."""
    asked = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        done = subprocess.run([*asked, folder, "click"], capture_output=True, timeout=_PATIENCE, check=False)
    return done.returncode == 0


@click.command()
def main() -> None:
    """Check that the pinned libraries can be installed on every supported platform."""
    if not index_answers():
        click.echo("No package index answers, so no platform was checked.")
        return
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(resolve, PLATFORMS))
    for name, problem in results:
        click.echo(f"{name}: {problem or 'resolves'}")
    raise SystemExit(int(any(problem for _, problem in results)))


if __name__ == "__main__":
    main()
