"""Earlier moves corrected at the table: the difference is previewed, and just that is made."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.master.components import FORMULAS
from companion.games.master.game import MASTER
from companion.games.master.moves import EndGame, NoteFormula, Stay
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import ChooseColours, Hand, Lay, Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.session import Change, InsertedMove, Revision
from companion.table import SavedGames, Table
from companion.table.history.correction_previews import RevisionView
from companion.table.running_game import RunningGame
from companion.table.views import HistoryLine, Refused, SeatView

SEATS = (SeatView("Ada", "purple"), SeatView("Bruno", "green"), SeatView("Chie", "red"))


@pytest.fixture(name="table")
def _table(tmp_path: Path) -> Iterator[Table]:
    """A table whose game stands in its third round."""
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game(SEATS)
    rng = random.Random(3)
    while game_of(table).state.round < 3:
        table.play(random_move(game_of(table).state, rng), game_of(table).number)
    yield table
    table.close()


def game_of(table: Table) -> RunningGame:
    assert table.view.game is not None
    return table.view.game


def lines(table: Table, type: str) -> list[HistoryLine]:
    return [line for line in game_of(table).history if line.type == type]


def one_less(table: Table) -> Change:
    """The first reveal of the game, with one search piece less in the fullest hand."""
    was = table.corrections.earlier_move(lines(table, "reveal")[0].number, game_of(table).number)
    assert isinstance(was.move, Reveal)
    hands = list(was.move.hands)
    seat = max(range(3), key=lambda seat: hands[seat].search)
    hands[seat] = Hand(hands[seat].search - 1, hands[seat].witch, hands[seat].soul)
    return Change(was.number, Reveal(tuple(hands)))


def settled(table: Table, change: Change) -> RevisionView:
    """What a correction would change, once everything that it asks has been answered."""
    choices: list[InsertedMove] = []
    preview = table.corrections.what_if([change], choices, game_of(table).number)
    while preview.asked is not None:
        choices.append(InsertedMove(preview.asked.after, preview.asked.options[0].move))
        preview = table.corrections.what_if([change], choices, game_of(table).number)
    return preview


def test_no_correction_ends_a_game_to_show_what_is_still_secret(tmp_path: Path) -> None:
    table = Table(SavedGames(tmp_path / "games"), None, game="master")
    table.start_game(
        [SeatView("Ada", "red"), SeatView("Bo", "brown"), SeatView("Cy", "blue")], "hand", game="master"
    )
    shift = MASTER.legal_moves(game_of(table).state, 0)[0]
    for move in (NoteFormula(0, (11, 3, 14)), NoteFormula(1, (19, 7, 15)), shift, Stay(0)):
        table.play(move, game_of(table).number)
    latest = game_of(table).number
    table.play(MASTER.legal_moves(game_of(table).state, 1)[0], latest)
    for change, inserted in (
        (Change(latest, EndGame()), []),
        (Change(latest, Stay(0)), [InsertedMove(latest, EndGame())]),
    ):
        with pytest.raises(Refused, match="still secret"):
            table.corrections.what_if([change], inserted, game_of(table).number)
    table.close()


def test_a_formula_card_that_was_noted_in_play_is_corrected_by_another_card_after_it(tmp_path: Path) -> None:
    table = Table(SavedGames(tmp_path / "games"), None, game="master")
    table.start_game([SeatView("Ada", "red"), SeatView("Bo", "brown")], "hand", game="master")
    shift = MASTER.legal_moves(game_of(table).state, 0)[0]
    noted = (NoteFormula(0, (11, 3, 14)), NoteFormula(0, (1, 10, 13)), NoteFormula(1, (19, 7, 15)))
    for move in (*noted, shift, Stay(0), EndGame()):
        table.play(move, game_of(table).number)
    for line, move, other in zip(lines(table, "note_formula"), noted, (None, noted[0], None), strict=True):
        was = table.corrections.earlier_move(line.number, game_of(table).number)
        assert was.move == move
        offered = [NoteFormula(move.player, card) for card in FORMULAS]
        assert [option.move for option in was.options] == [one for one in offered if one != other]
        assert "20 · 17 · 3" in {option.text[-11:] for option in was.options}
    (shifted,) = lines(table, "shift")
    was = table.corrections.earlier_move(shifted.number, game_of(table).number)
    assert {option.move.type for option in was.options} == {"shift"}
    preview = settled(table, Change(lines(table, "note_formula")[1].number, NoteFormula(0, (20, 17, 3))))
    assert preview.complete
    assert [one.becomes for one in preview.changed] == ["Ada's formula card is 20 · 17 · 3"]
    table.close()


def test_an_earlier_move_is_listed_with_its_alternatives(table: Table) -> None:
    number = game_of(table).number
    lay, reveal, choice = (lines(table, type)[0] for type in ("lay", "reveal", "choose_colours"))
    was = table.corrections.earlier_move(lay.number, number)
    assert isinstance(was.move, Lay)
    assert was.bounds.lay is not None
    assert set(was.move.cards) <= set(was.bounds.lay.cards)
    assert table.corrections.earlier_move(reveal.number, number).before.stage.phase == "search"
    was = table.corrections.earlier_move(choice.number, number)
    assert isinstance(was.move, ChooseColours)
    assert was.move in [option.move for option in was.options]
    with pytest.raises(Refused, match="not a move that counts"):
        table.corrections.earlier_move(1, number)


def test_a_correction_two_rounds_back_is_previewed_and_then_made(table: Table) -> None:
    before = game_of(table)
    preview = settled(table, one_less(table))
    assert game_of(table) is before
    assert preview.complete
    (changed,), (followed,) = preview.changed, preview.followed
    assert changed.text == lines(table, "reveal")[0].text
    assert changed.becomes != changed.text
    assert followed.number == lines(table, "reveal")[3].number
    assert len(preview.chosen) == len(preview.choices)
    assert (preview.before.view.players, preview.before.scores) == (before.state.players, before.scores)
    table.corrections.correct(Revision(preview.changes, preview.dropped, preview.choices), before.number)
    now = game_of(table)
    assert (now.state.players, now.scores) == (preview.after.view.players, preview.after.scores)
    texts_now = {line.number: line.text for line in now.history}
    assert texts_now[changed.number] == changed.becomes
    assert texts_now[followed.number] == followed.becomes
    assert not {one.number for one in preview.fallen} & set(texts_now)
    assert len(now.history) == len(before.history) - len(preview.fallen) + len(preview.choices)
    assert preview.stands == sum(line.number > changed.number for line in before.history) - len(
        preview.followed
    ) - len(preview.fallen)


def test_a_correction_that_was_previewed_for_an_older_state_is_refused(table: Table) -> None:
    preview = settled(table, one_less(table))
    number = game_of(table).number
    table.undo(number)
    before = table.view
    with pytest.raises(Refused) as refusal:
        table.corrections.correct(Revision(preview.changes, preview.dropped, preview.choices), number)
    assert refusal.value.code == "stale"
    assert table.view == before


def test_nothing_falls_out_that_was_not_named(table: Table) -> None:
    preview = settled(table, one_less(table))
    assert preview.followed
    before = table.view
    with pytest.raises(Refused, match="would become illegal") as refusal:
        table.corrections.correct(
            Revision(preview.changes[:1], preview.dropped, preview.choices), game_of(table).number
        )
    assert refusal.value.code == "illegal"
    assert table.view == before


def test_an_equal_move_that_leaves_a_spell_unused_now_is_named(tmp_path: Path) -> None:
    table = Table(SavedGames(tmp_path / "games"), STANDIN)
    table.start_game(SEATS)
    rng = random.Random(4)
    while game_of(table).state.round < 3:
        table.play(random_move(game_of(table).state, rng), game_of(table).number)
    was = table.corrections.earlier_move(lines(table, "reveal")[4].number, game_of(table).number)
    assert isinstance(was.move, Reveal)
    *others, last = was.move.hands
    more = Hand(last.search + 1, last.witch, last.soul)
    preview = settled(table, Change(was.number, Reveal((*others, more))))
    asked_for = {change.entry for change in preview.changes}
    (altered,) = [one for one in preview.followed if one.number not in asked_for]
    assert altered.text == "Chie is done with the souls"
    assert altered.becomes == "Chie is done with the souls, one spell unused"
    later = [line for line in game_of(table).history if line.number > was.number]
    assert preview.stands == len(later) - len(preview.followed) - len(preview.fallen)
    table.close()
