"""Update the catalogues from the sources and list missing translations: `python -m web.translations`."""

from __future__ import annotations

import click

from web.languages import languages
from web.translations.extraction import extracted, untranslated, update


@click.command()
def main() -> None:
    """Update every catalogue and list its missing translations; exit with 1 if there are any."""
    texts = extracted()
    missing_count = 0
    for language in languages():
        update(language, texts)
        missing = untranslated(language, texts)
        missing_count += len(missing)
        for text in missing:
            click.echo(f"{language}: {text}")
    click.echo(f"{len(texts)} texts; {missing_count} translations are missing.")
    raise SystemExit(1 if missing_count else 0)


if __name__ == "__main__":
    main()
