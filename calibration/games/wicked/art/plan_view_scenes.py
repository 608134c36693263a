"""Corridor scenes seen from above: a maze, a winding stair, towers of blocks, rings."""

from __future__ import annotations

import math

from calibration.drawing.labyrinth_generator import generate_labyrinth
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, Window, arc, between, box, ellipse, mix
from calibration.games.wicked.art.palette import Tones


def draw_maze(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a maze of walls from above, rotated on the card, with a lit path through it and pools in its courts."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    cell = dice.between(7.2, 10.5)
    turn = (0.0, 45.0, -18.0, 28.0)[variant % 4] + dice.between(-4, 4) * (variant % 4 > 0)
    reach = 7 if turn == 0 else 9
    size = 2 * reach
    light = variant % 2 == 0
    ground, wall = (pale, ink) if light else (deep, pale)
    pen.fill(box(*window), ground)
    grid = pen.placed(
        (left + right) / 2 + dice.between(-4, 4), (top + bottom) / 2 + dice.between(-4, 4), cell, turn
    )
    links = generate_labyrinth(size, size, dice)
    for _ in range(16):  # courts: whole cells in other tones
        x, y = dice.whole(-4, 3), dice.whole(-6, 5)
        grid.fill(
            box(x, y, x + 1, y + dice.whole(1, 2)),
            dice.pick((mid, glow, deep, mid) if light else (ink, mid, glow, ink)),
        )
    way: list[Point] = []
    x, y = dice.whole(-3, 2), 6
    for _ in range(26):
        way.append((x + 0.5, y + 0.5))
        options = [(x + dx, y + dy) for dx, dy in ((0, -1), (1, 0), (-1, 0)) if _linked(links, x, y, dx, dy, reach)]
        fresh = [p for p in options if (p[0] + 0.5, p[1] + 0.5) not in way]
        x, y = dice.pick(fresh) if fresh else (x, y - 1)
    grid.line(way, glow if light else mid, 0.34)
    grid.line(way, mid if light else glow, 0.1)
    lines = []
    for gx in range(-reach, reach):
        for gy in range(-reach, reach):
            if not _linked(links, gx, gy, 1, 0, reach):
                lines.append([(gx + 1.0, float(gy)), (gx + 1.0, gy + 1.0)])
            if not _linked(links, gx, gy, 0, 1, reach):
                lines.append([(float(gx), gy + 1.0), (gx + 1.0, gy + 1.0)])
    thick = dice.between(0.2, 0.34)
    near = [line for line in lines if abs(line[0][0]) < 7 and abs(line[0][1]) < 8]
    grid.lines(near, mix(wall, ink, 0.5) if light else ink, thick + 0.16)
    grid.lines(near, wall, thick)


def _linked(links: frozenset[tuple[int, int, int, int]], x: int, y: int, dx: int, dy: int, reach: int) -> bool:
    """Return whether a cell of a maze is connected to the next one in the direction (dx, dy).

    links: from `generate_labyrinth`, with cells from 0; x, y: from -reach to reach - 1.
    """
    return (x + reach, y + reach, x + dx + reach, y + dy + reach) in links


def draw_spiral(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a winding stair from above, its treads turning round a shaft of light or dark."""
    ink, deep, mid, pale, glow = tones
    cx, cy = _off_centre(dice, variant, window)
    steps = dice.whole(9, 15)
    turn, way = dice.between(0, 360), dice.pick((-1, 1))
    shrink = dice.between(0.56, 0.7)
    pen.fill(box(*window), ink)
    radius = 84.0
    ramp = dice.pick(((glow, pale, mid, deep, ink), (pale, glow, pale, deep, mid), (glow, mid, deep)))
    while radius > 5:
        for k in range(steps):
            a0, a1 = turn + way * 360 * k / steps, turn + way * 360 * (k + 1) / steps
            r0, r1 = radius * shrink ** (k / steps), radius * shrink ** ((k + 1) / steps)
            i0, i1 = r0 * (shrink + 0.07), r1 * (shrink + 0.07)
            outer = [_polar(cx, cy, r0 + (r1 - r0) * t / 3, a0 + (a1 - a0) * t / 3) for t in range(4)]
            inner = [_polar(cx, cy, i0 + (i1 - i0) * t / 3, a0 + (a1 - a0) * t / 3) for t in range(4)]
            tone = ramp[int(k * len(ramp) / steps)]
            pen.fill([*outer, *reversed(inner)], mix(tone, ink, 0.22 if k % 2 else 0.0))
            pen.line([outer[0], inner[0]], ink, 0.3 + radius * 0.008)
        radius *= shrink
    well = dice.chance(0.6)
    pen.fill(ellipse(cx, cy, 5.5), ink)
    pen.fill(ellipse(cx, cy, 4.4), glow if well else deep)
    rail = [_polar(cx, cy, 84 * shrink ** (k / 24), turn + way * 15 * k) for k in range(24 * 6)]
    pen.line(rail, ink, 1.3)
    pen.line(rail, pale, 0.5)


def draw_blocks(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw towers of cubes with small doors and steps, in oblique projection, as of an impossible castle."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    a = (6.4, 9.6, 8.0)[variant % 3] + dice.between(-0.4, 0.4)
    b = a * 0.577
    pen.fill(box(*window), ink)
    tops = dice.pick(((glow, pale), (pale, glow), (glow, glow)))
    shades = (mid, deep) if dice.chance(0.5) else (deep, mid)
    ox = dice.between(0, a)
    rows = int((bottom - top) / b) + 8
    for row in range(-6, rows):
        for column in range(-1, int((right - left) / (2 * a)) + 2):
            x = left + ox + column * 2 * a + (a if row % 2 else 0)
            lift = dice.pick((0.0, 0.0, 0.7, 1.4, 2.4, -0.8)) * a
            y = top + row * b - lift + 12
            low = y + 6 * a
            pen.fill([(x - a, y), (x, y + b), (x, low), (x - a, low)], shades[0])
            pen.fill([(x, y + b), (x + a, y), (x + a, low), (x, low)], shades[1])
            lid = [(x, y - b), (x + a, y), (x, y + b), (x - a, y)]
            pen.fill(lid, tops[row % 2])
            pen.line([(x - a, y), (x, y + b), (x + a, y)], ink, 0.4)
            pen.line([(x, y + b), (x, low)], ink, 0.4)
            what = dice.whole(0, 7)
            if what == 0:  # a pit
                pen.fill([between((x, y), p, 0.6) for p in lid], ink)
            elif what in (1, 2):  # a door in the left or right face
                s = -1 if what == 1 else 1
                foot = [
                    (x + s * a * t, y + b * (1 - t) + a * h)
                    for t, h in ((0.25, 1.3), (0.25, 0.6), (0.5, 0.36), (0.75, 0.6), (0.75, 1.3))
                ]
                pen.fill(foot, glow if shades[what - 1] == deep else ink)


def draw_rings(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a round labyrinth from above: broad walls in rings, gates, and courts between them."""
    ink, deep, mid, pale, glow = tones
    cx, cy = _off_centre(dice, variant + 1, window)
    light = variant % 2 == 0
    ground, wall = (pale, ink) if light else (deep, pale)
    pen.fill(box(*window), ground)
    pitch = dice.between(6.5, 9.5)
    radius = pitch * 0.9
    ring = 0
    while radius < 90:
        sectors = max(3, int(radius / 7.0))
        start = dice.between(0, 360)
        for k in range(sectors):
            a0, a1 = start + 360 * k / sectors, start + 360 * (k + 1) / sectors
            if dice.chance(0.3):
                tone = dice.pick((mid, glow, deep) if light else (ink, mid, glow))
                court = arc(cx, cy, radius, radius, a0, a1, 8) + arc(
                    cx, cy, radius + pitch, radius + pitch, a1, a0, 8
                )
                pen.fill(court, tone)
        gates = {dice.whole(0, sectors - 1) for _ in range(1 + sectors // 5)}
        for k in range(sectors):
            a0, a1 = start + 360 * k / sectors, start + 360 * (k + 1) / sectors
            if k not in gates:
                ring_wall = arc(cx, cy, radius, radius, a0, a1, 8)
                pen.line(ring_wall, mix(wall, ink, 0.7), pitch * 0.4)
                pen.line(ring_wall, wall, pitch * 0.26)
            if dice.chance(0.28):
                spoke = [_polar(cx, cy, radius, a0), _polar(cx, cy, radius + pitch, a0)]
                pen.line(spoke, mix(wall, ink, 0.7), pitch * 0.4)
                pen.line(spoke, wall, pitch * 0.26)
        ring += 1
        radius += pitch
    pen.fill(ellipse(cx, cy, pitch * 0.45), glow)


def _off_centre(dice: Dice, variant: int, window: Window) -> Point:
    """Return the centre of a round scene, in a different quarter of the window for each variant."""
    left, top, right, bottom = window
    u, v = ((0.68, 0.66), (0.24, 0.3), (0.76, 0.28), (0.3, 0.74))[variant % 4]
    return (
        left + (right - left) * u + dice.between(-4, 4),
        top + (bottom - top) * v + dice.between(-5, 5),
    )


def _polar(x: float, y: float, radius: float, degrees: float) -> Point:
    """Return the point at a radius and an angle (degrees, clockwise from the right) from (x, y)."""
    a = math.radians(degrees)
    return x + radius * math.cos(a), y + radius * math.sin(a)
