"""Renders jobs of mazes: `PYTHON -m models.path_tracing.render_mazes FOLDER [FIRST LAST]`, by a Python with bpy.

Needs `pip install bpy==4.5.15 opencv-python-headless` (Python 3.11), and only the files of this folder. A picture
is `SEED.jpg`, 1280 × 720 px (crowds: 600 × 600). A line of `truth-FIRST.jsonl` holds its ground truth: the corners
of the field (px, clockwise from the outer corner of place 0), the bounding box of the spare (x, y, width, height in
px) or null, the camera's tilt in degrees, and the exposure (1 is a normal one).

A crowd's line also holds the position of the camera, in tiles right and down from the corner of place 0 and above
the field, and the visible fractions of discs, wizards and start rings in the job's order. Existing pictures are not
rendered again.
"""

from __future__ import annotations

import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Vector

from models.path_tracing.job_runner import render_jobs
from models.path_tracing.maze_scene import SIZE, TILE, MazeScene, Token
from models.path_tracing.scene_setup import TABLE_CM, add_table_and_lamp, lay_ground, light_window
from models.path_tracing.wizard_crowd import stand_crowd, visible_fractions

_PICTURE = (1280, 720)
"""Width and height of a picture, px."""
_CROWD_PICTURE = (600, 600)
"""Width and height of a picture of a crowd, px: about the square that the board fills in other pictures."""
_SAMPLES = 5
"""Samples per pixel."""
_CROWD_SAMPLES = 4
"""Samples per pixel of a crowd."""
_TARGET = 0.2
"""Mean linear brightness of a picture with normal exposure."""
_UNDEREXPOSED = 0.2
"""Fraction of pictures at about half the normal exposure."""


@dataclass(frozen=True, slots=True)
class _AddedObjects:
    """Objects that were added to a scene."""

    spare: np.ndarray | None
    """Corners of the spare's face, cm, (4, 3); None if there was no room."""
    tokens: list[Token]
    """Tokens on the board, in the order of the job."""
    wizards: list[Any]
    """Blender objects of the wizards, in the order of the job."""


def render(job: dict[str, Any], folder: Path, threads: int) -> dict[str, Any]:
    """Render one job to `SEED.jpg`, and return its ground truth. job: as `MazeJob` in JSON."""
    seed = job["seed"]
    rng = np.random.default_rng([seed, 0x3A])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    is_board, is_crowd = job["kind"] != "tokens", job["kind"] == "crowd"
    image = bpy.context.scene.render
    image.resolution_x, image.resolution_y = _CROWD_PICTURE if is_crowd else _PICTURE
    add_table_and_lamp(rng)
    light_window(seed)
    thick = float(rng.uniform(0.04, 0.1)) * TILE
    # The table is where `add_table_and_lamp` puts it; the field's top is the origin of the scene's own frame.
    lift = TABLE_CM + thick + 0.02
    lay_ground(folder / job["ground"], rng)
    before = set(bpy.data.objects)
    scene = MazeScene(rng, folder, job["print"], -thick)
    tilt = float(rng.uniform(0, 45) if is_board else rng.uniform(0, 15))
    turn = float(rng.uniform(0, 360) if is_board else rng.uniform(-8, 8))
    half = SIZE * TILE / 2
    reach = (half + scene.rim, half + scene.rim) if is_board else (3.6 * TILE, 2.0 * TILE)
    camera = _hang_camera(rng, tilt, turn, reach, lift)
    laid = _AddedObjects(None, [], [])
    if is_board:
        laid = _add_position(scene, job, rng, lambda point: _project(camera, point, lift))
    else:
        for index, (number, _) in enumerate(job["tokens"]):
            scene.lay_token(number, ((index % 7 - 3) * 0.95 * TILE, (1 - index // 7) * 1.2 * TILE), -thick)
    for thing in set(bpy.data.objects) - before - {camera}:
        thing.location.z += lift
    dark = rng.random() < _UNDEREXPOSED
    exposure = float(rng.uniform(0.45, 0.6) if dark else rng.uniform(0.8, 1.3))
    _set_up_tracing(_CROWD_SAMPLES if is_crowd else _SAMPLES, threads)
    picture = _render_photograph(exposure, rng)
    cv2.imwrite(str(folder / f"{seed}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(78, 97))])
    field = [(-half, half, 0.0), (half, half, 0.0), (half, -half, 0.0), (-half, -half, 0.0)]
    box = None
    if laid.spare is not None:
        points = np.array([_project(camera, point, lift) for point in laid.spare])
        box = [float(v) for v in (*points.min(axis=0), *np.ptp(points, axis=0))]
    corners = [list(_project(camera, point, lift)) for point in field]
    truth = {"seed": seed, "corners": corners, "spare_box": box, "tilt": tilt, "exposure": exposure}
    return truth | (_crowd_truth(scene, job, laid, camera, lift) if is_crowd else {})


def _crowd_truth(
    scene: MazeScene, job: dict[str, Any], laid: _AddedObjects, camera: Any, lift: float
) -> dict[str, Any]:
    """Return the further ground truth of a crowd: the camera's position in tiles, and visible fractions.

    laid: objects of the scene. lift: height of the field above Blender's origin, cm.
    """
    x, y, z = camera.location - Vector((0, 0, lift))
    eye = np.array([x / TILE + SIZE / 2, SIZE / 2 - y / TILE, z / TILE])
    rings = [[Vector((x, y, z + lift)) for x, y, z in scene.ring_points(place)] for _, place in job["starts"]]
    tokens = [token.made for token in laid.tokens]
    visible = visible_fractions(camera, {"discs": tokens, "wizards": laid.wizards}, rings)
    return {"camera": eye.tolist(), "visible": visible}


def _add_position(scene: MazeScene, job: dict[str, Any], rng: np.random.Generator, project: Any) -> _AddedObjects:
    """Add board, spare, tokens, wizards and wands of a job to the scene; return spare, tokens and wizards.

    project: function from a point of the scene to px of the picture.
    """
    scene.lay_board(job["tiles"], {place: colour for colour, place in job["starts"]})
    spare = _spare_place(scene, rng, project)
    corners = None if spare is None else scene.lay_spare(job["spare"], spare)
    tokens = [scene.lay_token(number, _middle(place)) for number, place in job["tokens"]]
    tops = {place: token.top for (_, place), token in zip(job["tokens"], tokens, strict=True)}
    if job["kind"] == "crowd":
        wizards = stand_crowd(scene, job["wizards"], tops, rng)
    else:
        wizards = _stand_wizards(scene, job["wizards"], tops, rng)
    reach = SIZE * TILE / 2 + scene.rim + 0.4 * TILE
    wood = rng.uniform(40, 220, 3)
    for number in (*job["taken"], *[None] * int(rng.integers(0, 8))):
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
    return _AddedObjects(corners, tokens, wizards)


def _stand_wizards(
    scene: MazeScene, wizards: list[tuple[str, int]], tops: dict[int, float], rng: np.random.Generator
) -> list[Any]:
    """Add wizards to the scene, two on one place beside each other, and return their Blender objects.

    wizards: colour and place of each. tops: height of the token on a place, cm.
    """
    shared: dict[int, int] = {}
    made = []
    for colour, place in wizards:
        beside = shared.get(place, 0)
        shared[place] = beside + 1
        spread = TILE * (0.05 if beside == 0 else 0.2)
        x, y = np.asarray(_middle(place)) + np.clip(rng.normal(0, spread, 2), -0.25 * TILE, 0.25 * TILE)
        made.append(scene.stand_wizard(colour, (float(x), float(y)), tops.get(place)))
    return made


def _middle(place: int) -> tuple[float, float]:
    """Return the middle (x, y) of a place, cm."""
    row, column = divmod(place, SIZE)
    return (column - 3) * TILE, (3 - row) * TILE


def _spare_place(scene: MazeScene, rng: np.random.Generator, project: Any) -> tuple[float, float] | None:
    """Return a random point (x, y) beside the board, in cm, where a spare would be wholly in view.

    None if no such point is found. project: function from a point of the scene to px of the picture.
    """
    reach = SIZE * TILE / 2 + scene.rim + 0.75 * TILE
    width, height = _picture_size()
    for attempt in range(60):
        out = reach + TILE * float(rng.uniform(0, 0.05 + 1.2 * (1 - attempt / 60)))
        along = TILE * float(rng.uniform(-3, 3))
        x, y = [(along, out), (out, along), (along, -out), (-out, along)][int(rng.integers(4))]
        edges = [
            project((x + dx, y + dy, scene.ground))
            for dx in (-0.75 * TILE, 0.75 * TILE)
            for dy in (-0.75 * TILE, 0.75 * TILE)
        ]
        if all(0 < u < width and 0 < v < height for u, v in edges):
            return x, y
    return None


def _hang_camera(
    rng: np.random.Generator, tilt: float, turn: float, reach: tuple[float, float], lift: float
) -> Any:
    """Add a camera that shows a rectangle around the origin as a whole, and return it.

    tilt: from straight down, degrees. turn: direction of the tilt, degrees. reach: half width and half depth of the
    rectangle, cm. lift: height of the rectangle, cm.
    """
    lens = bpy.data.cameras.new("camera")
    camera = bpy.data.objects.new("camera", lens)
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    width, height = _picture_size()
    # The focal length is that of a whole picture, in its widths, whatever part of one is rendered.
    focal = float(rng.uniform(0.75, 1.3)) * ((height * _PICTURE[0]) / (_PICTURE[1] * width))
    lens.angle = 2 * math.atan(0.5 / focal)
    fill = float(rng.uniform(0.82, 0.98))
    away, around = math.radians(tilt), math.radians(turn)
    way = Vector((math.sin(away) * math.sin(around), -math.sin(away) * math.cos(around), math.cos(away)))
    roll = math.radians(float(rng.normal(0, 4)))
    ends = [(x, y, 0.0) for x in (-reach[0], reach[0]) for y in (-reach[1], reach[1])]
    half = np.array([width, height]) / 2
    low, high = 10.0, 300.0
    for _ in range(30):
        distance = (low + high) / 2
        camera.location = way * distance + Vector((0, 0, lift))
        camera.rotation_euler = (-way).to_track_quat("-Z", "Y").to_euler()
        camera.rotation_euler.rotate_axis("Z", roll)
        spread = np.abs(np.array([_project(camera, end, lift) for end in ends]) - half).max(axis=0) / half
        low, high = (distance, high) if spread.max() > fill else (low, distance)
    return camera


def _project(camera: Any, point: Any, lift: float) -> tuple[float, float]:
    """Return where a point of the scene appears in the picture: (x, y), px.

    point: (x, y, z), cm. lift: height of the scene's frame above Blender's origin, cm.
    """
    bpy.context.view_layer.update()
    x, y, z = camera.matrix_world.inverted() @ Vector((point[0], point[1], point[2] + lift))
    width, height = _picture_size()
    focal = width / 2 / math.tan(camera.data.angle / 2)
    return width / 2 + focal * x / -z, height / 2 - focal * y / -z


def _picture_size() -> tuple[int, int]:
    """Return width and height of the picture, px."""
    return bpy.context.scene.render.resolution_x, bpy.context.scene.render.resolution_y


def _set_up_tracing(samples: int, threads: int) -> None:
    """Choose the path tracer with this number of samples per pixel and of threads."""
    scene = bpy.context.scene
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = samples, True, 3
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.view_settings.view_transform = "Raw"
    scene.render.image_settings.file_format, scene.render.image_settings.color_depth = "OPEN_EXR", "16"


def _render_photograph(exposure: float, rng: np.random.Generator) -> np.ndarray:
    """Render the scene, and return it as a camera would: exposure, white balance, noise, blur; 8-bit BGR."""
    with tempfile.TemporaryDirectory() as folder:
        bpy.context.scene.render.filepath = f"{folder}/traced.exr"
        bpy.ops.render.render(write_still=True)
        image = bpy.data.images.load(f"{folder}/traced.exr")
        width, height = _picture_size()
        values = np.empty(4 * width * height, np.float32)
        image.pixels.foreach_get(values)
    light = values.reshape(height, width, 4)[::-1, :, 2::-1]
    middle = light[height // 8 : -(height // 8), width // 8 : -(width // 8)]
    balance = (middle.mean() / middle.mean(axis=(0, 1))) ** float(rng.uniform(0.2, 0.9))
    light = light * balance * (_TARGET * exposure / float(np.mean(np.minimum(middle, 4 * middle.mean()))))
    light = cv2.GaussianBlur(light, (0, 0), float(rng.uniform(0.4, 0.9)))
    spread = float(rng.uniform(0.004, 0.012))
    light = light + rng.standard_normal(light.shape, dtype=np.float32) * spread * np.sqrt(np.clip(light, 0.01, 1))
    light = np.clip(light, 0, 1)
    srgb = np.where(light <= 0.0031308, light * 12.92, 1.055 * np.power(light, 1 / 2.4) - 0.055)
    return np.asarray(np.clip(srgb * 255, 0, 255), np.uint8)


def main() -> None:
    """Render the jobs of `specs.json`; arguments: its folder, first and end index, if any."""
    folder = Path(sys.argv[1])
    render_jobs(lambda job: render(job, folder, threads=1), folder, sys.argv[2:4])


if __name__ == "__main__":
    main()
