"""Conversion of moves, setups and journal entries to JSON and back, parsed strictly through pydantic.

Input is rejected with one plain line (`Malformed`) where a type or key is unknown, a value has the wrong type ("3"
for 3) or anything is too large. A well-formed move may still be illegal: the engine checks the rules.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Generic, TypeVar, get_args

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from calibration.translatable import say
from companion.games import UNNAMED, game, upgraded_entry
from companion.games.game import Game
from companion.session.entries import Entry, M, Played, Revised, Started, Supplied, U, Undone
from companion.session.errors import Malformed

T = TypeVar("T")

_STRICT = ConfigDict(extra="forbid", strict=True)

_LARGEST_IN_MOVE = 999
"""Limit of numbers in moves."""
_LARGEST_IN_SETUP = (1 << 63) - 1
"""Limit of numbers in setups, seeds among them."""
_LONGEST_TEXT = 64
"""Limit of texts in moves and setups, characters."""
_MOST_ITEMS = 64
"""Limit of lists in moves and setups; nothing in a box comes in larger numbers."""
_MOST_ENTRY_BYTES = 1_048_576
"""Limit of an entry as JSON."""


class Codec(Generic[T]):
    """Converts one type of value to JSON and back.

    what: names such a value in errors, such as "a move". bytes_limit: of the JSON text. largest: limit of every
    number; where it is given, texts and lists are limited, too.
    """

    def __init__(
        self, adapter: TypeAdapter[T | None], what: str, bytes_limit: int, *, largest: int | None = None
    ) -> None:
        self._adapter = adapter
        self._what = what
        self._limit = bytes_limit
        self._largest = largest

    def to_json(self, value: T) -> str:
        """Return a value as one line of JSON."""
        return self._adapter.dump_json(value).decode()

    def to_data(self, value: T) -> Any:
        """Return a value as plain lists, dicts, texts and numbers, for a JSON writer."""
        return self._adapter.dump_python(value, mode="json")

    def from_json(self, text: str | bytes) -> T:
        """Parse a value from JSON text. Raises Malformed."""
        if len(text) > self._limit:
            raise Malformed(say("This is not {what}: it is too large.", what=self._what))
        try:
            value = self._adapter.validate_json(text)
        except ValidationError as error:
            raise Malformed(
                say("This is not {what}: {error}.", what=self._what, error=_describe_error(error))
            ) from None
        if value is None:
            raise Malformed(say("This is not {what}: it is empty.", what=self._what))
        if self._largest is not None and not _is_bounded(value, self._largest):
            raise Malformed(
                say("This is not {what}: a number, text or list in it is too large or negative.", what=self._what)
            )
        return value

    def from_data(self, data: object) -> T:
        """Parse a value from decoded JSON. Raises Malformed."""
        try:
            text = json.dumps(data, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise Malformed(say("This is not {what}: it is not JSON.", what=self._what)) from None
        return self.from_json(text)


def _describe_error(error: ValidationError) -> str:
    """Return a short text about the first error of a validation."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    match first["type"]:
        case "json_invalid":
            return "it is not JSON"
        case "union_tag_invalid":
            return f"{str(first['ctx']['tag'])[:40]!r} is not a known type"
        case "union_tag_not_found":
            return "it has no type"
        case "missing" | "missing_argument":
            return f"{where} is missing"
        case "unexpected_keyword_argument" | "extra_forbidden":
            return f"{where} is not a known key"
        case _:
            said = first["msg"].removeprefix("Input ").replace("\n", " ")
            return f"{where or 'it'} {said[:120]}"


def _is_bounded(value: object, largest: int) -> bool:
    """Return whether all numbers, texts and lists in a value are within their limits."""
    if isinstance(value, int):
        return 0 <= value <= largest
    if isinstance(value, str):
        return len(value) <= _LONGEST_TEXT
    if isinstance(value, tuple):
        return len(value) <= _MOST_ITEMS and all(_is_bounded(each, largest) for each in value)
    if is_dataclass(value):
        return all(_is_bounded(getattr(value, field.name), largest) for field in fields(value))
    return value is None


@dataclass(frozen=True, slots=True)
class Codecs(Generic[M, U]):
    """The JSON of what one game's journals consist of."""

    move: Codec[M]
    """For moves."""
    setup: Codec[U]
    """For what a game begins with."""
    entry: Codec[Entry[M]]
    """For journal entries."""


def codecs(game: Game[Any, M, U]) -> Codecs[M, U]:
    """Return the codecs of a game's moves, setup and journal entries, from a cache."""
    return _codecs(game)


@cache
def union_codec(types: Any, what: str) -> Codec[Any]:
    """Return the codec of a dataclass, or of a union of dataclasses that differ in `type`, as screens send them.

    what: names such a value in errors, such as "a move".
    """
    union: Any = Annotated[types, Field(discriminator="type")] if get_args(types) else types
    return Codec(TypeAdapter(union | None, config=_STRICT), what, 16_384, largest=_LARGEST_IN_MOVE)


@cache
def _codecs(game: Game[Any, Any, Any]) -> Codecs[Any, Any]:
    # Each adapter is of a union with None: pydantic accepts a config for a union and applies it to its dataclasses,
    # but refuses one for a dataclass itself, and the rules' dataclasses must not depend on pydantic.
    move: Any = Annotated[game.moves, Field(discriminator="type")] if get_args(game.moves) else game.moves
    setup: Any = game.setup
    entry: Any = Started[setup] | Played[move] | Undone | Supplied[move] | Revised[move]
    return Codecs(
        union_codec(game.moves, say("a move")),
        Codec(TypeAdapter(setup | None, config=_STRICT), say("a setup"), 65_536, largest=_LARGEST_IN_SETUP),
        Codec(
            TypeAdapter(Annotated[entry, Field(discriminator="type")] | None, config=_STRICT),
            say("a journal entry"),
            _MOST_ENTRY_BYTES,
        ),
    )


def entry_parser(opening: str | bytes) -> tuple[Game[Any, Any, Any], Callable[[str | bytes], Entry]]:
    """Return the game that a journal's first entry names, and the function that parses the journal's entries.

    Journals of formats 1 and 2 name no game; their entries are converted to the present form. The parser raises
    Malformed. Raises UnknownGame, or Malformed where the first entry is no JSON object.
    """
    first = _decode_entry(opening)
    named = "game" in first
    played = game(str(first["game"])) if named else game(UNNAMED)
    entry = codecs(played).entry
    return played, entry.from_json if named else lambda text: entry.from_data(upgraded_entry(_decode_entry(text)))


def _decode_entry(text: str | bytes) -> dict[str, Any]:
    """Return an entry's JSON object. Raises Malformed."""
    what = say("a journal entry")
    if len(text) > _MOST_ENTRY_BYTES:
        raise Malformed(say("This is not {what}: it is too large.", what=what))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise Malformed(say("This is not {what}: it is not JSON.", what=what)) from None
    if not isinstance(data, dict):
        raise Malformed(say("This is not {what}: it is not JSON.", what=what))
    return data
