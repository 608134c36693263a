"""Corrections of earlier moves for screens: possible replacements and their effects. Pure."""

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
    """The open state of a game."""

    phase: Phase
    round: int
    corridor: int
    corridors: tuple[str, ...]
    players: tuple[Player, ...]
    scores: tuple[Score, ...]

    @classmethod
    def of(cls, state: State) -> GameSnapshot:
        """Return the snapshot of a state."""
        return cls(state.phase, state.round, state.corridor, state.corridors, state.players, final_scores(state))


@dataclass(frozen=True, slots=True)
class EarlierMove:
    """A move that was made, with its possible replacements."""

    number: int
    text: str
    move: Move
    evidence: bool
    before: GameSnapshot
    """The state that it was made in; a reveal may be any hands of what is held there."""
    options: tuple[Option, ...] = ()
    """Other moves of the same player."""
    deal: DealChoice | None = None
    """The choice of cards then."""
    lay: LayChoice | None = None
    """The choice of cards then."""


@dataclass(frozen=True, slots=True)
class ChangedMove:
    """One move before and after a correction."""

    number: int
    text: str
    becomes: str = ""
    """"" for one that is removed."""
    why: str = ""
    """Why a dropped move is illegal, else ""."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a player has to choose before a correction is complete; the choice is inserted after entry `after`."""

    after: int
    player: int
    before: GameSnapshot
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class RevisionView:
    """What a correction would change; nothing has changed yet."""

    complete: bool
    changes: tuple[Change, ...]
    """To be sent back unchanged to make the correction."""
    dropped: tuple[int, ...]
    """To be sent back unchanged to make the correction."""
    choices: tuple[Choice, ...]
    """To be sent back unchanged to make the correction."""
    changed: tuple[ChangedMove, ...]
    """The requested changes, in order."""
    followed: tuple[ChangedMove, ...]
    """Changes that follow by the rules."""
    fallen: tuple[ChangedMove, ...]
    """Moves that become illegal."""
    chosen: tuple[str, ...]
    """Inserted choices, a line each."""
    stands: int
    """Number of later moves that stay."""
    before: GameSnapshot
    after: GameSnapshot
    asked: Asked | None = None
    """What has to be chosen first."""
    blocked: EarlierMove | None = None
    """What has to be corrected as well."""
    why: str = ""
    """Why that move is blocked, else ""."""


def earlier_move(session: Session, number: int) -> EarlierMove:
    """Return a move that counts with its possible replacements. Raises NoSuchEntry."""
    step = next((step for step in session.steps if step.number == number), None)
    if step is None:
        raise NoSuchEntry(
            say("Entry {number} is not a move that counts, so it cannot be corrected.", number=number)
        )
    return _earlier(session, step, step.before)


def revision_view(session: Session, changes: Sequence[Change], choices: Sequence[Choice]) -> RevisionView:
    """Return what a correction would change.

    Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry.
    """
    result = session.what_if(changes, choices)
    names, players = _names(session), session.state.players
    was = {step.number: describe(step.before, step.move, names) for step in result.before}
    # An inserted move has the number of the one it follows.
    first: dict[int, str] = {}
    for step in result.after:
        first.setdefault(step.number, describe(step.before, step.move, names))
    requested = {change.entry: change.move for change in changes}
    named = {*requested, *(one.entry for one in result.followed), *result.revision.dropped}
    kept = {step.number for step in result.after} & set(was)

    def changed(number: int, why: str = "") -> ChangedMove:
        gone = bool(why) or (number in requested and requested[number] is None)
        return ChangedMove(number, was[number], "" if gone else first.get(number, ""), why)

    return RevisionView(
        complete=result.complete,
        changes=result.revision.changes,
        dropped=result.revision.dropped,
        choices=result.revision.choices,
        changed=tuple(changed(change.entry) for change in changes if change.entry in was),
        followed=tuple(changed(change.entry) for change in result.followed),
        fallen=tuple(changed(one.step.number, by_name(one.reason, players, names)) for one in result.dropped),
        chosen=tuple(
            describe(step.before, step.move, names)
            for place, step in enumerate(result.after)
            if step.number not in was or step.number in {each.number for each in result.after[:place]}
        ),
        stands=len(kept - named),
        before=GameSnapshot.of(session.state),
        after=GameSnapshot.of(result.state),
        asked=_asked(result.state, result.last, result.asked[0], names) if result.asked else None,
        blocked=None if result.blocked is None else _earlier(session, result.blocked.step, result.blocked.before),
        why="" if result.blocked is None else by_name(result.blocked.reason, players, names),
    )


def _asked(state: State, after: int, player: int, names: Sequence[str]) -> Asked:
    return Asked(after, player, GameSnapshot.of(state), _options(state, player, names))


def _earlier(session: Session, step: Step[State, Move], before: State) -> EarlierMove:
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
