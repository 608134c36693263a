"""A session and its camera as screens see them. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.wording import Line, listed, say, sentences
from companion.games.wicked import describe, final_scores, legal, waiting_for
from companion.games.wicked.moves import acting_player
from companion.games.wicked.scoring.chronicle import chronicle
from companion.games.wicked.state import State
from companion.referee import Proposal
from companion.session import Played, Session
from companion.table.reading.frame_reader import FrameResult
from companion.table.reading.pauses import ReadingPause
from companion.table.views import CameraState, CameraView, GameView, HistoryLine, Option, SeatView
from vision.cameras.grabber import GrabStatus
from vision.cameras.turned import Turn
from vision.health import Health, Trouble
from vision.readings import RevealReading
from vision.stillness import WatchState

_CAMERA_STATE: dict[WatchState, CameraState] = {
    "watching": "watching",
    "hands": "hands",
    "settling": "settling",
    "still": "settling",
    "shown": "hands",
}

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
        "The light has changed. Leave the table free of hands for a moment, so that it can be learnt anew."
    ),
    "frozen": say("The camera sends the same picture again and again. Restart its app, or check its cable."),
    "flicker": say("Your lamp flickers. Set the camera's exposure to 1/50 s or 1/100 s, or use another lamp."),
}


def _turned(turn: Turn) -> Line:
    """Describe a picture by what puts it right."""
    if turn.mirrored:
        return say("The picture is mirrored, so nothing is read. Mirror it back here or in the camera's app.")
    if turn.quarters == 2:
        return say("The picture is upside down, so nothing is read. Turn it, or the camera.")
    return say("The picture lies on its side, so nothing is read. Turn it, or the camera.")


def happened(health: Health) -> str:
    """Say in one line what came of a look at the camera's view, empty where nothing did."""
    if health.refound is not None:
        return say("The camera was moved. Its new place was found by the table, so reading goes on.")
    if health.unlike:
        return say(
            "The table looks so different that a moved camera would not be noticed. In doubt, show it the sheet."
        )
    return ""


def game_view(session: Session) -> GameView:
    """Tell a game as it stands."""
    names = session.names
    entries = session.entries
    state = session.state
    history = []
    for step in session.steps:
        entry = entries[step.number - 1]
        kept = isinstance(entry, Played) and entry.evidence
        told = describe(step.before, step.move, names)
        history.append(HistoryLine(step.number, told, step.move.type, kept, acting_player(step.move)))
    return GameView(
        id=session.id,
        number=session.number,
        seats=tuple(SeatView(seat.name, seat.colour) for seat in session.seats),
        state=state,
        waiting_for=waiting_for(state),
        scores=final_scores(state),
        history=tuple(history),
        chronicle=chronicle(session.steps, state),
    )


def options_of(state: State, player: int, names: Sequence[str]) -> tuple[Option, ...]:
    """List what one player may do now, by seat."""
    return tuple(Option(move, describe(state, move, names)) for move in legal(state).for_player(player))


def unread(names: Sequence[str], readings: Sequence[RevealReading], proposal: Proposal | None) -> str:
    """Say in one line why nothing could be proposed; nothing while no hand at all is open."""
    if proposal is not None:
        return sentences(*(doubt.question for doubt in proposal.doubts))
    opened = {hand.seat for reading in readings for hand in reading.hands if hand.state == "open"}
    missing = [name for seat, name in enumerate(names) if seat not in opened]
    if len(missing) in (0, len(names)):
        return ""
    return say(
        "No open hand is seen of {names}. Show it, also an empty one, or enter the reveal by hand.",
        names=listed(missing),
    )


def camera_view(
    status: GrabStatus,
    seen: FrameResult | None,
    *,
    equipped: bool,
    why_not: str,
    rest: ReadingPause,
    asking: bool,
    unread: str,
    milliseconds: float,
) -> CameraView:
    """Tell how the camera does, worst news first.

    rest: why it is not read, if so; equipped: there is something to read with; why_not: else why, in one line;
    asking: a proposal waits for
    somebody; unread: what could not be read, in one line; milliseconds: of the latest reading.
    """
    state: CameraState
    message: str
    if rest.by_hand and not rest.taught:
        state, message = "by_hand", ""
    elif rest.paused:
        state, message = "paused", say("The camera is not read. Moves can be entered by hand.")
    elif status.state == "starting":
        state, message = "preparing", sentences(status.message, say("Moves can be entered by hand meanwhile."))
    elif status.state != "running":
        state, message = "no_camera", sentences(status.message, say("The game goes on by hand meanwhile."))
    elif rest.taught:
        state, message = (
            "teaching",
            say("The table is being taught, so nothing is read. Moves can be entered by hand."),
        )
    elif not equipped and why_not:
        state, message = "hindered", why_not
    elif not equipped:
        state, message = (
            "preparing",
            say("What the table looks like is still being learnt. Moves can be entered by hand."),
        )
    elif asking:
        state, message = "needs_you", say("Somebody has to say what is right.")
    elif seen is None:
        state, message = "watching", unread
    elif seen.health.trouble is not None and not seen.health.fit:
        turn = seen.health.turn
        state, message = "hindered", _TROUBLE[seen.health.trouble] if turn is None else _turned(turn)
    else:
        state = "reading" if seen.reading else _CAMERA_STATE[seen.sight.state]
        message = unread or ("" if seen.health.trouble is None else _TROUBLE[seen.health.trouble])
    return CameraView(
        state,
        message,
        status.frames,
        status.dropped,
        round(status.frames_per_second, 1),
        round(milliseconds, 1),
        seen.health.turn if state == "hindered" and seen is not None else None,
    )


def shown(seen: FrameResult) -> tuple[object, ...]:
    """Return what of a frame's result shows on screens."""
    health = seen.health
    return seen.reading, seen.sight.state, health.trouble, health.fit, health.turn
