"""Pictures of the faces of the numbered tokens, in several prints."""

from __future__ import annotations

from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drawing.raster import rasterise
from calibration.games.master.art.tokens import TOKEN, token_face

Image = NDArray[np.uint8]

PRINTS: Final = ("standin", "plain", "ornate")
"""Prints of the tokens: the stand-in's; dark numbers on light discs; light numbers on dark discs."""
TOKEN_PX: Final = 72
"""Width and height of a token's picture, px."""


@cache
def token_picture(number: int, print_: str = "standin") -> Image:
    """Return the face of a token by its number, (`TOKEN_PX`, `TOKEN_PX`, 4) BGRA.

    print_: of `PRINTS`; raises KeyError for another.
    """
    if print_ == "standin":
        drawn = rasterise(token_face(number), TOKEN_PX / TOKEN)
        return np.asarray(cv2.resize(drawn, (TOKEN_PX, TOKEN_PX), interpolation=cv2.INTER_AREA), np.uint8)
    if print_ not in PRINTS:
        raise KeyError(print_)
    return _numbered_disc(number, ornate=print_ == "ornate")


def _numbered_disc(number: int, ornate: bool) -> Image:
    """Return the face (BGRA) of a disc with a number and a polygon that differs by number.

    ornate: print the number light on a dark disc, in a serif font, not dark on light.
    """
    px = TOKEN_PX
    rng = np.random.default_rng([number, ornate, 0x70C])
    face = np.zeros((px, px, 4), np.uint8)
    ground = tuple(float(value) for value in rng.integers(*((150, 245) if not ornate else (40, 160)), 3))
    ink = (25.0, 25.0, 30.0) if not ornate else (235.0, 240.0, 245.0)
    centre = (px * 8, px * 8)
    cv2.circle(face, centre, px * 8 - 12, (*ground, 255.0), -1, cv2.LINE_AA, 4)
    cv2.circle(face, centre, px * 8 - 44, (*ink, 255.0), 2 + 2 * ornate, cv2.LINE_AA, 4)
    colour = tuple(float(value) for value in rng.integers(20, 230, 3))
    corners = int(rng.integers(3, 8))
    turns = np.linspace(0, 2 * np.pi, corners, endpoint=False) + rng.uniform(0, 6)
    reach = px * rng.uniform(0.16, 0.24, corners)
    figure = np.c_[np.cos(turns) * reach + px / 2, np.sin(turns) * reach + px * 0.36]
    cv2.fillPoly(face, [np.asarray(figure, np.int32)], (*colour, 255.0), cv2.LINE_AA)
    cv2.polylines(face, [np.asarray(figure, np.int32)], True, (*ink, 255.0), 1, cv2.LINE_AA)
    text, font = str(number), cv2.FONT_HERSHEY_COMPLEX if ornate else cv2.FONT_HERSHEY_SIMPLEX
    (width, height), _ = cv2.getTextSize(text, font, 0.8, 2)
    at = (px // 2 - width // 2, round(px * 0.72) + height // 2)
    cv2.putText(face, text, at, font, 0.8, (*ink, 255.0), 2, cv2.LINE_AA)
    return face
