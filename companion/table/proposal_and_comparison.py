"""What the latest readings mean in the present state: a waiting proposal, and a comparison with the journal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

from calibration.translatable import say
from companion.games.game import Game
from companion.referee.finding import Comparison, Finding, OfferedCorrection, Replacement
from companion.session import Entry, Played, Session, Undone
from companion.table.pictures.pictures_of_reading import Pictures
from companion.table.reading.frame_reader import RequestKind
from companion.table.reading.proposal_confirmation import with_unchecked_hands
from companion.table.refusals import STALE
from companion.table.views import ComparisonView, CorrectionOffer, Refused, SeatDoubt
from companion.table.waiting_proposal import WaitingProposal, question_views


@dataclass(frozen=True)
class WaitingComparison:
    """A comparison of the whole table with the journal, for one state of the game."""

    id: str
    """Id of the comparison."""
    number: int
    """Number of the state that it was made for."""
    comparison: Comparison[Any]
    """The differences."""
    pictures: Pictures
    """Pictures that it was read from."""

    def view(self) -> ComparisonView:
        """Return the comparison as screens show it."""
        one = self.comparison
        return ComparisonView(
            id=self.id,
            number=self.number,
            differences=one.differences,
            problems=one.problems,
            points=one.points,
            verdict=one.verdict,
            replacement=one.replacement is not None,
            corrections=tuple(
                CorrectionOffer(offer.text, tuple(change.entry for change in offer.revision.changes))
                for offer in one.corrections
            ),
        )


class CurrentFinding:
    """Holds at most one proposal and one comparison, both for the present state. Used under the table's lock.

    game: whose moves are proposed. clock: monotonic seconds. delay: length of a certain proposal's countdown, s.
    """

    def __init__(self, game: Game[Any, Any, Any], clock: Callable[[], float], delay: float) -> None:
        self._game = game
        self._clock, self._delay = clock, delay
        self._made = 0
        self._dismissed: tuple[Any, ...] | None = None
        """Likeliest moves of the proposal that a person dismissed, until something else is read."""
        self.pending: WaitingProposal | None = None
        self.compared: WaitingComparison | None = None
        self.unread = ""
        """One line about why the readings gave no proposal, or ""."""
        self.unread_where: tuple[int, ...] = ()
        """Places on the game's board that `unread` concerns."""

    @property
    def counts_down(self) -> bool:
        """Whether a countdown runs, at whose end the proposal is entered if new pictures confirm it."""
        return self.pending is not None and self.pending.due is not None

    @property
    def asks(self) -> bool:
        """Whether a person has to answer the proposal before reading goes on; never for one of the whole table."""
        return self.pending is not None and self.pending.due is None and not self.pending.of_whole_table

    def discard_all(self) -> WaitingProposal | None:
        """Discard the proposal and the comparison; return the discarded proposal, None if there was none."""
        dropped, self.pending, self.compared = self.pending, None, None
        self.unread, self.unread_where, self._dismissed = "", (), None
        return dropped

    def pending_with_id(self, id: str) -> WaitingProposal:
        """Return the waiting proposal. Raises `Refused` ("stale") if it has another id, or none waits."""
        if self.pending is None or self.pending.id != id:
            raise Refused("stale", STALE)
        return self.pending

    def chosen_moves(self, id: str, choices: Sequence[int | None]) -> tuple[Any, ...]:
        """Return the moves that a person's answers to the proposal of this id stand for.

        choices: for each question, the index of the chosen answer; None enters no move for it.
        Raises `Refused` where no move is chosen, or an answer that was not offered.
        """
        try:
            moves = self.pending_with_id(id).proposal.moves(choices)
        except ValueError:
            raise Refused("bad_request", say("Choose one answer for every player.")) from None
        except IndexError:
            raise Refused("bad_request", say("That answer was not among those offered.")) from None
        if not moves:
            raise Refused("not_now", say("There is nothing to take: no move was chosen."))
        return moves

    def correction(self, id: str, index: int | None) -> OfferedCorrection | Replacement[Any]:
        """Return one of the corrections that the comparison with this id offers. Raises `Refused` if it does not.

        index: of one of `Comparison.corrections`; None for the offer to replace the latest phase's moves as read.
        """
        if self.compared is None or self.compared.id != id:
            raise Refused("stale", STALE)
        offered = self.compared.comparison
        if index is not None and 0 <= index < len(offered.corrections):
            return offered.corrections[index]
        if index is None and offered.replacement is not None:
            return offered.replacement
        raise Refused("bad_request", say("That correction was not among those offered."))

    def picture(self, id: str, seat: int | None) -> bytes | None:
        """Return a JPEG of the proposal or comparison with this id, None if there is none.

        seat: whose hand or board is shown, enlarged; None for the whole picture.
        """
        named = next((one for one in (self.pending, self.compared) if one is not None and one.id == id), None)
        return None if named is None else named.pictures.of_seat(seat)

    def hold(self) -> bool:
        """Stop the countdown for good, so that a person has to answer; return whether that changed anything."""
        if self.pending is None or self.pending.held:
            return False
        self.pending = self.pending.hold()
        return True

    def stop(self, id: str) -> None:
        """Hold the proposal with this id: nothing is read until a person answers it. Raises `Refused` ("stale")."""
        self.pending = replace(self.pending_with_id(id).hold(), until_answered=True)

    def interrupt(self) -> bool:
        """Stop the countdown of a proposal that was read from the whole table; return whether one was running.

        Unlike after `hold`, the next reading of the whole table may start a new one.
        """
        if self.pending is None or self.pending.due is None or not self.pending.of_whole_table:
            return False
        self.pending = replace(self.pending, due=None)
        return True

    def ask_about_hands(self) -> None:
        """Stop the proposal's countdown and ask a person: the hands left before new pictures could confirm it."""
        if self.pending is not None:
            now = with_unchecked_hands(self.pending.proposal)
            first, *others = self.pending.questions
            doubted = replace(first, doubts=tuple(SeatDoubt(*doubt) for doubt in now.questions[0].doubts))
            self.pending = replace(self.pending, proposal=now, questions=(doubted, *others), due=None)

    def dismiss(self, id: str) -> None:
        """Discard the proposal or comparison with this id. Raises `Refused` ("stale") if there is none.

        The moves of a dismissed proposal are not entered without an answer before something else was read, and not
        offered from a table at rest, of which the same picture is read again and again.
        """
        waiting = self.pending is not None and self.pending.id == id
        compared = self.compared is not None and self.compared.id == id
        if not waiting and not compared:
            raise Refused("stale", STALE)
        if waiting and self.pending is not None:
            self._dismissed, self.pending = self.pending.proposal.likeliest, None
        self.compared = None if compared else self.compared

    def offer(
        self,
        session: Session,
        finding: Finding[Any],
        kind: RequestKind,
        period: int,
        pictures: Pictures | None = None,
        *,
        may_count: bool = True,
        held: bool = False,
    ) -> bool:
        """Store the proposal and comparison of new readings (`finding`); return whether screens have to be updated.

        kind: what was read. period: number of the still interval that was read. may_count: whether a certain
        proposal gets a countdown. held: whether a person had stopped the countdown of the same reading before.
        """
        self._made += 1
        id = f"{session.id}:{session.number}:{self._made}"
        pictures = pictures or Pictures()
        if finding.comparison is not None:
            self.compared = WaitingComparison(id, session.number, finding.comparison, pictures)
        proposal, of_whole_table = finding.proposal, kind == "whole_table"
        if not of_whole_table:
            self.unread, self.unread_where = finding.unread, finding.where
        if finding.supersedes:
            self._dismissed = None
            if self.pending is not None and self.pending.kind == kind:
                self.pending = None
        if proposal is None or not (proposal.answerable or of_whole_table):
            if of_whole_table and self.pending is not None and self.pending.of_whole_table:
                self.pending = None
            return True
        if self.pending is not None and self.pending.offers_the_same(proposal):
            self.pending = replace(self.pending, period=period)
            return finding.comparison is not None
        dismissed = proposal.likeliest == self._dismissed
        if dismissed and kind == "at_rest":
            return True
        if not dismissed:
            self._dismissed = None
        due = self._clock() + self._delay if proposal.certain and may_count else None
        questions = question_views(self._game, session, proposal)
        pending = WaitingProposal(
            id, session.number, proposal, due, kind, period=period, pictures=pictures, questions=questions
        )
        undone = repeats_undone(session.entries, proposal.likeliest, self._game.concurrent_owner)
        self.pending = pending.hold() if held or dismissed or undone else pending
        return True

    def add_pictures(self, pictures: Callable[[], Pictures]) -> None:
        """Add pictures to the proposal, unless it has some.

        pictures: draws them, slowly, so called only if needed.
        """
        if self.pending is not None and self.pending.pictures.whole is None:
            self.pending = replace(self.pending, pictures=pictures())


def repeats_undone(entries: Sequence[Entry], moves: Sequence[Any], owner: Callable[[Any], int | None]) -> bool:
    """Return whether a person has to confirm proposed moves, because they resemble moves that were just undone.

    That is so if one of them equals a move that was undone since the journal's last move, or belongs to the same
    player. entries: the journal, oldest first. owner: returns the seat of the only player whom a move concerns,
    else None.
    """
    named: set[int] = set()
    for entry in takewhile(lambda entry: not isinstance(entry, Played), reversed(entries)):
        if isinstance(entry, Undone) and entry.number not in named:  # otherwise the undo itself was undone
            named.add(entry.entry)
    undone = [one.move for one in (entries[number - 1] for number in named) if isinstance(one, Played)]
    owners = {owner(move) for move in undone} - {None}
    return any(move in undone or owner(move) in owners for move in moves)
