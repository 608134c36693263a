"""Measure the reading of cards: rings of six of the 24 corridor cards in held-out sessions, some under arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from calibration.camera.calibrate import calibrate
from calibration.cards.deck import CARD_MM, EnrolledCard, EnrolledDeck, blank_picture
from calibration.cards.enrolment import enrol_card
from calibration.errors import CalibrationError
from calibration.games.wicked.kit import TILE_ID
from calibration.plane import Region
from calibration.profile import TableProfile
from companion.adapters.wicked.bots.card_faces import card_faces
from companion.adapters.wicked.deck_from_art import deck_from_art
from companion.games.wicked.standin_deck import STANDIN
from models.evaluation.scenes import held_out_parameters
from vision.cameras.frame import Image
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.scene import CardOnTable, HandOnTable, Pose, Scene
from vision.cameras.simulated.still_layer import corners
from vision.cards.reader import CardReader
from vision.games.wicked.simulated_layout import ring_poses, seat_place
from vision.readings import CardReading

SEATS = 5
"""Players at a table."""
RING = 6
"""Number of cards in a ring."""
BACK = "back:corridor"
"""Name of the back of a corridor card."""
WHOLE, NEAR = "whole table", "ring of six"
WAYS = (WHOLE, NEAR)
"""Reading methods: of the whole table, as `companion read corridors`; of the ring's region and size, as in play."""
_REGION = Region(-245.0, -245.0, 245.0, 245.0)
"""Region of the table with the ring, mm."""
MIN_REQUIRED_FRACTION = 0.9
"""Visible fraction from which on a card counts as in full view."""
MIN_EXPECTED_FRACTION = 0.3
"""Visible fraction from which on a card counts as partly covered; below it, it need not be identified."""
_MAX_CENTRE_ERROR_MM = 22.0
"""Largest distance of a reading's centre from that of the card to which it is matched, mm."""
_MAX_CORNER_ERROR_MM = 12.0
"""Distance of each read corner from the card's up to which the card counts as read the right way up, mm."""
_SCENES = ("all face up", "some face down", "under an arm", "with everything laid out")
"""Kinds of scenes, one of each per session; in the last, oracle cards lie on the table, too."""


@dataclass(frozen=True, slots=True)
class CardVerdict:
    """Result of one card of a ring, or of a card read where none lies."""

    slot: int | None
    """Place in the ring; None for a card read where none lies."""
    truth: str | None
    """The card (`back:corridor` face down); None where there is none."""
    read: str | None
    """The card that was read; None where none was found."""
    confidence: float
    """Confidence of the reading, 0..1."""
    visible: float
    """Visible fraction of the card."""
    placed: int | None
    """The place in the ring that was read; None where it is unknown because the labyrinth tile was not found."""
    upright: bool
    """Whether each corner was read near its true position, so that the card is the right way up."""

    @property
    def right(self) -> bool:
        """Whether the card was identified correctly."""
        return self.read is not None and self.read == self.truth

    @property
    def wrong(self) -> bool:
        """Whether another card was identified than lies there, or one where none lies."""
        return self.read is not None and self.read != self.truth


@dataclass(frozen=True, slots=True)
class CardsMeasured:
    """Result of one picture of a ring, read with one method."""

    picture: str
    """Name of the picture."""
    scene: str
    """Kind of scene."""
    way: str
    """Reading method, of WAYS."""
    deck_from: str
    """What the deck was enrolled from: "pictures" or "art"."""
    cards: tuple[CardVerdict, ...]
    """Verdict on each card."""
    milliseconds: float
    """Time of the reading."""


def measure_cards(seed: int) -> tuple[tuple[CardsMeasured, ...], tuple[str, ...]]:
    """Render the session of a seed, enrol its deck and read its rings.

    Return one result per scene and method, and a message for each card that could not be enrolled.
    """
    cv2.setNumThreads(1)
    renderer = Renderer(held_out_parameters.look(seed), card_faces(STANDIN))
    sheet = renderer.render(Scene(SEATS, tile=False, sheet=True), 1)
    profile = TableProfile(SEATS).calibrated(calibrate(sheet, SEATS))
    deck_from = "pictures" if seed % 2 else "art"
    refused: tuple[str, ...] = ()
    if seed % 2:
        profile, refused = _enrolled_from_pictures(profile, renderer, seed)
    else:
        profile = replace(profile, deck=_corridors_of(deck_from_art(STANDIN)))
    reader = CardReader(profile)
    measured = []
    for number, kind in enumerate(_SCENES):
        scene = _random_scene(np.random.default_rng([held_out_parameters.checked_seed(seed), number, 0xCA2D]), kind)
        image, truth = renderer.render_with_truth(scene, 50 + number)
        image = _as_sent(image)
        visible = [card.visible for card in truth.cards[:RING]]
        for way in WAYS:
            reading = reader.read(image) if way == WHOLE else reader.read(image, _REGION, RING)
            verdicts = _verdicts(renderer, scene, visible, reading.cards)
            measured.append(
                CardsMeasured(f"{seed:06}/{number}", kind, way, deck_from, verdicts, reading.milliseconds)
            )
    return tuple(measured), refused


def _corridors_of(deck: EnrolledDeck) -> EnrolledDeck:
    """Return a copy of a deck with only the corridor cards, their back and the labyrinth tile."""
    names = {*(card.id for card in STANDIN.corridors), BACK, TILE_ID}
    return EnrolledDeck(deck.name, {name: card for name, card in deck.cards.items() if name in names})


def _enrolled_from_pictures(
    profile: TableProfile, renderer: Renderer, seed: int
) -> tuple[TableProfile, tuple[str, ...]]:
    """Return the profile with the deck enrolled from one picture per card, and a message for each failed card."""
    rng = np.random.default_rng([held_out_parameters.checked_seed(seed), 0xDEC])
    shown = [
        EnrolledCard(card.id, "corridor", blank_picture(), {"upper": card.upper, "lower": card.lower})
        for card in STANDIN.corridors
    ]
    shown += [EnrolledCard(BACK, "back", blank_picture()), EnrolledCard(TILE_ID, "tile", blank_picture())]
    refused = []
    for number, card in enumerate(shown):
        pose = Pose(float(rng.normal(0, 6)), float(rng.normal(0, 6)), float(rng.normal(0, 4)))
        lying = () if card.kind == "tile" else (CardOnTable(pose, None if card.kind == "back" else card.id),)
        image = renderer.render(Scene(SEATS, tile=card.kind == "tile", cards=lying), 100 + number)
        try:
            profile = enrol_card(profile, card, _as_sent(image))
        except CalibrationError as error:
            refused.append(f"{seed:06}: enrol card {card.id}: {error}")
    return profile, tuple(refused)


def _random_scene(rng: np.random.Generator, kind: str) -> Scene:
    """Return a random ring of cards on a table. kind: of `_SCENES`."""
    names = [str(name) for name in rng.permutation([card.id for card in STANDIN.corridors])]
    searched = int(rng.integers(1, RING)) if kind != "all face up" else 0
    cards = tuple(
        CardOnTable(_randomly_moved(pose, rng), None if slot < searched else names[slot])
        for slot, pose in enumerate(ring_poses(RING))
    )
    hands: tuple[HandOnTable, ...] = ()
    if kind == "under an arm":
        cards = tuple(replace(card, face=names[slot]) for slot, card in enumerate(cards))
        hands = (_hand_over(cards[int(rng.integers(RING))].pose, rng),)
    if kind == "with everything laid out":
        for seat in range(SEATS):
            place = seat_place(SEATS, seat)
            great, small = STANDIN.great[2 * seat : 2 * seat + 2], STANDIN.small[2 * seat : 2 * seat + 2]
            cards += tuple(CardOnTable(p, card.id, "great") for p, card in zip(place.great, great, strict=True))
            cards += tuple(CardOnTable(p, card.id, "small") for p, card in zip(place.small, small, strict=True))
    return Scene(SEATS, cards=cards, hands=hands)


def _hand_over(card: Pose, rng: np.random.Generator) -> HandOnTable:
    """Return the hand of the player nearest to a card, reaching over it; it mostly covers half of the card."""
    distance = float(np.hypot(card.x, card.y))
    farther = 1 + float(rng.uniform(0, 75)) / distance
    goal = np.array([card.x, card.y]) * farther + rng.normal(0, 10, 2)
    places = [seat_place(SEATS, seat).hand for seat in range(SEATS)]
    seat = min(range(SEATS), key=lambda k: float(np.hypot(*(goal - (places[k].x, places[k].y)))))
    away, angle = goal - (places[seat].x, places[seat].y), np.radians(places[seat].angle)
    right = float(away @ (np.cos(angle), -np.sin(angle)))
    ahead = float(away @ (np.sin(angle), np.cos(angle)))
    opened = float(rng.random() < 0.7)
    return HandOnTable(
        seat, 1.0, opened, (), int(rng.integers(1_000_000)), (right, ahead, float(rng.uniform(-12, 12)))
    )


def _randomly_moved(pose: Pose, rng: np.random.Generator) -> Pose:
    """Return a pose moved by about 2 mm and turned by about 3 degrees at random."""
    return Pose(
        pose.x + float(rng.normal(0, 2)), pose.y + float(rng.normal(0, 2)), pose.angle + float(rng.normal(0, 3))
    )


def _verdicts(
    renderer: Renderer, scene: Scene, visible: Sequence[float], readings: Sequence[CardReading]
) -> tuple[CardVerdict, ...]:
    """Return the verdict on each card of the ring, then one on each card identified where none lies.

    visible: visible fraction of each card of the ring, by slot.
    """
    left = list(readings)
    verdicts = []
    for slot, (card, seen) in enumerate(zip(scene.cards[:RING], visible, strict=True)):
        outline = renderer.view.project(np.c_[corners(card.pose, CARD_MM), np.zeros(4)])
        px_per_mm = float(np.linalg.norm(outline[1] - outline[0])) / CARD_MM[0]

        def away(reading: CardReading, outline: np.ndarray[Any, Any] = outline) -> float:
            return float(np.linalg.norm(np.mean(reading.corners, axis=0) - outline.mean(axis=0)))

        nearest = min(left, key=away, default=None)
        name = BACK if card.face is None else card.face
        if nearest is None or away(nearest) > _MAX_CENTRE_ERROR_MM * px_per_mm:
            verdicts.append(CardVerdict(slot, name, None, 0.0, seen, None, False))
            continue
        left.remove(nearest)
        off = np.linalg.norm(np.asarray(nearest.corners) - outline, axis=1) / px_per_mm
        upright = bool(off.max() < _MAX_CORNER_ERROR_MM)
        verdicts.append(
            CardVerdict(
                slot,
                name,
                _read_as(nearest),
                nearest.confidence,
                seen,
                nearest.slot,
                upright,
            )
        )
    # The tile lies in the middle and is no card; oracle cards are in no deck here, and may be read as unknown.
    ghosts = [reading for reading in left if reading.card != TILE_ID and reading.state != "unknown"]
    verdicts += [CardVerdict(None, None, _read_as(ghost), ghost.confidence, 0.0, None, False) for ghost in ghosts]
    return tuple(verdicts)


def _read_as(reading: CardReading) -> str | None:
    """Return the id of the card that was read, BACK for a card that lies face down, None for an unknown one."""
    return BACK if reading.state == "face_down" else reading.card


def card_row(measured: CardsMeasured) -> Mapping[str, Any]:
    """Return one picture's result as plain values for JSON."""
    return {
        "set": "cards",
        "picture": measured.picture,
        "scene": measured.scene,
        "way": measured.way,
        "made": "rendered",
        "deck_from": measured.deck_from,
        "milliseconds": round(measured.milliseconds, 1),
        "cards": [
            {
                "slot": card.slot,
                "is": card.truth,
                "read": card.read,
                "confidence": round(card.confidence, 4),
                "visible": round(card.visible, 3),
                "placed": card.placed,
                "upright": card.upright,
            }
            for card in measured.cards
        ],
    }


def _as_sent(image: Image) -> Image:
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
