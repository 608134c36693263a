"""Teaches a running table from its own pictures: where it lies, what its pieces and its cards look like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Literal

from calibration.errors import EnrolError, SheetError
from calibration.games.wicked.deck import deck_from_art
from calibration.pieces.enrolment import with_empty_table
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.sharing import read_profile
from calibration.wording import say
from companion.games.wicked.components import CORRIDORS, PlayerColour
from companion.games.wicked.standin_deck import STANDIN
from companion.table.enrolment.auto_capture import AutoCapture
from companion.table.enrolment.base_service import TaughtTable, plainly
from companion.table.enrolment.board_service import TeachesBoards
from companion.table.enrolment.boards import BoardStep
from companion.table.enrolment.box_check import BoxCheck
from companion.table.enrolment.cameras import Cameras, CamerasView
from companion.table.enrolment.cards import (
    CardContent,
    CardStep,
    as_png,
    card_step,
    with_corrected_card,
    without_card,
)
from companion.table.enrolment.drafts import DraftView, KeptView, WatchView
from companion.table.enrolment.steps import (
    KeepOptions,
    PiecesStep,
    SheetStep,
    corners_step,
    for_screens,
    pieces_step,
    sheet_step,
)
from companion.table.pictures.overlay import jpeg
from companion.table.reading.frame_reader import Readers
from companion.table.views import Refused
from vision.cameras.turned import Turn

_WIDEST = 1920
_NO_PIECES = "Nothing is found in the middle. Lay some there, apart from each other, and take your hands away."

CaptureTarget = Literal["sheet", "lens", "empty", "pieces", "card"]


class EnrolmentService(TeachesBoards):
    """Shows what it found, and keeps it in the profile once somebody has said that it is right.

    The game is not touched. There is one draft at a time, the newest; commands for an older one are refused. Every
    command raises `Refused` with one plain line, and then nothing has changed. cameras: the choice of camera, None
    where there is none, as on the simulated table. Callable from any thread.
    """

    def __init__(
        self,
        table: TaughtTable,
        profile: str | Path,
        readers: Callable[[TableProfile], Readers],
        cameras: Cameras | None = None,
    ) -> None:
        super().__init__(table, profile, readers, cameras)
        self._box = BoxCheck()

    # The camera

    def choose_camera(self, name: str) -> KeptView:
        """Look with another camera of those that `Cameras.view` offers."""
        with self._lock, plainly():
            self._chosen().choose(name)
            return self._with_camera()

    def turn_picture(self, turn: Turn) -> KeptView:
        """Put the camera's picture right in another way."""
        with self._lock, plainly():
            self._chosen().turn(turn)
            return self._with_camera()

    def correct_picture(self) -> KeptView:
        """Turn or mirror a picture that is not as the table was found, so that it can be read again at once."""
        with self._lock, plainly():
            turn, plane = self._table.view.camera.correction, self._saved.load().plane
            if turn is None or plane is None:
                raise Refused("not_now", say("The picture is the right way round already."))
            self._chosen().correct(turn, plane)
            return self._with_camera()

    def lens_changed(self) -> None:
        """Stop reading where the phone looks through another lens than the table was found through, else go on."""
        with self._lock, suppress(Refused), plainly():
            profile = self._saved.load()
            if self._cameras is None or profile.plane is None:
                return
            if wrong := self._cameras.wrong_lens(profile.plane):
                self._table.equip(None, wrong)
            elif self._table.plane is None:
                self._read_with(profile)

    def seen_cameras(self) -> CamerasView:
        """Tell which cameras there are."""
        return self._chosen().view()

    # The table's place

    def look(self) -> DraftView:
        """Take a picture to show the sheet's corners in."""
        with self._lock:
            return self._begin(None, self._picture())

    def find_sheet(self) -> DraftView:
        """Take a picture and find the printed sheet in it."""
        with self._lock, plainly():
            image = self._picture()
            return self._begin(sheet_step(image, self._fitting()), image)

    def fit_corners(self, draft: str, corners: Sequence[tuple[float, float]]) -> DraftView:
        """Find the table by the sheet's four corners in the draft's picture, px."""
        with self._lock, plainly():
            image = self._at(draft).image
            return self._go_on(corners_step(image, self._fitting(), corners))

    # Watching, so that the camera shoots by itself

    def watch(self, what: CaptureTarget, kind: str = "", draft: str = "") -> WatchView:
        """Look at the newest picture, and take it by itself once it rests; to be asked a few times a second.

        what: the sheet (it is only shown where it lies), "lens" (one more picture of the sheet for the draft),
        "empty" (the bare table, kept at once), "pieces" of a kind, or a "card" (kind: what it is, with
        "back:corridor" for a back).
        """
        with self._lock, plainly():
            image = self._picture()
            now = self._shutter.feed(image)
            height, width = image.shape[:2]
            sight = self._shutter.sight
            state: Literal["moving", "hands", "still"] = "still" if sight.still else "moving"
            seen = WatchView("hands" if sight.hands else state, (width, height))
            if what == "sheet":
                return self._watched_sheet(image, seen)
            if not now:
                return seen
            try:
                if what == "empty":
                    return replace(seen, state="taken", kept=self._keep(with_empty_table(self._found(), image)))
                return replace(seen, state="taken", draft=self._shot(what, kind, draft, image))
            except (SheetError, EnrolError) as error:
                return replace(seen, line=for_screens(str(error)))

    def _watched_sheet(self, image: Image, seen: WatchView) -> WatchView:
        try:
            return replace(seen, sheet=sheet_step(image, self._fitting()).view)
        except SheetError as error:
            return replace(seen, line=for_screens(str(error)))

    def _shot(self, what: CaptureTarget, kind: str, draft: str, image: Image) -> DraftView:
        if what == "lens":
            return self._go_on(self._with_more(draft, image))
        if what == "card":
            return self._begin(card_step(image, self._found(), kind), image)
        lesson = pieces_step(image, self._found(), kind)
        if not lesson.finds:
            raise EnrolError(_NO_PIECES)
        return self._begin(lesson, image)

    def _with_more(self, draft: str, image: Image) -> SheetStep:
        lesson = self._at(draft).lesson
        if not isinstance(lesson, SheetStep):
            raise Refused("bad_request", say("Let the sheet be found first, then measure the lens."))
        return lesson.with_more(image)

    def keep_empty_table(self) -> KeptView:
        """Keep the newest picture as the bare table: what lies there later stands out from it."""
        with self._lock, plainly():
            return self._keep(with_empty_table(self._found(), self._picture()))

    # Pieces

    def find_pieces(self, kind: str) -> DraftView:
        """Take a picture and find the pieces of one kind in it, none perhaps."""
        with self._lock, plainly():
            image = self._picture()
            return self._begin(pieces_step(image, self._found(), kind), image)

    def point_at(self, draft: str, spots: Sequence[tuple[float, float]]) -> DraftView:
        """Show where more pieces lie in the draft's picture, px."""
        with self._lock, plainly():
            lesson = self._at(draft).lesson
            if not isinstance(lesson, PiecesStep):
                raise Refused("bad_request", say("No pieces are being looked at. Choose a kind first."))
            return self._go_on(lesson.pointed_at(spots))

    def check_box(self, colours: Sequence[PlayerColour]) -> DraftView:
        """Take a picture and count what players of these colours, in seat order, need before a game."""
        if len(colours) not in CORRIDORS or len(set(colours)) < len(colours):
            raise Refused("bad_request", say("The game is for 3 to 5 players, each with a colour of their own."))
        with self._lock, plainly():
            image, profile = self._picture(), self._found()
            return self._begin(None, image, self._box.check(image, profile, colours))

    # Cards

    def find_card(self, kind: str) -> DraftView:
        """Take a picture and cut the one card out of it that lies in the middle; kind as in `watch`."""
        with self._lock, plainly():
            image = self._picture()
            return self._begin(card_step(image, self._found(), kind), image)

    def keep_card(self, draft: str, card: CardContent, *, force: bool = False) -> KeptView:
        """Keep the card of a draft as this one. force: also where it looks like a known one."""
        with self._lock, plainly():
            lesson = self._at(draft).lesson
            if not isinstance(lesson, CardStep):
                raise Refused("bad_request", say("No card is being looked at. Lay one in the middle first."))
            return self._keep(lesson.kept_in(self._load(), card, force=force))

    def correct_card(self, card: CardContent) -> KeptView:
        """Say that a known card is something else; its picture stays."""
        with self._lock, plainly():
            return self._keep(with_corrected_card(self._load(), card))

    def forget_card(self, card_id: str) -> KeptView:
        """Let a known card go."""
        with self._lock, plainly():
            return self._keep(without_card(self._load(), card_id))

    def take_standin(self) -> KeptView:
        """Take the printed stand-in cards for the deck, all at once."""
        with self._lock, plainly():
            return self._keep(replace(self._load(), deck=deck_from_art(STANDIN)))

    def take_deck(self, file: Path) -> KeptView:
        """Take the deck of a shared file, as `companion profile export` writes it, instead of the one known."""
        with self._lock, plainly():
            shared = read_profile(file)
            if shared.deck is None or not shared.deck.cards:
                raise Refused("bad_request", say("There are no cards in that file. Ask for one with a deck in it."))
            return self._keep(replace(self._load(), deck=shared.deck))

    def card_picture(self, card_id: str) -> bytes | None:
        """Give the picture of a known card as PNG, None where there is none."""
        with self._lock, plainly():
            deck = self._load().deck
            card = None if deck is None else deck.cards.get(card_id)
            return None if card is None else as_png(card.picture)

    # Drafts

    def keep(self, draft: str, wish: KeepOptions) -> KeptView:
        """Keep what was found, and read with it from now on."""
        with self._lock, plainly():
            lesson = self._at(draft).lesson
            if lesson is None or isinstance(lesson, (CardStep, BoardStep)):
                raise Refused("not_now", say("Nothing was found in that picture yet, so there is nothing to keep."))
            before = self._fitting() if isinstance(lesson, SheetStep) else self._load()
            return self._keep(lesson.kept_in(before, wish), seen=True)

    def picture(self, draft: str) -> bytes | None:
        """Give the draft's picture as JPEG, None where it is gone."""
        with self._lock:
            image = self._draft.image if self._draft is not None and self._draft.id == draft else None
        return None if image is None else jpeg(image, width=_WIDEST, quality=90)

    def cut_out(self, draft: str) -> bytes | None:
        """Give the card that was cut out of a draft's picture as PNG, None where there is none."""
        with self._lock:
            lesson = self._draft.lesson if self._draft is not None and self._draft.id == draft else None
        return as_png(lesson.picture) if isinstance(lesson, CardStep) else None

    def forget(self) -> None:
        """Let the draft go."""
        with self._lock:
            self._draft = None

    # Inside, under the lock

    def _chosen(self) -> Cameras:
        if self._cameras is None:
            raise Refused(
                "not_now", say("The simulated table has a camera of its own, and no other can look at it.")
            )
        return self._cameras

    def _with_camera(self) -> KeptView:
        self._draft, self._shutter = None, AutoCapture()
        # What was read with belongs to the camera's picture as it was.
        self._table.equip(None)
        profile = self._load()
        return KeptView(self._known(profile), self._read_with(profile))
