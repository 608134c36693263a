"""`companion replay FILE`: print a saved game move by move, or read its frames again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from companion.cli.errors import Unusable
from companion.cli.profile_options import plain_errors
from companion.games.game import OVER, Score, round_of
from companion.session import (
    Played,
    Revised,
    Seat,
    Session,
    SessionError,
    Started,
    Step,
    Supplied,
    Timeline,
    Undone,
)
from companion.session.archive import Archive, is_archive, read_archive
from companion.session.codec import codecs

SavedGame = Session | Archive
"""A saved game: a journal or an exported file."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line: every entry, then the scores.")
@click.option("--fixture", is_flag=True, help="Read an exported game's frames again, and compare.")
@click.option("--profile", "-p", metavar="NAME", help="With --fixture: this profile instead of the file's own.")
def replay(file: Path, as_json: bool, fixture: bool, profile: str | None) -> None:
    """Print a saved game's moves and scores.

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


def _print_game(saved: SavedGame, as_json: bool) -> None:
    """Print the game's moves and scores. Raises Unusable for JSON of a running game with secrets."""
    if as_json and saved.timeline.journal_hides_something:
        raise Unusable("This game hides something until it is over. Print it as JSON then.")
    for line in _json_lines(saved) if as_json else _plain_lines(saved):
        click.echo(line)


def _reread(archive: Archive, profile: str | None, as_json: bool) -> int:
    """Read an export's frames again and print a verdict for each; return the exit code, 1 if any is read wrongly.

    profile: name of the profile to read with; None for the one in the export.
    """
    from calibration.profile import TableProfile
    from companion.table.history.replay_evaluation import VERDICTS, profile_in, reread_frames, verdict_counts

    read = []
    with plain_errors():
        table_profile = profile_in(archive) if profile is None else TableProfile.load(profile)
        if table_profile is None:
            raise Unusable("This export contains no profile. Name the table's: --profile NAME")
        for one in reread_frames(archive, table_profile):
            read.append(one)
            mistaken = f"\n{'':12}read as: {one.read}" if one.verdict == "wrong" else ""
            line = (
                json.dumps(asdict(one)) if as_json else f"{one.number:4}  {one.verdict:6}{one.expected}{mistaken}"
            )
            click.echo(line)
    if not read:
        raise Unusable("This export contains no frames: export the game with --fixture.")
    found = verdict_counts(read)
    if not as_json:
        click.echo(", ".join(f"{found[verdict]} {verdict}" for verdict in VERDICTS) + ".")
    return 1 if found["wrong"] else 0


def _json_lines(saved: SavedGame) -> Iterator[str]:
    """Yield each journal entry as JSON, then the scores."""
    entry_codec = codecs(saved.game).entry
    for text, timeline in _entry_lines(saved):
        yield json.dumps({**entry_codec.to_data(timeline.entries[-1]), "text": text})
    scores = [
        {
            "name": saved.seats[score.player].name,
            "player": score.player,
            **{line.id: line.count for line in score.lines},
            "total": score.total,
            "place": score.place,
            "decided_by": score.decided_by,
        }
        for score in saved.game.final_scores(saved.state)
    ]
    yield json.dumps({"scores": scores, "final": _is_over(saved)})


def _plain_lines(saved: SavedGame) -> Iterator[str]:
    """Yield each journal entry as text, with a heading per round, then the scores."""
    shown = 0
    for text, timeline in _entry_lines(saved):
        entry = timeline.entries[-1]
        if isinstance(entry, Played):
            number = round_of(timeline.game, timeline.steps[-1])
            if number != shown:
                yield f"\nRound {number}"
                shown = number
        yield f"{entry.number:4}  {text}"
    yield "\nFinal scores" if _is_over(saved) else "\nScores if the game ended now"
    for score in sorted(saved.game.final_scores(saved.state), key=lambda score: score.place):
        yield _score_line(score, saved.seats[score.player])


def _is_over(saved: SavedGame) -> bool:
    return saved.game.stage(saved.state).phase == OVER


def _entry_lines(saved: SavedGame) -> Iterator[tuple[str, Timeline]]:
    """Yield, for every journal entry, its description and the game's timeline up to this entry."""
    moves: dict[int, str] = {}
    for timeline in saved.timelines():
        entry = timeline.entries[-1]
        match entry:
            case Started():
                players = ", ".join(f"{seat.name} ({seat.figure})" for seat in entry.seats)
                text = f"{entry.time:%Y-%m-%d %H:%M} UTC: {timeline.game.title}; {players}"
            case Played():
                text = moves[entry.number] = _description(saved, timeline.steps[-1])
            case Undone():
                suffix = f" ({moves[entry.entry]})" if entry.entry in moves else ""
                text = f"Entry {entry.entry} is undone{suffix}"
            case Supplied():
                text = f"A correction adds a choice after entry {entry.after}"
            case Revised():
                text = _correction(saved, entry, timeline)
        yield text, timeline


def _description(saved: SavedGame, step: Step[Any, Any]) -> str:
    """Return a move in words, with what everybody may read of it in the saved game's last state."""
    return saved.game.describe(step, saved.state, [seat.name for seat in saved.seats], None)


def _correction(saved: SavedGame, entry: Revised, timeline: Timeline) -> str:
    """Return one line that describes a correction and all that changes by it."""
    texts = {step.number: _description(saved, step) for step in timeline.steps}
    lines = [
        f"Entry {change.entry} is corrected: {texts[change.entry]}"
        if change.move is not None
        else f"Entry {change.entry} is removed"
        for change in entry.changes
    ]
    lines += [f"entry {number} no longer fits and is removed" for number in entry.dropped]
    lines += [f"then {texts[number]}" for number in entry.supplied]
    return "; ".join(lines)


def _score_line(score: Score, seat: Seat) -> str:
    """Return one line with a player's place, points and what they consist of."""
    terms = ", ".join(f"{line.name} {line.points}" for line in score.lines if line.points)
    arithmetic = f": {terms}" if terms else ""
    return f"{score.place:4}. {seat.name} ({seat.figure}), {_points(score.total)}{arithmetic}"


def _points(total: int) -> str:
    return "1 point" if total == 1 else f"{total} points"
