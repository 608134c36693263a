"""A companion in a process of its own, for tests that end it: no camera, and it goes on with its game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from companion.games.wicked.standin_deck import STANDIN
from companion.table import SavedGames, Table
from web import create_app
from web.serving.server_startup import listen


def main(folder: str, port: str) -> None:
    """Serve the games of a folder on a port; say which one once it listens."""
    table = Table(SavedGames(Path(folder)), STANDIN)
    table.resume_unfinished()
    server = listen(create_app(table, secret="of a test"), "127.0.0.1", int(port))
    print(server.port, flush=True)
    server.serve_forever()


def port_of(process: subprocess.Popen[str]) -> int:
    """Return the port on which a companion listens, once it does."""
    assert process.stdout is not None
    return int(process.stdout.readline())


if __name__ == "__main__":
    main(*sys.argv[1:])
