"""Render mazes: `PYTHON -m models.path_tracing.maze_blender FOLDER [FIRST LAST]`, by a Python with bpy.

Needs `pip install bpy==4.5.15 opencv-python-headless` (Python 3.11), and only the files of this folder. For every
picture, `SEED.jpg` in 1280 × 720, a line of `truth-FIRST.jsonl` holds the corners of the field (px, clockwise from
the outer corner of place 0), the bounding box of the spare (x, y, width, height in px) or null, the camera's tilt
in degrees and the exposure relative to a usual one. Existing pictures are not rendered again.
"""

from __future__ import annotations

import math
import sys
import tempfile
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Vector

from models.path_tracing.maze_scene import SIZE, TILE, MazeScene
from models.path_tracing.ordered import render_orders
from models.path_tracing.room import TABLE_CM, furnish, lay_ground, light_window

_PICTURE = (1280, 720)
_SAMPLES = 5
"""Samples per pixel."""
_TARGET = 0.2
"""Mean linear brightness to which a usual exposure leads."""
_UNDEREXPOSED = 0.2
"""Fraction of pictures at about half the usual exposure."""


def render(order: dict[str, Any], folder: Path, threads: int) -> dict[str, Any]:
    """Render one order to `SEED.jpg` and return its ground truth."""
    seed = order["seed"]
    rng = np.random.default_rng([seed, 0x3A])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    furnish(rng)
    light_window(seed)
    thick = float(rng.uniform(0.04, 0.1)) * TILE
    # The table is where `furnish` puts it; the field's top is the origin of the scene's own frame.
    lift = TABLE_CM + thick + 0.02
    lay_ground(folder / order["ground"], rng)
    before = set(bpy.data.objects)
    scene = MazeScene(rng, folder, order["print"], -thick)
    is_board = order["kind"] == "board"
    tilt = float(rng.uniform(0, 45) if is_board else rng.uniform(0, 15))
    turn = float(rng.uniform(0, 360) if is_board else rng.uniform(-8, 8))
    half = SIZE * TILE / 2
    reach = (half + scene.rim, half + scene.rim) if is_board else (3.6 * TILE, 2.0 * TILE)
    camera = _hang_camera(rng, tilt, turn, reach, lift)
    spare: np.ndarray | None = None
    if is_board:
        spare = _lay_position(scene, order, rng, lambda point: _pixels(camera, point, lift))
    else:
        for index, (number, _) in enumerate(order["tokens"]):
            scene.lay_token(number, ((index % 7 - 3) * 0.95 * TILE, (1 - index // 7) * 1.2 * TILE), -thick)
    for thing in set(bpy.data.objects) - before - {camera}:
        thing.location.z += lift
    dark = rng.random() < _UNDEREXPOSED
    exposure = float(rng.uniform(0.45, 0.6) if dark else rng.uniform(0.8, 1.3))
    _trace(threads)
    picture = _developed(exposure, rng)
    cv2.imwrite(str(folder / f"{seed}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])
    field = [(-half, half, 0.0), (half, half, 0.0), (half, -half, 0.0), (-half, -half, 0.0)]
    box = None
    if spare is not None:
        points = np.array([_pixels(camera, point, lift) for point in spare])
        box = [float(v) for v in (*points.min(axis=0), *np.ptp(points, axis=0))]
    corners = [list(_pixels(camera, point, lift)) for point in field]
    return {"seed": seed, "corners": corners, "spare_box": box, "tilt": tilt, "exposure": exposure}


def _lay_position(scene: MazeScene, order: dict[str, Any], rng: np.random.Generator, project: Any) -> Any:
    """Add everything that a position shows; return the corners of the spare's face, None if there is no room."""
    scene.lay_board(order["tiles"], {place: colour for colour, place in order["starts"]})
    spare = _spare_place(scene, rng, project)
    taken = None if spare is None else scene.lay_spare(order["spare"], spare)
    tops = {}
    for number, place in order["tokens"]:
        tops[place] = scene.lay_token(number, _middle(place))
    shared: dict[int, int] = {}
    for colour, place in order["wizards"]:
        beside = shared.get(place, 0)
        shared[place] = beside + 1
        spread = TILE * (0.05 if beside == 0 else 0.2)
        x, y = np.asarray(_middle(place)) + np.clip(rng.normal(0, spread, 2), -0.25 * TILE, 0.25 * TILE)
        scene.stand_wizard(colour, (float(x), float(y)), tops.get(place))
    reach = SIZE * TILE / 2 + scene.rim + 0.4 * TILE
    wood = rng.uniform(40, 220, 3)
    for number in (*order["taken"], *[None] * int(rng.integers(0, 8))):
        side, out, along = (
            int(rng.integers(4)),
            reach + float(rng.uniform(0, 2.5)) * TILE,
            float(rng.uniform(-10, 10)),
        )
        at = [(along, out), (out, along), (along, -out), (-out, along)][side]
        if spare is not None and math.dist(at, spare) < 1.5 * TILE:
            continue
        if number is None:
            scene.lay_wand(at, float(rng.uniform(0, 3.14)), wood)
        else:
            scene.lay_token(number, at, scene.ground)
    return taken


def _middle(place: int) -> tuple[float, float]:
    row, column = divmod(place, SIZE)
    return (column - 3) * TILE, (3 - row) * TILE


def _spare_place(scene: MazeScene, rng: np.random.Generator, project: Any) -> tuple[float, float] | None:
    """Return a random place beside the board that the camera sees; None if none is found."""
    reach = SIZE * TILE / 2 + scene.rim + 0.75 * TILE
    for attempt in range(60):
        out = reach + TILE * float(rng.uniform(0, 0.05 + 1.2 * (1 - attempt / 60)))
        along = TILE * float(rng.uniform(-3, 3))
        x, y = [(along, out), (out, along), (along, -out), (-out, along)][int(rng.integers(4))]
        edges = [
            project((x + dx, y + dy, scene.ground))
            for dx in (-0.75 * TILE, 0.75 * TILE)
            for dy in (-0.75 * TILE, 0.75 * TILE)
        ]
        if all(0 < u < _PICTURE[0] and 0 < v < _PICTURE[1] for u, v in edges):
            return x, y
    return None


def _hang_camera(
    rng: np.random.Generator, tilt: float, turn: float, reach: tuple[float, float], lift: float
) -> Any:
    """Add a camera that shows a rectangle of half-sizes `reach` (cm) as a whole. tilt, turn: degrees."""
    lens = bpy.data.cameras.new("camera")
    camera = bpy.data.objects.new("camera", lens)
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    lens.angle = 2 * math.atan(0.5 / float(rng.uniform(0.75, 1.3)))
    fill = float(rng.uniform(0.82, 0.98))
    away, around = math.radians(tilt), math.radians(turn)
    way = Vector((math.sin(away) * math.sin(around), -math.sin(away) * math.cos(around), math.cos(away)))
    roll = math.radians(float(rng.normal(0, 4)))
    ends = [(x, y, 0.0) for x in (-reach[0], reach[0]) for y in (-reach[1], reach[1])]
    half = np.asarray(_PICTURE) / 2
    low, high = 10.0, 300.0
    for _ in range(30):
        distance = (low + high) / 2
        camera.location = way * distance + Vector((0, 0, lift))
        camera.rotation_euler = (-way).to_track_quat("-Z", "Y").to_euler()
        camera.rotation_euler.rotate_axis("Z", roll)
        spread = np.abs(np.array([_pixels(camera, end, lift) for end in ends]) - half).max(axis=0) / half
        low, high = (distance, high) if spread.max() > fill else (low, distance)
    return camera


def _pixels(camera: Any, point: Any, lift: float) -> tuple[float, float]:
    """Return where a point of the scene's frame lies in the picture, px."""
    bpy.context.view_layer.update()
    x, y, z = camera.matrix_world.inverted() @ Vector((point[0], point[1], point[2] + lift))
    focal = _PICTURE[0] / 2 / math.tan(camera.data.angle / 2)
    return _PICTURE[0] / 2 + focal * x / -z, _PICTURE[1] / 2 - focal * y / -z


def _trace(threads: int) -> None:
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = _SAMPLES, True, 3
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.render.resolution_x, scene.render.resolution_y = _PICTURE
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "16"


def _developed(exposure: float, rng: np.random.Generator) -> np.ndarray:
    """Trace the scene and return it as a camera takes it: exposure, white balance, noise, blur, 8 bit BGR."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.render.filepath = f"{folder}/traced.exr"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(f"{folder}/traced.exr")
        values = np.empty(4 * _PICTURE[0] * _PICTURE[1], np.float32)
        image.pixels.foreach_get(values)
    light = values.reshape(_PICTURE[1], _PICTURE[0], 4)[::-1, :, 2::-1]
    middle = light[90:-90, 160:-160]
    balance = (middle.mean() / middle.mean(axis=(0, 1))) ** float(rng.uniform(0.2, 0.9))
    light = light * balance * (_TARGET * exposure / float(np.mean(np.minimum(middle, 4 * middle.mean()))))
    light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 0.9)))
    spread = float(rng.uniform(0.004, 0.012))
    light = light + rng.standard_normal(light.shape, dtype=np.float32) * spread * np.sqrt(np.clip(light, 0.01, 1))
    light = np.clip(light, 0, 1)
    srgb = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(np.clip(srgb * 255, 0, 255), np.uint8)


def main() -> None:
    """Render the ordered pictures of a folder."""
    folder = Path(sys.argv[1])
    render_orders(lambda order: render(order, folder, threads=1), folder, sys.argv[2:4])


if __name__ == "__main__":
    main()
