"""Eight kinds of corridor, each drawn anew from a card's own dice: large plain shapes first, ink lines after.

A card is only some 55 × 80 pixels large in the camera's picture, so what tells cards apart are masses of light and
dark several millimetres wide; the fine lines are for the eye. Every scene fills the window from `left, top` to
`right, bottom` in mm (+y down) with the five tones of one mood.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from calibration.art.dice import Dice
from calibration.art.mazes import carve
from calibration.art.palette import MOODS
from calibration.art.pen import Pen, Point, Window, arc, box, ellipse, mix

Tones = tuple[str, str, str, str, str]
Scene = Callable[[Pen, Dice, Tones, Window], None]


def draw_corridor(pen: Pen, number: int, dice: Dice, window: Window) -> None:
    """Draw the corridor of a card: number deals out kind and mood evenly, the dice do the rest."""
    kind = number % len(_SCENES)
    mood = (3 * (number // len(_SCENES)) + 5 * kind + number // (len(_SCENES) * len(MOODS))) % len(MOODS)
    _SCENES[kind](pen.within(window), dice, MOODS[mood], window)


def _lerp(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


def _doorway(x: float, foot: float, width: float, height: float, pointed: bool) -> list[Point]:
    """Return an arched doorway that stands on `foot`, centred on x."""
    half = width / 2
    spring = foot - max(height - half * (1.5 if pointed else 1.0), height * 0.3)
    if pointed:
        peak = foot - height
        top = [(x - half, spring), (x - half * 0.72, spring + (peak - spring) * 0.6), (x, peak)]
        top += [(x + half * 0.72, spring + (peak - spring) * 0.6), (x + half, spring)]
    else:
        top = arc(x, spring, half, spring - (foot - height), 180, 360, 14)
    return [(x - half, foot), *top, (x + half, foot)]


def _hall(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Look down a long hall of ribs to a lit gate, on a chequered floor."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    vx = dice.between(left + 13, right - 13)
    vy = dice.between(top + 22, bottom - 30)
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    depths = [1.0]
    for _ in range(dice.whole(3, 5)):
        depths.append(depths[-1] * dice.between(0.55, 0.76))
    walls = dice.shuffled([deep, mid, pale])
    columns = dice.whole(3, 6)
    shift = dice.whole(0, 1)
    for near, far in itertools.pairwise(depths):
        step = depths.index(near)
        a = [_lerp((vx, vy), corner, near) for corner in corners]
        b = [_lerp((vx, vy), corner, far) for corner in corners]
        dim = 0.16 * step
        pen.fill([a[0], a[1], b[1], b[0]], mix(deep if step % 2 else ink, mid, dim * 0.5))
        pen.fill([a[1], a[2], b[2], b[1]], mix(walls[0], ink, dim))
        pen.fill([a[0], a[3], b[3], b[0]], mix(walls[1], ink, dim))
        for c in range(columns):
            t0, t1 = c / columns, (c + 1) / columns
            tile = [_lerp(a[3], a[2], t0), _lerp(a[3], a[2], t1), _lerp(b[3], b[2], t1), _lerp(b[3], b[2], t0)]
            pen.fill(tile, glow if (c + step + shift) % 2 else mix(mid, ink, 0.45))
        for wall, dark in ((((a[0], a[3]), (b[0], b[3])), 0), (((a[1], a[2]), (b[1], b[2])), 1)):
            if dice.chance(0.55):  # a side door, open or barred
                (n0, n1), (f0, f1) = wall
                lit = dice.chance(0.5)
                rise = dice.between(0.36, 0.55)
                for inset, tone in ((0.16, ink), (0.26, glow if lit else mix(ink, deep, 0.5))):
                    door = []
                    for t, h in (
                        (inset, 1.0),
                        (inset, rise),
                        (0.5, rise - 0.1 + inset * 0.3),
                        (1 - inset, rise),
                        (1 - inset, 1.0),
                    ):
                        door.append(_lerp(_lerp(n0, f0, t), _lerp(n1, f1, t), h))
                    pen.fill(door, tone)
            for course in range(1, 6):
                t = course / 6
                pen.line([_lerp(*wall[0], t), _lerp(*wall[1], t)], ink, 0.25, 0.35 + 0.1 * dark)
        width = 0.4 + 2.6 * far
        pen.line([*b, b[0]], ink, width + 0.9)
        pen.line([*b, b[0]], pale if step % 2 else mid, width)
    end = [_lerp((vx, vy), corner, depths[-1]) for corner in corners]
    pen.fill(end, ink)
    foot, w, h = end[3][1], end[1][0] - end[0][0], end[3][1] - end[0][1]
    gate = _doorway((end[0][0] + end[1][0]) / 2, foot, w * 0.76, h * 0.86, dice.chance(0.5))
    pen.fill(gate, glow)
    pen.line(gate, mid, 0.8)
    pen.glow(vx, vy, w * 0.9 + 5, glow, 0.4)


def _stair(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Climb a stair that swings to one side, up to a door under the night sky."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    width, height = right - left, bottom - top
    pen.fill(box(*window), deep)
    side = dice.pick((-1, 1))
    mx, my = (left + right) / 2 - side * dice.between(8, 20), top + dice.between(8, 17)
    pen.glow(mx, my, 19, pale, 0.3)
    moon = dice.between(4.5, 8)
    pen.fill(ellipse(mx, my, moon), glow)
    if dice.chance(0.6):
        pen.fill(ellipse(mx + side * moon * 0.5, my - moon * 0.2, moon * 0.9), deep)
    for _ in range(14):
        pen.fill(
            ellipse(dice.between(left, right), dice.between(top, top + 30), dice.between(0.3, 0.8), steps=6), glow
        )
    steps = dice.whole(6, 10)
    y1 = top + dice.between(0.3, 0.46) * height
    x0, x1 = (left + right) / 2 - side * dice.between(2, 8), (left + right) / 2 + side * dice.between(8, 17)
    w0, w1 = width * dice.between(0.8, 1.05), width * dice.between(0.2, 0.32)
    bend = dice.between(0.8, 1.8)
    rows = []
    for k in range(steps * 2 + 1):
        t = k / (steps * 2)
        u = 1 - (1 - t) ** 1.35
        x, w = x0 + (x1 - x0) * t**bend, w0 + (w1 - w0) * u
        rows.append((x - w / 2, x + w / 2, bottom + 1 + (y1 - bottom - 1) * u))
    wall = [(left, bottom), (left, y1 - dice.between(-6, 14)), (rows[-1][0], y1 - 3)]
    pen.fill([*wall, *((a, y) for a, _, y in reversed(rows))], mix(mid, ink, dice.between(0.0, 0.5)))
    wall = [(right, bottom), (right, y1 - dice.between(-6, 14)), (rows[-1][1], y1 - 3)]
    pen.fill([*wall, *((b, y) for _, b, y in reversed(rows))], mix(mid, ink, dice.between(0.3, 0.8)))
    for k in range(0, steps * 2, 2):
        (a0, b0, c0), (a1, b1, c1), (a2, b2, c2) = rows[k : k + 3]
        pen.fill([(a0, c0), (b0, c0), (b1, c1), (a1, c1)], ink if k % 4 else mix(ink, deep, 0.7))
        pen.fill([(a1, c1), (b1, c1), (b2, c2), (a2, c2)], glow if k % 4 else pale)
    ax, bx, y = rows[-1]
    w = (bx - ax) * 1.25
    x, h = (ax + bx) / 2, min(w * dice.between(1.25, 1.6), y - top - 2)
    pen.fill(box(x - w * 0.8, y - h * 1.15, x + w * 0.8, y), mix(mid, ink, 0.3))
    pen.fill(box(x - w * 0.95, y - h * 1.25, x + w * 0.95, y - h * 1.12), pale)
    pen.fill(_doorway(x, y, w * 1.05, h * 0.98, False), ink)
    pen.fill(_doorway(x, y, w * 0.75, h * 0.84, False), glow)
    for sign in (-1, 1):  # niches with a candle in the walls
        for _ in range(dice.whole(0, 2)):
            nx = x0 + sign * dice.between(18, 27)
            ny = dice.between(y1 + 6, bottom - 8)
            pen.fill(_doorway(nx, ny, 6.5, 10, dice.chance(0.5)), ink)
            pen.glow(nx, ny - 4.6, 4.5, glow, 0.6, 3)
            pen.fill(ellipse(nx, ny - 4.4, 0.9, 1.6, 8), glow)
            pen.fill(box(nx - 0.8, ny - 3, nx + 0.8, ny), pale)


def _maze(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Look down upon a maze of walls, turned on the card, with a lit way through and pools in its courts."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    cell = dice.between(7.2, 10.5)
    turn = dice.pick((0.0, 0.0, 45.0, 30.0, -30.0, 18.0, -18.0))
    reach = 7 if turn == 0 else 9
    size = 2 * reach
    light = dice.chance(0.5)
    ground, wall = (pale, ink) if light else (deep, pale)
    pen.fill(box(*window), ground)
    grid = pen.placed(
        (left + right) / 2 + dice.between(-4, 4), (top + bottom) / 2 + dice.between(-4, 4), cell, turn
    )
    links = carve(size, size, dice)
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
    for line in near:
        grid.line(line, mix(wall, ink, 0.5) if light else ink, thick + 0.16)
    for line in near:
        grid.line(line, wall, thick)


def _linked(links: frozenset[tuple[int, int, int, int]], x: int, y: int, dx: int, dy: int, reach: int) -> bool:
    return (x + reach, y + reach, x + dx + reach, y + dy + reach) in links


def _arcade(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Stand before tiers of arches: dark, barred, lit, or with somebody's lamp in them."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    stone = dice.pick((mid, pale, deep))
    pen.fill(box(*window), stone)
    tiers = dice.whole(2, 4)
    cuts = [dice.between(0.75, 1.35) for _ in range(tiers)]
    y = top
    for share in cuts:
        height = share / sum(cuts) * (bottom - top)
        count = dice.whole(2, 4)
        pointed = dice.chance(0.45)
        offset = dice.between(-0.5, 0.5)
        pitch = (right - left) / count
        foot = y + height
        tone = dice.pick([t for t in (deep, mid, pale) if t != stone])
        if dice.chance(0.5):
            pen.fill(box(left, y, right, foot), tone)
        for row in range(int(height / 3.4)):
            pen.line([(left, y + 3.4 * row), (right, y + 3.4 * row)], ink, 0.22, 0.4)
        for k in range(-1, count + 1):
            x = left + (k + 0.5 + offset) * pitch
            w = pitch * dice.between(0.62, 0.8)
            outer = _doorway(x, foot - 1.5, w, height - 3.5, pointed)
            pen.fill(outer, glow if stone != pale else ink)
            inner = _doorway(x, foot - 1.5, w * 0.78, height - 3.5 - w * 0.12, pointed)
            what = dice.whole(0, 4)
            pen.fill(
                inner, (ink, ink, glow, deep, mid)[what] if stone != pale else (ink, deep, glow, mid, ink)[what]
            )
            if what == 1:
                for bar in range(1, 4):
                    bx = x - w * 0.39 + w * 0.78 * bar / 4
                    pen.line([(bx, foot - 1.5), (bx, foot - height * 0.72)], pale, 0.8)
            elif what in (0, 3):
                pen.glow(x, foot - height * 0.34, min(w * 0.4, 6), glow, 0.75, 3)
            elif what == 2:
                pen.fill(_doorway(x, foot - 1.5, w * 0.34, height * 0.46, False), ink)
        pen.fill(box(left, foot - 1.7, right, foot + 0.6), ink)
        pen.fill(box(left, foot - 1.2, right, foot - 0.2), pale)
        y = foot


def _garden(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Follow a winding path between hedges that stand behind each other like waves."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    day = dice.chance(0.5)
    pen.fill(box(*window), pale if day else ink)
    mx, my = dice.between(left + 8, right - 8), dice.between(top + 7, top + 16)
    pen.glow(mx, my, 18, glow, 0.5)
    pen.fill(ellipse(mx, my, dice.between(4, 8)), glow)
    layers = dice.whole(6, 9)
    order = [deep, pale, mid, ink, glow] if day else [mid, deep, pale, ink, glow]
    phase, lean = dice.between(0, 6.3), dice.between(-0.35, 0.35)
    y = top + dice.between(14, 24)
    path_x = dice.between(left + 16, right - 16)
    for k in range(layers):
        t = k / (layers - 1)
        amp, wave = dice.between(1.5, 6.5), dice.between(14, 40)
        p = phase + dice.between(0, 6.3)
        edge = []
        x = left
        while x <= right + 1:
            lift = amp * math.sin(x / wave * 6.283 + p) + lean * (x - 30)
            edge.append((x, y + lift))
            x += 1.8
        if dice.chance(0.4):  # clipped box trees in a row
            edge = [(px, py - (2.6 if int(px / 4.2) % 2 else 0.0)) for px, py in edge]
        tone = order[k % 3] if k % 4 != 3 else order[3]
        pen.fill([(left, bottom), *edge, (right, bottom)], tone)
        pen.line(edge, ink if tone != ink else pale, 0.5)
        w0 = 2.4 + 9 * t
        nx = min(right - 8, max(left + 8, path_x + dice.between(-17, 17)))
        span = (bottom - top - 22) / layers * 1.15
        strip_l = [
            (path_x + (nx - path_x) * s - w0 * (0.7 + 0.5 * s) / 2, y + lean * (path_x - 30) + span * s)
            for s in (0, 0.3, 0.6, 1)
        ]
        strip_r = [(px + w0 * (0.7 + 0.5 * s), py) for (px, py), s in zip(strip_l, (0, 0.3, 0.6, 1), strict=True)]
        pen.fill([*strip_l, *reversed(strip_r)], glow)
        pen.line(strip_l, ink, 0.4)
        pen.line(strip_r, ink, 0.4)
        if dice.chance(0.5):  # a tree cut to a ball or a cone
            tx = dice.between(left + 4, right - 4)
            r = 2.5 + 4 * t
            crown = (
                ellipse(tx, y - r, r, steps=20)
                if dice.chance(0.5)
                else [(tx, y - 3.4 * r), (tx + r, y), (tx - r, y)]
            )
            pen.shape(crown, mid if tone != mid else deep, ink, 0.5)
        path_x = nx
        y += (bottom - y) / (layers - k) * dice.between(0.75, 1.1)


def _spiral(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Look down a winding stair, its treads turning round a well of light or dark."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    cx, cy = dice.between(left + 12, right - 12), dice.between(top + 18, bottom - 18)
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


def _polar(x: float, y: float, radius: float, degrees: float) -> Point:
    a = math.radians(degrees)
    return x + radius * math.cos(a), y + radius * math.sin(a)


def _blocks(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Build towers of cubes with little doors and steps, seen from a corner, as in an impossible castle."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    a = dice.between(6.5, 9.5)
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
                pen.fill([_lerp((x, y), p, 0.6) for p in lid], ink)
            elif what in (1, 2):  # a door in the left or right face
                s = -1 if what == 1 else 1
                foot = [
                    (x + s * a * t, y + b * (1 - t) + a * h)
                    for t, h in ((0.25, 1.3), (0.25, 0.6), (0.5, 0.36), (0.75, 0.6), (0.75, 1.3))
                ]
                pen.fill(foot, glow if shades[what - 1] == deep else ink)


def _rings(pen: Pen, dice: Dice, tones: Tones, window: Window) -> None:
    """Look down upon a round labyrinth: broad walls in rings, gates, and courts between them."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    cx, cy = dice.between(left + 8, right - 8), dice.between(top + 14, bottom - 14)
    light = dice.chance(0.5)
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


_SCENES: tuple[Scene, ...] = (_hall, _maze, _stair, _arcade, _spiral, _garden, _blocks, _rings)
