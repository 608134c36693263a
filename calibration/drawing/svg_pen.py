"""SVG writer in millimetres: filled polygons and stroked lines only, which all renderers draw alike.

MuPDF draws neither gradients nor clip paths, so curves are flattened, shapes are clipped here, and light is built
from flat tones. Coordinates: +x right, +y down, as in SVG.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Window = tuple[float, float, float, float]
"""A rectangle to clip to: left, top, right, bottom in mm."""


def ellipse(x: float, y: float, rx: float, ry: float | None = None, steps: int = 40) -> list[Point]:
    """Return the outline of an ellipse round (x, y) as a closed polygon. rx, ry: radii; a circle without ry."""
    return arc(x, y, rx, rx if ry is None else ry, 0.0, 360.0, steps)[:-1]


def arc(x: float, y: float, rx: float, ry: float, start: float, end: float, steps: int = 24) -> list[Point]:
    """Return points along an elliptic arc. start, end: degrees, 0 to the right, growing clockwise on the page."""
    angles = (math.radians(start + (end - start) * k / steps) for k in range(steps + 1))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def box(left: float, top: float, right: float, bottom: float) -> list[Point]:
    """Return a rectangle as a closed polygon."""
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> list[Point]:
    """Return a rectangle with round corners as a closed polygon."""
    points: list[Point] = []
    for cx, cy, start in (
        (left + radius, top + radius, 180.0),
        (right - radius, top + radius, 270.0),
        (right - radius, bottom - radius, 0.0),
        (left + radius, bottom - radius, 90.0),
    ):
        points += arc(cx, cy, radius, radius, start, start + 90.0, 8)
    return points


def mirrored(half: Sequence[Point]) -> list[Point]:
    """Return the closed outline that half an outline forms with its mirror image at x = 0.

    The half starts and ends on that axis.
    """
    return [*half, *((-x, y) for x, y in reversed(half[1:-1]))]


def curve(data: str, steps: int = 8) -> list[Point]:
    """Return points along an SVG path. data: its absolute M, L, Q and C commands, separated by blanks.

    steps: number of points for each Bézier curve.
    """
    points: list[Point] = []
    need = {"M": 2, "L": 2, "Q": 4, "C": 6}
    words = data.replace(",", " ").split()
    command, at = "M", 0
    while at < len(words):
        if words[at] in need:
            command, at = words[at], at + 1
        values = [float(word) for word in words[at : at + need[command]]]
        at += need[command]
        pairs = list(zip(values[::2], values[1::2], strict=True))
        if len(pairs) == 1:
            points.append(pairs[0])
        else:
            points += _bezier([points[-1], *pairs], steps)
    return points


def _bezier(control: Sequence[Point], steps: int) -> list[Point]:
    """Return points along a Bézier curve of any order, without its first point."""
    result = []
    for k in range(1, steps + 1):
        t = k / steps
        row = list(control)
        while len(row) > 1:
            row = [((1 - t) * a + t * c, (1 - t) * b + t * d) for (a, b), (c, d) in itertools.pairwise(row)]
        result.append(row[0])
    return result


def between(a: Point, b: Point, share: float) -> Point:
    """Return the point between a and b: share 0 is a, 1 is b."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def clip(points: Sequence[Point], window: Window) -> list[Point]:
    """Return a polygon clipped to a window (Sutherland-Hodgman); empty when nothing is left."""
    left, top, right, bottom = window
    result = list(points)
    xs, ys = [x for x, _ in result], [y for _, y in result]
    if left <= min(xs) and max(xs) <= right and top <= min(ys) and max(ys) <= bottom:
        return result
    if max(xs) < left or min(xs) > right or max(ys) < top or min(ys) > bottom:
        return []
    for axis, sign, limit in ((0, 1, left), (0, -1, right), (1, 1, top), (1, -1, bottom)):
        result = cut(result, axis, sign, limit)
    return result


def cut(points: Sequence[Point], axis: int, sign: int, limit: float) -> list[Point]:
    """Return the part of a polygon on one side of a limit: sign * coordinate >= sign * limit.

    axis: 0 is x, 1 is y.
    """
    normal = (float(sign), 0.0) if axis == 0 else (0.0, float(sign))
    return cut_half_plane(points, normal, sign * limit)


def cut_half_plane(points: Sequence[Point], normal: Point, offset: float) -> list[Point]:
    """Return the part of a polygon where normal · point >= offset."""
    kept: list[Point] = []
    for index, here in enumerate(points):
        before = points[index - 1]
        a = normal[0] * before[0] + normal[1] * before[1] - offset
        b = normal[0] * here[0] + normal[1] * here[1] - offset
        if (a >= 0) != (b >= 0):
            t = a / (a - b)
            kept.append((before[0] + t * (here[0] - before[0]), before[1] + t * (here[1] - before[1])))
        if b >= 0:
            kept.append(here)
    return kept


def _clip_line(points: Sequence[Point], window: Window) -> list[list[Point]]:
    """Return the pieces of a polyline that lie inside a window (Liang-Barsky)."""
    left, top, right, bottom = window
    pieces: list[list[Point]] = []
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        dx, dy, low, high = x1 - x0, y1 - y0, 0.0, 1.0
        for p, q in ((-dx, x0 - left), (dx, right - x0), (-dy, y0 - top), (dy, bottom - y0)):
            if p == 0:
                if q < 0:
                    low, high = 1.0, 0.0
            elif p < 0:
                low = max(low, q / p)
            else:
                high = min(high, q / p)
        if low > high:
            continue
        a, b = (x0 + low * dx, y0 + low * dy), (x0 + high * dx, y0 + high * dy)
        if pieces and pieces[-1][-1] == a:
            pieces[-1].append(b)
        else:
            pieces.append([a, b])
    return pieces


def mix(first: str, second: str, share: float) -> str:
    """Return a blend of two #rrggbb colours: share 0 is the first, 1 the second."""
    pairs = zip(bytes.fromhex(first[1:]), bytes.fromhex(second[1:]), strict=True)
    share = min(1.0, max(0.0, share))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


@dataclass(frozen=True)
class Pen:
    """SVG writer that collects shapes in one list, shared by all pens on the drawing.

    `placed` returns a pen with a moved, scaled and rotated frame.
    """

    marks: list[str]
    """SVG elements drawn so far, shared by all pens on the drawing."""
    x: float = 0.0
    """Origin of this pen's frame in the drawing, mm."""
    y: float = 0.0
    """Origin of this pen's frame in the drawing, mm."""
    scale: float = 1.0
    """Size in the drawing over size in this pen's frame."""
    angle: float = 0.0
    """Rotation of the frame, degrees clockwise."""
    window: Window | None = None
    """Part of the drawing outside of which nothing is drawn, mm; None for all of it."""

    @classmethod
    def new(cls) -> Pen:
        """Return a pen on an empty drawing."""
        return cls([])

    def placed(self, x: float, y: float, scale: float = 1.0, angle: float = 0.0) -> Pen:
        """Return a pen on the same drawing whose frame lies at (x, y) of this one, scaled and rotated in it.

        angle: degrees clockwise.
        """
        ((px, py),) = self._in_drawing([(x, y)])
        return Pen(self.marks, px, py, self.scale * scale, self.angle + angle, self.window)

    def within(self, window: Window) -> Pen:
        """Return a pen that draws only inside a window given in mm of the whole drawing."""
        return Pen(self.marks, self.x, self.y, self.scale, self.angle, window)

    def fill(self, points: Iterable[Point], colour: str, opacity: float = 1.0) -> None:
        """Fill a closed polygon."""
        shape = self._in_drawing(points)
        if self.window is not None:
            shape = clip(shape, self.window)
        if len(shape) >= 3:
            self.marks.append(
                f'<path d="{_path_data(shape)}Z" fill="{colour}"{_opacity_attribute("fill", opacity)}/>'
            )

    def line(
        self, points: Iterable[Point], colour: str, width: float, opacity: float = 1.0, closed: bool = False
    ) -> None:
        """Stroke a line with round ends and joints; width in mm of this pen's frame."""
        self.lines([points], colour, width, opacity, closed)

    def lines(
        self,
        lines: Iterable[Iterable[Point]],
        colour: str,
        width: float,
        opacity: float = 1.0,
        closed: bool = False,
    ) -> None:
        """Stroke several lines of one style as one SVG path, which renders much faster than single paths."""
        data = ""
        for points in lines:
            shape = self._in_drawing(points)
            if self.window is None:
                data += _path_data(shape) + ("Z" if closed else "")
            else:
                if closed:
                    shape.append(shape[0])
                data += "".join(_path_data(piece) for piece in _clip_line(shape, self.window))
        if data:
            self.marks.append(
                f'<path d="{data}" fill="none" stroke="{colour}" stroke-width="{width * self.scale:.3g}"'
                f' stroke-linecap="round" stroke-linejoin="round"{_opacity_attribute("stroke", opacity)}/>'
            )

    def shape(self, points: Iterable[Point], colour: str, edge: str, width: float) -> None:
        """Fill a closed polygon and stroke its edge."""
        outline = list(points)
        self.fill(outline, colour)
        self.line(outline, edge, width, closed=True)

    def glow(self, x: float, y: float, radius: float, colour: str, opacity: float, rings: int = 5) -> None:
        """Draw a soft round light as translucent discs on each other.

        radius: of the largest; rings: their number.
        """
        for ring in range(rings):
            self.fill(ellipse(x, y, radius * (ring + 1) / rings, steps=28), colour, opacity / rings)

    def svg(self, left: float, top: float, width: float, height: float) -> str:
        """Return the whole drawing as an SVG document whose view is this rectangle, true to scale in mm."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm" '
            f'viewBox="{left:g} {top:g} {width:g} {height:g}">\n' + "\n".join(self.marks) + "\n</svg>\n"
        )

    def _in_drawing(self, points: Iterable[Point]) -> list[Point]:
        """Return points of this pen's frame in mm of the drawing."""
        turn = math.radians(self.angle)
        c, s = self.scale * math.cos(turn), self.scale * math.sin(turn)
        return [(self.x + c * x - s * y, self.y + s * x + c * y) for x, y in points]


def _path_data(points: Sequence[Point]) -> str:
    """Return the SVG path data of a polyline."""
    return "M" + "L".join([f"{round(x, 2):g} {round(y, 2):g}" for x, y in points])


def _opacity_attribute(what: str, value: float) -> str:
    return "" if value >= 1.0 else f' {what}-opacity="{value:.3g}"'
