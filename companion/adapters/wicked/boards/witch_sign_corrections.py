"""Proposes corrections of a witch's sign where the impurity as read differs from the journal. Pure.

Impurity comes from witch's signs alone, and each player reveals theirs once a round (W3, W5). So if all else
agrees, the journal has a sign at a wrong corridor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from calibration.translatable import Line, say
from companion.adapters.wicked.boards.possible_player_states import boards_by_seat
from companion.games.game import IllegalMove
from companion.games.wicked.moves import Move, Reveal
from companion.games.wicked.rules.search_phase import is_last_corridor, outcome
from companion.games.wicked.state import WickedState
from companion.referee.finding import OfferedCorrection
from companion.session import Change, NoSuchEntry, Revision, Step, Timeline
from companion.session.correction_preview import what_if
from vision.games.wicked.readings import BoardsReading

MOST_OFFERED = 4
"""Largest number of corrections that are offered; with more, none is."""


def sign_corrections(
    timeline: Timeline, names: Sequence[str], reading: BoardsReading
) -> tuple[OfferedCorrection, ...]:
    """Return journal corrections of one witch's sign that make all impurity equal to what was read.

    They change nothing else. names: by seat. Empty if the impurity does not differ, if a board or its impurity is
    unclear, or if there are more than `MOST_OFFERED`.
    """
    state = timeline.state
    boards = boards_by_seat(state, reading)
    tiles = [boards[seat].impurity for seat in range(len(state.players)) if seat in boards]
    whole = [seat for seat, board in boards.items() if board.whole]
    if len(tiles) < len(state.players) or whole or any(one.reason for one in tiles):
        return ()
    wanted = tuple(one.points - player.impurity for one, player in zip(tiles, state.players, strict=True))
    if not any(wanted):
        return ()
    found = tuple(
        one for one in _candidates(timeline, names, wanted) if _fits_reading(timeline, one.revision, wanted)
    )
    return found if len(found) <= MOST_OFFERED else ()


@dataclass(frozen=True, slots=True)
class _Corridor:
    """A corridor of a round at which a sign may have been revealed."""

    step: Step[WickedState, Move] | None = None
    """Step of its reveal; None for a corridor that is not searched yet."""
    ranked: frozenset[int] = frozenset()
    """Seats that ranked first or second there."""

    @classmethod
    def of(cls, step: Step[WickedState, Move], reveal: Reveal) -> _Corridor:
        """Return the corridor at which a reveal was made. step: that of the reveal."""
        gains = outcome(step.before, reveal).gains
        return cls(step, frozenset(seat for seat, gain in enumerate(gains) if gain is not None))

    def has_sign(self, seat: int) -> bool:
        """Return whether a player revealed the witch's sign at this corridor."""
        return (
            self.step is not None and isinstance(self.step.move, Reveal) and bool(self.step.move.hands[seat].witch)
        )


def _candidates(timeline: Timeline, names: Sequence[str], wanted: tuple[int, ...]) -> Iterator[OfferedCorrection]:
    """Yield the corrections that move a witch's sign to another corridor and add the right impurity.

    The other corridor is of the same round. wanted: impurity to add, points by seat.
    """
    seats = range(len(wanted))
    reveals = ((step, step.move) for step in timeline.steps if isinstance(step.move, Reveal))
    for round_, group in groupby(reveals, key=lambda pair: pair[0].before.round):
        corridors = [_Corridor.of(step, reveal) for step, reveal in group]
        latest = corridors[-1].step
        if latest is not None and not is_last_corridor(latest.before):
            corridors.append(_Corridor())
        for seat in seats:
            opened = next((one for one in corridors if one.has_sign(seat)), _Corridor())
            for other in corridors:
                more = tuple((one in other.ranked) - (one in opened.ranked) for one in seats)
                if other is not opened and other.step is not opened.step and more == wanted:
                    yield OfferedCorrection(
                        _sentence(names[seat], round_, opened, other), Revision(_changes(seat, opened, other))
                    )


def _changes(seat: int, opened: _Corridor, other: _Corridor) -> tuple[Change, ...]:
    """Return the changes of journal entries that move a player's sign from one corridor to another.

    opened, other: corridors of the sign in the journal and after the correction.
    """
    return tuple(
        Change(corridor.step.number, _with_sign(corridor.step.move, seat, signs))
        for corridor, signs in ((opened, 0), (other, 1))
        if corridor.step is not None and isinstance(corridor.step.move, Reveal)
    )


def _with_sign(reveal: Reveal, seat: int, signs: int) -> Reveal:
    """Return a reveal with the number of witch's signs in one hand replaced."""
    hands = (replace(hand, witch=signs) if one == seat else hand for one, hand in enumerate(reveal.hands))
    return Reveal(tuple(hands))


def _fits_reading(timeline: Timeline, revision: Revision, wanted: tuple[int, ...]) -> bool:
    """Return whether a correction is legal, adds the wanted impurity, and changes nothing else.

    wanted: impurity to add, points by seat.
    """
    try:
        led_to = what_if(timeline, revision.changes)
    except (IllegalMove, NoSuchEntry):
        return False
    if not led_to.complete or led_to.dropped or led_to.followed:
        return False
    return _comparable_state(led_to.state, (0,) * len(wanted)) == _comparable_state(timeline.state, wanted)


def _comparable_state(state: WickedState, more: tuple[int, ...]) -> tuple[object, ...]:
    """Return what has to be equal in two states, with impurity added and without unrevealed witch's signs.

    more: impurity to add, points by seat.
    """
    players = (
        replace(player, impurity=player.impurity + by, held=replace(player.held, witch=0))
        for player, by in zip(state.players, more, strict=True)
    )
    return (state.phase, state.round, state.corridor, tuple(players))


def _sentence(name: str, round_: int, opened: _Corridor, other: _Corridor) -> Line:
    if other.step is None:
        return say(
            "{name} has not opened the witch's sign yet: not at corridor {number} of round {round}.",
            name=name,
            number=_number(opened),
            round=round_,
        )
    if opened.step is None:
        return say(
            "{name} opened the witch's sign at corridor {number} of round {round}.",
            name=name,
            number=_number(other),
            round=round_,
        )
    return say(
        "{name} opened the witch's sign at corridor {number} of round {round}, not at corridor {other}.",
        name=name,
        number=_number(other),
        round=round_,
        other=_number(opened),
    )


def _number(corridor: _Corridor) -> int:
    return 0 if corridor.step is None else corridor.step.before.corridor + 1
