"""`companion enrol`: enrol pieces, cards and boards from pictures."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated

import click
import cv2
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from calibration.cards.deck import CARD_ID, ELEMENTS, CardKind, EnrolledCard, EnrolledDeck, blank
from calibration.cards.enrolment import enrol_card, look_at_card
from calibration.games.wicked import elements
from calibration.games.wicked.drawn_deck import BACKS, TILE_ID
from calibration.games.wicked.kinds import PIECE_KINDS, in_hands
from calibration.pictures import read_picture
from calibration.pieces import enrolment as piece_enrolment
from calibration.pieces import separability
from calibration.pieces.pointing import Box
from calibration.pieces.samples import PieceSamples, contact_sheet
from calibration.pieces.sizes import size_problems
from calibration.profile import TableProfile
from companion.adapters.wicked.commands.enrol_board import board
from companion.cli.errors import Unusable
from companion.cli.profile_options import PROFILE, PointParam, plain_errors
from companion.games.wicked.components import COLOURS, RANKS
from vision.cards.index import CardIndex


@click.group()
def enrol() -> None:
    """Enrol pieces, cards and boards of a table."""


enrol.add_command(board)


@enrol.command()
@PROFILE
@click.option("--kind", type=click.Choice(PIECE_KINDS), required=True, metavar="KIND", help="E.g. search:purple.")
@click.option("--replace", is_flag=True, help="Replace the specimens of this kind.")
@click.option("--force", is_flag=True, help="Enrol them even if they look like another kind.")
@click.option("--at", type=PointParam(), multiple=True, help="A point on a piece in the picture, px; repeatable.")
@click.option("--show", type=click.Path(path_type=Path), help="Write the outlined specimens as a PNG picture.")
@click.option("--boxes", type=click.Path(path_type=Path), help="JSON file: [[x, y, width, height], …] in px.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def pieces(
    profile: str,
    kind: str,
    replace: bool,
    force: bool,
    at: tuple[tuple[float, float], ...],
    show: Path | None,
    boxes: Path | None,
    images: tuple[Path, ...],
) -> None:
    """Enrol one kind of piece from pictures with some of them where the sheet lay.

    Where other things lie nearby, point at the pieces with --at or --boxes: then there is one picture, and they may
    lie anywhere on the table.
    """
    pointed = bool(at) or boxes is not None
    if pointed and len(images) != 1:
        raise click.UsageError("--at and --boxes point at pieces in one picture: name just that one.")
    with plain_errors():
        before = TableProfile.load(profile)
        pictures = [read_picture(image) for image in images]
        if pointed:
            outlined = [] if boxes is None else _read_boxes(boxes)
            after = piece_enrolment.enrol_pointed(
                before, kind, pictures[0], boxes=outlined, spots=at, replace=replace, force=force
            )
        else:
            after = piece_enrolment.enrol(before, kind, pictures, replace=replace, force=force)
        after.save(profile)
    samples = after.pieces[kind]
    longer, shorter = samples.size_mm
    click.echo(f"{kind}: {len(samples.specimens)} specimens known, about {longer:.0f}×{shorter:.0f} mm.")
    for line in size_problems(after.pieces, kind):
        click.echo(line)
    if show is not None:
        _write_specimens(show, samples)
    if len(after.pieces) > 1:
        for line in _confusion_lines(after, kind if _missing(after) else None):
            click.echo(line)


@enrol.command()
@PROFILE
def report(profile: str) -> None:
    """List kinds that may be confused in this light, with advice."""
    with plain_errors():
        table = TableProfile.load(profile)
    if len(table.pieces) < 2:
        raise Unusable("Fewer than two kinds of piece are known: show some with `companion enrol pieces` first.")
    for line in (*_confusion_lines(table, None), *size_problems(table.pieces)):
        click.echo(line)
    if _missing(table):
        click.echo(f"Not known yet: {', '.join(_missing(table))}.")


def _write_specimens(path: Path, samples: PieceSamples) -> None:
    data = cv2.imencode(".png", contact_sheet(samples))[1].tobytes()
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror or error}.") from error
    click.echo(f"Outlines of the specimens: {path}")


_IN_HANDS = tuple(kind for kind in PIECE_KINDS if in_hands(kind))
"""Kinds that hands can hold."""


def _missing(table: TableProfile) -> list[str]:
    return [kind for kind in _IN_HANDS if kind not in table.pieces]


def _confusion_lines(table: TableProfile, only: str | None) -> list[str]:
    """Return a line for each pair of kinds that may be confused; of one kind, or of all with a summary."""
    measured = separability.measure(table.pieces)
    pairs = [pair for pair in measured.confusable if only in (None, pair.one, pair.other)]
    lines = [
        f"{pair.one} and {pair.other} may be confused (measured: {100 * pair.whole:.0f} % of looks, "
        f"{100 * pair.hidden:.0f} % when partly hidden): {pair.advice}."
        for pair in pairs
    ]
    if only is None:
        good = "can be distinguished in this light" if not pairs else "are known"
        share = f"{100 * measured.worst:.0f} %" if measured.worst >= 0.01 else "less than 1 %"
        worst = f"the worst is taken for another in {share} of looks"
        lines.append(f"{len(measured.kinds)} kinds {good}: {worst}.")
    return lines


_BOXES = TypeAdapter(
    Annotated[list[tuple[float, float, float, float]], Field(min_length=1)], config=ConfigDict(allow_inf_nan=False)
)
_MOST_BYTES = 1 << 20
"""Size limit of the JSON file."""


def _read_boxes(path: Path) -> list[Box]:
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        return _BOXES.validate_json(data if len(data) <= _MOST_BYTES else b"")
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValidationError:
        raise Unusable(f"{path.name} holds no boxes: give JSON, [[x, y, width, height], …] in pixels.") from None


@enrol.command()
@PROFILE
@click.option("--id", "card_id", required=True, help="The card's name, e.g. C07; or tile, or back:corridor.")
@click.option("--upper", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Corridor: upper.")
@click.option("--lower", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Corridor: lower.")
@click.option("--colour", type=click.Choice(COLOURS), multiple=True, metavar="ELEMENT", help="Great: twice.")
@click.option("--need", type=(click.Choice(COLOURS), click.Choice(RANKS)), multiple=True, help="Small oracle.")
@click.option("--reward", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Small oracle.")
@click.option("--propose", is_flag=True, help="Print the elements that the colours suggest; enrol nothing.")
@click.option("--force", is_flag=True, help="Enrol it even if it looks like another; games then ask which it is.")
@click.argument("image", type=click.Path(path_type=Path))
def card(
    profile: str,
    card_id: str,
    upper: tuple[str, ...],
    lower: tuple[str, ...],
    colour: tuple[str, ...],
    need: tuple[tuple[str, str], ...],
    reward: tuple[str, ...],
    propose: bool,
    force: bool,
    image: Path,
) -> None:
    """Enrol one card that lies alone where the sheet lay, its upper edge away from seat 0."""
    if propose:
        with plain_errors():
            seen = look_at_card(TableProfile.load(profile), read_picture(image))
        click.echo(f"{card_id}: {_proposal(elements.propose(seen))}")
        return
    kind = _card_kind(card_id, bool(upper or lower), bool(colour), bool(need or reward))
    if kind == "corridor" and not (upper and lower):
        raise click.UsageError("A corridor card has both --upper and --lower.")
    if kind == "great" and len(colour) != 2:
        raise click.UsageError("A great oracle card has two colours: use --colour twice.")
    if kind == "small" and not (need and reward):
        raise click.UsageError("A small oracle card has both --need and --reward.")
    with plain_errors():
        shown = EnrolledCard(card_id, kind, blank(), upper, lower, colour, need, reward)
        after = enrol_card(TableProfile.load(profile), shown, read_picture(image))
        deck = after.deck or EnrolledDeck("my deck")
        index = CardIndex.of(deck)
        _, refusals = _refused(index, {card_id}, deck.cards.keys() - {card_id})
        if refusals and not force:
            raise Unusable(refusals[0])
        after.save(profile)
    _warn_of_alike(index, {card_id})
    click.echo(f"{card_id}: learned as a {kind} card; {len(deck.cards)} cards are known.")
    if kind == "corridor":
        suggested = elements.propose(deck.cards[card_id].picture)
        for half, given, likely in (("upper", upper, suggested.upper), ("lower", lower, suggested.lower)):
            if likely and set(given) <= set(_COLOURED) and not set(given) & set(likely):
                click.echo(
                    f"Its {half} half looks {' and '.join(likely)}, not {' and '.join(given)}: "
                    "learn it again if that was a slip."
                )


_COLOURED = ("red", "green", "blue", "yellow", "white")
"""Elements that have a colour."""


def _proposal(suggested: elements.ElementProposal) -> str:
    halves = [("--upper", suggested.upper), ("--lower", suggested.lower)]
    if not any(names for _, names in halves):
        return "no element's colour stands out; say what the card shows."
    words = " ".join(f"{option} {name}" for option, names in halves for name in names)
    unsure = "".join(f" Nothing stands out for {option}." for option, names in halves if not names)
    gold = " Gold may be promotion or colour_change." if "yellow" in suggested.upper + suggested.lower else ""
    return f"its colours suggest {words} (check it).{unsure}{gold}"


_ALIKE = "{} and {} look alike: the camera cannot distinguish them"


def _refused(
    index: CardIndex, fresh: AbstractSet[str], known: AbstractSet[str]
) -> tuple[frozenset[str], list[str]]:
    """Return the new cards that look like another one, and a line for each pair; enrolled cards stay."""
    pairs = [pair for pair in index.alike_pairs() if not fresh.isdisjoint(pair)]
    lines = []
    for pair in pairs:
        out = [card for card in pair if card not in known]
        left_out = "both are left out" if len(out) == 2 else f"{out[0]} is left out"
        lines.append(
            f"{_ALIKE.format(*pair)}: {left_out}. Are they the same card? Else take both pictures again, sharper "
            "and with even light, or keep them with --force."
        )
    return frozenset(card for pair in pairs for card in pair if card not in known), lines


def _warn_of_alike(index: CardIndex, fresh: AbstractSet[str]) -> None:
    for pair in index.alike_pairs():
        if not fresh.isdisjoint(pair):
            click.echo(f"{_ALIKE.format(*pair)}: you will be asked which of the two it is.", err=True)


@enrol.command()
@PROFILE
@click.option("--replace", is_flag=True, help="Replace the enrolled cards.")
@click.option("--force", is_flag=True, help="Also enrol cards that look alike; games then ask which it is.")
@click.argument("folder", type=click.Path(path_type=Path))
def deck(profile: str, replace: bool, force: bool, folder: Path) -> None:
    """Enrol all cards of a folder with a deck.yaml and a picture of each card.

    The pictures are cut to the cards' edges. Cards that look alike are left out and listed.

    \b
    name: My deck
    cards:
      - {id: C07, kind: corridor, picture: c07.jpg, upper: [yellow], lower: [green]}
      - {id: G1, kind: great, picture: g1.jpg, colours: [red, blue]}
      - {id: S3, kind: small, picture: s3.jpg, requirement: [[red, low]], reward: [white]}
      - {id: "back:corridor", kind: back, picture: back.jpg}
      - {id: tile, kind: tile, picture: tile.png}
    """
    with plain_errors():
        table = TableProfile.load(profile)
        given = EnrolledDeck.from_folder(folder)
        known = EnrolledDeck(given.name) if replace or table.deck is None else table.deck
        together = known.with_cards(list(given.cards.values()))
        index = CardIndex.of(together)
        fresh = given.cards.keys()
        refused, lines = (frozenset[str](), []) if force else _refused(index, fresh, known.cards.keys() - fresh)
        together = together.without_cards(refused)
        if not together.cards:
            raise Unusable(lines[0])
        dataclasses.replace(table, deck=together).save(profile)
    for line in lines:
        click.echo(line, err=True)
    if force:
        _warn_of_alike(index, fresh)
    click.echo(f"{given.name}: {len(fresh - refused)} cards learned; {len(together.cards)} are known.")


def _card_kind(card_id: str, corridor: bool, great: bool, small: bool) -> CardKind:
    if corridor + great + small > 1:
        raise click.UsageError("A card is a corridor (--upper, --lower), a great (--colour) or a small oracle.")
    if card_id == TILE_ID or card_id in {f"back:{back}" for back in BACKS}:
        if corridor or great or small:
            raise click.UsageError(f"{card_id} has no elements.")
        return "tile" if card_id == TILE_ID else "back"
    if not re.fullmatch(CARD_ID, card_id):
        raise click.UsageError("A card's name is of letters, digits and . _ : - (at most 40), e.g. C07.")
    if not (corridor or great or small):
        raise click.UsageError(
            "State what the card shows: --upper and --lower, --colour twice, or --need and --reward."
        )
    return "corridor" if corridor else "great" if great else "small"
