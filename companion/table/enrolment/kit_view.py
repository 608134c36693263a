"""A game's kit (what is in its box) as the set-up screens need it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.game_kit import BoardPlan, CardField, CardSort, Kit, OrderedPicture


@dataclass(frozen=True, slots=True)
class CardFieldView:
    """What a field of a card can show; see `CardField`."""

    name: str
    """As `CardField.name`."""
    title: str
    """Name on screens."""
    parts: tuple[tuple[str, ...], ...]
    """For each part of a value, the words that it can be, as `CardField.parts`."""
    fewest: int
    """Smallest number of values on a card."""
    most: int
    """Largest number of values on a card."""
    repeats: bool
    """Whether screens offer the same value more than once."""


@dataclass(frozen=True, slots=True)
class SortView:
    """A sort of cards; see `CardSort`."""

    id: str
    """As `CardSort.id`."""
    shown: tuple[tuple[str, str], ...]
    """What a person can lay down: pairs of the kind that enrolment commands take, and its name on screens."""
    fixed: bool
    """Whether its cards have fixed ids, those in `shown`."""
    fields: tuple[CardFieldView, ...]
    """What its cards show."""
    about: str
    """As `CardSort.about`."""


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A row of spots, or one space, on a player's board."""

    name: str
    """Name of the row or space in messages."""
    title: str
    """Name on screens."""
    spots: int
    """Number of spots in the row, 0 for a space."""


@dataclass(frozen=True, slots=True)
class KitView:
    """What can be enrolled for a game: cards, boards, and pieces shown in order."""

    players: tuple[int, ...]
    """Numbers of players that can play."""
    figures: tuple[str, ...]
    """Ids of the figures that mark players."""
    cards: tuple[SortView, ...]
    """Sorts of cards."""
    board: tuple[PlaceView, ...]
    """Rows, then spaces, in the order in which a person marks them; none where there are no boards."""
    printed_boards: bool
    """Whether the project has printable boards."""
    in_order: OrderedPicture | None
    """The step in which one picture shows all pieces in order; None without such a step."""


def kit_view(kit: Kit) -> KitView:
    """Return what can be enrolled for a game (its cards, boards and ordered pieces) as screens need it."""
    return KitView(
        kit.players,
        kit.figures,
        tuple(map(_sort_view, kit.cards)),
        _places(kit.board),
        "boards" in kit.sheets,
        kit.in_order,
    )


def _sort_view(sort: CardSort) -> SortView:
    fields = tuple(map(_field_view, sort.fields))
    return SortView(sort.id, tuple(sort.titles.items()), bool(sort.ids), fields, sort.about)


def _field_view(field: CardField) -> CardFieldView:
    return CardFieldView(field.name, field.title, field.parts, field.fewest, field.most, field.repeats)


def _places(plan: BoardPlan | None) -> tuple[PlaceView, ...]:
    if plan is None:
        return ()
    places = {**plan.spots, **dict.fromkeys(plan.spaces, 0)}
    return tuple(PlaceView(name, plan.titles[name], spots) for name, spots in places.items())
