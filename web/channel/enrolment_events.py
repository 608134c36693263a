"""The enrolment events: each takes a picture, marks something in it, or saves what was found."""

from __future__ import annotations

from calibration.translatable import say
from companion.table.enrolment.service import EnrolmentService
from companion.table.enrolment.sheet_and_pieces import KeepOptions
from companion.table.views import Refused
from vision.cameras.orientation_correction import Orientation
from web.channel import enrolment_commands as commands
from web.channel.router import CommandRouter
from web.table_interface import RunningTable, enrolment_of


def add_enrolment_events(router: CommandRouter, table: RunningTable) -> None:
    """Register the enrolment events: sheet, pieces, cards, boards and camera."""

    @router.on("teach", commands.SetEnrolling)
    def _set_enrolling(command: commands.SetEnrolling) -> None:
        service = enrolment_of(table)
        table.pause_for_setup(command.on)
        if not command.on:
            service.close_draft()

    @router.on("teach_look", commands.TakePicture)
    def _take_picture(_: commands.TakePicture) -> object:
        return enrolment_of(table).take_picture()

    @router.on("teach_find_sheet", commands.FindSheet)
    def _find_sheet(_: commands.FindSheet) -> object:
        return enrolment_of(table).find_sheet()

    @router.on("teach_corners", commands.FitCorners)
    def _fit_corners(command: commands.FitCorners) -> object:
        return enrolment_of(table).fit_corners(command.draft, command.corners)

    @router.on("teach_empty", commands.KeepEmptyTable)
    def _keep_empty_table(command: commands.KeepEmptyTable) -> object:
        return enrolment_of(table).keep_empty_table(force=command.force)

    @router.on("teach_find_pieces", commands.FindPieces)
    def _find_pieces(command: commands.FindPieces) -> object:
        return enrolment_of(table).find_pieces(command.kind)

    @router.on("teach_in_order", commands.EnrolInOrder)
    def _enrol_in_order(_: commands.EnrolInOrder) -> object:
        return enrolment_of(table).enrol_in_order()

    @router.on("teach_point", commands.AddPieces)
    def _add_pieces(command: commands.AddPieces) -> object:
        return enrolment_of(table).add_marked_pieces(command.draft, command.spots)

    @router.on("teach_keep", commands.KeepPieces)
    def _keep_pieces(command: commands.KeepPieces) -> object:
        wish = KeepOptions(frozenset(command.without), command.force, command.replace)
        return enrolment_of(table).keep(command.draft, wish)

    @router.on("teach_lay_out", commands.LayOut)
    def _lay_out(command: commands.LayOut) -> None:
        if table.director is None:
            raise Refused("not_now", say("This table has a real camera: lay it on the table yourself."))
        table.director.lay_out(command.what)

    @router.on("teach_watch", commands.CaptureWhenStill)
    def _capture_when_still(command: commands.CaptureWhenStill) -> object:
        return enrolment_of(table).auto_capture(command.what, command.kind, command.draft)

    @router.on("teach_check_box", commands.CheckBox)
    def _check_box(command: commands.CheckBox) -> object:
        return enrolment_of(table).check_box(command.colours)

    _add_card_events(router, table)
    _add_board_events(router, table)
    _add_camera_events(router, table)


def _add_card_events(router: CommandRouter, table: RunningTable) -> None:
    def enrolment() -> EnrolmentService:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table uses its own cards, which are all enrolled."))
        return enrolment_of(table)

    @router.on("teach_find_card", commands.FindCard)
    def _find_card(command: commands.FindCard) -> object:
        return enrolment().find_card(command.kind)

    @router.on("teach_keep_card", commands.KeepCard)
    def _keep_card(command: commands.KeepCard) -> object:
        return enrolment().keep_card(command.draft, command.card.card(), force=command.force)

    @router.on("teach_correct_card", commands.CorrectCard)
    def _correct_card(command: commands.CorrectCard) -> object:
        return enrolment().correct_card(command.card.card())

    @router.on("teach_forget_card", commands.ForgetCard)
    def _forget_card(command: commands.ForgetCard) -> object:
        return enrolment().delete_card(command.id)

    @router.on("teach_take_standin", commands.TakeStandIn)
    def _take_standin(_: commands.TakeStandIn) -> object:
        return enrolment().enrol_standin_deck()


def _add_board_events(router: CommandRouter, table: RunningTable) -> None:
    def enrolment() -> EnrolmentService:
        if table.director is not None:
            raise Refused("not_now", say("The simulated table uses its own boards, which are all enrolled."))
        return enrolment_of(table)

    @router.on("teach_find_board", commands.FindBoard)
    def _find_board(_: commands.FindBoard) -> object:
        return enrolment().find_board()

    @router.on("teach_point_board", commands.PointBoard)
    def _point_board(command: commands.PointBoard) -> object:
        return enrolment().mark_board(command.draft, command.shape())

    @router.on("teach_point_board_like", commands.PointBoardLike)
    def _point_board_like(command: commands.PointBoardLike) -> object:
        return enrolment().mark_similar_board(command.draft, command.corners, command.board)

    @router.on("teach_keep_board", commands.KeepBoard)
    def _keep_board(command: commands.KeepBoard) -> object:
        return enrolment().keep_board(command.draft, command.colour)

    @router.on("teach_take_printed_boards", commands.TakePrintedBoards)
    def _take_printed_boards(_: commands.TakePrintedBoards) -> object:
        return enrolment().enrol_printed_boards()

    @router.on("teach_forget_board", commands.ForgetBoard)
    def _forget_board(command: commands.ForgetBoard) -> object:
        return enrolment().delete_board(command.board)


def _add_camera_events(router: CommandRouter, table: RunningTable) -> None:
    @router.on("teach_choose_camera", commands.ChooseCamera)
    def _choose_camera(command: commands.ChooseCamera) -> object:
        return enrolment_of(table).choose_camera(command.name)

    @router.on("teach_correct_picture", commands.CorrectPicture)
    def _correct_picture(_: commands.CorrectPicture) -> object:
        return enrolment_of(table).correct_picture()

    @router.on("teach_turn_picture", commands.TurnPicture)
    def _turn_picture(command: commands.TurnPicture) -> object:
        return enrolment_of(table).turn_picture(Orientation(command.quarters, command.mirrored))
