"""Adds crowds of wizards of many shapes to a path-traced maze, and computes the visible fractions of objects.

Run by Blender's Python. Lengths in centimetres, except that outlines of wizards are in tiles.
"""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from mathutils import Vector

from models.path_tracing.blender_meshes import ball_outline
from models.path_tracing.maze_scene import SIZE, TILE, MazeScene

_PAINTS = {
    "red": ((40, 35, 190), (60, 50, 215), (35, 25, 140), (30, 60, 200)),
    "brown": ((84, 132, 184), (60, 105, 160), (40, 75, 120), (70, 110, 150)),
    "blue": ((168, 92, 40), (200, 110, 50), (140, 60, 30), (190, 140, 80)),
    "white": ((236, 238, 240), (215, 225, 230), (190, 198, 204), (215, 235, 245)),
    "other": ((60, 130, 40), (32, 30, 34), (40, 190, 220), (140, 60, 130), (120, 120, 120)),
}
"""Typical paints of wizards and of pawns of other games, BGR."""
_RING_PAINTED = 0.6
"""Fraction of pictures whose wizards have nearly the paint of their rings."""
_ALIKE = 0.5
"""Fraction of pictures whose wizards all have the same shape."""
_MIN_SEPARATION = 0.3
"""Minimum distance of two wizards, in tiles."""
_DIRECTIONS = 14
"""Rays along each side of a wizard's bounding box by which its visible fraction is estimated."""
_SAME_POINT = 0.2
"""Distance between a ray's hit and its target below which the target is visible, cm."""


def stand_crowd(
    scene: MazeScene, wizards: list[tuple[str, int]], tops: dict[int, float], rng: np.random.Generator
) -> list[Any]:
    """Add wizards of random shapes near the middles of their places, and return their Blender objects.

    wizards: colour and place of each; "other" for a pawn of another game. tops: height of the token on a place, cm.
    """
    ring_painted, shape = rng.random() < _RING_PAINTED, _random_outline(rng) if rng.random() < _ALIKE else None
    points: list[np.ndarray] = []
    made = []
    for colour, place in wizards:
        middle = np.array([place % SIZE - 3, 3 - place // SIZE])
        point = middle + np.clip(rng.normal(0, 0.1, 2), -0.25, 0.25)
        while any(np.hypot(*(point - other)) < _MIN_SEPARATION for other in points):
            point = middle + rng.uniform(-0.4, 0.4, 2)
        points.append(point)
        if colour in scene.paints and ring_painted:
            paint = _jittered_paint(scene.paints[colour], rng, 6)
        else:
            paint = _jittered_paint(_PAINTS[colour][int(rng.integers(len(_PAINTS[colour])))], rng, 14)
        outline = _random_outline(rng) if shape is None else shape
        at = (float(point[0]) * TILE, float(point[1]) * TILE)
        gloss = float(rng.uniform(0.1, 0.9))
        made.append(scene.stand_figure(paint, gloss, outline, at, tops.get(place)))
    return made


def _jittered_paint(paint: Any, rng: np.random.Generator, spread: float) -> np.ndarray:
    """Return a paint (BGR) with random deviations. spread: standard deviation of each channel, 0 to 255."""
    return np.clip(np.asarray(paint) * rng.uniform(0.88, 1.1) + rng.normal(0, spread, 3), 4, 250)


def _random_outline(rng: np.random.Generator) -> np.ndarray:
    """Return height and radius along the outline of a random figure, from foot to tip, (n, 2), in tiles."""
    tall, wide = float(rng.uniform(0.35, 1.05)), float(rng.uniform(0.12, 0.26))
    kind = int(rng.integers(6))
    if kind == 0:  # cone with a round head
        head = float(rng.uniform(0.45, 0.8)) * wide
        body = [(0.0, wide), (tall - 1.6 * head, float(rng.uniform(0.3, 0.6)) * wide)]
        points = [*body, *ball_outline(tall - head, head)]
    elif kind == 1:  # cylinder with a rounded top
        points = [(0.0, wide), (0.9 * tall, wide), (0.97 * tall, 0.85 * wide), (tall, 1e-4)]
    elif kind == 2:  # cone
        points = [(0.0, wide), (tall, 0.02), (tall + 0.005, 1e-4)]
    elif kind == 3:  # body with a brim and a pointed hat
        brim = float(rng.uniform(0.4, 0.6)) * tall
        points = [
            (0.0, wide),
            (brim, float(rng.uniform(0.4, 0.7)) * wide),
            (brim + 0.02, float(rng.uniform(0.8, 1.2)) * wide),
            (brim + 0.04, float(rng.uniform(0.8, 1.1)) * wide),
            (brim + 0.06, 0.55 * wide),
            (tall, 0.02),
            (tall + 0.005, 1e-4),
        ]
    elif kind == 4:  # foot, thin neck, belly and head
        head = float(rng.uniform(0.4, 0.7)) * wide
        points = [(0.0, wide), (0.08, wide), (0.14, 0.45 * wide)]
        points += [(0.6 * tall, float(rng.uniform(0.3, 0.8)) * wide), *ball_outline(tall - head, head)]
    else:  # turned at random
        heights = np.linspace(0, tall, 9)
        radii = wide * np.interp(np.linspace(0, 1, 9), np.linspace(0, 1, 5), [1, *rng.uniform(0.35, 1, 4)])
        points = [*zip(heights.tolist(), radii.tolist(), strict=True), (tall + 0.01, 1e-4)]
    return np.array(points)


def visible_fractions(camera: Any, things: dict[str, list[Any]], rings: list[list[Any]]) -> dict[str, list[float]]:
    """Return the visible fraction of each object, by kind, and of each start ring (kind "rings").

    things: Blender objects by kind. rings: points along each ring, in Blender's frame.
    """
    bpy.context.view_layer.update()
    eye = camera.matrix_world.translation
    found = {kind: [_visible_fraction(one, eye) for one in of] for kind, of in things.items()}
    found["rings"] = [float(np.mean([_is_visible(eye, point) for point in points])) for points in rings]
    return found


def _visible_fraction(thing: Any, eye: Any) -> float:
    """Return the visible fraction of an object.

    It is computed with a grid of rays: of those that would hit the object alone, the fraction that hit it first.
    eye: position of the camera.
    """
    inverse = thing.matrix_world.inverted()
    corners = [thing.matrix_world @ Vector(corner) for corner in thing.bound_box]
    low, high = np.min(corners, axis=0), np.max(corners, axis=0)
    middle = Vector((low + high) / 2)
    away = (middle - eye).normalized()
    across = away.orthogonal().normalized()
    reach = float(np.linalg.norm(high - low)) / 2
    alone = shown = 0
    for u in np.linspace(-reach, reach, _DIRECTIONS):
        for v in np.linspace(-reach, reach, _DIRECTIONS):
            target = middle + across * float(u) + away.cross(across) * float(v)
            direction = inverse.to_3x3() @ (target - eye)
            if thing.ray_cast(inverse @ eye, direction)[0]:
                alone += 1
                hit = _first_hit(eye, target)
                shown += hit is not None and hit[0] == thing.name
    return shown / max(1, alone)


def _is_visible(eye: Any, point: Any) -> bool:
    """Return whether nothing hides a point from the camera. eye: position of the camera."""
    hit = _first_hit(eye, point)
    return hit is not None and (hit[1] - point).length < _SAME_POINT


def _first_hit(eye: Any, target: Any) -> tuple[str, Any] | None:
    """Return name and point of the first object that a ray from `eye` towards `target` hits; None for nothing."""
    graph = bpy.context.evaluated_depsgraph_get()
    met, at, _, _, thing, _ = bpy.context.scene.ray_cast(graph, eye, (target - eye).normalized())
    return (thing.name, at) if met else None
