"""Animates a turn on the simulated table: a hand pushes the spare in, then carries the wizard. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from companion.adapters.master.bots.scenes import Handling, Tile, entering_pose, scene, spare_beside, wizard_xy
from companion.director.bot_interface import Staging
from companion.director.hand_animation import eased
from companion.games.master.maze import OPPOSITE
from companion.games.master.moves import Move, Shift, Stay, Walk
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState
from vision.cameras.simulated.scene import HandOnTable, Pose, Scene
from vision.games.master.simulated_layout import hand_pose

_COMING: Final = 0.7
"""Seconds for a hand to reach in, and again to leave."""
_CARRYING: Final = 0.9
"""Seconds to carry the spare to its arrow."""
_PUSHING: Final = 1.1
"""Seconds to push a row or column."""
_WALKING: Final = 0.9
"""Seconds to carry a wizard."""
_RESTING: Final = 0.3
"""Seconds after the last hand has left."""
_BEHIND_MM: Final = 26.0
"""Distance of the hand's middle behind what it holds, mm."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """A player's hand that holds something and moves with it."""

    seats: int
    """Number of players."""
    seat: int
    """Seat of the player."""
    start: Pose
    """Pose in which the hand takes hold of the thing."""

    def at(self, reach: float, thing: Pose) -> tuple[HandOnTable, ...]:
        """Return the hand at one moment, as `hands` of a scene; empty while it is outside of the picture.

        reach: how far the arm reaches in, 0 outside of the picture, 1 at the thing that it holds. thing: present
        pose of that thing.
        """
        if reach <= 0:
            return ()
        rest = hand_pose(self.seats, self.seat, self.start.x, self.start.y)
        angle = math.radians(rest.angle)
        behind = Pose(rest.x - _BEHIND_MM * math.sin(angle), rest.y - _BEHIND_MM * math.cos(angle), rest.angle)
        dx, dy = thing.x - self.start.x, thing.y - self.start.y
        right, ahead = dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle)
        return (HandOnTable(self.seat, reach, 0.0, (), self.seat, (right, ahead, 0.0), behind),)


def turn_staging(state: MasterState, moves: Sequence[Move]) -> Staging:
    """Return the animation of a turn: hands make its shift and its wizard's move, one after the other.

    state: before the turn. Raises ValueError for moves that contain neither.
    """
    parts: list[Staging] = []
    for move in moves:
        if isinstance(move, Shift):
            parts.append(_shift_animation(state, apply(state, move), move))
        elif isinstance(move, Walk):
            parts.append(_walk_animation(state, move))
        state = state if isinstance(move, Stay) else apply(state, move)
    if not parts:
        raise ValueError("A turn has a shift.")
    final = scene(state)

    def shown(time: float) -> Scene:
        for part in parts:
            if time < part.seconds:
                return part.scene(max(0.0, time))
            time -= part.seconds
        return final

    return Staging(sum(part.seconds for part in parts) + _RESTING, shown)


def _shift_animation(state: MasterState, after: MasterState, shift: Shift) -> Staging:
    """Return the animation of a hand that carries the spare tile to its arrow and pushes it in.

    state, after: before and after the shift.
    """
    seats, lying, goal = len(state.players), spare_beside(state), entering_pose(shift.arrow)
    hand = _Hand(seats, shift.player, lying.pose)
    out, beside = entering_pose(OPPOSITE[shift.arrow]), spare_beside(after)

    def shown(time: float) -> Scene:
        carried, pushed = (time - _COMING) / _CARRYING, (time - _COMING - _CARRYING) / _PUSHING
        if carried < 0:
            return scene(state, hand.at(eased(time / _COMING), lying.pose))
        if pushed < 0:
            pose = _pose_between(lying.pose, goal, carried)
            return scene(state, hand.at(1.0, pose), Handling(Tile(shift.openings, pose)))
        part = eased(pushed)
        if pushed < 1:
            held = Handling(Tile(shift.openings, goal), (shift.arrow, part))
            return scene(state, hand.at(1.0, entering_pose(shift.arrow, part)), held)
        leaving = (time - _COMING - _CARRYING - _PUSHING) / _COMING
        tile = Tile(beside.openings, _pose_between(out, beside.pose, 2 * leaving))
        return scene(after, hand.at(1 - eased(leaving), entering_pose(shift.arrow, 1.0)), Handling(tile))

    return Staging(2 * _COMING + _CARRYING + _PUSHING, shown)


def _walk_animation(state: MasterState, walk: Walk) -> Staging:
    """Return the animation of a hand that carries a wizard to the end of its move.

    state: before the move.
    """
    moved = apply(state, walk)
    start, goal = Pose(*wizard_xy(state, walk.player)), Pose(*wizard_xy(moved, walk.player))
    hand = _Hand(len(state.players), walk.player, start)

    def shown(time: float) -> Scene:
        carried, leaving = (time - _COMING) / _WALKING, (time - _COMING - _WALKING) / _COMING
        if carried < 0:
            return scene(state, hand.at(eased(time / _COMING), start))
        if leaving < 0:
            at = _pose_between(start, goal, carried)
            return scene(state, hand.at(1.0, at), Handling(wizard=(walk.player, at.x, at.y)))
        return scene(moved, hand.at(1 - eased(leaving), goal))

    return Staging(2 * _COMING + _WALKING, shown)


def _pose_between(start: Pose, end: Pose, share: float) -> Pose:
    """Return the pose at a fraction 0..1 of the time of a movement between two poses, slow at both ends."""
    part = eased(share)
    return Pose(*(a + part * (b - a) for a, b in ((start.x, end.x), (start.y, end.y), (start.angle, end.angle))))
