"""`companion serve`: the table page, with the simulated table or a camera."""

from __future__ import annotations

import signal
import socket
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import click

from companion.cli.errors import Unusable

if TYPE_CHECKING:
    from companion.games.wicked.components import Deck
    from companion.table import Table

SIMULATED = "sim"


class Running(Protocol):
    """What looks at the table, whichever camera it is."""

    def start(self) -> None:
        """Begin to look."""
        ...

    def close(self) -> None:
        """Stop looking."""
        ...


@click.command()
@click.option(
    "--camera",
    default=SIMULATED,
    show_default=True,
    metavar="0|URL|FILE|sim",
    help="A camera's number, a stream's address, a video file, or the simulated table.",
)
@click.option("--profile", default=None, metavar="NAME", help="The table's profile, a name or a folder.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1 keeps it to this machine.")  # noqa: S104
@click.option("--seed", default=None, type=int, metavar="N", help="Plays the same simulated games again.")
def serve(camera: str, profile: str | None, port: int, host: str, seed: int | None) -> None:
    """Serve the table page and watch the table."""
    from calibration.profile import home
    from companion.table import Library, Table
    from web.app import create_app
    from web.server import PortTakenError, listen

    if camera != SIMULATED and seed is not None:
        raise click.UsageError("--seed is for the simulated table only.")
    deck, watch = _simulated(profile, seed) if camera == SIMULATED else _watched(camera, profile)
    table = Table(Library(home() / "games"), deck)
    try:
        server = listen(create_app(table), host, port)
    except PortTakenError as error:
        table.close()
        raise Unusable(error.strerror or str(error)) from None
    except OSError as error:
        table.close()
        raise Unusable(f"{host} cannot be listened on ({error.strerror}). Take another: --host 0.0.0.0") from None
    table.resume_unfinished()
    signal.signal(signal.SIGTERM, _interrupt)
    running = watch(table)
    try:
        _announce(host, server.port)
        running.start()
        server.serve_forever()  # ends quietly when it is interrupted
    except KeyboardInterrupt:
        pass
    finally:
        server.server_close()
        running.close()
        table.close()
    click.echo("\nThe companion has ended. Every move is saved.")


class Watch(Protocol):
    """Puts a camera to a table."""

    def __call__(self, table: Table) -> Running:
        """Make what looks at the table; it does not look yet."""
        ...


def _simulated(profile: str | None, seed: int | None) -> tuple[Deck, Watch]:
    from companion.games.wicked.standin import STANDIN

    def watch(table: Table) -> Running:
        from companion.director.simulation import PROFILE, Simulation

        return Simulation(table, STANDIN, seed, profile or PROFILE)

    return STANDIN, watch


def _watched(camera: str, name: str | None) -> tuple[Deck, Watch]:
    from calibration.errors import TeachError
    from calibration.profile import TableProfile
    from companion.table.enrolled import deck_of
    from companion.table.watching import Watching, camera_opener, readers_for

    if name is None:
        raise click.UsageError(
            "A camera needs --profile NAME: the table that was taught with `companion calibrate`."
        )
    try:
        profile = TableProfile.load(name)
        if profile.deck is None:
            raise Unusable(f"The profile {name} has no cards yet: teach them with `companion enrol card`.")
        deck, readers = deck_of(profile.deck), readers_for(profile)
    except (TeachError, ValueError) as error:
        raise Unusable(str(error)) from None

    def watch(table: Table) -> Running:
        return Watching(table, camera_opener(camera), readers)

    return deck, watch


def _announce(host: str, port: int) -> None:
    """Print where the page is, for this machine and, with a QR code, for the others of the network."""
    import segno

    click.echo(f"The table page: http://localhost:{port}")
    lan = _lan_address() if host in ("0.0.0.0", "::") else None  # noqa: S104
    if lan is not None:
        address = f"http://{lan}:{port}"
        click.echo(f"For tablets and phones of this network: {address}")
        segno.make(address, error="m").terminal(compact=True)
    click.echo("Ctrl-C ends it; every move is saved at once.")


def _lan_address() -> str | None:
    """Find this machine's address in its network; nothing is sent for that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if address.startswith("127.") else address


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
