"""Draw small solid things: prisms, balls and turned figures with painted sides and printed faces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cameras.simulated.appearance import Look
from vision.cameras.simulated.array_types import Floats, Heights, Image, as_floats, as_heights, as_image
from vision.cameras.simulated.hands.relighting import Relief

if TYPE_CHECKING:
    from vision.cameras.simulated.components_to_draw import DrawnComponents

Projection = Callable[[Floats], Floats]
"""Function that projects points (N, 3) in mm to px (N, 2)."""


@dataclass(frozen=True, slots=True)
class Solid:
    """An upright prism, a ball, or a turned figure."""

    kind: str
    """Kind."""
    outline: tuple[tuple[float, float], ...]
    """Outline, mm, (N, 2)."""
    thickness: float
    """Thickness, mm."""
    paint: tuple[int, int, int]
    """Paint, BGR."""
    printed: bool = False
    """Whether its caps are printed."""
    sphere: bool = False
    """Whether it is a ball; its outline then is a circle and its thickness the diameter."""
    profile: tuple[tuple[float, float], ...] = ()
    """Height above the foot and radius of a turned figure, mm, from foot to head; none for others."""


def rounded(outline: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """Return an outline (N, 2) with every corner cut off, as an outline of 2N points."""
    points = np.asarray(outline)
    following = np.roll(points, -1, axis=0)
    cut = np.stack([0.82 * points + 0.18 * following, 0.18 * points + 0.82 * following], axis=1)
    return tuple((float(x), float(y)) for x, y in cut.reshape(-1, 2))


def disc(radius: float) -> tuple[tuple[float, float], ...]:
    """Return the outline of a disc as 28 points (x, y), in the unit of its radius."""
    turns = np.linspace(0, 2 * np.pi, 28, endpoint=False)
    return tuple((float(radius * np.cos(t)), float(radius * np.sin(t))) for t in turns)


def turned(yaw: float, pitch: float = 0.0, roll: float = 0.0) -> Floats:
    """Return the rotation matrix (3, 3) of roll about x, then pitch about y, then yaw about z.

    Angles in degrees; yaw is clockwise as viewed from above.
    """
    r, p, w = np.radians(roll), np.radians(pitch), np.radians(-yaw)
    about_x = np.array([[1, 0, 0], [0, np.cos(r), -np.sin(r)], [0, np.sin(r), np.cos(r)]])
    about_y = np.array([[np.cos(p), 0, np.sin(p)], [0, 1, 0], [-np.sin(p), 0, np.cos(p)]])
    about_z = np.array([[np.cos(w), -np.sin(w), 0], [np.sin(w), np.cos(w), 0], [0, 0, 1]])
    return as_floats(about_z @ about_y @ about_x)


@dataclass(frozen=True, slots=True)
class Body:
    """A solid in a pose."""

    solid: Solid
    """Shape."""
    rotation: Floats
    """Rotation, (3, 3)."""
    centre: Floats
    """Centre, mm."""

    def corners(self) -> Floats:
        """Return the corners (2N, 3) of the solid's outline as a prism, mm: top ring, then bottom ring."""
        flat = np.asarray(self.solid.outline)
        half = self.solid.thickness / 2
        rings = np.concatenate(
            [np.c_[flat, np.full(len(flat), half)], np.c_[flat, np.full(len(flat), -half)]], axis=0
        )
        return as_floats(rings @ self.rotation.T + self.centre)


@dataclass(frozen=True, slots=True)
class Finish:
    """Materials of the things on one table."""

    components: DrawnComponents
    """The things of the game."""
    faces: Mapping[str, Image]
    """Faces by kind, BGRA."""
    gains: Mapping[str, Floats]
    """Factors (b, g, r) of the paint by kind."""
    ambient: float
    """Share of ambient light, 0..1."""
    gloss: float = 0.0
    """Gloss, 0..1."""
    solids: Mapping[str, Solid] = field(default_factory=dict)
    """Shapes by kind that replace those of the components."""
    relief: Relief | None = None
    """Effects by which hands are relit from their heights; None: none."""
    heap: float = 1.0
    """Spread of pieces in a palm relative to the default."""

    def solid(self, kind: str) -> Solid:
        """Return the shape of a loose thing by its kind. Raises KeyError for a kind that does not exist."""
        return self.solids.get(kind) or self.components.solid(kind)


def finish(
    look: Look, components: DrawnComponents, faces: Mapping[str, Image], solids: Mapping[str, Solid]
) -> Finish:
    """Return the materials of things under a look; paints of the pieces that are thrown vary at random by its seed.

    faces, solids: printed faces (BGRA) by key and shapes by kind that replace the game's own or add to them.
    """
    rng = np.random.default_rng([look.seed, 0x9A1])
    thrown = (kind for kind in components.kit.kinds if components.is_thrown(kind))
    gains = {kind: as_floats(1 + 0.06 * look.paint * rng.standard_normal(3)) for kind in thrown}
    made = {**components.faces, **faces}
    return Finish(components, made, gains, look.ambient, look.gloss, solids, look.relief, look.heap)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Picture of a solid, with its place in the picture of the scene."""

    left: int
    """Left edge, px."""
    top: int
    """Top edge, px."""
    colour: Image
    """Colours, (h, w, 3), uint8."""
    cover: Image
    """Coverage, (h, w), uint8."""
    height: Heights | None = None
    """Heights of the visible surface, mm, (h, w); None without a relief."""


_GLOSS_EXPONENT = 24.0
"""Exponent of the Blinn-Phong highlight: between satin and gloss."""
_SUPERSAMPLING = 4
"""Supersampling factor of small things."""
_MAX_SMALL_PX = 48
"""Width up to which a thing is small, px; larger ones are drawn at twice their size."""


def draw(
    body: Body,
    project: Projection,
    eye: Floats,
    light: Floats,
    made: Finish,
) -> Drawn:
    """Return the picture of a body (a solid in a pose), with its position in the picture of the scene.

    project: projection of the camera. eye: position of the camera, mm. light: unit vector towards the key light.
    made: materials.
    """
    if body.solid.sphere:
        return _ball(body, project, eye, light, made)
    if body.solid.profile:
        return _turned_figure(body, project, light, made)
    corners = body.corners()
    pixels = project(corners)
    low = np.floor(pixels.min(axis=0)).astype(int) - 1
    high = np.ceil(pixels.max(axis=0)).astype(int) + 2
    size = np.minimum(high - low, 160)
    finer = _SUPERSAMPLING if size.max() <= _MAX_SMALL_PX else 2
    fine = (pixels - low + 0.5) * finer - 0.5
    canvas = np.zeros((size[1] * finer, size[0] * finer, 3), np.uint8)
    cover = np.zeros(canvas.shape[:2], np.uint8)
    count = len(body.solid.outline)
    outline = np.asarray(body.solid.outline)
    orientation = np.sign(
        np.sum(outline[:, 0] * np.roll(outline[:, 1], -1) - np.roll(outline[:, 0], -1) * outline[:, 1])
    )
    jobs: list[tuple[float, Floats, float, float, int, Floats]] = []
    following = np.roll(np.arange(count), -1)
    edge = corners[following] - corners[:count]
    down = corners[count:] - corners[:count]
    normals = np.cross(down, edge) * orientation
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    middles = (corners[:count] + corners[following] + corners[count:] + corners[count + following]) / 4
    towards = eye - middles
    for side in np.flatnonzero(np.sum(normals * towards, axis=1) > 0):
        at = [side, following[side], count + following[side], count + side]
        mirrored = _specular(normals[side], light, towards[side], made.gloss)
        shade = _shade(normals[side], light, made.ambient)
        jobs.append((float(np.linalg.norm(towards[side])), fine[at], shade, mirrored, 0, corners[at, 2]))
    for cap, ring, sign in ((1, slice(0, count), 1.0), (2, slice(count, None), -1.0)):
        normal = body.rotation[:, 2] * sign
        middle = corners[ring].mean(axis=0)
        if float(np.dot(normal, eye - middle)) > 0:
            # The cap is the largest face: nothing of the same prism occludes it.
            mirrored = _specular(normal, light, eye - middle, made.gloss)
            jobs.append((0.0, fine[ring], _shade(normal, light, made.ambient), mirrored, cap, corners[ring, 2]))
    paint = as_floats(body.solid.paint) * made.gains.get(body.solid.kind, 1.0)
    jobs.sort(key=lambda job: -job[0])
    for _, polygon, shade, mirrored, cap, _ in jobs:
        points = np.round(polygon * 16).astype(np.int32)
        tone = np.clip(paint * shade + mirrored, 0, 255)
        cv2.fillPoly(canvas, [points], tuple(float(c) for c in tone), cv2.LINE_8, 4)
        cv2.fillPoly(cover, [points], 255.0, cv2.LINE_8, 4)
        if cap and body.solid.printed:
            _print_on(canvas, points, fine, made.faces[body.solid.kind], outline, cap, shade)
        elif cap:
            # Sanded edges have a highlight all around.
            shine = np.clip(tone * 1.18 + 6, 0, 255)
            cv2.polylines(canvas, [points], True, tuple(float(c) for c in shine), 2, cv2.LINE_8, 4)
    small = (int(size[0]), int(size[1]))
    mask = cv2.resize(cover, small, interpolation=cv2.INTER_AREA)
    # Averaging blends in black from outside at the edges: divide by the coverage.
    mixed = cv2.resize(canvas, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    colour = np.minimum(mixed * (255.0 / np.maximum(mask, 1))[..., None], 255).astype(np.uint8)
    height = _heights([(job[1], job[5]) for job in jobs], small, finer) if made.relief else None
    return Drawn(int(low[0]), int(low[1]), colour, as_image(mask), height)


def _ball(body: Body, project: Projection, eye: Floats, light: Floats, made: Finish) -> Drawn:
    """Return the picture of a ball, shaded and with a highlight.

    project: projection of the camera. eye: position of the camera, mm. light: unit vector towards the key light.
    made: materials.
    """
    radius = body.solid.thickness / 2
    middle = project(body.centre[None])[0]
    aside = project(body.centre[None] + [[radius, 0, 0], [0, radius, 0]])
    reach = float(np.hypot(*(aside - middle).T).mean())
    low = np.floor(middle - reach).astype(int) - 1
    size = np.ceil(middle + reach).astype(int) + 2 - low
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float64)
    across = project(body.centre[None] + [[1.0, 0, 0]])[0] - middle
    upward = project(body.centre[None] + [[0, 1.0, 0]])[0] - middle
    # Px relative to the centre, in radii along the table's x and y axes as projected.
    seen = np.stack([columns - (middle - low)[0], rows - (middle - low)[1]], axis=-1)
    flat = seen @ np.linalg.inv(np.stack([across, upward])) / radius
    squared = (flat**2).sum(axis=-1)
    normal = np.concatenate([flat, np.sqrt(np.clip(1 - squared, 0, 1))[..., None]], axis=-1)
    facing = np.clip(normal @ light, 0, 1)
    shade = made.ambient * (0.7 + 0.3 * normal[..., 2]) + (1 - made.ambient) * facing / max(0.35, float(light[2]))
    towards = eye - body.centre
    halfway = light + towards / float(np.linalg.norm(towards))
    shine = np.clip(normal @ (halfway / float(np.linalg.norm(halfway))), 0, 1) ** 40
    paint = as_floats(body.solid.paint) * made.gains.get(body.solid.kind, 1.0)
    colour = np.clip(shade[..., None] * paint + (255 * max(0.85, made.gloss) * shine)[..., None], 0, 255)
    cover = np.clip((1 - np.sqrt(squared)) * reach + 0.5, 0, 1) * 255
    height = as_heights(body.centre[2] + radius * normal[..., 2]) if made.relief else None
    return Drawn(int(low[0]), int(low[1]), colour.astype(np.uint8), cover.astype(np.uint8), height)


_RINGS = 36
"""Number of rings of which a turned figure is drawn."""


def _turned_figure(body: Body, project: Projection, light: Floats, made: Finish) -> Drawn:
    """Return the picture of an upright figure turned on a lathe, drawn as a stack of rings.

    project: projection of the camera. light: unit vector towards the key light. made: materials.
    """
    pixels = project(body.corners())
    low = np.floor(pixels.min(axis=0)).astype(int) - 1
    size = np.ceil(pixels.max(axis=0)).astype(int) + 2 - low
    canvas = np.zeros((size[1] * _SUPERSAMPLING, size[0] * _SUPERSAMPLING, 3), np.uint8)
    cover = np.zeros(canvas.shape[:2], np.uint8)
    levels, radii = np.asarray(body.solid.profile).T
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False)
    circle = np.c_[np.cos(turns), np.sin(turns), np.zeros(len(turns))]
    foot = body.centre - [0, 0, body.solid.thickness / 2]
    lit = as_floats([light[0], light[1], 0.0])
    for height in np.linspace(levels[0], levels[-1], _RINGS):
        radius = float(np.interp(height, levels, radii))
        tone = made.ambient + (1 - made.ambient) * (0.55 + 0.45 * height / levels[-1])
        for inset, shade in ((1.0, 0.7), (0.75, 0.88), (0.45, 1.05)):
            middle = foot + lit * radius * (1 - inset) * 0.6 + [0, 0, height]
            fine = (project(circle * radius * inset + middle) - low + 0.5) * _SUPERSAMPLING - 0.5
            points = np.round(fine * 16).astype(np.int32)
            paint = np.clip(as_floats(body.solid.paint) * tone * shade, 0, 255)
            cv2.fillConvexPoly(canvas, points, tuple(float(value) for value in paint), cv2.LINE_8, 4)
            if inset == 1.0:
                cv2.fillConvexPoly(cover, points, 255.0, cv2.LINE_8, 4)
    small = (int(size[0]), int(size[1]))
    mask = cv2.resize(cover, small, interpolation=cv2.INTER_AREA)
    mixed = cv2.resize(canvas, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    colour = np.minimum(mixed * (255.0 / np.maximum(mask, 1))[..., None], 255).astype(np.uint8)
    return Drawn(int(low[0]), int(low[1]), colour, as_image(mask))


def _heights(faces: list[tuple[Floats, Floats]], size: tuple[int, int], finer: int) -> Heights:
    """Return the height of the visible surface at each pixel, mm, (height, width).

    faces: furthest first, each as its corners' positions (N, 2), supersampled px, and their heights (N,), mm. size:
    width and height, px. finer: factor of supersampling.
    """
    whole = np.zeros(size[::-1], np.float32)
    rows, columns = np.mgrid[0 : size[1], 0 : size[0]]
    for polygon, levels in faces:
        points = (polygon + 0.5) / finer - 0.5
        plane = np.linalg.lstsq(np.c_[points, np.ones(len(points))], levels, rcond=None)[0]
        inside = np.zeros(whole.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(points * 16).astype(np.int32)], 1.0, cv2.LINE_8, 4)
        # A face viewed edge on has no plane in the picture: clamp to its corners' heights.
        there = np.clip(plane[0] * columns + plane[1] * rows + plane[2], levels.min(), levels.max())
        whole[inside > 0] = there[inside > 0]
    return as_heights(whole)


def _shade(normal: Floats, light: Floats, ambient: float) -> float:
    """Return the brightness factor of a face under ambient and key light, 1 for a horizontal face."""
    facing = max(0.0, float(np.dot(normal, light)))
    sky = 0.75 + 0.25 * float(normal[2])
    # Light on a horizontal face counts as 1, so that flat cards and the tops of pieces agree.
    return ambient * sky + (1 - ambient) * facing / max(0.35, float(light[2]))


def _specular(normal: Floats, light: Floats, towards: Floats, gloss: float) -> float:
    """Return the specular reflection of a varnished face towards the camera, grey levels.

    normal, light: unit vectors of the face and towards the key light. towards: vector from the face to the camera.
    gloss: share of the light that is reflected, 0..1.
    """
    if gloss <= 0:
        return 0.0
    halfway = light + towards / float(np.linalg.norm(towards))
    facing = float(np.dot(normal, halfway)) / float(np.linalg.norm(halfway))
    return float(255.0 * gloss * max(0.0, facing) ** _GLOSS_EXPONENT)


def _print_on(
    canvas: Image,
    points: NDArray[np.int32],
    fine: Floats,
    face: Image,
    outline: Floats,
    cap: int,
    shade: float,
) -> None:
    """Draw the printed face on a prism's cap, in place; on the underside, too, the print is not mirrored.

    points: the cap's polygon, 1/16 px. fine: corners of the prism, px of the canvas. outline: of the prism, mm.
    cap: 1 top, 2 underside. shade: brightness factor.
    """
    count = len(outline)
    span = float(np.abs(outline).max())
    ring = fine[:count] if cap == 1 else fine[count:]
    flip = 1.0 if cap == 1 else -1.0
    height, width = face.shape[:2]
    to_face = np.c_[
        (flip * outline[:, 0] / span + 1) / 2 * (width - 1), (1 - outline[:, 1] / span) / 2 * (height - 1)
    ]
    chosen = [0, count // 3, 2 * count // 3]
    affine = cv2.getAffineTransform(to_face[chosen].astype(np.float32), ring[chosen].astype(np.float32))
    size = (canvas.shape[1], canvas.shape[0])
    print_ = cv2.warpAffine(face, affine, size, flags=cv2.INTER_LINEAR)
    inside = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(inside, [points], 255.0, cv2.LINE_8, 4)
    strength = (print_[..., 3].astype(np.float32) / 255.0 * (inside > 0))[..., None]
    # One grey level of shine, as in all pictures on which accuracy was measured.
    lit = np.clip(print_[..., :3].astype(np.float32) * shade + flip, 0, 255)
    canvas[:] = (canvas * (1 - strength) + lit * strength).astype(np.uint8)


def paste(image: Image, drawn: Drawn) -> None:
    """Draw a solid's picture in place on the picture of the scene, clipped at the edges."""
    height, width = drawn.cover.shape
    x0, y0 = max(0, drawn.left), max(0, drawn.top)
    x1, y1 = min(image.shape[1], drawn.left + width), min(image.shape[0], drawn.top + height)
    if x0 >= x1 or y0 >= y1:
        return
    part = (slice(y0 - drawn.top, y1 - drawn.top), slice(x0 - drawn.left, x1 - drawn.left))
    weight = drawn.cover[part][..., None].astype(np.float32) / 255.0
    under = image[y0:y1, x0:x1]
    under[:] = (under * (1 - weight) + drawn.colour[part] * weight + 0.5).astype(np.uint8)
