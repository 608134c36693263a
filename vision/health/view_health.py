"""Track a camera's view over time: report trouble with hysteresis, and recover from it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.light.grey_picture_check import is_grey, saturation
from calibration.plane import TablePlane
from vision.cameras.frame import Image
from vision.cameras.orientation_correction import Orientation
from vision.health.change_from_table_at_rest import Downscaled, Matrix, StillTable, TableChange, mean_displacement
from vision.health.orientation_check import correcting_turn
from vision.health.pose_recovery import Refound, recover_pose
from vision.health.stream import StreamHealth
from vision.health.trouble_classification import Limits, Trouble, find_calibration_trouble, find_trouble
from vision.health.zoom_check import zoom_factor


@dataclass(frozen=True, slots=True)
class HealthDelays:
    """Delays of the health state machine, in checked frames or seconds."""

    bad_frames: int = 3
    """Number of bad frames until a trouble is reported."""
    well: int = 4
    """Number of good frames until the trouble is over."""
    anew: float = 1.0
    """Time at rest after which the table in changed light replaces the model of the table at rest, s."""
    stays: float = 12.0
    """Time at rest after which a large object becomes part of the model, s."""
    again: float = 1.0
    """Interval between attempts to recover the camera pose, s."""
    kept: float = 2.0
    """Interval between updates of the model of the table at rest, s."""


@dataclass(frozen=True, slots=True)
class Health:
    """Health of the view at one picture."""

    trouble: Trouble | None = None
    """Trouble to report to people, None if there is none."""
    fit: bool = True
    """Whether this picture may be read."""
    anew: bool = False
    """Whether this picture, without hands, shows the changed table; it then replaces the background picture."""
    refound: Refound | None = None
    """Pose recovered after the camera was moved; readers must use it from now on."""
    unlike: bool = False
    """Whether the table has changed too much since calibration to detect whether the camera was moved."""
    turn: Orientation | None = None
    """Correction of the picture's orientation if the trouble is "turned"."""


@dataclass(frozen=True, eq=False)
class KnownPicture:
    """A picture of the table at rest, and the camera's movement from calibration to that picture."""

    image: Image
    """BGR picture."""
    since: Matrix
    """Homography from the picture of calibration to this one, 3×3 px to px."""


class ViewHealth:
    """Health of one camera's view of one table. Used by one thread at a time.

    calibrated: picture of the empty table at calibration, if there is one. plane: table plane at calibration;
    without it, a moved camera's pose is not recovered. Pictures are kept by reference.
    """

    def __init__(
        self,
        calibrated: Image | None = None,
        plane: TablePlane | None = None,
        limits: Limits | None = None,
        patience: HealthDelays | None = None,
    ) -> None:
        self._calibrated = calibrated
        self._plane = plane
        self._limits = limits or Limits()
        self._stream = StreamHealth()
        self._saturation = None if calibrated is None else saturation(calibrated)
        self._patience = patience or HealthDelays()
        self._table: StillTable | None = None
        self._since: Matrix = np.eye(3)
        self._known: KnownPicture | None = None
        self._last: Downscaled | None = None
        self._trouble: Trouble | None = None
        self._bad = self._good = 0
        self._rests_since: float | None = None
        self._tried_at = self._kept_at = float("-inf")
        self._turn: Orientation | None = None
        self._turn_sought: float | None = None
        self._zoom: float | None = None
        self._zoom_sought: float | None = None
        self.change: TableChange | None = None

    def feed(self, image: Image, at: float, *, still: bool, hands: bool) -> Health:
        """Process the next BGR picture and return the health of the view.

        at: time of capture, s. still: nothing moves in it. hands: something reaches in over the picture's edge.
        """
        now = Downscaled.of(image)
        trouble, fresh = self._stream.feed(image, now, at, still=still)
        if not fresh:
            return Health(trouble or self._trouble, fit=False)
        health = self._feed(image, now, at, still=still, hands=hands)
        return health if health.trouble is not None else replace(health, trouble=trouble)

    def _feed(self, image: Image, now: Downscaled, at: float, *, still: bool, hands: bool) -> Health:
        """Return the health after comparing a picture with the model of the table; update trouble and model.

        now: the picture downscaled. at: time of capture, s. still: nothing moves in it. hands: something reaches in
        over its edge.
        """
        last, self._last = self._last, now
        before = now if last is None or last.size != now.size else last
        if not still:
            self._rests_since = None
        elif self._rests_since is None:
            self._rests_since = at
        if self._table is None or self._table.first.size != now.size:
            return self._begin(StillTable(before, now), image, at, at_rest=still and not hands)
        self.change = change = self._table.change(now)
        total = self._since if change.movement is None else change.movement @ self._since
        moved = 0.0 if change.movement is None else mean_displacement(total, now.size)
        found = find_trouble(change, moved, self._limits, grey=is_grey(image, self._saturation))
        if found in ("lost", "covered"):
            found = "turned" if self._turned(image) else found
        else:
            self._turn = None
        if found is None:
            self._bad, self._good = 0, self._good + 1
            if self._good >= self._patience.well:
                self._trouble = None
            due = at - self._kept_at >= self._patience.kept
            # The previous picture becomes part of the model too, so it must have been good.
            if still and not hands and due and self._good > 1 and self._trouble is None and _is_sharp(change):
                self._keep(StillTable(before, now), KnownPicture(image, total), at)
            return Health(self._trouble, self._trouble is None)
        self._bad, self._good = self._bad + 1, 0
        if self._bad >= self._patience.bad_frames:
            self._trouble = found
        if self._trouble is found and self._rests_since is not None:
            return self._recover(found, StillTable(before, now), KnownPicture(image, total), at)
        return Health(self._trouble, fit=False, turn=self._reported_turn)

    @property
    def _reported_turn(self) -> Orientation | None:
        """Correction of the picture's orientation while the reported trouble is "turned", else None."""
        return self._turn if self._trouble == "turned" else None

    def _turned(self, image: Image, *, moved: bool = False) -> bool:
        """Return whether the picture is rotated or mirrored, as tested once each time that the view comes to rest.

        moved: whether the camera may also have moved slightly, which takes longer to test.
        """
        known = self._calibrated if self._known is None else self._known.image
        if known is not None and self._rests_since is not None and self._turn_sought != self._rests_since:
            self._turn_sought = self._rests_since
            self._turn = correcting_turn(known, image, moved=moved)
        return self._turn is not None

    def _zoomed(self, image: Image) -> bool:
        """Return whether the scale has changed since calibration, as tested each time the view comes to rest."""
        if self._calibrated is not None and self._zoom_sought != self._rests_since:
            self._zoom_sought = self._rests_since
            self._zoom = zoom_factor(self._calibrated, image)
        return self._zoom is not None

    def _begin(self, table: StillTable, image: Image, at: float, *, at_rest: bool) -> Health:
        """Return the health while there is no model of the table yet; build one when the view is at rest."""
        now, limits = table.second, self._limits
        level, glare = now.exposure
        found: Trouble | None = "dark" if level < limits.dark else "glaring" if glare > limits.glaring else None
        if found is None and is_grey(image, self._saturation):
            found = "colourless"
        known = self._calibrated if self._known is None else self._known.image
        on_its_side = known is not None and known.shape != image.shape and self._turned(image)
        if found is None and (on_its_side or (self._turn is not None and not at_rest)):
            self._trouble = "turned"
            return Health("turned", fit=False, turn=self._turn)
        if found is None and self._zoom is not None and not at_rest:
            return Health("zoomed", fit=False)
        self._bad = self._bad + 1 if found else 0
        self._trouble = found if self._bad >= self._patience.bad_frames else None
        if found or not at_rest:
            return Health(self._trouble, fit=not found)
        if self._calibrated is None or self._calibrated.shape != image.shape:
            self._keep(table, KnownPicture(image, np.eye(3)), at)
            return Health()
        if self._zoom is not None and self._zoom_sought == self._rests_since:
            return Health("zoomed", fit=False)
        calibrated = StillTable.of(self._calibrated)
        change = calibrated.change(now)
        if change.known < _MIN_KNOWN and self._turned(image, moved=True):
            self._trouble = "turned"
            return Health("turned", fit=False, turn=self._turn)
        self._turn = None
        self._known = KnownPicture(self._calibrated, np.eye(3))
        rough = change.movement
        refound = None
        if rough is None or change.moved > limits.moved:
            refound = self._refind(image, rough)
        if refound is not None and mean_displacement(refound.movement, now.size) > limits.moved:
            return self._adopt(refound, table, image, at)
        known_again = change.known >= _MIN_KNOWN and len(calibrated.points) > 0
        unlike = rough is None and refound is None and not known_again
        if unlike and self._zoomed(image):
            self._trouble = "zoomed"
            return Health("zoomed", fit=False)
        self._zoom = None
        since = refound.movement if refound is not None else np.eye(3) if rough is None else rough
        self._trouble = find_calibration_trouble(change, limits)
        self._keep(table, KnownPicture(image, since), at)
        return Health(self._trouble, fit=self._trouble is None, unlike=unlike)

    def _recover(self, found: Trouble, table: StillTable, now: KnownPicture, at: float) -> Health:
        """Return the health after an attempt to end a trouble: recover the pose, or accept the changed table.

        found: the trouble. table, now: model and picture that may replace the present ones.
        """
        patience, change = self._patience, self.change
        rest = 0.0 if self._rests_since is None else at - self._rests_since
        if found == "turned":
            return Health(found, fit=False, turn=self._turn)
        if found in ("nudged", "lost") and at - self._tried_at >= patience.again:
            self._tried_at = at
            seen = found == "nudged" and self._known is not None
            refound = self._refind(now.image, now.since if seen else None)
            if refound is not None:
                return self._adopt(refound, table, now.image, at)
        free = change is not None and not change.touching
        if (found == "light" and free and rest >= patience.anew) or (
            found in ("light", "covered") and rest >= patience.stays
        ):
            self._keep(table, now, at)
            self._trouble, self._bad = None, 0
            return Health(None, fit=False, anew=True)
        return Health(self._trouble, fit=False)

    def _refind(self, image: Image, rough: Matrix | None) -> Refound | None:
        """Return the camera pose recovered from a picture; None if unreliable.

        rough: approximate homography from calibration to the picture, if available.
        """
        if self._plane is None or self._known is None:
            return None
        from_known = None if rough is None else rough @ np.linalg.inv(self._known.since)
        return recover_pose(self._plane, self._known.image, image, from_known, self._known.since)

    def _adopt(self, refound: Refound, table: StillTable, image: Image, at: float) -> Health:
        """Continue from a recovered pose: replace plane, model and known picture; return the health."""
        self._plane = refound.plane
        self._calibrated = None
        self._trouble, self._bad = None, 0
        self._keep(table, KnownPicture(image, np.eye(3)), at)
        return Health(None, fit=False, refound=refound)

    def _keep(self, table: StillTable, known: KnownPicture, at: float) -> None:
        """Replace the model of the table, and the known picture if the camera is where it was at calibration."""
        self._table, self._since, self._kept_at = table, known.since, at
        if mean_displacement(known.since, table.second.size) <= self._limits.moved:
            self._known = known


def _is_sharp(change: TableChange) -> bool:
    """Return whether a picture is sharp enough to become part of the model, so that blur does not accumulate."""
    return all(value is None or value > _MIN_CLEAR for value in (change.sharpness, change.contrast))


_MIN_CLEAR = 0.75
"""Minimum remaining detail of a picture that may update the model."""
_MIN_KNOWN = 0.4
"""Recognised share of the calibrated table from which orientation and scale are assumed right."""
