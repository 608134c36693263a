"""Enrolment of cards from pictures, one card at a time, and correction of their content. Pure."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

import cv2

from calibration.cards.deck import CARD_ID, EnrolledCard, EnrolledDeck
from calibration.cards.enrolment import cut_out_card
from calibration.errors import EnrolError
from calibration.game_kit import BACK, TILE, CardSort, CardValues, Kit, Picture
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.translatable import listed, say
from vision.cards.search_index import CardIndex

_RESERVED = (BACK, TILE)
"""First parts of ids, before ":", that only backs and tiles may have."""
_NAME = "my deck"
"""Name of a new deck."""


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of a card as entered by a person."""

    id: str
    """Id of the card in the deck."""
    kind: str
    """Id of its sort, see `CardSort`."""
    values: CardValues = field(default_factory=dict)
    """The values printed on it, by field of its sort."""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card that was cut out of a picture, for screens: its content is suggested by colours, to be checked."""

    proposed: CardContent
    """Suggested content."""
    alike: str = ""
    """Id of an enrolled card that looks the same, "" where there is none."""


@dataclass(frozen=True, slots=True)
class DeckView:
    """The enrolled cards."""

    name: str
    """Name of the deck."""
    cards: tuple[CardContent, ...]
    """The cards as enrolled."""
    wanted: dict[str, tuple[int, ...]]
    """For each sort of cards, how many a game needs: one number for each possible number of players."""
    missing: str
    """Line about the cards that a game of the fewest players still lacks; "" where none."""


@dataclass(frozen=True, eq=False)
class CardStep:
    """One card that lay alone in the middle of a picture, to be saved."""

    kind: str
    """Id of its sort, see `CardSort`."""
    picture: Picture
    """The card, cut out to its edges."""
    proposed: CardContent
    """Suggested content."""
    alike: str | None = None
    """Id of an enrolled card that looks the same, None where there is none."""

    @property
    def view(self) -> CardView:
        """What screens show of the card: its suggested content, and an enrolled card that looks the same."""
        return CardView(self.proposed, self.alike or "")

    def added_to(self, profile: TableProfile, card: CardContent, *, force: bool = False) -> TableProfile:
        """Return a copy of the profile with this picture enrolled as a card with the given content.

        force: enrol it even if it looks like another card; a person then has to confirm readings of either. Raises
        EnrolError for a look-alike without force, and for content that no such card can have.
        """
        check_card(profile.kit, card)
        shown = EnrolledCard(card.id, card.kind, self.picture, card.values)
        deck = (profile.deck or EnrolledDeck(_NAME)).with_cards([shown])
        twin = None if force else CardIndex.of(deck).twin(card.id)
        if twin is not None:
            raise EnrolError(
                say(
                    "{card} and {twin} look alike: the camera cannot distinguish them. If it is the same card, do "
                    "not save it. Otherwise show it again, flat and in even light, or save both and confirm each "
                    "reading.",
                    card=card.id,
                    twin=twin,
                )
            )
        return replace(profile, deck=deck)


def card_step(image: Image, profile: TableProfile, shown_as: str) -> CardStep:
    """Cut out the card that lies alone in the middle of a BGR picture; return it, with suggested content.

    shown_as: what a person has laid there: the id of a card or of a sort, one of `Kit.shown_cards`. Raises
    EnrolError where no card is found.
    """
    kit = profile.kit
    sort = kit.fixed_cards.get(shown_as) or kit.card_sorts.get(shown_as)
    if shown_as not in kit.shown_cards or sort is None:
        raise EnrolError(say("Choose the kind of card first."))
    picture = cut_out_card(profile, image, tile=sort.id == TILE)
    card_id = shown_as if sort.ids else _free_id(profile.deck, sort)
    proposed = {} if sort.propose is None else sort.propose(picture)
    fresh = EnrolledCard(card_id, sort.id, picture)
    alike = CardIndex.of(_deck(profile).with_cards([fresh])).twin(card_id)
    return CardStep(sort.id, picture, CardContent(card_id, sort.id, _all_fields(kit, proposed)), alike)


def with_corrected_card(profile: TableProfile, card: CardContent) -> TableProfile:
    """Return a copy of the profile in which the enrolled card with the id `card.id` has this content.

    Raises EnrolError where it is not enrolled, and for content that no card of the game can have.
    """
    check_card(profile.kit, card)
    changed = replace(_enrolled_card(profile, card.id), kind=card.kind, values=card.values)
    return replace(profile, deck=_deck(profile).with_cards([changed]))


def without_card(profile: TableProfile, card_id: str) -> TableProfile:
    """Return a copy of the profile without the card of this id. Raises EnrolError where it is not enrolled."""
    _enrolled_card(profile, card_id)
    return replace(profile, deck=_deck(profile).without_cards({card_id}))


def check_card(kit: Kit, card: CardContent) -> None:
    """Raise EnrolError for content that no card of the game can have."""
    sort = kit.card_sorts.get(card.kind)
    if sort is None:
        raise EnrolError(say("Choose the kind of card first."))
    if sort.ids:
        if card.id not in sort.ids:
            raise EnrolError(sort.wrong_id)
    elif not re.fullmatch(CARD_ID, card.id) or card.id in kit.fixed_cards or card.id.partition(":")[0] in _RESERVED:
        raise EnrolError(say("A card's name consists of at most 40 letters, digits and . _ : -, for example C07."))
    if not sort.is_complete(card.values):
        raise EnrolError(sort.incomplete)


def deck_view(kit: Kit, deck: EnrolledDeck | None) -> DeckView:
    """Return the enrolled cards for screens, with how many of each sort a game needs.

    deck: None where none is enrolled.
    """
    cards = () if deck is None else tuple(deck.cards.values())
    counts = Counter[str](card.kind for card in cards)
    wanted: dict[str, list[int]] = {}
    for players in kit.players:
        for sort, number in kit.cards_needed(players).items():
            wanted.setdefault(sort, []).append(number)
    lacking = [
        further(numbers[0] - counts[sort])
        for sort, numbers in wanted.items()
        if counts[sort] < numbers[0] and (further := kit.card_sorts[sort].further) is not None
    ]
    missing = (
        say("A game of {players} players still needs {cards}.", players=kit.players[0], cards=listed(lacking))
        if lacking
        else ""
    )
    content = tuple(CardContent(card.id, card.kind, _all_fields(kit, card.values)) for card in cards)
    name = "" if deck is None else deck.name
    return DeckView(name, content, {sort: tuple(numbers) for sort, numbers in wanted.items()}, missing)


def as_png(picture: Picture) -> bytes:
    """Return a card's reference picture as PNG."""
    _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    return data.tobytes()


def _all_fields(kit: Kit, values: CardValues) -> CardValues:
    """Return a card's values with an empty entry for each field of the game's cards that they lack, for screens."""
    return {name: values.get(name, ()) for name in kit.card_fields}


def _free_id(deck: EnrolledDeck | None, sort: CardSort) -> str:
    """Return the first free id for a card of a sort, such as "C07"."""
    taken = set() if deck is None else set(deck.cards)
    return next(name for number in range(1, 1000) if (name := f"{sort.letter}{number:02}") not in taken)


def _deck(profile: TableProfile) -> EnrolledDeck:
    """Return the enrolled deck, or an empty one."""
    return profile.deck or EnrolledDeck(_NAME)


def _enrolled_card(profile: TableProfile, card_id: str) -> EnrolledCard:
    """Return an enrolled card. Raises EnrolError where it is not enrolled."""
    known = _deck(profile).cards.get(card_id)
    if known is None:
        raise EnrolError(say("That card is no longer enrolled. Choose one from the current list."))
    return known
