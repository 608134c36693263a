"""Translatable sentences: English texts that keep their template and values for a page to translate.

Uses the standard library only, so that every layer can import it, the rules too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Line(str):
    """An English text for readers that keeps its template and the values filled in.

    It behaves as its English text. Joining or slicing it gives a plain string, which stays English: `say` joins
    lines so that they remain translatable. template: with `{name}` for each of the values, the key in catalogues;
    forms: the singular and plural template where it counts something; number: the count.
    """

    template: str
    values: tuple[tuple[str, str], ...]
    forms: tuple[str, str] | None
    number: int
    _by_side: tuple[Line, ...] = ()

    def __new__(
        cls,
        template: str,
        values: Sequence[tuple[str, object]] = (),
        forms: tuple[str, str] | None = None,
        number: int = 0,
        english: str | None = None,
    ) -> Line:
        """Fill the template in, or take another English text for it. Raises KeyError where a value is missing."""
        kept = tuple((name, value if isinstance(value, str) else str(value)) for name, value in values)
        line = super().__new__(cls, template.format_map(dict(kept)) if english is None else english)
        line.template, line.values, line.forms, line.number = template, kept, forms, number
        return line

    def __str__(self) -> str:
        return self

    def __deepcopy__(self, memo: object) -> Line:
        return self

    def translated(self, template_of: Callable[[Line], str]) -> str:
        """Translate the line, nested ones too. template_of: returns the translated template of a line."""
        values = {
            name: value.translated(template_of) if isinstance(value, Line) else value for name, value in self.values
        }
        return template_of(self).format_map(values)

    def sides(self) -> tuple[Line, ...]:
        """Return the line as it reads from each side of the table, by quarter turns; one where all are alike."""
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
        """Return the line with another English text; other languages still translate its template."""
        return Line(self.template, self.values, self.forms, self.number, english)

    def with_replaced(self, swap: Callable[[Line], str | None]) -> str:
        """Return the line with some nested lines replaced by what `swap` returns, where it returns any."""
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
    """Return a line from a literal template and the values for its `{name}`s, lines or anything else."""
    return Line(template, tuple(values.items()))


def counted(number: int, one: str, several: str, /, **values: object) -> Line:
    """Return a line with singular and plural templates for a number, which they name as `{n}`."""
    template = one if abs(number) == 1 else several
    return Line(template, tuple(({"n": number} | values).items()), (one, several), number)


def by_side(lines: Sequence[Line]) -> Line:
    """Return a line that reads differently from each side of the table.

    lines: as it reads after each number of clockwise quarter turns of the table, 0 to 3. Where no side is chosen it
    is the first, as from seat 0.
    """
    first = lines[0]
    line = Line(first.template, first.values, first.forms, first.number)
    line._by_side = tuple(lines)
    return line


def listed(things: Sequence[object]) -> Line:
    """Return items as a list in a sentence: "a, b and c"; "nothing" where there are none."""
    if not things:
        return say("nothing")
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} and {last}", list=_in_a_row(things[:-1]), last=things[-1])


def either(things: Sequence[object]) -> Line:
    """Return alternatives as a list in a sentence: "a, b or c". There must be at least one."""
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} or {last}", list=_in_a_row(things[:-1]), last=things[-1])


def sentences(*lines: str) -> Line:
    """Return sentences joined by spaces; empty ones are left out."""
    texts = [line for line in lines if line]
    if not texts:
        return Line("")
    whole = texts[0] if isinstance(texts[0], Line) else say("{text}", text=texts[0])
    for line in texts[1:]:
        whole = say("{sentence} {next}", sentence=whole, next=line)
    return whole


def _in_a_row(things: Sequence[object]) -> object:
    row = things[0]
    for thing in things[1:]:
        row = say("{list}, {next}", list=row, next=thing)
    return row
