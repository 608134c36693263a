"""The kit of a game as the set-up screens need it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.kit import BoardPlan, CardField, CardSort, Kit, OrderedPicture


@dataclass(frozen=True, slots=True)
class CardFieldView:
    """What a field of a card can show; see `CardField`."""

    name: str
    title: str
    parts: tuple[tuple[str, ...], ...]
    """Words of each part of a value."""
    fewest: int
    most: int
    repeats: bool


@dataclass(frozen=True, slots=True)
class SortView:
    """A sort of cards; see `CardSort`."""

    id: str
    shown: tuple[tuple[str, str], ...]
    """What a person lays down: the kind that enrolment commands take, and its name."""
    fixed: bool
    """Whether its cards have no names but these."""
    fields: tuple[CardFieldView, ...]
    about: str


@dataclass(frozen=True, slots=True)
class PlaceView:
    """A row of spots, or a space, of the players' boards."""

    name: str
    title: str
    spots: int
    """Number of spots in the row, 0 for a space."""


@dataclass(frozen=True, slots=True)
class KitView:
    """What a game has to enrol."""

    players: tuple[int, ...]
    figures: tuple[str, ...]
    cards: tuple[SortView, ...]
    board: tuple[PlaceView, ...]
    """Rows, then spaces, in the order in which a person marks them; none where there are no boards."""
    printed_boards: bool
    """Whether the project prints boards."""
    in_order: OrderedPicture | None


def kit_view(kit: Kit) -> KitView:
    """Return a kit for screens."""
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
