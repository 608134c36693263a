"""Enrolment from a screen: commands that detect the sheet, pieces, cards and boards in the camera's pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from calibration.boards.enrolled_board import Point
from calibration.errors import EnrolError, SheetError
from calibration.games import GAMES
from calibration.plane import Image
from calibration.profile import TableProfile
from calibration.profile_sharing import read_profile
from calibration.seats import Seating
from calibration.translatable import say
from companion.adapters import adapter
from companion.table.enrolment.auto_capture import AutoCapture
from companion.table.enrolment.boards import (
    BoardShape,
    BoardStep,
    board_step,
    draw_spots,
    marked_board_step,
    similar_board_step,
    without_board,
)
from companion.table.enrolment.camera_choice import Cameras, CamerasView
from companion.table.enrolment.cards import (
    CardContent,
    CardStep,
    as_png,
    card_step,
    with_corrected_card,
    without_card,
)
from companion.table.enrolment.drafts import DraftView, KeptView, WatchView
from companion.table.enrolment.empty_table import EmptyTableEnrolment
from companion.table.enrolment.enrolled_view import KnownView
from companion.table.enrolment.game_box_check import BoxCheck
from companion.table.enrolment.one_picture_enrolment import enrol_in_order
from companion.table.enrolment.profile_and_draft import Workspace
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.enrolment.sheet_and_pieces import (
    KeepOptions,
    PiecesStep,
    SheetStep,
    corners_step,
    pieces_step,
    sheet_step,
)
from companion.table.pictures.overlay import jpeg
from companion.table.reading.frame_reader import Readers
from companion.table.views import Refused
from vision.cameras.orientation_correction import Orientation

if TYPE_CHECKING:
    from companion.table.table import Table

_MAX_DRAFT_WIDTH_PX = 1920
"""Largest width of a draft's picture for screens, px."""
_BOARD_WIDTH = 840
"""Width of a board's picture for screens, px."""
_NO_PIECES = say(
    "No pieces are found in the middle. Lay some there, apart from each other, and take your hands away."
)

CaptureTarget = Literal["sheet", "lens", "empty", "pieces", "card"]
"""What `EnrolmentService.auto_capture` waits for: see there."""


class EnrolmentService:
    """Detects objects in the camera's pictures as drafts; saves a draft in the profile once a person confirms it.

    One draft is open at a time; commands for an older `draft` are refused. A command that raises `Refused` has
    changed nothing. Callable from any thread. profile: name or folder. cameras: None on the simulated table.
    """

    def __init__(
        self,
        table: Table,
        profile: str | Path,
        readers: Callable[[TableProfile], Readers],
        cameras: Cameras | None = None,
        game: str = GAMES[0],
    ) -> None:
        self._work = Workspace(table, profile, readers, cameras, game)
        self._capture = AutoCapture()
        self._box = BoxCheck()
        self._empty = EmptyTableEnrolment()

    # The profile

    @property
    def profile(self) -> str | Path:
        """The name or folder of the profile."""
        return self._work.profile

    def saved_profile(self) -> TableProfile:
        """Return the saved profile, with everything that is enrolled."""
        with self._work.locked():
            return self._work.load()

    def known(self) -> KnownView:
        """Return what is enrolled, for screens."""
        with self._work.locked():
            return self._work.known(self._work.load())

    def keep_seating(self, seating: Seating) -> None:
        """Save the directions in which people sit; the readers stay in use."""
        with self._work.locked():
            self._work.write(self._work.saved.load().with_seating(seating))

    # The camera

    def choose_camera(self, name: str) -> KeptView:
        """Switch to another camera, by its name in `cameras_view`; return what is enrolled for it."""
        with self._work.locked():
            self._cameras().choose(name)
            return self._after_camera_change()

    def turn_picture(self, turn: Orientation) -> KeptView:
        """Set how the camera's picture is turned and mirrored; return what is enrolled for it."""
        with self._work.locked():
            self._cameras().set_orientation(turn)
            return self._after_camera_change()

    def correct_picture(self) -> KeptView:
        """Restore the orientation that the picture had at the calibration, so that it can be read again."""
        with self._work.locked():
            turn, plane = self._work.table.view.camera.correction, self._work.saved.load().plane
            if turn is None or plane is None:
                raise Refused("not_now", say("The picture already has the right orientation."))
            self._cameras().correct_orientation(turn, plane)
            return self._after_camera_change()

    def lens_changed(self) -> None:
        """Close the draft; stop reading if the phone's new lens is not that of the calibration, else resume."""
        work = self._work
        with suppress(Refused), work.locked():
            work.draft, profile = None, work.saved.load()
            if work.cameras is None or profile.plane is None:
                return
            if wrong := work.cameras.wrong_lens(profile.plane):
                work.table.set_reader(None, wrong)
            elif work.table.plane is None:
                work.read_with(profile)

    def cameras_view(self) -> CamerasView:
        """Return the cameras that may be chosen, as the operating system lists them now."""
        return self._cameras().view()

    # The calibration

    def take_picture(self) -> DraftView:
        """Open a draft with the newest picture, in which a person then marks the calibration sheet's corners."""
        with self._work.locked():
            return self._work.begin_draft(None, self._work.picture())

    def find_sheet(self) -> DraftView:
        """Find the printed calibration sheet in the newest picture, and open a draft with it."""
        with self._work.locked():
            image = self._work.picture()
            return self._work.begin_draft(sheet_step(image, self._work.load_for_camera()), image)

    def fit_corners(self, draft: str, corners: Sequence[tuple[float, float]]) -> DraftView:
        """Calibrate by the sheet's four corners, px, as a person marked them in the draft's picture."""
        with self._work.locked():
            image = self._work.open_draft(draft).image
            return self._work.update_draft(corners_step(image, self._work.load_for_camera(), corners))

    def keep_empty_table(self, *, force: bool = False) -> KeptView:
        """Save the newest picture as that of the empty table. force: even if something seems to lie there."""
        with self._work.locked():
            return self._empty.save_newest(self._work, force=force)

    # Auto-capture

    def auto_capture(self, what: CaptureTarget, kind: str = "", draft: str = "") -> WatchView:
        """Capture the newest picture once it is still; return what was found. To be called a few times a second.

        what: "sheet" (find it, capture nothing), "lens" (add a picture of the sheet to the open `draft`), "empty"
        (save the empty table), "pieces" or "card" (open a draft). kind: of the pieces, or one of `Kit.shown_cards`.
        """
        with self._work.locked():
            image = self._work.picture()
            now = self._capture.feed(image)
            height, width = image.shape[:2]
            motion = self._capture.motion
            state: Literal["moving", "hands", "still"] = "still" if motion.still else "moving"
            view = WatchView("hands" if motion.hands else state, (width, height))
            if what == "sheet":
                return self._sheet_view(image, view)
            if not now:
                return view
            try:
                if what == "empty":
                    kept = self._work.save(self._empty.with_picture(self._work.load_calibrated(), image))
                    return replace(view, state="taken", kept=kept)
                return replace(view, state="taken", draft=self._captured(what, kind, draft, image))
            except (SheetError, EnrolError) as error:
                return replace(view, line=as_shown_on_screens(str(error)))

    def _sheet_view(self, image: Image, view: WatchView) -> WatchView:
        try:
            return replace(view, sheet=sheet_step(image, self._work.load_for_camera()).view)
        except SheetError as error:
            return replace(view, line=as_shown_on_screens(str(error)))

    def _captured(self, what: CaptureTarget, kind: str, draft: str, image: Image) -> DraftView:
        if what == "lens":
            return self._work.update_draft(self._with_lens_picture(draft, image))
        if what == "card":
            return self._work.begin_draft(card_step(image, self._work.load_calibrated(), kind), image)
        step = pieces_step(image, self._work.load_calibrated(), kind)
        if not step.finds:
            raise EnrolError(_NO_PIECES)
        return self._work.begin_draft(step, image)

    def _with_lens_picture(self, draft: str, image: Image) -> SheetStep:
        step = self._work.open_draft(draft).step
        if not isinstance(step, SheetStep):
            raise Refused("bad_request", say("Wait until the sheet is found, then measure the lens."))
        return step.with_lens_picture(image)

    # Pieces

    def find_pieces(self, kind: str) -> DraftView:
        """Find the pieces of one kind in the newest picture, perhaps none, and open a draft with them."""
        with self._work.locked():
            image = self._work.picture()
            return self._work.begin_draft(pieces_step(image, self._work.load_calibrated(), kind), image)

    def enrol_in_order(self) -> KeptView:
        """Enrol all pieces at once from a picture that shows them in the game's prescribed order."""
        return enrol_in_order(self._work)

    def add_marked_pieces(self, draft: str, spots: Sequence[tuple[float, float]]) -> DraftView:
        """Add the pieces at the points, px, that a person marked in the draft's picture, to the draft."""
        with self._work.locked():
            step = self._work.open_draft(draft).step
            if not isinstance(step, PiecesStep):
                raise Refused("bad_request", say("There is no picture of pieces yet. Choose a kind first."))
            return self._work.update_draft(step.with_marked_pieces(self._work.load(), spots))

    def check_box(self, figures: Sequence[str]) -> DraftView:
        """Count the pieces in the newest picture beside those that players of these figures (ids) need."""
        with self._work.locked():
            image, profile = self._work.picture(), self._work.load_calibrated()
            players = profile.kit.players
            known = set(figures) <= set(profile.kit.figures)
            if not known or len(figures) not in players or len(set(figures)) < len(figures):
                raise Refused(
                    "bad_request",
                    say(
                        "The game is for {fewest} to {most} players, each with a colour of their own.",
                        fewest=min(players),
                        most=max(players),
                    ),
                )
            return self._work.begin_draft(None, image, self._box.check(image, profile, figures))

    # Cards

    def find_card(self, kind: str) -> DraftView:
        """Cut out the card in the middle of the newest picture; open a draft. kind: one of `Kit.shown_cards`."""
        with self._work.locked():
            image = self._work.picture()
            return self._work.begin_draft(card_step(image, self._work.load_calibrated(), kind), image)

    def keep_card(self, draft: str, card: CardContent, *, force: bool = False) -> KeptView:
        """Save the draft's card with this content. force: even if it looks like an enrolled one."""
        with self._work.locked():
            step = self._work.open_draft(draft).step
            if not isinstance(step, CardStep):
                raise Refused(
                    "bad_request", say("There is no picture of a card yet. Lay a card in the middle first.")
                )
            return self._work.save(step.added_to(self._work.load(), card, force=force))

    def correct_card(self, card: CardContent) -> KeptView:
        """Replace the content of an enrolled card; its picture stays."""
        with self._work.locked():
            return self._work.save(with_corrected_card(self._work.load(), card))

    def delete_card(self, card_id: str) -> KeptView:
        """Delete an enrolled card."""
        with self._work.locked():
            return self._work.save(without_card(self._work.load(), card_id))

    def enrol_standin_deck(self) -> KeptView:
        """Enrol the printed stand-in cards as the deck, all at once."""
        with self._work.locked():
            profile = self._work.load()
            deck = adapter(profile.game).standin_deck()
            if deck is None:
                raise Refused("not_now", say("This game has no printable cards."))
            return self._work.save(replace(profile, deck=deck))

    def import_deck(self, file: Path) -> KeptView:
        """Replace the deck by that of an exported profile (a zip file)."""
        with self._work.locked():
            profile = self._work.load()
            shared = read_profile(file).of(profile.game)
            if shared.deck is None or not shared.deck.cards:
                raise Refused(
                    "bad_request", say("That file contains no cards. Choose a file that contains a deck.")
                )
            return self._work.save(replace(profile, deck=shared.deck))

    def card_picture(self, card_id: str) -> bytes | None:
        """Return the picture of an enrolled card as PNG, None where there is none."""
        with self._work.locked():
            deck = self._work.load().deck
            card = None if deck is None else deck.cards.get(card_id)
            return None if card is None else as_png(card.picture)

    # Personal boards

    def find_board(self) -> DraftView:
        """Find the one empty printed board in the newest picture, wherever it lies, and open a draft with it."""
        with self._work.locked():
            image = self._work.picture()
            return self._work.begin_draft(board_step(image, self._work.load().kit.printed_boards()), image)

    def mark_board(self, draft: str, shape: BoardShape) -> DraftView:
        """Put the board that a person marked in the draft's picture into the draft."""
        with self._work.locked():
            plan = self._work.load().kit.board
            if plan is None:
                raise Refused("not_now", say("This game has no boards of its own."))
            return self._work.update_draft(marked_board_step(self._work.open_draft(draft).image, shape, plan))

    def mark_similar_board(self, draft: str, corners: Sequence[Point], board_id: str) -> DraftView:
        """Put a board with these marked corners, px, and an enrolled board's layout into the draft."""
        with self._work.locked():
            known = self._work.load().personal_boards.get(board_id)
            if known is None:
                raise Refused("not_now", say("That board is no longer enrolled. Choose one from the current list."))
            image = self._work.open_draft(draft).image
            return self._work.update_draft(similar_board_step(image, corners, known.layout))

    def keep_board(self, draft: str, board_id: str) -> KeptView:
        """Save the draft's board. board_id: the player's colour, under which it is enrolled."""
        with self._work.locked():
            step = self._work.open_draft(draft).step
            if not isinstance(step, BoardStep):
                raise Refused(
                    "bad_request",
                    say("There is no picture of a board yet. Lay an empty board in view of the camera first."),
                )
            return self._work.save(step.added_to(self._work.load(), board_id))

    def enrol_printed_boards(self) -> KeptView:
        """Enrol all boards that the project prints, from their drawings."""
        with self._work.locked():
            profile = self._work.load()
            for board in profile.kit.printed_boards():
                profile = profile.with_personal_board(board)
            return self._work.save(profile)

    def delete_board(self, board_id: str) -> KeptView:
        """Delete an enrolled board."""
        with self._work.locked():
            return self._work.save(without_board(self._work.load(), board_id))

    def board_picture(self, board_id: str) -> bytes | None:
        """Return an enrolled board's picture as JPEG, with its spots drawn in; None where there is none."""
        with self._work.locked():
            board = self._work.load().personal_boards.get(board_id)
        return None if board is None else jpeg(draw_spots(board), width=_BOARD_WIDTH, quality=85)

    def draft_board_picture(self, draft: str) -> bytes | None:
        """Return the board in a draft as JPEG, with its spots drawn in; None where there is none."""
        with self._work.lock:
            step = self._work.step_of(draft)
        return jpeg(draw_spots(step.board), width=_BOARD_WIDTH, quality=85) if isinstance(step, BoardStep) else None

    # Drafts

    def keep(self, draft: str, options: KeepOptions) -> KeptView:
        """Save a draft's calibration sheet or pieces, and use them for reading from now on."""
        with self._work.locked():
            step = self._work.open_draft(draft).step
            if step is None or isinstance(step, (CardStep, BoardStep)):
                raise Refused("not_now", say("Nothing was found in that picture yet, so there is nothing to save."))
            before = self._work.load_for_camera() if isinstance(step, SheetStep) else self._work.load()
            return self._work.save(step.added_to(before, options), observed=isinstance(step, SheetStep))

    def draft_picture(self, draft: str) -> bytes | None:
        """Return the draft's picture as JPEG; None where the draft is not open any more."""
        with self._work.lock:
            current = self._work.draft
        image = current.image if current is not None and current.id == draft else None
        return None if image is None else jpeg(image, width=_MAX_DRAFT_WIDTH_PX, quality=90)

    def draft_card_picture(self, draft: str) -> bytes | None:
        """Return the card that was cut out of a draft's picture, as PNG; None where there is none."""
        with self._work.lock:
            step = self._work.step_of(draft)
        return as_png(step.picture) if isinstance(step, CardStep) else None

    def close_draft(self) -> None:
        """Close the draft without saving it."""
        with self._work.lock:
            self._work.draft = None

    def _cameras(self) -> Cameras:
        if self._work.cameras is None:
            raise Refused("not_now", say("The simulated table has its own camera, which cannot be replaced."))
        return self._work.cameras

    def _after_camera_change(self) -> KeptView:
        self._work.draft, self._capture = None, AutoCapture()
        # The readers belong to the picture as it was before.
        self._work.table.set_reader(None)
        profile = self._work.load()
        return KeptView(self._work.known(profile), self._work.read_with(profile))
