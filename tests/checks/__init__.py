"""Checks of phrases, documents and file sizes that `make check` runs: `python -m tests.checks`; no tests."""
