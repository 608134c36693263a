"""Draws readings over camera pictures, as JPEG for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from calibration.games import kits
from vision.cameras.frame import Image
from vision.readings import CardsReading, HandReading, HandsReading

_GOLD = (92, 164, 201)
"""Colour of what needs no confirmation, BGR."""
_VELLUM = (214, 230, 239)
"""Colour of letters and of boxes of pieces, BGR."""
_INK = (26, 18, 20)
"""Colour behind letters and beyond a picture's edge, BGR."""
_DOUBT = (80, 120, 240)
"""Colour of what needs confirmation or is not known, BGR."""
_MIN_STRIP_SQUARES = 4
"""Minimum number of squares in the strip of enlarged hands, so that one hand alone is not enlarged too much."""
_MIN_HALF_SIDE = 0.04
"""Minimum half side of the square round a hand that is enlarged, share of the picture's width."""


def draw_cards(drawn: Image, cards: CardsReading) -> None:
    """Draw the outlines and ids of cards into the picture `drawn`, which is changed."""
    for card in cards.cards:
        corners = np.array(card.corners, np.int32)
        cv2.polylines(drawn, [corners], True, _DOUBT if card.state == "unknown" else _GOLD, 2, cv2.LINE_AA)
        name = "?" if card.state == "unknown" else card.card
        if name is not None:
            _draw_label(drawn, name, int(corners[:, 0].min()), int(corners[:, 1].min()) - 4, 0.5)


def annotated_picture(
    image: Image,
    hands: HandsReading | None,
    at_rest: Any,
    draw_at_rest: Callable[[Image, Any], None] = draw_cards,
) -> Image:
    """Return a copy of the picture with the readings drawn over it: hands, counts, and things at rest.

    hands, at_rest: the readings; None draws nothing. draw_at_rest: draws `at_rest` into a picture.
    """
    drawn = image.copy()
    if at_rest is not None:
        draw_at_rest(drawn, at_rest)
    for hand in hands.hands if hands else ():
        x, y, w, h = (round(value) for value in hand.box)
        colour = _DOUBT if hand.doubtful else _GOLD
        cv2.rectangle(drawn, (x, y), (x + w, y + h), colour, 2, cv2.LINE_AA)
        for piece in hand.pieces:
            px, py, pw, ph = (round(value) for value in piece.box)
            cv2.rectangle(drawn, (px, py), (px + pw, py + ph), _VELLUM, 1, cv2.LINE_AA)
        _draw_label(drawn, _hand_text(hand), x, y - 6, 1.6)
    return drawn


def evidence_picture(
    image: Image,
    hands: HandsReading | None,
    at_rest: Any,
    draw_at_rest: Callable[[Image, Any], None] = draw_cards,
) -> Image:
    """Return a copy of the picture with the readings drawn over it, and a strip of enlarged open hands below it.

    The pieces in the strip are large enough for a person to count them later. Parameters as in `annotated_picture`.
    """
    whole = annotated_picture(image, hands, at_rest, draw_at_rest)
    read = hands.hands if hands else ()
    opened = sorted((hand for hand in read if hand.state == "open"), key=lambda hand: hand.seat)
    if not opened:
        return whole
    side = whole.shape[1] // max(_MIN_STRIP_SQUARES, len(opened))
    strip = np.full((side, whole.shape[1], 3), _INK, np.uint8)
    for place, hand in enumerate(opened):
        strip[:, place * side : (place + 1) * side] = _enlarged_hand(image, hand, side)
    return np.vstack([whole, strip])


def hand_pictures(image: Image, hands: HandsReading, side: int = 360) -> dict[int, bytes]:
    """Return an enlarged JPEG of every open hand, by seat. side: of the square picture, px."""
    return {
        hand.seat: jpeg(_enlarged_hand(image, hand, side), side) for hand in hands.hands if hand.state == "open"
    }


def _enlarged_hand(image: Image, hand: HandReading, side: int) -> Image:
    """Return the square round a hand's pieces (round the hand if none were read), scaled to `side` px."""
    boxes = np.array([piece.box for piece in hand.pieces] or [hand.box])
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    half_side = max(float((high - low).max()) * 0.7, image.shape[1] * _MIN_HALF_SIDE)
    scale = side / (2.0 * half_side)
    left, top = (low + high) / 2.0 - half_side
    matrix = np.array([[scale, 0.0, -left * scale], [0.0, scale, -top * scale]])
    cut = np.asarray(cv2.warpAffine(image, matrix, (side, side), flags=cv2.INTER_CUBIC, borderValue=_INK), np.uint8)
    for piece in hand.pieces:
        x, y, w, h = piece.box
        near = (round((x - left) * scale), round((y - top) * scale))
        far = (round((x + w - left) * scale), round((y + h - top) * scale))
        cv2.rectangle(cut, near, far, _VELLUM, 1, cv2.LINE_AA)
    cv2.rectangle(cut, (0, 0), (side - 1, side - 1), _DOUBT if hand.doubtful else _GOLD, 2)
    _draw_label(cut, _hand_text(hand), 8, side - 12, 0.9)
    return cut


def jpeg(image: Image, width: int = 1280, quality: int = 80) -> bytes:
    """Return a picture as JPEG, scaled down to at most `width` px. quality: 0..100."""
    if image.shape[1] > width:
        height = round(image.shape[0] * width / image.shape[1])
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data)


def _hand_text(hand: HandReading) -> str:
    """Return a hand's label: number of plain pieces and names of printed ones ("3? +star"), or "closed"."""
    if hand.state == "closed":
        return "closed"
    held = [kind for kind, count in hand.counts.items() if count]
    printed = [kind for kind in held if any(kit.is_printed(kind) for kit in kits())]
    plain = sum(hand.counts[kind] for kind in held if kind not in printed)
    prints = (f"+{kind.partition(':')[2] or kind}" for kind in sorted(printed, reverse=True))
    return " ".join([str(plain) + ("?" if hand.doubtful else ""), *prints])


def _draw_label(drawn: Image, text: str, x: int, y: int, scale: float) -> None:
    """Draw text on a dark background into a picture, its lower left corner near (x, y), px. scale: of the font."""
    thickness = 3 if scale >= 0.8 else 1
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    x = max(2, min(x, drawn.shape[1] - width - 6))
    y = max(height + 6, min(y, drawn.shape[0] - below - 4))
    cv2.rectangle(drawn, (x - 4, y - height - 5), (x + width + 4, y + below + 2), _INK, -1)
    cv2.putText(drawn, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, _VELLUM, thickness, cv2.LINE_AA)
