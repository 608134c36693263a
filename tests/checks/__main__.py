"""Print what is wrong with words and documents, one line each; exit with 1 where anything is."""

from __future__ import annotations

import click

from tests.checks import documents, error_lines, files, habits, neutral, phrases


@click.command()
def main() -> None:
    """Check the phrases and sizes of all files, the habits of tests, and the documents."""
    problems = [
        *phrases.problems(),
        *neutral.problems(),
        *habits.problems(),
        *documents.problems(),
        *error_lines.problems(),
        *files.large(),
        *files.long_modules(),
        *files.dense_lines(),
    ]
    for problem in problems:
        click.echo(problem, err=True)
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
