"""Finds the soul actions that lead from one board to another, or the reading errors if there are none."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise, zip_longest
from typing import Literal

from calibration.translatable import Line, listed, say
from companion.games.wicked.adviser.packed_board import BOARD_MASK, MOST_SPELLS, SoulAction, SoulPhase
from companion.games.wicked.adviser.target_board import TargetBoard
from companion.games.wicked.components import COLOURS, RANKS, SPOTS, Colour, Deck, Rank
from companion.games.wicked.moves import FinishSoul
from companion.games.wicked.state import WickedPlayer
from companion.games.wicked.text.words import in_words, many, oracle_in_words, word

MAX_BREADTH_FIRST_BOARDS = 5_000
"""Boards searched breadth-first, for the fewest actions; beyond that, boards similar to the target come first."""
MAX_BOARDS = 40_000
"""Boards searched before the search ends without an answer."""
_MAX_PRUNED_MISREADS = 2
"""Misread tokens, cards or spell counts up to which boards that differ more are pruned from the search."""
_MAX_NEAREST = 5
"""Equally near boards that are reported."""


@dataclass(frozen=True, slots=True)
class TokenMisread:
    """A spot of a row that was read wrongly."""

    rank: Rank
    """Rank of the row."""
    seen: Colour | None
    """Colour of the token that was read; None for an empty spot."""
    needed: Colour | None
    """Colour of the true token; None for an empty spot."""


@dataclass(frozen=True, slots=True)
class OracleMisread:
    """An oracle card whose state was read wrongly."""

    card: str
    """Id of the card."""
    seen_achieved: bool
    """True: it was read as achieved, but is open; False: it was read as open, but is achieved."""


@dataclass(frozen=True, slots=True)
class SpellsMisread:
    """A wrong number of spells."""

    spell: Literal["promotion", "colour_change"]
    """Kind of the spells."""
    seen: int
    """The number that was read."""
    needed: int
    """The true number."""


Misread = TokenMisread | OracleMisread | SpellsMisread
"""One reading error on a board."""


@dataclass(frozen=True, slots=True)
class NearbyBoard:
    """A reachable board that may be the true one."""

    player: WickedPlayer
    """The player with that board."""
    misread: tuple[Misread, ...]
    """The reading errors that were made if this is the true board."""
    moves: tuple[SoulAction | FinishSoul, ...]
    """The actions that lead to it."""


@dataclass(frozen=True, slots=True)
class Reachability:
    """Whether a board can follow from an earlier one."""

    reachable: bool | None
    """None if there are too many boards to search, or more spells than a board of the search has."""
    moves: tuple[SoulAction | FinishSoul, ...] = ()
    """Actions that lead to the board if it is reachable."""
    fewest: bool = False
    """Whether it is proven that no shorter sequence of actions leads to it."""
    nearest: tuple[NearbyBoard, ...] = ()
    """If it is not reachable: the reachable boards with the fewest reading errors, fewest actions first."""
    not_nearer: bool = True
    """Whether it is proven that no reachable board has fewer reading errors."""


def reachable(
    before: WickedPlayer,
    after: WickedPlayer,
    deck: Deck,
    seat: int,
    few: int = MAX_BREADTH_FIRST_BOARDS,
    most: int = MAX_BOARDS,
    *,
    nearest: bool = True,
) -> Reachability:
    """Return whether and how legal soul actions can turn a player's board into another one (W9 to W15).

    Tokens and oracle cards have to match. Remaining spells have to match unless `after` has finished the phase; the
    returned moves then end it. seat: of the player, for these moves. few, most: largest numbers of boards searched
    breadth-first, and in all. nearest: if `after` is unreachable, also search for similar reachable boards, which
    takes longer.
    Raises ValueError if these cannot be two boards of one soul phase: different cards, an overfull row, or a player
    who had finished before.
    """
    if before.finished:
        raise ValueError("This player had finished the soul phase already.")
    _check_same_phase(before, after)
    if before.promotion + before.colour_change > MOST_SPELLS:
        return Reachability(None, not_nearer=False)
    phase = SoulPhase(before, deck)
    mask = BOARD_MASK if after.finished else -1
    target = TargetBoard(phase, phase.pack(after) & mask, after.finished)
    end = (FinishSoul(seat),) if after.finished else ()

    def moves_to(board: int, came_from: dict[int, int]) -> tuple[SoulAction | FinishSoul, ...]:
        way = [board]
        while came_from[way[-1]] != way[-1]:
            way.append(came_from[way[-1]])
        return (*(phase.action(one, other, seat) for one, other in pairwise(reversed(way))), *end)

    came_from, all_tried = _breadth_first(phase, target, few, 0)
    found = _first_reached(came_from, target)
    fewest = found is not None
    if not all_tried and not fewest:
        came_from, all_tried = _nearest_first(phase, target, most)
        found = _first_reached(came_from, target)
    if found is not None:
        return Reachability(True, moves_to(found, came_from), fewest=fewest)
    if not nearest:
        return Reachability(False if all_tried else None)
    for misread in (*range(1, _MAX_PRUNED_MISREADS + 1), None):
        came_from, complete = _breadth_first(phase, target, most // 2, misread)
        near: dict[int, int] = {}
        for board in came_from:
            near.setdefault(board & mask, board)
        least = min(map(target.distance, near))
        if misread is not None and least <= misread:
            break
    nearby = [near[board] for board in near if target.distance(board) == least][:_MAX_NEAREST]
    reached = [_with_phase_ended(phase.unpack(board), after.finished) for board in nearby]
    return Reachability(
        False if all_tried else None,
        nearest=tuple(
            NearbyBoard(player, tuple(_reading_errors(after, player)), moves_to(board, came_from))
            for board, player in zip(nearby, reached, strict=True)
        ),
        not_nearer=complete or (all_tried and least <= 1),
    )


def misread_line(reached: Reachability, deck: Deck) -> Line:
    """Return a warning for players: the reading errors that a board must have, or that reachability is unknown."""
    if reached.reachable is None:
        return say("It is not known whether this board can follow from the previous one. Check the board.")
    things = listed([misread_in_words(misread, deck) for misread in reached.nearest[0].misread])
    return say(
        "This board cannot follow from the previous one, unless this was misread: {things}. Check the board.",
        things=things,
    )


def misread_in_words(misread: Misread, deck: Deck) -> Line:
    """Return a reading error in words, the true thing first: "a middle blue token read as red"."""
    match misread:
        case TokenMisread(rank=rank, seen=None, needed=needed):
            return say("a {rank} {colour} token missed", rank=word(rank), colour=word(str(needed)))
        case TokenMisread(rank=rank, seen=seen, needed=None):
            return say("a {rank} {colour} token read where there is none", rank=word(rank), colour=word(str(seen)))
        case TokenMisread(rank=rank, seen=seen, needed=needed):
            return say(
                "a {rank} {colour} token read as {seen}",
                rank=word(rank),
                colour=word(str(needed)),
                seen=word(str(seen)),
            )
        case OracleMisread(card=card, seen_achieved=True):
            return say("the oracle ({card}) read as achieved", card=oracle_in_words(deck, card))
        case OracleMisread(card=card):
            return say("the oracle ({card}) read as open", card=oracle_in_words(deck, card))
        case SpellsMisread(spell="promotion", seen=seen, needed=needed):
            spells = many(needed, "{n} promotion spell", "{n} promotion spells")
            return say("{spells} read as {seen}", spells=spells, seen=in_words(seen))
        case SpellsMisread(seen=seen, needed=needed):
            spells = many(needed, "{n} colour-change spell", "{n} colour-change spells")
            return say("{spells} read as {seen}", spells=spells, seen=in_words(seen))


def _breadth_first(
    phase: SoulPhase, target: TargetBoard, most: int, misread: int | None
) -> tuple[dict[int, int], bool]:
    """Return a map from each board reached, breadth-first, to its predecessor; and whether the search was complete.

    most: number of boards after which the search ends. misread: prune boards from which the target is unreachable
    even with this number of reading errors; None prunes nothing; with 0 the search ends at the target.
    """
    came_from = {phase.start: phase.start}
    queue = [phase.start]
    for board in queue:
        steps = phase.steps(board)
        if not target.spells_gone:
            steps += phase.idle_steps(board)
        for after in steps:
            if after in came_from or (misread is not None and not target.may_follow_from(after, misread)):
                continue
            came_from[after] = board
            queue.append(after)
            if misread == 0 and target.is_reached(after):
                return came_from, True
        if len(queue) > most:
            return came_from, False
    return came_from, True


def _nearest_first(phase: SoulPhase, target: TargetBoard, most: int) -> tuple[dict[int, int], bool]:
    """Return a map from each board reached, nearest to the target first, to its predecessor; and if it is complete.

    The search ends at the target. most: number of boards after which it ends without it.
    """
    came_from = {phase.start: phase.start}
    # Among equals, boards with more spells come first.
    waiting = [(target.distance(phase.start), -phase.start)]
    while waiting and len(came_from) < most:
        board = -heappop(waiting)[1]
        for after in phase.steps(board) + ([] if target.spells_gone else phase.idle_steps(board)):
            if after not in came_from and target.may_follow_from(after):
                came_from[after] = board
                if target.is_reached(after):
                    return came_from, True
                heappush(waiting, (target.distance(after), -after))
    return came_from, not waiting


def _first_reached(came_from: dict[int, int], target: TargetBoard) -> int | None:
    """Return the first board of a search that equals the target; None without one."""
    return next((board for board in came_from if target.is_reached(board)), None)


def _reading_errors(seen: WickedPlayer, needed: WickedPlayer) -> Iterator[Misread]:
    """Yield the reading errors by which `needed`, the true board, was read as `seen`."""
    for rank in RANKS:
        row, other = seen.row(rank), needed.row(rank)
        too_many = [colour for colour in COLOURS for _ in range(row[colour] - other[colour])]
        too_few = [colour for colour in COLOURS for _ in range(other[colour] - row[colour])]
        for one, instead in zip_longest(too_many, too_few):
            yield TokenMisread(rank, one, instead)
    for card in (*seen.great, *seen.small):
        if card not in (*needed.great, *needed.small):
            yield OracleMisread(card, seen_achieved=False)
    for card in (*needed.great, *needed.small):
        if card not in (*seen.great, *seen.small):
            yield OracleMisread(card, seen_achieved=True)
    if not seen.finished:
        if seen.promotion != needed.promotion:
            yield SpellsMisread("promotion", seen.promotion, needed.promotion)
        if seen.colour_change != needed.colour_change:
            yield SpellsMisread("colour_change", seen.colour_change, needed.colour_change)


def _with_phase_ended(player: WickedPlayer, finished: bool) -> WickedPlayer:
    """Return the player after the end of the soul phase; unchanged unless `finished`."""
    return replace(player, promotion=0, colour_change=0, finished=True) if finished else player


def _check_same_phase(before: WickedPlayer, after: WickedPlayer) -> None:
    """Raise ValueError if these cannot be two boards of one soul phase."""
    for rank in RANKS:
        row = after.row(rank)
        if row.total > SPOTS[rank] or any(row[colour] < 0 for colour in COLOURS):
            raise ValueError("A row of the board has more tokens than spots.")
    if not after.finished and (
        min(after.promotion, after.colour_change) < 0 or after.promotion + after.colour_change > MOST_SPELLS
    ):
        raise ValueError("A board with more than eight spells is not supported.")
    dealt = (
        *before.great,
        *(oracle.card for oracle in before.achieved_great),
        *before.small,
        *before.achieved_small,
    )
    lie = (*after.great, *(oracle.card for oracle in after.achieved_great), *after.small, *after.achieved_small)
    if sorted(dealt) != sorted(lie):
        raise ValueError("The two boards have different oracle cards.")
    if {*after.great, *after.small} - {*before.great, *before.small}:
        raise ValueError("An oracle that was achieved before is open now.")
