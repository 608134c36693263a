"""Pieces that mark spells, read with samples as they come about on a real table."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.games.wicked.art import BOARD_SPOTS
from calibration.pieces.enrolment import enrol
from calibration.pieces.samples import PieceSamples, Specimen
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.scenes import offset_pose
from companion.director.setup_scenes import specimens_scene
from tests.vision.boards.enrolled import LOOK, Room
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import BoardOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.board_reader import BoardReader
from vision.games.wicked.readings import BoardReading
from vision.games.wicked.simulated_piece_shapes import solid

HANDFUL = Pose(20.0, -10.0, 25.0)
PLACES = ((-1.0, 8.0), (14.0, -8.0))


def marked(colour: str) -> Scene:
    """A board in the middle of the table with two pieces on the promotion space."""
    space = BOARD_SPOTS.promotion
    pieces = [
        PieceOnTable(f"search:{colour}", offset_pose(HANDFUL, space.x + x, space.y + y, 35.0 * k))
        for k, (x, y) in enumerate(PLACES)
    ]
    return Scene(4, tile=False, boards=(BoardOnTable(colour, HANDFUL),), pieces=tuple(pieces))


def read(profile: TableProfile, room: Room, colour: str) -> BoardReading:
    (board,) = BoardReader(profile).read(room.photograph(marked(colour))).boards
    return board


def in_part(specimen: Specimen) -> Specimen:
    """A specimen of which only its lower half was segmented from the table."""
    crop = specimen.crop.copy()
    crop[: crop.shape[0] // 2, :, 3] = 0
    area = float(np.count_nonzero(crop[..., 3])) / np.count_nonzero(specimen.crop[..., 3]) * specimen.area_mm2
    return replace(specimen, crop=crop, area_mm2=area)


def test_black_pieces_are_distinguished_from_their_shadows(room: Room, profile: TableProfile) -> None:
    lesson = room.photograph(specimens_scene("search:black", 0), 20)
    board = read(enrol(profile, "search:black", [lesson], force=True), room, "black")
    assert [space.pieces for space in board.spaces] == [2, 0]
    assert [space.reason for space in board.spaces] == ["", ""]


@pytest.mark.first_is_quick
@pytest.mark.parametrize("tilt", [0.0, 25.0])
def test_black_pieces_whose_varnish_mirrors_the_lamp_are_counted(
    room: Room, profile: TableProfile, tilt: float
) -> None:
    profile = enrol(profile, "search:black", [room.photograph(specimens_scene("search:black", 0), 20)], force=True)
    look = replace(
        LOOK,
        gloss=0.7,
        light_elevation=75.0,
        height=231.0,
        hfov=71.0,
        tilt=tilt,
        yaw=HANDFUL.angle + 8.0,
        k1=-0.01,
        k2=0.0,
        aim=(HANDFUL.x, HANDFUL.y),
    )
    (board,) = BoardReader(profile).read(Renderer(look, room.faces, room.solids).render(marked("black"), 3)).boards
    assert [(space.pieces, space.reason) for space in board.spaces] == [(2, ""), (0, "")]


def test_a_piece_whose_colour_is_all_but_mirrored_away_beside_another_is_asked_about(
    room: Room, profile: TableProfile
) -> None:
    purple, space = solid("search:purple"), BOARD_SPOTS.promotion
    pale = replace(purple, kind="search:pale", paint=(180, 155, 181))
    pieces = (
        PieceOnTable("search:purple", offset_pose(HANDFUL, space.x - 5.0, space.y)),
        PieceOnTable("search:pale", offset_pose(HANDFUL, space.x + 5.0, space.y, 40.0)),
    )
    scene = Scene(4, tile=False, boards=(BoardOnTable("purple", HANDFUL),), pieces=pieces)
    image = Renderer(LOOK, room.faces, {"search:pale": pale}).render(scene)
    (board,) = BoardReader(profile).read(image).boards
    assert board.spaces[0].reason


def test_pieces_that_were_shown_in_part_are_counted_by_the_outlines_of_others(
    room: Room, profile: TableProfile
) -> None:
    whole = profile.pieces["search:purple"]
    part = PieceSamples(tuple(in_part(specimen) for specimen in whole.specimens))
    pieces = {**profile.pieces, "search:red": whole, "search:green": whole, "search:purple": part}
    board = read(replace(profile, pieces=pieces), room, "purple")
    assert [space.pieces for space in board.spaces] == [2, 0]


def test_pieces_that_were_all_shown_in_part_are_asked_about(room: Room, profile: TableProfile) -> None:
    part = PieceSamples(tuple(in_part(specimen) for specimen in profile.pieces["search:purple"].specimens))
    board = read(replace(profile, pieces={**profile.pieces, "search:purple": part}), room, "purple")
    assert board.spaces[0].reason


@pytest.mark.slow
@pytest.mark.parametrize(("paint", "asked"), [((70, 30, 55), True), ((150, 165, 172), False)])
def test_the_dark_side_of_a_piece_that_mirrors_the_lamp_is_asked_about_and_a_shadow_is_not(
    room: Room, profile: TableProfile, paint: tuple[int, int, int], asked: bool
) -> None:
    empty = room.by_hand(Scene(4, tile=False, boards=(BoardOnTable("purple", HANDFUL),)), HANDFUL)
    reader = BoardReader(profile)
    (board,) = reader.read(empty).boards
    x, y, width, height = board.spaces[1].box
    image = empty.copy()
    cv2.ellipse(image, (round(x + width / 2), round(y + height / 2)), (16, 5), 0, 0, 360, paint, -1, cv2.LINE_AA)
    (board,) = reader.read(np.asarray(cv2.GaussianBlur(image, (0, 0), 1.2), np.uint8)).boards
    assert [bool(space.reason) for space in board.spaces] == [False, asked]


@pytest.mark.slow
@pytest.mark.parametrize("brighter", [1.0, 3.2])
def test_where_light_washes_out_the_print_a_bit_of_a_piece_is_asked_about(
    room: Room, profile: TableProfile, brighter: float
) -> None:
    empty = room.by_hand(Scene(4, tile=False, boards=(BoardOnTable("purple", HANDFUL),)), HANDFUL)
    reader = BoardReader(profile)
    (board,) = reader.read(empty).boards
    x, y, width, height = board.spaces[1].box
    there = (round(x + width / 2), round(y + height / 2))
    lit = np.clip(empty * brighter, 0, 255).astype(np.uint8)
    image = cv2.ellipse(lit.copy(), there, (12, 6), 0, 0, 360, (225, 160, 195), -1, cv2.LINE_AA)
    spaces = [reader.read(picture).boards[0].spaces[1] for picture in (lit, image)]
    assert [bool(space.reason) for space in spaces] == [False, brighter > 1.0]
