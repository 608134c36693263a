from __future__ import annotations

from companion.adapters.wicked.scoring.scoresheet import ScoresheetRow, scoresheet


def test_players_may_have_the_same_name_or_that_of_a_colour() -> None:
    rows = [ScoresheetRow("Anna", high=2), ScoresheetRow("Anna", low=3), ScoresheetRow("red", low=3, impurity=1)]
    made = scoresheet(rows)
    assert [score.total for score in made.scores] == [10, 3, 2]
    assert [score.place for score in made.scores] == [1, 2, 3]
    assert str(made.line).startswith("Anna wins with 10 points.")


def test_a_player_named_as_a_colour_keeps_that_name_in_every_language() -> None:
    line = scoresheet([ScoresheetRow("red", high=2), ScoresheetRow("low", low=3), ScoresheetRow("Anna")]).line
    in_portuguese = {"red": "vermelho", "low": "baixo"}
    text = line.translated(lambda part: in_portuguese.get(part, part.template))
    assert text == "red wins with 10 points. Ahead of low by 7 points."
