"""`companion serve`: the table page, with the simulated table or a camera."""

from __future__ import annotations

import signal
import sys
from types import FrameType
from typing import TYPE_CHECKING, Protocol

import click

from companion.cli.cameras import PHONE, camera_options
from companion.cli.errors import Unusable

if TYPE_CHECKING:
    from flask import Flask

    from calibration.profile import TableProfile
    from companion.games.wicked.components import Deck
    from companion.table import Table
    from companion.table.cameras import Cameras
    from companion.table.eyes import Readers
    from vision.cameras.phone import PhoneLink

SIMULATED = "sim"
_SWITCH_SECONDS = 0.001
"""For which a thread computes while others wait: a tap passes through three threads, and each waits its turn."""


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
    metavar="0|URL|FILE|phone|sim",
    help="A camera's number, a stream's address, a video file, a phone's browser, or the simulated table.",
)
@click.option("--profile", default=None, metavar="NAME", help="The table's profile, a name or a folder.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1 keeps it to this machine.")  # noqa: S104
@click.option("--tls", is_flag=True, help="Serve https with the companion's own certificate; a phone needs it.")
@click.option("--pair", is_flag=True, help="This machine's own browser needs the host's code, too.")
@click.option(
    "--proxy",
    multiple=True,
    metavar="ADDRESS",
    help="A proxy in front whose X-Forwarded headers are believed; may be given more than once.",
)
@camera_options
@click.option("--seed", default=None, type=int, metavar="N", help="Plays the same simulated games again.")
def serve(
    camera: str,
    profile: str | None,
    port: int,
    host: str,
    tls: bool,
    pair: bool,
    proxy: tuple[str, ...],
    size: tuple[int, int],
    automatic: bool,
    seed: int | None,
) -> None:
    """Serve the table page and watch the table."""
    from calibration.profile import home
    from companion.cli.serving import home_lock, listening
    from companion.table import SavedGames, Table
    from vision.cameras.phone import PhoneLink

    if camera != SIMULATED and seed is not None:
        raise click.UsageError("--seed is for the simulated table only.")
    if camera == PHONE and not tls:
        raise click.UsageError("--camera phone needs --tls: browsers give their camera to https pages only.")
    click.get_current_context().with_resource(home_lock(home()))
    # Where https is served, the page may choose a phone in mid-evening.
    phone = PhoneLink() if tls and camera != SIMULATED else None
    if camera == SIMULATED:
        deck, watch = _simulated(profile, seed)
    else:
        deck, watch = _watched(camera, profile, size, automatic, phone)
    table = Table(SavedGames(home() / "games"), deck)
    try:
        app = _application(table, phone, not pair, polling=tls, proxies=frozenset(proxy))
        app.extensions["settings"] = dict(click.get_current_context().params)
        listener = listening(app, host, port, tls)
    except Unusable:
        table.close()
        raise
    table.resume_unfinished()
    signal.signal(signal.SIGTERM, _interrupt)
    sys.setswitchinterval(_SWITCH_SECONDS)
    running = watch(table)
    try:
        if phone is not None:
            phone.address = listener.phone_page
        listener.announce(phone if camera == PHONE else None)
        listener.let_in(app.extensions["door"])
        click.echo("Ctrl-C ends it; every move is saved at once.")
        running.start()
        listener.server.serve_forever()  # ends quietly when it is interrupted
    except KeyboardInterrupt:
        pass
    finally:
        listener.server.server_close()
        running.close()
        table.close()
    click.echo("\nThe companion has ended. Every move is saved.")


def _application(
    table: Table, phone: PhoneLink | None, local_host: bool, *, polling: bool, proxies: frozenset[str]
) -> Flask:
    """Make the application with what it keeps between runs. Raises Unusable where that cannot be kept."""
    from calibration.profile import home
    from companion.cli.serving import tell_code
    from web.app import create_app
    from web.devices import kept_secret

    folder = home() / "web"
    try:
        secret = kept_secret(folder)
    except OSError as error:
        raise Unusable(
            f"Nothing can be kept in {folder} ({error.strerror or error}). Make room there, or set COMPANION_HOME "
            "to another folder."
        ) from None
    return create_app(
        table,
        secret=secret,
        phone=phone,
        people=folder / "people.json",
        local_host=local_host,
        polling=polling,
        proxies=proxies,
        announce=tell_code,
    )


class Watch(Protocol):
    """Puts a camera to a table."""

    def __call__(self, table: Table) -> Running:
        """Make what looks at the table; it does not look yet."""
        ...


def _simulated(profile: str | None, seed: int | None) -> tuple[Deck, Watch]:
    from companion.games.wicked.standin import STANDIN

    if profile is not None:
        _refuse_a_real_table(profile)

    def watch(table: Table) -> Running:
        from companion.director.simulation import PROFILE, Simulation

        return Simulation(table, STANDIN, seed, profile or PROFILE)

    return STANDIN, watch


def _refuse_a_real_table(profile: str) -> None:
    """Raise Unusable for a profile that somebody taught: the simulated table would teach it anew, as itself."""
    from calibration.errors import TeachError
    from calibration.profile import exists
    from companion.director.furnishing import taught_from_simulation

    try:
        real = exists(profile) and not taught_from_simulation(profile)
    except TeachError as error:
        raise Unusable(str(error)) from None
    if real:
        raise Unusable(
            f"{profile} is a real table's profile, which the simulated one would overwrite: name its camera with "
            "--camera, or leave --profile out."
        )


def _watched(
    named: str, name: str | None, size: tuple[int, int], automatic: bool, phone: PhoneLink | None
) -> tuple[Deck, Watch]:
    from calibration.errors import TeachError
    from calibration.profile import TableProfile, exists, folder_of
    from companion.table.cameras import OTHER_CAMERA, Cameras
    from companion.table.enrolled import rules_deck
    from companion.table.teacher import Teacher
    from companion.table.watching import Watching, readers_for
    from vision.cameras.frame import CameraError
    from vision.cameras.sources import camera_source

    if name is None:
        raise click.UsageError(
            "A camera needs --profile NAME: the table that was taught with `companion calibrate`."
        )
    try:
        cameras = Cameras(
            folder_of(name),
            named,
            lambda other, identity: camera_source(
                other, size=size, steady=not automatic, phone=phone, identity=identity
            ),
            phone=phone,
        )
        opener, patience = cameras.opened()
        profile = TableProfile.load(name) if exists(name) else TableProfile(_SEATS)
    except (TeachError, CameraError) as error:
        raise Unusable(str(error)) from None
    _tell_of_permission(named)
    readers = _readers(profile, cameras, name)

    def watch(table: Table) -> Running:
        table.teacher = Teacher(table, name, readers_for, cameras)
        if profile.plane is not None and not cameras.fit(profile.plane):
            table.equip(None, OTHER_CAMERA)
        if phone is not None:
            phone.lens_changed = table.teacher.lens_changed
        table.seating.known, table.seating.keep = profile.seatings, table.teacher.keep_seating
        cameras.retina = watching = Watching(table, opener, readers, patience)
        return watching

    return rules_deck(profile), watch


_SEATS = 4


def _tell_of_permission(named: str) -> None:
    """Print a line where the system does not let this user open the camera."""
    from vision.cameras.permission import denied, device_path, why_not_opened

    if not (named.isdigit() or named.startswith("/dev/")):
        return
    device = int(named) if named.isdigit() else named
    path = device_path(device)
    if denied(None if path is None else str(path)):
        click.echo(why_not_opened(device, named))


def _readers(profile: TableProfile, cameras: Cameras, name: str) -> Readers | None:
    """Give what the table is read with, or None and a line about what its page has to be shown first."""
    from calibration.errors import TeachError
    from calibration.profile import exists
    from companion.table.cameras import OTHER_CAMERA
    from companion.table.teaching import for_screens
    from companion.table.watching import readers_for

    if profile.plane is None:
        begun = (
            "The table is not found yet" if exists(name) else f"There is no profile {name}, so a new one is begun"
        )
        click.echo(f"{begun}: open the page, choose Camera, and show it the calibration sheet.")
        return None
    if not cameras.fit(profile.plane):
        click.echo(f"{OTHER_CAMERA} Open the page and choose Camera.")
        return None
    try:
        return readers_for(profile)
    except TeachError as error:
        click.echo(f"{for_screens(str(error))} Open the page and choose Camera.")
        return None


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
