"""The profile of the simulated table: enrolled from its own pictures, as a real table is.

Everything in it comes from pictures of the calibration sheet and of pieces laid out, and from the art of the
printed cards and boards; nothing is taken from the renderer directly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.camera.calibrate import calibrate
from calibration.errors import EnrolError, ProfileError
from calibration.game_kit import Kit
from calibration.games import kit
from calibration.pieces.enrolment import enrol, enrol_objects, with_empty_table
from calibration.pieces.samples import PieceSamples
from calibration.pieces.segmentation import survey
from calibration.profile import TableProfile, folder_of
from calibration.simulated_profile_mark import read_mark, write_mark
from calibration.translatable import say
from companion.director.bot_interface import Bots
from companion.director.setup_scenes import ROW_MM, row_distances, rows_scene, sheet_scene, specimens_scene
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import Scene

Render = Callable[[Scene, int], Image]
"""Function that returns the BGR picture of a scene; the number seeds the noise."""

_PICTURES, _ROWS_PICTURES = 2, 2
"""Pictures per kind, and pictures of the same rows."""
_MAX_ROWS = 6
"""Largest number of kinds in one picture of rows."""
_SEATS = 4
"""Seats of the simulated table."""


@dataclass(frozen=True)
class SimulatedBox:
    """The box of a game at the simulated table."""

    bots: Bots[Any, Any]
    """The bots of the game."""
    setup: Any
    """What the game's `Adapter.setup` returns, with the cards that lie on the table."""

    @property
    def kit(self) -> Kit:
        """What is in the box."""
        return kit(self.bots.game.id)

    @property
    def separate_kinds(self) -> tuple[str, ...]:
        """Kinds that hands can hold; each is enrolled from its own pictures."""
        return tuple(kind for kind in self.kit.kinds if self.kit.in_hands(kind))

    @property
    def kinds_in_rows(self) -> tuple[str, ...]:
        """All other kinds; one picture shows several of them, a row for each kind."""
        return tuple(kind for kind in self.kit.kinds if not self.kit.in_hands(kind))


def enrolled_profile(
    render: Render,
    box: SimulatedBox,
    report: Callable[[str], None],
    prepared: Mapping[str, PieceSamples] | None = None,
) -> TableProfile:
    """Return a simulated table's profile, enrolled from its pictures and the art of the cards and boards.

    report: called with a line of text before each step. prepared: specimens of every kind that were enrolled in
    advance from pictures of the same empty table.
    """
    report(say("The camera is calibrated with the sheet."))
    calibration = calibrate(render(sheet_scene(), 0), _SEATS)
    profile = TableProfile(seats=_SEATS, game=box.kit.game).calibrated(calibration)
    if prepared:
        profile = with_empty_table(profile, render(Scene(_SEATS, tile=False), 0))
        for kind, samples in prepared.items():
            profile = profile.with_pieces(kind, samples)
    else:
        profile = _with_pieces(profile, render, box, report)
    report(say("The cards and boards are enrolled."))
    for board in box.kit.printed_boards():
        profile = profile.with_personal_board(board)
    return replace(profile, deck=box.bots.deck(box.setup))


def _with_pieces(
    profile: TableProfile, render: Render, box: SimulatedBox, report: Callable[[str], None]
) -> TableProfile:
    """Return the profile with every kind of piece enrolled from rendered pictures."""
    separate = box.separate_kinds
    for number, kind in enumerate(separate):
        report(say("The pieces are enrolled: {number} of {all} kinds.", number=number + 1, all=len(separate)))
        pictures = [render(specimens_scene(kind, picture), picture) for picture in range(_PICTURES)]
        profile = enrol(profile, kind, pictures)
    report(say("The other pieces are enrolled."))
    try:
        return _with_all_rows(profile, render, box.kinds_in_rows)
    except EnrolError:
        # Rows are found on a plain table only; on a pattern the empty table is shown, then each kind by itself.
        profile = with_empty_table(profile, render(Scene(_SEATS, tile=False), 0))
        for kind in box.kinds_in_rows:
            profile = enrol(profile, kind, [render(specimens_scene(kind, 0), 0)], force=True)
        return profile


def _with_all_rows(profile: TableProfile, render: Render, kinds: Sequence[str]) -> TableProfile:
    """Return the profile with these kinds enrolled, several from each rendered picture, in which each has a row."""
    for group in _grouped(kinds):
        for picture in range(_ROWS_PICTURES):
            profile = _with_rows(profile, group, render(rows_scene(group, picture), picture))
    return profile


def _grouped(kinds: Sequence[str]) -> list[Sequence[str]]:
    """Return the kinds in groups; one picture can show a group, with a row for each kind."""
    return [kinds[start : start + _MAX_ROWS] for start in range(0, len(kinds), _MAX_ROWS)]


def _with_rows(profile: TableProfile, kinds: Sequence[str], picture: Image) -> TableProfile:
    """Return the profile with these kinds enrolled from one picture, in which each kind lies in a row."""
    if profile.plane is None:
        raise ProfileError(say("This table is not calibrated yet: run `companion calibrate` first."))
    found = survey(picture, profile.plane).finds
    for kind, away in zip(kinds, row_distances(len(kinds)), strict=True):
        row = [find for find in found if abs(find.centre_mm[1] - away) < ROW_MM / 2]
        if not row:
            raise EnrolError(say("There is nothing where {kind} should lie: lay it out again.", kind=kind))
        others = [find for find in found if find not in row]
        # Pieces of different groups may look alike, but the rows are labelled: force.
        profile = enrol_objects(profile, kind, picture, row, others=others, force=True)
    return profile


def simulated_profile(
    name: str,
    render: Render,
    box: SimulatedBox,
    report: Callable[[str], None],
    prepared: Mapping[str, PieceSamples] | None = None,
) -> TableProfile:
    """Return the stored profile of the simulated table; enrol and store it first if it is missing or outdated.

    name: of the profile. report, prepared: as for `enrolled_profile`.
    """
    folder = folder_of(name)
    mark = _fingerprint(render(sheet_scene(), 0), box)
    if read_mark(folder) == mark:
        try:
            return TableProfile.load(folder)
        except ProfileError:
            report(say("The saved table cannot be read, so it is enrolled again."))
    profile = enrolled_profile(render, box, report, prepared)
    profile.save(folder, simulated=True)
    write_mark(folder, mark)
    return profile


def bare_profile(name: str, box: SimulatedBox) -> TableProfile:
    """Store and return a simulated table's profile without calibration and pieces.

    For games whose readers need neither, as they recognise the stand-in's board and pieces.
    """
    folder = folder_of(name)
    profile = TableProfile(seats=_SEATS, game=box.kit.game)
    profile.save(folder, simulated=True)
    write_mark(folder, box.kit.game)
    return profile


def _fingerprint(picture: Image, box: SimulatedBox) -> str:
    """Return a digest of the calibration sheet's picture, the setup and the kinds, to detect outdated profiles."""
    kinds = (box.separate_kinds, box.kinds_in_rows)
    content = (np.ascontiguousarray(picture).tobytes(), repr(box.setup).encode(), repr(kinds).encode())
    return hashlib.sha256(b"".join(content)).hexdigest()
