"""The enrolled deck: each card's definition and reference picture; a folder with `deck.yaml`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal

import cv2
import numpy as np
import yaml
from numpy.typing import NDArray
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, create_model, model_validator

from calibration.errors import ProfileError
from calibration.files import crash_safe_files
from calibration.files.picture_files import read_picture
from calibration.game_kit import TILE, CardField, CardValue, CardValues, Kit, Picture
from calibration.translatable import say

VERSION: Literal[1] = 1
"""Format version of `deck.yaml`."""
REFERENCE_PX_PER_MM = 4.0
"""Scale of reference pictures."""
CARD_MM = (63.0, 88.0)
"""Width and height of a card, mm."""
TILE_MM = 112.0
"""Width of the tile, mm."""
_MAX_ASKEW = 0.06
"""Largest relative deviation of a picture's aspect ratio from a card's."""
_MAX_BYTES = 1 << 20
"""Largest size of `deck.yaml`, bytes."""
CARD_ID = r"[A-Za-z0-9][A-Za-z0-9_:.-]{0,39}"
"""Regular expression of a card's id."""
DECK_FILE = re.compile(r"deck\.yaml|[A-Za-z0-9][\w.-]{0,80}\.png")
"""Names of the files in a folder of cards."""
_PICTURE_NAME = re.compile(r"^name:.*|\bpicture[\"']?\s*:\s*([^,}\n]+)", re.MULTILINE)
"""Finds the names of pictures in the text of a `deck.yaml`, even a damaged one; empty for the deck's own name."""
_WITH_DIGEST = re.compile(r"-[0-9a-f]{12}\.png\b")
"""Found in the name of a picture that the companion wrote."""


@dataclass(frozen=True, eq=False)
class EnrolledCard:
    """An enrolled card, card back or tile."""

    id: str
    """Unique in the deck."""
    kind: str
    """Id of its sort, see `CardSort`."""
    picture: Picture
    """Reference picture at REFERENCE_PX_PER_MM."""
    values: CardValues = field(default_factory=dict)
    """Values printed on it, by the name of the kit's field; none on backs and tiles."""

    @cached_property
    def png(self) -> bytes:
        """The reference picture as PNG data, encoded once, since each change of a profile saves all cards.

        Raises ProfileError.
        """
        done, data = cv2.imencode(".png", self.picture, [cv2.IMWRITE_PNG_COMPRESSION, 4])
        if not done:
            raise ProfileError(say("The picture of card {card} cannot be stored: enrol it again.", card=self.id))
        return data.tobytes()

    def shows(self, name: str) -> tuple[CardValue, ...]:
        """Return the values that the card shows for one of the kit's fields, by its name; empty for none."""
        return self.values.get(name, ())

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height in mm."""
        height, width = self.picture.shape[:2]
        return width / REFERENCE_PX_PER_MM, height / REFERENCE_PX_PER_MM


@dataclass(frozen=True, eq=False)
class EnrolledDeck:
    """All enrolled cards."""

    name: str
    """Name of the deck, for people."""
    cards: Mapping[str, EnrolledCard] = field(default_factory=dict)
    """The cards by id."""

    def __post_init__(self) -> None:
        """Make the mapping of cards read-only."""
        object.__setattr__(self, "cards", MappingProxyType(dict(self.cards)))

    def with_cards(self, cards: Sequence[EnrolledCard]) -> EnrolledDeck:
        """Return the deck with more cards; a card replaces an older one with the same id."""
        return EnrolledDeck(self.name, {**self.cards, **{card.id: card for card in cards}})

    def without_cards(self, ids: AbstractSet[str]) -> EnrolledDeck:
        """Return the deck without the cards of these ids."""
        return EnrolledDeck(self.name, {id: card for id, card in self.cards.items() if id not in ids})

    def write_pictures(self, folder: Path) -> dict[str, str]:
        """Write the cards' pictures to a folder; return the names of their files by the cards' ids."""
        folder.mkdir(parents=True, exist_ok=True)
        return {
            card.id: crash_safe_files.write_named(folder, card.id.replace(":", "-"), ".png", card.png)
            for card in self.cards.values()
        }

    def listing(self, pictures: Mapping[str, str]) -> bytes:
        """Return the content of `deck.yaml`, which lists the cards. pictures: names of files by the cards' ids."""
        entries: list[dict[str, Any]] = []
        for card in self.cards.values():
            values = {name: _as_lists(of) for name, of in card.values.items() if of}
            entries.append({"id": card.id, "kind": card.kind, "picture": pictures[card.id], **values})
        content = {"version": VERSION, "name": self.name, "cards": entries}
        return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=100).encode()

    @classmethod
    def load(cls, folder: Path, kit: Kit) -> EnrolledDeck:
        """Return the deck in a profile's folder of cards. Raises ProfileError when damaged or newer."""
        return cls._read(folder, _saved_file(kit), _load_picture)

    @classmethod
    def from_folder(cls, folder: Path, kit: Kit) -> EnrolledDeck:
        """Return the deck in a folder made by hand: `deck.yaml` as in a profile, with pictures of any name.

        A picture shows the card alone, upright and filled to its edges, at any scale: a scan or a photograph cut
        to size. Raises ProfileError or PictureError with one plain line.
        """
        return cls._read(folder, _handmade_file(kit), _handmade_picture)

    @classmethod
    def _read(
        cls,
        folder: Path,
        layout: type[BaseModel],
        picture_of: Callable[[Path, _Card], Picture],
    ) -> EnrolledDeck:
        """Return the deck in a folder. Raises ProfileError.

        layout: Pydantic model of `deck.yaml`; picture_of: returns a card's picture, given the folder and the
        card's entry.
        """
        path = folder / "deck.yaml"
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise ProfileError(
                    say(
                        "The deck {path} is larger than {most_bytes} MB: it is too large for a deck.",
                        path=path,
                        most_bytes=_MAX_BYTES >> 20,
                    )
                )
            content = _plain_yaml(path.read_text(encoding="utf-8"))
        except _NotPlain as error:
            raise ProfileError(
                say("The deck {path} cannot be read: write it without anchors or deep nesting.", path=path)
            ) from error
        except (OSError, ValueError, yaml.YAMLError, RecursionError) as error:
            raise ProfileError(
                say("The deck {path} cannot be read: restore it or enrol the cards again.", path=path)
            ) from error
        version = content.get("version") if isinstance(content, dict) else None
        if isinstance(version, int) and version > VERSION:
            raise ProfileError(say("The deck {path} is from a newer version: update the companion.", path=path))
        try:
            listing: Any = layout.model_validate(content)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise ProfileError(
                say(
                    "The deck {path} is damaged at “{where}” ({first}): correct it.",
                    path=path,
                    where=where,
                    first=first["msg"],
                )
            ) from error
        cards: dict[str, EnrolledCard] = {}
        for entry in listing.cards:
            if entry.id in cards:
                raise ProfileError(
                    say("The deck {path} names the card {entry} twice: remove one.", path=path, entry=entry.id)
                )
            values = entry.model_dump(exclude=_COMMON_FIELDS, exclude_defaults=True)
            cards[entry.id] = EnrolledCard(entry.id, entry.kind, picture_of(folder, entry), values)
        return cls(listing.name, cards)


def refuse_handmade(path: Path) -> None:
    """Raise ProfileError if there is a `deck.yaml` that the companion did not write: a picture has no digest."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    pictures = filter(None, _PICTURE_NAME.findall(text))
    if not text.startswith("version: ") or not all(map(_WITH_DIGEST.search, pictures)):
        raise ProfileError(
            say(
                "{path} is not a deck that the companion wrote, so it is not replaced: rename its folder, or use "
                "another profile.",
                path=path,
            )
        )


def as_reference(picture: NDArray[np.uint8], size_mm: tuple[float, float] = CARD_MM) -> Picture:
    """Return a BGRA picture at REFERENCE_PX_PER_MM of a BGR or BGRA picture that shows a card alone.

    The card is upright in it and fills it to its edges.
    """
    if picture.shape[2] == 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), np.uint8)
    size = (round(size_mm[0] * REFERENCE_PX_PER_MM), round(size_mm[1] * REFERENCE_PX_PER_MM))
    smaller = size[0] < picture.shape[1]
    how = cv2.INTER_AREA if smaller else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)


def blank_picture() -> Picture:
    """Return a fully transparent picture in the size of a card, for a card that is about to be enrolled."""
    return as_reference(np.zeros((88, 63, 4), np.uint8))


def _load_picture(folder: Path, card: _Card) -> Picture:
    """Return a card's picture in a profile's folder of cards. Raises ProfileError."""
    data = crash_safe_files.read_part(folder, card.picture)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
        raise ProfileError(
            say("The card picture {folder} is damaged: enrol the card again.", folder=folder / card.picture)
        )
    return np.asarray(picture, np.uint8)


def _handmade_picture(folder: Path, card: _Card) -> Picture:
    """Return the reference picture made from any picture of a card. Raises ProfileError or PictureError."""
    image = read_picture(folder / card.picture)
    whole = cv2.imdecode(np.frombuffer((folder / card.picture).read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
    if whole is not None and whole.dtype == np.uint8 and whole.ndim == 3 and whole.shape[2] == 4:
        image = np.asarray(whole, np.uint8)  # transparent outside rounded corners
    height, width = image.shape[:2]
    if card.kind != TILE:
        if abs(width / height / (CARD_MM[0] / CARD_MM[1]) - 1) > _MAX_ASKEW:
            raise ProfileError(
                say(
                    "The picture of {card} is {width}×{height} px, not upright and cut to the card's edges "
                    "({card_mm}×{card_mm2} mm): correct it.",
                    card=card.id,
                    width=width,
                    height=height,
                    card_mm=f"{CARD_MM[0]:.0f}",
                    card_mm2=f"{CARD_MM[1]:.0f}",
                )
            )
        return as_reference(image)
    return as_reference(image, (TILE_MM, TILE_MM * height / width))


_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


_MAX_NESTED = 20
"""Deepest nesting of `deck.yaml`."""


class _NotPlain(Exception):
    """YAML that is nested deeply, or that refers to parts of itself."""


def _plain_yaml(text: str) -> Any:
    """Return the parsed content of a YAML text. Raises _NotPlain for aliases and deep nesting, yaml.YAMLError.

    libyaml's own loader recurses as deeply as the text does and crashes the process.
    """
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _MAX_NESTED or isinstance(event, yaml.AliasEvent):
            raise _NotPlain
    return yaml.load(text, Loader=_Loader)  # noqa: S506 (a safe loader)


class _Card(BaseModel):
    """Keys of a card's entry in `deck.yaml` that are the same for all games."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: Annotated[str, Field(pattern=f"^{CARD_ID}$")]
    """Unique in the deck."""
    kind: str
    """Id of its sort; see `CardSort`."""
    picture: str
    """Name of its picture's file in the deck's folder."""


_COMMON_FIELDS = set(_Card.model_fields)
_SavedPicture = Annotated[str, Field(pattern=r"^[A-Za-z0-9][\w.-]*\.png$")]
_HandmadePicture = Annotated[str, Field(pattern=r"^[^/\\\x00.][^/\\\x00]{0,120}$")]
_DeckName = Annotated[str, Field(min_length=1, max_length=80)]


@cache
def _saved_file(kit: Kit) -> type[BaseModel]:
    """Return the Pydantic model of a `deck.yaml` in a profile."""
    card = _card_model(kit, _SavedPicture)
    return create_model(
        "_DeckFile",
        __config__=_Card.model_config,
        version=(Literal[1], ...),
        name=(_DeckName, ...),
        cards=(_tuple_type(card, ...), ()),
    )


@cache
def _handmade_file(kit: Kit) -> type[BaseModel]:
    """Return the Pydantic model of a `deck.yaml` made by hand: one card or more, each with all its values."""

    def is_whole(card: Any) -> Any:
        sort = kit.card_sorts[card.kind]
        if not sort.is_complete({one.name: getattr(card, one.name) for one in sort.fields}):
            raise ValueError(f"{card.id}: {sort.contents}")
        return card

    names = {one.name: one.other_names for one in kit.card_fields.values()}
    card = _card_model(kit, _HandmadePicture, names, {"is_whole": model_validator(mode="after")(is_whole)})
    return create_model(
        "_GivenDeckFile",
        __config__=_Card.model_config,
        version=(Literal[1], VERSION),
        name=(_DeckName, ...),
        cards=(_tuple_type(card, ...), Field(min_length=1, max_length=200)),
    )


def _card_model(
    kit: Kit,
    picture: Any,
    other_names: Mapping[str, tuple[str, ...]] = MappingProxyType({}),
    validators: Mapping[str, Any] = MappingProxyType({}),
) -> type[BaseModel]:
    """Return the Pydantic model of one card's entry in `deck.yaml`, with a key for each field of the kit.

    picture: type of the picture's file name; other_names: further keys that a field may have, by its name;
    validators: Pydantic's, by name.
    """
    fields: dict[str, Any] = {"kind": (_literal_type(tuple(kit.card_sorts)), ...), "picture": (picture, ...)}
    for one in kit.card_fields.values():
        names = AliasChoices(one.name, *other_names.get(one.name, ()))
        fields[one.name] = (_tuple_type(_value_type(one), ...), Field(default=(), validation_alias=names))
    return create_model("_CardEntry", __base__=_Card, __validators__=dict(validators), **fields)


def _value_type(one: CardField) -> Any:
    """Return the type of one value of a field: a literal, or a tuple of literals."""
    parts = [_literal_type(words) for words in one.parts]
    return parts[0] if len(parts) == 1 else _tuple_type(*parts)


def _tuple_type(*types: Any) -> Any:
    some: Any = tuple
    return some[types]


def _literal_type(words: tuple[str, ...]) -> Any:
    literal: Any = Literal
    return literal[words]


def _as_lists(values: tuple[CardValue, ...]) -> list[Any]:
    return [value if isinstance(value, str) else list(value) for value in values]
