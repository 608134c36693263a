"""A table with a small profile, and pictures of the simulated camera to enrol more from."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from calibration.camera.calibrate import calibrate
from calibration.cards.deck import CARD_MM, REFERENCE_PX_PER_MM, EnrolledCard, EnrolledDeck, as_reference
from calibration.games.wicked import art
from calibration.pieces import enrolment as pieces
from calibration.profile import TableProfile
from companion.director.setup_scenes import sheet_scene, specimens_scene
from companion.games.wicked.standin_deck import STANDIN
from companion.table import FrameReader, SavedGames, Table
from companion.table.enrolment.camera_choice import Cameras
from companion.table.enrolment.service import EnrolmentService
from companion.table.reading.readers_from_profile import readers_for
from vision.cameras.frame import Frame
from vision.cameras.grabber import GrabStatus
from vision.cameras.simulated import Look, Renderer
from vision.cameras.simulated.scene import Scene

SEATS = 4


@cache
def renderer() -> Renderer:
    return Renderer(Look(), {})


@cache
def little_profile() -> TableProfile:
    """Where the table is, one kind of pieces and one card: enough to read with."""
    profile = TableProfile(SEATS).calibrated(calibrate(renderer().render(sheet_scene(), 0), SEATS))
    profile = pieces.enrol(profile, "search:green", [renderer().render(specimens_scene("search:green", 0), 0)])
    card = STANDIN.corridors[0]
    face = art.rasterise(art.corridor_face(card.id, card.upper, card.lower), REFERENCE_PX_PER_MM)
    known = EnrolledCard(
        card.id, "corridor", as_reference(face, CARD_MM), {"upper": tuple(card.upper), "lower": tuple(card.lower)}
    )
    return TableProfile(
        SEATS,
        profile.plane,
        profile.findings,
        profile.table_light,
        profile.views,
        profile.pieces,
        EnrolledDeck("little deck", {card.id: known}),
    )


@cache
def enrolled_profile(kinds: tuple[str, ...]) -> TableProfile:
    """The little profile with these kinds of pieces."""
    profile = little_profile()
    for kind in kinds:
        profile = pieces.enrol(profile, kind, [renderer().render(specimens_scene(kind, n), n) for n in range(2)])
    return profile


@dataclass
class EnrolmentTable:
    """A table without a camera: `see` renders its pictures, and its enrolment service saves to `profile`."""

    folder: Path
    initial_profile: TableProfile | None = None
    clock: Callable[[], float] = time.monotonic
    draws: Callable[[], Renderer] = renderer
    cameras: Callable[[Path], Cameras] | None = None
    table: Table = field(init=False)
    enrolment: EnrolmentService = field(init=False)
    shown: int = 0

    def __post_init__(self) -> None:
        self.table = Table(SavedGames(self.folder / "games"), STANDIN, clock=self.clock)
        self.profile = self.folder / "profile"
        if self.initial_profile is not None:
            self.initial_profile.save(self.profile)
            if self.initial_profile.deck is not None:
                self.table.set_reader(FrameReader(readers_for(self.initial_profile)))
        self.enrolment = self.table.enrolment = EnrolmentService(
            self.table, self.profile, readers_for, self.cameras(self.profile) if self.cameras else None
        )

    def see(self, scene: Scene) -> None:
        self.shown += 1
        self.table.update_camera_status(GrabStatus("running", frames=self.shown))
        self.table.process_frame(Frame(self.draws().render(scene, self.shown), self.shown, self.clock()))
