"""Leaded windows behind the oracles: a rose for each great one, a broken mosaic for each small one."""

from __future__ import annotations

import itertools
import math

from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, Point, Window, arc, box, clip, cut_half_plane, ellipse, mix
from calibration.games.wicked.art.palette import MOODS


def draw_rose(pen: Pen, number: int, dice: Dice, window: Window) -> None:
    """Draw a rose window; the card's number selects its palette and its number of petals, the dice the rest."""
    left, top, right, bottom = window
    ink, deep, mid, pale, glow = MOODS[(number * 3 + 1) % len(MOODS)]
    glass = pen.within(window)
    glass.fill(box(*window), deep)
    cx, cy = (left + right) / 2 + dice.between(-9, 9), dice.between(top + 20, bottom - 26)
    count = 5 + number % 8
    turn = dice.between(0, 360)
    tones = (ink, deep, mid, pale, glow)
    radii = [dice.between(4, 8)]
    while radii[-1] < 78:
        radii.append(radii[-1] + dice.between(6.5, 13))
    for r0, r1 in itertools.pairwise(radii):
        panes = count * (1 if r0 < 22 else 2)
        shift = turn + dice.pick((0.0, 180.0 / panes))
        base = dice.whole(0, 4)
        for k in range(panes):
            a0, a1 = shift + 360 * k / panes, shift + 360 * (k + 1) / panes
            tone = tones[(base + (k % 2) * 2 + (dice.whole(1, 4) if dice.chance(0.4) else 0)) % 5]
            fine = 3 if panes > 10 else 6
            pane = arc(cx, cy, r0, r0, a0, a1, fine) + arc(cx, cy, r1, r1, a1, a0, fine)
            glass.fill(pane, tone)
            glass.line([*pane[fine + 1 :], pane[0]], ink, 0.9)  # the other two leads are the neighbours'
            if r1 - r0 > 9 and panes == count:
                middle = math.radians((a0 + a1) / 2)
                r = (r0 + r1) / 2
                eye = ellipse(cx + r * math.cos(middle), cy + r * math.sin(middle), (r1 - r0) * 0.26, steps=22)
                glass.shape(eye, glow if tone in (ink, deep, mid) else deep, ink, 0.7)
    glass.shape(ellipse(cx, cy, radii[0]), glow, ink, 1.0)
    for k in range(count):
        a = math.radians(turn + 360 * k / count)
        glass.line([(cx, cy), (cx + radii[0] * math.cos(a), cy + radii[0] * math.sin(a))], ink, 0.5)


def draw_mosaic(pen: Pen, number: int, dice: Dice, window: Window) -> None:
    """Draw a window of broken panes, leaded in ink; the card's number selects its palette, the dice the rest."""
    left, top, right, bottom = window
    ink, deep, mid, pale, glow = MOODS[(number * 5 + 2) % len(MOODS)]
    glass = pen.within(window)
    seeds: list[Point] = []
    columns, rows = dice.whole(4, 5), dice.whole(5, 7)
    for i in range(columns):
        for j in range(rows):
            seeds.append(
                (
                    left + (right - left) * (i + 0.5 + dice.between(-0.42, 0.42)) / columns,
                    top + (bottom - top) * (j + 0.5 + dice.between(-0.42, 0.42)) / rows,
                )
            )
    for x, y in seeds:
        pane = list(box(*window))
        for u, v in seeds:
            normal = (x - u, y - v)
            if normal != (0.0, 0.0):
                pane = cut_half_plane(pane, normal, (x * x + y * y - u * u - v * v) / 2)
        pane = clip(pane, window)
        if len(pane) >= 3:
            tone = mix(dice.pick((ink, deep, mid, pale, glow)), mid, 0.12)
            glass.fill(pane, tone)
            mx, my = sum(p[0] for p in pane) / len(pane), sum(p[1] for p in pane) / len(pane)
            inner = [(mx + (px - mx) * 0.66, my + (py - my) * 0.66) for px, py in pane]
            glass.fill(inner, mix(tone, glow, 0.12))
            glass.line(pane, ink, 1.1, closed=True)
