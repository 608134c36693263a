"""Replays a whole game from its entries and checks it against the present rules. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibration.wording import say
from companion.session.entries import Entry, Stage, Started
from companion.session.errors import NoSuchEntry
from companion.session.timeline import Timeline


class ReplayMismatch(ValueError):
    """Entry `number` does not fit the present rules; the text is the reason."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


def timelines(entries: Sequence[Entry]) -> Iterator[Timeline]:
    """Yield the timeline after each entry of a game.

    Raises ReplayMismatch at the first entry that breaks the rules, or leads elsewhere than when it was played.
    """
    timeline: Timeline | None = None
    for number, entry in enumerate(entries, start=1):
        timeline = _after(timeline, entry, number)
        if (entry.number, entry.stage) != (number, Stage.of(timeline.state)):
            raise ReplayMismatch(number, say("it leads elsewhere than when it was played"))
        yield timeline


def replayed(entries: Sequence[Entry]) -> Timeline:
    """Return the timeline of a whole game. Raises ReplayMismatch."""
    latest: Timeline | None = None
    for timeline in timelines(entries):
        latest = timeline
    if latest is None:
        raise ReplayMismatch(1, say("it has no entries"))
    return latest


def _after(timeline: Timeline | None, entry: Entry, number: int) -> Timeline:
    try:
        if timeline is not None:
            return timeline.after(entry)
        if isinstance(entry, Started):
            return Timeline.begin(entry)
    except (ValueError, NoSuchEntry) as error:
        raise ReplayMismatch(number, str(error)) from None
    raise ReplayMismatch(number, say("it does not begin with the start of a game"))
