"""Meshes of simple bodies that are added to a Blender scene: slabs, squares, discs, bodies of revolution.

Run by Blender's Python. Lengths in centimetres, z up.
"""

from __future__ import annotations

import math
from typing import Any

import bpy
import numpy as np


def _add_mesh(name: str, vertices: Any, faces: Any, materials: list[Any]) -> tuple[Any, Any]:
    """Add a mesh to the scene, and return its Blender object and the mesh."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    for one in materials:
        mesh.materials.append(one)
    made = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(made)
    return made, mesh


def add_slab(
    at: tuple[float, float], width: float, low: float, high: float, turn: float, materials: list[Any], bevel: float
) -> None:
    """Add a square slab; the last material covers its upper face.

    at: middle, cm. width: side, cm. low, high: heights of the lower and the upper face, cm. turn: radians. bevel:
    width of the rounded edges, cm.
    """
    h = width / 2
    flat = [(-h, -h), (h, -h), (h, h), (-h, h)]
    vertices = [(x, y, z) for z in (low, high) for x, y in flat]
    faces = [[0, 3, 2, 1], *([i, (i + 1) % 4, 4 + (i + 1) % 4, 4 + i] for i in range(4)), [4, 5, 6, 7]]
    made, mesh = _add_mesh("slab", vertices, faces, materials)
    _map_face(mesh, mesh.polygons[5], width)
    mesh.polygons[5].material_index = len(materials) - 1
    made.location, made.rotation_euler = (*at, 0), (0, 0, turn)
    edges = made.modifiers.new("edges", "BEVEL")
    edges.width, edges.segments, edges.limit_method = bevel, 2, "ANGLE"


def add_square(at: tuple[float, float, float], width: float, turn: float, face: Any) -> None:
    """Add a flat square. at: middle, cm. width: side, cm. turn: radians. face: material."""
    h = width / 2
    made, mesh = _add_mesh("sheet", [(-h, -h, 0), (h, -h, 0), (h, h, 0), (-h, h, 0)], [[0, 1, 2, 3]], [face])
    _map_face(mesh, mesh.polygons[0], width)
    made.location, made.rotation_euler = at, (0, 0, turn)


def _map_face(mesh: Any, polygon: Any, width: float) -> None:
    """Map a square picture onto a polygon of a mesh, centred at the mesh's origin. width: of the picture there."""
    layer = mesh.uv_layers.new()
    for loop in polygon.loop_indices:
        place = mesh.vertices[mesh.loops[loop].vertex_index].co
        layer.data[loop].uv = (place.x / width + 0.5, place.y / width + 0.5)


def add_disc(
    at: tuple[float, float], radius: float, low: float, high: float, turn: float, materials: list[Any]
) -> Any:
    """Add a disc, and return its Blender object.

    at: middle, cm. radius: cm. low, high: heights of the lower and the upper face, cm. turn: radians. materials: of
    face and edge.
    """
    count = 40
    ring = [
        (radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count))
        for k in range(count)
    ]
    vertices = [(x, y, z) for z in (low, high) for x, y in ring]
    sides = [[i, (i + 1) % count, count + (i + 1) % count, count + i] for i in range(count)]
    made, mesh = _add_mesh("disc", vertices, [*sides, list(range(count, 2 * count))], materials)
    for polygon in mesh.polygons:
        polygon.material_index = 1
    mesh.polygons[count].material_index = 0
    _map_face(mesh, mesh.polygons[count], 2 * radius)
    made.location, made.rotation_euler = (*at, 0), (0, 0, turn)
    return made


def add_revolved_body(at: tuple[float, float, float], profile: np.ndarray, face: Any) -> Any:
    """Add a body of revolution, and return its Blender object.

    at: middle of its foot, cm. profile: height and radius from foot to tip, cm, (n, 2). face: material.
    """
    count = 32
    vertices = [
        (radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count), height)
        for height, radius in profile
        for k in range(count)
    ]
    faces = [
        [count * i + k, count * i + (k + 1) % count, count * (i + 1) + (k + 1) % count, count * (i + 1) + k]
        for i in range(len(profile) - 1)
        for k in range(count)
    ]
    made, mesh = _add_mesh("wizard", vertices, faces, [face])
    for polygon in mesh.polygons:
        polygon.use_smooth = True
    made.location = at
    return made


def ball_outline(middle: float, radius: float) -> list[tuple[float, float]]:
    """Return heights and radii along the outline of a ball, from a narrow neck up. middle: height of the centre."""
    angles = np.linspace(-0.4 * math.pi, 0.5 * math.pi, 12)
    return [(middle + radius * math.sin(a), max(1e-4, radius * math.cos(a))) for a in angles]
