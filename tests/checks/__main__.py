"""Print one line per fault of phrases, documents and file sizes; exit with status 1 if there are any.

`--write` updates `exceptions.txt` (number of given-up phrases left in each file) and `neutral.txt` (imports and
words of a game left in neutral files). No number in them may grow.
"""

from __future__ import annotations

import click

from tests.checks import documents, files, habits, neutral, phrases


@click.command()
@click.option("--write", is_flag=True, help="Write the present exceptions.")
def main(write: bool) -> None:
    """Check phrases and sizes of all files, and links, lengths and completeness of the documents."""
    if write:
        phrases.write_exceptions()
        neutral.write_list()
        habits.write_list()
    problems = [
        *phrases.problems(),
        *neutral.problems(),
        *habits.problems(),
        *documents.problems(),
        *files.large(),
        *files.long_modules(),
        *files.dense_lines(),
    ]
    for problem in problems:
        click.echo(problem, err=True)
    raise SystemExit(1 if problems else 0)


if __name__ == "__main__":
    main()
