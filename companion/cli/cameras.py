"""`companion cameras` and `companion snap`: list the cameras, and take a picture with one."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration.files.path_checks import is_folder
from companion.cli.errors import Unusable
from companion.cli.profile_options import FiniteRange

if TYPE_CHECKING:
    from vision.cameras.frame import Frame
    from vision.cameras.grabber import Grabber
    from vision.cameras.phone import PhoneLink
    from vision.cameras.source_factory import CameraSource

PHONE = "phone"
"""Value of --camera for a phone."""
_SUFFIXES = (".jpg", ".jpeg", ".png")
"""File name suffixes of the picture formats."""
_ADJUSTMENT_SECONDS = 3.0
"""Seconds until a camera has adjusted exposure and focus."""


class _PictureSizeParam(click.ParamType[tuple[int, int]]):
    """A picture's width and height in px, written as 1280x720."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, int]:
        if isinstance(value, tuple):
            return value
        width, cross, height = str(value).lower().replace("×", "x").partition("x")
        if not (cross and width.isdecimal() and height.isdecimal()):
            self.fail(f"{value} is not a size: enter it as 1280x720.", param, ctx)
        size = int(width), int(height)
        if not (320 <= size[0] <= 7680 and 240 <= size[1] <= 4320):
            self.fail(f"{value} is not a possible picture size: 1280x720 is enough.", param, ctx)
        return size


def camera_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the click command with two options for a local camera added: --size and --automatic."""
    sized = click.option(
        "--size",
        type=_PictureSizeParam(),
        default="1280x720",
        show_default=True,
        metavar="WxH",
        help="Picture size of a local camera. Use the same for enrolment and games.",
    )
    automatic = click.option(
        "--automatic",
        is_flag=True,
        help="Leave focus, exposure and white balance of a local camera automatic; else they are fixed.",
    )
    return sized(automatic(command))


def named_source(name: str, size: tuple[int, int], automatic: bool, phone: PhoneLink | None) -> CameraSource:
    """Return the camera that a value of --camera names, not opened yet. Raises Unusable for an invalid one.

    automatic: leave focus, exposure and white balance to the camera; phone: link to use for a phone.
    """
    from vision.cameras.frame import CameraError
    from vision.cameras.source_factory import camera_source

    try:
        return camera_source(name, size=size, steady=not automatic, phone=phone)
    except CameraError as error:
        raise Unusable(str(error)) from None


@click.command()
def cameras() -> None:
    """List the cameras of this machine. The number is what --camera takes."""
    from vision.cameras.frame import CameraError
    from vision.cameras.listing import listed_cameras
    from vision.cameras.permission import denied, why_not_opened

    try:
        found = listed_cameras()
    except CameraError as error:
        raise Unusable(str(error)) from None
    for camera in found:
        click.echo(f"{camera.number}  {camera.name}" + (f"  ({camera.device})" if camera.device else ""))
        if denied(camera.device):
            click.echo(f"   {why_not_opened(camera.number, camera.name)}")
    if not found:
        click.echo(
            "No camera was found. Plug one in, or use a phone: companion serve --camera phone --tls --profile NAME"
        )


@click.command()
@click.option("--camera", default="0", show_default=True, metavar="0|URL|FILE|phone")
@click.option("-o", "--output", required=True, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE.jpg")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="For a phone's page.")
@click.option("--host", default="0.0.0.0", show_default=True, help="For a phone's page.")  # noqa: S104
@click.option("--wait", default=120.0, show_default=True, type=FiniteRange(1.0, 3600.0), metavar="SECONDS")
@camera_options
def snap(
    camera: str, output: Path, port: int, host: str, wait: float, size: tuple[int, int], automatic: bool
) -> None:
    """Take one picture to calibrate or enrol with."""
    from vision.cameras.grabber import Grabber
    from vision.cameras.phone import PhoneLink

    if output.suffix.lower() not in _SUFFIXES:
        raise click.UsageError("The picture's name must end with .jpg or .png.")
    if not is_folder(output.parent):
        raise Unusable(f"There is no folder {output.parent}: create it first.")
    phone = PhoneLink() if camera == PHONE else None
    source = named_source(camera, size, automatic, phone)
    close = _phone_page(phone, host, port) if phone is not None else None
    grabber = Grabber(source.open, source.patience)
    grabber.start()
    try:
        frame = _settled_frame(grabber, wait, phone is None)
    except KeyboardInterrupt:
        raise Unusable("No picture was taken.") from None
    finally:
        grabber.close()
        if close is not None:
            close()
    _write_picture(frame, output)
    height, width = frame.image.shape[:2]
    click.echo(f"{output}: {width}×{height} pixels.")


def _phone_page(phone: PhoneLink, host: str, port: int) -> Callable[[], None]:
    """Serve only the page that makes a phone the camera, in a thread; return a function that stops the server."""
    import threading

    from companion.cli.web_listener import start_listening
    from web.routes.phone_camera import phone_app

    listener = start_listening(phone_app(phone), host, port, tls=True)
    listener.announce_phone(phone)
    listener.announce_certificate()
    thread = threading.Thread(target=listener.server.serve_forever, daemon=True)
    thread.start()

    def close() -> None:
        listener.server.shutdown()
        listener.server.server_close()
        thread.join(2.0)

    return close


def _settled_frame(grabber: Grabber, wait: float, stop_on_failure: bool) -> Frame:
    """Return the newest frame once the camera has adjusted its exposure. Raises Unusable if no picture arrives.

    wait: seconds after which no picture is an error. stop_on_failure: raise at once for a camera that has failed
    repeatedly. On a terminal the picture is taken when the user presses Enter.
    """
    until = time.monotonic() + wait
    first: Frame | None = None
    newest: Frame | None = None
    while newest is None or first is None or newest.taken_at - first.taken_at < _ADJUSTMENT_SECONDS:
        frame = grabber.newest(0.2)
        if frame is not None:
            first, newest = first or frame, frame
            continue
        status = grabber.status
        if status.state == "over" and newest is not None:
            return newest
        gone = status.state == "over" or (status.state == "waiting" and stop_on_failure)
        if gone or time.monotonic() >= until:
            raise Unusable(status.message or "The camera sends no picture. Check that it is on.")
    if sys.stdin.isatty():
        click.prompt("Press Enter to take the picture", default="", show_default=False, prompt_suffix="")
        time.sleep(0.3)
        newest = grabber.newest(2.0) or newest
    return newest


def _write_picture(frame: Frame, output: Path) -> None:
    """Write a frame to a picture file in the format of its suffix. Raises Unusable if that is impossible."""
    import cv2

    from calibration.files.crash_safe_files import write_whole

    done, data = cv2.imencode(output.suffix.lower(), frame.image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    if not done:
        raise Unusable("The picture cannot be written in that format: name it .jpg or .png.")
    try:
        write_whole(output, data.tobytes())
    except OSError as error:
        raise Unusable(f"{output} cannot be written ({error.strerror or error}).") from None
