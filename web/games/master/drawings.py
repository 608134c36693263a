"""Routes that return drawings of tiles, tokens and wizards as SVG, by the code that also prints them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from flask import Blueprint, Response

from calibration.games.master.art.tiles import tile_face
from calibration.games.master.art.tokens import token_face
from companion.games.master.components import LOOSE_TILES, TOKENS
from web.drawing_response import svg_response
from web.people.request_guards import open_to_all

_TOKENS: Final = {str(number): number for number in TOKENS}
"""Number of each token, by its text in a URL."""
_WIZARD: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">
<g stroke="#14121a" stroke-width="3" stroke-linejoin="round">
<path fill="#efe6d3" d="M32 29C41 32 50 48 52 58Q32 64 12 58C14 48 23 32 32 29Z"/>
<circle fill="#e3c39a" cx="32" cy="29" r="9"/>
<path fill="#efe6d3" d="M12 25Q32 33 52 25L43 20L35 2L21 20Z"/>
</g></svg>
"""
"""A wizard in hat and robe, to be drawn on a disc in the player's colour."""


def drawings() -> Blueprint:
    """Return the blueprint of the routes that return drawings of tiles, tokens and the wizard as SVG."""
    blueprint = Blueprint("master_pictures", __name__, url_prefix="/art/master")

    @blueprint.get("/tile/<shape>.svg")
    @open_to_all
    def tile(shape: str) -> Response:
        return svg_response(_tile(shape) if shape in LOOSE_TILES else None)

    @blueprint.get("/token/<number>.svg")
    @open_to_all
    def token(number: str) -> Response:
        return svg_response(_token(_TOKENS[number]) if number in _TOKENS else None)

    @blueprint.get("/wizard.svg")
    @open_to_all
    def wizard() -> Response:
        return svg_response(_WIZARD)

    return blueprint


@lru_cache(maxsize=len(LOOSE_TILES))
def _tile(shape: str) -> str:
    """Return the drawing of a tile as SVG text. shape: its openings, such as "TR"."""
    return tile_face(shape)


@lru_cache(maxsize=len(TOKENS))
def _token(number: int) -> str:
    """Return the drawing of a token as SVG text."""
    return token_face(number)
