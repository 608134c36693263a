"""Teaching the table from a screen: commands that take a picture, show in it, and keep what was found."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, make_response, request

from calibration.wording import say
from companion.table.enrolment.service import EnrolmentService
from companion.table.enrolment.steps import KeepOptions
from companion.table.views import Refused
from vision.cameras.turned import Orientation
from web.channel import commands
from web.channel import enrolment_commands as more
from web.channel.commands import C
from web.channel.publication import as_plain
from web.people.roles import HOST, Role
from web.people.security import open_to, takes
from web.running_table import RunningTable

LARGEST_DECK = 64 * 1024 * 1024
"""Bytes of a shared profile or deck; a deck of cards alone is a few."""


class On(Protocol):
    """Puts the handler of an event on the channel."""

    def __call__(self, event: str, kind: type[C], *roles: Role) -> Callable[[Callable[[C], object]], None]:
        """Give what takes the handler; what that returns goes back to the screen. Without roles: hosts only."""


def teaching(on: On, table: RunningTable) -> None:
    """Put the commands that teach this table on the channel."""

    @on("teach", commands.Teach)
    def _teach(command: commands.Teach) -> None:
        teacher = teacher_of(table)
        table.teach(command.on)
        if not command.on:
            teacher.forget()

    @on("teach_look", commands.Look)
    def _look(_: commands.Look) -> object:
        return teacher_of(table).look()

    @on("teach_find_sheet", commands.FindSheet)
    def _find_sheet(_: commands.FindSheet) -> object:
        return teacher_of(table).find_sheet()

    @on("teach_corners", commands.FitCorners)
    def _corners(command: commands.FitCorners) -> object:
        return teacher_of(table).fit_corners(command.draft, command.corners)

    @on("teach_empty", commands.EmptyTable)
    def _empty(_: commands.EmptyTable) -> object:
        return teacher_of(table).keep_empty_table()

    @on("teach_find_pieces", commands.FindPieces)
    def _find_pieces(command: commands.FindPieces) -> object:
        return teacher_of(table).find_pieces(command.kind)

    @on("teach_point", commands.PointAt)
    def _point(command: commands.PointAt) -> object:
        return teacher_of(table).point_at(command.draft, command.spots)

    @on("teach_keep", commands.Keep)
    def _keep(command: commands.Keep) -> object:
        wish = KeepOptions(frozenset(command.without), command.force, command.replace)
        return teacher_of(table).keep(command.draft, wish)

    @on("teach_lay_out", commands.LayOut)
    def _lay_out(command: commands.LayOut) -> None:
        if table.director is None:
            raise Refused("not_now", say("A real camera looks on here: lay it on the table yourself."))
        table.director.lay_out(command.what)

    @on("teach_watch", more.Watch)
    def _watch(command: more.Watch) -> object:
        return teacher_of(table).watch(command.what, command.kind, command.draft)

    @on("teach_check_box", more.CheckBox)
    def _check_box(command: more.CheckBox) -> object:
        return teacher_of(table).check_box(command.colours)

    _cards(on, table)
    _boards(on, table)
    _camera(on, table)


def _cards(on: On, table: RunningTable) -> None:
    def teacher() -> EnrolmentService:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table plays with its own cards, and knows them all."))
        return teacher_of(table)

    @on("teach_find_card", more.FindCard)
    def _find_card(command: more.FindCard) -> object:
        return teacher().find_card(command.kind)

    @on("teach_keep_card", more.KeepCard)
    def _keep_card(command: more.KeepCard) -> object:
        return teacher().keep_card(command.draft, command.card.shown(), force=command.force)

    @on("teach_correct_card", more.CorrectCard)
    def _correct_card(command: more.CorrectCard) -> object:
        return teacher().correct_card(command.card.shown())

    @on("teach_forget_card", more.ForgetCard)
    def _forget_card(command: more.ForgetCard) -> object:
        return teacher().forget_card(command.id)

    @on("teach_take_standin", more.TakeStandIn)
    def _take_standin(_: more.TakeStandIn) -> object:
        return teacher().take_standin()


def _boards(on: On, table: RunningTable) -> None:
    def teacher() -> EnrolmentService:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table plays with its own boards, and knows them all."))
        return teacher_of(table)

    @on("teach_find_board", more.FindBoard)
    def _find_board(_: more.FindBoard) -> object:
        return teacher().find_board()

    @on("teach_point_board", more.PointBoard)
    def _point_board(command: more.PointBoard) -> object:
        return teacher().point_board(command.draft, command.shape())

    @on("teach_point_board_like", more.PointBoardLike)
    def _point_board_like(command: more.PointBoardLike) -> object:
        return teacher().point_board_like(command.draft, command.corners, command.board)

    @on("teach_keep_board", more.KeepBoard)
    def _keep_board(command: more.KeepBoard) -> object:
        return teacher().keep_board(command.draft, command.colour)

    @on("teach_take_printed_boards", more.TakePrintedBoards)
    def _take_printed(_: more.TakePrintedBoards) -> object:
        return teacher().take_printed_boards()

    @on("teach_forget_board", more.ForgetBoard)
    def _forget_board(command: more.ForgetBoard) -> object:
        return teacher().forget_board(command.board)


def _camera(on: On, table: RunningTable) -> None:
    @on("teach_choose_camera", more.ChooseCamera)
    def _choose_camera(command: more.ChooseCamera) -> object:
        return teacher_of(table).choose_camera(command.name)

    @on("teach_correct_picture", more.CorrectPicture)
    def _correct_picture(_: more.CorrectPicture) -> object:
        return teacher_of(table).correct_picture()

    @on("teach_turn_picture", more.TurnPicture)
    def _turn_picture(command: more.TurnPicture) -> object:
        return teacher_of(table).turn_picture(Orientation(command.quarters, command.mirrored))


def lessons(table: RunningTable) -> Blueprint:
    """Make the blueprint of what screens ask while the table is taught, and of the deck that they bring in."""
    blueprint = Blueprint("lessons", __name__, url_prefix="/api/teaching")

    @blueprint.get("/known")
    @open_to(HOST)
    def known() -> Response:
        """Tell what has been taught; null where nobody can teach the table now."""
        plain: Any = None if table.teacher is None else as_plain(table.teacher.known())
        return jsonify(plain)

    @blueprint.get("/<draft>.jpg")
    @open_to(HOST)
    def picture(draft: str) -> Response:
        return _picture(teacher_of(table).picture(draft), "image/jpeg")

    @blueprint.get("/<draft>/card.png")
    @open_to(HOST)
    def cut_out(draft: str) -> Response:
        return _picture(teacher_of(table).cut_out(draft), "image/png")

    @blueprint.get("/<draft>/board.jpg")
    @open_to(HOST)
    def cut_out_board(draft: str) -> Response:
        return _picture(teacher_of(table).cut_out_board(draft), "image/jpeg")

    @blueprint.get("/boards/<board>.jpg")
    @open_to(HOST)
    def board(board: str) -> Response:
        return _picture(teacher_of(table).board_picture(board), "image/jpeg")

    @blueprint.get("/cards/<card>.png")
    @open_to(HOST)
    def card(card: str) -> Response:
        return _picture(teacher_of(table).card_picture(card), "image/png")

    @blueprint.get("/cameras")
    @open_to(HOST)
    def cameras() -> Response:
        plain: Any = as_plain(teacher_of(table).seen_cameras())
        return jsonify(plain)

    @blueprint.post("/deck")
    @open_to(HOST)
    @takes(LARGEST_DECK)
    def deck() -> Response:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table plays with its own cards, and knows them all."))
        with tempfile.TemporaryDirectory(prefix="companion-") as folder:
            file = Path(folder) / "the file"
            file.write_bytes(request.get_data(cache=False))
            plain: Any = as_plain(teacher_of(table).take_deck(file))
        return jsonify(plain)

    return blueprint


def _picture(data: bytes | None, kind: str) -> Response:
    if data is None:
        return make_response("That picture is gone: another one was taken since.\n", 404)
    response = make_response(data)
    response.mimetype = kind
    return response


def teacher_of(table: RunningTable) -> EnrolmentService:
    """Give who teaches this table. Raises `Refused` where nobody can."""
    if table.teacher is None:
        raise Refused(
            "not_now", say("This table cannot be taught now: it is still being set up, or has no camera.")
        )
    return table.teacher
