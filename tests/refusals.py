"""Expect that a table refuses a command."""

from __future__ import annotations

import pytest

from companion.table.views import Refused


def refused(code: str, line: str | None = None) -> pytest.RaisesExc[Refused]:
    """Return a context manager in which a refusal with this code has to be raised. line: regular expression."""
    return pytest.RaisesExc(Refused, match=line, check=lambda error: error.code == code)
