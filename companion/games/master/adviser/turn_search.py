"""Search over all turns: exact by exhaustion over shifts, with sets of places as bit masks.

A turn gains only by taking the smallest number left, so all turns that take it gain the same. For each shift the
search only checks whether the token can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.master.components import FORMULA_POINTS, TOKENS, WAND_POINTS
from companion.games.master.maze import ARROWS, CARRIED, OPPOSITE, ROTATIONS, Arrow, Maze, letters, places
from companion.games.master.moves import Shift, Stay, Walk
from companion.games.master.state import TAKEN, MasterState


@dataclass(frozen=True, slots=True)
class MazeTurn:
    """One turn: a shift and a walk."""

    arrow: Arrow
    """Where the spare is pushed in."""
    openings: str
    """Openings of the spare as it is pushed in."""
    place: int
    """Place where the wizard ends."""
    take: bool
    """Whether the token there is taken."""


@dataclass(frozen=True, slots=True)
class Advice:
    """A recommended turn, or pair of turns, with its gain."""

    turns: tuple[MazeTurn, ...]
    """One turn, or two with a wand between them."""
    gain: int
    """Points that the player gains: the tokens taken, with their own formula card, minus the wand that is used."""
    reply: int = 0
    """Points that the next player can gain afterwards; 0 where that was not computed."""
    taken: tuple[int, ...] = ()
    """Numbers of the tokens that the player takes."""


@dataclass(frozen=True, slots=True)
class Position:
    """What a search needs of a state."""

    maze: Maze
    """Tiles and spare."""
    closed: Arrow | None
    """The arrow that must not be used."""
    tokens: tuple[tuple[int, int], ...]
    """Number and place of the tokens that nobody holds, ascending by number."""

    @classmethod
    def of(cls, state: MasterState) -> Position:
        """Return what a search needs of a state. Raises ValueError unless a shift is due."""
        if state.maze is None or state.phase != "shift":
            raise ValueError("No shift comes next in this state.")
        return cls(state.maze, state.closed, cls.tokens_of(state))

    @staticmethod
    def tokens_of(state: MasterState) -> tuple[tuple[int, int], ...]:
        """Return (number, place) of each token that nobody holds, ascending by number."""
        return tuple((number, place) for number, place in zip(TOKENS, state.tokens, strict=True) if place != TAKEN)

    def shifted(self, arrow: Arrow, openings: int) -> Position:
        """Return the position after a shift. openings: of the spare as it is pushed in, four bits."""
        carried = CARRIED[arrow]
        tokens = tuple((number, carried[place]) for number, place in self.tokens)
        return Position(self.maze.shifted(arrow, openings), OPPOSITE[arrow], tokens)

    def shifts(self) -> Iterator[tuple[Arrow, str, Position]]:
        """Yield every legal shift: its arrow, the openings of the spare as letters, and the position after it."""
        for arrow in ARROWS:
            if arrow == self.closed:
                continue
            for openings in ROTATIONS[self.maze.spare]:
                yield arrow, letters(openings), self.shifted(arrow, openings)

    def without_next(self) -> Position:
        """Return the position without the next token, the smallest one that is left."""
        return Position(self.maze, self.closed, self.tokens[1:])


def best_turn(state: MasterState, player: int) -> Advice:
    """Return the single turn that gains the player most points; of equal ones, the one found first."""
    position, wizard = Position.of(state), state.wizards[player]
    stay: Advice | None = None
    for arrow, openings, after in position.shifts():
        here = CARRIED[arrow][wizard]
        if stay is None:
            stay = Advice((MazeTurn(arrow, openings, here, take=False),), 0)
        if _can_take_next(after, here):
            number, place = after.tokens[0]
            return Advice(
                (MazeTurn(arrow, openings, place, take=True),), token_worth(state, player, number), 0, (number,)
            )
    if stay is None:
        raise ValueError("No shift is possible in this state.")
    return stay


def best_pair(state: MasterState, player: int) -> Advice:
    """Return the turn, or the two turns with a wand between them, that gain the player most points.

    The wand's points are subtracted. Two turns are returned only if they gain more than a single one, and if
    the player may use a wand after the first one (M6) that is not promised to a rival (M7).
    """
    best = best_turn(state, player)
    promised = state.deal is not None and state.deal.token is None
    if not state.wand_may_follow or state.players[player].wands <= promised or not Position.of(state).tokens:
        return best
    wizard = state.wizards[player]
    for arrow, openings, after in Position.of(state).shifts():
        here = CARRIED[arrow][wizard]
        for takes, ends, left in turn_ends(after, here):
            second = _turn_taking_next(left, ends)
            if second is None:
                continue
            place, turn = second
            taken = (*((after.tokens[0][0],) if takes else ()), left.tokens[0][0])
            gain = sum(token_worth(state, player, number) for number in taken) - WAND_POINTS
            if gain > best.gain:
                best = Advice((MazeTurn(arrow, openings, place, takes), turn), gain, 0, taken)
    return best


def turn_moves(state: MasterState, player: int, turn: MazeTurn) -> tuple[Shift, Walk | Stay]:
    """Return the two moves of a turn: the shift, then the walk or stay."""
    stays = turn.place == CARRIED[turn.arrow][state.wizards[player]]
    return (
        Shift(player, turn.arrow, turn.openings),
        Stay(player) if stays else Walk(player, turn.place, turn.take),
    )


def on_formula(state: MasterState, player: int, number: int) -> bool:
    """Return whether a token is on a player's own formula card; False while the card is not noted."""
    return number in (state.players[player].formula or ())


def token_worth(state: MasterState, player: int, number: int) -> int:
    """Return the points of a token for a player, those of their own formula card included."""
    return number + FORMULA_POINTS * on_formula(state, player, number)


def _can_take_next(position: Position, here: int) -> bool:
    """Return whether a wizard at a place can walk to the next token without another shift."""
    if not position.tokens:
        return False
    place = position.tokens[0][1]
    return place != here and bool(position.maze.reached(here) >> place & 1)


def turn_ends(after: Position, here: int) -> Iterator[tuple[bool, int, Position]]:
    """Yield the ways to end a turn: whether the next token is taken, mask of the end places, position then.

    after: position after the turn's shift. here: place of the wizard after the shift.
    """
    if _can_take_next(after, here):
        yield True, 1 << after.tokens[0][1], after.without_next()
    yield False, after.maze.reached(here), after


def _turn_taking_next(position: Position, ends: int) -> tuple[int, MazeTurn] | None:
    """Return a place and a turn that takes the next token, made by a wizard that starts there; None without one.

    ends: mask of the places where it may start.
    """
    if not position.tokens:
        return None
    for arrow, openings, after in position.shifts():
        place = after.tokens[0][1]
        reached = after.maze.reached(place) & ~(1 << place)
        carried = CARRIED[arrow]
        for start in places(ends):
            if reached >> carried[start] & 1:
                return start, MazeTurn(arrow, openings, place, take=True)
    return None


def rival_gain(position: Position, rival: int) -> int:
    """Return the number of the next token, which is its points, if a rival can take it in one turn, else 0.

    rival: place of the rival's wizard.
    """
    if not position.tokens:
        return 0
    number = position.tokens[0][0]
    return (
        number if any(_can_take_next(after, CARRIED[arrow][rival]) for arrow, _, after in position.shifts()) else 0
    )
