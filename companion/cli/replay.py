"""`companion replay JOURNAL`: a finished or broken-off game, move by move."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from companion.cli.errors import Unusable
from companion.games.wicked import describe, final_scores
from companion.games.wicked.scoring import GREAT_POINTS, POINTS, SMALL_POINTS, Score
from companion.games.wicked.state import State
from companion.session import Played, Revised, Seat, Session, SessionError, Started, Supplied, Timeline, Undone
from companion.session.codec import ENTRY, SCORE


@click.command()
@click.argument("journal", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: every entry, then the scores.")
def replay(journal: Path, as_json: bool) -> None:
    """Tell a saved game move by move, with its final or present scores."""
    try:
        with Session.open(journal, read_only=True) as session:
            for line in _json_lines(session) if as_json else _plain_lines(session):
                click.echo(line)
    except SessionError as error:
        raise Unusable(str(error)) from None


def _json_lines(session: Session) -> Iterator[str]:
    for text, timeline in _told(session):
        yield json.dumps({**ENTRY.to_data(timeline.entries[-1]), "text": text})
    scores = [
        {"name": session.seats[score.player].name, **SCORE.to_data(score)} for score in final_scores(session.state)
    ]
    yield json.dumps({"scores": scores, "final": session.state.phase == "over"})


def _plain_lines(session: Session) -> Iterator[str]:
    shown = ""
    for text, timeline in _told(session):
        entry = timeline.entries[-1]
        if isinstance(entry, Played):
            heading = _heading(timeline.steps[-1].before)
            if heading != shown:
                yield f"\n{heading}"
                shown = heading
        yield f"{entry.number:4}  {text}"
    yield "\nFinal scores" if session.state.phase == "over" else "\nScores if the game ended now"
    for score in sorted(final_scores(session.state), key=lambda score: score.place):
        yield _score(score, session.seats[score.player])


def _told(session: Session) -> Iterator[tuple[str, Timeline]]:
    """Tell every entry in one plain line, with what stood after it."""
    names = [seat.name for seat in session.seats]
    moves: dict[int, str] = {}
    for timeline in session.timelines():
        entry = timeline.entries[-1]
        match entry:
            case Started():
                players = ", ".join(f"{seat.name} ({seat.colour})" for seat in entry.seats)
                shuffled = "cards from a real table" if entry.seed is None else f"shuffled with seed {entry.seed}"
                text = f"{entry.time:%Y-%m-%d %H:%M} UTC: {players}; deck {entry.deck.name}, {shuffled}"
            case Played():
                text = describe(timeline.steps[-1].before, entry.move, names)
                moves[entry.number] = text
            case Undone():
                told = f" ({moves[entry.entry]})" if entry.entry in moves else ""
                text = f"Entry {entry.entry} is undone{told}"
            case Supplied():
                text = f"A correction needs a choice after entry {entry.after}"
            case Revised():
                text = _correction(entry, timeline, names)
        yield text, timeline


def _correction(entry: Revised, timeline: Timeline, names: Sequence[str]) -> str:
    """Tell a correction with all that changes by it, as it stands then."""
    told = {step.number: describe(step.before, step.move, names) for step in timeline.steps}
    lines = [
        f"Entry {change.entry} is corrected: {told[change.entry]}"
        if change.move is not None
        else f"Entry {change.entry} is taken out"
        for change in entry.changes
    ]
    lines += [f"entry {number} falls out" for number in entry.dropped]
    lines += [f"then {told[number]}" for number in entry.supplied]
    return "; ".join(lines)


def _heading(before: State) -> str:
    if before.phase == "deal":
        return "Preparation"
    return f"Round {before.round}, souls" if before.phase == "soul" else f"Round {before.round}, search"


def _score(score: Score, seat: Seat) -> str:
    parts = [
        f"{points} for {count} {what}"
        for count, each, what in (
            (score.low, POINTS["low"], "low"),
            (score.middle, POINTS["middle"], "middle"),
            (score.high, POINTS["high"], "high"),
            (score.great, GREAT_POINTS, "great oracle" if score.great == 1 else "great oracles"),
            (score.small, SMALL_POINTS, "small oracle" if score.small == 1 else "small oracles"),
        )
        if (points := count * each)
    ]
    impurity = f" - {score.impurity_left} impurity" if score.impurity_left else ""
    arithmetic = f" = {' + '.join(parts) or 'nothing'}{impurity}" if parts or impurity else ""
    return f"{score.place:4}. {seat.name} ({seat.colour}): {_points(score.total)}{arithmetic}"


def _points(total: int) -> str:
    return "1 point" if total == 1 else f"{total} points"
