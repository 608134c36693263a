"""Kit: what is in the box of a game, as far as a table enrols it and readers recognise it.

A game describes its kit in `calibration/games/GAME/kit.py`; `calibration.games.kit` returns it. Profile, enrolment,
readers and set-up screens are built from the kit, and name no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calibration.boards.enrolled_board import EnrolledBoard

Picture = NDArray[np.uint8]
"""Picture of a card: (height, width, 4) uint8 BGR and alpha, upper edge up."""
CardValue = str | tuple[str, ...]
"""One value of a card's field: a word, or a tuple of words where the field has several parts."""
CardValues = Mapping[str, tuple[CardValue, ...]]
"""What a card shows: the values of each field by its name."""

BACK = "back"
"""Sort of all card backs, which have no fields."""
TILE = "tile"
"""Sort of a large printed tile in the middle of the table, on which other things lie."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A usual paint of pieces."""

    id: str
    """Id."""
    name: str
    """Name for screens, translatable."""
    bgr: tuple[int, int, int]
    """Colour beside white paper of level 245, 0..255."""


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Kinds of loose pieces that differ in colour or print alone."""

    name: str
    """First part of the kinds' names."""
    variants: tuple[str, ...] = ()
    """Second part of each kind's name; none where the group is a single kind."""
    in_hands: bool = False
    """Whether players hold these pieces in their hands; others lie on and beside boards."""
    printed: bool = False
    """Whether a print distinguishes the variants; otherwise their paint does."""
    pale: bool = False
    """Whether light print or a dark rim may leave only parts of a piece after segmentation."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of its kinds: `group:variant`, or the group's name alone."""
        return tuple(f"{self.name}:{variant}" for variant in self.variants) or (self.name,)


@dataclass(frozen=True, slots=True)
class CardField:
    """One property printed on the cards of a sort, such as the elements in their upper half."""

    name: str
    """Name in `deck.yaml` and in messages of screens."""
    parts: tuple[tuple[str, ...], ...]
    """Allowed words of each part of a value; a value with one part is a plain word."""
    fewest: int = 1
    """Smallest number of values on a card."""
    most: int = 4
    """Largest number of values on a card."""
    option: str = ""
    """Option of `companion enrol card`, without dashes; the name where empty."""
    hint: str = ""
    """Help of that option."""
    place: str = ""
    """Name of the part of a card that shows it, for messages."""
    recognised: tuple[str, ...] = ()
    """Words that a picture's colours suggest reliably enough to question what a person enters."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Remark for screens about a suggested word, by word."""
    other_names: tuple[str, ...] = ()
    """Further names that a `deck.yaml` made by hand may use."""
    title: str = ""
    """Name on screens, translatable."""
    repeats: bool = False
    """Whether screens offer the same value more than once."""

    @property
    def flag(self) -> str:
        """Return the option as it is typed."""
        return f"--{self.option or self.name}"

    def allows(self, value: CardValue) -> bool:
        """Return whether a value consists of allowed words."""
        words = (value,) if isinstance(value, str) else value
        return len(words) == len(self.parts) and all(map(lambda word, of: word in of, words, self.parts))


@dataclass(frozen=True, slots=True)
class CardSort:
    """Cards of one sort: same fields, same back."""

    id: str
    """Name in `deck.yaml`."""
    name: str
    """Name in messages of the command line."""
    further: Callable[[int], str] | None = None
    """Return a number of further cards as a line, e.g. "2 more tasks"; None for sorts that are not counted."""
    letter: str = ""
    """First letter of proposed ids; empty where `ids` lists them all."""
    ids: tuple[str, ...] = ()
    """All ids of the sort; empty where a person chooses them."""
    fields: tuple[CardField, ...] = ()
    """What its cards show."""
    contents: str = ""
    """What its cards show, as a phrase for messages, e.g. "a task has two stones"."""
    incomplete: str = ""
    """Line for screens about a card of which a field lacks values."""
    wrong_id: str = ""
    """Line for screens about an id that is not in `ids`."""
    propose: Callable[[Picture], CardValues] | None = None
    """Return values that a picture suggests, for a person to check; None where nothing is proposed."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Names on screens, translatable, of what a person lays down: by id of `ids`, else one by id of the sort."""
    about: str = ""
    """Line for screens in place of fields, where its cards have none."""

    def allows(self, values: CardValues) -> bool:
        """Return whether its cards can show these values, of which some may be missing."""
        fields = {one.name: one for one in self.fields}
        return all(
            not of or (name in fields and len(of) <= fields[name].most and all(map(fields[name].allows, of)))
            for name, of in values.items()
        )

    def is_complete(self, values: CardValues) -> bool:
        """Return whether every field has as many values as its cards show."""
        return all(one.fewest <= len(values.get(one.name, ())) <= one.most for one in self.fields)


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """Named places of the players' boards."""

    spots: Mapping[str, int]
    """Number of spots in each row, by the row's name, in the order in which a person points them out."""
    spaces: tuple[str, ...] = ()
    """Names of the rectangles for pieces."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Names of rows and spaces on screens, translatable, with their article."""

    @property
    def spot_count(self) -> int:
        """Number of spots on a board."""
        return sum(self.spots.values())


@dataclass(frozen=True, slots=True)
class OrderedPicture:
    """Texts of the set-up step in which one picture shows all pieces of a group in their order, translatable."""

    title: str
    about: tuple[str, ...]
    """What it is needed for, and how the pieces are to be laid, a line each."""
    done: str
    """Line once they are enrolled."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """How much of a kit is enrolled, as far as it decides what a camera can read."""

    calibrated: bool
    """Whether the camera's place at the table is known."""
    kinds: frozenset[str]
    """Enrolled kinds of pieces."""
    cards: bool
    """Whether the cards of the smallest game are enrolled."""
    boards: int
    """Number of enrolled boards."""

    def has_all(self, kinds: Iterable[str]) -> bool:
        """Return whether all of these kinds are enrolled."""
        return self.kinds.issuperset(kinds)


@dataclass(frozen=True, slots=True)
class Ability:
    """One thing that a camera can read with what is enrolled, or cannot."""

    works: bool
    line: str
    """What is read, or how it is entered instead and why; translatable."""


@dataclass(frozen=True, eq=False)
class Kit:
    """The box of one game."""

    game: str
    """Id of the game."""
    players: tuple[int, ...]
    """Possible numbers of players."""
    figures: tuple[str, ...]
    """Figures or colours that mark players, in the order in which they are listed everywhere."""
    pieces: tuple[PieceGroup, ...] = ()
    """Kinds of loose pieces."""
    paints: tuple[Paint, ...] = ()
    """Usual paints of the pieces, for the check whether they stand out from a table."""
    cards: tuple[CardSort, ...] = ()
    """Sorts of cards."""
    board: BoardPlan | None = None
    """The players' boards; None where there are none."""
    printed_boards: Callable[[], tuple[EnrolledBoard, ...]] = field(default=lambda: ())
    """Return the boards that the project prints, as drawn."""
    sheets: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """Sheets to print, by name: functions that return a PDF."""
    pieces_needed: Callable[[tuple[str, ...]], Mapping[str, int]] = field(default=lambda figures: {})
    """Return how many pieces of each kind a game needs on the table for players of these figures."""
    cards_needed: Callable[[int], Mapping[str, int]] = field(default=lambda players: {})
    """Return how many cards of each sort a game of this many players needs."""
    in_order: OrderedPicture | None = None
    """The set-up step for pieces that one picture shows in order; None where kinds are enrolled one by one."""
    abilities: Callable[[Enrolled], tuple[Ability, ...]] = field(default=lambda enrolled: ())
    """Return what a camera can read with what is enrolled, for the end of the set-up."""

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of loose pieces, which `enrol pieces` can enrol."""
        return tuple(kind for group in self.pieces for kind in group.kinds)

    def group_of(self, kind: str) -> PieceGroup | None:
        """Return the group that a kind's name begins with, None where there is none."""
        return next((group for group in self.pieces if group.name == kind.partition(":")[0]), None)

    def in_hands(self, kind: str) -> bool:
        """Return whether players hold pieces of a kind in their hands."""
        group = self.group_of(kind)
        return group is not None and group.in_hands

    def is_printed(self, kind: str) -> bool:
        """Return whether a print distinguishes a kind from others of its group."""
        group = self.group_of(kind)
        return group is not None and group.printed

    def is_pale(self, kind: str) -> bool:
        """Return whether segmentation may leave only parts of a piece of a kind."""
        group = self.group_of(kind)
        return group is not None and group.pale

    @cached_property
    def card_sorts(self) -> Mapping[str, CardSort]:
        """All sorts of cards by id."""
        return {sort.id: sort for sort in self.cards}

    @cached_property
    def card_fields(self) -> Mapping[str, CardField]:
        """All fields of all sorts of cards by name; fields of one name are the same."""
        return {one.name: one for sort in self.cards for one in sort.fields}

    @cached_property
    def fixed_cards(self) -> Mapping[str, CardSort]:
        """Sort by id, for all cards whose ids the kit fixes: backs and tiles."""
        return {id: sort for sort in self.cards for id in sort.ids}

    @cached_property
    def shown_cards(self) -> tuple[str, ...]:
        """Everything that a person may lay down to enrol: ids of fixed cards, and sorts of all others."""
        return (*(sort.id for sort in self.cards if not sort.ids), *self.fixed_cards)
