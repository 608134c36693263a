"""JSON of the project's values, parsed strictly through pydantic.

Input is refused with one plain line (`Malformed`) where a type or key is unknown, a value has the wrong type (no
"3" for 3) or anything is too large. A well-formed move may still be illegal: the engine checks the rules.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from calibration.wording import say
from companion.games.wicked.components import Deck
from companion.games.wicked.moves import Move
from companion.games.wicked.scoring.final_scores import Score
from companion.games.wicked.state import State
from companion.session.entries import Entry
from companion.session.errors import Malformed

T = TypeVar("T")

_STRICT = ConfigDict(extra="forbid", strict=True)

_LARGEST_INT = 999
"""Limit of numbers in bounded values."""
_LONGEST_TEXT = 64
"""Limit of texts in bounded values, characters."""
_MOST_ITEMS = 64
"""Limit of lists in bounded values; nothing in the box comes in larger numbers."""


class Codec(Generic[T]):
    """Converts one type of value to JSON and back.

    bytes_limit: of the JSON text, before it is parsed; bounded: also limit every number, text and list.
    """

    def __init__(
        self, adapter: TypeAdapter[T | None], what: str, bytes_limit: int, *, bounded: bool = False
    ) -> None:
        self._adapter = adapter
        self._what = what
        self._limit = bytes_limit
        self._bounded = bounded

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
            raise Malformed(say("This is not {what}: {error}.", what=self._what, error=_plainly(error))) from None
        if value is None:
            raise Malformed(say("This is not {what}: it is empty.", what=self._what))
        if self._bounded and not _is_bounded(value):
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


def _plainly(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])[:80]
    match first["type"]:
        case "json_invalid":
            return "it is not JSON"
        case "union_tag_invalid":
            return f"{str(first['ctx']['tag'])[:40]!r} is no known type"
        case "union_tag_not_found":
            return "it has no type"
        case "missing" | "missing_argument":
            return f"{where} is missing"
        case "unexpected_keyword_argument" | "extra_forbidden":
            return f"{where} is not known here"
        case _:
            said = first["msg"].removeprefix("Input ").replace("\n", " ")
            return f"{where or 'it'} {said[:120]}"


def _is_bounded(value: object) -> bool:
    if isinstance(value, int):
        return 0 <= value <= _LARGEST_INT
    if isinstance(value, str):
        return len(value) <= _LONGEST_TEXT
    if isinstance(value, tuple):
        return len(value) <= _MOST_ITEMS and all(map(_is_bounded, value))
    if is_dataclass(value):
        return all(_is_bounded(getattr(value, field.name)) for field in fields(value))
    return value is None


# Each adapter is of a union with None: pydantic accepts a config for a union and applies it to its dataclasses, but
# refuses one for a dataclass itself, and the engine's dataclasses must not depend on pydantic.
MOVE: Codec[Move] = Codec(
    TypeAdapter(Annotated[Move, Field(discriminator="type")] | None, config=_STRICT), "a move", 16_384, bounded=True
)
DECK: Codec[Deck] = Codec(TypeAdapter(Deck | None, config=_STRICT), "a deck", 65_536, bounded=True)
STATE: Codec[State] = Codec(TypeAdapter(State | None, config=_STRICT), "a state", 1_048_576)
SCORE: Codec[Score] = Codec(TypeAdapter(Score | None, config=_STRICT), "a score", 16_384)
ENTRY: Codec[Entry] = Codec(
    TypeAdapter(Annotated[Entry, Field(discriminator="type")] | None, config=_STRICT), "a journal entry", 1_048_576
)
