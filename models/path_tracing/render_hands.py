"""Renders hands: `PYTHON -m models.path_tracing.render_hands FOLDER ASSETS [FIRST LAST]`, by a Python with bpy.

Needs `pip install bpy==4.5.15 opencv-python-headless` (Python 3.11), and only the files of this folder. Lengths in
centimetres, z up, the palm's centre at the origin, fingers towards +y. For every picture a line of
`truth-FIRST.jsonl` holds its side in pixels, and for each piece the index in the job, the visible fraction, and the
box (x, y, width, height in pixels) of the visible part. Existing pictures are not rendered again.
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

from models.path_tracing.job_runner import render_jobs
from models.path_tracing.procedural_hands import generate_hand
from models.path_tracing.scene_setup import (
    add_material,
    add_table_and_lamp,
    hang_camera,
    lay_ground,
    light_window,
    linear_rgba,
    scatter_cards,
)

_GRID_CM = 0.12
"""Side of the squares in the mesh of a hand, cm."""
_MIN_HEIGHT_CM = -2.0
"""Height below which a piece has fallen off the hand, cm."""
_SAMPLES = 20
"""Samples per pixel."""
_TUMBLED = 0.3
"""Fraction of pieces that fall in random orientation instead of flat, for hands of the catalogue."""
_TUMBLED_OFTEN = 0.6
"""The same fraction for generated hands."""


def render(job: dict[str, Any], folder: Path, assets: Path, threads: int = 1) -> dict[str, Any]:
    """Render one job to `SEED.png`, and return its ground truth: side of the picture, and its pieces.

    job: as `HandJob` in JSON. folder: of jobs and pictures. assets: folder of the catalogue's hands.
    """
    rng = np.random.default_rng([job["seed"], 0xB])
    bpy.ops.wm.read_factory_settings(use_empty=True)
    of, seed = job["hand"], job["seed"]
    grow = bool(of.get("grown"))
    hand = generate_hand(rng, closed=of["state"] == "closed") if grow else _catalogue_hand(of, assets, rng)
    tumbled = _TUMBLED_OFTEN if grow else _TUMBLED
    lying = _drop_pieces(hand, job["pieces"], folder, _spread_factor(seed), _random_varnish(seed), tumbled, rng)
    add_table_and_lamp(rng)
    if job.get("ground"):
        lay_ground(folder / job["ground"], rng)
    light_window(seed)
    if grow:
        scatter_cards(rng)
    camera, side = hang_camera(rng)
    scene = bpy.context.scene
    scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.max_bounces = _SAMPLES, True, 4
    scene.render.threads_mode, scene.render.threads = "FIXED", threads
    scene.view_settings.view_transform = str(rng.choice(["Standard", "Standard", "Filmic", "AgX"]))
    scene.view_settings.exposure = float(rng.normal(-0.3, 0.3))
    scene.render.filepath = str(folder / f"{job['seed']}.png")
    bpy.ops.render.render(write_still=True)
    return {"seed": job["seed"], "size": side, "pieces": _visible_pieces(camera, side, lying)}


def _catalogue_hand(entry: dict[str, Any], assets: Path, rng: np.random.Generator) -> Any:
    """Return a hand of the catalogue as Blender object, built from its picture and height map."""
    picture = _read_picture(assets / f"{entry['name']}.webp")
    raised = _read_picture(assets / f"{entry['name']}h.webp")[..., 0]
    height, width = picture.shape[:2]
    relief = cv2.resize(raised, (width, height), interpolation=cv2.INTER_LINEAR).astype(np.float32)
    scale = entry["px_per_mm"] * 10
    levels = (cv2.GaussianBlur(relief, (0, 0), 2.0) - 1) / scale
    x0, y0 = entry["palm"]
    levels -= float(np.median(levels[int(y0) - 8 : int(y0) + 9, int(x0) - 8 : int(x0) + 9]))
    covered = picture[..., 3] > 200
    step = max(2, round(_GRID_CM * scale))
    rows, columns = np.arange(2, height - 1, step), np.arange(2, width - 1, step)
    vertices: list[tuple[float, float, float]] = []
    places: list[tuple[float, float]] = []
    number = -np.ones((len(rows), len(columns)), int)
    for i, y in enumerate(rows):
        for j, x in enumerate(columns):
            if covered[y, x]:
                number[i, j] = len(vertices)
                vertices.append(((x - x0) / scale, -(y - y0) / scale, float(levels[y, x])))
                places.append((x / width, 1 - y / height))
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], axis=-1).reshape(-1, 4)
    faces = [[int(v) for v in quad if v >= 0] for quad in quads if (quad >= 0).sum() >= 3]
    mesh = bpy.data.meshes.new("hand")
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        layer.data[loop.index].uv = places[loop.vertex_index]
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    hand = bpy.data.objects.new("hand", mesh)
    bpy.context.collection.objects.link(hand)
    mesh.materials.append(_skin_material(picture, covered, rng))
    thick = hand.modifiers.new("thick", "SOLIDIFY")
    thick.thickness, thick.offset = 1.2, -1
    return hand


def _read_picture(file: Path) -> Any:
    """Return a picture with all its channels. Raises SystemExit if it cannot be read."""
    picture = cv2.imread(str(file), cv2.IMREAD_UNCHANGED)
    if picture is None:
        raise SystemExit(f"{file} is no picture: give the folder of hands as the second argument.")
    return picture


def _skin_material(picture: Any, covered: Any, rng: np.random.Generator) -> Any:
    """Return a hand's material: its own picture with random brightness, extended beyond the hand's edge.

    covered: mask of the hand in the picture.
    """
    _, nearest = cv2.distanceTransformWithLabels(
        (~covered).astype(np.uint8), cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL
    )
    colours = np.zeros((nearest.max() + 1, 3), np.uint8)
    colours[nearest[covered]] = picture[covered][:, :3]
    gain = rng.uniform(0.85, 1.15, 3) * rng.uniform(0.8, 1.2)
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary) / "skin.png"
        cv2.imwrite(str(file), np.clip(colours[nearest] * gain, 0, 255).astype(np.uint8))
        image = bpy.data.images.load(str(file), check_existing=False)
        image.pack()
    made, tree, surface = add_material("skin")
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.45, 0.8))
    return made


def _add_piece(
    thing: dict[str, Any],
    number: int,
    folder: Path,
    rough: float,
    varnish: tuple[float, float],
    rng: np.random.Generator,
) -> Any:
    """Add a piece to the scene, an extruded outline with bevelled edges, and return its Blender object.

    thing: specification of the piece. number: its index in the job. rough: roughness of the paint. varnish:
    strength and roughness.
    """
    outline, thickness = np.array(thing["outline"]) / 10, thing["thickness"] / 10
    following = np.roll(outline, -1, axis=0)
    if np.sum(outline[:, 0] * following[:, 1] - following[:, 0] * outline[:, 1]) < 0:
        outline = outline[::-1]
    count = len(outline)
    vertices = [(x, y, level) for level in (-thickness / 2, thickness / 2) for x, y in outline]
    sides = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    mesh = bpy.data.meshes.new("piece")
    mesh.from_pydata(vertices, [], [list(range(count))[::-1], list(range(count, 2 * count)), *sides])
    mesh.update()
    span = float(np.abs(outline).max())
    layer = mesh.uv_layers.new()
    for polygon in mesh.polygons:
        mirrored = -1 if polygon.index == 0 else 1
        for loop in polygon.loop_indices:
            at = mesh.vertices[mesh.loops[loop].vertex_index].co
            cap = ((mirrored * at.x / span + 1) / 2, (at.y / span + 1) / 2)
            layer.data[loop].uv = cap if polygon.index < 2 else (0.02, 0.5)
    piece = bpy.data.objects.new(f"piece{number}", mesh)
    bpy.context.collection.objects.link(piece)
    edges = piece.modifiers.new("edges", "BEVEL")
    edges.width, edges.segments, edges.limit_method = float(rng.uniform(0.03, 0.12)), 2, "ANGLE"
    mesh.materials.append(_paint_material(thing, folder, rough, varnish, rng))
    return piece


def _spread_factor(seed: int) -> float:
    """Return the factor on the distances between falling pieces: 1 for half of the seeds, 0.3 to 0.7 for others."""
    # A separate generator, as for varnish, keeps all other random choices unchanged.
    rng = np.random.default_rng([seed, 0x4EA9])
    return float(rng.uniform(0.3, 0.7)) if rng.random() < 0.5 else 1.0


def _random_varnish(seed: int) -> tuple[float, float]:
    """Return strength and roughness of the varnish on a picture's pieces; strength 0 for half of the seeds."""
    rng = np.random.default_rng([seed, 0xC0A7])
    return (float(rng.uniform(0.2, 1.0)), float(rng.uniform(0.04, 0.35))) if rng.random() < 0.5 else (0.0, 0.03)


def _paint_material(
    thing: dict[str, Any], folder: Path, rough: float, varnish: tuple[float, float], rng: np.random.Generator
) -> Any:
    """Return a piece's material: paint through which wood shows, a printed face if any, and varnish.

    Arguments as in `_add_piece`.
    """
    made, tree, surface = add_material("paint")
    surface.inputs["Roughness"].default_value = rough
    surface.inputs["Coat Weight"].default_value, surface.inputs["Coat Roughness"].default_value = varnish
    noise = tree.nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = float(rng.uniform(1, 6))
    noise.inputs["Detail"].default_value = 4
    at, along = tree.nodes.new("ShaderNodeTexCoord"), tree.nodes.new("ShaderNodeMapping")
    along.inputs["Scale"].default_value = (1, float(rng.uniform(3, 9)), 1)
    tree.links.new(at.outputs["Object"], along.inputs[0])
    tree.links.new(along.outputs[0], noise.inputs["Vector"])
    grain = tree.nodes.new("ShaderNodeMixRGB")
    grain.blend_type = "MULTIPLY"
    grain.inputs[0].default_value = float(rng.uniform(0, 0.5))
    grain.inputs[1].default_value = linear_rgba(thing["paint"])
    tree.links.new(noise.outputs["Fac"], grain.inputs[2])
    colour = grain.outputs[0]
    if thing["face"]:
        face, over = tree.nodes.new("ShaderNodeTexImage"), tree.nodes.new("ShaderNodeMixRGB")
        face.image = bpy.data.images.load(str(folder / thing["face"]), check_existing=True)
        tree.links.new(face.outputs["Alpha"], over.inputs[0])
        tree.links.new(colour, over.inputs[1])
        tree.links.new(face.outputs["Color"], over.inputs[2])
        colour = over.outputs[0]
    tree.links.new(colour, surface.inputs["Base Color"])
    return made


def _drop_pieces(
    hand: Any,
    things: list[dict[str, Any]],
    folder: Path,
    heaped: float,
    varnish: tuple[float, float],
    tumbled: float,
    rng: np.random.Generator,
) -> list[Any]:
    """Drop pieces into a hand by physics simulation, and return the Blender objects of those that stay in it.

    things: specifications of the pieces. heaped: factor on the distances between them. varnish: strength and
    roughness. tumbled: fraction that falls in random orientation.
    """
    scene = bpy.context.scene
    rough = float(rng.uniform(0.25, 0.9))
    bpy.ops.rigidbody.world_add()
    scene.rigidbody_world.substeps_per_frame, scene.rigidbody_world.solver_iterations = 12, 20
    scene.gravity = (0, 0, -98)
    _make_rigid(hand, "PASSIVE", "MESH")
    spread = float(rng.uniform(0.6, 1.6)) * heaped
    falling = []
    for number, thing in enumerate(things):
        piece = _add_piece(thing, number, folder, rough, varnish, rng)
        piece.location = (rng.normal(0, spread), rng.normal(0.4, spread), 2.5 + 1.1 * number)
        if rng.random() >= tumbled:
            leant, over = rng.normal(0, 0.3), math.pi if rng.random() < 0.5 else 0
            piece.rotation_euler = (leant + over, rng.normal(0, 0.3), rng.uniform(0, 6.28))
        else:
            piece.rotation_euler = tuple(rng.uniform(0, 6.28, 3))
        _make_rigid(piece, "ACTIVE", "CONVEX_HULL")
        falling.append(piece)
    last = 45 + 5 * len(falling)
    scene.rigidbody_world.point_cache.frame_end = scene.frame_end = last
    for frame in range(1, last + 1):
        scene.frame_set(frame)
    bpy.context.view_layer.update()
    rest = [(piece, piece.matrix_world.copy()) for piece in falling]
    bpy.ops.rigidbody.world_remove()
    for piece, matrix in rest:
        piece.matrix_world = matrix
        if matrix.translation.z <= _MIN_HEIGHT_CM:
            bpy.data.objects.remove(piece)
    return [piece for piece, matrix in rest if matrix.translation.z > _MIN_HEIGHT_CM]


def _make_rigid(thing: Any, kind: str, shape: str) -> None:
    """Add a rigid body to a Blender object. kind: ACTIVE (falls) or PASSIVE. shape: of its collisions."""
    with bpy.context.temp_override(object=thing, active_object=thing, selected_objects=[thing]):
        bpy.ops.rigidbody.object_add()
    body = thing.rigid_body
    body.type, body.collision_shape, body.friction, body.restitution = kind, shape, 0.8, 0.02
    body.use_margin, body.collision_margin = True, 0.02
    if kind == "PASSIVE":
        body.mesh_source = "FINAL"
    else:
        body.linear_damping, body.angular_damping, body.mass = 0.3, 0.5, 0.01


def _visible_pieces(camera: Any, side: int, lying: list[Any]) -> list[dict[str, Any]]:
    """Return the ground truth (JSON) of each piece, found by a ray through each pixel. side: of the picture, px."""
    bpy.context.view_layer.update()
    scene, graph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
    number = {piece.name: k for k, piece in enumerate(lying)}
    alone, met = [0] * len(lying), [list[tuple[int, int]]() for _ in lying]
    balls = [(piece.matrix_world.translation.copy(), max(piece.dimensions)) for piece in lying]
    bodies = [(piece.evaluated_get(graph), piece.matrix_world.inverted()) for piece in lying]
    eye, turned, half = (
        camera.matrix_world.translation,
        camera.matrix_world.to_3x3(),
        math.tan(camera.data.angle / 2),
    )
    for y in range(side):
        for x in range(side):
            ray = turned @ Vector(((2 * (x + 0.5) / side - 1) * half, (1 - 2 * (y + 0.5) / side) * half, -1))
            ray.normalize()
            near = [
                k for k, (at, reach) in enumerate(balls) if (at - eye - (at - eye).dot(ray) * ray).length < reach
            ]
            if not near:
                continue
            hit, _, _, _, first, _ = scene.ray_cast(graph, eye, ray)
            if hit and first.name in number:
                met[number[first.name]].append((x, y))
            for k in near:
                body, inverse = bodies[k]
                alone[k] += body.ray_cast(inverse @ eye, (inverse.to_3x3() @ ray).normalized())[0]
    return [_piece_truth(piece, pixels, whole) for piece, pixels, whole in zip(lying, met, alone, strict=True)]


def _piece_truth(piece: Any, pixels: list[tuple[int, int]], whole: int) -> dict[str, Any]:
    """Return index in the job, visible fraction, and box (x, y, width, height in px; None if hidden) of a piece.

    pixels: (x, y) where it is visible. whole: number of pixels where it would be visible if nothing hid it.
    """
    ordered = int(piece.name.removeprefix("piece"))
    if not pixels:
        return {"ordered": ordered, "visible": 0.0, "box": None}
    low, high = np.min(pixels, axis=0), np.max(pixels, axis=0) + 1
    box = [float(v) for v in (*low, *(high - low))]
    return {"ordered": ordered, "visible": len(pixels) / max(1, whole), "box": box}


def main() -> None:
    """Render the jobs of `specs.json`; arguments: its folder, that of the assets, first and end index, if any."""
    folder, assets = Path(sys.argv[1]), Path(sys.argv[2])
    render_jobs(lambda job: render(job, folder, assets), folder, sys.argv[3:5])


if __name__ == "__main__":
    main()
