"""Teaching the table from a screen: commands that take a picture, show in it, and keep what was found."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from flask import Blueprint, Response, jsonify, make_response

from companion.table.teacher import Teacher
from companion.table.teaching import Wish
from companion.table.views import Refused
from web import commands
from web.commands import C
from web.publication import as_plain
from web.roles import HOST, Role
from web.running_table import RunningTable
from web.security import open_to


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

    @on("teach_find_pieces", commands.FindPieces)
    def _find_pieces(command: commands.FindPieces) -> object:
        return teacher_of(table).find_pieces(command.kind)

    @on("teach_point", commands.PointAt)
    def _point(command: commands.PointAt) -> object:
        return teacher_of(table).point_at(command.draft, command.spots)

    @on("teach_keep", commands.Keep)
    def _keep(command: commands.Keep) -> object:
        wish = Wish(frozenset(command.without), command.force, command.replace)
        return teacher_of(table).keep(command.draft, wish)

    @on("teach_lay_out", commands.LayOut)
    def _lay_out(command: commands.LayOut) -> None:
        if table.director is None:
            raise Refused("not_now", "A real camera looks on here: lay it on the table yourself.")
        table.director.lay_out(command.what)


def lessons(table: RunningTable) -> Blueprint:
    """Make the blueprint of what screens ask while the table is taught. Nothing here changes anything."""
    blueprint = Blueprint("lessons", __name__, url_prefix="/api/teaching")

    @blueprint.errorhandler(Refused)
    def refused(error: Refused) -> tuple[Response, int]:
        return jsonify(error={"code": error.code, "message": str(error)}), 404

    @blueprint.after_request
    def fresh(response: Response) -> Response:
        response.headers["Cache-Control"] = "no-store"
        return response

    @blueprint.get("/known")
    @open_to(HOST)
    def known() -> Response:
        plain: Any = as_plain(teacher_of(table).known())
        return jsonify(plain)

    @blueprint.get("/<draft>.jpg")
    @open_to(HOST)
    def picture(draft: str) -> Response:
        data = teacher_of(table).picture(draft)
        if data is None:
            return make_response("That picture is gone: another one was taken since.\n", 404)
        response = make_response(data)
        response.mimetype = "image/jpeg"
        return response

    return blueprint


def teacher_of(table: RunningTable) -> Teacher:
    """Give who teaches this table. Raises `Refused` where nobody can."""
    if table.teacher is None:
        raise Refused("not_now", "This table cannot be taught now: it is still being set up, or has no camera.")
    return table.teacher
