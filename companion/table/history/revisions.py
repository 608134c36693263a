"""Earlier moves as screens correct them: what can stand in their place, and what that would change. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.wording import say
from companion.games.wicked import describe, final_scores, legal
from companion.games.wicked.moves import Deal, Lay, Move, Reveal
from companion.games.wicked.rules.legal_moves import DealChoice, LayChoice
from companion.games.wicked.scoring.final_scores import Score
from companion.games.wicked.state import Phase, Player, State
from companion.games.wicked.text.words import by_name
from companion.session import Change, Choice, NoSuchEntry, Played, Session, Step
from companion.table.views import Option


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """How everybody stands at some moment of the game, by seat."""

    phase: Phase
    round: int
    corridor: int
    corridors: tuple[str, ...]
    players: tuple[Player, ...]
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, state: State) -> GameSnapshot:
        """Tell how everybody stands in a state."""
        return cls(state.phase, state.round, state.corridor, state.corridors, state.players, final_scores(state))


@dataclass(frozen=True, slots=True)
class EarlierMove:
    """A move that was made, and what could be in its place.

    before: as everybody stood then. options: what the same player could do instead; deal, lay: the choice of
    cards then. A reveal is any hands of what each player still holds in `before`.
    """

    number: int
    text: str
    move: Move
    evidence: bool
    before: GameSnapshot
    options: tuple[Option, ...] = ()
    deal: DealChoice | None = None
    lay: LayChoice | None = None


@dataclass(frozen=True, slots=True)
class ChangedMove:
    """One move of the game before and after a correction; `becomes` is empty for one that is taken out.

    why: what the rules say about a move that falls out, else empty.
    """

    number: int
    text: str
    becomes: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a player has to choose before a correction is complete; the choice comes after entry `after`."""

    after: int
    player: int
    before: GameSnapshot
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class RevisionView:
    """What a correction would change; nothing has changed yet.

    changes, dropped, choices: to be sent back as they are to make it. changed: in the order in which they were
    asked for, and then what follows by the rules (`followed`). chosen: what comes in, in one line each. asked,
    blocked: what has to be chosen, or corrected as well, first. stands: how many later moves stay as they are.
    """

    complete: bool
    changes: tuple[Change, ...]
    dropped: tuple[int, ...]
    choices: tuple[Choice, ...]
    changed: tuple[ChangedMove, ...]
    followed: tuple[ChangedMove, ...]
    fallen: tuple[ChangedMove, ...]
    chosen: tuple[str, ...]
    stands: int
    before: GameSnapshot
    after: GameSnapshot
    asked: Asked | None = None
    blocked: EarlierMove | None = None
    why: str = ""


def earlier_move(session: Session, number: int) -> EarlierMove:
    """Tell a move that counts with what could be in its place. Raises NoSuchEntry."""
    step = next((step for step in session.steps if step.number == number), None)
    if step is None:
        raise NoSuchEntry(
            say("Entry {number} is not a move that counts, so it cannot be corrected.", number=number)
        )
    return _earlier(session, step, step.before)


def revision_view(session: Session, changes: Sequence[Change], choices: Sequence[Choice]) -> RevisionView:
    """Tell what a correction would change.

    Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry.
    """
    told = session.what_if(changes, choices)
    names, players = _names(session), session.state.players
    was = {step.number: describe(step.before, step.move, names) for step in told.before}
    # A move that comes in bears the number of the one it follows, and comes after it.
    first: dict[int, str] = {}
    for step in told.after:
        first.setdefault(step.number, describe(step.before, step.move, names))
    wanted = {change.entry: change.move for change in changes}
    named = {*wanted, *(one.entry for one in told.followed), *told.revision.dropped}
    kept = {step.number for step in told.after} & set(was)

    def changed(number: int, why: str = "") -> ChangedMove:
        gone = bool(why) or (number in wanted and wanted[number] is None)
        return ChangedMove(number, was[number], "" if gone else first.get(number, ""), why)

    return RevisionView(
        complete=told.complete,
        changes=told.revision.changes,
        dropped=told.revision.dropped,
        choices=told.revision.choices,
        changed=tuple(changed(change.entry) for change in changes if change.entry in was),
        followed=tuple(changed(change.entry) for change in told.followed),
        fallen=tuple(changed(one.step.number, by_name(one.reason, players, names)) for one in told.dropped),
        chosen=tuple(
            describe(step.before, step.move, names)
            for place, step in enumerate(told.after)
            if step.number not in was or step.number in {each.number for each in told.after[:place]}
        ),
        stands=len(kept - named),
        before=GameSnapshot.of(session.state),
        after=GameSnapshot.of(told.state),
        asked=_asked(told.state, told.last, told.asked[0], names) if told.asked else None,
        blocked=None if told.blocked is None else _earlier(session, told.blocked.step, told.blocked.before),
        why="" if told.blocked is None else by_name(told.blocked.reason, players, names),
    )


def _asked(state: State, after: int, player: int, names: Sequence[str]) -> Asked:
    return Asked(after, player, GameSnapshot.of(state), _options(state, player, names))


def _earlier(session: Session, step: Step, before: State) -> EarlierMove:
    names = _names(session)
    move = step.move
    entry = session.entries[step.number - 1]
    allowed = legal(before) if isinstance(move, (Deal, Lay)) else None
    return EarlierMove(
        number=step.number,
        text=describe(step.before, move, names),
        move=move,
        evidence=isinstance(entry, Played) and entry.evidence,
        before=GameSnapshot.of(before),
        options=() if isinstance(move, (Deal, Lay, Reveal)) else _options(before, move.player, names),
        deal=None if allowed is None else allowed.deal,
        lay=None if allowed is None else allowed.lay,
    )


def _options(state: State, player: int, names: Sequence[str]) -> tuple[Option, ...]:
    return tuple(Option(move, describe(state, move, names)) for move in legal(state).for_player(player))


def _names(session: Session) -> tuple[str, ...]:
    return tuple(seat.name for seat in session.seats)
