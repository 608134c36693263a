"""From readings of cards to Lay and Deal: complete, of this deck, and asked about where in doubt."""

from __future__ import annotations

from dataclasses import replace

from companion.adapters.wicked.card_proposals import propose_deal, propose_lay
from companion.games.wicked import apply, new_game
from companion.games.wicked.moves import DealOracles, Lay
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from companion.games.wicked.text.words import card_in_words
from companion.referee.proposal import Proposal
from tests.companion.adapters.wicked.readings import card, ring
from vision.readings import CardGuess, CardReading, CardsReading, Point

DEALING = new_game(3, STANDIN)
GREAT = [oracle.id for oracle in STANDIN.great]
SMALL = [oracle.id for oracle in STANDIN.small]
CORRIDORS = [corridor.id for corridor in STANDIN.corridors]
DEAL = DealOracles(
    great=(tuple(GREAT[0:2]), tuple(GREAT[2:4]), tuple(GREAT[4:6])),
    small=(tuple(SMALL[0:2]), tuple(SMALL[2:4]), tuple(SMALL[4:6])),
)
LAYING = apply(DEALING, DEAL)
RING = CORRIDORS[3:7]
NAMES = ("Ada", "Bruno", "Chie")


def shows(id: str) -> str:
    """Return what a card of the deck shows, in words."""
    return card_in_words(STANDIN, id)


def laid(*frames: CardsReading, state: WickedState = LAYING) -> Proposal[Lay]:
    proposal = propose_lay(state, frames)
    assert proposal is not None
    return proposal


def seat_of(point: Point) -> int:
    """Seats side by side, each 100 px wide."""
    return int(point[0] // 100)


def dealt(deal: DealOracles = DEAL) -> list[CardReading]:
    return [
        card(name, at=(100.0 * seat + 50, 20.0))
        for kind in (deal.great, deal.small)
        for seat, cards in enumerate(kind)
        for name in cards
    ]


def moves_of(proposal: Proposal[DealOracles] | Proposal[Lay]) -> list[DealOracles | Lay]:
    """Return the move of each choice."""
    return [move for choice in proposal.questions[0].choices for move in choice.moves]


def questions(proposal: Proposal[DealOracles] | Proposal[Lay]) -> list[tuple[int | None, str]]:
    return [(doubt.seat, doubt.question) for doubt in proposal.doubts]


def test_a_full_ring_of_known_cards_is_certain() -> None:
    proposal = laid(ring(*RING), ring(*RING))
    assert proposal.certain
    assert moves_of(proposal) == [Lay(tuple(RING))]


def test_nothing_is_proposed_while_cards_are_being_laid_or_none_are_awaited() -> None:
    assert propose_lay(LAYING, []) is None
    assert propose_lay(LAYING, [ring(*RING[:2])]) is None
    assert propose_lay(LAYING, [ring(None, None, None, None)]) is None
    assert propose_lay(DEALING, [ring(*RING)]) is None


def test_a_place_without_a_card_is_named() -> None:
    proposal = laid(ring(RING[0], RING[1], None, RING[3]))
    assert moves_of(proposal) == []
    assert not proposal.certain
    assert questions(proposal) == [
        (None, "Corridor 3: no card was recognised. Is one lying there, face up and uncovered?")
    ]


def test_a_card_that_the_deck_does_not_know_is_asked_about() -> None:
    unknown = card(None, 0.95, 2, state="unknown")
    proposal = laid(CardsReading((*ring(RING[0], RING[1]).cards, unknown, card(RING[3], slot=3))))
    assert moves_of(proposal) == []
    assert questions(proposal) == [(None, "Corridor 3: the card there is not known. Which card is it?")]


def test_a_ring_of_which_most_is_unknown_is_asked_about_place_by_place() -> None:
    frame = CardsReading((card(RING[0], slot=0), *(card(None, 0.95, slot, state="unknown") for slot in (1, 2, 3))))
    assert [question for _, question in questions(laid(frame, frame))] == [
        f"Corridor {place}: the card there is not known. Which card is it?" for place in (2, 3, 4)
    ]


def test_of_two_cards_that_look_alike_both_are_offered() -> None:
    other = CORRIDORS[12]
    alike = card(RING[0], 0.52, 0, (0.0, 0.0), CardGuess(other, 0.46))
    proposal = laid(CardsReading((alike, *ring(*RING).cards[1:])))
    assert not proposal.certain
    assert moves_of(proposal) == [Lay(tuple(RING)), Lay((other, *RING[1:]))]
    assert questions(proposal) == [(None, f"Corridor 1: {shows(RING[0])} or {shows(other)}?")]


def test_a_card_seen_in_most_frames_is_there() -> None:
    assert laid(ring(*RING), ring(*RING[:3]), ring(*RING)).certain


def test_frames_that_differ_are_asked_about_with_both_offered() -> None:
    other = CORRIDORS[12]
    proposal = laid(ring(*RING), ring(*RING), ring(other, *RING[1:]))
    assert questions(proposal) == [(None, f"Corridor 1: {shows(RING[0])} or {shows(other)}?")]
    assert moves_of(proposal) == [Lay(tuple(RING)), Lay((other, *RING[1:]))]


def test_an_unsure_card_is_asked_about() -> None:
    proposal = laid(ring(*RING, confidence=0.8))
    assert [question for _, question in questions(proposal)][:1] == [f"Corridor 1: is it {shows(RING[0])}?"]
    assert not proposal.certain


def test_a_card_of_an_earlier_round_is_asked_about_and_never_laid() -> None:
    later = replace(LAYING, round=2, used=tuple(RING))
    proposal = laid(ring(RING[0], *CORRIDORS[10:13]), state=later)
    assert moves_of(proposal) == []
    looks = f"Corridor 1: this looks like {shows(RING[0])}, which was searched in an earlier round"
    assert questions(proposal) == [(None, f"{looks}. Which card is it?")]


def test_one_card_in_two_places_is_asked_about() -> None:
    proposal = laid(ring(RING[0], RING[1], RING[1], RING[3]))
    assert moves_of(proposal) == []
    assert [question.split(":")[0] for _, question in questions(proposal)] == ["Corridor 2", "Corridor 3"]


def test_more_cards_in_the_ring_than_a_round_has_are_pointed_out() -> None:
    proposal = laid(ring(*RING, CORRIDORS[20]))
    assert not proposal.certain
    assert "more cards in the ring than the 4" in proposal.doubts[0].question


def test_every_laid_candidate_is_legal() -> None:
    for move in moves_of(laid(ring(*RING), ring(CORRIDORS[9], *RING[1:]), ring(RING[0], CORRIDORS[9], *RING[2:]))):
        assert apply(LAYING, move).phase == "search"


def test_two_great_and_two_small_oracles_before_everybody_are_a_certain_deal() -> None:
    proposal = propose_deal(DEALING, NAMES, [CardsReading(tuple(dealt()))], seat_of)
    assert proposal is not None
    assert proposal.certain
    assert moves_of(proposal) == [DEAL]
    assert apply(DEALING, proposal.likeliest[0]).phase == "lay"


def test_corridor_cards_and_the_tile_do_not_disturb_a_deal() -> None:
    others = [card("tile", at=(150, 50)), card(CORRIDORS[0], at=(50, 50)), card(None, at=(50, 50))]
    proposal = propose_deal(DEALING, NAMES, [CardsReading((*dealt(), *others))], seat_of)
    assert proposal is not None
    assert proposal.certain


def test_nothing_is_proposed_while_oracles_are_being_dealt_or_none_are_awaited() -> None:
    assert propose_deal(DEALING, NAMES, [], seat_of) is None
    assert propose_deal(DEALING, NAMES, [CardsReading(tuple(dealt()[:5]))], seat_of) is None
    assert propose_deal(LAYING, NAMES, [CardsReading(tuple(dealt()))], seat_of) is None


def test_a_player_with_an_oracle_too_few_is_informed() -> None:
    proposal = propose_deal(DEALING, NAMES, [CardsReading(tuple(dealt()[1:]))], seat_of)
    assert proposal is not None
    assert moves_of(proposal) == []
    assert questions(proposal) == [(0, "Ada: 1 great oracle card recognised, there must be 2.")]


def test_an_unsure_oracle_is_asked_about() -> None:
    cards = dealt()
    cards[2] = card(GREAT[2], 0.6, at=(150.0, 20.0))
    proposal = propose_deal(DEALING, NAMES, [CardsReading(tuple(cards))], seat_of)
    assert proposal is not None
    assert not proposal.certain
    assert questions(proposal) == [(1, f"Bruno, great oracle: is it {shows(GREAT[2])}?")]
    assert moves_of(proposal) == [DEAL]


def test_of_two_oracles_that_look_alike_both_are_offered() -> None:
    cards = dealt()
    guesses = (CardGuess(GREAT[9], 0.4), CardGuess(GREAT[2], 0.05), CardGuess(SMALL[9], 0.05))
    cards[0] = card(GREAT[0], 0.5, None, (50.0, 20.0), *guesses)
    proposal = propose_deal(DEALING, NAMES, [CardsReading(tuple(cards))], seat_of)
    assert proposal is not None
    other = replace(DEAL, great=((GREAT[9], GREAT[1]), *DEAL.great[1:]))
    assert moves_of(proposal) == [DEAL, other]
    # Neither a card that surely lies elsewhere nor one of the other kind can be it.
    assert questions(proposal) == [(0, f"Ada, great oracle: {shows(GREAT[0])} or {shows(GREAT[9])}?")]


def test_two_oracles_that_may_be_exchanged_are_offered_both_ways() -> None:
    cards = dealt()
    for here, there, at in ((0, 2, 50.0), (2, 0, 150.0)):
        cards[here] = card(GREAT[here], 0.5, None, (at, 20.0), CardGuess(GREAT[there], 0.4))
    proposal = propose_deal(DEALING, NAMES, [CardsReading(tuple(cards))], seat_of)
    assert proposal is not None
    other = replace(DEAL, great=((GREAT[2], GREAT[1]), (GREAT[0], GREAT[3]), DEAL.great[2]))
    assert moves_of(proposal) == [DEAL, other]


def test_an_oracle_that_most_frames_put_before_one_player_is_theirs() -> None:
    moved = dealt()
    moved[0] = card(GREAT[0], at=(150.0, 20.0))
    frames = [CardsReading(tuple(cards)) for cards in (dealt(), dealt(), moved)]
    proposal = propose_deal(DEALING, NAMES, frames, seat_of)
    assert proposal is not None
    assert moves_of(proposal) == [DEAL]
    assert [doubt.seat for doubt in proposal.doubts] == [0]
