"""The profile of the simulated table: enrolled from its own pictures, as a real table is.

Everything in it comes from pictures of the calibration sheet and of pieces laid out, and from the art of the
printed deck and boards; nothing is taken from the renderer directly.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.camera.calibrate import calibrate
from calibration.errors import EnrolError, ProfileError
from calibration.games.wicked import art
from calibration.games.wicked.drawn_deck import deck_from_art
from calibration.games.wicked.standin_boards import standin_boards
from calibration.pieces.enrolment import enrol, enrol_objects, with_empty_table
from calibration.pieces.samples import PieceSamples
from calibration.pieces.segmentation import find_objects
from calibration.profile import TableProfile, folder_of
from calibration.wording import say
from companion.director.setup_scenes import ROW_MM, rows_at, rows_scene, sheet_scene, specimens_scene
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, Deck
from companion.table.enrolment.simulated_mark import read_mark, write_mark
from vision.cameras.frame import Image
from vision.cameras.simulated.scene import Scene

Render = Callable[[Scene, int], Image]
"""Returns the picture of a scene; the number seeds the noise."""
Face = NDArray[np.uint8]
"""A printed face: BGRA."""

FACE_PX_PER_MM = 4.0
"""Resolution of drawn faces."""
PIECE_KINDS: tuple[str, ...] = (*(f"search:{colour}" for colour in PLAYER_COLOURS), "sign:witch", "sign:soul")
"""Kinds that hands can hold; each is enrolled from its own pictures."""
BOARD_KINDS: tuple[str, ...] = (*(f"token:{colour}" for colour in COLOURS), "impurity:1", "impurity:3")
"""Kinds on and beside boards; one picture has all of them, a row for each kind."""
_BACKS: tuple[Literal["corridor", "great", "small"], ...] = ("corridor", "great", "small")
_PICTURES, _ROWS_PICTURES = 2, 2
"""Pictures per kind, and pictures of the rows."""
_SEATS = 4
"""Seats of the simulated table."""


def card_faces(deck: Deck, px_per_mm: float = FACE_PX_PER_MM) -> dict[str, Face]:
    """Return the drawn face of every card of a deck by its id, and the three backs (`back:corridor` …)."""
    faces = {f"back:{back}": art.rasterise(art.card_back(back), px_per_mm) for back in _BACKS}
    for corridor in deck.corridors:
        faces[corridor.id] = art.rasterise(
            art.corridor_face(corridor.id, corridor.upper, corridor.lower), px_per_mm
        )
    for great in deck.great:
        faces[great.id] = art.rasterise(art.great_face(great.id, great.colours), px_per_mm)
    for small in deck.small:
        needs = [(need.colour, need.rank) for need in small.needs]
        faces[small.id] = art.rasterise(art.small_face(small.id, needs, small.reward), px_per_mm)
    return faces


def enrolled_profile(
    render: Render,
    deck: Deck,
    report: Callable[[str], None],
    prepared: Mapping[str, PieceSamples] | None = None,
) -> TableProfile:
    """Return a profile enrolled from the table's pictures and the printed deck's art.

    report: called with a line of text before each step. prepared: specimens of every kind that were enrolled in
    advance from pictures of the same empty table.
    """
    report("The camera is calibrated with the sheet.")
    calibration = calibrate(render(sheet_scene(), 0), _SEATS)
    profile = TableProfile(seats=_SEATS).calibrated(calibration)
    if prepared:
        profile = with_empty_table(profile, render(Scene(_SEATS, tile=False), 0))
        for kind, samples in prepared.items():
            profile = profile.with_pieces(kind, samples)
    else:
        profile = _with_pieces(profile, render, report)
    report("The cards and boards are enrolled.")
    for board in standin_boards():
        profile = profile.with_personal_board(board)
    return replace(profile, deck=deck_from_art(deck))


def _with_pieces(profile: TableProfile, render: Render, report: Callable[[str], None]) -> TableProfile:
    for number, kind in enumerate(PIECE_KINDS):
        report(f"The pieces are enrolled: {number + 1} of {len(PIECE_KINDS)} kinds.")
        pictures = [render(specimens_scene(kind, picture), picture) for picture in range(_PICTURES)]
        profile = enrol(profile, kind, pictures)
    report("The tokens and tiles are enrolled.")
    for picture in range(_ROWS_PICTURES):
        profile = _with_rows(profile, render(rows_scene(BOARD_KINDS, picture), picture))
    return profile


def _with_rows(profile: TableProfile, picture: Image) -> TableProfile:
    """Return the profile with the kinds enrolled that one picture shows in rows, a row for each kind."""
    if profile.plane is None:
        raise ProfileError(say("This table is not calibrated yet: run `companion calibrate` first."))
    found = find_objects(picture, profile.plane)
    for kind, away in zip(BOARD_KINDS, rows_at(len(BOARD_KINDS)), strict=True):
        row = [find for find in found if abs(find.centre_mm[1] - away) < ROW_MM / 2]
        if not row:
            raise EnrolError(say("There is nothing where {kind} should lie: lay it out again.", kind=kind))
        others = [find for find in found if find not in row]
        # Green tokens and green search pieces look alike, but the rows are labelled: force.
        profile = enrol_objects(profile, kind, picture, row, others=others, force=True)
    return profile


def simulated_profile(
    name: str,
    render: Render,
    deck: Deck,
    report: Callable[[str], None],
    prepared: Mapping[str, PieceSamples] | None = None,
) -> TableProfile:
    """Return the stored profile of the simulated table; it is enrolled and stored first if missing or outdated.

    report, prepared: as for `enrolled_profile`.
    """
    folder = folder_of(name)
    mark = _fingerprint(render(sheet_scene(), 0), deck)
    if read_mark(folder) == mark:
        try:
            return TableProfile.load(folder)
        except ProfileError:
            report("The saved table cannot be read, so it is enrolled again.")
    profile = enrolled_profile(render, deck, report, prepared)
    profile.save(folder)
    write_mark(folder, mark)
    return profile


def _fingerprint(picture: Image, deck: Deck) -> str:
    """Return a digest of the empty table's picture, the deck and the kinds, to find outdated profiles."""
    content: Sequence[bytes] = (
        np.ascontiguousarray(picture).tobytes(), repr(deck).encode(), repr((PIECE_KINDS, BOARD_KINDS)).encode(),
    )  # fmt: skip
    return hashlib.sha256(b"".join(content)).hexdigest()
