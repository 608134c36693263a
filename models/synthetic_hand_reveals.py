"""Synthetic reveals: rendered pictures of open hands with pieces over enrolled tables, with ground truth."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.camera.calibrate import calibrate
from calibration.games.wicked.art import corridor_face
from calibration.pieces.enrolment import enrol
from calibration.profile import TableProfile
from vision.cameras.frame import Image
from vision.cameras.simulated import Look, Renderer, rasterised
from vision.cameras.simulated.renderer import HandTruth
from vision.cameras.simulated.scene import BoardOnTable, CardOnTable, HandOnTable, PieceOnTable, Pose, Scene
from vision.cameras.simulated.table_surfaces import Ground
from vision.games.wicked.simulated_layout import ring_poses, seat_place
from vision.readings import Counts, Expectation

COLOURS = ("purple", "green", "red", "black", "yellow")
SEARCHES, SIGNS = tuple(f"search:{colour}" for colour in COLOURS), ("sign:witch", "sign:soul")
KINDS = (*SEARCHES, *SIGNS)
ONLY_SEARCH_KIND = SEARCHES[0]
"""Name of the search pieces where only one kind of them is enrolled."""
CORRIDORS = {3: 4, 4: 5, 5: 6}
"""Corridor cards by number of players."""
PIECES = {3: 6, 4: 7, 5: 8}
"""Search pieces of each player, by number of players."""
_ELEMENTS = ("red", "green", "blue", "yellow", "white", "promotion", "colour_change")


@dataclass(frozen=True, slots=True)
class SyntheticReveal:
    """A rendered reveal with its ground truth."""

    seed: int
    """Seed that the reveal was rendered with."""
    frames: tuple[Image, ...]
    """BGR pictures of one moment with different noise."""
    background: Image
    """BGR picture of the table without hands."""
    hands: tuple[HandTruth, ...]
    """Ground truth of each hand."""
    counts: tuple[Counts, ...]
    """Number of revealed pieces by kind, for each seat."""
    expectation: Expectation
    """What the rules allow the hands to contain."""


def card_faces(seed: int) -> dict[str, Image]:
    """Return the pictures (BGR) of six corridor cards with random elements, by id: `R0` to `R5`."""
    rng = np.random.default_rng([seed, 0xFACE])
    drawings = {}
    for number in range(6):
        upper, lower = rng.choice(_ELEMENTS, 1), rng.choice(_ELEMENTS, int(rng.integers(1, 3)))
        drawings[f"R{number}"] = corridor_face(f"R{number}", [str(e) for e in upper], [str(e) for e in lower])
    return rasterised(drawings)


class SyntheticTable:
    """A synthetic table with a renderer, and a profile enrolled from its rendered pictures."""

    def __init__(self, seed: int, ground: Ground | None = None) -> None:
        """Create the table and enrol its pieces.

        seed: of light, camera and cards. ground: table top; None: one plain colour.
        """
        self.seed = seed
        rng = np.random.default_rng([seed, 0x7AB1E])
        self.renderer = Renderer(replace(Look.from_seed(seed), ground=ground), card_faces(seed))
        self.profile = self._enrolled_profile(rng)

    def _enrolled_profile(self, rng: np.random.Generator) -> TableProfile:
        """Return a profile that is calibrated and has all `KINDS` enrolled from rendered pictures."""
        sheet = self.renderer.render(Scene(4, tile=False, sheet=True), 1)
        profile = TableProfile(seats=4).calibrated(calibrate(sheet, 4))
        for number, kind in enumerate(KINDS):
            spots = [(x, y) for x in (-60.0, -20.0, 20.0, 60.0) for y in (-36.0, 0.0, 36.0)]
            chosen = rng.permutation(len(spots))[: int(rng.integers(4, 9))]
            lying = tuple(
                PieceOnTable(
                    kind,
                    Pose(
                        spots[i][0] + float(rng.uniform(-6, 6)),
                        spots[i][1] + float(rng.uniform(-6, 6)),
                        float(rng.uniform(0, 360)),
                    ),
                )
                for i in chosen
            )
            picture = self.renderer.render(Scene(4, tile=False, pieces=lying), 10 + number)
            profile = enrol(profile, kind, [picture])
        return profile

    def reveal(self, seed: int, frames: int = 1, game_like: bool = True) -> SyntheticReveal:
        """Render a moment at this table in which all players open their hands, and return it with ground truth.

        seed: of players, contents of hands and noise. frames: number of pictures, with different noise. game_like:
        whether numbers of pieces are as frequent as in games; otherwise all are equally frequent, and some hands
        are closed.
        """
        rng = np.random.default_rng([seed, 0x5407])
        seats = int(rng.integers(3, 6))
        colours = [COLOURS[i] for i in rng.permutation(5)[:seats]]
        dressed = bool(rng.random() < 0.5)
        most = PIECES[seats]
        last = game_like and rng.random() < 1 / CORRIDORS[seats]
        hands, counts, limits = [], [], []
        for seat in range(seats):
            if game_like:
                held, count = _random_game_counts(rng, most, CORRIDORS[seats], last)
            else:
                count = min(int(rng.integers(0, 9)), most)
                held = int(rng.integers(count, most + 1))
            held_signs = [f"sign:{sign}" for sign in ("witch", "soul") if rng.random() < 0.6]
            signs = [sign for sign in held_signs if last or rng.random() < 0.3]
            closed = not game_like and rng.random() < 0.1
            pieces = (f"search:{colours[seat]}",) * count + tuple(signs)
            hands.append(HandOnTable(seat, 1.0, 0.0 if closed else 1.0, pieces, int(rng.integers(0, 100_000))))
            counts.append({} if closed else {kind: pieces.count(kind) for kind in dict.fromkeys(pieces)})
            limit = {f"search:{colours[seat]}": held} | dict.fromkeys(held_signs, 1)
            limits.append({kind: n for kind, n in limit.items() if n})
        still = still_scene(rng, seats, colours, dressed)
        scene = Scene(seats, cards=still.cards, boards=still.boards, pieces=still.pieces, hands=tuple(hands))
        shots = [self.renderer.render_with_truth(scene, 100 + seed * 7 + k) for k in range(frames)]
        return SyntheticReveal(
            seed,
            tuple(image for image, _ in shots),
            self.renderer.render(still, 99 + seed * 7),
            shots[0][1].hands,
            tuple(counts),
            Expectation(seats, tuple(limits), last),
        )


def _random_game_counts(rng: np.random.Generator, most: int, corridors: int, last: bool) -> tuple[int, int]:
    """Return how many search pieces a player still holds at a random corridor, and how many are revealed there.

    most: number of pieces at the start of the round. corridors: number of corridors. last: whether it is the last
    corridor, where all pieces left are revealed.
    """
    held = most
    for _ in range(corridors - 1 if last else int(rng.integers(0, corridors - 1))):
        held -= _random_revealed_count(rng, held)
    return held, held if last else _random_revealed_count(rng, held)


def _random_revealed_count(rng: np.random.Generator, held: int) -> int:
    """Return how many of the held pieces a player reveals: mostly up to four, sometimes more."""
    return int(rng.integers(0, (held if rng.random() < 0.15 else min(held, 4)) + 1))


def still_scene(rng: np.random.Generator, seats: int, colours: list[str], dressed: bool) -> Scene:
    """Return a random scene of a table without hands.

    colours: of the boards, by seat. dressed: whether cards, boards and tokens lie on the table, as during a game.
    """
    if not dressed:
        return Scene(seats)
    cards = tuple(
        CardOnTable(pose, None if rng.random() < 0.4 else f"R{slot}")
        for slot, pose in enumerate(ring_poses(CORRIDORS[seats]))
    )
    boards, pieces = [], []
    for seat in range(seats):
        place = seat_place(seats, seat)
        boards.append(BoardOnTable(colours[seat], place.board))
        for _ in range(int(rng.integers(0, 7))):
            colour = str(rng.choice(("red", "green", "blue", "yellow")))
            x, y = place.board.x + float(rng.uniform(-70, 70)), place.board.y + float(rng.uniform(-45, 45))
            pieces.append(PieceOnTable(f"token:{colour}", Pose(x, y, float(rng.uniform(0, 360)))))
        for back, poses in (("great", place.great), ("small", place.small)):
            cards += tuple(CardOnTable(pose, None, back) for pose in poses)
    return Scene(seats, cards=cards, boards=tuple(boards), pieces=tuple(pieces))
