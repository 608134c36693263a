"""Corridor scenes in perspective: a hall, a stair, an arcade, a garden of hedges."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, Window, arc, between, box, curve, ellipse, mix
from calibration.games.wicked.art.palette import Tones


def draw_hall(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a long hall of ribs in perspective, towards a lit gate, on a chequered floor."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    vx = left + (right - left) * (0.5, 0.28, 0.72)[variant % 3] + dice.between(-3, 3)
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
        a = [between((vx, vy), corner, near) for corner in corners]
        b = [between((vx, vy), corner, far) for corner in corners]
        dim = 0.16 * step
        pen.fill([a[0], a[1], b[1], b[0]], mix(deep if step % 2 else ink, mid, dim * 0.5))
        pen.fill([a[1], a[2], b[2], b[1]], mix(walls[0], ink, dim))
        pen.fill([a[0], a[3], b[3], b[0]], mix(walls[1], ink, dim))
        for c in range(columns):
            t0, t1 = c / columns, (c + 1) / columns
            tile = [
                between(a[3], a[2], t0),
                between(a[3], a[2], t1),
                between(b[3], b[2], t1),
                between(b[3], b[2], t0),
            ]
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
                        door.append(between(between(n0, f0, t), between(n1, f1, t), h))
                    pen.fill(door, tone)
            for course in range(1, 6):
                t = course / 6
                pen.line([between(*wall[0], t), between(*wall[1], t)], ink, 0.25, 0.35 + 0.1 * dark)
        width = 0.4 + 2.6 * far
        pen.line([*b, b[0]], ink, width + 0.9)
        pen.line([*b, b[0]], pale if step % 2 else mid, width)
    end = [between((vx, vy), corner, depths[-1]) for corner in corners]
    pen.fill(end, ink)
    foot, w, h = end[3][1], end[1][0] - end[0][0], end[3][1] - end[0][1]
    gate = _doorway((end[0][0] + end[1][0]) / 2, foot, w * 0.76, h * 0.86, dice.chance(0.5))
    pen.fill(gate, glow)
    pen.line(gate, mid, 0.8)
    pen.glow(vx, vy, w * 0.9 + 5, glow, 0.4)


def draw_stair(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a winding stair in perspective, up to a door under the night sky."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    width, height = right - left, bottom - top
    sky = (deep, pale, ink)[variant % 3]
    pen.fill(box(*window), sky)
    side = (-1, 1)[variant % 2]
    mx, my = (left + right) / 2 - side * dice.between(8, 20), top + dice.between(8, 17)
    pen.glow(mx, my, 19, pale, 0.3)
    moon = dice.between(4.5, 8)
    pen.fill(ellipse(mx, my, moon), glow)
    if dice.chance(0.6):
        pen.fill(ellipse(mx + side * moon * 0.5, my - moon * 0.2, moon * 0.9), sky)
    for _ in range(14):
        pen.fill(
            ellipse(dice.between(left, right), dice.between(top, top + 30), dice.between(0.3, 0.8), steps=6), glow
        )
    steps = dice.whole(6, 10)
    y1 = top + ((0.34, 0.44, 0.6)[variant % 3] + dice.between(-0.04, 0.04)) * height
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


def draw_arcade(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw tiers of arches from the front: dark, barred, lit, or with a lamp in them."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    stone = (mid, pale, deep)[variant % 3]
    pen.fill(box(*window), stone)
    tiers = (3, 2, 4)[variant % 3]
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


def draw_garden(pen: Pen, dice: Dice, variant: int, tones: Tones, window: Window) -> None:
    """Draw a winding path between overlapping rows of hedges."""
    ink, deep, mid, pale, glow = tones
    left, top, right, bottom = window
    day = variant % 2 == 0
    pen.fill(box(*window), pale if day else ink)
    mx, my = dice.between(left + 8, right - 8), dice.between(top + 7, top + 16)
    pen.glow(mx, my, 18, glow, 0.5)
    pen.fill(ellipse(mx, my, dice.between(4, 8)), glow)
    order = [deep, pale, mid, ink] if day else [mid, deep, pale, ink]
    hedges = _hedge_crests(dice, window)
    path_x = dice.between(left + 16, right - 16)
    for k, crest in enumerate(hedges):
        near = k / (len(hedges) - 1)
        edge = [(left + 1.5 * n, crest(left + 1.5 * n)) for n in range(int((right - left) / 1.5) + 2)]
        tone = order[k % 3] if k % 4 != 3 else order[3]
        pen.fill([(left, bottom), *edge, (right, bottom)], tone)
        pen.line(edge, ink if tone != ink else pale, 0.5)
        next_x = min(right - 9, max(left + 9, path_x + dice.between(-17, 17)))
        foot = hedges[k + 1](next_x) + 1.5 if k + 1 < len(hedges) else bottom + 2
        top_y, width = crest(path_x), 2.2 + 9 * near
        edges = []
        for side in (-0.5, 0.5):
            here, there = (path_x + side * width, top_y), (next_x + side * width * 1.3, foot)
            turn = [(here[0], top_y + (foot - top_y) * 0.5), (there[0], top_y + (foot - top_y) * 0.5)]
            edges.append(
                curve(
                    f"M {_path_point(here)} C {_path_point(turn[0])} {_path_point(turn[1])} {_path_point(there)}", 8
                )
            )
        pen.fill([*edges[0], *reversed(edges[1])], glow)
        for verge in edges:
            pen.line(verge, ink, 0.4)
        if dice.chance(0.5):  # a tree cut to a ball or a cone
            x, r = dice.between(left + 4, right - 4), 2.5 + 4 * near
            y = crest(x) + 0.5
            ball = ellipse(x, y - r * 1.3, r, steps=24)
            pen.line([(x, y), (x, y - r)], ink, 0.9)
            pen.shape(
                ball if dice.chance(0.5) else [(x, y - 3.4 * r), (x + r, y - 0.3 * r), (x - r, y - 0.3 * r)],
                mid if tone != mid else deep,
                ink,
                0.5,
            )
        path_x = next_x


def _hedge_crests(dice: Dice, window: Window) -> list[Callable[[float], float]]:
    """Return the upper edges of hedges from far to near, each as a function from x to y, mm.

    Some are cut to battlements.
    """
    left, top, _, bottom = window
    count, lean = dice.whole(6, 9), dice.between(-0.35, 0.35)
    y = top + dice.between(14, 24)
    crests: list[Callable[[float], float]] = []
    for k in range(count):
        amp, wave, phase = dice.between(1.5, 6.5), dice.between(14, 40), dice.between(0, math.tau)
        teeth = 2.6 if dice.chance(0.4) else 0.0

        def crest(
            x: float, y: float = y, amp: float = amp, wave: float = wave, phase: float = phase, tooth: float = teeth
        ) -> float:
            ripple = amp * math.sin(math.tau * x / wave + phase)
            return y + ripple + lean * (x - left - 28) - (tooth if int((x - left) / 4.5) % 2 else 0.0)

        crests.append(crest)
        y += (bottom - y) / (count - k) * dice.between(0.75, 1.1)
    return crests


def _path_point(point: Point) -> str:
    """Return a point as written in SVG path data."""
    return f"{point[0]:.3f} {point[1]:.3f}"


def _doorway(x: float, foot: float, width: float, height: float, pointed: bool) -> list[Point]:
    """Return the outline of an arched doorway, centred on x, that stands at y = foot.

    pointed: the arch, else it is round.
    """
    half = width / 2
    spring = foot - max(height - half * (1.5 if pointed else 1.0), height * 0.3)
    if pointed:
        peak = foot - height
        top = [(x - half, spring), (x - half * 0.72, spring + (peak - spring) * 0.6), (x, peak)]
        top += [(x + half * 0.72, spring + (peak - spring) * 0.6), (x + half, spring)]
    else:
        top = arc(x, spring, half, spring - (foot - height), 180, 360, 14)
    return [(x - half, foot), *top, (x + half, foot)]
