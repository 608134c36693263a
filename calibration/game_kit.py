"""Kit: description of a game's components as far as they are enrolled and recognised.

A game describes its kit in `calibration/games/GAME/kit.py`; `calibration.games.kit` returns it. Profile, enrolment,
readers and set-up screens are generic: they get what they need to know of a game from its kit.
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
"""What a card shows: values of each field, by the field's name."""

BACK = "back"
"""Sort of all card backs, which have no fields."""
TILE = "tile"
"""Sort of a large printed tile in the middle of the table, on which other things lie."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A common paint of pieces."""

    id: str
    """Identifier."""
    name: str
    """Name for screens, translatable."""
    bgr: tuple[int, int, int]
    """Colour in a picture in which white paper has level 245, 0..255."""


@dataclass(frozen=True, slots=True)
class PieceGroup:
    """Kinds of loose pieces that differ in colour or print alone."""

    name: str
    """First part of the kinds' names."""
    variants: tuple[str, ...] = ()
    """Second part of each kind's name; empty if the group is a single kind."""
    in_hands: bool = False
    """Whether players hold these pieces in their hands; others lie on and beside boards."""
    printed: bool = False
    """Whether the variants differ in their print; otherwise in their paint."""
    pale: bool = False
    """Whether segmentation may find only parts of a piece, because of a light print or a dark rim."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Names of the group's kinds: `group:variant`, or the group's name alone without variants."""
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
    """Words that are recognised reliably by colour, so that a person who enters another is asked to check it."""
    notes: Mapping[str, str] = field(default_factory=dict)
    """Remark that screens show about a suggested word, by word."""
    other_names: tuple[str, ...] = ()
    """Further names of the field that are accepted in a `deck.yaml` written by hand."""
    title: str = ""
    """Name on screens, translatable."""
    repeats: bool = False
    """Whether a card may have the same value more than once."""

    @property
    def flag(self) -> str:
        """The field's option on the command line, with its dashes."""
        return f"--{self.option or self.name}"

    def allows(self, value: CardValue) -> bool:
        """Return whether a value consists of allowed words."""
        words = (value,) if isinstance(value, str) else value
        return len(words) == len(self.parts) and all(map(lambda word, of: word in of, words, self.parts))


@dataclass(frozen=True, slots=True)
class CardSort:
    """Cards with the same fields and the same back."""

    id: str
    """Name in `deck.yaml`."""
    name: str
    """Name in messages of the command line."""
    further: Callable[[int], str] | None = None
    """Function that returns a text for a number of further cards, e.g. "2 more tasks"; None if not counted."""
    letter: str = ""
    """First letter of proposed card ids; empty if `ids` lists them all."""
    ids: tuple[str, ...] = ()
    """All card ids of the sort; empty if a person chooses them."""
    fields: tuple[CardField, ...] = ()
    """What its cards show."""
    contents: str = ""
    """What its cards show, as a phrase for messages, e.g. "a task has two stones"."""
    incomplete: str = ""
    """Message for a card with too few values in a field."""
    wrong_id: str = ""
    """Message for a card id that is not in `ids`."""
    propose: Callable[[Picture], CardValues] | None = None
    """Function that returns the values recognised in a picture, for a person to check; None if there is none."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Names on screens, translatable: by card id if the sort has `ids`, otherwise a single one by the sort's id."""
    about: str = ""
    """Text that screens show in place of fields, if the cards have none."""

    def allows(self, values: CardValues) -> bool:
        """Return whether its cards can show these values; fields may still lack values."""
        fields = {one.name: one for one in self.fields}
        return all(
            not of or (name in fields and len(of) <= fields[name].most and all(map(fields[name].allows, of)))
            for name, of in values.items()
        )

    def is_complete(self, values: CardValues) -> bool:
        """Return whether every field of the sort has an allowed number of these values."""
        return all(one.fewest <= len(values.get(one.name, ())) <= one.most for one in self.fields)


@dataclass(frozen=True, slots=True)
class BoardPlan:
    """Rows of spots and rectangular spaces on each player's board."""

    spots: Mapping[str, int]
    """Number of spots in each row, by the row's name, in the order in which a person marks them on a picture."""
    spaces: tuple[str, ...] = ()
    """Names of the rectangular spaces for pieces."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """Names of rows and spaces on screens, translatable, with their article."""

    @property
    def spot_count(self) -> int:
        """Number of spots on a board."""
        return sum(self.spots.values())


@dataclass(frozen=True, slots=True)
class OrderedPicture:
    """Translatable texts of a set-up step that enrols all pieces of a group from one picture, in order."""

    title: str
    """Title of the step."""
    about: tuple[str, ...]
    """Sentences about what it is needed for, and how to lay out the pieces."""
    done: str
    """Message after the pieces are enrolled."""


@dataclass(frozen=True, slots=True)
class Enrolled:
    """What of a kit is enrolled, from which follows what a camera can read."""

    calibrated: bool
    """Whether the camera's pose is calibrated."""
    kinds: frozenset[str]
    """Enrolled kinds of pieces."""
    cards: bool
    """Whether enough cards for a game of the fewest players are enrolled."""
    boards: int
    """Number of enrolled boards."""

    def has_all(self, kinds: Iterable[str]) -> bool:
        """Return whether all of these kinds are enrolled."""
        return self.kinds.issuperset(kinds)


@dataclass(frozen=True, slots=True)
class Ability:
    """Whether a camera can read one thing with what is enrolled."""

    works: bool
    """Whether it can be read."""
    line: str
    """Translatable text: what is read, or how and why it is entered by hand instead."""


@dataclass(frozen=True, eq=False)
class Kit:
    """Description of the components of one game."""

    game: str
    """Id of the game."""
    players: tuple[int, ...]
    """Possible numbers of players."""
    figures: tuple[str, ...]
    """Ids of the figures or colours that identify players, in the order of all lists."""
    pieces: tuple[PieceGroup, ...] = ()
    """Kinds of loose pieces."""
    paints: tuple[Paint, ...] = ()
    """Common paints of the pieces, to check whether they contrast with a table."""
    cards: tuple[CardSort, ...] = ()
    """Sorts of cards."""
    board: BoardPlan | None = None
    """Layout of the players' boards; None if the game has none."""
    printed_boards: Callable[[], tuple[EnrolledBoard, ...]] = field(default=lambda: ())
    """Function that returns the printable boards of this project, which need no enrolment."""
    sheets: Mapping[str, Callable[[], bytes]] = field(default_factory=dict)
    """Functions that return printable sheets as PDF, by name."""
    pieces_needed: Callable[[tuple[str, ...]], Mapping[str, int]] = field(default=lambda figures: {})
    """Function that returns how many pieces of each kind a game needs on the table, from its players' figures."""
    cards_needed: Callable[[int], Mapping[str, int]] = field(default=lambda players: {})
    """Function that returns how many cards of each sort a game needs, from its number of players."""
    in_order: OrderedPicture | None = None
    """Texts of the set-up step for pieces in order; None if kinds are enrolled one by one."""
    abilities: Callable[[Enrolled], tuple[Ability, ...]] = field(default=lambda enrolled: ())
    """Function that returns what a camera can read with what is enrolled, for the end of the set-up."""

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """All kinds of loose pieces."""
        return tuple(kind for group in self.pieces for kind in group.kinds)

    def group_of(self, kind: str) -> PieceGroup | None:
        """Return the group of a kind; None if the kit has no such group."""
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
        """Return whether segmentation may find only parts of a piece of a kind."""
        group = self.group_of(kind)
        return group is not None and group.pale

    @cached_property
    def card_sorts(self) -> Mapping[str, CardSort]:
        """All sorts of cards by id."""
        return {sort.id: sort for sort in self.cards}

    @cached_property
    def card_fields(self) -> Mapping[str, CardField]:
        """All fields of all sorts of cards, by name; sorts share fields of the same name."""
        return {one.name: one for sort in self.cards for one in sort.fields}

    @cached_property
    def fixed_cards(self) -> Mapping[str, CardSort]:
        """Sort of each card whose id the kit prescribes, such as backs and tiles, by the card's id."""
        return {id: sort for sort in self.cards for id in sort.ids}

    @cached_property
    def shown_cards(self) -> tuple[str, ...]:
        """What can be enrolled as cards: ids of sorts whose card ids a person chooses, then prescribed card ids."""
        return (*(sort.id for sort in self.cards if not sort.ids), *self.fixed_cards)
