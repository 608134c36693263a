from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.translatable import Line, say
from companion.adapters.wicked.boards.possible_scores import MOST_IMPURITY
from companion.adapters.wicked.scoring import scoring_state as scoring
from companion.adapters.wicked.scoring.board_import import board_of, imported_boards
from companion.adapters.wicked.scoring.scoring_state import GreatCard, OpenDoubt, Row, ScoredBoard, Scoring
from companion.adapters.wicked.scoring.storage import ScoringStore, from_json, to_json
from companion.games.wicked.components import (
    ANIMALS,
    COLOURS,
    ORACLES_DEALT,
    PLAYER_COLOURS,
    RANKS,
    SPOTS,
    Colour,
    Rank,
)
from companion.games.wicked.moves import Hand
from companion.games.wicked.scoring.final_scores import final_scores, winners
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer, WickedState
from companion.table.views import Refused
from vision.games.wicked.readings import (
    BoardReading,
    BoardsReading,
    GreatReading,
    ImpurityReading,
    SmallReading,
    SpaceReading,
    SpotReading,
    TokenGuess,
    card_count_message,
)

BOX = (0.0, 0.0, 10.0, 10.0)
CORNERS = ((0.0, 0.0), (10.0, 0.0), (10.0, 7.0), (0.0, 7.0))


def reading(
    board: str = "purple",
    lying: dict[str, Colour] | None = None,
    why: dict[str, str] | None = None,
    great: tuple[GreatReading, ...] = (),
    reasons: tuple[str, ...] = (),
    impurity: int = 0,
) -> BoardReading:
    """A board that was read. lying: tokens by spot, "low:0"; why: what is doubtful, by part."""
    lying, why = lying or {}, why or {}
    spots = tuple(
        SpotReading(rank, k, lying.get(f"{rank}:{k}"), 0.9, BOX, why.get(f"{rank}:{k}", ""))
        for rank in RANKS
        for k in range(SPOTS[rank])
    )
    spaces = tuple(SpaceReading(name, 0, 0.9, BOX, why.get(name, "")) for name in ("promotion", "colour_change"))
    small = SmallReading(1, ("S04",), reason=why.get("small", ""))
    tiles = ImpurityReading(impurity, reason=why.get("impurity", ""))
    return BoardReading(board, None, spots, spaces, great, small, tiles, 0.9, BOX, CORNERS, reasons)


def card(name: str, achieved: bool, why: str = "") -> GreatReading:
    return GreatReading(name, achieved, ("red", "red") if achieved else (), 0.9, CORNERS, why)


def seen(*boards: BoardReading) -> BoardsReading:
    return BoardsReading(boards)


def three() -> Scoring:
    return scoring.with_players(Scoring(), 3)


def names(now: Scoring) -> list[str]:
    return [board.name for board in now.boards]


def test_a_board_appears_as_it_was_read() -> None:
    read = reading(
        lying={"low:1": "red", "high:3": "blue"},
        great=(card("G03", True), card("G01", False)),
        impurity=4,
    )
    (board,) = imported_boards(three(), seen(read)).scoring.boards
    assert board.low == (None, "red", None, None, None, None)
    assert board.high == (None, None, None, "blue")
    assert board.great == (GreatCard("G01", False), GreatCard("G03", True))
    assert (board.small, board.impurity, board.doubts) == (1, 4, ())


def test_what_is_doubtful_stands_there_once_with_its_reason() -> None:
    why = say("red or blue")
    glare = say("Light shines on this board.")
    read = reading(
        why={"low:2": why, "impurity": say("lay them apart")},
        great=(card("G01", False, say("a part of it is not in the picture")),),
        reasons=(
            say("Look at the spot {spot}: {why}.", spot="low 3", why=why),
            say("Look at the impurity beside this board: {why}.", why="lay them apart"),
            say("Look at the card {card}: {why}.", card="G01", why="a part of it is not in the picture"),
            glare,
        ),
    )
    doubts = board_of(read, "b1").doubts
    assert [doubt.about for doubt in doubts] == ["low:2", "impurity", "great:0", "board:0"]
    assert doubts[0].text == "low 3: red or blue"
    assert doubts[3].text == glare


def test_more_than_can_be_is_cut_to_what_can_be_and_is_doubtful() -> None:
    read = replace(reading(impurity=60), small=SmallReading(3))
    board = board_of(read, "b1")
    assert (board.small, board.impurity) == (ORACLES_DEALT, MOST_IMPURITY)
    assert [doubt.about for doubt in board.doubts] == ["small", "impurity"]


def test_correcting_a_part_settles_its_doubt_and_no_other() -> None:
    read = reading(
        why={"low:2": "red or blue", "small": "hard to tell", "promotion": "one or two"},
        great=(card("G01", False, "a token beside it"), card("G02", False)),
    )
    now = imported_boards(three(), seen(read)).scoring
    (board,) = now.boards
    now = scoring.with_spot(now, board.id, "low", 2, "blue")
    now = scoring.with_number(now, board.id, "small", 2)
    now = scoring.with_great(now, board.id, 0, True)
    (board,) = now.boards
    assert (board.low[2], board.small, board.great[0].achieved) == ("blue", 2, True)
    assert [doubt.about for doubt in board.doubts] == ["promotion"]
    assert scoring.without_doubt(now, board.id, "promotion").boards[0].doubts == ()


def test_a_board_that_is_there_already_is_refused_and_others_of_the_picture_are_taken() -> None:
    now = imported_boards(three(), seen(reading("purple"))).scoring
    with pytest.raises(Refused, match="purple board is already added"):
        imported_boards(now, seen(reading("purple")))
    taken = imported_boards(now, seen(reading("purple"), reading("red")))
    assert names(taken.scoring) == ["purple", "red"]
    assert [id for id, _ in taken.read] == ["b2"]
    assert taken.lines[0] == "The red board was read."
    assert "already added" in taken.lines[-1]
    assert imported_boards(three(), seen(reading("purple"), reading("red"))).lines == (
        "These boards were read: purple and red.",
    )
    assert imported_boards(taken.scoring, seen(reading("black"))).lines == ()


def test_photographing_again_replaces_that_board_alone() -> None:
    now = imported_boards(three(), seen(reading("purple"), reading("red"))).scoring
    old = now.boards[0]
    taken = imported_boards(now, seen(reading("red"), reading("purple", {"low:0": "red"})), old.id)
    assert names(taken.scoring) == ["purple", "red"]
    assert taken.scoring.boards[0].low[0] == "red"
    assert taken.scoring.boards[1] == now.boards[1]
    with pytest.raises(Refused) as refused:
        scoring.with_spot(taken.scoring, old.id, "low", 0, None)
    assert refused.value.code == "stale"
    with pytest.raises(Refused, match="shows black, not purple"):
        imported_boards(now, seen(reading("black")), old.id)


@pytest.mark.parametrize(
    ("read", "why"),
    [
        (BoardsReading((), (say("No enrolled board is seen."),)), "No enrolled board is seen"),
        (seen(replace(reading(), spots=reading().spots[:-1])), "other spots"),
    ],
)
def test_pictures_of_nothing_and_of_strange_boards_are_refused(read: BoardsReading, why: str) -> None:
    with pytest.raises(Refused, match=why):
        imported_boards(three(), read)


def test_a_picture_with_more_boards_than_players_is_refused_as_a_whole() -> None:
    whole = seen(*map(reading, PLAYER_COLOURS[:4]))
    for now in (three(), imported_boards(three(), seen(reading("purple"), reading("black"))).scoring):
        with pytest.raises(Refused, match="there are 4 boards, but 3 play"):
            imported_boards(now, whole)
    assert names(imported_boards(scoring.with_players(three(), 4), whole).scoring) == list(PLAYER_COLOURS[:4])


def test_a_card_beside_two_boards_is_doubtful_until_somebody_has_looked() -> None:
    first = reading("purple", great=(card("G01", True), card("G02", False)))
    second = reading("red", great=(card("G01", True), card("G03", False)))
    now = imported_boards(three(), seen(first, second)).scoring
    assert [len(board.doubts) for board in now.boards] == [0, 1]
    assert "only one of it" in now.boards[1].doubts[0].text


def test_nobody_wins_before_every_board_is_there_and_nothing_is_open_that_could_change_it() -> None:
    now = imported_boards(three(), seen(reading("purple", {"high:0": "red"}), reading("red"))).scoring
    assert scoring.score_standing(now).missing == 1
    assert "1 board is missing" in scoring.score_standing(now).line
    glare = "Light is reflected on this board."
    doubtful = imported_boards(now, seen(reading("black", reasons=(glare,)))).scoring
    held = scoring.score_standing(doubtful)
    assert (held.sure, held.open) == (False, 1)
    assert held.line.startswith("The winner is not certain: as read, Wolf leads")
    assert held.line.endswith("Check: Cat.")
    clear = scoring.score_standing(scoring.without_doubt(doubtful, "b3", "board:0"))
    assert clear.sure
    assert clear.line.startswith("Wolf wins with ")


def uncertain_red(
    impurity: int, others: tuple[tuple[int, float], ...], lying: dict[str, Colour] | None = None
) -> BoardReading:
    """The red board, of whose impurity more than one number may be true."""
    why = say("the tiles cannot be counted clearly: lay them apart in rows")
    tiles = ImpurityReading(impurity, reason=why, alternatives=others)
    question = say("Look at the impurity beside this board: {why}.", why=why)
    return replace(reading("red", lying), impurity=tiles, reasons=(question,))


def with_red(red: BoardReading) -> Scoring:
    lying: dict[str, Colour] = {"high:0": "red", "high:1": "blue"}
    return imported_boards(three(), seen(reading("purple", lying), red, reading("black"))).scoring


def test_whoever_wins_whichever_of_several_numbers_is_true_is_called_the_winner() -> None:
    now = scoring.score_standing(with_red(uncertain_red(4, ((5, 0.2),))))
    assert (now.sure, now.open) == (True, 1)
    assert now.line == "Wolf wins with 12 points. What is still uncertain cannot change that."
    assert now.weighed.totals == ((12, 12), (-3, -2), (2, 2))


def test_where_it_depends_what_it_depends_on_is_named_and_settling_it_names_the_winner() -> None:
    higher: dict[str, Colour] = {"high:0": "red", "high:1": "blue", "high:2": "red"}
    depends = with_red(uncertain_red(4, ((6, 0.2),), higher))
    now = scoring.score_standing(depends)
    assert (now.sure, now.open, now.weighed.totals[1]) == (False, 1, (11, 13))
    assert now.line == "Wolf or Eagle can win. It depends on Eagle (impurity 4, 5 or 6)."
    four, six = (scoring.with_number(depends, "b2", "impurity", number) for number in (4, 6))
    assert scoring.score_standing(four).line.startswith("Eagle wins with 13 ")
    assert scoring.score_standing(six).line.startswith("Wolf wins with ")


def test_impurity_without_a_number_may_be_any() -> None:
    higher: dict[str, Colour] = {"high:0": "red", "high:1": "blue", "high:2": "red"}
    behind, ahead = (scoring.score_standing(with_red(uncertain_red(4, (), high))) for high in (None, higher))
    assert (behind.sure, behind.weighed.totals[1]) == (True, None)
    assert (ahead.sure, ahead.line) == (False, "Wolf or Eagle can win. It depends on Eagle (impurity).")


def test_doubts_that_change_no_points_are_not_counted() -> None:
    guess = SpotReading("low", 2, "red", 0.7, BOX, "red or blue", (TokenGuess("blue", 0.29),))
    read = reading("purple", why={"promotion": "one or two"})
    read = replace(
        read, spots=tuple(guess if spot.index == 2 and spot.rank == "low" else spot for spot in read.spots)
    )
    taken = imported_boards(three(), seen(read, reading("red"), reading("black")))
    assert [doubt.about for doubt in taken.scoring.boards[0].doubts] == ["low:2", "promotion"]
    now = scoring.score_standing(taken.scoring)
    assert (now.sure, now.open, now.weighed.counting[0]) == (True, 0, frozenset())
    assert now.line.startswith("Wolf wins with 3 points.")


def test_oracle_cards_that_are_not_seen_can_be_named() -> None:
    lines = (card_count_message("great", 1, ORACLES_DEALT), card_count_message("small", 1, ORACLES_DEALT))
    read = replace(reading("purple", great=(card("G01", True),), reasons=lines), small=SmallReading(1, ()))
    now = imported_boards(three(), seen(read, reading("red"), reading("black"))).scoring
    assert [doubt.about for doubt in now.boards[0].doubts] == ["small", "great:1"]
    assert scoring.score_standing(now).weighed.totals[0] == (17, 34)
    now = scoring.with_great(scoring.with_number(now, "b1", "small", 2), "b1", 1, False)
    assert scoring.score_standing(now).weighed.totals[0] == (19, 19)


def test_a_board_by_hand_is_open_until_somebody_says_that_it_is_done() -> None:
    now = three()
    for colour in PLAYER_COLOURS[:3]:
        now = scoring.with_empty_board(now, colour)
        assert now.boards[-1].doubts
        assert not scoring.score_standing(now).sure
    for board in now.boards:
        now = scoring.without_doubt(now, board.id, "board:0")
    assert scoring.score_standing(now).sure
    with pytest.raises(Refused, match="All 3 boards"):
        scoring.with_empty_board(now, "yellow")
    with pytest.raises(Refused, match="4 boards are already added: remove one first"):
        scoring.with_players(
            scoring.with_players(now, 4) and scoring.with_empty_board(scoring.with_players(now, 4), "black"), 3
        )


def test_boards_of_other_names_are_drawn_in_colours_that_are_left() -> None:
    boards = (ScoredBoard("b1", "Ours"), ScoredBoard("b2", "purple"), ScoredBoard("b3", "Oaken"))
    assert scoring.colours_of(boards) == ("green", "purple", "red")


IMPOSSIBLE = [
    lambda: ScoredBoard("b1", "purple", low=(None,) * 7),
    lambda: ScoredBoard("b1", "purple", impurity=38),
    lambda: ScoredBoard("b1", "purple", small=-1),
    lambda: ScoredBoard("b1", "purple", great=()),
    lambda: ScoredBoard("b1", "purple", doubts=(OpenDoubt("low:6", "why"),)),
    lambda: ScoredBoard("b1", "purple", doubts=(OpenDoubt("great:x", "why"),)),
    lambda: ScoredBoard("b1", "purple", doubts=(OpenDoubt("moon", "why"),)),
    lambda: ScoredBoard("b1", "purple", doubts=(OpenDoubt("low:0", "why", (2,)),)),
    lambda: ScoredBoard("b1", "purple", doubts=(OpenDoubt("board:0", "why", (0,)),)),
    lambda: Scoring(6),
    lambda: Scoring(3, (ScoredBoard("b1", "purple"), ScoredBoard("b2", "purple"))),
    lambda: Scoring(None, (ScoredBoard("b1", "purple"),)),
]


def test_what_cannot_be_is_refused(subtests: pytest.Subtests) -> None:
    for number, wrong in enumerate(IMPOSSIBLE):
        with subtests.test(f"case {number}"), pytest.raises(ValueError, match=r"."):
            wrong()


def rows(rank: Rank) -> st.SearchStrategy[Row]:
    return st.tuples(*[st.sampled_from((None, *COLOURS))] * SPOTS[rank])


BOARDS = st.lists(
    st.builds(
        ScoredBoard,
        id=st.just("b1"),
        name=st.just("purple"),
        low=rows("low"),
        middle=rows("middle"),
        high=rows("high"),
        promotion=st.integers(0, 3),
        great=st.tuples(*[st.builds(GreatCard, achieved=st.booleans())] * ORACLES_DEALT),
        small=st.integers(0, ORACLES_DEALT),
        impurity=st.integers(0, MOST_IMPURITY),
    ),
    min_size=3,
    max_size=5,
)


def put_together(boards: list[ScoredBoard]) -> Scoring:
    named = [
        replace(board, id=f"b{n}", name=colour)
        for n, (board, colour) in enumerate(zip(boards, PLAYER_COLOURS, strict=False), 1)
    ]
    return Scoring(len(named), tuple(named), len(named))


def engine_player(board: ScoredBoard, seat: int) -> WickedPlayer:
    """The same board as a player of the engine, with real cards of the deck, whichever they are."""
    low, middle, high = (Tokens.of(one for one in board.row(rank) if one is not None) for rank in RANKS)
    achieved = [STANDIN.great[2 * seat + place] for place, great in enumerate(board.great) if great.achieved]
    return WickedPlayer(
        PLAYER_COLOURS[seat],
        Hand(),
        low,
        middle,
        high,
        promotion=board.promotion,
        impurity=board.impurity,
        achieved_great=tuple(AchievedGreat(great.id, great.colours) for great in achieved),
        achieved_small=tuple(small.id for small in STANDIN.small[2 * seat : 2 * seat + board.small]),
    )


@given(BOARDS)
def test_the_arithmetic_is_the_engines(boards: list[ScoredBoard]) -> None:
    now = scoring.score_standing(put_together(boards))
    players = tuple(engine_player(board, seat) for seat, board in enumerate(boards))
    expected = final_scores(WickedState(STANDIN, players, "over"))
    assert now.scores == expected
    assert now.sure
    for seat in winners(expected):
        assert ANIMALS[PLAYER_COLOURS[seat]].capitalize() in now.line


@given(BOARDS)
def test_what_was_kept_is_what_is_read(boards: list[ScoredBoard]) -> None:
    now = put_together(boards)
    assert from_json(to_json(now)) == now


def test_a_restart_loses_nothing_and_sentences_can_still_be_translated(tmp_path: Path) -> None:
    kept = ScoringStore(tmp_path / "scoring")
    now = imported_boards(three(), seen(reading(why={"low:2": say("{list} or {last}", list="red", last="blue")})))
    saved = kept.save(now.scoring, {"b1": b"a picture"})
    again = ScoringStore(kept.folder).load()
    assert again == saved
    text = again.boards[0].doubts[0].text
    assert isinstance(text, Line)
    assert text.translated(lambda line: line.template.replace(" or ", " ou ")) == "low 3: red ou blue"
    assert kept.picture(again.boards[0].picture) == b"a picture"
    kept.save(scoring.without_board(again, "b1"), {})
    assert kept.picture(again.boards[0].picture) is None


@pytest.mark.parametrize("name", ["", "boards.json", "../boards.json", "board-xyz.jpg", "board-0123456789ab.jpg"])
def test_no_other_file_is_given_as_a_picture(tmp_path: Path, name: str) -> None:
    kept = ScoringStore(tmp_path)
    kept.save(Scoring(), {})
    assert kept.picture(name) is None


DAMAGED = [
    b"",
    b"[]",
    b"{}",
    b'{"scoring": {}, "told": 3}',
    b'{"scoring": {"players": 9}, "told": []}',
    b'{"scoring": {"players": 3, "boards": [{"id": "b1", "name": "x", "small": 99}]}, "told": [[]]}',
    to_json(Scoring(3, (ScoredBoard("b1", "x", doubts=(OpenDoubt("low:0", "why"),)),))).replace(b'"why"]', b"7]"),
]


def test_a_damaged_file_is_no_scoring_and_the_desk_begins_anew(tmp_path: Path, subtests: pytest.Subtests) -> None:
    for damaged in DAMAGED:
        with subtests.test(f"{damaged!r:.60}"):
            with pytest.raises(ValueError, match=r"."):
                from_json(damaged)
            (tmp_path / "boards.json").write_bytes(damaged)
            assert ScoringStore(tmp_path).load() == Scoring()
