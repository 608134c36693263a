"""Previews of corrections for screens: possible replacements of an earlier move, and their consequences. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from calibration.translatable import say
from companion.games.game import OVER, Game, Score, Viewer
from companion.session import Change, InsertedMove, NoSuchEntry, Played, Session, Stage, Step, WhatIf
from companion.table.running_game import options_of
from companion.table.views import Option, Refused

SECRET = say("That move is secret until the game is over. Then it can be looked at and corrected.")
"""Error line about a move that the viewer may not know yet."""
DISCLOSING = say("The preview of that change would show what is still secret. Undo the latest moves instead.")
"""Error line about a correction that would go beyond the present round of a game with secrets, or end it."""


@dataclass(frozen=True, slots=True)
class GameSnapshot:
    """What a viewer may know of one state of a game."""

    stage: Stage
    """How far the game is."""
    view: Any
    """What the game's rules show to the viewer."""
    scores: tuple[Score, ...]
    """Points of the players, by seat."""

    @classmethod
    def of(cls, record: Game[Any, Any, Any], state: Any, viewer: Viewer) -> GameSnapshot:
        """Return what the viewer may know of a state. record: the rules of its game."""
        return cls(record.stage(state), record.view(state, viewer), record.final_scores(state))


@dataclass(frozen=True, slots=True)
class EarlierMove:
    """A move that was made, with its possible replacements."""

    number: int
    """Number of its journal entry."""
    text: str
    """The move as a line."""
    move: Any
    """The move."""
    evidence: bool
    """A picture is stored with it."""
    before: GameSnapshot
    """The state that it was made in."""
    options: tuple[Option, ...] = ()
    """Moves that the same player could have made in its place, as far as the viewer may know them."""
    bounds: Any = None
    """Limits of a move whose alternatives are too many to list; see `Game.bounds`."""


@dataclass(frozen=True, slots=True)
class ChangedMove:
    """One move before and after a correction."""

    number: int
    """Number of its journal entry."""
    text: str
    """The move before the correction, as a line."""
    becomes: str = ""
    """The move after the correction, as a line; "" for one that is removed."""
    why: str = ""
    """Why the move becomes illegal; "" where it does not."""


@dataclass(frozen=True, slots=True)
class MissingChoice:
    """A choice that a player has to make before a correction is complete."""

    after: int
    """Number of the journal entry after which the choice is inserted."""
    player: int
    """Seat of the player."""
    before: GameSnapshot
    """The state in which the choice is made."""
    options: tuple[Option, ...]
    """Moves to choose from."""


@dataclass(frozen=True, slots=True)
class RevisionView:
    """What a correction would change; nothing has changed yet."""

    complete: bool
    """Whether the correction can be made, with no choice or correction missing."""
    changes: tuple[Change, ...]
    """Replacements of moves; to be sent back unchanged to make the correction."""
    dropped: tuple[int, ...]
    """Numbers of entries that it removes; to be sent back unchanged."""
    choices: tuple[InsertedMove, ...]
    """Moves that it inserts; to be sent back unchanged."""
    changed: tuple[ChangedMove, ...]
    """The requested changes, in order."""
    followed: tuple[ChangedMove, ...]
    """Later moves that the rules change as a consequence, or whose effect changes."""
    fallen: tuple[ChangedMove, ...]
    """Later moves that become illegal and are removed."""
    chosen: tuple[str, ...]
    """The inserted moves, a line each."""
    stands: int
    """Number of other moves that stay as they are."""
    before: GameSnapshot
    """The game as it is."""
    after: GameSnapshot
    """The game with the correction."""
    asked: MissingChoice | None = None
    """The choice that is missing, None for none."""
    blocked: EarlierMove | None = None
    """A later move that has to be corrected as well, None for none."""
    why: str = ""
    """Why the move in `blocked` is illegal after the correction, else ""."""


def earlier_move(session: Session, number: int, viewer: Viewer = None) -> EarlierMove:
    """Return the move of the journal entry with this number, and its possible replacements.

    Raises NoSuchEntry for an entry that was undone or is no move, `Refused` if the viewer may not know the move.
    """
    step = next((step for step in session.steps if step.number == number), None)
    if step is None:
        raise NoSuchEntry(
            say("Entry {number} is not a move that counts, so it cannot be corrected.", number=number)
        )
    return _with_replacements(session, step, step.before, viewer)


def revision_view(
    session: Session, changes: Sequence[Change], choices: Sequence[InsertedMove], viewer: Viewer = None
) -> RevisionView:
    """Return the preview of a correction. changes: replacements of earlier moves. choices: moves to insert.

    Raises IllegalMove where a change or choice itself breaks the rules, NoSuchEntry where an entry is no move that
    counts, and `Refused` where the viewer may not know one of the moves.
    """
    record, names = session.game, session.names
    requested = {change.entry: change.move for change in changes}
    for step in session.steps:
        if step.number in requested:
            _check_visible(session, step, viewer)
    result = session.what_if(changes, choices)
    _check_nothing_secret_shown(session, result, viewer)

    def line(step: Step[Any, Any], now: Any) -> str:
        return record.describe(step, now, names, viewer)

    def reason(text: str) -> str:
        return record.with_names(text, session.state, names)

    was = {step.number: line(step, session.state) for step in result.before}
    # An inserted move has the number of the one it follows.
    first: dict[int, str] = {}
    for step in result.after:
        first.setdefault(step.number, line(step, result.state))
    followed = {one.entry for one in result.followed}
    named = {*requested, *followed, *result.revision.dropped}
    kept = sorted(({step.number for step in result.after} & set(was)) - named)
    # The same move may lead to something else now: a piece is left unused, say.
    altered = [number for number in kept if first[number] != was[number]]

    def changed(number: int, why: str = "") -> ChangedMove:
        gone = bool(why) or (number in requested and requested[number] is None)
        return ChangedMove(number, was[number], "" if gone else first.get(number, ""), why)

    return RevisionView(
        complete=result.complete,
        changes=result.revision.changes,
        dropped=result.revision.dropped,
        choices=result.revision.choices,
        changed=tuple(changed(change.entry) for change in changes if change.entry in was),
        followed=tuple(changed(number) for number in sorted({*altered, *followed})),
        fallen=tuple(changed(one.step.number, reason(one.reason)) for one in result.dropped),
        chosen=tuple(
            line(step, result.state)
            for place, step in enumerate(result.after)
            if step.number not in was or step.number in {each.number for each in result.after[:place]}
        ),
        stands=len(kept) - len(altered),
        before=GameSnapshot.of(record, session.state, viewer),
        after=GameSnapshot.of(record, result.state, viewer),
        asked=_missing_choice(session, result, viewer) if result.asked else None,
        blocked=None
        if result.blocked is None
        else _with_replacements(session, result.blocked.step, result.blocked.before, viewer),
        why="" if result.blocked is None else reason(result.blocked.reason),
    )


def _missing_choice(session: Session, result: WhatIf, viewer: Viewer) -> MissingChoice:
    """Return the choice that the correction still lacks: that of the first player in `result.asked`."""
    player, state = result.asked[0], result.state
    options = options_of(session.game, state, session.state, player, session.names, viewer)
    return MissingChoice(result.last, player, GameSnapshot.of(session.game, state, viewer), options)


def _with_replacements(session: Session, step: Step[Any, Any], before: Any, viewer: Viewer) -> EarlierMove:
    """Return a step's move with its possible replacements in the state `before`, in which it is made.

    A move that may be made beside the turns of others is replaced by another one of these only. Raises `Refused`
    where the viewer may not know the move.
    """
    _check_visible(session, step, viewer)
    record, names = session.game, session.names
    entry, actor = session.entries[step.number - 1], record.actor(step.move)
    possible = () if actor is None else options_of(record, before, session.state, actor, names, viewer)
    owner = record.concurrent_owner
    return EarlierMove(
        number=step.number,
        text=record.describe(step, session.state, names, viewer),
        move=step.move,
        evidence=isinstance(entry, Played) and entry.evidence,
        before=GameSnapshot.of(record, before, viewer),
        options=tuple(option for option in possible if owner(option.move) == owner(step.move)),
        bounds=record.bounds(before) if actor is None else None,
    )


def _check_nothing_secret_shown(session: Session, result: WhatIf, viewer: Viewer) -> None:
    """Raise `Refused` where a correction or its preview would show what the viewer may not know yet."""
    record = session.game
    now, then = record.stage(session.state), record.stage(result.state)
    hidden = session.timeline.hides_something or record.unknown_to_all(session.state)
    later = then.phase == OVER or then.round > now.round
    if (hidden and later) or any(
        record.evidence_visible(step, result.state, viewer)
        and not record.evidence_visible(step, session.state, viewer)
        for step in session.steps
    ):
        raise Refused("not_now", DISCLOSING)
    named = {change.entry for change in result.revision.changes} | set(result.revision.dropped)
    known = {step.number for step in result.before}
    for step in (*result.before, *result.after):
        concerned = step.number in named or step.number not in known
        if concerned and not record.evidence_visible(step, session.state, viewer):
            raise Refused("not_allowed", SECRET)


def _check_visible(session: Session, step: Step[Any, Any], viewer: Viewer) -> None:
    """Raise `Refused` for a move that the viewer may not know yet."""
    if not session.game.evidence_visible(step, session.state, viewer):
        raise Refused("not_allowed", SECRET)
