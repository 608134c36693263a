"""Short codes that people read from one screen and type into another."""

from __future__ import annotations

import hmac
import secrets

_LETTERS = "CDFGHJKMNPQRTVWXY34679"
"""No vowels, so that no word comes about, and nothing that is taken for something else."""
TABLE_CODE = 5
"""Letters of the code that lets somebody take a seat: five million of them."""
HOST_CODE = 8
"""Letters of the code that makes a device a host: fifty thousand million of them."""


def new_code(length: int) -> str:
    """Make a code of so many letters."""
    return "".join(secrets.choice(_LETTERS) for _ in range(length))


def same_code(code: str, typed: str) -> bool:
    """Tell whether somebody typed this code, in small or capital letters, in groups or not."""
    plain = "".join(typed.upper().replace("-", " ").split())
    return hmac.compare_digest(code.encode(), plain.encode())


def in_groups(code: str) -> str:
    """Write a long code so that it can be read aloud."""
    return code if len(code) < 6 else f"{code[: len(code) // 2]}-{code[len(code) // 2 :]}"
