"""The chosen camera and the orientation of its picture: set on the page, stored with the profile."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.files.crash_safe_files import digest, write_whole
from calibration.plane import TablePlane
from calibration.translatable import say
from companion.table.views import Refused
from vision.cameras.frame import Camera, CameraError
from vision.cameras.grabber import Patience
from vision.cameras.listing import MOST_IDENTITY, ListedCamera, camera_of, listed_cameras
from vision.cameras.orientation_correction import Orientation, TurnedCamera
from vision.cameras.phone import PhoneLink
from vision.cameras.source_factory import PHONE, CameraSource
from vision.cameras.video_files_and_streams import without_secrets

_FILE = "camera.json"
"""Name of the file, in the profile's folder."""
_MOST_BYTES = 4096
"""Size limit of the file."""
_ABSENT = "absent"
"""Name under which the list offers the chosen camera while it is not connected."""
OTHER_CAMERA = say(
    "The table was calibrated with another camera, or the picture was rotated since. Show the camera the "
    "calibration sheet."
)


@dataclass(frozen=True, slots=True)
class CameraOption:
    """A camera that may be chosen."""

    name: str
    """Its name on the command line."""
    title: str
    """Its name for people."""


@dataclass(frozen=True, slots=True)
class CamerasView:
    """The choice of camera for screens."""

    current: str
    """Name of the chosen camera."""
    title: str
    """Title of the chosen camera."""
    quarters: int
    """Clockwise quarter turns of its picture."""
    mirrored: bool
    """Whether its picture is mirrored."""
    offered: tuple[CameraOption, ...]
    """All cameras that may be chosen."""
    message: str
    """Why they cannot be listed, or ""."""
    lens: str = ""
    """Name of the phone's lens."""


class _StoredChoice(BaseModel):
    """The content of `camera.json`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[1] = 1
    """Version of the file's format."""
    started: Annotated[str, Field(max_length=64)] = ""
    """Digest of the camera named on the command line."""
    camera: Annotated[str, Field(pattern=r"^([0-9]{1,4}|phone|)$")] = ""
    """The chosen camera: a number or "phone"; "" for the one named on the command line."""
    identity: Annotated[str, Field(max_length=MOST_IDENTITY)] = ""
    """Identity of a camera with a number; see `ListedCamera`."""
    quarters: Annotated[int, Field(ge=0, le=3)] = 0
    """Clockwise quarter turns of the picture."""
    mirrored: bool = False
    """Whether the picture is mirrored."""
    plane: Annotated[str, Field(max_length=64)] = ""
    """Digest of the table plane that `found` belongs to."""
    found: tuple[Annotated[str, Field(max_length=MOST_IDENTITY)], Annotated[int, Field(ge=0, le=3)], bool] = (
        "",
        0,
        False,
    )
    """Camera, quarter turns and mirroring with which that plane was calibrated."""

    @property
    def current(self) -> tuple[str, int, bool]:
        """(Name and identity of the camera, clockwise quarter turns, mirrored) as chosen; compared with `found`."""
        # The name as well, because two cameras of one model may have the same identity.
        return f"{self.camera} {self.identity}".strip()[:MOST_IDENTITY], self.quarters, self.mirrored


class Cameras:
    """The choice of camera for one profile. Callable from any thread.

    The page offers the camera of the command line, those of this machine, and a phone where one can connect. Its
    choice holds while the command line names the same camera.

    folder: the profile's, where the choice is stored.
    named: the camera of the command line: a number, "phone", an address or a file.
    source: (name, identity) -> camera; see `ListedCamera` for the identity.
    phone: link to a phone, None where none can connect.
    listed: returns this machine's cameras.
    """

    def __init__(
        self,
        folder: Path,
        named: str,
        source: Callable[[str, str], CameraSource],
        *,
        phone: PhoneLink | None = None,
        listed: Callable[[], Sequence[ListedCamera]] = listed_cameras,
    ) -> None:
        self._folder = folder
        self._named = named
        self._source = source
        self._phone = phone
        self._listed = listed
        self._lock = threading.Lock()
        self.on_change: Callable[[Callable[[], Camera], Patience], None] | None = None
        """Called after a change of camera or orientation, with what `opener` returns."""
        kept = _read(folder / _FILE)
        same = kept.started == digest(named.encode()) and (kept.camera != PHONE or phone is not None)
        # A newly named camera overrides the choice; the turn stays, because the camera's mounting does.
        other = {"camera": "", "identity": "", "started": digest(named.encode())}
        self._kept = kept if same else kept.model_copy(update=other)
        self._store_identity()

    def opener(self) -> tuple[Callable[[], Camera], Patience]:
        """Return (function that opens the chosen camera in the chosen orientation, how long to wait for it).

        Raises CameraError for an impossible name.
        """
        with self._lock:
            return self._opener_of(self._kept)

    def view(self) -> CamerasView:
        """Return the choice of camera for screens, with the cameras that are connected now."""
        with self._lock:
            kept = self._kept
        listed, message = self._listing()
        found = [CameraOption(str(camera.number), camera.name) for camera in listed]
        if self._phone is not None:
            found.append(CameraOption(PHONE, "a phone"))
        for name in (self._named, kept.camera):
            if name and self._public_name(name) not in {camera.name for camera in found}:
                found.insert(0, CameraOption(self._public_name(name), _title(name)))
        current = self._public_name(kept.camera or self._named)
        if kept.identity and not message:
            there = self._chosen_in(kept, listed)
            current = _ABSENT if there is None else str(there.number)
            if there is None:
                absent = say("{name}, not connected", name=Path(kept.identity).name)
                found.insert(0, CameraOption(_ABSENT, absent))
        title = next(camera.title for camera in found if camera.name == current)
        lens = self._lens() if current == PHONE else ""
        return CamerasView(current, title, kept.quarters, kept.mirrored, tuple(found), message, lens)

    def choose(self, name: str) -> None:
        """Switch to another of the offered cameras, by name. Raises `Refused`; then nothing has changed."""
        view = self.view()
        if name not in {camera.name for camera in view.offered}:
            raise Refused(
                "bad_request", say("That camera is no longer available. Choose one from the current list.")
            )
        if name == view.current and name == _ABSENT:
            return
        identity = next((camera.identity for camera in self._listing()[0] if str(camera.number) == name), "")
        with self._lock:
            # The number that the command names may belong to another camera now.
            same = self._kept.identity in ("", identity) or bool(self._kept.camera)
            chosen = "" if name == self._public_name(self._named) and same else name
            self._change(self._kept.model_copy(update={"camera": chosen, "identity": identity}))

    def set_orientation(self, turn: Orientation) -> None:
        """Set how the picture is turned and mirrored, whatever it was before.

        Raises `Refused` if it cannot be saved.
        """
        with self._lock:
            self._change(self._kept.model_copy(update={"quarters": turn.quarters, "mirrored": turn.mirrored}))

    def correct_orientation(self, turn: Orientation, plane: TablePlane) -> None:
        """Restore the orientation with which `plane` was calibrated. Raises `Refused` if it cannot be saved.

        turn: the correction of the present picture; it is added to the present setting.
        """
        with self._lock:
            kept = self._kept
            whole = Orientation(kept.quarters, kept.mirrored).then(turn)
            turned = kept.model_copy(update={"quarters": whole.quarters, "mirrored": whole.mirrored})
            found = (kept.found[0] if self._is_phone(kept) else turned.current[0], *turned.current[1:])
            self._change(turned.model_copy(update={"plane": _digest_of(plane), "found": found}))

    def fits(self, plane: TablePlane) -> bool:
        """Return whether a table plane was calibrated with the present camera and orientation.

        A plane from `companion calibrate` belongs to the command line's camera, neither turned nor mirrored.
        """
        with self._lock:
            kept = self._kept
            found = kept.found if kept.plane == _digest_of(plane) else ("", 0, False)
            if self._is_phone(kept):
                if found[1:] != kept.current[1:] or not found[0].startswith(kept.camera):
                    return False
                known = found[0].removeprefix(kept.camera).strip()
                return not known or self._lens() in ("", known)
            # Older files have the camera's number alone.
            return found in (kept.current, (kept.camera, kept.quarters, kept.mirrored))

    def wrong_lens(self, plane: TablePlane) -> str:
        """Return an error line where a phone uses another lens than `plane` was calibrated with, else "".

        For a plane from `companion calibrate`, the first lens that the phone used counts as the right one.
        """
        with self._lock:
            kept, lens = self._kept, self._lens()
            if not (self._is_phone(kept) and lens):
                return ""
            known = kept.found[0].removeprefix(kept.camera).strip() if kept.plane == _digest_of(plane) else ""
            if known and known != lens:
                return say(
                    "The phone uses the lens “{lens}”, but the table was calibrated with “{known}”. Choose that "
                    "lens on the phone, or show the calibration sheet.",
                    lens=lens,
                    known=known,
                )
        if not known and self.fits(plane):
            # On a full disk it is stored another time.
            with suppress(Refused):
                self.record_calibration(plane)
        return ""

    def record_calibration(self, plane: TablePlane) -> None:
        """Save that `plane` was calibrated with the present camera and orientation.

        Raises `Refused` if it cannot.
        """
        with self._lock:
            kept = self._kept
            now = kept.current
            if self._is_phone(kept):
                now = (f"{kept.camera} {self._lens()}".strip(), *now[1:])
            self._write(kept.model_copy(update={"plane": _digest_of(plane), "found": now}))

    def _change(self, kept: _StoredChoice) -> None:
        """Save a changed choice, adopt it and report it to `on_change`. Raises `Refused`."""
        if kept == self._kept:
            return
        try:
            opener, patience = self._opener_of(kept)
        except CameraError as error:
            raise Refused("not_now", str(error)) from None
        self._write(kept)
        if self.on_change is not None:
            self.on_change(opener, patience)

    def _opener_of(self, kept: _StoredChoice) -> tuple[Callable[[], Camera], Patience]:
        source = self._source(kept.camera or self._named, kept.identity)
        turn = Orientation(kept.quarters, kept.mirrored)
        if turn == Orientation():
            return source.open, source.patience
        return lambda: TurnedCamera(source.open(), turn), source.patience

    def _is_phone(self, kept: _StoredChoice) -> bool:
        return (kept.camera or self._named) == PHONE

    def _lens(self) -> str:
        """Return the name of the phone's present lens, "" where it is unknown."""
        return "" if self._phone is None else self._phone.lens

    def _listing(self) -> tuple[Sequence[ListedCamera], str]:
        """Return (this machine's cameras, error line where they cannot be listed, else "")."""
        try:
            return self._listed(), ""
        except CameraError as error:
            return (), str(error)

    def _chosen_in(self, kept: _StoredChoice, listed: Sequence[ListedCamera]) -> ListedCamera | None:
        """Return the item of the chosen camera in a list of connected ones; None where it is not connected."""
        number = kept.camera or self._named
        return camera_of(kept.identity, int(number) if _is_number(number) else -1, listed)

    def _store_identity(self) -> None:
        """Look up and save the identity of the chosen camera, if it is named by a number and has none saved."""
        number = self._kept.camera or self._named
        if self._kept.identity or not _is_number(number):
            return
        identity = next((camera.identity for camera in self._listing()[0] if str(camera.number) == number), "")
        self._kept = self._kept.model_copy(update={"identity": identity})
        if identity and self._folder.is_dir():
            # On a full disk it is stored at the next start.
            with suppress(Refused):
                self._write(self._kept)

    def _write(self, kept: _StoredChoice) -> None:
        """Write a choice to the file and adopt it. Raises `Refused` if it cannot be written."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._folder / _FILE, kept.model_dump_json(indent=1).encode())
        except OSError as error:
            raise Refused(
                "not_now",
                say(
                    "The camera setting could not be saved ({reason}). Free some space on the disk and try again.",
                    reason=error.strerror or error,
                ),
            ) from None
        self._kept = kept

    def _public_name(self, name: str) -> str:
        """Return a camera's name for screens: "command" for an address or file, which may contain a password."""
        return "command" if name == self._named and not (name == PHONE or _is_number(name)) else name


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal()


def _title(name: str) -> str:
    """Return a name from the command line (number, address or file) as people read it, without passwords."""
    if _is_number(name):
        return say("camera {name}", name=name)
    return without_secrets(name) if "://" in name else Path(name).name


def _digest_of(plane: TablePlane) -> str:
    return digest(repr(plane).encode())


def _read(path: Path) -> _StoredChoice:
    """Return the camera choice in a file; the default one where it is missing or damaged."""
    try:
        with path.open("rb") as file:
            return _StoredChoice.model_validate_json(file.read(_MOST_BYTES))
    except (OSError, ValidationError):
        # Everything in it can be replaced: the command's camera is used, and the sheet is found again.
        return _StoredChoice()
