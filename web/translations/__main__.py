"""Bring the catalogues up to date with what is said: `python -m web.translations`; then translate what it lists."""

from __future__ import annotations

import sys

from web.languages import languages
from web.translations.upkeep import said, unsaid, update


def main() -> int:
    """Update every catalogue and list what is not translated yet. Returns 1 where something is not."""
    found = said()
    open_texts = 0
    for language in languages():
        update(language, found)
        missing = unsaid(language, found)
        open_texts += len(missing)
        for text in missing:
            print(f"{language}: {text}")
    print(f"{len(found)} texts; {open_texts} translations are missing.")
    return 1 if open_texts else 0


if __name__ == "__main__":
    sys.exit(main())
