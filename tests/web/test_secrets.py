"""No route and no event shows a screen what its viewer may not know, in random games of every registered game."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial, reduce
from pathlib import Path
from typing import Any

import pytest

from companion.games import added
from companion.games.game import OVER, Game, Step, Viewer, always
from companion.games.master.game import MASTER
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.game import WICKED, WickedSetup
from companion.games.wicked.standin_deck import STANDIN
from companion.session.codec import codecs
from companion.table.game_adapter import Adapter
from tests.games.pebbles.game import PEBBLES
from tests.games.samples import IDS, SAMPLES, Sample, new_game
from tests.web.scripted_camera import Choices, scripted
from tests.web.twin_tables import every_log_line, served_game

Probes = list[tuple[str, dict[str, Any]]]
"""Commands that read, with their fields."""
Adapt = Callable[[Game[Any, Any, Any]], Adapter[Any, Any]]


def prefix(sample: Sample, start: Any, rng: random.Random) -> list[Any]:
    """Play random moves from the start as far as twins may be compared, at most twenty."""
    moves: list[Any] = []
    state = start
    for _ in range(rng.randint(2, 20)):
        if not sample.game.to_move(state) and sample.game.stage(state).phase == OVER:
            break
        move = sample.choose(state, rng)
        after = sample.game.apply(state, move)
        if sample.apart(after):
            break
        moves.append(move)
        state = after
    return moves


Answers = list[tuple[str, object]]
"""Everything that one screen can get, each with the name of its route or event."""


def collected(
    folder: Path,
    adapter: Adapter[Any, Any],
    begun: tuple[Any, Any],
    moves: list[Any],
    shown: Sequence[Choices],
    places: Sequence[int],
    probes: Probes,
) -> list[Answers]:
    """Serve a game; return everything that each of these screens gets, commands that read included.

    shown: choices that the camera then reads one after another.
    """
    with added(adapter.game), served_game(folder, adapter, *begun, moves) as served:
        read: list[Answers] = [
            [*served.answers(place), *((event, served.ask(place, event, **fields)) for event, fields in probes)]
            for place in places
        ]
        for choices in shown:
            served.show(choices)
            for place, answers in zip(places, read, strict=True):
                answers += served.answers(place, present=True)
                answers.append(("/api/diagnostics", served.diagnostics(place)))
        return read


def lived(
    folder: Path,
    adapter: Adapter[Any, Any],
    begun: tuple[Any, Any],
    moves: list[Any],
    shown: Sequence[Choices],
    places: Sequence[int],
) -> list[Answers]:
    """Serve a game in which moves are made one after another on the screens of those whose they are.

    Return everything that each of these screens gets meanwhile, then all lines of the log.
    shown: as in `collected`.
    """
    with added(adapter.game), every_log_line() as log, served_game(folder, adapter, *begun, []) as served:
        read: list[Answers] = [[] for _ in places]
        for move in moves:
            for answers, new in zip(read, served.play(move, places), strict=True):
                answers += new
        for choices in shown:
            served.show(choices)
        lines = [line.replace(str(folder), "") for line in log]
        return [
            [*answers, ("/api/diagnostics", served.diagnostics(place)), ("log", lines)]
            for place, answers in zip(places, read, strict=True)
        ]


def probes_of(sample: Sample, start: Any, moves: list[Any]) -> Probes:
    """Return commands that read each move, and those that preview corrections of it."""
    move_data = codecs(sample.game).move.to_data
    commands: Probes = []
    state = start
    for entry, move in enumerate(moves, start=2):
        commands.append(("open_move", {"entry": entry}))
        actor = sample.game.actor(move)
        for choice in () if actor is None else sample.game.legal_moves(state, actor)[:3]:
            commands.append(("preview_revision", {"changes": [{"entry": entry, "move": move_data(choice)}]}))
        commands.append(("preview_revision", {"changes": [{"entry": entry, "move": None}]}))
        state = sample.game.apply(state, move)
    return commands


def shown_to_camera(sample: Sample, state: Any, rng: random.Random) -> list[Choices]:
    """Return choices that everybody may know, the end of the game included, then a random one."""
    game = sample.game
    seats = range(len(game.final_scores(state)))
    moves = [sample.choose(state, rng), *(move for seat in seats for move in game.legal_moves(state, seat))]
    steps = [Step(0, move, state, game.apply(state, move)) for move in moves]
    known = [
        (step.move,)
        for step in steps
        if all(game.evidence_visible(step, state, viewer) for viewer in (None, *seats))
    ]
    to_all = (*known[-1:], *filter(None, [sample.ending(state)]))
    return [choices for choices in (to_all, ((rng.choice(moves),),)) if choices]


def differences(
    sample: Sample, rng: random.Random, folder: Path, *, live: bool = False, adapt: Adapt = scripted
) -> tuple[list[str], int]:
    """Serve a random game to every viewer, and to each its twin; live: while it is played.

    Return the routes, events and log by which a viewer can distinguish them, and the number of answers compared.
    adapt: returns the adapter of a game.
    """
    figures, setup, start = new_game(sample, rng)
    moves = prefix(sample, start, rng)
    shown = shown_to_camera(sample, reduce(sample.game.apply, moves, start), rng)

    def twin_of(choices: Choices, viewer: Viewer) -> Choices:
        return tuple(tuple(sample.twin((start, list(each)), viewer)[1]) for each in choices)

    answers = lived if live else partial(collected, probes=probes_of(sample, start, moves))
    viewers = (None, None, *range(len(figures)))
    mine = answers(folder / "game", adapt(sample.game), (figures, setup), moves, shown, range(len(viewers)))
    found, count = [], 0
    for viewer in dict.fromkeys(viewers):
        places = [place for place, other in enumerate(viewers) if other == viewer]
        twin = sample.twin((start, moves), viewer)[1]
        others_shown = [twin_of(choices, viewer) for choices in shown]
        other = adapt(sample.twin_game or sample.game)
        theirs = answers(folder / f"twin-{viewer}", other, (figures, setup), twin, others_shown, places)
        for place, others in zip(places, theirs, strict=True):
            assert [name for name, _ in mine[place]] == [name for name, _ in others]
            found += [name for (name, one), (_, other) in zip(mine[place], others, strict=True) if one != other]
            count += len(others)
    return found, count


@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("games", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.timeout(240)
def test_twin_tables_give_equal_answers_to_who_may_not_distinguish_them(
    id: str, games: int, seed: int, tmp_path: Path
) -> None:
    rng = random.Random(seed + games)
    for number in range(games):
        found, count = differences(SAMPLES[id], rng, tmp_path / str(number))
        assert found == []
        assert count > 50


@pytest.mark.first_is_quick
@pytest.mark.parametrize("id", IDS)
@pytest.mark.timeout(240)
def test_moves_made_on_twin_tables_look_alike_in_messages_health_and_log(
    id: str, seed: int, tmp_path: Path
) -> None:
    rng, compared = random.Random(seed), 0
    while compared <= 20:  # a random game may be a short one
        found, count = differences(SAMPLES[id], rng, tmp_path / str(compared), live=True)
        assert found == []
        compared += count


@pytest.mark.parametrize(("shuffled", "shown"), [(7, None), (None, {"phase": "lay", "round": 2, "step": 0})])
def test_a_correction_into_the_next_round_is_previewed_only_where_people_lay_its_cards(
    shuffled: int | None, shown: object, tmp_path: Path
) -> None:
    figures, setup = ("purple", "green", "red"), WickedSetup(STANDIN, shuffled)
    state, rng, moves = WICKED.new_game(figures, setup), random.Random(1), []
    while state.round == 1:
        moves.append(random_move(state, rng))
        state = WICKED.apply(state, moves[-1])
    *before, latest, last = (codecs(WICKED).move.to_data(move) for move in moves)
    entry = len(before) + 2
    correction = {"changes": [{"entry": entry, "move": latest}], "choices": [{"after": entry, "move": last}]}
    with served_game(tmp_path, scripted(WICKED), figures, setup, moves[:-1]) as served:
        answer: Any = served.ask(0, "preview_revision", **correction)
        assert (
            answer["error"]["code"] == "not_now" if shown is None else answer["result"]["after"]["stage"] == shown
        )
        answer = served.ask(0, "revise", dropped=[], **correction)
        assert answer["ok"]
        game = served.table.view.game
        assert game is not None
        assert game.state.round == 2


def logging_apply(level: int) -> Callable[[Any, Any], Any]:
    """Return a function that writes a move to the log and applies it."""

    def apply(state: Any, move: Any) -> Any:
        logging.getLogger(__name__).log(level, "%s", move)
        return PEBBLES.apply(state, move)

    return apply


LEAKS: dict[str, tuple[dict[str, Any], bool, str]] = {
    "view": ({"view": lambda state, viewer: state}, False, "/api/state"),
    "picture": ({"evidence_visible": always}, False, "/api/evidence/2.jpg"),
    "diagnostics": ({"apply": logging_apply(logging.WARNING)}, False, "/api/diagnostics"),
    "message": ({"view": lambda state, viewer: state}, True, "table"),
    "log": ({"apply": logging_apply(logging.DEBUG)}, True, "log"),
}
"""Changed fields of the game's record, whether the secret shows while it is played, and where."""


@pytest.mark.first_is_quick
@pytest.mark.parametrize("name", LEAKS)
@pytest.mark.timeout(240)
def test_a_game_that_shows_a_secret_is_found(name: str, tmp_path: Path) -> None:
    fields, live, where = LEAKS[name]
    leaking = replace(SAMPLES[PEBBLES.id], game=replace(PEBBLES, **fields))
    assert where in differences(leaking, random.Random(5), tmp_path, live=live)[0]


def all_shown(record: Game[Any, Any, Any]) -> Callable[[Any, Sequence[Any], Viewer], object]:
    """Return a preview that shows each viewer what the moves would disclose."""
    return lambda state, moves, viewer: record.view(reduce(record.apply, moves, state), viewer)


ADAPTER_LEAKS: dict[str, tuple[str, dict[str, Any], str]] = {
    "preview": (PEBBLES.id, {"preview": all_shown(PEBBLES)}, "table"),
    "formulas": (MASTER.id, {"preview": all_shown(MASTER)}, "table"),
    "comparison": (PEBBLES.id, {"viewer": PEBBLES.actor}, "/api/state"),
}
"""Id of a game, changed fields of its adapter, and where the secret shows."""


@pytest.mark.first_is_quick
@pytest.mark.parametrize("name", ADAPTER_LEAKS)
@pytest.mark.timeout(240)
def test_an_adapter_that_shows_a_secret_is_found(name: str, tmp_path: Path) -> None:
    id, fields, where = ADAPTER_LEAKS[name]
    adapt = partial(scripted, **fields)
    leaks = (
        differences(SAMPLES[id], random.Random(seed), tmp_path / str(seed), adapt=adapt)[0] for seed in range(8)
    )
    assert any(where in found for found in leaks)
