"""Print what is wrong with words and documents, one line each; exit with 1 where anything is.

`--write` brings `exceptions.txt` up to date: the phrases that old files still contain. No number in it may grow.
"""

from __future__ import annotations

import click

from tests.checks import documents, files, phrases


@click.command()
@click.option("--write", is_flag=True, help="Write the present exceptions.")
def main(write: bool) -> None:
    """Check the phrases and sizes of all files, and the links, lengths and completeness of the documents."""
    if write:
        phrases.write_exceptions()
    problems = [*phrases.problems(), *documents.problems(), *files.large()]
    for problem in problems:
        click.echo(problem, err=True)
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
