"""Translations: one catalogue per language, and the extraction of English texts into them."""
