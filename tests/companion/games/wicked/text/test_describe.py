"""Every move is described in one plain line."""

from __future__ import annotations

import pytest

from companion.games.wicked import WickedState, describe, new_game
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.text.notation import read_move
from tests.companion.games.wicked.scenarios import NAMES, board, search_phase, soul_phase

BOARD = soul_phase(board("rrg/rrgby/r", promotion=1, colour_change=1, small=("S01", "S05", "S09"), great=("G07",)))


@pytest.mark.parametrize(
    ("state", "line", "text"),
    [
        (
            search_phase("C22"),
            "reveal 4s 0 3w",
            "Corridor 1 of round 1, red and blue over green: "
            "Ada 4 + soul's sign, Ben 0 and Cleo 3 + witch's sign; Ada 1st, Cleo 2nd",
        ),
        (
            search_phase("C04"),
            "reveal 2 2 1",
            "Corridor 1 of round 1, colour change over red: "
            "Ada 2, Ben 2 and Cleo 1; a tie: Ada and Ben 2nd, nobody 1st",
        ),
        (
            search_phase("C01"),
            "reveal 0 0s 0",
            "Corridor 1 of round 1, yellow over green: Ada 0, Ben 0 + soul's sign and Cleo 0; nobody searches it",
        ),
        (search_phase(), "1 colours rbr", "Ben takes two red and one blue for white"),
        (search_phase(), "2 keep rrrrgb", "Cleo keeps four red, one green and one blue"),
        (BOARD, "0 promote red middle", "Ada promotes: of two middle red tokens one rises to high"),
        (
            BOARD,
            "0 promote red low for blue",
            "Ada promotes: of two low red tokens one rises to middle in place of blue",
        ),
        (BOARD, "0 promotion red middle", "Ada spends a promotion spell: a middle red token rises to high"),
        (BOARD, "0 promotion nothing", "Ada spends a promotion spell: without effect"),
        (BOARD, "0 change high red blue", "Ada spends a colour-change spell: a high red token turns blue"),
        (BOARD, "0 change nothing", "Ada spends a colour-change spell: without effect"),
        (
            BOARD,
            "0 small S05 colours y",
            "Ada achieves a small oracle (low red + low red + low green); takes one yellow",
        ),
        (
            BOARD,
            "0 small S09 keep rrggbb",
            "Ada achieves a small oracle (high red); takes one green and one blue; "
            "keeps two red, two green and two blue",
        ),
        (
            BOARD,
            "0 small S01 lift red middle for green",
            "Ada achieves a small oracle (middle red + middle green + low blue); "
            "a middle red token rises to high in place of green",
        ),
        (
            BOARD,
            "0 small S01",
            "Ada achieves a small oracle (middle red + middle green + low blue); its promotion is lost",
        ),
        (BOARD, "0 great G07", "Ada achieves a great oracle (high red + red)"),
        (BOARD, "0 done", "Ada is done with the souls, two spells unused"),
        (BOARD, "1 done", "Ben is done with the souls"),
        (
            new_game(3, STANDIN),
            "deal G01,G02/S01,S02 G03,G04/S03,S04 G05,G06/S05,S06",
            "Oracle cards are dealt: Ada high red + green, high red + blue, "
            "middle red + middle green + low blue and middle green + middle blue + low yellow; "
            "Ben high red + yellow, high green + blue, middle blue + middle yellow + low red and "
            "middle yellow + middle red + low green; Cleo high green + yellow, high blue + yellow, "
            "low red + low red + low green and low green + low green + low blue",
        ),
        (
            new_game(3, STANDIN),
            "lay C01 C02 C03 C04",
            "Round 1 begins with the corridors yellow over green, promotion over green, "
            "white over blue and colour change over red",
        ),
    ],
)
def test_a_move_is_described_in_plain_words(state: WickedState, line: str, text: str) -> None:
    assert describe(state, read_move(line), NAMES[: len(state.players)]) == text
