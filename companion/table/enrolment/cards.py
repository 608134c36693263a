"""Enrolment of cards: one at a time from pictures, or a whole deck at once. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import get_args

import cv2

from calibration.cards.deck import CARD_ID, CardKind, EnrolledCard, EnrolledDeck, Picture
from calibration.cards.enrolment import look_at_card
from calibration.errors import EnrolError
from calibration.games.wicked import elements
from calibration.games.wicked.drawn_deck import BACKS, TILE_ID
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.wording import say
from companion.games.wicked.components import CORRIDORS, ORACLES_DEALT, ROUNDS
from vision.cards.index import CardIndex

_LETTERS: Mapping[str, str] = {"corridor": "C", "great": "G", "small": "S"}
"""First letter of proposed ids by kind."""
_KINDS: Mapping[str, CardKind] = {kind: kind for kind in get_args(CardKind)}
_NAME = "my deck"
"""Name of a new deck."""


@dataclass(frozen=True, slots=True)
class CardContent:
    """The content of a card as a person states it; see `EnrolledCard`."""

    id: str
    kind: CardKind
    upper: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    colours: tuple[str, ...] = ()
    needs: tuple[tuple[str, str], ...] = ()
    reward: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardView:
    """A card that was cut out of a picture, with the content that its colours suggest, for a person to check."""

    proposed: CardContent
    alike: str = ""
    """Id of an enrolled card that looks the same, "" where there is none."""


@dataclass(frozen=True, slots=True)
class DeckView:
    """The enrolled cards."""

    name: str
    cards: tuple[CardContent, ...]
    wanted: dict[str, tuple[int, int, int]]
    """Number of each kind that a game of 3, 4 and 5 players needs."""
    missing: str
    """What a game of three still lacks, in one plain line; "" where nothing."""


@dataclass(frozen=True, eq=False)
class CardStep:
    """One card that lay alone in the middle, cut to its edges."""

    kind: CardKind
    picture: Picture
    proposed: CardContent
    """Suggested content."""
    alike: str | None = None
    """Id of an enrolled card that looks the same, None where there is none."""

    @property
    def view(self) -> CardView:
        """The card for screens."""
        return CardView(self.proposed, self.alike or "")

    def kept_in(self, profile: TableProfile, card: CardContent, *, force: bool = False) -> TableProfile:
        """Return the profile with it as this card.

        force: even where it looks like another; readings then ask which of the two it is. Raises EnrolError where
        it does, and for content that no such card can have.
        """
        check_card(card)
        shown = EnrolledCard(
            card.id, card.kind, self.picture, card.upper, card.lower, card.colours, card.needs, card.reward
        )
        deck = (profile.deck or EnrolledDeck(_NAME)).with_cards([shown])
        twin = None if force else CardIndex.of(deck).twin(card.id)
        if twin is not None:
            raise EnrolError(
                say(
                    "{card} and {twin} look alike: the camera cannot distinguish them. Is it the same card? Then "
                    "leave it; else show it again, with even light and lying flat, or keep both and be asked each "
                    "time.",
                    card=card.id,
                    twin=twin,
                )
            )
        return replace(profile, deck=deck)


def card_step(image: Image, profile: TableProfile, shown_as: str) -> CardStep:
    """Cut out the card that lies alone in the middle. Raises EnrolError with one plain line where there is none.

    shown_as: a `CardKind`, for a back with whose it is: "back:corridor".
    """
    name, _, back = shown_as.partition(":")
    kind = _KINDS.get(name)
    if kind is None:
        raise EnrolError(say("Choose the kind of card first."))
    picture = look_at_card(profile, image, tile=kind == "tile")
    shown = CardContent(_free_id(profile.deck, kind, back), kind)
    if kind == "corridor":
        suggested = elements.propose(picture)
        shown = replace(shown, upper=suggested.upper, lower=suggested.lower)
    elif kind == "great":
        suggested = elements.propose(picture)
        colours = [name for name in (*suggested.upper, *suggested.lower) if name != "white"]
        shown = replace(shown, colours=tuple(colours[:2]))
    fresh = EnrolledCard(shown.id, kind, picture)
    alike = CardIndex.of(_deck(profile).with_cards([fresh])).twin(shown.id)
    return CardStep(kind, picture, shown, alike)


def with_corrected_card(profile: TableProfile, card: CardContent) -> TableProfile:
    """Return the profile with the content of a card replaced. Raises EnrolError where that is impossible."""
    check_card(card)
    known = _known(profile, card.id)
    changed = replace(
        known,
        kind=card.kind, upper=card.upper, lower=card.lower, colours=card.colours, needs=card.needs,
        reward=card.reward,
    )  # fmt: skip
    return replace(profile, deck=_deck(profile).with_cards([changed]))


def without_card(profile: TableProfile, card_id: str) -> TableProfile:
    """Return the profile without a card. Raises EnrolError where it is not enrolled."""
    _known(profile, card_id)
    return replace(profile, deck=_deck(profile).without_cards({card_id}))


def check_card(card: CardContent) -> None:
    """Raise EnrolError, with one plain line, for content that no card of the game can have."""
    if card.kind == "back":
        if card.id not in {f"back:{back}" for back in BACKS}:
            raise EnrolError(say("Choose whose back it is: of a corridor, a great or a small oracle."))
    elif card.kind == "tile":
        if card.id != TILE_ID:
            raise EnrolError(say("The labyrinth tile is called {tile_id}.", tile_id=TILE_ID))
    elif not re.fullmatch(CARD_ID, card.id) or card.id == TILE_ID or card.id.startswith("back:"):
        raise EnrolError(say("A card's name is of letters, digits and . _ : - (at most 40), for example C07."))
    if (problem := _INCOMPLETE[card.kind](card)) is not None:
        raise EnrolError(problem)


def deck_view(deck: EnrolledDeck | None) -> DeckView:
    """Return the enrolled cards for screens."""
    cards = () if deck is None else tuple(deck.cards.values())
    counts = Counter[str](card.kind for card in cards)
    wanted = {kind: _wanted(kind) for kind in ("corridor", "great", "small")}
    lacking = [
        f"{least - counts[kind]} more {_named(kind, least - counts[kind])}"
        for kind, (least, _, _) in wanted.items()
        if counts[kind] < least
    ]
    missing = f"A game of three players still needs {_listed(lacking)}." if lacking else ""
    return DeckView("" if deck is None else deck.name, tuple(_content(card) for card in cards), wanted, missing)


def as_png(picture: Picture) -> bytes:
    """Return a card's reference picture as PNG."""
    _, data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    return data.tobytes()


def _content(card: EnrolledCard) -> CardContent:
    return CardContent(card.id, card.kind, card.upper, card.lower, card.colours, card.needs, card.reward)


def _corridor(card: CardContent) -> str | None:
    return None if card.upper and card.lower else say("Enter what both halves of the corridor show.")


def _great(card: CardContent) -> str | None:
    return None if len(card.colours) == 2 else "A great oracle asks for two colours, which may be the same."


def _small(card: CardContent) -> str | None:
    return None if card.needs and card.reward else say("Enter what the small oracle asks for, and what it gives.")


def _bare(card: CardContent) -> str | None:
    return None


_INCOMPLETE: Mapping[CardKind, Callable[[CardContent], str | None]] = {
    "corridor": _corridor,
    "great": _great,
    "small": _small,
    "back": _bare,
    "tile": _bare,
}
"""Checks by kind; each returns a line where content is missing."""


def _wanted(kind: str) -> tuple[int, int, int]:
    needed = [
        ROUNDS * laid if kind == "corridor" else ORACLES_DEALT * players for players, laid in CORRIDORS.items()
    ]
    three, four, five = needed
    return three, four, five


def _named(kind: str, number: int) -> str:
    name = {"corridor": "corridor", "great": "great oracle", "small": "small oracle"}[kind]
    return name if number == 1 else f"{name}s"


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _free_id(deck: EnrolledDeck | None, kind: CardKind, back: str) -> str:
    if kind == "tile":
        return TILE_ID
    if kind == "back":
        return f"back:{back}"
    taken = set() if deck is None else set(deck.cards)
    return next(name for number in range(1, 1000) if (name := f"{_LETTERS[kind]}{number:02}") not in taken)


def _deck(profile: TableProfile) -> EnrolledDeck:
    return profile.deck or EnrolledDeck(_NAME)


def _known(profile: TableProfile, card_id: str) -> EnrolledCard:
    known = _deck(profile).cards.get(card_id)
    if known is None:
        raise EnrolError(say("That card is not known any more. Look at the list again."))
    return known
