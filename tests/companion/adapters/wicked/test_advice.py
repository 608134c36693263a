"""Hints and the reminder at a table: as the host chose, kept with the game, and no part of its journal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.wicked import apply
from companion.games.wicked.adviser import SoulAdvice, advise
from companion.games.wicked.moves import FinishSoul, acting_player
from companion.games.wicked.scoring.final_scores import points
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.session import Session
from companion.session.game_settings import GameSettings
from companion.table import SavedGames, Table
from tests.companion.adapters.wicked.services import services_of
from tests.companion.table.playing import SEATS, game_of, to_souls
from tests.refusals import refused

HINTS = GameSettings(hints=True)


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game(SEATS)
    yield table
    table.close()


def test_a_new_game_has_no_hints_but_reminds(table: Table) -> None:
    assert table.view.settings == GameSettings(hints=False, reminders=True)
    to_souls(table)
    with refused("not_now", "Hints are off at this table. The host can switch them on under More."):
        services_of(table).advice.hint(0)


def test_a_hint_leads_to_the_points_that_it_tells(table: Table) -> None:
    to_souls(table)
    table.settings.choose(HINTS)
    advised = 0
    for seat in range(len(SEATS)):
        hint, state = services_of(table).advice.hint(seat), game_of(table).state
        for step in hint.steps:
            state = apply(state, step.move)
            assert step.text
        if hint.steps:
            assert str(points(state.players[seat])) in hint.line
            advised += 1
        else:
            assert hint.line == "Nothing more would make this board better."
    assert advised


def test_who_is_done_leaves_what_lies_open_or_goes_back(table: Table) -> None:
    to_souls(table)
    left = {seat: services_of(table).advice.forgotten(seat) for seat in range(len(SEATS))}
    assert any(one.moves and one.line.endswith(".") for one in left.values())
    seat = next(seat for seat, one in left.items() if one.moves)
    table.play(left[seat].moves[0], game_of(table).number)
    assert services_of(table).advice.forgotten(seat) != left[seat]
    table.play(FinishSoul(seat), game_of(table).number)
    assert services_of(table).advice.forgotten(seat).line == ""
    table.settings.choose(GameSettings(reminders=False))
    assert all(not services_of(table).advice.forgotten(other).moves for other in range(len(SEATS)))


def test_the_choice_stays_with_its_game_and_out_of_its_journal(table: Table, tmp_path: Path) -> None:
    first, number = game_of(table).id, game_of(table).number
    assert table.settings.choose(HINTS) == GameSettings()
    assert table.view.settings == HINTS
    assert game_of(table).number == number
    table.start_game(SEATS)
    assert table.view.settings == GameSettings()
    table.close()
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_game(first)
    assert again.view.settings == HINTS
    again.close()
    with Session.open(tmp_path / "games" / f"{first}.journal", read_only=True) as session:
        assert len(session.entries) == number


@pytest.mark.parametrize("content", [b"", b"nonsense", b'{"hints": 1}', b'{"hints": true, "more": 2}', b" " * 9000])
def test_a_damaged_choice_is_as_in_a_new_game(table: Table, tmp_path: Path, content: bytes) -> None:
    id = game_of(table).id
    table.settings.choose(HINTS)
    (tmp_path / "games" / f"{id}.settings").write_bytes(content)
    table.close()
    again = Table(SavedGames(tmp_path / "games"), STANDIN)
    again.resume_game(id)
    assert again.view.settings == GameSettings()
    again.close()


def test_a_choice_that_cannot_be_kept_is_refused_and_changes_nothing(table: Table, tmp_path: Path) -> None:
    (tmp_path / "games" / f"{game_of(table).id}.settings").mkdir()
    with refused("not_now", "could not be saved"):
        table.settings.choose(HINTS)
    assert table.view.settings == GameSettings()


def test_there_is_no_advice_outside_the_soul_phase_nor_for_nobody(table: Table) -> None:
    table.settings.choose(HINTS)
    with refused("not_now", "soul phase"):
        services_of(table).advice.hint(0)
    to_souls(table)
    for nobody in (-1, len(SEATS)):
        with refused("bad_request", "Nobody sits there"):
            services_of(table).advice.hint(nobody)
        with refused("bad_request", "Nobody sits there"):
            services_of(table).advice.forgotten(nobody)


def test_the_same_board_is_thought_about_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counting(state: WickedState, seat: int) -> SoulAdvice:
        asked.append(seat)
        return advise(state, seat)

    monkeypatch.setattr("companion.adapters.wicked.advice_service.advise", counting)
    to_souls(table)
    table.settings.choose(HINTS)
    for _ in range(3):
        services_of(table).advice.hint(0)
        services_of(table).advice.forgotten(0)
    services_of(table).advice.hint(1)
    assert asked == [0, 1]
    steps = services_of(table).advice.hint(0).steps or services_of(table).advice.hint(1).steps
    move = steps[0].move
    table.play(move, game_of(table).number)
    seat = acting_player(move)
    assert seat is not None
    services_of(table).advice.hint(seat)
    assert asked == [0, 1, seat]
