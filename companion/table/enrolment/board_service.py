"""Teaches a running table its personal boards."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.boards.enrolment import printed_boards
from calibration.boards.printed import Point
from calibration.wording import say
from companion.table.enrolment.base_service import TeachersRoom, plainly
from companion.table.enrolment.boards import (
    BoardShape,
    BoardStep,
    board_step,
    draw_spots,
    pointed_board_step,
    similar_board_step,
    without_board,
)
from companion.table.enrolment.drafts import DraftView, KeptView
from companion.table.pictures.overlay import jpeg
from companion.table.views import Refused

_WIDE = 840
"""Pixels across a board's picture for screens."""


class TeachesBoards(TeachersRoom):
    """The lessons about personal boards; see `Teacher`."""

    def find_board(self) -> DraftView:
        """Take a picture and find the one empty printed board in it, wherever it lies."""
        with self._lock, plainly():
            image = self._picture()
            return self._begin(board_step(image), image)

    def point_board(self, draft: str, shape: BoardShape) -> DraftView:
        """Learn a board by its corners, spots and spaces in the draft's picture."""
        with self._lock, plainly():
            return self._go_on(pointed_board_step(self._at(draft).image, shape))

    def point_board_like(self, draft: str, corners: Sequence[Point], board_id: str) -> DraftView:
        """Learn a board by its corners in the draft's picture, where its spots lie as on a known one."""
        with self._lock, plainly():
            known = self._load().personal_boards.get(board_id)
            if known is None:
                raise Refused("not_now", say("That board is not known any more. Look at the list again."))
            return self._go_on(similar_board_step(self._at(draft).image, corners, known.layout))

    def keep_board(self, draft: str, board_id: str) -> KeptView:
        """Keep the board of a draft as that of the player of this colour."""
        with self._lock, plainly():
            lesson = self._at(draft).lesson
            if not isinstance(lesson, BoardStep):
                raise Refused("bad_request", say("No board is being looked at. Lay an empty one in sight first."))
            return self._keep(lesson.kept_in(self._load(), board_id))

    def take_printed_boards(self) -> KeptView:
        """Take the boards that the project prints, all at once, as they are drawn."""
        with self._lock, plainly():
            profile = self._load()
            for board in printed_boards():
                profile = profile.with_personal_board(board)
            return self._keep(profile)

    def forget_board(self, board_id: str) -> KeptView:
        """Let a known board go."""
        with self._lock, plainly():
            return self._keep(without_board(self._load(), board_id))

    def board_picture(self, board_id: str) -> bytes | None:
        """Give a known board's picture with its spots as JPEG, None where there is none."""
        with self._lock, plainly():
            board = self._load().personal_boards.get(board_id)
        return None if board is None else jpeg(draw_spots(board), width=_WIDE, quality=85)

    def cut_out_board(self, draft: str) -> bytes | None:
        """Give the board of a draft with its spots as JPEG, None where there is none."""
        with self._lock:
            lesson = self._draft.lesson if self._draft is not None and self._draft.id == draft else None
        return jpeg(draw_spots(lesson.board), width=_WIDE, quality=85) if isinstance(lesson, BoardStep) else None
