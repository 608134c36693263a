"""Translatable sentences: English texts that keep their template and values, so that screens can translate them.

It uses the standard library only, so that every layer can import it, even the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Line(str):
    """A translatable sentence: a string of its English text that keeps the template and the values filled in.

    String operations such as joining and slicing give a plain string, which is no longer translatable. Lines are
    combined by nesting them as values of `say`.
    """

    template: str
    """English text with `{name}` in place of each value: the key in catalogues."""
    values: tuple[tuple[str, str], ...]
    """Name and text of each value; a nested line is translated as well."""
    forms: tuple[str, str] | None
    """Singular and plural template, if the sentence contains a count."""
    number: int
    """The count; 0 without `forms`."""
    _by_side: tuple[Line, ...] = ()
    """The sentence for each side of the table, by clockwise quarter turns; empty if it is the same for all."""

    def __new__(
        cls,
        template: str,
        values: Sequence[tuple[str, object]] = (),
        forms: tuple[str, str] | None = None,
        number: int = 0,
        english: str | None = None,
    ) -> Line:
        """Make a line. english: its text, if not the filled template. Raises KeyError if a value is missing."""
        kept = tuple((name, value if isinstance(value, str) else str(value)) for name, value in values)
        line = super().__new__(cls, template.format_map(dict(kept)) if english is None else english)
        line.template, line.values, line.forms, line.number = template, kept, forms, number
        return line

    def __str__(self) -> str:
        return self

    def __deepcopy__(self, memo: object) -> Line:
        return self

    def translated(self, template_of: Callable[[Line], str]) -> str:
        """Return the translated text, nested lines included. template_of: returns a line's translated template."""
        values = {
            name: value.translated(template_of) if isinstance(value, Line) else value for name, value in self.values
        }
        return template_of(self).format_map(values)

    def sides(self) -> tuple[Line, ...]:
        """Return the line for each side of the table, by clockwise quarter turns; only one if all are the same."""
        if self._by_side:
            return self._by_side
        by_name = {name: value.sides() for name, value in self.values if isinstance(value, Line)}
        most = max(map(len, by_name.values()), default=1)
        if most == 1:
            return (self,)
        return tuple(
            Line(
                self.template,
                [
                    (name, by_name[name][side % len(by_name[name])] if name in by_name else value)
                    for name, value in self.values
                ],
                self.forms,
                self.number,
            )
            for side in range(most)
        )

    def with_english(self, english: str) -> Line:
        """Return the line with another English text; translations still use the template."""
        return Line(self.template, self.values, self.forms, self.number, english)

    def with_replaced(self, swap: Callable[[Line], str | None]) -> str:
        """Return this line's English text, with itself or lines nested in it replaced by what `swap` returns.

        swap: is called with a line before the lines nested in it; None keeps the line. Of a line that reads
        differently from each side of the table, the text of the first side is used.
        """
        instead = swap(self)
        if instead is not None:
            return instead
        if self._by_side:
            return self._by_side[0].with_replaced(swap)
        values = [
            (name, value.with_replaced(swap) if isinstance(value, Line) else value) for name, value in self.values
        ]
        return Line(self.template, values, self.forms, self.number)


def say(template: str, /, **values: object) -> Line:
    """Return a translatable line. template: literal with `{name}` for each value; values: lines or any objects."""
    return Line(template, tuple(values.items()))


def counted(number: int, one: str, several: str, /, **values: object) -> Line:
    """Return a translatable line with a count, `{n}`. one, several: literal templates, singular and plural."""
    template = one if abs(number) == 1 else several
    return Line(template, tuple(({"n": number} | values).items()), (one, several), number)


def by_side(lines: Sequence[Line]) -> Line:
    """Return a translatable line whose text depends on the side from which a screen shows the table.

    lines: one for each number of clockwise quarter turns of the table, 0 to 3. The first, for the side of seat 0,
    is used where no side is chosen.
    """
    first = lines[0]
    line = Line(first.template, first.values, first.forms, first.number)
    line._by_side = tuple(lines)
    return line


def listed(things: Sequence[object]) -> Line:
    """Return things as a list within a sentence, such as "a, b and c"; "nothing" if there are none."""
    if not things:
        return say("nothing")
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} and {last}", list=_in_a_row(things[:-1]), last=things[-1])


def either(things: Sequence[object]) -> Line:
    """Return alternatives as a list within a sentence, such as "a, b or c". There must be at least one."""
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} or {last}", list=_in_a_row(things[:-1]), last=things[-1])


def sentences(*lines: str) -> Line:
    """Return sentences joined by spaces as one translatable line; empty ones are left out."""
    texts = [line for line in lines if line]
    if not texts:
        return Line("")
    whole = texts[0] if isinstance(texts[0], Line) else say("{text}", text=texts[0])
    for line in texts[1:]:
        whole = say("{sentence} {next}", sentence=whole, next=line)
    return whole


def _in_a_row(things: Sequence[object]) -> object:
    """Return things separated by commas; a single thing as it is."""
    row = things[0]
    for thing in things[1:]:
        row = say("{list}, {next}", list=row, next=thing)
    return row
