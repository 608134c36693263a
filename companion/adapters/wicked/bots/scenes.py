"""Scenes for the renderer: what lies on the table in a state of the game. Pure."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from calibration.games.wicked.art import BOARD_SPOTS, IMPURITY, Space
from companion.games.game import OVER
from companion.games.wicked.components import COLOURS, RANKS, SEARCH_PIECES, Colour, Rank
from companion.games.wicked.moves import DealOracles, Lay
from companion.games.wicked.state import Tokens, WickedPlayer, WickedState
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.games.wicked.simulated_layout import ring_poses, seat_place

_REVEALED_STEP = 21.0
"""Distance between revealed pieces, mm."""
_REVEALED_ROW = 5
"""Revealed pieces in a row."""
_IMPURITY_ROW = 3
"""Impurity tiles in a row."""
_SPELL_STEP, _SPELL_ROW = (15.0, 16.0), 3
"""Distances of spell markers, mm, and markers in a row."""
_ORACLE_TOKENS = ((-15.0, -20.0), (15.0, -20.0))
"""Positions of the two tokens on an achieved great oracle, mm from the card's centre."""


def empty_table(seats: int = 4) -> Scene:
    """Return the scene of a table with nothing but the labyrinth tile."""
    return Scene(seats=seats)


def scene(
    state: WickedState,
    hands: tuple[HandOnTable, ...] = (),
    dealing: tuple[DealOracles, int] | None = None,
    laying: tuple[Lay, int] | None = None,
) -> Scene:
    """Return what lies on the table in a state.

    hands: open hands over the table. dealing, laying: a move in progress, which the state does not contain yet,
    with the number of its cards that lie on the table already.
    """
    seats = len(state.players)
    cards = [*_corridors(state), *_oracles(state)]
    if dealing is not None:
        cards += _dealt(seats, dealing[0])[: dealing[1]]
    if laying is not None:
        places = ring_poses(len(laying[0].cards))
        cards += [CardOnTable(places[slot], id) for slot, id in enumerate(laying[0].cards[: laying[1]])]
    pieces = [piece for seat in range(seats) for piece in _pieces(state, seat)]
    boards = tuple(
        BoardOnTable(player.colour, seat_place(seats, seat).board) for seat, player in enumerate(state.players)
    )
    return Scene(seats=seats, cards=tuple(cards), boards=boards, pieces=tuple(pieces), hands=hands)


def offset_pose(pose: Pose, right: float, up: float, turn: float = 0.0) -> Pose:
    """Return a pose moved by `right` and `up` mm along its own axes, and turned by `turn` degrees."""
    angle = math.radians(pose.angle)
    return Pose(
        pose.x + right * math.cos(angle) + up * math.sin(angle),
        pose.y - right * math.sin(angle) + up * math.cos(angle),
        pose.angle + turn,
    )


def _corridors(state: WickedState) -> list[CardOnTable]:
    """Return the corridor cards of the ring: searched ones face down, the others face up."""
    if not state.corridors:
        return []
    searched = len(state.corridors) if state.phase in ("soul", OVER) else state.corridor
    places = ring_poses(len(state.corridors))
    return [CardOnTable(places[slot], None if slot < searched else id) for slot, id in enumerate(state.corridors)]


def _oracles(state: WickedState) -> Iterator[CardOnTable]:
    seats = len(state.players)
    for seat, player in enumerate(state.players):
        place = seat_place(seats, seat)
        great = {*player.great, *(achieved.card for achieved in player.achieved_great)}
        small = {*player.small, *player.achieved_small}
        for pose, id in zip(place.great, sorted(great), strict=False):
            yield CardOnTable(pose, id, "great")
        for pose, id in zip(place.small, sorted(small), strict=False):
            yield CardOnTable(pose, None if id in player.achieved_small else id, "small")


def _dealt(seats: int, deal: DealOracles) -> list[CardOnTable]:
    """Return all oracle cards at their places, in the order of dealing: great ones first, one to each in turn."""
    cards = []
    for index in range(len(deal.great[0])):
        for seat in range(seats):
            cards.append(
                CardOnTable(seat_place(seats, seat).great[index], sorted(deal.great[seat])[index], "great")
            )
    for index in range(len(deal.small[0])):
        for seat in range(seats):
            cards.append(
                CardOnTable(seat_place(seats, seat).small[index], sorted(deal.small[seat])[index], "small")
            )
    return cards


def _pieces(state: WickedState, seat: int) -> Iterator[PieceOnTable]:
    """Yield all loose pieces of one player: tokens, spell markers, revealed pieces, impurity tiles."""
    player, place = state.players[seat], seat_place(len(state.players), seat)
    for rank in RANKS:
        for spot, colour in zip(BOARD_SPOTS.of(rank), _colours_in_row(_row(player, rank)), strict=False):
            yield PieceOnTable(f"token:{colour}", offset_pose(place.board, *spot))
    for space, count in (
        (BOARD_SPOTS.promotion, player.promotion),
        (BOARD_SPOTS.colour_change, player.colour_change),
    ):
        for index in range(count):
            yield PieceOnTable(f"search:{player.colour}", _spell_marker_pose(place.board, space, index))
    order = sorted({*player.great, *(achieved.card for achieved in player.achieved_great)})
    for achieved in player.achieved_great:
        for colour, spot in zip(achieved.colours, _ORACLE_TOKENS, strict=True):
            yield PieceOnTable(f"token:{colour}", offset_pose(place.great[order.index(achieved.card)], *spot))
    yield from _revealed(state, seat, place.revealed)
    yield from _impurity(player.impurity, place.impurity)


def _impurity(points: int, middle: Pose) -> Iterator[PieceOnTable]:
    """Yield impurity tiles worth this many points, in touching rows.

    middle: pose of the middle of the first row.
    """
    values = [3] * (points // 3) + [1] * (points % 3)
    up = 0.0
    for start in range(0, len(values), _IMPURITY_ROW):
        row = values[start : start + _IMPURITY_ROW]
        right = -_IMPURITY_ROW / 2 * IMPURITY[3]
        for value in row:
            right += IMPURITY[value] / 2
            yield PieceOnTable(f"impurity:{value}", offset_pose(middle, right, up))
            right += IMPURITY[value] / 2
        up += IMPURITY[row[0]]


def _revealed(state: WickedState, seat: int, middle: Pose) -> Iterator[PieceOnTable]:
    """Yield the pieces that a player revealed in this round and that mark no spell, in rows round `middle`."""
    player = state.players[seat]
    if player.finished:  # the pieces are back behind the screen (W15)
        return
    shown = SEARCH_PIECES[len(state.players)] - player.held.search - player.promotion - player.colour_change
    kinds = [f"search:{player.colour}"] * shown
    kinds += ["sign:witch"] * (1 - player.held.witch) + ["sign:soul"] * (1 - player.held.soul)
    rng = random.Random(f"{player.colour} {state.round}")
    for index, kind in enumerate(kinds):
        row, column = divmod(index, _REVEALED_ROW)
        right = (column - (_REVEALED_ROW - 1) / 2) * _REVEALED_STEP + rng.uniform(-2.0, 2.0)
        up = (0.5 - row) * _REVEALED_STEP + rng.uniform(-2.0, 2.0)
        yield PieceOnTable(kind, offset_pose(middle, right, up, rng.uniform(0.0, 360.0)))


def _spell_marker_pose(board: Pose, space: Space, index: int) -> Pose:
    """Return the pose of a spell marker in a space of its board: in rows, further layers over the gaps.

    index: number of the marker in the space, from 0.
    """
    layer, place = divmod(index, 2 * _SPELL_ROW)
    row, column = divmod(place, _SPELL_ROW)
    right = (column - (_SPELL_ROW - 1) / 2) * _SPELL_STEP[0] + layer * 7.0
    up = (0.5 - row) * _SPELL_STEP[1]
    return offset_pose(board, space.x + right, space.y + up, 35.0 * index)


def _row(player: WickedPlayer, rank: Rank) -> Tokens:
    return {"low": player.low, "middle": player.middle, "high": player.high}[rank]


def _colours_in_row(tokens: Tokens) -> list[Colour]:
    """Return the colour of each token, in the order in which the tokens lie."""
    return [colour for colour in COLOURS for _ in range(getattr(tokens, colour))]
