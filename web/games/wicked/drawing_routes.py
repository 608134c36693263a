"""Routes that return drawings of cards, boards and icons as SVG, by the code that also prints them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import get_args

from flask import Blueprint, Response, make_response

from calibration.games.wicked import art
from calibration.printable_sheets import calibration_pdf, sheet_svg
from companion.adapters.wicked.printable_sheets import SHEETS
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, RANKS, Deck, Element, PlayerColour
from companion.games.wicked.rules.player_described_cards import MOST_IN_A_HALF, MOST_NEEDS
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from web.drawing_response import svg_response
from web.people.request_guards import open_to, open_to_all
from web.people.roles import HOST
from web.table_interface import RunningTable

_BACKS = ("corridor", "great", "small")
"""Kinds of card backs."""
_ELEMENTS: tuple[str, ...] = get_args(Element)
_PLAYERS: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}


def drawings(table: RunningTable) -> Blueprint:
    """Return the blueprint of the routes that return drawings of cards, boards, icons and sheets.

    A card's URL names its deck, so that browsers can cache it.
    """
    blueprint = Blueprint("pictures", __name__, url_prefix="/art")

    def deck(name: str) -> Deck | None:
        game = table.view.game
        if game is not None and isinstance(game.state, WickedState) and game.state.deck.name == name:
            return game.state.deck
        return STANDIN if STANDIN.name == name else None

    @blueprint.get("/deck/<name>/<card>.svg")
    @open_to_all
    def card(name: str, card: str) -> Response:
        known = deck(name)
        return svg_response(None if known is None else _card_face(known, card))

    @blueprint.get("/described/corridor/<upper>/<lower>.svg")
    @open_to_all
    def described_corridor(upper: str, lower: str) -> Response:
        return svg_response(_described_corridor(upper, lower))

    @blueprint.get("/described/great/<colours>.svg")
    @open_to_all
    def described_great(colours: str) -> Response:
        return svg_response(_described_great(colours))

    @blueprint.get("/described/small/<needs>/<reward>.svg")
    @open_to_all
    def described_small(needs: str, reward: str) -> Response:
        return svg_response(_described_small(needs, reward))

    @blueprint.get("/back/<kind>.svg")
    @open_to_all
    def back(kind: str) -> Response:
        return svg_response(_drawn_once(art.card_back, kind) if kind in _BACKS else None)

    @blueprint.get("/board/<colour>.svg")
    @open_to_all
    def board(colour: str) -> Response:
        return svg_response(None if (player := _PLAYERS.get(colour)) is None else art.board_face(player))

    @blueprint.get("/icon/<name>.svg")
    @open_to_all
    def icon(name: str) -> Response:
        return svg_response(_drawn_once(art.icon, name) if name in art.ICONS else None)

    @blueprint.get("/calibration.svg")
    @open_to(HOST)
    def calibration() -> Response:
        return svg_response(_calibration())

    @blueprint.get("/print/<what>.pdf")
    @open_to(HOST)
    def print_sheet(what: str) -> Response:
        sheet = calibration_pdf if what == "calibration" else SHEETS.get(what)
        if sheet is None:
            return make_response("There is no such sheet.\n", 404)
        response = make_response(sheet())
        response.mimetype = "application/pdf"
        return response

    @blueprint.get("/tile.svg")
    @open_to_all
    def tile() -> Response:
        return svg_response(_tile())

    return blueprint


@lru_cache(maxsize=256)
def _card_face(deck: Deck, card: str) -> str | None:
    """Return the drawing of a card, by id, as SVG text; None where the deck lacks it."""
    for corridor in deck.corridors:
        if corridor.id == card:
            return art.corridor_face(card, corridor.upper, corridor.lower)
    for great in deck.great:
        if great.id == card:
            return art.great_face(card, great.colours)
    for small in deck.small:
        if small.id == card:
            return art.small_face(card, [(need.colour, need.rank) for need in small.needs], small.reward)
    return None


def _names_in_url(text: str, allowed: Sequence[str], max_names: int) -> tuple[str, ...] | None:
    """Return the names in one part of a URL that describes a card; None for too many or for one not allowed.

    "red.white" are two names, "-" is none, "red-low.blue-middle" are two needs (a colour and a rank each).
    """
    names = () if text == "-" else tuple(text.split("."))
    return names if len(names) <= max_names and all(name in allowed for name in names) else None


@lru_cache(maxsize=256)
def _described_corridor(upper: str, lower: str) -> str | None:
    """Return the drawing of a corridor with these halves as SVG text; None for unknown elements."""
    above, below = _names_in_url(upper, _ELEMENTS, MOST_IN_A_HALF), _names_in_url(lower, _ELEMENTS, MOST_IN_A_HALF)
    return None if above is None or below is None else art.corridor_face(f"{upper} {lower}", above, below)


@lru_cache(maxsize=64)
def _described_great(colours: str) -> str | None:
    """Return the drawing of a great oracle with two colours as SVG text; None for unknown colours."""
    names = _names_in_url(colours, COLOURS, 2)
    return art.great_face(colours, names) if names and len(names) == 2 else None


@lru_cache(maxsize=256)
def _described_small(needs: str, reward: str) -> str | None:
    """Return the drawing of a small oracle as SVG text; None for unknown needs or rewards."""
    needed = _names_in_url(needs, [f"{colour}-{rank}" for colour in COLOURS for rank in RANKS], MOST_NEEDS)
    rewards = _names_in_url(reward, _ELEMENTS, MOST_IN_A_HALF)
    if not needed or rewards is None:
        return None
    pairs = [(colour, rank) for colour, _, rank in (need.partition("-") for need in needed)]
    return art.small_face(f"{needs} {reward}", pairs, rewards)


@lru_cache(maxsize=64)
def _drawn_once(draw: Callable[[str], str], name: str) -> str:
    """Return the drawing `draw(name)`, SVG text, cached."""
    return draw(name)


@lru_cache(maxsize=1)
def _calibration() -> str:
    """Return the drawing of the calibration sheet as SVG text."""
    return sheet_svg()


@lru_cache(maxsize=1)
def _tile() -> str:
    """Return the drawing of the labyrinth tile as SVG text."""
    return art.tile_face()
