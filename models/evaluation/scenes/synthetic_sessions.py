"""Synthetic held-out sessions: a simulated table with its camera and pieces, and moments of random games on it.

A session can be written as a picture set (`models.evaluation.scenes.picture_sets`), as if photographed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.adapters.wicked.bots.card_faces import card_faces
from companion.games.wicked import apply, new_game
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.components import COLOURS, PLAYER_COLOURS, ROUNDS
from companion.games.wicked.components import CORRIDORS as RING
from companion.games.wicked.moves import Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import WickedState
from models.evaluation.scenes import held_out_parameters
from models.synthetic_hand_reveals import SIGNS
from vision.cameras.frame import Image
from vision.cameras.simulated import Renderer
from vision.cameras.simulated.renderer import Truth
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.cameras.simulated.table_surfaces import Ground
from vision.games.wicked.simulated_layout import ring_poses, seat_place

FRAMES = 5
"""Number of frames per moment."""
SCENES = 5
"""Number of moments per session: in the last but one, some hands are fists; in the last, there are no hands."""
_JPEG_QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 92]
"""JPEG quality of frames, in the form of `cv2.imencode`."""
_SPECIMEN_RANGE = (4, 8)
"""Smallest and largest number of specimens per picture."""
KINDS = (*(f"search:{colour}" for colour in PLAYER_COLOURS), *SIGNS)
"""Kinds of pieces that hands can hold: search pieces by colour, and signs."""


@dataclass(frozen=True, slots=True)
class SessionMoment:
    """A random game just before a reveal, and what the table shows at that moment."""

    state: WickedState
    """Game state before the reveal."""
    scene: Scene
    """Objects on the table and all hands."""
    shown: Reveal | None
    """Contents of all hands; None unless every player shows an open hand."""


class SyntheticSession:
    """Held-out synthetic session, determined by its seed.

    ground: table top; None: plain wood, felt or stone. top: picture (BGR, 1 px/mm) to use as table top instead.
    """

    def __init__(self, seed: int, ground: Ground | None = None, top: Image | None = None) -> None:
        made = held_out_parameters.random_pieces(seed)
        self.seed = seed
        self.look = held_out_parameters.look(seed, ground)
        self.renderer = Renderer(self.look, {**card_faces(STANDIN), **made.faces}, made.solids, top)

    def write(self, folder: Path, numbers: Sequence[int] = range(SCENES)) -> None:
        """Render the session and write it into a new folder as a picture set. numbers: of its moments."""
        (folder / "enrol").mkdir(parents=True)
        (folder / "scenes").mkdir()
        rng = np.random.default_rng([self.seed, 0xE4])
        _save(folder / "calibration.jpg", self.renderer.render(Scene(4, tile=False, sheet=True), 1))
        _save(folder / "empty.jpg", self.renderer.render(Scene(4, tile=False), 2))
        pointed: dict[str, list[tuple[float, float]]] = {}
        for number, kind in enumerate(KINDS):
            name = kind.replace(":", "-")
            image, truth = self.renderer.render_with_truth(specimens(kind, rng), 10 + number)
            _save(folder / "enrol" / f"{name}.jpg", image)
            boxes = [piece.box for piece in truth.pieces]
            pointed[kind] = [(round(x + width / 2, 1), round(y + height / 2, 1)) for x, y, width, height in boxes]
        scenes = {}
        for number in numbers:
            scene = self.moment(number).scene
            image, truth = self.renderer.render_with_truth(scene, self._noise(number))
            _save(folder / "scenes" / f"{number}.jpg", image)
            scenes[str(number)] = {
                "file": f"scenes/{number}.jpg",
                "n": scene.seats,
                "hands": hands_of(scene, truth),
            }
        content = {"set": f"held-out {self.seed}", "scenes": scenes, "specimens": pointed}
        (folder / "truth.json").write_text(json.dumps(content), "utf-8")

    def moment(self, number: int) -> SessionMoment:
        """Return a moment of the session; equal numbers give equal moments.

        number: from 0; its remainder by SCENES decides whether there are fists or no hands.
        """
        rng = np.random.default_rng([self.seed, number, 0x303E])
        state = _random_game(random.Random(f"evening {self.seed} {number}"))
        still = _scene_without_hands(state, rng, complete=bool(rng.random() < 0.7))
        if number % SCENES == SCENES - 1:
            return SessionMoment(state, still, None)
        shown = random_move(state, random.Random(f"reveal {self.seed} {number}"))
        if not isinstance(shown, Reveal):
            raise TypeError("A searched corridor is answered by a reveal.")
        fists = number % SCENES == SCENES - 2
        hands = []
        for seat, (player, hand) in enumerate(zip(state.players, shown.hands, strict=True)):
            kinds = [f"search:{player.colour}"] * hand.search
            kinds += ["sign:witch"] * hand.witch + ["sign:soul"] * hand.soul
            closed = fists and (rng.random() < 0.4 or seat == number % len(state.players))
            # Each player's hand is the same in all moments; its pose and contents change.
            look = int(rng.integers(1000)) * 1000 + self.seed % 1000
            hands.append(HandOnTable(seat, 1.0, 0.0 if closed else 1.0, tuple(kinds), look))
        return SessionMoment(state, replace(still, hands=tuple(hands)), None if fists else shown)

    def frames(self, number: int) -> tuple[tuple[Image, ...], Image]:
        """Return five frames (BGR) of a moment in which the hands move, and one frame of the table without hands.

        number: of the moment.
        """
        scene = self.moment(number).scene
        rng = np.random.default_rng([self.seed, number, 0xF4A3])
        shots = []
        for frame in range(FRAMES):
            hands = tuple(replace(hand, drift=_random_drift(rng) if frame else hand.drift) for hand in scene.hands)
            shots.append(as_sent(self.renderer.render(replace(scene, hands=hands), self._noise(number) + frame)))
        return tuple(shots), as_sent(self.renderer.render(replace(scene, hands=()), self._noise(number) + FRAMES))

    def _noise(self, number: int) -> int:
        """Return the noise seed of a moment's first frame."""
        return 100 + 10 * number


def hands_of(scene: Scene, truth: Truth) -> list[Mapping[str, Any]]:
    """Return the hands of a rendered scene in the form of truth.json, including fully hidden pieces.

    truth: what the renderer returned for the scene.
    """
    held = {hand.seat: list(hand.pieces) for hand in scene.hands}
    rows: list[Mapping[str, Any]] = []
    for hand in truth.hands:
        pieces = [(piece.kind, round(piece.visible, 3)) for piece in hand.pieces]
        hidden = list(held[hand.seat]) if hand.state == "open" else []
        for kind, _ in pieces:
            hidden.remove(kind)
        pieces += [(kind, 0.0) for kind in hidden]
        visible_pieces = [{"kind": kind, "visible_fraction": visible} for kind, visible in pieces]
        left, top, width, height = hand.box
        corners = [left, top, left + width, top + height]
        rows.append({"seat": hand.seat, "state": hand.state, "bbox": corners, "pieces": visible_pieces})
    return rows


def _random_game(rng: random.Random) -> WickedState:
    """Return the state of a random game before one of its reveals."""
    seats = rng.randrange(3, 6)
    state = new_game(tuple(rng.sample(PLAYER_COLOURS, seats)), STANDIN)
    left = rng.randrange(ROUNDS * RING[seats])
    while state.phase != "search" or left > 0:
        left -= state.phase == "search"
        state = apply(state, random_move(state, rng))
    return state


def _scene_without_hands(state: WickedState, rng: np.random.Generator, *, complete: bool) -> Scene:
    """Return the table in a game state, without hands.

    complete: with personal boards, oracle cards and random loose pieces, not only the ring of corridor cards.
    """
    seats = len(state.players)
    cards = [
        CardOnTable(pose, None if slot < state.corridor else card)
        for slot, (pose, card) in enumerate(zip(ring_poses(len(state.corridors)), state.corridors, strict=True))
    ]
    boards, pieces = [], []
    for seat, player in enumerate(state.players if complete else ()):
        place = seat_place(seats, seat)
        boards.append(BoardOnTable(player.colour, place.board))
        for ids, poses, back in ((player.great, place.great, "great"), (player.small, place.small, "small")):
            cards += [CardOnTable(pose, id, back) for pose, id in zip(poses, ids, strict=False)]
        for _ in range(int(rng.integers(0, 8))):
            kind = f"token:{COLOURS[int(rng.integers(4))]}"
            pieces.append(PieceOnTable(kind, _random_pose_near(place.board, rng, 65, 40)))
        for _ in range(int(rng.integers(0, 5))):
            pieces.append(PieceOnTable(f"search:{player.colour}", _random_pose_near(place.revealed, rng, 40, 14)))
    return Scene(seats, cards=tuple(cards), boards=tuple(boards), pieces=tuple(pieces))


def _random_pose_near(pose: Pose, rng: np.random.Generator, across: float, along: float) -> Pose:
    """Return a pose near another, in any orientation.

    It is at most `across` mm to the sides of the other, and at most `along` mm ahead of it or behind it.
    """
    turn = np.radians(pose.angle)
    right, up = float(rng.uniform(-across, across)), float(rng.uniform(-along, along))
    x = pose.x + right * float(np.cos(turn)) + up * float(np.sin(turn))
    y = pose.y - right * float(np.sin(turn)) + up * float(np.cos(turn))
    return Pose(x, y, float(rng.uniform(0, 360)))


def specimens(kind: str, rng: np.random.Generator) -> Scene:
    """Return a random scene for enrolment: four to eight separate pieces of one kind in the middle of the table."""
    spots = [(x, y) for x in (-75.0, -25.0, 25.0, 75.0) for y in (-45.0, 0.0, 45.0)]
    chosen = rng.permutation(len(spots))[: int(rng.integers(_SPECIMEN_RANGE[0], _SPECIMEN_RANGE[1] + 1))]
    lying = tuple(
        PieceOnTable(
            kind,
            Pose(
                spots[i][0] + float(rng.uniform(-9, 9)),
                spots[i][1] + float(rng.uniform(-8, 8)),
                float(rng.uniform(0, 360)),
            ),
        )
        for i in chosen
    )
    return Scene(4, tile=False, pieces=lying)


def _random_drift(rng: np.random.Generator) -> tuple[float, float, float]:
    """Return a random small motion of a hand: to the right and ahead, mm, and turn, degrees."""
    return float(rng.normal(0, 1.5)), float(rng.normal(0, 1.5)), float(rng.normal(0, 0.8))


def as_sent(image: Image) -> Image:
    """Return a copy of a picture after JPEG compression at a webcam's quality."""
    coded = cv2.imencode(".jpg", image, _JPEG_QUALITY)[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)


def _save(path: Path, image: Image) -> None:
    path.write_bytes(cv2.imencode(".jpg", image, _JPEG_QUALITY)[1].tobytes())
