"""Reads the picture files of commands, without the messages of the libraries that decode them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from calibration.files import picture_files
from calibration.plane import Image


def read_picture(path: Path) -> Image:
    """Return the picture in a file, as `calibration.files.picture_files.read_picture` does."""
    with decoder_messages_discarded():
        return picture_files.read_picture(path)


@contextmanager
def decoder_messages_discarded() -> Iterator[None]:
    """Discard what C libraries print on standard error inside the block; the exception raised says it in one line.

    The redirection holds for the whole process: only for commands, in which no other thread prints meanwhile.
    """
    try:
        standard_error = os.dup(2)
    except OSError:  # closed
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(standard_error, 2)
        os.close(standard_error)
