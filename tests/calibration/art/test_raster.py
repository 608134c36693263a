"""Pixels come out in OpenCV's order, with straight alpha, at the asked scale."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from calibration.drawing.svg_pen import Pen, box, clip, ellipse
from calibration.games.wicked.art import rasterise, token_face


def test_pixels_are_bgra_at_the_asked_scale() -> None:
    pen = Pen.new()
    pen.fill(box(0, 0, 10, 5), "#ff8000")
    drawn = rasterise(pen.svg(0, 0, 20, 5), 3.0)
    assert drawn.shape == (15, 60, 4)
    assert drawn[7, 10].tolist() == [0, 128, 255, 255]
    assert drawn[7, 50, 3] == 0


def test_a_half_covered_edge_keeps_its_full_colour() -> None:
    pen = Pen.new()
    pen.fill(ellipse(5, 5, 4), "#ff8000")
    drawn = rasterise(pen.svg(0, 0, 10, 10), 7.0)
    soft = drawn[(drawn[..., 3] > 60) & (drawn[..., 3] < 200)]
    assert len(soft) > 20
    assert abs(soft[:, :3].astype(int) - [0, 128, 255]).max() <= 6


def test_a_polygon_is_cut_to_its_window() -> None:
    cut = clip(box(-5, -5, 5, 5), (0, 0, 20, 20))
    assert sorted(cut) == [(0, 0), (0, 5), (5, 0), (5, 5)]
    assert clip(box(30, 30, 40, 40), (0, 0, 20, 20)) == []


def test_threads_may_draw_at_once() -> None:
    faces = [token_face(colour) for colour in ("red", "green", "blue", "yellow")] * 6
    alone = [rasterise(face, 4.0) for face in faces]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(lambda face: rasterise(face, 4.0), faces))
    assert all(np.array_equal(a, b) for a, b in zip(alone, together, strict=True))
