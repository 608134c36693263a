"""`companion print`: the calibration sheet, the stand-in deck, or boards with tile and discs, as a PDF."""

from __future__ import annotations

from pathlib import Path

import click

from calibration.art import corridor_face, great_face, small_face
from calibration.printing import PrintedCard, boards_pdf, calibration_pdf, deck_pdf
from companion.cli.errors import Unusable
from companion.games.wicked.components import Deck
from companion.games.wicked.standin import STANDIN


@click.command("print")
@click.argument("what", type=click.Choice(["calibration", "deck", "boards"]))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The PDF file to write.")
def print_(what: str, output: Path) -> None:
    """Write sheets to print at 100 %: the calibration sheet, the stand-in deck, or the boards."""
    if what == "calibration":
        data = calibration_pdf()
    elif what == "deck":
        data = deck_pdf(printed_cards(STANDIN))
    else:
        data = boards_pdf()
    try:
        output.write_bytes(data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Unusable(f"Cannot write {output} ({reason}): name another file with -o.") from error
    click.echo(f"Wrote {output}: print it at 100 % (actual size).")


def printed_cards(deck: Deck) -> list[PrintedCard]:
    """Return every card of a deck as it is printed: corridors, great oracles, small oracles."""
    cards: list[PrintedCard] = [(corridor_face(c.id, c.upper, c.lower), "corridor") for c in deck.corridors]
    cards += [(great_face(c.id, c.colours), "great") for c in deck.great]
    cards += [
        (small_face(c.id, [(need.colour, need.rank) for need in c.needs], c.reward), "small") for c in deck.small
    ]
    return cards
