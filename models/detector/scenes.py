"""Synthetic sessions: pictures of the simulated table with random camera, light, table top, people and pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.detector.random_pieces import PieceSet, random_emblem, random_paint, random_piece_set
from models.evaluation.scenes.held_out_parameters import FIRST_TRAINING_SEED, TRAINING_GROUNDS
from models.synthetic_hand_reveals import CORRIDORS, card_faces
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.appearance import Cast
from vision.cameras.simulated.camera_projection import CameraProjection
from vision.cameras.simulated.hands.relighting import Relief
from vision.cameras.simulated.renderer import Truth
from vision.cameras.simulated.scene import (
    BoardOnTable,
    CardOnTable,
    HandOnTable,
    PieceOnTable,
    Pose,
    Scene,
)
from vision.cameras.simulated.table_surfaces import Ground, draw
from vision.games.wicked.simulated_layout import ring_poses, seat_place
from vision.hands.palm_height_scale import PALM_HEIGHT_MM

FIRST_SEED = FIRST_TRAINING_SEED
"""Smallest seed of training sessions; evaluation uses smaller ones."""
SCENES_A_SESSION = 5
"""Scenes per session."""
GROUNDS_A_SCENE = 3
"""Number of grounds and lights per scene: a ground renders faster than hands and pieces."""
_CROWDED = 0.3
"""Fraction of sessions with many distracting objects and fists."""
_BARE = 0.07
"""Fraction of scenes without hands."""
_BACKS = ("corridor", "great", "small")
_BOARD_COLOURS = ("purple", "green", "red", "black", "yellow")


@dataclass(frozen=True, slots=True)
class SyntheticPicture:
    """A synthetic picture with its ground truth."""

    image: Image
    """BGR picture."""
    truth: Truth
    """Ground truth of the hands and objects."""
    px_per_mm: float
    """Scale at palm height, in the middle of the picture."""
    scales: tuple[float, ...]
    """Scale at palm height at each hand of the truth, px/mm."""


def session_look(seed: int, cast: Cast = "many") -> Look:
    """Return the random look of a session: camera, light, table top, and people's hands.

    The camera is 0.7 to 1.3 m away, tilted by up to 40°, with a field of view of 55° to 85°. seed: of the session.
    cast: catalogue from which the hands are taken.
    """
    rng = np.random.default_rng([seed, 0xD7])
    away = float(rng.uniform(700, 1300))
    half_width = float(rng.uniform(520, 830))
    share = rng.random()
    tilt = float(rng.uniform(0, 10) if share < 0.4 else rng.uniform(5, 27) if share < 0.75 else rng.uniform(20, 40))
    harsh = rng.random() < 0.35
    return replace(
        with_random_light(Look.from_seed(seed), rng),
        hfov=float(np.clip(np.degrees(2 * np.arctan(half_width / away)), 55, 85)),
        # Steep views are taken from farther away, so that hands have a usable size in the picture.
        height=away * float(np.cos(np.radians(tilt * 0.6))),
        tilt=tilt,
        yaw=float(rng.uniform(-8, 8)),
        aim=(float(rng.uniform(-70, 70)), float(rng.uniform(-70, 50))),
        k1=float(rng.uniform(-0.09, 0.02)),
        light_elevation=float(rng.uniform(24, 80)),
        ambient=float(rng.uniform(0.2, 0.45) if harsh else rng.uniform(0.4, 0.8)),
        softness=float(rng.uniform(3, 16)),
        gloss=float(rng.uniform(0.1, 0.7)) if rng.random() < 0.5 else 0.0,
        noise=float(rng.uniform(0.8, 6.0)),
        blur=float(rng.uniform(0.3, 0.85)),
        relief=Relief.random(rng) if rng.random() < 0.8 else None,
        heap=float(np.exp(rng.uniform(-0.6, 0.25))),
        ground=training_ground(rng),
        varied_people=bool(rng.random() < 0.75),
        cast=cast,
    )


def with_random_light(look: Look, rng: np.random.Generator) -> Look:
    """Return a copy of a look in random light: cold, warm or mixed, exposure 0.5 to 1.5, rarely flickering."""
    return replace(
        look,
        tint=_tint(rng),
        second_tint=_tint(rng) if rng.random() < 0.25 else None,
        exposure=float(np.exp(rng.uniform(np.log(0.5), np.log(1.5)))),
        falloff=float(rng.uniform(0.05, 0.55)),
        vignette=float(rng.uniform(0.02, 0.4)),
        flicker=float(rng.uniform(0.02, 0.15)) if rng.random() < 0.15 else 0.0,
        flicker_bands=float(rng.uniform(0.5, 4)),
    )


def _tint(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return a random colour of light as BGR gains: blue 0.6 to 1.45, red 0.8 to 1.25, seldom beyond."""
    warm = float(np.clip(rng.normal(0.0, 0.14), -0.36, 0.34))
    gains = np.array([1 - 1.15 * warm, 1 - 0.2 * warm, 1 + 0.5 * warm]) * rng.uniform(0.94, 1.06, 3)
    if rng.random() < 0.15:
        gains *= np.exp(rng.normal(0, 0.16, 3))
    blue, green, red = (float(gain) for gain in np.clip(gains, 0.4, 1.6))
    return blue, green, red


def training_ground(rng: np.random.Generator) -> Ground:
    """Return a random table top of a kind and seed that evaluation does not use."""
    return Ground.from_seed(FIRST_TRAINING_SEED + int(rng.integers(1 << 40)), kinds=TRAINING_GROUNDS)


def session_pictures(seed: int, look: Look | None = None) -> Iterator[SyntheticPicture]:
    """Yield the pictures of one session with ground truth; the same arguments yield the same pictures.

    look: set-up of all pictures, table top and light included; None: a random one, and each scene is drawn on
    several table tops in several lights.
    """
    rng = np.random.default_rng([seed, 0xE7E])
    made = random_piece_set(rng)
    first = session_look(seed) if look is None else look
    crowded = rng.random() < _CROWDED
    boards = {
        f"board:{colour}": _plain_board_face(rng, small=bool(rng.random() < 0.5))
        if rng.random() < 0.5
        else _printed_board_face(rng)
        for colour in _BOARD_COLOURS
        if crowded or rng.random() < 0.5
    }
    renderer = Renderer(first, {**card_faces(seed), **boards, **made.faces}, made.solids)
    for number in range(SCENES_A_SESSION):
        scene = _crowded_scene(rng, made) if crowded and rng.random() < 0.7 else ordinary_scene(rng, made)
        scene = with_darkest_pieces(rng, scene, made)
        drifting = tuple(replace(hand, drift=_random_drift(rng)) for hand in scene.hands)
        scene = replace(scene, hands=() if rng.random() < _BARE else drifting)
        for variant in range(1 if look is not None else GROUNDS_A_SCENE):
            if variant or (look is None and number):
                renderer = renderer.with_table_top(draw(training_ground(rng)), with_random_light(first, rng))
            image, truth = renderer.render_with_truth(scene, number * GROUNDS_A_SCENE + variant)
            image = (
                with_tone_curve(image, int(rng.integers(1 << 30))) if look is None and rng.random() < 0.5 else image
            )
            at = [seat_place(scene.seats, hand.seat).hand for hand in truth.hands]
            scales = tuple(scale_at(renderer.view, pose.x, pose.y) for pose in at)
            yield SyntheticPicture(image, truth, scale_at(renderer.view, *first.aim), scales)


def _random_drift(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return random shifts of a hand along x and y (mm), and a random rotation (degrees)."""
    return float(rng.normal(0, 35)), float(rng.normal(0, 35)), float(rng.normal(0, 12))


def scale_at(view: CameraProjection, x: float, y: float) -> float:
    """Return the scale of a picture (px/mm) at palm height above the point (x, y) of the table (mm)."""
    ends = np.array([[x - 25, y, 0.0], [x + 25, y, 0.0], [x, y - 25, 0.0], [x, y + 25, 0.0]])
    left, right, near, far = view.project(ends + np.array([0, 0, PALM_HEIGHT_MM]))
    return float(np.hypot(*(right - left)) + np.hypot(*(far - near))) / 100


def with_tone_curve(image: Image, seed: int) -> Image:
    """Return a copy of a picture with random saturation and contrast, in which cameras differ."""
    rng = np.random.default_rng([seed, 0x70E])
    grey = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    strength, bend = float(rng.uniform(0.6, 1.3)), float(rng.uniform(-0.35, 0.35))
    coloured = cv2.addWeighted(image, strength, grey, 1 - strength, 0)
    x = np.arange(256) / 255
    curve = x + bend * np.sin(2 * np.pi * x) / (-2 * np.pi)
    return np.asarray(cv2.LUT(coloured, np.clip(curve * 255, 0, 255).astype(np.uint8)), np.uint8)


def _printed_board_face(rng: np.random.Generator) -> Image:
    """Return the face (BGRA) of a board with a random print."""
    face = np.repeat(np.repeat(random_emblem(rng, 60), 5, axis=0), 8, axis=1)
    grain = rng.normal(0, 9, (*face.shape[:2], 1))
    face[..., :3] = np.clip(face[..., :3] + grain, 0, 255).astype(np.uint8)
    return np.asarray(face, np.uint8)


def _plain_board_face(rng: np.random.Generator, *, small: bool = False) -> Image:
    """Return the face (BGRA) of a plain board, often in the colour of skin.

    small: as large as a hand; the rest of the face is transparent.
    """
    chance = rng.random()
    hsv = (int(rng.integers(4, 20)), int(rng.integers(50, 160)), int(rng.integers(70, 240)))
    colour = (
        cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0] if chance < 0.45 else random_paint(rng)
    )
    face = np.full((300, 480, 4), 255, np.uint8)
    shade = cv2.resize(rng.normal(1, 0.06, (5, 8)).astype(np.float32), (480, 300), interpolation=cv2.INTER_CUBIC)
    grain = shade + rng.normal(0, 0.03, shade.shape)
    face[..., :3] = np.clip(np.asarray(colour, np.float64) * grain[..., None], 0, 255).astype(np.uint8)
    if small:
        # Boards as large as a hand, some with rounded corners, cause the most false hands.
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


def _crowded_scene(rng: np.random.Generator, made: PieceSet) -> Scene:
    """Return a random scene full of boards, cards and pieces, with few hands. made: pieces of the game."""

    def anywhere() -> Pose:
        x, y = rng.uniform(-620, 620), rng.uniform(-360, 360)
        return Pose(float(x), float(y), float(rng.uniform(0, 360)))

    boards, loose = [], []
    for _ in range(int(rng.integers(2, 8))):
        place = anywhere()
        boards.append(BoardOnTable(str(rng.choice(_BOARD_COLOURS)), place))
        kinds = (*made.tokens, *made.pieces) if rng.random() < 0.4 else made.tokens
        loose += [
            PieceOnTable(str(rng.choice(kinds)), _randomly_moved(rng, place, 38))
            for _ in range(int(rng.integers(0, 8)))
        ]
    cards = [
        CardOnTable(anywhere(), None if rng.random() < 0.5 else f"R{rng.integers(6)}", str(rng.choice(_BACKS)))
        for _ in range(int(rng.integers(0, 9)))
    ]
    seats = int(rng.integers(3, 6))
    hands = []
    for seat in range(seats):
        if rng.random() < 0.55:
            hand = _random_hand(rng, seat, made)
            hands.append(replace(hand, openness=0.0, pieces=()) if rng.random() < 0.4 else hand)
    return Scene(
        seats,
        tile=bool(rng.random() < 0.5),
        cards=tuple(cards),
        boards=tuple(boards),
        pieces=tuple(loose),
        hands=tuple(hands),
    )


def ordinary_scene(rng: np.random.Generator, made: PieceSet) -> Scene:
    """Return a random scene with some hands over a bare table or over one with cards and boards as in a game.

    made: pieces of the game.
    """
    seats = int(rng.integers(3, 6))
    boards: list[BoardOnTable] = []
    cards: list[CardOnTable] = []
    loose: list[PieceOnTable] = []
    dressed = rng.random() < 0.75
    if dressed:
        cards += [
            CardOnTable(pose, None if rng.random() < 0.4 else f"R{slot}")
            for slot, pose in enumerate(ring_poses(CORRIDORS[seats]))
            if rng.random() < 0.9
        ]
    for seat in range(seats):
        place = seat_place(seats, seat)
        if dressed and rng.random() < 0.8:
            boards.append(BoardOnTable(str(rng.choice(_BOARD_COLOURS)), _randomly_moved(rng, place.board, 20)))
            for _ in range(int(rng.integers(0, 7))):
                spot = _randomly_moved(rng, place.board, 45)
                loose.append(PieceOnTable(str(rng.choice(made.tokens)), spot))
        if dressed and rng.random() < 0.6:
            for back, poses in (("great", place.great), ("small", place.small)):
                cards += [CardOnTable(_randomly_moved(rng, pose, 8), None, back) for pose in poses]
        if rng.random() < 0.35:
            kind = str(rng.choice(made.pieces))
            loose += [
                PieceOnTable(kind, _randomly_moved(rng, place.revealed, 25)) for _ in range(int(rng.integers(1, 6)))
            ]
        if rng.random() < 0.15:
            loose.append(PieceOnTable(str(rng.choice(made.signs)), _randomly_moved(rng, place.revealed, 25)))
    hands = [_random_hand(rng, seat, made) for seat in range(seats) if rng.random() < 0.9]
    return Scene(
        seats,
        tile=bool(rng.random() < 0.8),
        cards=tuple(cards),
        boards=tuple(boards),
        pieces=tuple(loose),
        hands=tuple(hands),
    )


def _random_hand(rng: np.random.Generator, seat: int, made: PieceSet) -> HandOnTable:
    """Return the hand of a seat with random pieces and signs, or a fist."""
    look = int(rng.integers(0, 1_000_000))
    if rng.random() < 0.13:
        return HandOnTable(seat, 1.0, 0.0, (), look)
    # Large heaps are hardest, so they are more frequent than in a game.
    count = int(rng.choice(10, p=(0.08, 0.07, 0.08, 0.11, 0.13, 0.13, 0.13, 0.12, 0.11, 0.04)))
    kind = str(rng.choice(made.pieces))
    kinds = [kind] * count
    if rng.random() < 0.12:
        kinds = [str(rng.choice(made.pieces)) for _ in kinds]
    kinds += [str(sign) for sign in made.signs if rng.random() < 0.13]
    return HandOnTable(seat, float(rng.choice([1.0, 0.93])), 1.0, tuple(kinds), look)


def with_darkest_pieces(rng: np.random.Generator, scene: Scene, made: PieceSet) -> Scene:
    """Return a scene where some hands hold dark search pieces instead, which are hardest to detect on dark skin."""

    def lightness(kind: str) -> int:
        return sum(made.solids[kind].paint)

    darkest = sorted(made.pieces, key=lightness)[:2]

    def swapped(hand: HandOnTable) -> HandOnTable:
        dark = str(rng.choice(darkest))
        if rng.random() < 0.75:
            return hand
        return replace(hand, pieces=tuple(dark if kind in made.pieces else kind for kind in hand.pieces))

    return replace(scene, hands=tuple(swapped(hand) for hand in scene.hands))


def _randomly_moved(rng: np.random.Generator, pose: Pose, spread: float) -> Pose:
    """Return a pose with a random displacement.

    spread: standard deviation, mm; above 10 the angle is random, otherwise it changes by a few degrees.
    """
    return Pose(
        pose.x + float(rng.normal(0, spread)),
        pose.y + float(rng.normal(0, spread)),
        float(rng.uniform(0, 360)) if spread > 10 else pose.angle + float(rng.normal(0, 3)),
    )
