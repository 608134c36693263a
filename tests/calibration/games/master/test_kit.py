"""The kit agrees with the rules' components."""

from __future__ import annotations

from calibration.games.master.kit import KIT
from companion.games.master import components


def test_the_box_holds_what_the_rules_need() -> None:
    pieces = KIT.pieces_needed(("red", "white"))
    assert [kind for kind in pieces if kind.startswith("token:")] == [f"token:{n}" for n in components.TOKENS]
    assert (pieces["wizard:red"], pieces["wizard:white"], pieces["wand"]) == (1, 1, 2 * components.WANDS)
    assert "wizard:blue" not in pieces
    assert KIT.figures == components.COLOURS
    assert KIT.cards_needed(3) == {"formula": 3}


def test_each_formula_card_can_be_enrolled_and_nothing_else() -> None:
    sort = KIT.card_sorts["formula"]
    for numbers in components.FORMULAS:
        values = {"numbers": tuple(map(str, numbers))}
        assert sort.allows(values)
        assert sort.is_complete(values)
    assert not sort.allows({"numbers": ("21", "1", "2")})
    assert not sort.is_complete({"numbers": ("1", "2")})
