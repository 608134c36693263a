"""Random maze scenes in rectified top view, as a camera shows them, with the objects on each place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import map_points
from models.maze_objects.random_boards import (
    CANVAS,
    COLOURS,
    EDGE,
    PX,
    Canvas,
    disc_face,
    draw_board,
    jittered_paint,
    random_paint,
    start_places,
)
from vision.cameras.simulated.array_types import Floats, Heights, Image, Mask, as_floats, as_heights, as_image
from vision.games.master.objects.object_network import PRESENCES, input_image
from vision.games.master.objects.top_views import FieldView, view_of
from vision.games.master.readings import SIZE

MIN_VISIBLE: Final = 0.3
"""Visible fraction of an object below which it is ignored in training."""
CORNER_ERROR: Final = 0.025
"""Standard deviation of simulated errors of the field's corners, in tiles."""
FIELD: Final = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], np.float32)
"""Corners of the field, in tiles, clockwise from the outer corner of place 0."""
_RING_PAINTED: Final = 0.7
"""Fraction of boards whose wizards have nearly the paint of their rings."""
_OTHER_PAINTS: Final = ((60, 130, 40), (32, 30, 34), (40, 190, 220), (140, 60, 130))
"""Paints of pawns of other games, BGR."""

DISC, WIZARDS, RINGS, PAWN = 0, slice(1, 5), slice(5, 9), 9
"""Indices of the kinds of objects: disc (token), wizard and start ring of each colour, pawn of any colour."""


@dataclass(frozen=True, eq=False)
class Example:
    """A training example: one rectified picture, and the objects on each of its 49 places."""

    image: Image
    """BGR, (INPUT_PX, INPUT_PX, 3)."""
    camera: Floats
    """Position of the camera, in tiles."""
    present: Image
    """Whether each kind of object is on each place, (10, 7, 7); indices `DISC`, `WIZARDS`, `RINGS`, `PAWN`."""
    weight: Image
    """Whether that is visible enough to be learned from, 0 or 1, (10, 7, 7)."""
    discs: Floats
    """Offset of each disc's centre from its place's middle, and radius, in tiles, (3, 7, 7)."""


@dataclass(frozen=True, eq=False)
class ObjectScene:
    """A random board in rectified top view, with the objects on each of its 49 places."""

    view: FieldView
    """Top view, rectified with slightly wrong corners."""
    camera: Floats
    """True position of the camera, in tiles."""
    present: Image
    """Whether each kind of object is on each place, (10, 49); indices `DISC`, `WIZARDS`, `RINGS`, `PAWN`."""
    weight: Image
    """Whether that is visible enough to be learned from, 0 or 1, (10, 49)."""
    discs: Floats
    """Offset of each disc's centre from its place's middle, and radius, in tiles, (3, 49)."""


def random_scene(rng: np.random.Generator) -> ObjectScene:
    """Return a random board with tokens, wizards and sometimes a hand, in rectified top view with ground truth."""
    canvas, turns = draw_board(rng)
    camera, homography, size = _random_camera(rng)
    present = np.zeros((PRESENCES, SIZE * SIZE), np.uint8)
    weight = np.ones((PRESENCES, SIZE * SIZE), np.uint8)
    discs = np.zeros((3, SIZE * SIZE))
    sun = rng.normal(0, 1, 2) * rng.random()
    rings = start_places(turns)
    for index, place in enumerate(rings.values()):
        present[5 + index, place] = 1
    ring_area = {place: _count_owned(canvas, place, 1) for place in rings.values()}
    _draw_discs(rng, canvas, camera, sun, present, discs)
    disc_area = {place: _count_owned(canvas, place, 2) for place in np.flatnonzero(present[DISC]).tolist()}
    _draw_wizards(rng, canvas, camera, sun, present, weight)
    covered = _draw_hand(rng, canvas) if rng.random() < 0.1 else np.zeros((CANVAS, CANVAS), np.bool_)
    canvas.owner[covered] = 255
    for place, area in disc_area.items():
        weight[DISC, place] = _count_owned(canvas, place, 2) >= MIN_VISIBLE * area
    for index, place in enumerate(rings.values()):
        weight[5 + index, place] = _count_owned(canvas, place, 1) >= MIN_VISIBLE * ring_area[place]
    for place in range(SIZE * SIZE):
        if _place_area(covered, place).mean() > 0.3:
            weight[:, place] = 0
    picture = _photograph(rng, canvas.image, homography, size)
    corners = FIELD + rng.normal(0, CORNER_ERROR, (4, 2))
    wrong = as_floats(cv2.getPerspectiveTransform(corners.astype(np.float32), FIELD))
    view = view_of(picture, homography @ np.linalg.inv(wrong))
    return ObjectScene(view, camera, present, weight, discs)


def random_example(rng: np.random.Generator) -> Example:
    """Return a random scene as a training example, with a camera position as if measured in the picture."""
    scene = random_scene(rng)
    camera = measured_camera(scene.camera, rng)
    grid = (SIZE, SIZE)
    return Example(
        input_image(scene.view),
        camera,
        scene.present.reshape(PRESENCES, *grid),
        scene.weight.reshape(PRESENCES, *grid),
        scene.discs.reshape(3, *grid),
    )


def measured_camera(camera: Floats, rng: np.random.Generator) -> Floats:
    """Return a camera's position (x, y, height in tiles) with random errors, as if measured in a picture."""
    measured = camera * np.exp(rng.normal(0, 0.1, 3)) + rng.normal(0, 0.3, 3)
    return np.array([measured[0], measured[1], max(5.0, measured[2])])


def _pixel(at: Floats) -> tuple[int, int]:
    """Return a point rounded to whole pixels."""
    return round(float(at[0])), round(float(at[1]))


def _middle(place: int) -> Floats:
    """Return the middle (x, y) of a place, in tiles."""
    return np.array([place % SIZE + 0.5, place // SIZE + 0.5])


def _place_area(layer: NDArray[Any], place: int) -> NDArray[Any]:
    """Return the pixels of one place in an array of the size of the canvas; a view, not a copy."""
    top, left = (EDGE + place // SIZE) * PX, (EDGE + place % SIZE) * PX
    return layer[top : top + PX, left : left + PX]


def _count_owned(canvas: Canvas, place: int, owner: int) -> float:
    """Return the number of pixels on a place that show an object. owner: number of the object in `Canvas.owner`."""
    return float((_place_area(canvas.owner, place) == owner).sum())


def _project_to_board(camera: Floats, point: Floats, height: float) -> tuple[Floats, float]:
    """Return where the camera shows a point above the board (px of the canvas), and the magnification there.

    camera: position (x, y, height), in tiles. point: (x, y), in tiles. height: of the point, in tiles.
    """
    grown = camera[2] / (camera[2] - height)
    return (camera[:2] + (point - camera[:2]) * grown + EDGE) * PX, float(grown)


def _random_camera(rng: np.random.Generator) -> tuple[Floats, Floats, tuple[int, int]]:
    """Return a random camera's position in tiles, its homography from tiles to px, and its picture's size in px."""
    tilt, about = np.radians(rng.uniform(0, 50)), rng.uniform(0, 2 * np.pi)
    distance = float(rng.uniform(11, 36))
    aim = np.array([3.5, 3.5, 0]) + np.append(rng.uniform(-2.5, 2.5, 2), 0)
    position = aim + distance * np.array([np.sin(tilt) * np.cos(about), np.sin(tilt) * np.sin(about), np.cos(tilt)])
    forward = (aim - position) / distance
    roll = rng.uniform(0, 2 * np.pi)
    side = np.cross(forward, [np.cos(roll), np.sin(roll), 0.3])
    side /= np.linalg.norm(side)
    down = np.cross(forward, side)
    # The board's y runs down in the picture, and heights towards the camera: mirrored once.
    rotation = np.stack([side, down, forward])
    plane = np.column_stack([rotation[:, 0], rotation[:, 1], -rotation @ position])
    if np.linalg.det(plane) < 0:
        plane = np.diag([-1.0, 1, 1]) @ plane
    tile_px = float(np.exp(rng.uniform(np.log(24), np.log(95))))
    plane = np.diag([tile_px * distance, tile_px * distance, 1]) @ plane
    corners = map_points(np.array([[-1, -1], [8, -1], [8, 8], [-1, 8]], np.float64), plane)
    low, high = corners.min(axis=0), corners.max(axis=0)
    moved = np.array([[1, 0, -low[0]], [0, 1, -low[1]], [0, 0, 1.0]]) @ plane
    width, height = (int(v) for v in np.ceil(high - low))
    return position, moved, (width, height)


def _draw_discs(
    rng: np.random.Generator, canvas: Canvas, camera: Floats, sun: Floats, present: Image, discs: Floats
) -> None:
    """Draw random tokens onto the canvas in place, and enter them in `present` and `discs`.

    camera: position, in tiles. sun: displacement of shadows per height. present, discs: as in `ObjectScene`.
    """
    radius, thick = float(rng.uniform(0.2, 0.34)), float(rng.uniform(0.0, 0.12))
    edge = random_paint(rng)
    spread = float(rng.uniform(0.01, 0.09))
    for place in rng.permutation(SIZE * SIZE)[: int(rng.integers(0, 24))]:
        point = _middle(int(place)) + np.clip(rng.normal(0, spread, 2), -0.2, 0.2)
        bottom, _ = _project_to_board(camera, point + sun * 0.05, 0.0)
        shade = np.zeros((CANVAS, CANVAS), np.float32)
        cv2.circle(shade, _pixel(bottom), round(radius * PX + 2), 0.4, -1)
        _draw_shadow(canvas, shade, bottom, radius)
        for height in np.linspace(0.05, 0.05 + thick, 4):
            at, grown = _project_to_board(camera, point, height)
            cv2.circle(canvas.image, _pixel(at), round(radius * PX * grown), edge, -1, cv2.LINE_AA)
        at, grown = _project_to_board(camera, point, 0.05 + thick)
        scale = 2 * radius * grown
        matrix = cv2.getRotationMatrix2D((PX / 2 - 0.5, PX / 2 - 0.5), float(rng.uniform(0, 360)), scale)
        matrix = as_floats(matrix)
        matrix[:, 2] += at - PX / 2
        x, y, reach = int(at[0]), int(at[1]), PX
        left, top = max(0, x - reach), max(0, y - reach)
        window = canvas.image[top : y + reach, left : x + reach]
        matrix[:, 2] -= (left, top)
        size = window.shape[1::-1]
        laid = cv2.warpAffine(disc_face(rng), matrix, size, flags=cv2.INTER_LINEAR)
        cover = np.zeros(window.shape[:2], np.uint8)
        centre = (round((at[0] - left) * 16), round((at[1] - top) * 16))
        cv2.circle(cover, centre, round(radius * PX * grown * 16), 255, -1, cv2.LINE_AA, 4)
        cv2.copyTo(laid, (cover > 127).astype(np.uint8), window)
        cv2.circle(canvas.owner, _pixel(at), round(radius * PX * grown), 2, -1)
        present[DISC, place] = 1
        discs[:, place] = [*(at / PX - EDGE - _middle(int(place))), radius * grown]


def _draw_shadow(canvas: Canvas, shade: Heights, at: Floats, radius: float) -> None:
    """Darken the canvas in place by a blurred shadow.

    shade: darkness of each pixel, 0..1. at: centre of the shadow, px. radius: of the part that is darkened, in
    tiles.
    """
    x, y, reach = int(at[0]), int(at[1]), round(radius * PX * 1.6)
    part = (slice(max(0, y - reach), y + reach), slice(max(0, x - reach), x + reach))
    if canvas.image[part].size:
        dark = cv2.GaussianBlur(np.ascontiguousarray(shade[part]), (0, 0), 3)[..., None]
        canvas.image[part] = (canvas.image[part] * (1 - dark)).astype(np.uint8)


def _draw_wizards(
    rng: np.random.Generator, canvas: Canvas, camera: Floats, sun: Floats, present: Image, weight: Image
) -> None:
    """Draw random wizards onto the canvas in place, and enter them in `present` and `weight`.

    camera: position, in tiles. sun: displacement of shadows per height. present, weight: as in `ObjectScene`.
    """
    profile, alike = random_pawn_profile(rng), rng.random() < _RING_PAINTED
    chosen = [(colour, index) for index, colour in enumerate(COLOURS) if rng.random() < 0.75]
    starts = list(start_places(0).values())
    figures: list[tuple[Floats, tuple[float, ...], int, int]] = []
    for colour, index in chosen:
        place = int(rng.choice(starts)) if rng.random() < 0.25 else int(rng.integers(SIZE * SIZE))
        if figures and rng.random() < 0.12:
            place = figures[-1][3]
        if rng.random() < 0.15 and present[DISC].any():
            place = int(rng.choice(np.flatnonzero(present[DISC])))
        point = _middle(place) + np.clip(rng.normal(0, 0.1, 2), -0.25, 0.25)
        while any(np.hypot(*(point - other[0])) < 0.3 for other in figures):
            point = _middle(place) + rng.uniform(-0.4, 0.4, 2)
        paint = (
            jittered_paint(rng, canvas.rings[colour], 6)
            if alike
            else jittered_paint(rng, COLOURS[colour][int(rng.integers(4))])
        )
        figures.append((point, paint, index, place))
    if rng.random() < 0.12:
        point = rng.uniform(0, SIZE, 2)
        paint = jittered_paint(rng, _OTHER_PAINTS[int(rng.integers(4))])
        figures.append((point, paint, -1, int(point[1]) * SIZE + int(point[0])))
    figures.sort(key=lambda figure: -np.hypot(*(figure[0] - camera[:2])))
    areas = []
    for number, (point, paint, _, _) in enumerate(figures):
        _draw_pawn(rng, canvas, camera, sun, point, paint, profile, 3 + number)
        areas.append(float((canvas.owner == 3 + number).sum()))
    for number, (_, _, index, place) in enumerate(figures):
        visible = (canvas.owner == 3 + number).sum() >= MIN_VISIBLE * areas[number]
        if index >= 0:
            present[1 + index, place] = 1
            weight[1 + index, place] = visible
        # A place with two pawns is learned from as soon as one of them is visible.
        weight[PAWN, place] = visible or (present[PAWN, place] and weight[PAWN, place])
        present[PAWN, place] = 1


def random_pawn_profile(rng: np.random.Generator) -> Floats:
    """Return heights and radii along the outline of a random pawn from foot to tip, (n, 2), in tiles."""
    tall, wide = float(rng.uniform(0.35, 1.15)), float(rng.uniform(0.12, 0.27))
    height = np.linspace(0, 1, 24)
    kind = int(rng.integers(6))
    if kind == 0:  # cone with a head
        radius = np.maximum((1 - height * 1.3) * 0.9 + 0.1, 0)
        head = np.sqrt(np.maximum(0, 0.22**2 - (height - 0.78) ** 2)) * tall / wide
        radius = np.maximum(np.where(height < 0.72, np.maximum(radius, 0.2), 0), np.minimum(head, 0.75))
    elif kind == 1:  # cylinder
        radius = np.ones(24)
    elif kind == 2:  # cone
        radius = 1.02 - height
    elif kind == 3:  # body with a brim and a pointed hat
        radius = np.where(height < 0.55, 1 - height * 0.7, np.where(height < 0.62, 0.95, (1 - height) * 1.6))
    elif kind == 4:  # slender body with a round head
        ball = np.sqrt(np.maximum(0, 1 - ((height - 0.78) / 0.22) ** 2)) * float(rng.uniform(0.4, 0.85))
        radius = np.maximum(np.where(height < 0.78, np.maximum(1 - height * 1.4, 0.3), 0), ball)
    else:
        knots = rng.uniform(0.35, 1, 6)
        knots[0] = 1
        radius = np.interp(height, np.linspace(0, 1, 6), knots)
    return as_floats(np.c_[height * tall, np.maximum(radius, 0.03) * wide])


def _draw_pawn(
    rng: np.random.Generator,
    canvas: Canvas,
    camera: Floats,
    sun: Floats,
    point: Floats,
    paint: tuple[float, ...],
    profile: Floats,
    owner: int,
) -> None:
    """Draw one pawn with its shadow onto the canvas in place.

    camera: position, in tiles. sun: displacement of shadows per height. point: where it stands, in tiles. paint:
    BGR. profile: heights and radii, (n, 2), in tiles. owner: its number in `Canvas.owner`.
    """
    shadow = np.zeros((CANVAS, CANVAS), np.float32)
    for height, radius in profile[::3]:
        at, _ = _project_to_board(camera, point + sun * height, 0.0)
        cv2.circle(shadow, _pixel(at), round(radius * PX), 0.45, -1)
    _draw_shadow(canvas, shadow, (point + EDGE) * PX, 1.2)
    # Most of a pawn's surface is turned away from the light that falls on the flat board, so it is darker.
    low, high, shine = float(rng.uniform(0.35, 0.8)), float(rng.uniform(0.65, 1.1)), float(rng.uniform(0, 0.5))
    way = rng.normal(0, 1, 2)
    way /= np.linalg.norm(way)
    steps, contrast = int(rng.integers(1, 5)), float(rng.uniform(0.2, 0.6))
    for height, radius in profile:
        at, grown = _project_to_board(camera, point, height + 0.05)
        share = height / profile[-1, 0]
        wide = radius * PX * grown
        centre = _pixel(at * 16)
        shade = low + (high - low) * share
        body = [min(255.0, value * shade * 0.8) for value in paint]
        cv2.circle(canvas.image, centre, round(wide * 16), body, -1, cv2.LINE_AA, 4)
        for step in range(1, steps + 1):
            part = step / (steps + 1)
            lit = [min(255.0, value * shade * (0.8 + contrast * part)) for value in paint]
            inner = _pixel((at + way * wide * 0.6 * part) * 16)
            cv2.circle(canvas.image, inner, round(wide * (1 - 0.75 * part) * 16), lit, -1, cv2.LINE_AA, 4)
        cv2.circle(canvas.owner, _pixel(at), max(1, round(wide)), owner, -1)
    at, grown = _project_to_board(camera, point, float(profile[-3, 0]) + 0.05)
    spot = at + way * profile[-3, 1] * PX * 0.4
    bright = [min(255.0, value + 255 * shine) for value in paint]
    cv2.circle(canvas.image, _pixel(spot), max(1, round(profile[-3, 1] * PX * 0.3)), bright, -1)


def _draw_hand(rng: np.random.Generator, canvas: Canvas) -> Mask:
    """Draw a hand or another object over part of the canvas in place, and return the mask of its pixels."""
    mask = np.zeros(canvas.owner.shape, np.uint8)
    start, end = rng.uniform(0.2, 0.8, 2) * CANVAS, rng.uniform(-0.3, 1.3, 2) * CANVAS
    wide = int(rng.uniform(0.5, 2.0) * PX)
    cv2.line(mask, _pixel(start), _pixel(end), 255, wide, cv2.LINE_AA)
    skin = jittered_paint(rng, (110, 145, 205), 25) if rng.random() < 0.8 else random_paint(rng)
    cv2.copyTo(as_image(np.broadcast_to(np.array(skin), canvas.image.shape)), mask, canvas.image)
    return np.asarray(mask > 127, np.bool_)


def _photograph(rng: np.random.Generator, canvas: Image, homography: Floats, size: tuple[int, int]) -> Image:
    """Return the canvas as a camera shows it in random light, BGR.

    homography: from tiles to px of the picture. size: width and height of the picture.
    """
    lit = _randomly_lit(rng, canvas.astype(np.float32))
    to_canvas = np.array([[PX, 0, EDGE * PX - 0.5], [0, PX, EDGE * PX - 0.5], [0, 0, 1.0]])
    scale = np.sqrt(size[0] * size[1]) / CANVAS * 0.9
    if scale < 0.8:
        lit = as_heights(cv2.GaussianBlur(lit, (0, 0), 0.4 / scale))
    warped = cv2.warpPerspective(lit, homography @ np.linalg.inv(to_canvas), size, borderMode=cv2.BORDER_REFLECT)
    soft = as_heights(cv2.GaussianBlur(warped, (0, 0), float(rng.uniform(0.3, 1.1))))
    if rng.random() < 0.15:
        soft = as_heights(soft + float(rng.uniform(0.3, 1.0)) * (soft - cv2.GaussianBlur(soft, (0, 0), 1.5)))
    grain: Heights = rng.standard_normal((*soft.shape[:2], 3), dtype=np.float32) * float(rng.uniform(0.5, 9))
    if rng.random() < 0.5:
        grain = as_heights(cv2.GaussianBlur(grain, (0, 0), 0.6) * 1.6)
    picture = as_image(np.clip(soft + grain, 0, 255))
    if rng.random() < 0.4:
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 95))])
        picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return picture


def _randomly_lit(rng: np.random.Generator, canvas: Heights) -> Heights:
    """Return a canvas (0 to 255) in random light: gradient, tint, shadow, glare and gamma."""
    y, x = np.mgrid[:CANVAS, :CANVAS].astype(np.float32) / CANVAS - 0.5
    about = rng.uniform(0, 2 * np.pi)
    gain = (1 + (x * np.cos(about) + y * np.sin(about)) * rng.uniform(0, 0.8))[..., None]
    warm = float(rng.uniform(-0.1, 0.35))
    tint = np.array([1 - 1.1 * warm, 1 - 0.25 * warm, 1 + 0.3 * warm]) * (1 + rng.normal(0, 0.04, 3))
    gain = gain * tint.astype(np.float32)
    if rng.random() < 0.3:
        edge = (x - rng.uniform(-0.4, 0.4)) * np.cos(about) + (y - rng.uniform(-0.4, 0.4)) * np.sin(about)
        gain = gain * (1 - rng.uniform(0.2, 0.6) * np.clip(edge / rng.uniform(0.005, 0.1) + 0.5, 0, 1))[..., None]
    lit = canvas * gain * float(np.exp(rng.uniform(np.log(0.35), np.log(1.3))))
    if rng.random() < 0.15:
        spot = np.hypot(
            (x - rng.uniform(-0.5, 0.5)) / rng.uniform(0.05, 0.3),
            (y - rng.uniform(-0.5, 0.5)) / rng.uniform(0.05, 0.3),
        )
        lit = lit + (rng.uniform(60, 220) * np.exp(-(spot**2)))[..., None]
    return as_heights(255 * (np.clip(lit, 0, 255) / 255) ** rng.uniform(0.8, 1.25))
