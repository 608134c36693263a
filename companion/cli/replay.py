"""`companion replay FILE`: print a saved game move by move, or read its frames again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from companion.cli.errors import Unusable
from companion.cli.profile_options import plain_errors
from companion.games.wicked import describe, final_scores
from companion.games.wicked.scoring.final_scores import GREAT_POINTS, POINTS, SMALL_POINTS, Score
from companion.games.wicked.state import State
from companion.session import Played, Revised, Seat, Session, SessionError, Started, Supplied, Timeline, Undone
from companion.session.archive import Archive, is_archive, read_archive
from companion.session.codec import ENTRY, SCORE

SavedGame = Session | Archive
"""A saved game: a journal or an exported file."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: every entry, then the scores.")
@click.option("--fixture", is_flag=True, help="Read an exported game's frames again, and compare.")
@click.option("--profile", "-p", metavar="NAME", help="With --fixture: this profile instead of the file's own.")
def replay(file: Path, as_json: bool, fixture: bool, profile: str | None) -> None:
    """Print a saved game move by move, with its scores.

    FILE is a journal or an exported game. With --fixture the exit code is 1 if a frame is read wrongly without
    needing confirmation.
    """
    try:
        if fixture:
            raise SystemExit(_reread(read_archive(file, file.name), profile, as_json))
        if profile is not None:
            raise click.UsageError("--profile can be used only with --fixture.")
        if is_archive(file):
            _print_game(read_archive(file, file.name), as_json)
            return
        with Session.open(file, read_only=True) as session:
            _print_game(session, as_json)
    except SessionError as error:
        raise Unusable(str(error)) from None


def _print_game(game: SavedGame, as_json: bool) -> None:
    for line in _json_lines(game) if as_json else _plain_lines(game):
        click.echo(line)


def _reread(archive: Archive, profile: str | None, as_json: bool) -> int:
    """Read an export's frames again, print a verdict for each, and return the exit code."""
    from calibration.profile import TableProfile
    from companion.table.history.frame_replay import VERDICTS, counts, profile_of, reread

    read = []
    with plain_errors():
        table_profile = profile_of(archive) if profile is None else TableProfile.load(profile)
        if table_profile is None:
            raise Unusable("This export contains no profile. Name the table's: --profile NAME")
        for one in reread(archive, table_profile):
            read.append(one)
            mistaken = f"\n{'':12}read as: {one.read}" if one.verdict == "wrong" else ""
            line = (
                json.dumps(asdict(one)) if as_json else f"{one.number:4}  {one.verdict:6}{one.expected}{mistaken}"
            )
            click.echo(line)
    if not read:
        raise Unusable("This export contains no frames: export the game with --fixture.")
    found = counts(read)
    if not as_json:
        click.echo(", ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS) + ".")
    return 1 if found["wrong"] else 0


def _json_lines(session: SavedGame) -> Iterator[str]:
    for text, timeline in _entry_lines(session):
        yield json.dumps({**ENTRY.to_data(timeline.entries[-1]), "text": text})
    scores = [
        {"name": session.seats[score.player].name, **SCORE.to_data(score)} for score in final_scores(session.state)
    ]
    yield json.dumps({"scores": scores, "final": session.state.phase == "over"})


def _plain_lines(session: SavedGame) -> Iterator[str]:
    shown = ""
    for text, timeline in _entry_lines(session):
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


def _entry_lines(session: SavedGame) -> Iterator[tuple[str, Timeline]]:
    """Yield every journal entry as one line of text, with the timeline after it."""
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
                suffix = f" ({moves[entry.entry]})" if entry.entry in moves else ""
                text = f"Entry {entry.entry} is undone{suffix}"
            case Supplied():
                text = f"A correction adds a choice after entry {entry.after}"
            case Revised():
                text = _correction(entry, timeline, names)
        yield text, timeline


def _correction(entry: Revised, timeline: Timeline, names: Sequence[str]) -> str:
    """Return a correction and its consequences as one line."""
    texts = {step.number: describe(step.before, step.move, names) for step in timeline.steps}
    lines = [
        f"Entry {change.entry} is corrected: {texts[change.entry]}"
        if change.move is not None
        else f"Entry {change.entry} is removed"
        for change in entry.changes
    ]
    lines += [f"entry {number} no longer fits and is removed" for number in entry.dropped]
    lines += [f"then {texts[number]}" for number in entry.supplied]
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
