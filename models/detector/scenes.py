"""Made-up evenings: cameras, rooms, people and games at random, drawn by the simulated table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from models.detector.shapes import ThingSet, emblem, paint, things
from models.reveal.tables import CORRIDORS, card_faces
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.layout import ring, seat_place
from vision.cameras.simulated.look import Cast
from vision.cameras.simulated.relief import Relief
from vision.cameras.simulated.renderer import Truth
from vision.cameras.simulated.scene import (
    BoardOnTable,
    CardOnTable,
    HandOnTable,
    PieceOnTable,
    Pose,
    Scene,
)
from vision.reveal.geometry import PALM_HEIGHT_MM

FIRST_SEED = 1_000_000
"""Training starts at this seed; what is judged uses smaller ones."""
FIRST_CROWDED_SEED = 2_000_000
"""Evenings from this seed on are crowded: more things that are no hands, and more fists."""
FIRST_SMALL_SEED = FIRST_CROWDED_SEED + 100
"""Crowded evenings from this seed on have small boards."""
FIRST_RELIT_SEED = 3_000_000
"""Evenings from this seed on are lit by heights, show more people, tighter and wider heaps, darker pieces and other
tones of the camera. Every fifth is crowded."""
SCENES_A_LOOK = 5
_BACKS = ("corridor", "great", "small")
_BOARD_COLOURS = ("purple", "green", "red", "black", "yellow")


@dataclass(frozen=True, slots=True)
class Picture:
    """One made-up picture (BGR, 1280×720), what is seen in it, and pixels a millimetre at the height of palms."""

    image: Image
    truth: Truth
    px_per_mm: float


def is_crowded(seed: int) -> bool:
    """Tell whether an evening shows more things that are no hands."""
    return seed % 5 == 0 if seed >= FIRST_RELIT_SEED else seed >= FIRST_CROWDED_SEED


def varied(seed: int, cast: Cast = "training") -> Look:
    """Draw a set-up from a wider range than the simulated table's own: other heights, tilts, lamps, varnish."""
    rng = np.random.default_rng([seed, 0xD7])
    look = Look.from_seed(seed)
    hfov = float(rng.uniform(56, 80))
    half_width = float(rng.uniform(560, 790))
    harsh = rng.random() < 0.3
    return replace(
        look,
        hfov=hfov,
        height=half_width / float(np.tan(np.radians(hfov / 2))),
        tilt=float(rng.uniform(0, 26) if rng.random() < 0.5 else rng.uniform(0, 8)),
        yaw=float(rng.uniform(-8, 8)),
        aim=(float(rng.uniform(-60, 60)), float(rng.uniform(-60, 40))),
        light_elevation=float(rng.uniform(28, 80)),
        ambient=float(rng.uniform(0.2, 0.45) if harsh else rng.uniform(0.4, 0.75)),
        exposure=float(rng.uniform(0.8, 1.45)),
        tint=_tinted(look, rng.uniform(0.9, 1.1, 3)),
        gloss=float(rng.uniform(0.1, 0.7)) if rng.random() < 0.5 else 0.0,
        noise=float(rng.uniform(1.0, 5.5)),
        blur=float(rng.uniform(0.3, 0.8)),
        cast=cast,
        ground=None,
    )


def _tinted(look: Look, gains: NDArray[np.float64]) -> tuple[float, float, float]:
    blue, green, red = (float(part * gain) for part, gain in zip(look.tint, gains, strict=True))
    return blue, green, red


def pictures(seed: int, cast: Cast = "training") -> Iterator[Picture]:
    """Draw one evening's pictures; the same seed gives the same pictures."""
    rng = np.random.default_rng([seed, 0xE7E])
    made = things(rng)
    in_other_light = seed >= FIRST_RELIT_SEED
    look = relit(seed) if in_other_light else varied(seed, cast)
    crowded = is_crowded(seed)
    small = crowded and seed >= FIRST_SMALL_SEED
    boards = {
        f"board:{colour}": _plain_board(rng, small=small) if crowded and rng.random() < 0.7 else _board(rng)
        for colour in _BOARD_COLOURS
        if crowded or rng.random() < 0.5
    }
    renderer = Renderer(look, {**card_faces(seed), **boards, **made.faces}, made.solids)
    at = renderer.view.project(np.array([[-50.0, 0, PALM_HEIGHT_MM], [50.0, 0, PALM_HEIGHT_MM]]))
    px_per_mm = float(np.hypot(*(at[1] - at[0]))) / 100
    for number in range(SCENES_A_LOOK):
        scene = _crowded(rng, made) if crowded else ordinary(rng, made)
        image, truth = renderer.render_with_truth(darkened(rng, scene, made) if in_other_light else scene, number)
        yield Picture(toned(image, seed) if in_other_light else image, truth, px_per_mm)


def relit(seed: int) -> Look:
    """Draw a set-up lit by heights, with more people, and tighter and wider heaps."""
    rng = np.random.default_rng([seed, 0x2E1])
    return replace(varied(seed, "many"), relief=Relief.drawn(rng), heap=float(np.exp(rng.uniform(-0.6, 0.25))))


def toned(image: Image, seed: int) -> Image:
    """Give a picture a camera's own tones: stronger or paler colours, deeper or flatter contrast."""
    rng = np.random.default_rng([seed, 0x70E])
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    strength, bend = float(rng.uniform(0.6, 1.3)), float(rng.uniform(-0.35, 0.35))
    coloured = cv2.addWeighted(image, strength, grey, 1 - strength, 0)
    x = np.arange(256) / 255
    curve = x + bend * np.sin(2 * np.pi * x) / (-2 * np.pi)
    return np.asarray(cv2.LUT(coloured, np.clip(curve * 255, 0, 255).astype(np.uint8)), np.uint8)


def _board(rng: np.random.Generator) -> Image:
    """Print a board that is not the project's own."""
    face = np.repeat(np.repeat(emblem(rng, 60), 5, axis=0), 8, axis=1)
    grain = rng.normal(0, 9, (*face.shape[:2], 1))
    face[..., :3] = np.clip(face[..., :3] + grain, 0, 255).astype(np.uint8)
    return np.asarray(face, np.uint8)


def _plain_board(rng: np.random.Generator, *, small: bool = False) -> Image:
    """A board of one colour, often that of skin or of the table. small: not much larger than a hand."""
    lot = rng.random()
    hsv = (int(rng.integers(4, 20)), int(rng.integers(50, 160)), int(rng.integers(70, 240)))
    colour = cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0] if lot < 0.45 else paint(rng)
    face = np.full((300, 480, 4), 255, np.uint8)
    shade = cv2.resize(rng.normal(1, 0.06, (5, 8)).astype(np.float32), (480, 300), interpolation=cv2.INTER_CUBIC)
    grain = shade + rng.normal(0, 0.03, shade.shape)
    face[..., :3] = np.clip(np.asarray(colour, np.float64) * grain[..., None], 0, 255).astype(np.uint8)
    if small:
        # Boards as large as a hand, some with rounded corners, are what is most easily taken for one.
        height, width = (round(side * float(rng.uniform(0.4, 0.8))) for side in face.shape[:2])
        top, left, round_by = (300 - height) // 2, (480 - width) // 2, int(rng.integers(0, 40))
        alpha = np.zeros(face.shape[:2], np.uint8)
        cv2.rectangle(alpha, (left + round_by, top), (left + width - round_by, top + height), 255, -1)
        cv2.rectangle(alpha, (left, top + round_by), (left + width, top + height - round_by), 255, -1)
        for x in (left + round_by, left + width - round_by):
            for y in (top + round_by, top + height - round_by):
                cv2.circle(alpha, (x, y), round_by, 255, -1)
        face[..., 3] = alpha
    return face


def _crowded(rng: np.random.Generator, made: ThingSet) -> Scene:
    """Boards and cards anywhere with all sorts of things on them, and few hands."""

    def anywhere() -> Pose:
        x, y = rng.uniform(-620, 620), rng.uniform(-360, 360)
        return Pose(float(x), float(y), float(rng.uniform(0, 360)))

    boards, loose = [], []
    for _ in range(int(rng.integers(2, 8))):
        place = anywhere()
        boards.append(BoardOnTable(str(rng.choice(_BOARD_COLOURS)), place))
        kinds = (*made.tokens, *made.pieces) if rng.random() < 0.4 else made.tokens
        loose += [
            PieceOnTable(str(rng.choice(kinds)), _moved(rng, place, 38)) for _ in range(int(rng.integers(0, 8)))
        ]
    cards = [
        CardOnTable(anywhere(), None if rng.random() < 0.5 else f"R{rng.integers(6)}", str(rng.choice(_BACKS)))
        for _ in range(int(rng.integers(0, 9)))
    ]
    seats = int(rng.integers(3, 6))
    hands = []
    for seat in range(seats):
        if rng.random() < 0.55:
            hand = _hand(rng, seat, made)
            hands.append(replace(hand, openness=0.0, pieces=()) if rng.random() < 0.4 else hand)
    return Scene(
        seats, tile=bool(rng.random() < 0.5), cards=tuple(cards), boards=tuple(boards), pieces=tuple(loose),
        hands=tuple(hands),
    )  # fmt: skip


def ordinary(rng: np.random.Generator, made: ThingSet) -> Scene:
    """Lay out a table as in a game, or a bare one, and hold some hands over it."""
    seats = int(rng.integers(3, 6))
    boards: list[BoardOnTable] = []
    cards: list[CardOnTable] = []
    loose: list[PieceOnTable] = []
    dressed = rng.random() < 0.75
    if dressed:
        cards += [
            CardOnTable(pose, None if rng.random() < 0.4 else f"R{slot}")
            for slot, pose in enumerate(ring(CORRIDORS[seats]))
            if rng.random() < 0.9
        ]
    for seat in range(seats):
        place = seat_place(seats, seat)
        if dressed and rng.random() < 0.8:
            boards.append(BoardOnTable(str(rng.choice(_BOARD_COLOURS)), _moved(rng, place.board, 20)))
            for _ in range(int(rng.integers(0, 7))):
                spot = _moved(rng, place.board, 45)
                loose.append(PieceOnTable(str(rng.choice(made.tokens)), spot))
        if dressed and rng.random() < 0.6:
            for back, poses in (("great", place.great), ("small", place.small)):
                cards += [CardOnTable(_moved(rng, pose, 8), None, back) for pose in poses]
        if rng.random() < 0.35:
            kind = str(rng.choice(made.pieces))
            loose += [PieceOnTable(kind, _moved(rng, place.revealed, 25)) for _ in range(int(rng.integers(1, 6)))]
        if rng.random() < 0.15:
            loose.append(PieceOnTable(str(rng.choice(made.signs)), _moved(rng, place.revealed, 25)))
    hands = [_hand(rng, seat, made) for seat in range(seats) if rng.random() < 0.9]
    return Scene(
        seats, tile=bool(rng.random() < 0.8), cards=tuple(cards), boards=tuple(boards), pieces=tuple(loose),
        hands=tuple(hands),
    )  # fmt: skip


def _hand(rng: np.random.Generator, seat: int, made: ThingSet) -> HandOnTable:
    look = int(rng.integers(0, 1_000_000))
    if rng.random() < 0.13:
        return HandOnTable(seat, 1.0, 0.0, (), look)
    # Big heaps are what is hard: they come more often than in a game.
    count = int(rng.choice(10, p=(0.08, 0.07, 0.08, 0.11, 0.13, 0.13, 0.13, 0.12, 0.11, 0.04)))
    kind = str(rng.choice(made.pieces))
    kinds = [kind] * count
    if rng.random() < 0.12:
        kinds = [str(rng.choice(made.pieces)) for _ in kinds]
    kinds += [str(sign) for sign in made.signs if rng.random() < 0.13]
    return HandOnTable(seat, float(rng.choice([1.0, 0.93])), 1.0, tuple(kinds), look)


def darkened(rng: np.random.Generator, scene: Scene, made: ThingSet) -> Scene:
    """Put the darkest pieces into some hands: on dark skin they are what is hardest to see."""

    def lightness(kind: str) -> int:
        return sum(made.solids[kind].paint)

    darkest = sorted(made.pieces, key=lightness)[:2]

    def swapped(hand: HandOnTable) -> HandOnTable:
        dark = str(rng.choice(darkest))
        if rng.random() < 0.75:
            return hand
        return replace(hand, pieces=tuple(dark if kind in made.pieces else kind for kind in hand.pieces))

    return replace(scene, hands=tuple(swapped(hand) for hand in scene.hands))


def _moved(rng: np.random.Generator, pose: Pose, spread: float) -> Pose:
    return Pose(
        pose.x + float(rng.normal(0, spread)),
        pose.y + float(rng.normal(0, spread)),
        float(rng.uniform(0, 360)) if spread > 10 else pose.angle + float(rng.normal(0, 3)),
    )
