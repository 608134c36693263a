"""`companion calibrate` and `companion enrol`: show the table its camera, its pieces and its cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from calibration import pieces as taught_pieces
from calibration.calibrate import Findings
from calibration.calibrate import calibrate as find_plane
from calibration.card_shots import enrol_card
from calibration.cards import BACKS, TILE_ID
from calibration.deck import CARD_ID, ELEMENTS, CardKind, EnrolledCard, EnrolledDeck, blank
from calibration.errors import TeachError
from calibration.kinds import PIECE_KINDS
from calibration.pictures import read_picture
from calibration.profile import FEWEST_SEATS, MOST_SEATS, TableProfile, exists
from companion.cli.errors import Unusable
from companion.games.wicked.components import COLOURS, RANKS
from vision.card_index import CardIndex

_PROFILE = click.option("--profile", "-p", required=True, help="Profile: a name, or the path of its folder.")


@contextmanager
def _plain_errors() -> Iterator[None]:
    try:
        yield
    except TeachError as error:
        raise Unusable(str(error)) from error


@click.command()
@_PROFILE
@click.option("--image", type=click.Path(path_type=Path), help="One picture of the calibration sheet.")
@click.option("--flat", type=click.FloatRange(0.1, 50), help="No sheet: camera straight above at this many px/mm.")
@click.option("--seats", type=click.IntRange(FEWEST_SEATS, MOST_SEATS), default=4, show_default=True)
@click.option("--fov", type=click.FloatRange(20, 150), help="The camera's horizontal field of view, degrees.")
@click.option("--anew", is_flag=True, help="Forget pieces and cards taught before, or a damaged profile.")
def calibrate(
    profile: str, image: Path | None, flat: float | None, seats: int, fov: float | None, anew: bool
) -> None:
    """Find the table from one picture of the calibration sheet.

    Lay the printed sheet in the middle of the table, its bottom edge towards seat 0. Pieces and cards that were
    taught before are kept.
    """
    if (image is None) == (flat is None):
        raise click.UsageError("Give either --image with a picture of the sheet, or --flat with px/mm.")
    with _plain_errors():
        before = TableProfile.load(profile) if exists(profile) and not anew else TableProfile(seats)
        if image is None:
            after = before.with_flat(flat or 1.0, seats)
        else:
            after = before.calibrated(find_plane(read_picture(image), seats, fov))
        folder = after.save(profile)
    if after.findings is not None:
        _show(after.findings)
    click.echo(f"Calibrated for {seats} seats: {folder}")


def _show(findings: Findings) -> None:
    assumed = "" if findings.fov_measured else " (typical: the camera looks too straight down to measure it)"
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, value in (
        ("camera height", f"{findings.height_mm:.0f} mm"),
        ("tilt", f"{findings.tilt_deg:.1f}°"),
        ("field of view", f"{findings.fov_deg:.0f}°{assumed}"),
        ("corners found", f"{findings.corners} of 24"),
        ("reprojection error", f"{findings.reprojection_error_px:.2f} px"),
        ("at the middle", f"{findings.mm_per_px_centre:.2f} mm a pixel"),
        ("at the table's edge", f"{findings.mm_per_px_edge:.2f} mm a pixel"),
        ("sharpness", f"edges {findings.edge_width_px:.1f} px wide"),
        ("exposure", f"white {findings.white:.0f}, black {findings.black:.0f} of 255"),
    ):
        table.add_row(name, value)
    Console(highlight=False, soft_wrap=True).print(table)
    if findings.good:
        click.echo("Good enough to count pieces of 15 mm.")
    for problem in findings.problems:
        click.echo(f"Not good enough to count pieces of 15 mm: {problem}.")


@click.group()
def enrol() -> None:
    """Show the table what its pieces and cards look like."""


@enrol.command()
@_PROFILE
@click.option("--kind", type=click.Choice(PIECE_KINDS), required=True, metavar="KIND", help="E.g. search:purple.")
@click.option("--replace", is_flag=True, help="Forget what was known of this kind.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def pieces(profile: str, kind: str, replace: bool, images: tuple[Path, ...]) -> None:
    """Learn one kind of piece from pictures with some of them where the sheet lay."""
    with _plain_errors():
        before = TableProfile.load(profile)
        pictures = [read_picture(image) for image in images]
        after = taught_pieces.enrol(before, kind, pictures, replace=replace)
        after.save(profile)
    samples = after.pieces[kind]
    longer, shorter = samples.size_mm
    click.echo(f"{kind}: {len(samples.specimens)} specimens known, about {longer:.0f}×{shorter:.0f} mm.")


@enrol.command()
@_PROFILE
@click.option("--id", "card_id", required=True, help="The card's name, e.g. C07; or tile, or back:corridor.")
@click.option("--upper", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Corridor: upper.")
@click.option("--lower", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Corridor: lower.")
@click.option("--colour", type=click.Choice(COLOURS), multiple=True, metavar="ELEMENT", help="Great: twice.")
@click.option("--need", type=(click.Choice(COLOURS), click.Choice(RANKS)), multiple=True, help="Small oracle.")
@click.option("--reward", type=click.Choice(ELEMENTS), multiple=True, metavar="ELEMENT", help="Small oracle.")
@click.argument("image", type=click.Path(path_type=Path))
def card(
    profile: str,
    card_id: str,
    upper: tuple[str, ...],
    lower: tuple[str, ...],
    colour: tuple[str, ...],
    need: tuple[tuple[str, str], ...],
    reward: tuple[str, ...],
    image: Path,
) -> None:
    """Learn one card that lies alone where the sheet lay, its upper edge away from seat 0."""
    kind = _card_kind(card_id, bool(upper or lower), bool(colour), bool(need or reward))
    if kind == "corridor" and not (upper and lower):
        raise click.UsageError("A corridor card has both --upper and --lower.")
    if kind == "great" and len(colour) != 2:
        raise click.UsageError("A great oracle card has two colours: give --colour twice.")
    if kind == "small" and not (need and reward):
        raise click.UsageError("A small oracle card has both --need and --reward.")
    with _plain_errors():
        shown = EnrolledCard(card_id, kind, blank(), upper, lower, colour, need, reward)
        after = enrol_card(TableProfile.load(profile), shown, read_picture(image))
        deck = after.deck or EnrolledDeck("my deck")
        twin = CardIndex.of(deck).twin(card_id)
        if twin is not None:
            raise Unusable(
                f"{card_id} looks too much like {twin} to tell them apart: is it the same card? "
                "Else take both pictures again, sharper and with even light."
            )
        after.save(profile)
    click.echo(f"{card_id}: learned as a {kind} card; {len(deck.cards)} cards are known.")


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
            "Say what the card shows: --upper and --lower, --colour twice, or --need and --reward."
        )
    return "corridor" if corridor else "great" if great else "small"
