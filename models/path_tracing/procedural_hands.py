"""Procedurally generated hands in any pose, of no real person. Run by Blender's Python.

The hands of the catalogue are height maps with a picture: no finger curls over the palm, and few fists show the
palm. Generated hands are solid meshes. Lengths are in centimetres, z up, fingers towards +y. A hand is generated as
a right hand with its palm up; then it may be mirrored and is rotated.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np

from models.path_tracing.hand_pose import BELOW_CM, Bone, random_bones, random_rotation, random_skin
from models.path_tracing.scene_setup import add_material

_VOXEL_CM = 0.13
"""Voxel size of remeshing, cm."""
_AROUND = 14
"""Number of vertices per ring of a finger."""
_RINGS = 4
"""Number of rings at each rounded end of a bone."""
_LOWEST_CM = -6.0
"""Height of the lowest point of a fist, cm."""


def generate_hand(rng: np.random.Generator, *, closed: bool) -> Any:
    """Add a generated hand with skin, and sometimes a sleeve, to the scene, and return its Blender object.

    It is open with the palm up, or a fist with the palm up, sideways or down.
    """
    size, mirrored = float(rng.uniform(0.86, 1.1)), -1.0 if rng.random() < 0.5 else 1.0
    bones = random_bones(rng, closed=closed)
    turned = random_rotation(rng, closed=closed)
    shape = np.array([mirrored, 1.0, 1.0]) * size
    mesh = _bones_mesh(bones)
    hand = bpy.data.objects.new("hand", mesh)
    bpy.context.collection.objects.link(hand)
    remesh = hand.modifiers.new("whole", "REMESH")
    remesh.mode, remesh.voxel_size = "VOXEL", _VOXEL_CM
    smooth = hand.modifiers.new("smooth", "SMOOTH")
    smooth.factor, smooth.iterations = 0.6, int(rng.integers(8, 20))
    whole = bpy.data.meshes.new_from_object(hand.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    hand.modifiers.clear()
    hand.data = whole
    flat = np.empty(len(whole.vertices) * 3, np.float32)
    whole.vertices.foreach_get("co", flat)
    at = flat.reshape(-1, 3).astype(float)
    colours, sunk = random_skin(at, bones, rng)
    placed = (sunk * shape) @ turned.T
    if closed:
        fist = placed[np.abs(sunk[:, 1]) < 6]
        low, high = fist.min(axis=0), fist.max(axis=0)
        placed -= [*(low + high)[:2] / 2, min(low[2] - _LOWEST_CM, (low + high)[2] / 2)]
    else:
        placed[:, 2] -= _palm_level(placed)
    whole.vertices.foreach_set("co", placed.astype(np.float32).reshape(-1))
    if mirrored < 0:
        whole.flip_normals()
    whole.update()
    layer = whole.color_attributes.new("skin", "FLOAT_COLOR", "POINT")
    layer.data.foreach_set("color", np.c_[colours, np.ones(len(colours))].astype(np.float32).reshape(-1))
    for polygon in whole.polygons:
        polygon.use_smooth = True
    whole.materials.append(_skin_material(rng))
    if rng.random() < 0.5:
        _add_sleeve(shape, turned, placed, sunk, rng)
    return hand


def _palm_level(at: Any) -> float:
    """Return the height of the palm's centre, cm. at: points of the skin, (points, 3)."""
    middle = at[np.hypot(at[:, 0], at[:, 1]) < 0.6]
    return float(middle[:, 2].max())


def _bones_mesh(bones: list[Bone]) -> Any:
    """Return one Blender mesh with a closed tube with rounded ends for each bone."""
    vertices, faces = list[Any](), list[Any]()
    turns = np.linspace(0, 2 * math.pi, _AROUND, endpoint=False)
    for bone in bones:
        along = (bone.end - bone.start) / np.linalg.norm(bone.end - bone.start)
        aside = np.cross(along, [0.31, 0.11, 0.94])
        aside /= np.linalg.norm(aside)
        above = np.cross(along, aside)
        rings = []
        for centre, thick, turn in ((bone.start, bone.thick[0], -1.0), (bone.end, bone.thick[1], 1.0)):
            angles = np.linspace(0, math.pi / 2 * 0.98, _RINGS)
            for angle in angles[::-1] if turn < 0 else angles:
                rings.append((centre + turn * math.sin(angle) * thick * along, thick * math.cos(angle)))
        first = sum(len(block) for block in vertices)
        for centre, thick in rings:
            vertices.append(centre + thick * (np.cos(turns)[:, None] * aside + np.sin(turns)[:, None] * above))
        faces += _tube_faces(first, len(rings), _AROUND)
        faces += [
            list(range(first, first + _AROUND))[::-1],
            list(range(first + (len(rings) - 1) * _AROUND, first + len(rings) * _AROUND)),
        ]
    mesh = bpy.data.meshes.new("bones")
    mesh.from_pydata(np.concatenate(vertices).tolist(), [], faces)
    mesh.update()
    return mesh


def _tube_faces(first: int, rings: int, around: int) -> list[list[int]]:
    """Return the faces between successive rings of vertices, each as four indices of vertices.

    first: index of the first vertex. rings: number of rings. around: vertices per ring.
    """
    return [
        [low + k, low + (k + 1) % around, low + around + (k + 1) % around, low + around + k]
        for low in range(first, first + (rings - 1) * around, around)
        for k in range(around)
    ]


def _skin_material(rng: np.random.Generator) -> Any:
    """Return a skin material that takes its colours from the vertices."""
    made, tree, surface = add_material("skin")
    colour, noise, grain = (
        tree.nodes.new("ShaderNodeVertexColor"),
        tree.nodes.new("ShaderNodeTexNoise"),
        tree.nodes.new("ShaderNodeMixRGB"),
    )
    colour.layer_name = "skin"
    noise.inputs["Scale"].default_value, noise.inputs["Detail"].default_value = float(rng.uniform(1, 8)), 5
    grain.blend_type = "OVERLAY"
    grain.inputs[0].default_value = float(rng.uniform(0.05, 0.4))
    tree.links.new(colour.outputs[0], grain.inputs[1])
    tree.links.new(noise.outputs["Fac"], grain.inputs[2])
    tree.links.new(grain.outputs[0], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.35, 0.8))
    bump = tree.nodes.new("ShaderNodeBump")
    bump.inputs["Strength"].default_value = float(rng.uniform(0.0, 0.35))
    bump.inputs["Distance"].default_value = 0.1
    tree.links.new(noise.outputs["Fac"], bump.inputs["Height"])
    tree.links.new(bump.outputs[0], surface.inputs["Normal"])
    return made


def _add_sleeve(shape: Any, turned: Any, placed: Any, sunk: Any, rng: np.random.Generator) -> None:
    """Add a sleeve to the arm.

    shape: scale of the hand along each axis. turned: its rotation matrix. placed, sunk: points of the skin as
    placed in the scene, and before scaling and rotation, (points, 3).
    """
    cuff = -float(rng.uniform(7.5, 13))
    wide = float(rng.uniform(3.0, 4.6))
    start, end = np.array([0, cuff, BELOW_CM]), np.array([0, -24.0, BELOW_CM - 0.5])
    turns, rows = np.linspace(0, 2 * math.pi, 24, endpoint=False), np.linspace(0, 1, 14)
    points = []
    for row in rows:
        thick = (
            wide + 0.6 * row + rng.normal(0, 0.06, len(turns)) + 0.15 * math.sin(9 * row + float(rng.uniform(0, 1)))
        )
        centre = start + row * (end - start)
        points.append(centre + np.c_[thick * np.cos(turns), np.zeros(len(turns)), 0.85 * thick * np.sin(turns)])
    moved = placed[0] - (sunk[0] * shape) @ turned.T
    at = (np.concatenate(points) * shape) @ turned.T + moved
    mesh = bpy.data.meshes.new("sleeve")
    mesh.from_pydata(at.tolist(), [], _tube_faces(0, len(rows), len(turns)))
    mesh.update()
    sleeve = bpy.data.objects.new("sleeve", mesh)
    bpy.context.collection.objects.link(sleeve)
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    thick = sleeve.modifiers.new("thick", "SOLIDIFY")
    thick.thickness = 0.2
    made, _, surface = add_material("cloth")
    surface.inputs["Base Color"].default_value = (*(rng.uniform(0, 0.9, 3) ** 1.5), 1)
    surface.inputs["Roughness"].default_value = 0.9
    mesh.materials.append(made)
