"""Sentences that know what they are made of, so that a screen can tell them in another language.

Only the standard library is needed here, so that every floor of the house may say something, the rules too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence


class Line(str):
    """An English text for people that remembers its template and what was filled in.

    It is its English text wherever a text is wanted. Joining or cutting it gives a plain text, which stays English:
    `say` joins lines so that they remain lines. template: with `{name}` for each of the values, by which
    catalogues know it; forms: the template for one and that for several where it counts something; number: of that.
    """

    template: str
    values: tuple[tuple[str, str], ...]
    forms: tuple[str, str] | None
    number: int

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

    def told(self, template_of: Callable[[Line], str]) -> str:
        """Tell it with the templates of another language, the lines inside it too."""
        values = {
            name: value.told(template_of) if isinstance(value, Line) else value for name, value in self.values
        }
        return template_of(self).format_map(values)

    def worded(self, english: str) -> Line:
        """Say it in English in other words; other languages say what they say of its template."""
        return Line(self.template, self.values, self.forms, self.number, english)

    def swapped(self, swap: Callable[[Line], str | None]) -> str:
        """Put other texts in the place of some lines inside it: what `swap` gives, where it gives any."""
        instead = swap(self)
        if instead is not None:
            return instead
        values = [(name, value.swapped(swap) if isinstance(value, Line) else value) for name, value in self.values]
        return Line(self.template, values, self.forms, self.number)


def say(template: str, /, **values: object) -> Line:
    """Say something: a template, literally, and what is filled in at its `{name}`s, lines or anything else."""
    return Line(template, tuple(values.items()))


def counted(number: int, one: str, several: str, /, **values: object) -> Line:
    """Say something of a number of things, which the templates name as `{n}`."""
    template = one if abs(number) == 1 else several
    return Line(template, tuple(({"n": number} | values).items()), (one, several), number)


def listed(things: Sequence[object]) -> Line:
    """Join things as a sentence does: "a, b and c"; "nothing" where there are none."""
    if not things:
        return say("nothing")
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} and {last}", list=_in_a_row(things[:-1]), last=things[-1])


def either(things: Sequence[object]) -> Line:
    """Join things of which one is meant: "a, b or c". There must be one at least."""
    if len(things) == 1:
        return say("{text}", text=things[0])
    return say("{list} or {last}", list=_in_a_row(things[:-1]), last=things[-1])


def sentences(*lines: str) -> Line:
    """Put sentences one after the other; empty ones are left out."""
    told = [line for line in lines if line]
    if not told:
        return Line("")
    whole = told[0] if isinstance(told[0], Line) else say("{text}", text=told[0])
    for line in told[1:]:
        whole = say("{sentence} {next}", sentence=whole, next=line)
    return whole


def _in_a_row(things: Sequence[object]) -> object:
    row = things[0]
    for thing in things[1:]:
        row = say("{list}, {next}", list=row, next=thing)
    return row
