"""The source of frames for the table of `companion serve`: the simulated table, or a camera."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import click

from calibration.translatable import say
from companion.cli.errors import Unusable

if TYPE_CHECKING:
    from calibration.profile import TableProfile
    from companion.table import Table
    from companion.table.enrolment.camera_choice import Cameras
    from companion.table.reading.frame_reader import Readers
    from vision.cameras.phone import PhoneLink

SIMULATED = "sim"
"""Name of the simulated table's camera."""
_SEATS = 4
"""Seats of a new profile."""
FIRST_CAMERA = "0"
"""Name of the camera that the page switches to."""
NEW_PROFILE = "table"
"""Name of the profile that is created when the page selects a camera and no table was set up before."""


class TableFeed(Protocol):
    """A source that feeds frames to a table: the simulated table or a camera."""

    def start(self) -> None:
        """Start feeding frames."""
        ...

    def close(self) -> None:
        """Stop; the table stays open."""
        ...


class ByHand:
    """Feed of a table without a camera: the game is entered by hand."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def start(self) -> None:
        """Set the camera status that screens show: no camera."""
        from vision.cameras.grabber import GrabStatus

        self._table.update_camera_status(GrabStatus("closed", say("No camera reads this game.")))

    def close(self) -> None:
        """Do nothing: nothing was started."""


FeedFactory = Callable[["Table"], TableFeed]
"""Function that creates the feed of a table, not started yet."""


class SwitchableFeed:
    """The feed of a table, which can be switched from the simulation to a camera. Callable from any thread."""

    def __init__(self, table: Table, make: FeedFactory) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._started = False
        self._feed = make(table)

    def start(self) -> None:
        """Start feeding frames."""
        with self._lock:
            self._started = True
            self._feed.start()

    def close(self) -> None:
        """Stop feeding frames."""
        with self._lock:
            self._feed.close()

    def use(self, game: str, find: Callable[[], tuple[Any, FeedFactory]]) -> None:
        """Replace the simulation by another feed, with a new game's setup. Raises `Refused`.

        The new feed runs from `start` on, as the simulation would have. game: id of the game to switch to. find:
        returns the game's setup and the function that creates the feed. Does nothing if a camera is in use.
        """
        from companion.table.views import Refused

        with self._lock:
            if self._table.director is None:
                return
            try:
                components, make = find()
            except Unusable as error:
                raise Refused("not_now", str(error)) from None
            self._feed.close()
            self._remove_simulation()
            self._feed = make(self._table)
            # After the director has come or gone: it decides whether the frames are those of the game's table.
            self._table.switch_game(game, components)
            if self._started:
                self._feed.start()
            self._table.publish()

    def _remove_simulation(self) -> None:
        """Detach the simulation's director, enrolment and frame reader from the table."""
        from vision.cameras.grabber import GrabStatus

        table = self._table
        table.director, table.enrolment = None, None
        table.seating.laid_evenly = False
        table.set_reader(None)
        table.update_camera_status(GrabStatus("starting", say("The camera is being prepared.")))


def can_read_with_camera(game: str) -> bool:
    """Return whether a game can be read with a camera; if not, it is entered by hand only."""
    from companion.adapters import adapter

    return adapter(game).has_readers


def is_set_up(game: str) -> bool:
    """Return whether a camera can read a game at once: with a real table's profile, or where it needs none."""
    from calibration.profile import exists
    from companion.adapters import adapter

    return can_read_with_camera(game) and (not adapter(game).calibrated or exists(newest_profile()))


def newest_profile() -> str:
    """Return the name of the real table's profile that was saved last, or NEW_PROFILE if there is none."""
    from calibration.profile import home
    from calibration.simulated_profile_mark import is_simulated

    found = [path.parent for path in (home() / "profiles").glob("*/profile.json")]
    real = [folder for folder in found if _is_name(folder.name) and not is_simulated(folder)]
    newest = max(real, key=lambda folder: (folder / "profile.json").stat().st_mtime, default=None)
    return NEW_PROFILE if newest is None else newest.name


def _is_name(text: str) -> bool:
    """Return whether a profile can be named so; a copied folder may have another name."""
    from calibration.errors import ProfileError
    from calibration.profile import folder_of

    try:
        folder_of(text)
    except ProfileError:
        return False
    return True


def simulated_feed(profile: str | None, seed: int | None, game: str) -> tuple[Any, FeedFactory]:
    """Return a game's setup, such as its deck, and a function that creates the simulated table's feed of frames.

    For a game without bots that is a feed without frames: the game is entered by hand. profile: name of the profile
    for the simulated table. seed: of the simulated games. Raises Unusable for a real table's profile.
    """
    from calibration.profile import TableProfile
    from companion.adapters import adapter, game_module

    if profile is not None:
        _refuse_a_real_table(profile)
    setup = adapter(game).components(TableProfile(_SEATS, game=game))

    def make(table: Table) -> TableFeed:
        if game_module(game, "bots") is None:
            return ByHand(table)
        # These import the simulated camera.
        from companion.director.bot_interface import bots
        from companion.director.simulated_table import Simulation, profile_of

        return Simulation(table, bots(game), setup, seed, profile or profile_of(game))

    return setup, make


def _refuse_a_real_table(profile: str) -> None:
    """Raise Unusable for the profile of a real table: the simulated one would overwrite it."""
    from calibration.errors import CalibrationError
    from calibration.profile import exists, folder_of
    from calibration.simulated_profile_mark import is_simulated

    try:
        real = exists(profile) and not is_simulated(folder_of(profile))
    except CalibrationError as error:
        raise Unusable(str(error)) from None
    if real:
        raise Unusable(
            f"{profile} is a real table's profile, which the simulated one would overwrite: name its camera with "
            "--camera, or leave --profile out."
        )


def camera_feed(
    camera: str, name: str | None, game: str, size: tuple[int, int], automatic: bool, phone: PhoneLink | None
) -> tuple[Any, FeedFactory]:
    """Return a game's setup, such as its deck, and a function that creates the feed of a camera's frames.

    camera: as in --camera. name: of the table's profile; only for a game that needs no calibration it may be None,
    which means the newest one. size, automatic: options of a local camera. Raises Unusable where the camera or the
    profile cannot be used.
    """
    from calibration.errors import CalibrationError
    from calibration.profile import TableProfile, exists, folder_of
    from calibration.simulated_profile_mark import is_simulated
    from companion.adapters import adapter
    from companion.table.enrolment.camera_choice import OTHER_CAMERA, Cameras
    from companion.table.enrolment.service import EnrolmentService
    from companion.table.reading.live_camera import LiveCamera
    from companion.table.reading.readers_from_profile import readers_for
    from vision.cameras.frame import CameraError
    from vision.cameras.source_factory import camera_source

    if not can_read_with_camera(game):
        raise Unusable(f"{game} is entered by hand and needs no camera: leave --camera out.")
    calibrated = adapter(game).calibrated
    if name is None and not calibrated:
        name = newest_profile()
    if name is None:
        raise click.UsageError(
            "A camera needs --profile NAME: the table that was calibrated with `companion calibrate`."
        )
    try:
        folder = folder_of(name)
        if is_simulated(folder):
            raise Unusable(
                f"{name} is a profile of the simulated table: use another name, or calibrate that one with "
                "`companion calibrate`."
            )
        cameras = Cameras(
            folder,
            camera,
            lambda other, identity: camera_source(
                other, size=size, steady=not automatic, phone=phone, identity=identity
            ),
            phone=phone,
        )
        opener, patience = cameras.opener()
        profile = (TableProfile.load(name) if exists(name) else TableProfile(_SEATS)).of(game)
    except (CalibrationError, CameraError) as error:
        raise Unusable(str(error)) from None
    _print_permission(camera)
    readers = _readers(profile, cameras, name)

    def make(table: Table) -> TableFeed:
        table.enrolment = EnrolmentService(table, name, readers_for, cameras, game)
        if calibrated and profile.plane is not None and not cameras.fits(profile.plane):
            table.set_reader(None, OTHER_CAMERA)
        if phone is not None:
            phone.lens_changed = table.enrolment.lens_changed
        table.seating.known, table.seating.keep = profile.seatings, table.enrolment.keep_seating
        live = LiveCamera(table, opener, readers, patience)
        cameras.on_change = live.switch_to
        return live

    return adapter(game).components(profile), make


def _print_permission(named: str) -> None:
    """Print a line if the operating system denies this user access to a local camera. named: as in --camera."""
    from vision.cameras.permission import denied, device_path, why_not_opened

    if not (named.isdigit() or named.startswith("/dev/")):
        return
    device = int(named) if named.isdigit() else named
    path = device_path(device)
    if denied(None if path is None else str(path)):
        click.echo(why_not_opened(device, named))


def _readers(profile: TableProfile, cameras: Cameras, name: str) -> Readers | None:
    """Return what reads frames with a profile; if something is missing, print what and return None.

    name: of the profile.
    """
    from calibration.errors import CalibrationError
    from calibration.profile import exists
    from companion.adapters import adapter
    from companion.table.enrolment.camera_choice import OTHER_CAMERA
    from companion.table.enrolment.screen_messages import as_shown_on_screens
    from companion.table.reading.readers_from_profile import readers_for

    calibrated = adapter(profile.game).calibrated
    if calibrated and profile.plane is None:
        known = exists(name)
        reason = "The table is not calibrated yet" if known else f"There is no profile {name} yet, so it is created"
        click.echo(f"{reason}. Open the page, choose Camera, and show the camera the calibration sheet.")
        return None
    if calibrated and profile.plane is not None and not cameras.fits(profile.plane):
        click.echo(f"{OTHER_CAMERA} Open the page and choose Camera.")
        return None
    try:
        return readers_for(profile)
    except CalibrationError as error:
        click.echo(f"{as_shown_on_screens(str(error))} Open the page and choose Camera.")
        return None
