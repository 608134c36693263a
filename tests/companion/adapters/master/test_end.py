"""The end by camera: tokens are counted before the players, formula cards are shown one after the other."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from calibration.drawing.raster import rasterise
from calibration.games.master.art.formula_cards import formula_face
from calibration.profile import TableProfile
from companion.adapters.master.adapter import ADAPTER
from companion.adapters.master.bots.scenes import scene
from companion.adapters.master.final_holdings_proposals import end_hint
from companion.adapters.master.still_picture_reader import EndHint, EndReading, rest_reader
from companion.director.pre_enrolled_pieces import GROUND
from companion.games.master.components import TOKENS
from companion.games.master.moves import EndGame, Move, NoteFormula
from companion.games.master.rules.engine import apply
from companion.games.master.state import MasterState
from companion.referee.finding import Finding
from companion.table.game_adapter import Situation, StillReadings
from tests.companion.games.master.mazes import placed
from vision.cameras.simulated import Renderer
from vision.games.master.formula_cards import FormulaReading
from vision.games.master.loose_tokens import LooseToken
from vision.games.master.readings import MazeReading
from vision.games.master.simulated_components import LOOK

NAMES = ("Ada", "Bruno", "Chie")
CARD = (11, 3, 14)
BOARD = MazeReading("board", oriented=True)


def ended(*noted: tuple[int, int, int] | None) -> MasterState:
    """A game of three after play has ended; the players hold seven tokens each."""
    return ended_with([TOKENS[7 * seat : 7 * seat + 7] for seat in range(3)], noted or (None, None, None))


def ended_with(
    held: Sequence[tuple[int, ...]], noted: Sequence[tuple[int, int, int] | None] = (None, None, None)
) -> MasterState:
    """A game of three after play has ended. held: tokens of each player."""
    state = placed(players=3)
    players = tuple(
        replace(player, tokens=tokens, formula=card)
        for player, tokens, card in zip(state.players, held, noted, strict=True)
    )
    taken = {number for tokens in held for number in tokens}
    lying = tuple(-1 if number in taken else place for number, place in zip(TOKENS, state.tokens, strict=True))
    return apply(replace(state, players=players, tokens=lying), EndGame())


def found(state: MasterState, *readings: EndReading) -> Finding[Move]:
    return ADAPTER.interpret(Situation(state, NAMES, lambda point: 0), StillReadings((), readings))


def shown(numbers: tuple[int, int, int]) -> EndReading:
    """A picture with a formula card held into the camera."""
    return EndReading(MazeReading("no_board"), formula=FormulaReading(numbers, 0.99, False, {numbers: 0.99}))


def tokens_before(holders: Mapping[int, float], turned: float = 0.0) -> EndReading:
    """A picture of tokens before the players, by number and seat; turned: where seat 0 sits, rad clockwise.

    A fraction is a place between two seats.
    """
    lying = []
    for number, seat in holders.items():
        angle = turned + 2 * math.pi * seat / 3 + 0.02 * (number % 7 - 3)
        lying.append(LooseToken(number, 0.99, False, 3.5 - 5.0 * math.sin(angle), 3.5 + 5.0 * math.cos(angle)))
    return EndReading(BOARD, tuple(lying))


def test_a_card_that_is_shown_is_asked_for_its_player_and_never_entered_by_itself() -> None:
    finding = found(ended(), shown(CARD), shown(CARD))
    assert finding.proposal is not None
    assert not finding.proposal.certain
    (question,) = finding.proposal.questions
    assert [choice.moves for choice in question.choices] == [(NoteFormula(seat, CARD),) for seat in range(3)]
    assert question.doubts[0].question == "Whose formula card is 11 · 3 · 14: Ada, Bruno or Chie?"


def test_only_players_without_a_card_are_offered() -> None:
    state = ended((19, 7, 15), None, (9, 20, 11))
    finding = found(state, shown(CARD))
    assert finding.proposal is not None
    assert finding.proposal.likeliest == (NoteFormula(1, CARD),)
    assert finding.proposal.questions[0].doubts[0].question == "Whose formula card is 11 · 3 · 14: Bruno?"
    assert apply(state, finding.proposal.likeliest[0]).phase == "over"


def test_a_card_of_another_player_is_named_with_its_player_and_enters_nothing() -> None:
    finding = found(ended(CARD, None, None), shown(CARD))
    assert finding.proposal is None
    assert finding.unread == "The formula card 11 · 3 · 14 is noted for Ada already. Show another one."


def test_pictures_that_show_different_cards_are_no_card() -> None:
    assert found(ended(), shown(CARD), shown((19, 7, 15))) == Finding()


def test_tokens_on_the_board_are_not_looked_for_nor_cards_once_all_are_noted() -> None:
    state = ended(CARD, None, None)
    state = replace(state, tokens=(*state.tokens[:-1], 24))
    hint = ADAPTER.request(state).hint
    assert isinstance(hint, EndHint)
    assert len(hint.cards) == 21
    assert hint.lying == (25,)
    over = replace(state, phase="over")
    over = replace(over, players=tuple(replace(player, formula=CARD) for player in over.players))
    hint = ADAPTER.request(over).hint
    assert isinstance(hint, EndHint)
    assert hint.cards == ()
    assert ADAPTER.request(replace(over, counted=True)).wanted is None


def test_tokens_before_their_players_are_counted_wherever_they_sit() -> None:
    state = ended()
    holders = {number: index // 7 for index, number in enumerate(TOKENS)}
    for turned in (0.0, 1.0, 2.5, 4.0):
        proposal = found(state, tokens_before(holders, turned)).proposal
        assert proposal is not None
        assert proposal.certain
        (move,) = proposal.likeliest
        counted = apply(state, move)
        assert replace(counted, counted=False) == state
        assert found(counted, tokens_before(holders, turned)) == Finding()


def test_a_token_before_another_player_is_one_question() -> None:
    state = ended()
    holders = {number: index // 7 for index, number in enumerate(TOKENS)} | {8: 2}
    proposal = found(state, tokens_before(holders, 0.5)).proposal
    assert proposal is not None
    assert [doubt.question for doubt in proposal.doubts] == [
        "Token 8 lies before Chie, but is Bruno's on the screen. Whose is it?"
    ]
    (move,) = proposal.likeliest
    players = apply(state, move).players
    assert players[1].tokens == TOKENS[8:14]
    assert players[2].tokens == (*TOKENS[14:], 8)
    assert [player.wands for player in players] == [3, 3, 3]


def test_seats_are_not_turned_until_a_wrong_journal_fits() -> None:
    state = ended_with([(), (3, 5, 6), (1, 2, 4)])
    proposal = found(state, tokens_before({4: -0.4, 3: 1, 5: 1, 6: 1, 1: 2, 2: 2})).proposal
    assert proposal is not None
    assert [doubt.question for doubt in proposal.doubts] == [
        "Token 4 lies before Ada, but is Chie's on the screen. Whose is it?"
    ]


def test_a_player_without_tokens_is_asked_about() -> None:
    state = ended_with([(), (3, 5, 6), (1, 2, 4)])
    proposal = found(state, tokens_before({3: 1, 5: 1, 6: 1, 1: 2, 2: 2, 4: 2})).proposal
    assert proposal is not None
    assert [doubt.question for doubt in proposal.doubts] == ["Ada has no token. Is that right?"]
    (move,) = proposal.likeliest
    assert replace(apply(state, move), counted=False) == state


def test_tokens_that_are_not_read_are_named_or_all_are_to_be_laid_flat() -> None:
    holders = {number: index // 7 for index, number in enumerate(TOKENS)}
    for missing, line in (
        ((4, 9), "The camera counts 19 of 21 tokens, as on the screen. Lay the others flat and apart from one"),
        (TOKENS[6:], "Lay the tokens before their players, flat and apart from one another"),
    ):
        read = {number: seat for number, seat in holders.items() if number not in missing}
        finding = found(ended(), tokens_before(read))
        assert finding.proposal is None
        assert finding.unread.startswith(line)


def test_tokens_in_one_heap_are_no_reason_to_accuse_anybody() -> None:
    assert found(ended(), tokens_before(dict.fromkeys(TOKENS, 0))) == Finding()


def test_the_tokens_of_a_simulated_table_are_counted_from_its_picture() -> None:
    state = ended()
    renderer = Renderer(replace(LOOK, ground=GROUND), {}, game="master")
    reader = rest_reader(TableProfile(3, game="master"))
    reading = reader.read(renderer.render(scene(state), 1), end_hint(state))
    assert isinstance(reading, EndReading)
    proposal = found(state, reading).proposal
    assert proposal is not None
    assert proposal.certain
    (move,) = proposal.likeliest
    assert replace(apply(state, move), counted=False) == state


def test_an_ingredient_on_an_open_formula_card_is_not_counted_as_its_token() -> None:
    state = ended((19, 7, 15), CARD, (9, 20, 11))
    laid = scene(state)
    laid = replace(laid, pieces=tuple(piece for piece in laid.pieces if piece.kind != "token:3"))
    picture = Renderer(replace(LOOK, ground=GROUND, height=700.0), {}, game="master").render(laid, 1)
    reader = rest_reader(TableProfile(3, game="master"))
    board = reader.read(picture, None)
    assert isinstance(board, MazeReading)
    face = rasterise(formula_face(CARD), 8.0)[..., :3]
    height, width = face.shape[:2]
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    field = np.array([(0, 0), (7, 0), (7, 7), (0, 7)], np.float32)
    lying = np.array([(-2.8, 1.6), (-1.2, 1.6), (-1.2, 3.8), (-2.8, 3.8)], np.float32)
    to_picture = cv2.getPerspectiveTransform(field, np.array(board.corners, np.float32))
    where = cv2.perspectiveTransform(lying[None], to_picture)[0]
    matrix = cv2.getPerspectiveTransform(corners, where)
    cv2.warpPerspective(face, matrix, picture.shape[1::-1], picture, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT)
    reading = reader.read(picture, end_hint(state))
    assert isinstance(reading, EndReading)
    assert {token.number for token in reading.tokens} == {*TOKENS} - {3}
