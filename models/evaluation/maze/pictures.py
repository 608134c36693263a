"""Synthetic pictures of the maze with ground truth: many looks, cameras, lights and states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.games.master.art.looks import LOOKS, RINGS, Bgr, MazeLook, ring, tile_picture
from models.evaluation.maze.truth import MazeTruth
from vision.cameras.simulated.grounds import SPAN_MM, Ground, draw
from vision.games.master.readings import FIXED, LOOSE_TILES, NUMBERS, SIZE, STARTS, MazeState

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]
Light = Literal["day", "lamp", "half", "glare", "shadow"]
"""Even daylight; a warm lamp; a warm lamp at half the exposure; a reflection; hard shadows."""
LIGHTS: Final[tuple[Light, ...]] = get_args(Light)
Situation = Literal[
    "board", "spare_hidden", "cut_off", "covered", "half_pushed", "half_out", "no_board", "two_boards"
]
"""What the picture shows; `cut_off`: the picture's edge cuts the board's rim and up to a third of one outer row."""
SITUATIONS: Final[tuple[Situation, ...]] = get_args(Situation)

_STATES: Final[dict[Situation, MazeState]] = {
    "covered": "covered", "half_out": "covered", "half_pushed": "half_pushed", "no_board": "no_board",
    "two_boards": "no_board",
}  # fmt: skip # short pairs
"""States of the situations that are not "board"."""
_TILE_MM: Final = 40.0
"""Width of a tile on the simulated ground, mm."""
_FACE_PX: Final = 96
"""Width of a tile's face, px."""
_RIM: Final = 0.9
"""Width of the board around the field, in tiles."""
_TILE_THICK: Final = 0.055
"""Thickness of a tile, in tiles."""
_TOKEN_THICK: Final = 0.05
"""Thickness of a token, in tiles."""
_BOARD_THICK: Final = 0.06
"""Thickness of the board, in tiles."""
_DISC: Final = 0.52
"""Diameter of a token, in tiles."""
_SUPERSAMPLING: Final = 2


@dataclass(frozen=True)
class _Camera:
    """Pinhole camera; x right and y down on the board, in tiles from the outer corner of place 0; heights above it."""

    rotation: Floats
    centre: Floats
    offset: Floats
    focal: float
    size: tuple[int, int]

    def project(self, points: Sequence[Sequence[float]] | Floats) -> Floats:
        """Return px (N, 2) of points (N, 3)."""
        world = np.asarray(points, np.float64) * [1, 1, -1]
        rays = (world - self.centre) @ self.rotation.T + self.offset
        return rays[:, :2] / rays[:, 2:] * self.focal + np.asarray(self.size) / 2

    def distances(self, points: Floats) -> Floats:
        """Return the distances of points (N, 3) from the camera."""
        world = np.asarray(points, np.float64) * [1, 1, -1]
        return np.linalg.norm((world - self.centre) @ self.rotation.T + self.offset, axis=1)

    def plane(self, height: float) -> Floats:
        """Return the homography from (x, y) at this height to px."""
        square = np.float32([[0, 0], [7, 0], [7, 7], [0, 7]])
        pixels = self.project(np.c_[square, np.full(4, height)])
        return np.asarray(cv2.getPerspectiveTransform(square, pixels.astype(np.float32)), np.float64)


@dataclass(frozen=True)
class _Slab:
    """A flat thing with thickness: its face (BGRA) over a square or round body."""

    face: Image
    centre: tuple[float, float]
    angle: float
    width: float
    bottom: float
    top: float
    edge: Bgr
    round: bool = False


def picture(
    seed: int,
    look: str = "standin",
    light: Light = "day",
    situation: Situation = "board",
    size: tuple[int, int] = (1280, 720),
    tilt: float | None = None,
    turn: float | None = None,
) -> tuple[Image, MazeTruth]:
    """Return a random picture (BGR, uint8) of a random position, and its ground truth.

    tilt: angle of the optical axis from straight down, degrees, 0..45; None: random. turn: rotation of the board in
    the picture, degrees; None: random. Equal arguments give equal pictures.
    """
    rng = np.random.default_rng([seed, 0x3A2E])
    style = LOOKS[look]
    tilt = float(rng.uniform(0, 45)) if tilt is None else tilt
    turn = float(rng.uniform(0, 360)) if turn is None else turn
    camera = _camera(rng, tilt, turn, size, situation)
    fine = _SUPERSAMPLING
    image = _ground(int(rng.integers(24)), camera, fine)
    if situation == "no_board":
        return _photographed(image, rng, light, size), MazeTruth("no_board")
    tiles, spare, tokens, wizards = _position(rng)
    pieces, spare_slab = _pieces(rng, style, seed, tiles, spare, tokens, wizards, situation)
    _lay_board(image, camera, style, seed, rng, fine)
    centres = np.array([[*slab.centre, slab.top] for slab in pieces])
    order = sorted(
        range(len(pieces)), key=lambda k: (round(pieces[k].bottom, 3), -camera.distances(centres[k : k + 1])[0])
    )
    for k in order:
        _lay(image, camera, pieces[k], fine)
    for colour, place in wizards.items():
        where = spare_slab.centre if place is None else (place % SIZE + 0.5, place // SIZE + 0.5)
        shift = rng.normal(0, 0.07, 2)
        _stand(image, camera, (where[0] + shift[0], where[1] + shift[1]), RINGS[colour], fine)
    corners = camera.project([[0, 0, 0], [SIZE, 0, 0], [SIZE, SIZE, 0], [0, SIZE, 0]])
    covered: frozenset[int] = frozenset()
    if situation == "covered":
        covered = _cover(image, camera, rng, fine)
    box = _box(camera.project(_outline(spare_slab, spare_slab.top)))
    inside = box[0] >= 0 and box[1] >= 0 and box[0] + box[2] <= size[0] and box[1] + box[3] <= size[1]
    truth = MazeTruth(
        state=_STATES.get(situation, "board"),
        tiles=tiles,
        spare=spare if inside and situation not in ("half_pushed", "spare_hidden") else "",
        tokens=tokens,
        wizards=wizards,
        corners=tuple((float(x), float(y)) for x, y in corners),
        spare_box=box if inside and situation not in ("half_pushed", "spare_hidden") else None,
        covered=covered,
    )
    return _photographed(image, rng, light, size), truth


def _camera(
    rng: np.random.Generator, tilt: float, turn: float, size: tuple[int, int], situation: Situation
) -> _Camera:
    around, about = np.radians(turn), np.radians(tilt)
    cos, sin = np.cos(around), np.sin(around)
    rotation = np.array([[1, 0, 0], [0, np.cos(about), np.sin(about)], [0, -np.sin(about), np.cos(about)]])
    rotation = rotation @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    focal = float(rng.uniform(0.75, 1.2)) * size[0]
    fill = float(rng.uniform(0.8, 1.0))
    margin = _RIM + (0.9 if situation != "cut_off" else 0.0)
    rim = [[x, y, 0.0] for x in (-margin, SIZE + margin) for y in (-margin, SIZE + margin)]
    low, high = 6.0, 60.0
    for _ in range(30):
        distance = (low + high) / 2
        camera = _Camera(rotation, np.array([3.5, 3.5, 0]), np.array([0, 0, distance]), focal, size)
        spread = np.abs(camera.project(rim) - np.asarray(size) / 2).max(axis=0) / (np.asarray(size) / 2)
        low, high = (distance, high) if spread.max() > fill else (low, distance)
    shift = rng.uniform(-1, 1, 2) * (1 - fill) * 0.5 * distance * np.asarray(size) / (2 * focal)
    if situation in ("cut_off", "half_out"):
        field = camera.project([[x, y, 0.0] for x in (0, SIZE) for y in (0, SIZE)])
        side = int(rng.integers(2))
        reach = field[:, side].max() - size[side] / 2
        tile = (field[:, side].max() - field[:, side].min()) / 9
        beyond = tile * rng.uniform(0.0, 0.3) if situation == "cut_off" else tile * rng.uniform(2.5, 5)
        shift[side] = (size[side] / 2 - reach + beyond) * distance / focal
    return _Camera(rotation, np.array([3.5, 3.5, 0]), np.array([shift[0], shift[1], distance]), focal, size)


def _position(
    rng: np.random.Generator,
) -> tuple[tuple[str, ...], str, dict[int, int | None], dict[str, int | None]]:
    """Return random tiles, spare, tokens and wizards of a game under way."""
    shapes = [shape for shape, count in LOOSE_TILES.items() for _ in range(count)]
    loose = [_turned(str(shape), int(rng.integers(4))) for shape in rng.permutation(shapes)]
    places = iter(loose)
    tiles = tuple(FIXED[place] if place in FIXED else next(places) for place in range(SIZE * SIZE))
    taken = int(rng.integers(0, len(NUMBERS)))
    lying = NUMBERS[taken:]
    inner = [p for p in range(SIZE * SIZE) if 0 < p % 7 < 6 and 0 < p // 7 < 6 and p not in STARTS.values()]
    where = rng.permutation(inner if taken == 0 else SIZE * SIZE)[: len(lying)]
    tokens: dict[int, int | None] = {number: int(place) for number, place in zip(lying, where, strict=True)}
    colours = [str(colour) for colour in rng.permutation(list(STARTS))[: int(rng.integers(2, 5))]]
    wizards: dict[str, int | None] = {
        colour: STARTS[colour] if rng.random() < 0.25 else int(rng.integers(SIZE * SIZE)) for colour in colours
    }
    return tiles, next(places), tokens, wizards


def _turned(openings: str, quarters: int) -> str:
    """Return openings turned clockwise by quarter turns, in the order T R B L."""
    return "".join(sorted(("TRBL"[("TRBL".index(side) + quarters) % 4] for side in openings), key="TRBL".index))


def _pieces(
    rng: np.random.Generator,
    style: MazeLook,
    seed: int,
    tiles: tuple[str, ...],
    spare: str,
    tokens: dict[int, int | None],
    wizards: dict[str, int | None],
    situation: Situation,
) -> tuple[list[_Slab], _Slab]:
    """Return the loose tiles and tokens of the board, and the spare, which is among them."""
    moved = np.zeros((SIZE * SIZE, 2))
    if situation == "half_pushed":
        line, part = int(rng.choice((1, 3, 5))), float(rng.uniform(0.25, 0.75))
        across = rng.random() < 0.5
        for k in range(SIZE):
            moved[SIZE * line + k if across else SIZE * k + line] = (part, 0) if across else (0, part)
    slabs: dict[int, _Slab] = {}
    drift = float(rng.uniform(0.2, 1.0))
    for place, openings in enumerate(tiles):
        if place not in FIXED:
            shift = rng.uniform(-0.1, 0.1, 2) * drift + moved[place]
            slabs[place] = _tile(openings, style, seed * 64 + place, place, shift, rng.uniform(-5, 5) * drift)
    along = float(rng.uniform(0.5, 6.5))
    beyond = SIZE + _RIM + 0.55
    beside = [(along, -_RIM - 0.55), (beyond, along), (along, beyond), (-_RIM - 0.55, along)][int(rng.integers(4))]
    if situation == "half_pushed":
        beside = (part - 0.5, line + 0.5) if across else (line + 0.5, part - 0.5)
    spin = float(rng.uniform(-4, 4) if situation == "half_pushed" else rng.uniform(-20, 20))
    place_of_spare = (beside[0] - 0.5, beside[1] - 0.5)
    spare_tile = _tile_at(openings=spare, style=style, seed=seed * 64 + 63, corner=place_of_spare, angle=spin)
    pieces = list(slabs.values())
    if situation != "spare_hidden":
        pieces.append(spare_tile)
    for number, place in tokens.items():
        under = spare_tile if place is None else slabs.get(place)
        middle = under.centre if under else (place % SIZE + 0.5, place // SIZE + 0.5)  # type: ignore[operator]
        x, y = np.asarray(middle) + rng.normal(0, 0.04, 2)
        ground = under.top if under else 0.0
        face = _token(number)
        pieces.append(
            _Slab(
                face, (float(x), float(y)), float(rng.uniform(0, 360)), _DISC, ground, ground + _TOKEN_THICK,
                (150, 160, 170), round=True,
            )
        )  # fmt: skip # one argument list
    return pieces, spare_tile


def _tile(openings: str, style: MazeLook, seed: int, place: int, shift: Floats, angle: float) -> _Slab:
    corner = (place % SIZE + float(shift[0]), place // SIZE + float(shift[1]))
    return _tile_at(openings, style, seed, corner, angle)


def _tile_at(openings: str, style: MazeLook, seed: int, corner: tuple[float, float], angle: float) -> _Slab:
    face = tile_picture(openings, style, seed, _FACE_PX)
    centre = (corner[0] + 0.5, corner[1] + 0.5)
    return _Slab(_opaque(face), centre, float(angle), 0.965, 0.0, _TILE_THICK, style.edge)


def _token(number: int) -> Image:
    """Return a token's face: its number on a coloured disc."""
    px = 64
    rng = np.random.default_rng(number)
    face = np.zeros((px, px, 4), np.uint8)
    colour = tuple(int(v) for v in rng.integers(120, 235, 3))
    cv2.circle(face, (px * 8, px * 8), px * 8 - 16, (*colour, 255), -1, cv2.LINE_AA, 4)
    cv2.circle(face, (px * 8, px * 8), px * 8 - 40, (40, 40, 40, 255), 2, cv2.LINE_AA, 4)
    cv2.circle(face, (px // 2, 20), 10, tuple([int(v) for v in rng.integers(0, 160, 3)] + [255]), -1, cv2.LINE_AA)
    (width, height), _ = cv2.getTextSize(str(number), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 2)
    cv2.putText(
        face, str(number), (px // 2 - width // 2, px // 2 + height), cv2.FONT_HERSHEY_SIMPLEX, 0.8,
        (20, 20, 20, 255), 2, cv2.LINE_AA,
    )  # fmt: skip # one argument list
    return face


def _opaque(face: Image) -> Image:
    return np.dstack([face, np.full(face.shape[:2], 255, np.uint8)])


@lru_cache(maxsize=4)
def _table_top(seed: int) -> Image:
    return draw(Ground.from_seed(seed))


def _ground(seed: int, camera: _Camera, fine: int) -> Image:
    top = _table_top(seed)
    width, height = SPAN_MM
    scale = 1 / _TILE_MM
    to_tiles = np.array([[scale, 0, 3.5 - width / 2 * scale], [0, scale, 3.5 - height / 2 * scale], [0, 0, 1]])
    zoom = np.diag([fine, fine, 1.0])
    image = cv2.warpPerspective(
        top,
        zoom @ camera.plane(-_BOARD_THICK) @ to_tiles,
        (camera.size[0] * fine, camera.size[1] * fine),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT_101,
    )
    return np.asarray(image, np.uint8)


def _lay_board(
    image: Image, camera: _Camera, style: MazeLook, seed: int, rng: np.random.Generator, fine: int
) -> None:
    """Draw the board: rim, arrows, fixed tiles with start rings, bare lines between them."""
    px = _FACE_PX
    edge = round(_RIM * px)
    face = np.empty((SIZE * px + 2 * edge, SIZE * px + 2 * edge, 3), np.uint8)
    face[:] = np.clip(np.float32(style.rim) * (1 + 0.05 * rng.standard_normal((*face.shape[:2], 1))), 0, 255)
    face[edge:-edge, edge:-edge] = np.uint8(np.float32(style.rim) * 0.55)
    starts = {place: colour for colour, place in STARTS.items()}
    for place, openings in FIXED.items():
        tile = tile_picture(openings, style, seed * 64 + place, px)
        if place in starts:
            tile = ring(tile, RINGS[starts[place]])
        top, left = edge + place // SIZE * px, edge + place % SIZE * px
        face[top : top + px, left : left + px] = tile
    for quarter in range(4):
        for line in (1, 3, 5):
            x = edge + (line + 0.5) * px
            cv2.fillPoly(
                face,
                [np.int32([[x - px * 0.2, edge * 0.45], [x + px * 0.2, edge * 0.45], [x, edge * 0.8]])],
                (40, 200, 230),
                cv2.LINE_AA,
            )
        face = np.ascontiguousarray(np.rot90(face))
    slab = _Slab(_opaque(face), (3.5, 3.5), 0.0, SIZE + 2 * _RIM, -_BOARD_THICK, 0.0, style.edge)
    _lay(image, camera, slab, fine)


def _outline(slab: _Slab, height: float) -> Floats:
    """Return the outline (N, 3) of a slab at this height, clockwise."""
    half = slab.width / 2
    if slab.round:
        turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
        flat = np.c_[np.cos(turns), np.sin(turns)] * half
    else:
        flat = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]]) * half
    angle = np.radians(slab.angle)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.c_[flat @ rotation + slab.centre, np.full(len(flat), height)]


def _lay(image: Image, camera: _Camera, slab: _Slab, fine: int) -> None:
    """Draw a slab: a soft shadow, the cut edge, the face."""
    low, high = _outline(slab, slab.bottom), _outline(slab, slab.top)
    hull = cv2.convexHull((camera.project(np.r_[low, high]) * fine).astype(np.float32))
    shifted = low + [0.03, 0.04, 0]
    shadow = camera.project(shifted) * fine
    both = np.r_[hull[:, 0], shadow]
    start = np.maximum(np.floor(both.min(axis=0)).astype(int) - 6, 0)
    end = np.minimum(np.ceil(both.max(axis=0)).astype(int) + 7, image.shape[1::-1])
    if np.any(end <= start):
        return
    view = image[start[1] : end[1], start[0] : end[0]]
    dark = np.zeros(view.shape[:2], np.uint8)
    cv2.fillConvexPoly(dark, np.round((shadow - start) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    dark = cv2.GaussianBlur(dark, (0, 0), 2.5)
    view[:] = (view * (1 - 0.45 / 255 * dark[..., None].astype(np.float32))).astype(np.uint8)
    cv2.fillConvexPoly(view, np.round((hull[:, 0] - start) * 16).astype(np.int32), slab.edge, cv2.LINE_AA, 4)
    square = _Slab(slab.face, slab.centre, slab.angle, slab.width, slab.bottom, slab.top, slab.edge)
    target = camera.project(_outline(square, slab.top)) * fine - start
    px = len(slab.face)
    source = np.float32([[0, 0], [px, 0], [px, px], [0, px]]) - 0.5
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    face = cv2.warpPerspective(slab.face, matrix, view.shape[1::-1], flags=cv2.INTER_LINEAR)
    cover = face[..., 3:].astype(np.float32) / 255
    view[:] = (view * (1 - cover) + face[..., :3] * cover).astype(np.uint8)


def _stand(image: Image, camera: _Camera, foot: tuple[float, float], colour: Bgr, fine: int) -> None:
    """Draw a standing pawn as a stack of discs: a cone with a head."""
    for step in range(40):
        height = step / 40 * 0.62
        radius = (
            0.19 * (1 - height / 0.55) + 0.05
            if height < 0.4
            else 0.12 * np.sqrt(max(0.0, 1 - ((height - 0.5) / 0.125) ** 2))
        )
        turns = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        circle = np.c_[
            foot[0] + np.cos(turns) * radius, foot[1] + np.sin(turns) * radius, np.full(20, height + 0.05)
        ]
        shade = 0.55 + 0.6 * step / 40
        paint = tuple(float(min(255, v * shade)) for v in colour)
        cv2.fillConvexPoly(
            image, np.round(camera.project(circle) * fine * 16).astype(np.int32), paint, cv2.LINE_AA, 4
        )


def _cover(image: Image, camera: _Camera, rng: np.random.Generator, fine: int) -> frozenset[int]:
    """Draw a hand and forearm over the board, and return the places that they cover."""
    goal = rng.uniform(1.5, 5.5, 2)
    away = np.radians(rng.uniform(0, 360))
    along = np.array([np.cos(away), np.sin(away)])
    across = np.array([-along[1], along[0]])
    arm = [goal + along * t + across * w for t, w in ((0, -0.9), (12, -1.1), (12, 1.1), (0, 0.9))]
    mask = np.zeros(image.shape[:2], np.uint8)
    points = camera.project(np.c_[np.array(arm), np.full(4, 0.6)]) * fine
    cv2.fillConvexPoly(mask, np.round(points).astype(np.int32), 255, cv2.LINE_AA)
    for finger in np.linspace(-0.7, 0.7, 4):
        tip = goal + across * finger - along * 1.3
        ends = camera.project(np.r_[np.c_[[goal + across * finger], 0.5], np.c_[[tip], 0.3]]) * fine
        cv2.line(mask, tuple(np.int32(ends[0])), tuple(np.int32(ends[1])), 255, 34 * fine // 2, cv2.LINE_AA)
    skin = np.float32((110, 145, 205)) * rng.uniform(0.5, 1.1)
    weight = mask[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - weight) + skin * weight).astype(np.uint8)
    middles = np.array([[p % SIZE + 0.5, p // SIZE + 0.5, 0.0] for p in range(SIZE * SIZE)])
    pixels = np.int32(camera.project(middles) * fine)
    inside = [0 <= x < mask.shape[1] and 0 <= y < mask.shape[0] for x, y in pixels]
    return frozenset(p for p, (x, y) in enumerate(pixels) if not inside[p] or mask[y, x] > 127)


def _box(points: Floats) -> tuple[float, float, float, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1]))


def _photographed(image: Image, rng: np.random.Generator, light: Light, size: tuple[int, int]) -> Image:
    """Apply light and sensor to a supersampled picture."""
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    way = rng.uniform(0, 2 * np.pi)
    slope = ((x / width - 0.5) * np.cos(way) + (y / height - 0.5) * np.sin(way)) * rng.uniform(0.1, 0.5)
    gain = (1 + slope)[..., None] * np.float32([1, 1, 1])
    if light in ("lamp", "half"):
        warm = float(rng.uniform(0.1, 0.3))
        gain *= np.float32([1 - 1.2 * warm, 1 - 0.25 * warm, 1 + 0.35 * warm])
    gain *= rng.uniform(0.85, 1.15) * (0.5 if light == "half" else 1.0)
    if light == "shadow":
        edge = (x - width * rng.uniform(0.3, 0.7)) * np.cos(way) + (y - height * rng.uniform(0.3, 0.7)) * np.sin(
            way
        )
        gain *= (1 - 0.45 * np.clip(edge / 12 + 0.5, 0, 1))[..., None]
    lit = small * gain
    if light == "glare":
        spot = np.hypot((x - width * rng.uniform(0.3, 0.7)) / 160, (y - height * rng.uniform(0.3, 0.7)) / 70)
        lit += (200 * np.exp(-(spot**2)))[..., None]
    lit = cv2.GaussianBlur(lit, (0, 0), float(rng.uniform(0.45, 0.9)))
    noise = cv2.GaussianBlur(rng.standard_normal(lit.shape, dtype=np.float32), (0, 0), 0.5)
    lit += noise * (float(rng.uniform(2, 6)) / 0.55 * (1.6 if light == "half" else 1))
    return np.clip(lit, 0, 255).astype(np.uint8)


def shape_counts(truth: MazeTruth) -> Counter[str]:
    """Return how often each shape of tile is among the loose tiles and the spare."""
    loose = [tile for place, tile in enumerate(truth.tiles) if place not in FIXED]
    names = {_turned(shape, quarters): shape for shape in LOOSE_TILES for quarters in range(4)}
    return Counter(names[tile] for tile in (*loose, truth.spare) if tile)
