"""`companion read reveal` and `companion read corridors`: readings as a short table or as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from pydantic import TypeAdapter
from rich.console import Console
from rich.table import Table

from calibration.profile import TableProfile
from calibration.seats import FEWEST_SEATS, MOST_SEATS, Seating
from companion.cli.errors import Unusable
from companion.cli.picture_files import read_picture
from companion.cli.profile_options import PROFILE, SEAT_ANGLES, agreed_seats, plain_errors
from companion.cli.rounding import rounded
from companion.games.wicked.components import PLAYER_COLOURS, SEARCH_PIECES
from vision.readings import CardsReading, Counts, Expectation, HandsReading

_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a picture, in order.")
_IMAGES = click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))


@click.command()
@PROFILE
@click.option("--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), help="Default: the profile's.")
@SEAT_ANGLES
@_JSON
@_IMAGES
def reveal(
    profile: str, seats: int | None, seat_angles: Seating | None, as_json: bool, images: tuple[Path, ...]
) -> None:
    """Read every hand with its seat and pieces. Each is printed as open or closed."""
    from vision.hands import HandReader

    seats = agreed_seats(seats, seat_angles)
    with plain_errors():
        table = TableProfile.load(profile)
        if not any(kind.startswith("search:") for kind in table.pieces):
            raise Unusable("No search pieces are enrolled yet: run `companion enrol pieces` first.")
        reader = HandReader(table)
        seating = seat_angles or table.seating(seats)
        expectation = Expectation(len(seating), (_largest_hand(),) * len(seating), seating=seating)
        for path in images:
            reading = reader.read(read_picture(path), expectation)
            if as_json:
                _print_json(path, TypeAdapter(HandsReading).dump_python(reading, mode="json"))
            else:
                _show_hands(path, reading)


@click.command()
@PROFILE
@_JSON
@_IMAGES
def corridors(profile: str, as_json: bool, images: tuple[Path, ...]) -> None:
    """Read every card on the table.

    Cards that lie face down, and those that are not enrolled, have no name.
    """
    from vision.cards.reader import CardReader

    with plain_errors():
        reader = CardReader(TableProfile.load(profile))
        for path in images:
            reading = reader.read(read_picture(path))
            if as_json:
                _print_json(path, TypeAdapter(CardsReading).dump_python(reading, mode="json"))
            else:
                _show_cards(path, reading)


def _largest_hand() -> Counts:
    """Return the largest possible content of a hand, by kind: all search pieces of each colour, both signs."""
    search = {f"search:{colour}": max(SEARCH_PIECES.values()) for colour in PLAYER_COLOURS}
    return search | {"sign:witch": 1, "sign:soul": 1}


def _print_json(path: Path, reading: dict[str, Any]) -> None:
    click.echo(json.dumps({"image": path.name, **rounded(reading)}))


def _show_hands(path: Path, reading: HandsReading) -> None:
    table = Table(
        box=None, pad_edge=False, title=f"{path.name}, {reading.milliseconds:.0f} ms", title_justify="left"
    )
    for heading in ("seat", "hand", "holds", "sure", ""):
        table.add_column(heading)
    for hand in reading.hands:
        holds = _counts_in_words(hand.counts) if hand.state == "open" else ""
        others = ", or ".join(_counts_in_words(other.counts) for other in hand.alternatives[:2])
        doubt = f"doubtful{': or ' + others if others else ''}" if hand.doubtful else ""
        table.add_row(str(hand.seat), hand.state, holds, f"{100 * hand.confidence:.0f} %", doubt)
    if not reading.hands:
        table.add_row("-", "no hands")
    Console(highlight=False, markup=False, emoji=False, soft_wrap=True).print(table)


def _counts_in_words(counts: Counts) -> str:
    return ", ".join(f"{count} {kind.partition(':')[2]}" for kind, count in counts.items()) or "nothing"


def _show_cards(path: Path, reading: CardsReading) -> None:
    table = Table(
        box=None, pad_edge=False, title=f"{path.name}, {reading.milliseconds:.0f} ms", title_justify="left"
    )
    for heading in ("slot", "card", "sure"):
        table.add_column(heading)
    for card in reading.cards:
        slot = "" if card.slot is None else str(card.slot)
        others = "".join(f" or {other.card}" for other in card.alternatives)
        name = f"{card.card}{others}" if card.card else card.state.replace("_", " ")
        table.add_row(slot, name, f"{100 * card.confidence:.0f} %")
    if not reading.cards:
        table.add_row("", "no cards")
    Console(highlight=False, markup=False, emoji=False, soft_wrap=True).print(table)
