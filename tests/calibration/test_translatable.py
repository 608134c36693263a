from __future__ import annotations

import copy
import json
from dataclasses import asdict, dataclass

from calibration.translatable import Line, by_side, counted, either, listed, say, sentences

WORDS = {
    "{name} keeps {tokens}": "{tokens}を{name}が残す",
    "{list} and {last}": "{list}と{last}",
    "{list}, {next}": "{list}、{next}",
    "{sentence} {next}": "{sentence}{next}",
    "{n} red": "赤{n}",
}


def in_japanese(line: Line) -> str:
    return WORDS.get(line.template if line.forms is None else line.forms[0], line.template)


def test_a_line_is_its_english_text() -> None:
    line = say("{name} keeps {tokens}", name="Ada", tokens="two red")
    assert line == "Ada keeps two red"
    assert json.dumps({"text": line}) == '{"text": "Ada keeps two red"}'
    assert hash(line) == hash("Ada keeps two red")


def test_a_line_is_translated_together_with_the_lines_in_it() -> None:
    tokens = listed([counted(2, "{n} red", "{n} red"), "one blue", "one green"])
    line = say("{name} keeps {tokens}", name="Ada", tokens=tokens)
    assert line == "Ada keeps 2 red, one blue and one green"
    assert line.translated(in_japanese) == "赤2、one blueとone greenをAdaが残す"


def test_a_name_with_braces_or_a_templates_text_stays_as_it_is() -> None:
    line = say("{name} keeps {tokens}", name="{tokens}", tokens="{list} and {last}")
    assert line == "{tokens} keeps {list} and {last}"
    assert line.translated(in_japanese) == "{list} and {last}を{tokens}が残す"


def test_numbers_choose_their_form() -> None:
    assert [str(counted(n, "{n} piece", "{n} pieces")) for n in (0, 1, 2, -1)] == [
        "0 pieces",
        "1 piece",
        "2 pieces",
        "-1 piece",
    ]
    assert counted(2, "{n} piece", "{n} pieces", n="two") == "two pieces"


def test_lists_and_sentences_are_joined_as_english_does() -> None:
    assert listed([]) == "nothing"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert either([3, 4]) == "3 or 4"
    assert sentences("", say("First."), "Then.") == "First. Then."
    assert sentences("") == ""


def test_an_exception_and_a_copied_value_keep_the_line() -> None:
    @dataclass(frozen=True)
    class Holder:
        text: str

    line = say("{name} keeps {tokens}", name="Ada", tokens="two red")
    for kept in (str(ValueError(line)), asdict(Holder(line))["text"], copy.deepcopy(line)):
        assert isinstance(kept, Line)
        assert kept.template == "{name} keeps {tokens}"


def test_a_player_inside_a_line_goes_by_another_name() -> None:
    wolf = say("The {animal}", animal="wolf")
    line = say("{player} keeps {tokens}", player=wolf, tokens=say("what {player} had", player=wolf))
    named = line.with_replaced(lambda inner: "Ada" if inner == wolf else None)
    assert named == "Ada keeps what Ada had"
    assert isinstance(named, Line)


def test_a_line_that_names_a_side_reads_differently_from_each_side() -> None:
    sides = by_side([say("left"), say("top"), say("right"), say("bottom")])
    line = sentences(say("{name} pushes at the {side}.", name="Ada", side=sides), say("That is all."))
    assert line == "Ada pushes at the left. That is all."
    assert line.sides() == tuple(
        f"Ada pushes at the {side}. That is all." for side in ("left", "top", "right", "bottom")
    )
    assert line.with_replaced(lambda _: None) == line
    assert say("That is all.").sides() == ("That is all.",)
