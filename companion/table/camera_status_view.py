"""Makes the camera's view for screens: its state, with a line of text about it. Pure."""

from __future__ import annotations

from calibration.translatable import Line, say, sentences
from companion.table.reading.frame_reader import FrameResult
from companion.table.reading.pause_reasons import ReadingPause
from companion.table.views import CameraState, CameraView
from vision.cameras.grabber import GrabStatus
from vision.cameras.orientation_correction import Orientation
from vision.health import Health, Trouble
from vision.motion_state import WatchState

_CAMERA_STATE: dict[WatchState, CameraState] = {
    "watching": "watching",
    "hands": "hands",
    "settling": "settling",
    "still": "settling",
    "shown": "hands",
}
"""The state that screens show, for each state of the motion watcher."""

LOST = ("silent", "retrying", "waiting")
"""States of the grabber in which an opened or chosen camera gives no picture."""

_TROUBLE: dict[Trouble, Line] = {
    "zoomed": say(
        "The camera shows more or less of the table than before, as through another lens or zoom. Set it back, or "
        "show the calibration sheet."
    ),
    "turned": say("The picture is not the right way round. Turn it under “Camera & table”."),
    "dark": say("It is too dark for the camera. Switch a light on."),
    "glaring": say("The picture is too bright to see anything in. Turn the light or the camera's exposure down."),
    "colourless": say("The camera sends no colours. Switch its night mode off, or switch a light on."),
    "lost": say(
        "The camera does not see the table where it was. Clear its view, put it back, or show the sheet again."
    ),
    "covered": say("Something large is between the camera and the table. Reading goes on when it is gone."),
    "nudged": say("The camera was moved. Put it back as it was, or show the sheet again."),
    "blurred": say("The picture is blurred. Let the camera focus, or wipe its lens."),
    "light": say(
        "The light has changed. Leave the table free of hands for a moment, so that it can be learned again."
    ),
    "frozen": say("The camera sends the same picture again and again. Restart its app, or check its cable."),
    "flicker": say("Your lamp flickers. Set the camera's exposure to 1/50 s or 1/100 s, or use another lamp."),
}
"""Line about each fault of the view."""


def _orientation_line(turn: Orientation) -> Line:
    """Return the message for screens about a picture that is mirrored or rotated. turn: what would correct it."""
    if turn.mirrored:
        return say("The picture is mirrored, so nothing is read. Mirror it back here or in the camera's app.")
    if turn.quarters == 2:
        return say("The picture is upside down, so nothing is read. Turn it, or the camera.")
    return say("The picture lies on its side, so nothing is read. Turn it, or the camera.")


def view_health_notice(health: Health) -> str:
    """Return a notice about the camera's view, or "" if there is none to give.

    There is one when a moved camera's pose was found again, and when the table looks so unfamiliar that a moved
    camera would not be noticed.
    """
    if health.refound is not None:
        return say("The camera was moved. Its new place was found by the table, so reading goes on.")
    if health.unlike:
        return say(
            "The table looks so different that a moved camera would not be noticed. In doubt, show it the sheet."
        )
    return ""


def camera_view(
    status: GrabStatus,
    result: FrameResult | None,
    *,
    equipped: bool,
    why_not: str,
    failure: str,
    pause: ReadingPause,
    asking: bool,
    unread: str,
    where: tuple[int, ...] = (),
    milliseconds: float,
) -> CameraView:
    """Return the camera's status for screens: the most serious state that applies, with one line about it.

    result: of the latest frame. equipped: whether there is a frame reader. why_not: line about why there is none,
    or "". failure: line about why the latest frame could not be read, or "". pause: reasons why the camera is not
    read. asking: whether a proposal waits for a person. unread: line about why readings gave no proposal, or "".
    where: places on the game's board that `unread` concerns. milliseconds: duration of the latest reading.
    """
    state: CameraState
    message: str
    if pause.by_hand and not pause.setup:
        state, message = "by_hand", sentences(status.message) if status.state in LOST else ""
    elif pause.paused:
        state, message = "paused", say("The camera is not read. Moves can be entered by hand.")
    elif status.state == "starting":
        state, message = "preparing", sentences(status.message, say("Moves can be entered by hand meanwhile."))
    elif status.state != "running":
        state, message = "no_camera", sentences(status.message, say("The game goes on by hand meanwhile."))
    elif pause.setup:
        state, message = (
            "teaching",
            say("The table is being set up, so nothing is read. Moves can be entered by hand."),
        )
    elif not equipped and why_not:
        state, message = "hindered", why_not
    elif not equipped:
        state, message = (
            "preparing",
            say("The appearance of the table is still being learned. Moves can be entered by hand."),
        )
    elif asking:
        state, message = "needs_you", say("A player has to confirm the reading.")
    elif failure:
        state, message = "hindered", failure
    elif result is None:
        state, message = "watching", unread
    elif result.health.trouble is not None and not result.health.fit:
        turn = result.health.turn
        state, message = "hindered", _TROUBLE[result.health.trouble] if turn is None else _orientation_line(turn)
    else:
        state = "reading" if result.reading else _CAMERA_STATE[result.motion.state]
        message = unread or ("" if result.health.trouble is None else _TROUBLE[result.health.trouble])
    return CameraView(
        state,
        message,
        status.frames,
        status.dropped,
        round(status.frames_per_second, 1),
        round(milliseconds, 1),
        result.health.turn if state == "hindered" and result is not None and not failure else None,
        where if unread and message == unread else (),
    )


def visible_parts(result: FrameResult) -> tuple[object, ...]:
    """Return those values of a frame's result that screens show, as a tuple to compare with another frame's."""
    health = result.health
    return result.reading, result.motion.state, health.trouble, health.fit, health.turn
