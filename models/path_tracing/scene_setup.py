"""Surroundings of a path-traced scene: table top, lamps, a window, scattered cards, and a camera for hands.

Run by Blender's Python. Lengths in centimetres, z up, the palm's centre at the origin.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Vector

_ACROSS_CM = 16.0
"""Width of a picture at palm height, cm: that of a detector's crop."""
TABLE_CM = -8.0
"""Height of the table, cm."""


def linear_rgba(bgr: Any) -> tuple[float, ...]:
    """Return a colour (BGR, sRGB, 0 to 255) as Blender's linear RGBA (0..1)."""
    srgb = np.asarray(bgr[::-1], float) / 255
    return (*np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4), 1.0)


def add_material(name: str) -> tuple[Any, Any, Any]:
    """Create a Blender material, and return it with its node tree and its surface shader."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    return made, made.node_tree, made.node_tree.nodes["Principled BSDF"]


def add_table_and_lamp(rng: np.random.Generator) -> None:
    """Add a table with a random texture, a random lamp and light from the sky to the scene."""
    bpy.ops.mesh.primitive_plane_add(size=200, location=(0, 0, TABLE_CM))
    made, tree, surface = add_material("table")
    noise, ramp = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeValToRGB")
    noise.inputs["Scale"].default_value = float(np.exp(rng.uniform(-2, 2)))
    paint = rng.uniform(20, 200, 3)
    ramp.color_ramp.elements[0].color = linear_rgba(paint * rng.uniform(0.5, 0.9))
    ramp.color_ramp.elements[1].color = linear_rgba(np.clip(paint * rng.uniform(0.9, 1.2), 0, 255))
    tree.links.new(noise.outputs["Fac"], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.3, 0.9))
    bpy.context.object.data.materials.append(made)
    lamp = _add_lamp(rng, (30, 85), (6, 110), (0.5, 2.5))
    warm = rng.uniform(-0.06, 0.16)
    lamp.color = (1 + 0.35 * warm, 1, 1 - warm)
    sky = bpy.data.worlds.new("sky")
    sky.use_nodes = True
    sky.node_tree.nodes["Background"].inputs[1].default_value = float(rng.uniform(0.2, 1.0))
    bpy.context.scene.world = sky


def lay_ground(picture: Path, rng: np.random.Generator) -> None:
    """Add a table top that shows a picture at 1 px/mm. picture: file."""
    image = bpy.data.images.load(str(picture.resolve()))
    bpy.ops.mesh.primitive_plane_add(size=1, location=(0, 0, TABLE_CM + 0.02))
    bpy.context.object.scale = (image.size[0] / 10, image.size[1] / 10, 1)
    made, tree, surface = add_material("ground")
    texture = tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    tree.links.new(texture.outputs["Color"], surface.inputs["Base Color"])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.25, 0.95))
    bpy.context.object.data.materials.append(made)


def scatter_cards(rng: np.random.Generator) -> None:
    """Add up to five plain rectangles as cards or boards, some with a smaller one on them, to the table."""
    for number in range(int(rng.integers(0, 6))):
        across, deep = rng.uniform(3, 16), rng.uniform(3, 16)
        away, turn = rng.uniform(2, 14), rng.uniform(0, 2 * math.pi)
        level = TABLE_CM + 0.1 + 0.02 * number
        at = (away * math.cos(turn), away * math.sin(turn), level)
        _add_card(at, across, deep, float(rng.uniform(0, 6.28)), rng)
        if rng.random() < 0.5:
            _add_card((at[0], at[1], level + 0.01), across / 3, deep / 3, float(rng.uniform(0, 6.28)), rng)


def _add_card(
    at: tuple[float, float, float], across: float, deep: float, turn: float, rng: np.random.Generator
) -> None:
    """Add a plain rectangle. at: its middle, cm. across, deep: its size, cm. turn: radians."""
    bpy.ops.mesh.primitive_plane_add(size=1, location=at, rotation=(0, 0, turn))
    sheet = bpy.context.object
    sheet.scale = (across, deep, 1)
    made, _, surface = add_material("sheet")
    surface.inputs["Base Color"].default_value = linear_rgba(rng.uniform(10, 245, 3))
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.2, 0.9))
    sheet.data.materials.append(made)


def light_window(seed: int) -> None:
    """Add daylight from one side, lower and bluer than the lamp, for half of the seeds."""
    # A separate generator keeps all other random choices unchanged.
    rng = np.random.default_rng([seed, 0x817D])
    if rng.random() < 0.5:
        window, cold = _add_lamp(rng, (12, 50), (40, 160), (0.3, 2.0)), rng.uniform(0, 0.25)
        window.color = (1 - cold, 1 - 0.4 * cold, 1)


def _add_lamp(
    rng: np.random.Generator, degrees: tuple[float, float], across: tuple[float, float], bright: tuple[float, float]
) -> Any:
    """Add a random lamp that shines on the origin, and return its Blender light.

    degrees, across, bright: ranges of its elevation (degrees), width (cm) and strength.
    """
    azimuth, elevation, away = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(*degrees)), 150
    flat = away * math.cos(elevation)
    at = Vector((flat * math.cos(azimuth), flat * math.sin(azimuth), away * math.sin(elevation)))
    bpy.ops.object.light_add(type="AREA", location=at)
    lamp = bpy.context.object
    lamp.rotation_euler = (-at).to_track_quat("-Z", "Y").to_euler()
    lamp.data.size = float(np.exp(rng.uniform(*np.log(across))))
    lamp.data.energy = 4 * math.pi * away * away * float(rng.uniform(*bright))
    return lamp.data


def hang_camera(rng: np.random.Generator) -> tuple[Any, int]:
    """Add a random camera 1 m above the palm, set the picture's size, and return camera and picture side (px)."""
    scene = bpy.context.scene
    side = round(10 * _ACROSS_CM * float(rng.uniform(0.8, 1.15)))
    lens = bpy.data.cameras.new("camera")
    camera = bpy.data.objects.new("camera", lens)
    bpy.context.collection.objects.link(camera)
    off, turn = rng.uniform(0, 30), rng.uniform(0, 2 * math.pi)
    camera.location = (off * math.cos(turn), off * math.sin(turn), 100)
    sight = Vector((rng.normal(0, 1), rng.normal(0, 1), 0)) - camera.location
    camera.rotation_euler = sight.to_track_quat("-Z", "Y").to_euler()
    camera.rotation_euler.rotate_axis("Z", rng.uniform(0, 2 * math.pi))
    lens.angle = 2 * math.atan(_ACROSS_CM / 2 / sight.length)
    scene.camera = camera
    scene.render.engine, scene.cycles.device = "CYCLES", "CPU"
    scene.render.resolution_x = scene.render.resolution_y = side
    scene.render.image_settings.file_format = "PNG"
    return camera, side
