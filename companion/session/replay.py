"""Replays a whole game from its entries and checks it against the present rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from calibration.translatable import say
from companion.games.game import Game
from companion.session.entries import Entry, M, Started
from companion.session.errors import NoSuchEntry
from companion.session.timeline import S, Timeline


class ReplayMismatch(ValueError):
    """Entry `number` does not fit the present rules; the text is the reason."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def timelines(game: Game[S, M, Any], entries: Sequence[Entry[M]]) -> Iterator[Timeline[S, M]]:
    """Yield the game as it was after each of its entries: the moves that counted and the states.

    Raises ReplayMismatch at the first entry that breaks the rules, or that leads to another phase than when it was
    played. Versions of a game may count its rounds differently.
    """
    timeline: Timeline[S, M] | None = None
    for number, entry in enumerate(entries, start=1):
        timeline = _next_timeline(game, timeline, entry, number)
        if (entry.number, entry.stage.phase) != (number, game.stage(timeline.state).phase):
            raise ReplayMismatch(number, say("it leads to another state than when it was played"))
        yield timeline


def replayed(game: Game[S, M, Any], entries: Sequence[Entry[M]]) -> Timeline[S, M]:
    """Return the game after its last entry: the moves that count and the states. Raises ReplayMismatch."""
    latest: Timeline[S, M] | None = None
    for timeline in timelines(game, entries):
        latest = timeline
    if latest is None:
        raise ReplayMismatch(1, say("it has no entries"))
    return latest


def _next_timeline(
    game: Game[S, M, Any], timeline: Timeline[S, M] | None, entry: Entry[M], number: int
) -> Timeline[S, M]:
    """Return the timeline with one more entry. Raises ReplayMismatch.

    timeline: before it; None before the first entry. number: of the entry.
    """
    try:
        if timeline is not None:
            return timeline.after(entry)
        if isinstance(entry, Started):
            return Timeline.begin(game, entry)
    except (ValueError, NoSuchEntry) as error:
        raise ReplayMismatch(number, str(error)) from None
    raise ReplayMismatch(number, say("it does not begin with the start of a game"))
