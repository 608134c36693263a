"""Blender scene of a maze: board, tiles with procedural walls and paths, tokens, wizards and wands.

Run by Blender's Python. Lengths in centimetres, z up; the field's centre at the origin, x to the right, row 0 at
the far side (+y); the top of the board at z = 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from models.path_tracing.blender_meshes import add_disc, add_revolved_body, add_slab, add_square, ball_outline
from models.path_tracing.scene_setup import add_material, linear_rgba

TILE = 3.0
"""Distance between the middles of neighbouring places, cm."""
SIZE = 7
"""Places along each side."""
_MASK_PX = 192
"""Width of a tile's mask, px."""
_FIXED_LINES = (0, 2, 4, 6)
"""Rows and columns at whose crossings the tiles are fixed."""
_PAINTS = {"red": (40, 30, 175), "brown": (35, 75, 125), "blue": (165, 80, 30), "white": (225, 230, 232)}
"""Typical colours of wizards and start rings, BGR."""
_SURFACES = ("noise", "bricks", "cobbles", "junk", "planks", "wave")
"""Kinds of surface of walls and paths."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token that was added to the scene."""

    made: Any
    """Blender object."""
    top: float
    """Height of its face, cm."""


class MazeScene:
    """A maze in one random printing of the game, to which objects are added.

    The constructor chooses the printing: surfaces and colours of walls and paths, width of paths, size and
    thickness of tiles and tokens, shape and gloss of wizards.
    """

    def __init__(self, rng: np.random.Generator, folder: Path, print_: str, ground_z: float) -> None:
        """Choose a random printing of the game; nothing is added to the Blender scene yet.

        folder: of the jobs, with the tokens' faces. print_: name of the tokens' design. ground_z: height of the
        table, cm.
        """
        self._rng, self._folder, self._print, self.ground = rng, folder, print_, ground_z
        self.rim = float(rng.uniform(0.35, 1.0)) * TILE
        self._tile_width = TILE * float(rng.uniform(0.95, 0.985))
        self._thick = TILE * float(rng.uniform(0.03, 0.08))
        self._token = TILE * float(rng.uniform(0.46, 0.58))
        self._drift = float(rng.uniform(0.15, 1.0))
        self._paths = float(rng.uniform(0.28, 0.46))
        self._raised = rng.random() < 0.3
        self._outlined = rng.random() < 0.5
        self._rough = float(rng.uniform(0.25, 0.9))
        self._bump = float(rng.uniform(0.0, 0.35))
        self._surfaces = tuple(str(kind) for kind in rng.choice(_SURFACES, 2))
        self._colours = _contrasting_colours(rng)
        self._edge = linear_rgba(rng.uniform(90, 220) * np.array([0.8, 0.92, 1.0]))
        self._figure, self._gloss = int(rng.integers(4)), float(rng.uniform(0.15, 0.7))
        self.paints = {
            colour: np.clip(np.array(bgr) * rng.uniform(0.8, 1.15) + rng.normal(0, 8, 3), 4, 250)
            for colour, bgr in _PAINTS.items()
        }
        """Paint of each start ring and, as a rule, of its wizard, BGR."""
        self._ring = (float(rng.uniform(0.4, 0.56)), float(rng.uniform(0.05, 0.09)))
        self._faces: dict[tuple[str, str], Any] = {}

    def lay_board(self, tiles: list[str], starts: dict[int, str]) -> None:
        """Add the board with its tiles; loose tiles are slightly shifted and rotated.

        tiles: openings by place. starts: colour of the start ring on a place.
        """
        side = SIZE * TILE + 2 * self.rim
        rim = add_material("rim")
        rim_colour = self._rng.uniform(20, 200, 3)
        _add_noise_colour(rim[1], rim[2], rim_colour, 0.8, 2.0)
        rim[2].inputs["Roughness"].default_value = self._rough
        add_slab((0, 0), side, self.ground, 0.0, 0.0, [rim[0]], 0.08)
        recess = add_material("recess")
        recess[2].inputs["Base Color"].default_value = linear_rgba(rim_colour * self._rng.uniform(0.4, 0.8))
        add_square((0, 0, 0.004), SIZE * TILE, 0.0, recess[0])
        for place, openings in enumerate(tiles):
            row, column = divmod(place, SIZE)
            x, y = (column - 3) * TILE, (3 - row) * TILE
            if row in _FIXED_LINES and column in _FIXED_LINES:
                face = self._face_material(openings, starts.get(place, ""))
                if self._raised:
                    self._lay_tile((x, y), 0.0, 0.0, face)
                else:
                    add_square((x, y, 0.008), TILE, 0.0, face)
            else:
                dx, dy = self._rng.uniform(-0.1, 0.1, 2) * self._drift * TILE
                turn = math.radians(float(self._rng.uniform(-5, 5)) * self._drift)
                self._lay_tile((x + dx, y + dy), turn, 0.0, self._face_material(openings, ""))

    def lay_spare(self, openings: str, at: tuple[float, float]) -> np.ndarray:
        """Add the spare tile, centred at the point `at`, and return the corners of its face, cm, (4, 3)."""
        turn = math.radians(float(self._rng.uniform(-25, 25)))
        self._lay_tile(at, turn, self.ground, self._face_material(openings, ""))
        half = self._tile_width / 2
        corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
        return np.array(
            [
                (
                    at[0] + x * math.cos(turn) - y * math.sin(turn),
                    at[1] + x * math.sin(turn) + y * math.cos(turn),
                    self.ground + self._thick,
                )
                for x, y in corners
            ]
        )

    def ring_points(self, place: int) -> list[tuple[float, float, float]]:
        """Return points (x, y, z) along the middle of the start ring on a place, cm."""
        x, y = (place % SIZE - 3) * TILE, (3 - place // SIZE) * TILE
        radius, height = self._ring[0] / 2 * TILE, self._thick if self._raised else 0.008
        angles = np.linspace(0, 2 * math.pi, 48, endpoint=False).tolist()
        return [(x + radius * math.cos(angle), y + radius * math.sin(angle), height) for angle in angles]

    def lay_token(self, number: int, at: tuple[float, float], ground: float | None = None) -> Token:
        """Add a token in random rotation, slightly displaced from the point `at`, and return it.

        ground: height of what it lies on; None: a tile.
        """
        low = self._thick if ground is None else ground
        x, y = np.asarray(at) + np.clip(self._rng.normal(0, 0.04 * TILE, 2), -0.1 * TILE, 0.1 * TILE)
        top = low + 0.05 * TILE
        face, tree, surface = add_material(f"token{number}")
        picture = tree.nodes.new("ShaderNodeTexImage")
        picture.image = bpy.data.images.load(
            str((self._folder / "faces" / f"{self._print}-{number}.png").resolve()), check_existing=True
        )
        tree.links.new(picture.outputs["Color"], surface.inputs["Base Color"])
        surface.inputs["Roughness"].default_value = self._rough
        edge, _, edge_surface = add_material("edge")
        edge_surface.inputs["Base Color"].default_value = self._edge
        centre, radius = (float(x), float(y)), self._token / 2
        made = add_disc(centre, radius, low, top, float(self._rng.uniform(0, 6.28)), [face, edge])
        return Token(made, top)

    def stand_wizard(self, colour: str, at: tuple[float, float], ground: float | None = None) -> Any:
        """Add a wizard of this printing at the point `at`, and return its Blender object.

        ground: height of what it stands on; None: a tile.
        """
        return self.stand_figure(self.paints[colour], self._gloss, np.array(_FIGURES[self._figure]), at, ground)

    def stand_figure(
        self, bgr: Any, roughness: float, outline: np.ndarray, at: tuple[float, float], ground: float | None
    ) -> Any:
        """Add a standing figure at the point `at`, and return its Blender object.

        bgr: paint. outline: height and radius from foot to tip, (n, 2), in tiles. ground: height of what it stands
        on; None: a tile.
        """
        low = self._thick if ground is None else ground
        made, _, surface = add_material("figure")
        surface.inputs["Base Color"].default_value = linear_rgba(bgr)
        surface.inputs["Roughness"].default_value = roughness
        return add_revolved_body((*at, low), outline * TILE, made)

    def lay_wand(self, at: tuple[float, float], turn: float, bgr: Any) -> None:
        """Add a wand on the table. at: its middle, cm. turn: radians. bgr: paint."""
        made, _, surface = add_material("wand")
        surface.inputs["Base Color"].default_value = linear_rgba(bgr)
        bpy.ops.mesh.primitive_cylinder_add(
            radius=0.13, depth=TILE, location=(*at, self.ground + 0.13), rotation=(math.pi / 2, 0, turn)
        )
        bpy.context.object.data.materials.append(made)

    def _lay_tile(self, at: tuple[float, float], turn: float, ground: float, face: Any) -> None:
        """Add a tile. at: its middle, cm. turn: radians. ground: height below it, cm. face: its material."""
        edge, _, surface = add_material("edge")
        surface.inputs["Base Color"].default_value = self._edge
        add_slab(at, self._tile_width, ground, ground + self._thick, turn, [edge, face], 0.03)

    def _face_material(self, openings: str, ring: str) -> Any:
        """Return the (cached) material of a tile's face. ring: colour of the start ring on it, "" for none."""
        if (openings, ring) in self._faces:
            return self._faces[openings, ring]
        made, tree, surface = add_material(f"tile{openings}{ring}")
        mask = tree.nodes.new("ShaderNodeTexImage")
        mask.image = _to_blender_image(
            f"mask{openings}{ring}", _tile_mask(openings, self._paths, self._ring if ring else None)
        )
        channels = tree.nodes.new("ShaderNodeSeparateColor")
        tree.links.new(mask.outputs["Color"], channels.inputs[0])
        at = self._add_texture_coordinates(tree)
        kinds, tones = self._surfaces, self._colours
        path, path_height = _add_surface_nodes(tree, at, kinds[0], tones[0], self._rng)
        wall, wall_height = _add_surface_nodes(tree, at, kinds[1], tones[1], self._rng)
        colour = _add_mix_node(tree, channels.outputs[0], path, wall)
        if self._outlined:
            colour = _add_mix_node(tree, channels.outputs[2], colour, (0.01, 0.01, 0.01, 1.0))
        if ring:
            colour = _add_mix_node(tree, channels.outputs[1], colour, linear_rgba(self.paints[ring]))
        tree.links.new(colour, surface.inputs["Base Color"])
        surface.inputs["Roughness"].default_value = self._rough
        height = tree.nodes.new("ShaderNodeMix")
        tree.links.new(channels.outputs[0], height.inputs[0])
        tree.links.new(path_height, height.inputs[2])
        tree.links.new(wall_height, height.inputs[3])
        bump = tree.nodes.new("ShaderNodeBump")
        bump.inputs["Strength"].default_value, bump.inputs["Distance"].default_value = self._bump, 0.1
        tree.links.new(height.outputs[0], bump.inputs["Height"])
        tree.links.new(bump.outputs[0], surface.inputs["Normal"])
        self._faces[openings, ring] = made
        return made

    def _add_texture_coordinates(self, tree: Any) -> Any:
        """Add nodes for texture coordinates in cm with a random origin for each tile, and return their output."""
        place, thing, add = (
            tree.nodes.new(f"ShaderNode{name}") for name in ("TexCoord", "ObjectInfo", "VectorMath")
        )
        far = tree.nodes.new("ShaderNodeMath")
        far.operation, far.inputs[1].default_value = "MULTIPLY", 90.0
        tree.links.new(thing.outputs["Random"], far.inputs[0])
        tree.links.new(place.outputs["Object"], add.inputs[0])
        tree.links.new(far.outputs[0], add.inputs[1])
        return add.outputs[0]


def _contrasting_colours(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the colours of paths and of walls (BGR), which differ clearly in brightness."""
    dark, light = rng.uniform(20, 105), rng.uniform(150, 225)
    tints = [np.clip(1 + rng.normal(0, 0.18, 3), 0.5, 1.4) for _ in range(2)]
    pair = [np.clip(tone * tint, 5, 245) for tone, tint in zip((light, dark), tints, strict=True)]
    return (pair[0], pair[1]) if rng.random() < 0.75 else (pair[1], pair[0])


def _tile_mask(openings: str, width: float, ring: tuple[float, float] | None) -> np.ndarray:
    """Return the masks of a tile, (px, px, 3): wall, start ring, and line between wall and path, each 0 to 255.

    width: of paths, in tiles. ring: diameter and thickness of the start ring, in tiles; None without.
    """
    px, half = _MASK_PX, width / 2
    y, x = (np.mgrid[0:px, 0:px] + 0.5) / px - 0.5
    distance = np.full((px, px), 9.0)
    for side in openings:
        along = {"T": -y, "R": x, "B": y, "L": -x}[side]
        across = {"T": x, "R": y, "B": x, "L": y}[side]
        distance = np.minimum(distance, np.where(along > 0, np.abs(across), np.hypot(across, along)))
    wall = np.clip((distance - half) * px + 0.5, 0, 1)
    line = np.clip(1.6 - np.abs(distance - half) * px, 0, 1)
    around = np.zeros((px, px))
    if ring is not None:
        diameter, thick = ring
        around = np.clip((thick / 2 - np.abs(np.hypot(x, y) - diameter / 2)) * px + 0.5, 0, 1)
    return np.asarray(np.dstack([wall, around, line]) * 255, np.uint8)


def _to_blender_image(name: str, rgb: np.ndarray) -> Any:
    """Return an RGB picture as Blender image."""
    image = bpy.data.images.new(name, _MASK_PX, _MASK_PX)
    image.colorspace_settings.name = "Non-Color"
    flipped = np.dstack([rgb, np.full(rgb.shape[:2], 255, np.uint8)])[::-1]
    image.pixels.foreach_set((flipped.astype(np.float32) / 255).ravel())
    image.pack()
    return image


def _add_mix_node(tree: Any, factor: Any, first: Any, second: Any) -> Any:
    """Add a node that mixes two colours, and return its output.

    tree: node tree of a material. factor: node output, 0 for the first colour, 1 for the second. first, second:
    RGBA, or node outputs.
    """
    mix = tree.nodes.new("ShaderNodeMixRGB")
    tree.links.new(factor, mix.inputs[0])
    for socket, value in ((mix.inputs[1], first), (mix.inputs[2], second)):
        if isinstance(value, tuple):
            socket.default_value = value
        else:
            tree.links.new(value, socket)
    return mix.outputs[0]


def _add_surface_nodes(tree: Any, at: Any, kind: str, bgr: np.ndarray, rng: np.random.Generator) -> tuple[Any, Any]:
    """Add the nodes of a surface to a material, and return their outputs for colour and height.

    tree: node tree of the material. at: output with the texture coordinates. kind: of `_SURFACES`. bgr: main
    colour.
    """
    scale = float(rng.uniform(0.7, 1.6))
    dark, light = (
        linear_rgba(bgr * rng.uniform(0.55, 0.8)),
        linear_rgba(np.clip(bgr * rng.uniform(1.0, 1.2), 0, 250)),
    )
    ramp = tree.nodes.new("ShaderNodeValToRGB")
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = dark, light
    if kind == "bricks":
        made = tree.nodes.new("ShaderNodeTexBrick")
        made.inputs["Scale"].default_value = 3.0 * scale
        made.inputs["Color1"].default_value, made.inputs["Color2"].default_value = light, linear_rgba(bgr)
        made.inputs["Mortar"].default_value = dark
        tree.links.new(at, made.inputs["Vector"])
        return made.outputs["Color"], made.outputs["Fac"]
    if kind in ("cobbles", "junk"):
        made = tree.nodes.new("ShaderNodeTexVoronoi")
        made.inputs["Scale"].default_value = 4.0 * scale
        tree.links.new(at, made.inputs["Vector"])
        tree.links.new(made.outputs["Distance"], ramp.inputs[0])
        if kind == "cobbles":
            return ramp.outputs[0], made.outputs["Distance"]
        hue = tree.nodes.new("ShaderNodeMixRGB")
        hue.blend_type, hue.inputs[0].default_value = "OVERLAY", float(rng.uniform(0.2, 0.6))
        tree.links.new(ramp.outputs[0], hue.inputs[1])
        tree.links.new(made.outputs["Color"], hue.inputs[2])
        return hue.outputs[0], made.outputs["Distance"]
    made = tree.nodes.new("ShaderNodeTexWave" if kind in ("planks", "wave") else "ShaderNodeTexNoise")
    made.inputs["Scale"].default_value = (1.2 if kind == "planks" else 2.5) * scale
    made.inputs["Detail"].default_value = 3.0
    if kind == "wave":
        made.inputs["Distortion"].default_value = 6.0
    tree.links.new(at, made.inputs["Vector"])
    tree.links.new(made.outputs["Fac"], ramp.inputs[0])
    return ramp.outputs[0], made.outputs["Fac"]


def _add_noise_colour(tree: Any, surface: Any, bgr: np.ndarray, darker: float, scale: float) -> None:
    """Add nodes with a noisy colour to a material.

    tree: its node tree. surface: its shader. bgr: lighter colour. darker: factor for the darker colour. scale: of
    the noise.
    """
    noise, ramp = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeValToRGB")
    noise.inputs["Scale"].default_value = scale
    ramp.color_ramp.elements[0].color, ramp.color_ramp.elements[1].color = (
        linear_rgba(bgr * darker),
        linear_rgba(bgr),
    )
    tree.links.new(noise.outputs["Fac"], ramp.inputs[0])
    tree.links.new(ramp.outputs[0], surface.inputs["Base Color"])


_FIGURES = (
    ((0.0, 0.2), (0.03, 0.21), (0.06, 0.2), (0.3, 0.09), *ball_outline(0.42, 0.12)),
    ((0.0, 0.16), (0.28, 0.16), (0.31, 0.1), *ball_outline(0.4, 0.1)),
    ((0.0, 0.19), (0.35, 0.11), (0.38, 0.2), (0.4, 0.2), (0.41, 0.11), (0.75, 0.01), (0.76, 0.0001)),
    ((0.0, 0.22), (0.08, 0.22), (0.12, 0.1), (0.34, 0.07), (0.4, 0.13), *ball_outline(0.5, 0.14)),
)
"""Height and radius of wizards from foot to tip, in tiles: a halma pawn, a peg, a hat with a brim, a skittle."""
