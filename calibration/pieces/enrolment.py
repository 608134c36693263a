"""Enrol a kind of piece from pictures of some specimens in the middle of the table."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera.sheet import in_sight
from calibration.empty_table import Polygon
from calibration.errors import EnrolError
from calibration.files.crash_safe_files import digest
from calibration.light.grey_picture_check import refuse_grey, saturation
from calibration.light.light_field import Lab, LightField, table_light
from calibration.pieces.appearance import distance_to_kind
from calibration.pieces.foreground import EmptyTable, matched
from calibration.pieces.hand_marked_segmentation import Box, Spot, find_at_points, find_in_boxes
from calibration.pieces.plain_ground import has_plain_ground, middle_scale
from calibration.pieces.samples import CROP_PX, CROP_PX_PER_MM, PieceSamples, Specimen
from calibration.pieces.segmentation import (
    MIDDLE,
    PX_PER_MM,
    SegmentedObject,
    Survey,
    covering_circles,
    object_of_mask,
    survey,
)
from calibration.pieces.touching_pieces import filled_hull
from calibration.plane import Image, Region, TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say

_SHADOW_MARGIN_MM = 16.0
"""Margin round specimens that is excluded from the empty table on a plain ground, mm: shadows fall there."""
_TIGHT_MARGIN_MM = 4.0
"""The same margin on a patterned ground, mm: narrow, since shadows are detected there."""
_MAX_COLOUR_DISTANCE = 30.0
"""Largest CIELAB distance between specimens of one kind in one picture."""
_MIN_AREA_SHARE = 0.4
"""Smallest area of a specimen, as a fraction of the median."""
_MAX_AREA_SHARE = 2.2
"""Largest area of a specimen, as a fraction of the median."""
_MAX_DISTANCE_TO_OTHER = 1.25
"""Distance (see `distance_to_kind`) below which specimens are taken for another enrolled kind."""
_MAX_DISTANCE_TO_OWN = 4.0
"""Distance above which specimens are not of the kind that they are enrolled as."""


def enrol(
    profile: TableProfile, kind: str, images: Sequence[Image], *, replace: bool = False, force: bool = False
) -> TableProfile:
    """Return the profile with specimens of a kind that are found in the middle of BGR pictures.

    New specimens are added to those of an enrolled kind: pictures in other light make it more robust. Specimens
    from a picture that is used again replace the earlier ones from it. replace: drop all older specimens of the
    kind. force: enrol specimens that resemble another kind, too. The profile's pictures of the empty table are
    updated from the same pictures. Raises EnrolError for an unknown kind, a picture without specimens or with those
    of another kind, ProfileError for a picture that differs in size from the calibration's, or a profile that is
    not calibrated.
    """
    for number, image in enumerate(images, start=1):
        plane = _checked_plane(profile, kind, image)
        seen = survey(image, plane, _empty_middle(profile, plane, image))
        finds = _objects_of_kind(profile, kind, image, plane, seen)
        if not finds:
            which = say("picture {number}", number=number) if len(images) > 1 else say("the picture")
            raise EnrolError(
                say(
                    "No pieces found near the middle of {which}: lay some of one kind, apart from each "
                    "other, where the calibration sheet lay, and take your hands away. If they lie there, their "
                    "colours are too near to the table's: lay plain paper of another colour under them.",
                    which=which,
                )
            )
        profile = profile.with_view(image, _covered_outlines(plane, seen, finds))
        more = _specimens(image, plane, _light_in_picture(profile, image), finds)
        profile = _with_specimens(profile, kind, more, replace and number == 1, force)
    return profile


def with_empty_table(profile: TableProfile, image: Image) -> TableProfile:
    """Return the profile with one more BGR picture of the bare table, taken after calibration without the sheet.

    Raises EnrolError before calibration and for a picture with the sheet in it, ProfileError for another size.
    """
    if profile.plane is None:
        raise EnrolError(say("This table is not calibrated yet: run `companion calibrate` first."))
    profile.plane.fitting(image)
    if in_sight(image):
        raise EnrolError(say("The calibration sheet is still on the table: remove it and take the picture again."))
    return profile.with_view(image, ())


def count_objects_near_middle(profile: TableProfile, image: Image) -> int:
    """Return the number of loose objects, as large as pieces, near the middle of a BGR picture.

    They may be of any kind: objects are what differs from the table in the profile's pictures, those of the
    calibration included. 0 before calibration.
    """
    if profile.plane is None:
        return 0
    return len(survey(image, profile.plane, _empty_middle(profile, profile.plane, image)).finds)


def specimens_in(profile: TableProfile, kind: str, image: Image) -> tuple[SegmentedObject, ...]:
    """Return the segmented pieces near the middle of a BGR picture, all taken for this kind; raises as `enrol`."""
    plane = _checked_plane(profile, kind, image)
    return _objects_of_kind(profile, kind, image, plane, survey(image, plane, _empty_middle(profile, plane, image)))


def _objects_of_kind(
    profile: TableProfile, kind: str, image: Image, plane: TablePlane, seen: Survey
) -> tuple[SegmentedObject, ...]:
    """Return the objects of a survey without outliers; for a pale kind, their masks are filled to convex hulls."""
    finds = _without_outliers(image, plane, seen.finds)
    return tuple(map(_with_filled_mask, finds)) if profile.kit.is_pale(kind) else finds


def _with_filled_mask(find: SegmentedObject) -> SegmentedObject:
    """Return an object whose mask is filled to its convex hull."""
    return object_of_mask(filled_hull(find.mask), find.region, 0.0, np.inf) or find


def resembled_kind(profile: TableProfile, kind: str, image: Image, finds: Sequence[SegmentedObject]) -> str | None:
    """Return the other enrolled kind that segmented pieces resemble much more than `kind`; None without one.

    finds: from `specimens_in`. `enrol_objects` rejects such pieces unless a person confirms their kind (force).
    """
    others = {other: samples for other, samples in profile.pieces.items() if other != kind}
    if not finds or not others:
        return None
    more = _specimens(image, _checked_plane(profile, kind, image), _light_in_picture(profile, image), finds)
    known = profile.pieces.get(kind)
    return _nearest_other_kind(more, None if known is None else distance_to_kind(more, known), others)


def enrol_objects(
    profile: TableProfile,
    kind: str,
    image: Image,
    finds: Sequence[SegmentedObject],
    *,
    others: Sequence[SegmentedObject] = (),
    replace: bool = False,
    force: bool = False,
) -> TableProfile:
    """Return the profile with segmented pieces of a BGR picture added as samples of a kind.

    finds: from `specimens_in`. others: pieces of other kinds in the same picture, which cover the table, too.
    replace, force: as in `enrol`.
    """
    plane = _checked_plane(profile, kind, image)
    seen = survey(image, plane, _empty_middle(profile, plane, image))
    profile = profile.with_view(image, _covered_outlines(plane, seen, [*finds, *others]))
    return _with_specimens(
        profile, kind, _specimens(image, plane, _light_in_picture(profile, image), finds), replace, force
    )


def _covered_outlines(plane: TablePlane, seen: Survey, objects: Sequence[SegmentedObject]) -> list[Polygon]:
    """Return circles, px, round all that covers the table: these objects, and the rest of the survey."""
    margin = _TIGHT_MARGIN_MM if seen.patterned else _SHADOW_MARGIN_MM
    return covering_circles([*objects, *seen.rest], plane, margin)


def enrol_marked(
    profile: TableProfile,
    kind: str,
    image: Image,
    *,
    boxes: Sequence[Box] = (),
    spots: Sequence[Spot] = (),
    replace: bool = False,
    force: bool = False,
) -> TableProfile:
    """Return the profile with a kind enrolled from pieces that a person marked in a BGR picture, wherever they lie.

    boxes: closely round each piece; spots: a point on each, px. For pieces on a patterned table, where `enrol`
    cannot segment them. The picture is not used as one of the empty table. replace, force, errors: as in `enrol`.
    """
    plane = _checked_plane(profile, kind, image)
    table = empty_table_of(profile, image)
    finds = find_in_boxes(image, plane, boxes, table) if boxes else ()
    pointed = find_at_points(image, plane, spots, table) if spots else ()
    finds = (*finds, *pointed)
    if not finds:
        raise EnrolError(say("No piece is marked: mark at least one with a box or a point."))
    if profile.table_light is None:
        profile = dataclasses.replace(profile, table_light=table_light(image))
    learned = _with_specimens(
        profile, kind, _specimens(image, plane, _light_on_board(profile, image), finds), replace, force
    )
    marks = [*boxes, *(_bounding_box(find, plane) for find in pointed)]
    if has_plain_ground(image, middle_scale(plane), marks):
        return learned
    return dataclasses.replace(learned, on_pattern=learned.on_pattern | {kind})


def _bounding_box(find: SegmentedObject, plane: TablePlane) -> Box:
    """Return the box round an object in the picture, px."""
    rows, columns = np.nonzero(find.mask)
    spots = plane.to_image(find.region.to_mm(np.stack([columns, rows], axis=1), PX_PER_MM))
    (left, top), (right, bottom) = spots.min(axis=0), spots.max(axis=0)
    return float(left), float(top), float(right - left + 1), float(bottom - top + 1)


def _checked_plane(profile: TableProfile, kind: str, image: Image) -> TablePlane:
    """Return the profile's plane for a picture of its size.

    Raises as `enrol` does where kind, profile or picture cannot be used.
    """
    if kind not in profile.kit.kinds:
        kinds = ", ".join(profile.kit.kinds)
        raise EnrolError(say("There is no kind “{kind}”: it is one of {value}.", kind=kind, value=kinds))
    if profile.plane is None:
        raise EnrolError(say("This table is not calibrated yet: run `companion calibrate` first."))
    plane = profile.plane.fitting(image)
    refuse_grey(image, None if profile.background is None else saturation(profile.background))
    if in_sight(image):
        raise EnrolError(say("The calibration sheet is still on the table: remove it and take the picture again."))
    return plane


def _with_specimens(
    profile: TableProfile, kind: str, more: Sequence[Specimen], replace: bool, force: bool
) -> TableProfile:
    """Return the profile with more specimens of a kind. Raises EnrolError as `enrol` does."""
    known = None if replace else profile.pieces.get(kind)
    samples = PieceSamples(()) if known is None else known
    if not force:
        # A picture used again is compared with the samples of the others.
        shown = {specimen.source for specimen in more}
        before = PieceSamples(tuple(specimen for specimen in samples.specimens if specimen.source not in shown))
        _check_kind(kind, more, before, {k: v for k, v in profile.pieces.items() if k != kind})
    on_pattern = profile.on_pattern - {kind} if replace else profile.on_pattern
    learned = profile.with_pieces(kind, samples.with_more(more))
    return dataclasses.replace(learned, on_pattern=on_pattern)


def _check_kind(
    kind: str, more: Sequence[Specimen], known: PieceSamples, others: Mapping[str, PieceSamples]
) -> None:
    """Raise EnrolError for specimens that resemble another kind, differ from earlier ones or from each other.

    known: earlier specimens of the kind; others: the other enrolled kinds.
    """
    if len(more) == 2 and distance_to_kind(more[:1], PieceSamples(tuple(more[1:]))) > _MAX_DISTANCE_TO_OWN:
        raise EnrolError(
            say(
                "The two objects in the middle do not look alike: lay pieces of one kind there and nothing else "
                "(or enrol them anyway with --force)."
            )
        )
    own = distance_to_kind(more, known) if known.specimens else None
    nearest = _nearest_other_kind(more, own, others)
    if nearest is not None:
        raise EnrolError(
            say(
                "The pieces look like {nearest}, which is already enrolled, not like {kind}: show {kind} (or enrol "
                "them as {kind} anyway with --force).",
                nearest=nearest,
                kind=kind,
            )
        )
    if own is not None and own > _MAX_DISTANCE_TO_OWN:
        raise EnrolError(
            say(
                "The pieces do not look like the {kind} enrolled before: show {kind}, or replace the earlier "
                "samples with --replace (or add these with --force).",
                kind=kind,
            )
        )


def _nearest_other_kind(
    more: Sequence[Specimen], own: float | None, others: Mapping[str, PieceSamples]
) -> str | None:
    """Return another kind that specimens resemble much more than their own; None without one.

    own: the specimens' distance from their own kind (see `distance_to_kind`); None where it is not enrolled yet,
    so that they only have to resemble the other one. others: samples by kind.
    """
    ways = {other: distance_to_kind(more, samples) for other, samples in others.items()}
    nearest = min(ways, key=lambda other: ways[other], default=None)
    if nearest is None or not (
        ways[nearest] < _MAX_DISTANCE_TO_OTHER if own is None else ways[nearest] < 0.5 * own
    ):
        return None
    return nearest


def _light_in_picture(profile: TableProfile, image: Image) -> LightField:
    """Return the correction of a picture's light and white balance to the profile's reference light."""
    return LightField.of(image, profile.table_light or table_light(image), balanced=True)


def _light_on_board(profile: TableProfile, image: Image) -> LightField:
    """Return the light correction for a picture that shows little of the table: the profile's own, else none."""
    background = profile.background
    if background is not None and background.shape == image.shape:
        return profile.light()
    return LightField(np.ones(image.shape[:2], np.float32))


def _specimens(
    image: Image, plane: TablePlane, light: LightField, finds: Sequence[SegmentedObject]
) -> tuple[Specimen, ...]:
    """Return the specimen of each object, with its colours under the reference light."""
    source = digest(np.ascontiguousarray(image).tobytes())[:16]
    return tuple(
        Specimen(
            _inner_colours(find, image, plane, light),
            find.size_mm,
            find.area_mm2,
            _specimen_crop(find, image, plane),
            source,
        )
        for find in finds
    )


def _inner_colours(find: SegmentedObject, image: Image, plane: TablePlane, light: LightField) -> Lab:
    """Return the CIELAB colours (n, 3) of a picture's pixels inside an object, without its blended edge."""
    mask = np.pad(find.mask.astype(np.uint8), 1)
    for rounds in (3, 2, 1, 0):
        core = cv2.erode(mask, np.ones((3, 3), np.uint8), iterations=rounds)[1:-1, 1:-1]
        if np.count_nonzero(core) >= 0.35 * np.count_nonzero(mask) or rounds == 0:
            break
    rows, columns = np.nonzero(core)
    spots = find.region.to_mm(np.stack([columns, rows], axis=1), PX_PER_MM)
    limits = np.array(image.shape[1::-1]) - 1
    pixels = np.unique(np.clip(np.round(plane.to_image(spots)), 0, limits).astype(np.int64), axis=0)
    left, top = pixels.min(axis=0)
    right, bottom = pixels.max(axis=0) + 1
    lab = light.normalise(image[top:bottom, left:right], left=int(left), top=int(top))
    return np.asarray(lab[pixels[:, 1] - top, pixels[:, 0] - left], np.float32)


def _specimen_crop(find: SegmentedObject, image: Image, plane: TablePlane) -> NDArray[np.uint8]:
    """Return the top view round an object, BGR and its mask as the fourth channel, see `Specimen.crop`."""
    (x, y), half = find.centre_mm, CROP_PX / CROP_PX_PER_MM / 2
    around = Region(x - half, y - half, x + half, y + half)
    colours = plane.rectify(image, CROP_PX_PER_MM, around)
    left, top = around.to_pixels((find.region.left, find.region.top), CROP_PX_PER_MM)
    scale = CROP_PX_PER_MM / PX_PER_MM
    place = np.array([[scale, 0, left], [0, scale, top]])
    mask = cv2.warpAffine(find.mask.astype(np.uint8) * 255, place, (CROP_PX, CROP_PX), flags=cv2.INTER_NEAREST)
    return np.asarray(np.dstack([colours, mask]), np.uint8)


def empty_table_of(profile: TableProfile, image: Image) -> EmptyTable | None:
    """Return the profile's empty table aligned with a BGR picture and in its light; None for another size."""
    known = _stored_table(profile, image)
    return None if known is None else matched(image, known)


def _stored_table(profile: TableProfile, image: Image) -> EmptyTable | None:
    """Return the empty table as the profile's pictures show it; None if they differ in size from `image`."""
    background = profile.background
    if background is None or background.shape != image.shape:
        return None
    bare = np.zeros(image.shape[:2], bool)
    for view in profile.views:
        bare |= view.uncovered((image.shape[1], image.shape[0]))
    return EmptyTable(background, bare)


def _empty_middle(profile: TableProfile, plane: TablePlane, image: Image) -> EmptyTable | None:
    """Return the empty top view of MIDDLE from the profile's pictures; None if they differ in size from `image`."""
    table = _stored_table(profile, image)
    if table is None:
        return None
    known = plane.rectify(np.dstack([table.known.astype(np.uint8) * 255]), PX_PER_MM, MIDDLE) == 255
    return EmptyTable(plane.rectify(table.picture, PX_PER_MM, MIDDLE), known)


def _slices(find: SegmentedObject) -> tuple[slice, slice]:
    """Return the rows and columns of an object's mask in the top view of MIDDLE."""
    left, top = np.round(MIDDLE.to_pixels((find.region.left, find.region.top), PX_PER_MM)).astype(int)
    height, width = find.mask.shape
    return slice(top, top + height), slice(left, left + width)


def _without_outliers(
    image: Image, plane: TablePlane, finds: Sequence[SegmentedObject]
) -> tuple[SegmentedObject, ...]:
    """Return the objects without outliers in colour or size; all of them where they are fewer than three."""
    if len(finds) < 3:
        return tuple(finds)
    view = plane.rectify(image, PX_PER_MM, MIDDLE)
    lab = cv2.cvtColor(view.astype(np.float32) / 255, cv2.COLOR_BGR2Lab)
    colours = np.stack([np.median(lab[_slices(find)][find.mask], axis=0) for find in finds])
    areas = np.array([find.area_mm2 for find in finds])
    away = np.linalg.norm(colours - np.median(colours, axis=0), axis=1)
    share = areas / np.median(areas)
    alike = (away < _MAX_COLOUR_DISTANCE) & (share > _MIN_AREA_SHARE) & (share < _MAX_AREA_SHARE)
    return tuple(find for find, keep in zip(finds, alike, strict=True) if keep)
