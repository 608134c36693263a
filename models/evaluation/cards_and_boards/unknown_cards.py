"""Accuracy of reading cards where some on the table are not enrolled.

See `python -m models.evaluation.cards_and_boards.unknown_cards --help`.

A third of each deck is not enrolled, but lies on the table all the same. Beside it lie enrolled cards, cards face
down, and other prints with the same icons: enlarged, mirrored and stretched cards, and a page with cards.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import click
import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from calibration.cards.deck import CARD_MM, EnrolledCard, EnrolledDeck, as_reference
from calibration.files.picture_files import read_picture
from calibration.game_kit import Picture
from calibration.games.wicked.kit import TILE_ID
from calibration.plane import TablePlane
from calibration.profile import TableProfile
from companion.adapters.wicked.card_proposals import MIN_CARD_CONFIDENCE
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation.scenes import held_out_parameters
from models.evaluation.scenes.tables_with_cards import (
    GROUNDS,
    GroundPrint,
    photograph,
    random_camera,
    random_ground,
)
from vision.cameras.simulated.scene import Pose
from vision.cards.reader import CardReader
from vision.games.wicked.simulated_layout import ring_poses
from vision.readings import CardReading

_MAX_CORNER_ERROR_MM = 14.0
"""Largest mean distance of a reading's corners from those of the card."""
_PHOTOGRAPHED_CARDS = {
    "10S": "IMG_2461:0", "KC": "IMG_2485:0", "10D": "IMG_2647:0", "9C": "IMG_2677:0", "JH": "cam_image4:0",
    "JC": "cam_image4:1", "JD": "cam_image4:3", "JS": "cam_image45:0", "10H": "cam_image5:0", "9H": "cam_image6:0",
    "9D": "cam_image6:1", "9S": "cam_image6:2", "QS": "cam_image7:1", "QC": "cam_image7:3", "AH": "cam_image8:0",
    "AD": "cam_image8:1", "AS": "cam_image8:2", "AC": "cam_image8:3", "10C": "IMG_2412:0", "QD": "IMG_2419:0",
    "KH": "IMG_2480:0", "KD": "IMG_2483:0", "KS": "cam_image37:3",
}  # fmt: skip # a table of cards
"""Where a photograph of each playing card is: picture and index of the labelled box, by card."""


@dataclass(frozen=True, slots=True)
class CardResult:
    """Result of one object on a table, or of one reading where no card lies."""

    deck: str
    """Name of the deck."""
    ground: str
    """Kind of the ground."""
    truth: str
    """What lies there: "enrolled" or "not enrolled" card, "back", "other print" or "nothing"."""
    name: str
    """Id of the card, or name of the print; where nothing lies, the id that was read."""
    read: str
    """How it was read: "right", "wrong" (as another card), "face down", "unknown" or "missed"."""
    sure: bool
    """Whether the reading needs no confirmation."""
    milliseconds: float
    """Time of the reading."""


def measure(seed: int, photographs: Path | None) -> list[CardResult]:
    """Read two pictures of a random table, one with cards and other prints, one empty, and return the results.

    photographs: folder with photographs of playing cards. Of every three runs of len(GROUNDS) seeds, the last uses
    them as its deck, the others the stand-in's cards; None: all use the stand-in's.
    """
    cv2.setNumThreads(1)
    rng = np.random.default_rng([held_out_parameters.checked_seed(seed), 0x0CA])
    made = photographs is not None and seed // len(GROUNDS) % 3 == 2
    deck = _photographed_deck(photographs) if made and photographs is not None else _shuffled(_stand_in(), rng)
    name = "strangers" if made else "stand-in"
    faces = sorted(card.id for card in deck.cards.values() if card.kind in ("corridor", "great", "small"))
    order = [str(card) for card in rng.permutation(faces)]
    unenrolled = set(order[: len(order) // 3])
    plane, kind = random_camera(rng), list(GROUNDS)[seed % len(GROUNDS)]
    top = random_ground(kind, rng)
    enrolled = EnrolledDeck("part", {id: card for id, card in deck.cards.items() if id not in unenrolled})
    if seed % 2:
        enrolled = _with_rendered_crops(enrolled, plane, rng)
    reader = CardReader(replace(TableProfile(4), plane=plane, deck=enrolled))
    laid = _random_layout(deck, order, rng)
    picture = photograph(top, [print_ for _, _, print_ in laid], plane, rng)
    reading = reader.read(picture)
    results = _evaluate(laid, reading.cards, plane)
    empty = reader.read(photograph(top, [], plane, rng))
    results += [
        ("nothing", card.card or "", _outcome(card, "nothing"), card.confidence >= MIN_CARD_CONFIDENCE)
        for card in empty.cards
    ]
    return [CardResult(name, kind, *one, reading.milliseconds) for one in results]


def _shuffled(deck: EnrolledDeck, rng: np.random.Generator) -> EnrolledDeck:
    """Return a copy of a deck with its cards in a random order."""
    return EnrolledDeck(deck.name, {str(id): deck.cards[str(id)] for id in rng.permutation(list(deck.cards))})


@cache
def _stand_in() -> EnrolledDeck:
    return deck_from_art(STANDIN)


@cache
def _photographed_deck(folder: Path) -> EnrolledDeck:
    """Return a deck of photographed playing cards, with the stand-in set's back and labyrinth tile.

    folder: of the photographs and their labels (XML in the format of Pascal VOC).
    """
    deck = _stand_in()
    cards = [deck.cards[TILE_ID], deck.cards["back:corridor"]]
    for name, place in _PHOTOGRAPHED_CARDS.items():
        picture, _, number = place.partition(":")
        annotated = next(iter(folder.glob(f"*/{picture}.xml")))
        image = read_picture(next(iter(annotated.parent.glob(f"{picture}.[jJ]*"))))
        root = ElementTree.parse(annotated).getroot()  # noqa: S314 - somebody's own data folder
        scale = image.shape[1] / float(root.findtext("size/width") or image.shape[1])
        box = list(root.iter("bndbox"))[int(number)]
        sides = [round(float(box.findtext(side) or 0) * scale) for side in ("xmin", "ymin", "xmax", "ymax")]
        face = _face_in(image, (sides[0], sides[1], sides[2], sides[3]))
        cards.append(EnrolledCard(name, "corridor", face, {"upper": ("red",), "lower": ("red",)}))
    return EnrolledDeck("strangers", {card.id: card for card in cards})


def _face_in(image: NDArray[np.uint8], box: tuple[int, int, int, int]) -> Picture:
    """Return a rectified picture of a bright card in a photograph. box: left, top, right and bottom of it, px."""
    left, top, right, bottom = box
    cut = image[max(0, top - 12) : bottom + 12, max(0, left - 12) : right + 12]
    grey = cv2.GaussianBlur(cv2.cvtColor(cut, cv2.COLOR_BGR2GRAY), (0, 0), 1.5)
    _, bright = cv2.threshold(grey, 0, 255, cv2.THRESH_OTSU)
    closed = cv2.morphologyEx(bright, cv2.MORPH_CLOSE, np.ones((9, 9), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    hull = cv2.convexHull(max(contours, key=cv2.contourArea))
    around = cv2.arcLength(hull, True)
    outlines = (cv2.approxPolyDP(hull, share * around, True) for share in (0.02, 0.03, 0.04, 0.05, 0.06))
    corners = next(outline for outline in outlines if len(outline) == 4).reshape(4, 2).astype(np.float32)
    if cv2.contourArea(corners, oriented=True) < 0:
        corners = corners[::-1]
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    if sides[0] + sides[2] > sides[1] + sides[3]:
        corners = np.roll(corners, -1, axis=0)
    size = (252, 352)
    flat = np.array([(0, 0), (size[0], 0), size, (0, size[1])], np.float32)
    return as_reference(
        np.asarray(cv2.warpPerspective(cut, cv2.getPerspectiveTransform(corners, flat), size), np.uint8)
    )


def _with_rendered_crops(deck: EnrolledDeck, plane: TablePlane, rng: np.random.Generator) -> EnrolledDeck:
    """Return a copy of a deck with its pictures replaced by slightly misplaced crops of rendered tables.

    plane: camera of the table.
    """
    spots = [(x, y) for x in (-130.0, 0.0, 130.0) for y in (-130.0, 0.0, 130.0)]
    bare, known, cards = random_ground("plain", rng), list(deck.cards.values()), []
    for first in range(0, len(known), len(spots)):
        shown = list(zip(known[first : first + len(spots)], spots, strict=False))
        lying = [GroundPrint(card.picture, card.size_mm, Pose(x, y)) for card, (x, y) in shown]
        image = photograph(bare, lying, plane, rng)
        for card, (x, y) in shown:
            off = rng.normal(0, 0.4, 3)
            seen = GroundPrint(card.picture, card.size_mm, Pose(x + off[0], y + off[1], float(off[2])))
            width, height = card.picture.shape[1::-1]
            flat = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) - 0.5
            outline = plane.to_image(seen.corners).astype(np.float32)
            cut = cv2.warpPerspective(image, cv2.getPerspectiveTransform(outline, flat), (width, height))
            cards.append(replace(card, picture=as_reference(np.asarray(cut, np.uint8), card.size_mm)))
    return deck.with_cards(cards)


_Laid = list[tuple[str, str, GroundPrint]]
"""Prints on the table: for each, what it is ("tile" or as in `CardResult.truth`), its name, and the print."""


def _random_layout(deck: EnrolledDeck, order: Sequence[str], rng: np.random.Generator) -> _Laid:
    """Return random prints on a table: labyrinth tile, ring of six cards, eight more cards, four other prints.

    order: ids of the faces in a random order; the first third is not enrolled.
    """
    left, used = list(order), len(order) // 3
    unenrolled, enrolled = left[:used], left[used:]
    tile = deck.cards[TILE_ID]
    laid: _Laid = [("tile", TILE_ID, GroundPrint(tile.picture, tile.size_mm, Pose(0.0, 0.0)))]
    places = [
        Pose(p.x + rng.normal(0, 2), p.y + rng.normal(0, 2), p.angle + rng.normal(0, 3)) for p in ring_poses(6)
    ]
    spots = [(x, y) for x in (-420.0, -290.0, 290.0, 420.0) for y in (-190.0, -60.0, 70.0, 190.0)]
    spots = [spots[number] for number in rng.permutation(len(spots))]
    places += [Pose(x + rng.normal(0, 6), y + rng.normal(0, 6), float(rng.uniform(0, 360))) for x, y in spots[:8]]
    for pose in places:
        chance = rng.random()
        if chance < 0.15:
            sort, name = "back", "back:corridor"
        elif chance < 0.6 and unenrolled:
            sort, name = "not enrolled", unenrolled.pop()
        else:
            sort, name = "enrolled", enrolled.pop()
        laid.append((sort, name, GroundPrint(deck.cards[name].picture, CARD_MM, pose)))
    for number, (x, y) in enumerate(spots[8:12]):
        pose = Pose(x + rng.normal(0, 6), y + rng.normal(0, 6), float(rng.uniform(0, 360)))
        laid.append(("other print", f"print {number}", _other_print(deck, order, number, pose, rng)))
    return laid


def _other_print(
    deck: EnrolledDeck, order: Sequence[str], number: int, pose: Pose, rng: np.random.Generator
) -> GroundPrint:
    """Return a print that is no card of the deck but shows parts of one, of a sort that depends on the number.

    0: enlarged; 1: mirrored, or halves of two playing cards; 2: stretched; 3: a page with pictures of cards.
    """
    name = order[int(rng.integers(len(order) // 3, len(order)))]
    face = deck.cards[name].picture
    if number == 0:
        return GroundPrint(face, (CARD_MM[0] * 1.3, CARD_MM[1] * 1.3), pose)
    if number == 1 and deck.name != "strangers":  # a playing card's mirror image is mostly itself
        return GroundPrint(np.ascontiguousarray(face[:, ::-1]), CARD_MM, pose)
    if number == 1:
        other = deck.cards[next(one for one in order if one != name)].picture
        return GroundPrint(np.concatenate([face[: len(face) // 2], other[len(other) // 2 :]]), CARD_MM, pose)
    if number == 2:
        return GroundPrint(face, (CARD_MM[0], CARD_MM[1] * 1.25), pose)
    page = np.full((480, 440, 4), (225, 235, 240, 255), np.uint8)
    for row in range(20, 460, 12):
        page[row : row + 4, 24:250] = (90, 90, 90, 255)
    half = face[: face.shape[0] // 2]
    page[40 : 40 + half.shape[0], 180 : 180 + half.shape[1]][..., :3] = half[..., :3]
    small = cv2.resize(face, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    page[240 : 240 + small.shape[0], 30 : 30 + small.shape[1]][..., :3] = small[..., :3]
    return GroundPrint(page, (110.0, 120.0), pose)


def _evaluate(laid: _Laid, readings: Sequence[CardReading], plane: TablePlane) -> list[tuple[str, str, str, bool]]:
    """Compare readings with the prints on a table; return (truth, name, read, sure) as in `CardResult`.

    There is one tuple for each reading, and one for each print that was missed; the labyrinth tile is left out.
    """
    left = list(readings)
    results = []
    for sort, name, thing in laid:
        if sort == "tile":
            left = [reading for reading in left if reading.card != TILE_ID]
            continue

        def away(reading: CardReading, thing: GroundPrint = thing) -> float:
            off = plane.to_table(reading.corners)
            ways = (np.roll(thing.corners, turn, axis=0) for turn in range(4))
            return min(float(np.linalg.norm(off - way, axis=1).mean()) for way in ways)

        reach = 45.0 if sort == "other print" else _MAX_CORNER_ERROR_MM
        near = [reading for reading in left if away(reading) < reach]
        left = [reading for reading in left if reading not in near]
        if not near:
            results.append((sort, name, "missed", False))
        results += [(sort, name, _outcome(one, name), one.confidence >= MIN_CARD_CONFIDENCE) for one in near]
    results += [
        ("nothing", one.card or "", _outcome(one, "nothing"), one.confidence >= MIN_CARD_CONFIDENCE) for one in left
    ]
    return results


def _outcome(reading: CardReading, name: str) -> str:
    """Return how a print was read, as in `CardResult.read`. name: true name of the print."""
    if reading.state == "unknown":
        return "unknown"
    if reading.state == "face_down":
        return "right" if name == "back:corridor" else "face down"
    return "right" if reading.card == name else "wrong"


_SORTS = ("enrolled", "back", "not enrolled", "other print", "nothing")


@click.command()
@click.option("--tables", default=90, show_default=True, help="Tables to lay, each with its own deck and ground.")
@click.option("--first", default=0, show_default=True, help="The first table's seed.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1, 64))
@click.option(
    "--data",
    envvar="EVAL_DATA",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with card-photos: every third table then has playing cards of these.",
)
def main(tables: int, first: int, processes: int, data: Path | None) -> None:
    """Print how enrolled cards, cards that are not enrolled, backs, other prints and empty tables are read."""
    photographs = None if data is None else data / "card-photos"
    with ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn")) as pool:
        seeds = range(first, first + tables)
        results = [one for some in pool.map(measure, seeds, [photographs] * tables) for one in some]
    console = Console(highlight=False, soft_wrap=True)
    for deck in sorted({one.deck for one in results}):
        console.print(_table(f"{deck} deck, a third left out", [one for one in results if one.deck == deck]))
    console.print(_ground_table(results))


_READ: Mapping[str, Sequence[tuple[str, bool | None]]] = {
    "named rightly": (("right", None),),
    "… and sure": (("right", True),),
    "named wrongly, sure": (("wrong", True), ("face down", True)),
    "named wrongly, doubtful": (("wrong", False), ("face down", False)),
    "unknown outline": (("unknown", None),),
    "not found": (("missed", None),),
}


def _count(results: Sequence[CardResult], kinds: Sequence[tuple[str, bool | None]]) -> int:
    """Return the number of results whose (`read`, `sure`) is among `kinds`; there None matches sure or not."""
    return sum(any(one.read == read and sure in (None, one.sure) for read, sure in kinds) for one in results)


def _table(title: str, results: Sequence[CardResult]) -> Table:
    """Return a printable table of results: how prints were read, by what they are."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    table.add_column("")
    for sort in _SORTS:
        table.add_column(f"{sort} ({sum(one.truth == sort for one in results)})")
    for name, kinds in _READ.items():
        counts = (_count([one for one in results if one.truth == sort], kinds) for sort in _SORTS)
        table.add_row(name, *(str(count) for count in counts))
    return table


def _ground_table(results: Sequence[CardResult]) -> Table:
    """Return a printable table of results with a row per ground."""
    table = Table(title="by ground", title_justify="left", box=None, pad_edge=False)
    for heading in ("", "enrolled, named", "not enrolled, listed", "false outlines", "ms a table, median"):
        table.add_column(heading)
    for kind in GROUNDS:
        of = [one for one in results if one.ground == kind]
        sorts = Counter(one.truth for one in of)
        named = sum(one.truth == "enrolled" and one.read == "right" for one in of)
        listed = sum(one.truth == "not enrolled" and one.read == "unknown" for one in of)
        times = [one.milliseconds for one in of]
        table.add_row(
            kind,
            f"{named} of {sorts['enrolled']}",
            f"{listed} of {sorts['not enrolled']}",
            str(sorts["nothing"]),
            f"{np.median(times):.0f}" if times else "-",
        )
    return table


if __name__ == "__main__":
    main()
