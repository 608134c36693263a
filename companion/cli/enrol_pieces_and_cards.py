"""`companion enrol`: enrol pieces and cards from pictures, and report what may be confused."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Annotated

import click
import cv2
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from calibration.cards.deck import CARD_ID, EnrolledCard, EnrolledDeck, blank_picture
from calibration.cards.enrolment import cut_out_card, enrol_card
from calibration.game_kit import CardField, CardSort, CardValue, CardValues, Kit, Picture
from calibration.games import kit, kits
from calibration.pieces import enrolment as piece_enrolment
from calibration.pieces import separability
from calibration.pieces.hand_marked_segmentation import Box
from calibration.pieces.samples import PieceSamples, contact_sheet
from calibration.pieces.size_check import size_problems
from calibration.profile import TableProfile
from companion.cli.errors import Unusable
from companion.cli.picture_files import decoder_messages_discarded, read_picture
from companion.cli.profile_options import GAME, PROFILE, PointParam, plain_errors
from vision.cards.search_index import CardIndex

_KINDS = tuple(dict.fromkeys(kind for box in kits() for kind in box.kinds))
"""Kinds of pieces of all games."""


def _by_prefix(kinds: Sequence[str]) -> str:
    """Return kinds of pieces as one line that names each prefix once, such as "a:one|two, b"."""
    groups: dict[str, list[str]] = {}
    for kind in kinds:
        prefix, colon, name = kind.rpartition(":")
        groups.setdefault(prefix + colon, []).append(name)
    return ", ".join(prefix + "|".join(names) for prefix, names in groups.items())


@click.command()
@PROFILE
@GAME
@click.option(
    "--kind", type=click.Choice(_KINDS), required=True, metavar="KIND", help=f"One of {_by_prefix(_KINDS)}."
)
@click.option("--replace", is_flag=True, help="Replace the specimens of this kind.")
@click.option("--force", is_flag=True, help="Enrol them even if they look like another kind.")
@click.option("--at", type=PointParam(), multiple=True, help="A point on a piece in the picture, px; repeatable.")
@click.option("--show", type=click.Path(path_type=Path), help="Write the outlined specimens as a PNG picture.")
@click.option("--boxes", type=click.Path(path_type=Path), help="JSON file: [[x, y, width, height], …] in px.")
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path))
def pieces(
    profile: str,
    game: str,
    kind: str,
    replace: bool,
    force: bool,
    at: tuple[tuple[float, float], ...],
    show: Path | None,
    boxes: Path | None,
    images: tuple[Path, ...],
) -> None:
    """Enrol one kind of piece from pictures.

    Each picture shows some pieces of the kind where the sheet lay. Where other things lie nearby, point at the
    pieces with --at or --boxes: then there is one picture, and they may lie anywhere on the table.
    """
    pointed = bool(at) or boxes is not None
    if pointed and len(images) != 1:
        raise click.UsageError("--at and --boxes point at pieces in one picture: name just that one.")
    with plain_errors():
        before = TableProfile.load(profile).of(game)
        pictures = [read_picture(image) for image in images]
        if pointed:
            outlined = [] if boxes is None else _read_boxes(boxes)
            after = piece_enrolment.enrol_marked(
                before, kind, pictures[0], boxes=outlined, spots=at, replace=replace, force=force
            )
        else:
            after = piece_enrolment.enrol(before, kind, pictures, replace=replace, force=force)
        samples = after.pieces[kind]
        if show is not None:
            _write_specimens(show, samples)
        after.save(profile)
    longer, shorter = samples.size_mm
    click.echo(f"{kind}: {len(samples.specimens)} specimens known, about {longer:.0f}×{shorter:.0f} mm.")
    for line in size_problems(after.pieces, kind):
        click.echo(line)
    if show is not None:
        click.echo(f"Outlines of the specimens: {show}")
    if len(after.pieces) > 1:
        for line in _confusion_lines(after, kind if _kinds_not_enrolled(after) else None):
            click.echo(line)


@click.command()
@PROFILE
@GAME
def report(profile: str, game: str) -> None:
    """List kinds that may be confused, with advice. Both depend on this table's light."""
    with plain_errors():
        table = TableProfile.load(profile).of(game)
    if len(table.pieces) < 2:
        raise Unusable("Fewer than two kinds of piece are known: show some with `companion enrol pieces` first.")
    for line in (*_confusion_lines(table, None), *size_problems(table.pieces)):
        click.echo(line)
    if _kinds_not_enrolled(table):
        click.echo(f"Not known yet: {', '.join(_kinds_not_enrolled(table))}.")


def _write_specimens(path: Path, samples: PieceSamples) -> None:
    data = cv2.imencode(".png", contact_sheet(samples))[1].tobytes()
    try:
        path.write_bytes(data)
    except OSError as error:
        raise Unusable(f"{path} cannot be written: {error.strerror or error}.") from error


def _kinds_not_enrolled(table: TableProfile) -> list[str]:
    """Return the kinds that hands can hold and that are not enrolled yet."""
    return [kind for kind in table.kit.kinds if table.kit.in_hands(kind) and kind not in table.pieces]


def _confusion_lines(table: TableProfile, only: str | None) -> list[str]:
    """Return a line for each pair of kinds that may be confused.

    only: a kind that must be in the pair; None for all pairs and a summary.
    """
    measured = separability.measure(table.pieces)
    pairs = [pair for pair in measured.confusable if only in (None, pair.one, pair.other)]
    lines = [
        f"{pair.one} and {pair.other} may be confused (measured: in {100 * pair.whole:.0f} % of views, "
        f"{100 * pair.hidden:.0f} % when partly hidden): {pair.advice}."
        for pair in pairs
    ]
    if only is None:
        good = "can be distinguished in this light" if not pairs else "are known"
        share = f"{100 * measured.worst:.0f} %" if measured.worst >= 0.01 else "less than 1 %"
        worst = f"the worst is taken for another in {share} of views"
        lines.append(f"{len(measured.kinds)} kinds {good}: {worst}.")
    return lines


_BOXES = TypeAdapter(
    Annotated[list[tuple[float, float, float, float]], Field(min_length=1)], config=ConfigDict(allow_inf_nan=False)
)
_MOST_BYTES = 1 << 20
"""Size limit of the JSON file."""


def _read_boxes(path: Path) -> list[Box]:
    """Return the boxes (x, y, width, height) in a JSON file, px. Raises Unusable if it has none."""
    try:
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        return _BOXES.validate_json(data if len(data) <= _MOST_BYTES else b"")
    except OSError as error:
        raise Unusable(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValidationError:
        raise Unusable(f"{path.name} holds no boxes: give JSON, [[x, y, width, height], …] in pixels.") from None


_FIRST = kits()[0]
_ID_HELP = f"The card's name, e.g. {_FIRST.cards[0].letter}07; or one of {', '.join(_FIRST.fixed_cards)}."


def _field_options(command: Callable[..., None]) -> Callable[..., None]:
    """Return the click command with an option added for each field that a card of any game has."""
    fields = {one.name: one for box in kits() for one in box.card_fields.values()}
    for one in reversed(fields.values()):
        choices = tuple(click.Choice(words) for words in one.parts)
        option = click.option(
            one.flag,
            one.name,
            type=choices[0] if len(choices) == 1 else choices,
            metavar="ELEMENT" if len(choices) == 1 else None,
            multiple=True,
            help=one.hint,
        )
        command = option(command)
    return command


@click.command()
@PROFILE
@GAME
@click.option("--id", "card_id", required=True, help=_ID_HELP)
@_field_options
@click.option("--propose", is_flag=True, help="Print the elements that the colours suggest; enrol nothing.")
@click.option("--force", is_flag=True, help="Enrol it even if it looks like another; games then ask which it is.")
@click.argument("image", type=click.Path(path_type=Path))
def card(
    profile: str, game: str, card_id: str, propose: bool, force: bool, image: Path, **given: tuple[CardValue, ...]
) -> None:
    """Enrol one card from a picture of it.

    The card lies alone where the calibration sheet lay, its upper edge away from seat 0.
    """
    box = kit(game)
    if propose:
        with plain_errors():
            seen = cut_out_card(TableProfile.load(profile).of(game), read_picture(image))
        click.echo(f"{card_id}: {_proposal(box, seen)}")
        return
    values = {name: of for name, of in given.items() if of}
    sort = _sort_of(box, card_id, values)
    with plain_errors():
        shown = EnrolledCard(card_id, sort.id, blank_picture(), values)
        after = enrol_card(TableProfile.load(profile).of(game), shown, read_picture(image))
        deck = after.deck or EnrolledDeck("my deck")
        index = CardIndex.of(deck)
        _, refusals = _lookalikes(index, {card_id}, deck.cards.keys() - {card_id})
        if refusals and not force:
            raise Unusable(refusals[0])
        after.save(profile)
    _warn_of_alike(index, {card_id})
    click.echo(f"{card_id}: enrolled as a {sort.id} card; the deck now has {len(deck.cards)} cards.")
    suggested = {} if sort.propose is None else sort.propose(deck.cards[card_id].picture)
    for line in _mismatch_lines(sort, values, suggested):
        click.echo(line)


def _sort_of(box: Kit, card_id: str, values: CardValues) -> CardSort:
    """Return the sort of card of the game to which an id and field values from the options belong.

    Raises UsageError if there is none, or if there are too few or too many values.
    """
    fixed = box.fixed_cards.get(card_id)
    if fixed is not None:
        if values:
            raise click.UsageError(f"{card_id} has no elements.")
        return fixed
    if not re.fullmatch(CARD_ID, card_id):
        raise click.UsageError("A card's name consists of at most 40 letters, digits and . _ : -, e.g. C07.")
    sorts = [sort for sort in box.cards if sort.fields]
    possible = [sort for sort in sorts if values.keys() <= {one.name for one in sort.fields}]
    if not values or not possible:
        every = _joined([f"{_flags(sort)} for a {sort.name} card" for sort in sorts], "or")
        raise click.UsageError(f"State what the card shows: {every}.")
    sort = possible[0]
    for one in sort.fields:
        if len(values.get(one.name, ())) > one.most:
            raise click.UsageError(f"A {sort.name} card takes {one.flag} at most {_times(one.most)}.")
    if not sort.is_complete(values):
        raise click.UsageError(f"A {sort.name} card needs {_flags(sort)}.")
    return sort


def _flags(sort: CardSort) -> str:
    """Return the command-line options that describe a card of a sort, as text: "--a twice and --b"."""
    return _joined(
        [one.flag if one.fewest == 1 else f"{one.flag} {_times(one.fewest)}" for one in sort.fields], "and"
    )


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _joined(parts: Sequence[str], last: str) -> str:
    """Return parts as one text, such as "a, b and c". last: the word before the last part."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def _proposal(box: Kit, picture: Picture) -> str:
    """Return sentences with the options that the colours in a card's picture suggest, or why there are none."""
    sort = next((sort for sort in box.cards if sort.propose is not None), None)
    if sort is None or sort.propose is None:
        return "nothing can be suggested for the cards of this game."
    suggested = sort.propose(picture)
    named = [(one, suggested.get(one.name, ())) for one in sort.fields]
    if not any(values for _, values in named):
        return "no element's colour stands out; say what the card shows."
    words = " ".join(f"{one.flag} {value}" for one, values in named for value in values)
    unsure = "".join(f" Nothing stands out for {one.flag}." for one, values in named if not values)
    notes = dict.fromkeys(note for one, values in named for word, note in one.notes.items() if word in values)
    return " ".join([f"its colours suggest {words} (check it).{unsure}", *notes])


def _mismatch_lines(sort: CardSort, given: CardValues, suggested: CardValues) -> Iterator[str]:
    """Yield a warning for each field of a card whose given values contradict those recognised in its picture."""
    for one in sort.fields:
        values, likely = given.get(one.name, ()), suggested.get(one.name, ())
        if likely and set(values) <= set(one.recognised) and not set(values) & set(likely):
            yield (
                f"Its {one.place} looks {' and '.join(map(str, likely))}, not {' and '.join(map(str, values))}: "
                "learn it again if that was a slip."
            )


_ALIKE = "{} and {} look alike: the camera cannot distinguish them"


def _lookalikes(
    index: CardIndex, fresh: AbstractSet[str], known: AbstractSet[str]
) -> tuple[frozenset[str], list[str]]:
    """Return the ids of the new cards that look like another card, and a line of text for each such pair.

    fresh, known: ids of the new cards, and of those that were enrolled before and stay.
    """
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


def _without_lookalikes(given: EnrolledDeck, known: EnrolledDeck) -> tuple[EnrolledDeck, list[str]]:
    """Return the new cards without those that look like another card, and a line of text for each such pair.

    given, known: new cards, and those that were enrolled before. Of a card in both, the earlier picture stays when
    the new one is left out: then the other new cards are compared with that.
    """
    lines: list[str] = []
    while given.cards:
        index = CardIndex.of(known.with_cards(list(given.cards.values())))
        refused, more = _lookalikes(index, given.cards.keys(), known.cards.keys() - given.cards.keys())
        if not refused:
            break
        lines += more
        given = given.without_cards(refused)
    return given, lines


def _warn_of_alike(index: CardIndex, fresh: AbstractSet[str]) -> None:
    """Print a warning for each pair of similar cards with a new one. fresh: ids of the new cards."""
    for pair in index.alike_pairs():
        if not fresh.isdisjoint(pair):
            click.echo(f"{_ALIKE.format(*pair)}: you will be asked which of the two it is.", err=True)


def _example_deck(box: Kit) -> str:
    """Return the text of an example deck.yaml with one card of each sort that a game's kit has."""
    lines = ["name: My deck", "cards:"]
    for sort in box.cards:
        name = sort.ids[0] if sort.ids else f"{sort.letter}1"
        id, file = f'"{name}"' if ":" in name else name, f"{name.replace(':', '-').lower()}.jpg"
        fields = "".join(f", {one.name}: [{_example_value(one)}]" for one in sort.fields)
        lines.append(f"  - {{id: {id}, kind: {sort.id}, picture: {file}{fields}}}")
    return "\n".join(lines)


def _example_value(field: CardField) -> str:
    """Return example values of a card's field, as YAML text: the smallest number of values that is allowed."""
    words = [part[0] for part in field.parts]
    value = words[0] if len(words) == 1 else f"[{', '.join(words)}]"
    return ", ".join([value] * field.fewest)


_DECK_HELP = f"""Enrol all cards of a folder.

The folder has a deck.yaml and a picture of each card. The pictures are cut to the cards' edges. Cards that look
alike are left out and listed.

\b
{_example_deck(_FIRST)}
"""


@click.command(help=_DECK_HELP)
@PROFILE
@GAME
@click.option("--replace", is_flag=True, help="Replace the enrolled cards.")
@click.option("--force", is_flag=True, help="Also enrol cards that look alike; games then ask which it is.")
@click.argument("folder", type=click.Path(path_type=Path))
def deck(profile: str, game: str, replace: bool, force: bool, folder: Path) -> None:
    """Enrol all cards of a folder with a deck.yaml and pictures; the command's help is `_DECK_HELP`."""
    with plain_errors():
        table = TableProfile.load(profile).of(game)
        with decoder_messages_discarded():
            given = EnrolledDeck.from_folder(folder, table.kit)
        known = EnrolledDeck(given.name) if replace or table.deck is None else table.deck
        fresh, lines = (given, []) if force else _without_lookalikes(given, known)
        together = known.with_cards(list(fresh.cards.values()))
        if not together.cards:
            raise Unusable(lines[0])
        dataclasses.replace(table, deck=together).save(profile)
    for line in lines:
        click.echo(line, err=True)
    if force:
        _warn_of_alike(CardIndex.of(together), fresh.cards.keys())
    click.echo(f"{given.name}: {len(fresh.cards)} cards enrolled; {len(together.cards)} in total.")
