"""Short codes that people read from one screen and type into another."""

from __future__ import annotations

import hmac
import secrets

_LETTERS = "CDFGHJKMNPQRTVWXY34679"
"""Without vowels, so that no word appears, and without characters that resemble another."""
TABLE_CODE_LENGTH = 5
"""Letters of the code for taking a seat: 5 million codes."""
HOST_CODE_LENGTH = 8
"""Letters of the code for becoming host: 55 billion codes."""


def new_code(length: int) -> str:
    """Return a random code of this many letters."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def same_code(code: str, typed: str) -> bool:
    """Return whether a typed text is this code, regardless of case, spaces and hyphens; in constant time."""
    plain = "".join(typed.upper().replace("-", " ").split())
    return hmac.compare_digest(code.encode(), plain.encode())


def in_groups(code: str) -> str:
    """Return a code with a hyphen in the middle, for reading aloud."""
    return code if len(code) < 6 else f"{code[: len(code) // 2]}-{code[len(code) // 2 :]}"
