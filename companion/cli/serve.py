"""`companion serve`: serve the table page, with the simulated table or a camera."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from companion.cli.cameras import PHONE, camera_options
from companion.cli.errors import Unusable
from companion.cli.frame_source import (
    FIRST_CAMERA,
    SIMULATED,
    SwitchableFeed,
    camera_feed,
    is_set_up,
    newest_profile,
    simulated_feed,
)
from companion.cli.web_listener import checked_public_address
from companion.games import GAMES, available

if TYPE_CHECKING:
    from flask import Flask

    from companion.cli.frame_source import FeedFactory
    from companion.table import Table
    from vision.cameras.phone import PhoneLink

_SWITCH_SECONDS = 0.001
"""Interpreter switch interval, s; short, because each tap passes through three threads."""


def _known_game(context: click.Context, parameter: click.Parameter, game: str) -> str:
    """Return the value of --game unchanged if it is the id of a game. Raises BadParameter for an unknown one."""
    if game not in available():
        raise click.BadParameter(f"There is no game “{game}”. Choose one of these: {', '.join(available())}.")
    return game


@click.command()
@click.option(
    "--camera",
    default=SIMULATED,
    show_default=True,
    metavar="0|URL|FILE|phone|sim",
    help="A camera's number, a stream's address, a video file, a phone's browser, or the simulated table.",
)
@click.option("--profile", default=None, metavar="NAME", help="The table's profile: a name or a folder.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--host", default="0.0.0.0", show_default=True, help="127.0.0.1 keeps it to this machine.")  # noqa: S104
@click.option("--tls", is_flag=True, help="Serve https with the companion's own certificate; a phone needs it.")
@click.option("--pair", is_flag=True, help="Require the host's code from this machine's browser, too.")
@click.option(
    "--proxy",
    multiple=True,
    metavar="ADDRESS",
    help="Address of a reverse proxy whose X-Forwarded headers are trusted; repeatable.",
)
@click.option(
    "--public-address",
    default=None,
    metavar="URL",
    callback=checked_public_address,
    help="Address of the page at the reverse proxy, for invitations.",
)
@camera_options
@click.option("--seed", default=None, type=int, metavar="N", help="Play the same simulated games again.")
@click.option(
    "--game",
    default=GAMES[0],
    show_default=True,
    metavar="|".join(GAMES),
    callback=_known_game,
    help="The game that is played.",
)
def serve(
    camera: str,
    profile: str | None,
    port: int,
    host: str,
    tls: bool,
    pair: bool,
    proxy: tuple[str, ...],
    public_address: str | None,
    size: tuple[int, int],
    automatic: bool,
    seed: int | None,
    game: str,
) -> None:
    """Serve the table page and watch the table."""
    from calibration.profile import home
    from companion.cli.profile_options import plain_errors
    from companion.cli.web_listener import home_lock, start_listening
    from companion.table import SavedGames, Table
    from vision.cameras.phone import PhoneLink

    if camera != SIMULATED and seed is not None:
        raise click.UsageError("--seed can be used only with the simulated table.")
    secure = tls or (public_address or "").startswith("https:")
    if camera == PHONE and not secure:
        raise click.UsageError("--camera phone needs --tls: browsers allow the camera on https pages only.")
    with plain_errors():
        lock = home_lock(home())
    click.get_current_context().with_resource(lock)
    # Where https is served, the page may choose a phone in the middle of a game.
    phone = PhoneLink() if secure else None
    if camera == SIMULATED:
        setup, make_feed = simulated_feed(profile, seed, game)
    else:
        setup, make_feed = camera_feed(camera, profile, game, size, automatic, phone)
    table = Table(SavedGames(home() / "games"), setup, game=game)
    try:
        app = _application(table, phone, not pair, polling=tls, proxies=frozenset(proxy))
        app.extensions["settings"] = dict(click.get_current_context().params)
        listener = start_listening(app, host, port, tls, public_address)
    except Unusable:
        table.close()
        raise
    signal.signal(signal.SIGTERM, _interrupt)
    sys.setswitchinterval(_SWITCH_SECONDS)
    feed = SwitchableFeed(table, make_feed)
    if camera == SIMULATED:
        table.use_simulation = lambda other: feed.use(other, lambda: simulated_feed(None, seed, other))
        table.use_camera = lambda other: _use_camera(
            table,
            feed,
            other,
            lambda: camera_feed(FIRST_CAMERA, newest_profile(), other, size, automatic, phone),
        )
        table.resume_camera = lambda other: _resume_camera(table, other)
    table.resume_unfinished()
    try:
        if phone is not None:
            phone.find_address = listener.phone_page
        listener.announce(phone if camera == PHONE else None)
        listener.announce_codes(app.extensions["access"])
        click.echo("Press Ctrl-C to stop. Every move is saved at once.")
        feed.start()
        listener.server.serve_forever()  # ends quietly when it is interrupted
    except KeyboardInterrupt:
        pass
    finally:
        listener.server.server_close()
        feed.close()
        table.close()
    click.echo("\nThe companion has stopped. Every move is saved.")


def _use_camera(table: Table, feed: SwitchableFeed, game: str, find: Callable[[], tuple[Any, FeedFactory]]) -> None:
    """Switch from the simulated table to a camera for a game. Raises `Refused` where that is impossible.

    find: returns the game's setup and the function that creates the camera's feed.
    """
    feed.use(game, find)
    table.use_camera, table.use_simulation = None, None


def _resume_camera(table: Table, game: str) -> None:
    """Switch to a camera for a resumed game if the table is set up for it; publish a notice where that fails."""
    from companion.table.views import Refused

    if table.use_camera is not None and is_set_up(game):
        try:
            table.use_camera(game)
        except Refused as refused:
            table.notice(str(refused))


def _application(
    table: Table, phone: PhoneLink | None, local_host: bool, *, polling: bool, proxies: frozenset[str]
) -> Flask:
    """Return the web application with its stored secret and roles. Raises Unusable if these cannot be stored.

    local_host: whether a browser on this machine is host without a code. polling: as in `create_app`. proxies:
    addresses of trusted reverse proxies.
    """
    from calibration.profile import home
    from companion.cli.web_listener import print_host_code
    from web.app import create_app
    from web.people.device_identification import kept_secret

    folder = home() / "web"
    try:
        secret = kept_secret(folder)
    except OSError as error:
        raise Unusable(
            f"Nothing can be saved in {folder} ({error.strerror or error}). Free some disk space, or set "
            "COMPANION_HOME to another folder."
        ) from None
    return create_app(
        table,
        secret=secret,
        phone=phone,
        people=folder / "people.json",
        local_host=local_host,
        polling=polling,
        proxies=proxies,
        announce=print_host_code,
    )


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt: a signal handler that acts as if Ctrl-C was pressed."""
    raise KeyboardInterrupt
