"""Hands in a picture: which pixels, whose by seat, where the palm is, open or closed.

The inside of this module may be replaced by a trained detector: what the rest needs is `FoundHand`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.readings import Box
from vision.reveal.foreground import Ground, Mask, deep_in, foreground, within
from vision.reveal.geometry import PALM_HEIGHT_MM, PATCH_PALM, PATCH_PX_PER_MM, PatchFrame, patch_frame

_SMALLEST_ARM_MM2 = 3500.0
_LARGEST_HOLE_MM2 = 2000.0
_BRIDGED_MM = 55.0
_SHORTEST_ARM_MM, _NARROW = 150.0, 1.5
_PALM_MM, _BITE_MM = 46.0, 15.0
_CONTACT_MM = 18.0
"""How much of the picture's border an arm crosses at least."""
_HAND_MM = 190.0
"""From the fingertips of a big hand to its wrist."""
_PALM_REACH_MM = (22.0, 130.0)
"""How far behind the innermost point of a hand the middle of its palm can be."""
_THINNED = 2
"""Every second pixel of an arm tells enough about how it lies."""
_SCALE = 1 / 3
"""Hands are found in a picture of a third of the size, where a finger is some 5 px wide."""


@dataclass(frozen=True, slots=True)
class FoundHand:
    """One hand: its seat, where its palm lies, and its mask in the level patch around the palm."""

    seat: int
    frame: PatchFrame
    mask: Mask
    box: Box


def find_hands(image: Image, ground: Ground, plane: TablePlane, seats: int) -> tuple[FoundHand, ...]:
    """Find at most one hand a seat: what came in over the picture's border and was not there before.

    image: BGR of the calibrated size; ground: of the table without hands, `shrunk`.
    Seats are numbered as in design.md.
    """
    mask = cv2.morphologyEx(
        foreground(shrunk(image), ground),
        cv2.MORPH_OPEN,
        cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)),
    )
    mask = _without_holes(
        np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)), np.uint8), plane
    )
    best: dict[int, tuple[float, FoundHand]] = {}
    for arm in _arms(mask, plane):
        found = _hand_of(arm, plane, seats)
        if found is not None and (found[1].seat not in best or best[found[1].seat][0] > found[0]):
            best[found[1].seat] = found
    return tuple(best[seat][1] for seat in sorted(best))


def shrunk(image: Image) -> Image:
    """Give the small picture in which hands are found."""
    height, width = image.shape[:2]
    # By whole halves first: averaging over thirds of pixels takes five times as long.
    half = cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
    size = (round(width * _SCALE), round(height * _SCALE))
    return np.asarray(cv2.resize(half, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def _without_holes(mask: Mask, plane: TablePlane) -> Mask:
    """Fill holes up to a handful of pieces: black ones look like a shadow on the table."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(255 - mask, connectivity=4)
    small = stats[:count, cv2.CC_STAT_AREA] < _LARGEST_HOLE_MM2 * _px_per_mm(plane) ** 2
    filled = mask.copy()
    filled[small[labels]] = 255
    return filled


def _whole(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Turn pixels of the small picture into pixels of the whole one."""
    return (points + 0.5) / _SCALE - 0.5


def _px_per_mm(plane: TablePlane) -> float:
    at = np.asarray(plane.to_image(np.array([[-50.0, 0.0], [50.0, 0.0]]), height_mm=PALM_HEIGHT_MM))
    return float(np.hypot(*(at[1] - at[0]))) / 100.0 * _SCALE


def _arms(mask: Mask, plane: TablePlane) -> Iterator[tuple[Mask, tuple[float, float]]]:
    """Cut the foreground into arms: each its mask and where it crosses the picture's border, in mask pixels.

    A forearm as brown as the table may be missing between sleeve and hand: parts that are close belong together.
    """
    scale = _px_per_mm(plane)
    grown = within(mask, _BRIDGED_MM / 2 * scale).astype(np.uint8) * 255
    count, labels = cv2.connectedComponents(grown, connectivity=8)
    areas = np.bincount(labels[mask > 0], minlength=count)
    for label in range(1, count):
        if areas[label] < _SMALLEST_ARM_MM2 * scale**2:
            continue
        whole = np.where(labels == label, mask, 0).astype(np.uint8)
        contacts = _contacts(whole, _CONTACT_MM * scale)
        if len(contacts) == 1:
            yield whole, contacts[0]
        elif not contacts and (end := _outer_end(whole, plane)) is not None:
            yield whole, end
        elif contacts:
            yield from _split(np.where(labels == label, grown, 0).astype(np.uint8), whole, contacts)


def _outer_end(component: Mask, plane: TablePlane) -> tuple[float, float] | None:
    """The end that points away from the table's middle, for an arm whose sleeve cannot be told from the table.

    None for what is not long and narrow and pointing at the middle: cards and boards.
    """
    ys, xs = np.nonzero(component)
    at = plane.to_table(_whole(np.stack([xs, ys], axis=1).astype(np.float64)), PALM_HEIGHT_MM)
    middle = at.mean(axis=0)
    outward = _unit(middle)
    along, across = (at - middle) @ outward, (at - middle) @ np.array([-outward[1], outward[0]])
    length = float(np.quantile(along, 0.99) - np.quantile(along, 0.01))
    width = float(np.quantile(across, 0.99) - np.quantile(across, 0.01))
    if length < _SHORTEST_ARM_MM or width > length / _NARROW:
        return None
    end = along >= np.quantile(along, 0.99)
    return float(xs[end].mean()), float(ys[end].mean())


def _contacts(component: Mask, shortest: float) -> list[tuple[float, float]]:
    """Middles of the stretches along the picture's border that a component covers."""
    ring = np.zeros_like(component)
    ring[:2], ring[-2:], ring[:, :2], ring[:, -2:] = 1, 1, 1, 1
    reach = np.asarray(cv2.dilate(component * ring, np.ones((5, 5), np.uint8)), np.uint8)
    touched = reach * ring
    count, _, stats, centres = cv2.connectedComponentsWithStats(touched, connectivity=8)
    lengths = np.maximum(stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT])
    return [(float(centres[k][0]), float(centres[k][1])) for k in range(1, count) if lengths[k] >= shortest]


def _split(
    grown: Mask, whole: Mask, contacts: list[tuple[float, float]]
) -> Iterator[tuple[Mask, tuple[float, float]]]:
    """Share what several arms touch among them: each pixel goes to the arm that reaches it first."""
    markers = np.where(grown > 0, 0, len(contacts) + 1).astype(np.int32)
    for k, (x, y) in enumerate(contacts):
        cv2.circle(markers, (round(x), round(y)), 3, k + 1, -1)
    cv2.watershed(np.zeros((*grown.shape, 3), np.uint8), markers)
    for k, contact in enumerate(contacts):
        yield np.where(markers == k + 1, whole, 0).astype(np.uint8), contact


def _hand_of(
    arm: tuple[Mask, tuple[float, float]], plane: TablePlane, seats: int
) -> tuple[float, FoundHand] | None:
    """The hand at the inner end of an arm and how far off its seat's direction it lies, in degrees."""
    mask, contact = arm
    ys, xs = np.nonzero(mask)
    ys, xs = ys[::_THINNED], xs[::_THINNED]
    if len(xs) < 100:
        return None
    px = _whole(np.stack([xs, ys], axis=1).astype(np.float64))
    at = plane.to_table(px, PALM_HEIGHT_MM)
    root = plane.to_table(_whole(np.array([contact])), PALM_HEIGHT_MM)[0]
    axis = _unit(at.mean(axis=0) - root)
    along = (at - root) @ axis
    tip = float(np.quantile(along, 0.998))
    hand = tip - along < _HAND_MM
    inner = at[hand]
    axis = _unit(inner.mean(axis=0) - root)
    along = (at - root) @ axis
    tip = float(np.quantile(along, 0.998))
    thickness = cv2.distanceTransform(mask, cv2.DIST_L2, 3)[ys, xs]
    reach = tip - along
    possible = (reach > _PALM_REACH_MM[0]) & (reach < _PALM_REACH_MM[1])
    if not possible.any():
        return None
    widest = thickness[possible].max()
    core = possible & (thickness > 0.9 * widest)
    palm = np.average(at[core], axis=0, weights=thickness[core])
    behind = (reach > tip - (palm - root) @ axis + 45) & (reach < tip - (palm - root) @ axis + 110)
    wrist = at[behind].mean(axis=0) if behind.sum() > 20 else root
    fingers = _unit(palm - wrist)
    seat, off = _seat_of(palm, fingers, seats)
    angle = math.degrees(math.atan2(fingers[0], fingers[1]))
    frame = patch_frame(plane, (float(palm[0]), float(palm[1])), angle)
    patch = frame.picture(mask, scale=_SCALE)
    hand = reach < _HAND_MM
    left, top = px[hand].min(axis=0)
    right, bottom = px[hand].max(axis=0)
    box = (float(left), float(top), float(right - left), float(bottom - top))
    return off, FoundHand(seat, frame, _healed(patch), box)


def _healed(patch: Mask) -> Mask:
    """Close bites that dark pieces on the palm's rim have torn, in the palm only: gaps of fingers stay open."""
    mask = (patch > 127).astype(np.uint8) * 255
    palm = np.zeros_like(mask)
    centre = (round(PATCH_PALM[0]), round(PATCH_PALM[1]))
    cv2.circle(palm, centre, round(_PALM_MM * PATCH_PX_PER_MM), 255, -1)
    radius = _BITE_MM * PATCH_PX_PER_MM
    # Room around the patch, or its own edge would count as an edge of the hand.
    room = round(radius) + 2
    grown = within(np.pad(mask, room, mode="edge"), radius)
    closed = deep_in(grown.astype(np.uint8), radius)[room:-room, room:-room]
    mask[closed & (palm > 0)] = 255
    return mask


def _seat_of(palm: NDArray[np.float64], fingers: NDArray[np.float64], seats: int) -> tuple[int, float]:
    """The seat in whose sector a palm lies; the arm's direction counts where the palm is near the middle."""
    toward = _unit(palm / 200.0 - 0.5 * fingers)
    angle = math.degrees(math.atan2(-toward[0], -toward[1])) % 360.0
    step = 360.0 / seats
    seat = round(angle / step) % seats
    off = abs((angle - seat * step + 180.0) % 360.0 - 180.0)
    return seat, off


def _unit(vector: NDArray[np.float64]) -> NDArray[np.float64]:
    return vector / max(float(np.hypot(*vector)), 1e-9)
