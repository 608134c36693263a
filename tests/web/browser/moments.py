"""Every kind of view that the table page shows in a game, one after another, at their fullest.

The rules are real; what a camera would bring about (questions, boards that were read, a message) is published as
the table publishes it, so that the longest lines and the most buttons come up for every number of players.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.games.wicked.bots.random_moves import random_cards, random_hand, random_move
from companion.games.wicked.moves import FinishSoul, Hand, Move, Reveal
from companion.games.wicked.state import WickedState
from companion.session.game_settings import GameSettings
from companion.table.running_game import RunningGame
from companion.table.views import (
    CameraView,
    ChoiceView,
    ComparisonView,
    DirectorView,
    ProposalView,
    QuestionView,
    SeatDoubt,
    SeatView,
)
from tests.web.small_table import SmallTable
from vision.cameras.orientation_correction import Orientation

SEATS = (
    SeatView("Ada", "purple"),
    SeatView("Bruno", "green"),
    SeatView("Maximiliana-Josephin", "red"),
    SeatView("Chie", "black"),
    SeatView("Emil", "yellow"),
)
WATCHING = CameraView("watching")
HINDERED = CameraView(
    "hindered",
    "The camera does not see the table where it was. Clear its view, put it back, or show the sheet again.",
)
UPSIDE_DOWN = CameraView(
    "hindered",
    "The picture is upside down, so nothing is read. Turn it, or the camera.",
    correction=Orientation(quarters=2),
)
DIRECTOR = DirectorView(True, 1.0, "The bots process their souls.", 12, 3, 1, 1)


def moments(table: SmallTable, players: int, seed: int = 4) -> Iterator[str]:
    """Play a game to its end; yield the name of each moment while the table shows it."""
    rng = random.Random(seed)
    table.change(
        comparison=None, proposal=None, camera=WATCHING, director=DIRECTOR, settings=GameSettings(hints=True)
    )
    table.start_game(SEATS[:players])
    yield "deal"
    deal = random_cards(_state(table), rng)
    table.propose(deal)
    yield "deal-read"
    table.play(deal, _number(table))
    yield "lay"
    lay = random_cards(_state(table), rng)
    table.propose(lay, random_cards(_state(table), rng), certain=False)
    yield "lay-asked"
    table.play(lay, _number(table))
    table.change(comparison=ComparisonView(number=_number(table)))
    yield "search"
    yield from _reveals(table, rng)
    yield from _to_souls(table, rng)
    yield from _souls(table)
    with table.publishing_once():
        while _state(table).phase != "over":
            table.play(random_move(_state(table), rng), _number(table))
        table.change(comparison=None)
    yield "over"


def moments_by_hand(table: SmallTable, seed: int = 4) -> Iterator[str]:
    """Play a begun game by hand to a full pad, and on to one below a result that is still shown large."""
    rng = random.Random(seed)
    table.change(camera=CameraView("no_camera"), settings=GameSettings(way="hand"))
    while _state(table).phase != "search":
        table.play(random_cards(_state(table), rng), _number(table))
    yield "pad"
    seats = range(len(table.seats))
    table.play(Reveal(tuple(Hand(seat + 1, witch=1, soul=seat % 2) for seat in seats)), _number(table))
    while _state(table).phase == "gain":
        table.play(random_move(_state(table), rng), _number(table))
    yield "pad-with-result"


def _reveals(table: SmallTable, rng: random.Random) -> Iterator[str]:
    """Show one reveal as it is read, asked about and entered, and what a camera says between two."""
    state = _state(table)
    seats = range(len(state.players))
    first = tuple(random_hand(state, seat, rng) for seat in seats)
    others = [
        tuple(random_hand(state, seat, rng) if seat in (1, 2) else first[seat] for seat in seats) for _ in "abc"
    ]
    likely = [Reveal(hands) for hands in (first, *others)]
    table.propose(likely[0])
    yield "reveal-read"
    assert table.view.proposal is not None
    table.proposals.hold(table.view.proposal.id, _number(table))
    yield "reveal-stopped"
    doubts = tuple(
        SeatDoubt(seat, f"{one.name}: four search pieces and a witch's sign, or five search pieces?")
        for seat, one in enumerate(table.seats)
    )[1:3]
    table.propose(*likely, certain=False, doubts=doubts)
    yield "reveal-asked"
    table.play(likely[0], _number(table))
    yield "result"
    table.change(camera=HINDERED)
    yield "hindered"
    table.change(camera=UPSIDE_DOWN)
    yield "upside-down"
    table.change(camera=WATCHING)


def _to_souls(table: SmallTable, rng: random.Random) -> Iterator[str]:
    """Play on to the second round's soul phase, where boards are full; yield once where gains are chosen."""
    with table.publishing_once():
        while _state(table).phase != "gain":
            table.play(random_move(_state(table), rng), _number(table))
    yield "gain"
    with table.publishing_once():
        while (state := _state(table)).phase != "soul" or state.round < 2:
            move = FinishSoul(_waiting(table)) if state.phase == "soul" else random_move(state, rng)
            table.play(move, _number(table))


def _waiting(table: SmallTable) -> int:
    """Return the first seat that the table waits for."""
    return _game(table).waiting_for[0]


def _souls(table: SmallTable) -> Iterator[str]:
    number = _number(table)
    table.change(comparison=ComparisonView(number=number))
    yield "souls"
    done = tuple(
        QuestionView(seat, (ChoiceView((FinishSoul(seat),), (f"{one.name} is done.",)),))
        for seat, one in enumerate(table.seats)
    )
    read = ProposalView("b1", number, True, False, 2.6, done, host_only=True)
    compared = ComparisonView("b1", number)
    table.change(proposal=read, comparison=compared)
    yield "souls-read"
    question = "What lies on the middle row?"
    unsure = tuple(
        replace(one, doubts=(SeatDoubt(seat, f"{table.seats[seat].name}: {question}"),))
        for seat, one in enumerate(done)
    )
    trouble = "The boards have moved. They are read again when nothing moves."
    table.change(
        proposal=replace(read, questions=unsure, certain=False, due=False),
        comparison=replace(compared, trouble=trouble),
    )
    yield "souls-asked"
    table.change(comparison=ComparisonView(number=number))
    table.play(FinishSoul(_waiting(table)), number)
    yield "souls-one-done"


def _game(table: SmallTable) -> RunningGame[WickedState, Move]:
    assert table.view.game is not None
    return table.view.game


def _state(table: SmallTable) -> WickedState:
    state: WickedState = _game(table).state
    return state


def _number(table: SmallTable) -> int:
    return _game(table).number
