"""The events about the table and its game; each validated command calls one method of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from calibration.errors import CalibrationError
from calibration.seats import Seating
from calibration.translatable import say
from companion.adapters import adapter
from companion.games import UnknownGame, available
from companion.table.views import HistoryLine, Refused, SeatView
from web.channel import commands
from web.channel.channels import Channels
from web.channel.correction_events import add_correction_events
from web.channel.enrolment_events import add_enrolment_events
from web.channel.move_validation import check_move, parse_move
from web.channel.router import CommandRouter, caller
from web.channel.settings_events import add_settings_events
from web.people.roles import HOST, PLAYER, ROLES, Principal
from web.table_interface import RunningDirector, RunningTable

StatefulCommand = commands.GameCommand | commands.StartGame | commands.StartDemonstration | commands.ResumeGame
"""Commands that name the game and the state that they were made for."""

_STALE = say("The table has moved on since you tapped, so nothing was changed. The page shows it as it is now.")


def add_table_events(router: CommandRouter, table: RunningTable, channels: Channels) -> None:
    """Register all events about the table: game, proposals, corrections, settings, enrolment and director."""

    def check_game(command: StatefulCommand) -> None:
        game = table.view.game
        if command.game != (game.id if game else None):
            raise Refused("stale", _STALE)

    def check_state(command: StatefulCommand) -> None:
        check_game(command)
        game = table.view.game
        if command.at != (game.number if game else None):
            raise Refused("stale", _STALE)

    def director() -> RunningDirector:
        if table.director is None:
            raise Refused("not_now", say("This table has a real camera: only the simulated table plays by itself."))
        return table.director

    def change_over(serve: Callable[[str], None] | None, kind: str | None) -> None:
        """Switch to the game `kind` by calling `serve` with its id. Raises `Refused` where that is impossible."""
        if serve is None or kind not in available():
            raise Refused("not_now", say("This table cannot change over to that game. Reload the page."))
        serve(kind)

    @router.on("refresh", commands.Refresh, *ROLES)
    def _refresh(_: commands.Refresh) -> None:
        channels.add(caller())

    @router.on("start_game", commands.StartGame)
    def _start_game(command: commands.StartGame) -> None:
        check_state(command)
        seats = tuple(SeatView(seat.name, seat.figure) for seat in command.seats)
        own = undescribed_components(command.kind or table.served) if command.own_cards else None
        table.start_game(seats, command.way, own, command.kind, command.options)

    @router.on("show_me", commands.StartDemonstration)
    def _show_me(command: commands.StartDemonstration) -> None:
        check_state(command)
        if command.kind not in (None, table.served):
            change_over(table.use_simulation, command.kind)
        director().show_me(lambda: check_state(command))

    @router.on("use_camera", commands.UseCamera)
    def _use_camera(command: commands.UseCamera) -> None:
        if table.use_camera is not None:  # None: a camera is in use already
            change_over(table.use_camera, command.kind or table.served)

    @router.on("resume_game", commands.ResumeGame)
    def _resume_game(command: commands.ResumeGame) -> None:
        check_state(command)
        table.resume_game(command.id)

    @router.on("play", commands.Play, HOST, PLAYER)
    def _play(command: commands.Play) -> None:
        check_game(command)  # the table decides whether a choice made for an older state still fits
        move = parse_move(table, command.move)
        check_move(router.principal(), table, move)
        table.play(move, command.at, "hand")

    @router.on("undo", commands.Undo, HOST, PLAYER)
    def _undo(command: commands.Undo) -> None:
        check_game(command)
        game = table.view.game
        table.undo(command.at, undone_entry(router.principal(), command, () if game is None else game.history))

    @router.on("accept", commands.Accept)
    def _accept(command: commands.Accept) -> None:
        check_state(command)
        table.proposals.accept(command.proposal, command.choices, command.at)

    @router.on("amend", commands.Amend)
    def _amend(command: commands.Amend) -> None:
        check_state(command)
        table.proposals.amend(command.proposal, parse_move(table, command.move), command.at)

    @router.on("state_thing", commands.StateThing)
    def _state_thing(command: commands.StateThing) -> None:
        check_state(command)
        table.proposals.state_thing(command.thing, command.at)

    @router.on("hold", commands.Hold)
    def _hold(command: commands.Hold) -> None:
        check_state(command)
        table.proposals.hold(command.proposal, command.at)

    @router.on("dismiss", commands.Dismiss)
    def _dismiss(command: commands.Dismiss) -> None:
        check_state(command)
        table.proposals.dismiss(command.proposal, command.at)

    @router.on("accept_correction", commands.AcceptCorrection)
    def _accept_correction(command: commands.AcceptCorrection) -> None:
        check_state(command)
        table.proposals.correct(command.comparison, command.correction, command.at)

    @router.on("read_table", commands.ReadWholeTable)
    def _read_table(command: commands.ReadWholeTable) -> None:
        table.proposals.read_whole_table(command.on)

    @router.on("pause", commands.Pause)
    def _pause(command: commands.Pause) -> None:
        table.pause(command.on)

    @router.on("seat_people", commands.SeatPeople)
    def _seat_people(command: commands.SeatPeople) -> None:
        try:
            seating = Seating(command.angles)
        except CalibrationError as error:
            raise Refused("bad_request", str(error)) from None
        table.seating.set_seating(seating)

    add_correction_events(router, table, check_state)
    add_settings_events(router, table, channels.notify_all)
    add_enrolment_events(router, table)

    @router.on("director_run", commands.RunDirector)
    def _run_director(command: commands.RunDirector) -> None:
        director().run(command.on)

    @router.on("director_step", commands.StepDirector)
    def _step_director(_: commands.StepDirector) -> None:
        director().step()

    @router.on("director_speed", commands.SetDirectorSpeed)
    def _set_director_speed(command: commands.SetDirectorSpeed) -> None:
        director().set_speed(command.speed)


def undescribed_components(game: str) -> Any:
    """Return a game's components that players describe while they play, such as cards that are not enrolled.

    Raises `Refused` for an unknown game or one without such components.
    """
    try:
        make = adapter(game).undescribed
    except UnknownGame as error:
        raise Refused("bad_request", str(error)) from None
    if make is None:
        raise Refused("bad_request", say("This game has no cards to describe."))
    return make()


def undone_entry(principal: Principal, command: commands.Undo, lines: Sequence[HistoryLine]) -> int | None:
    """Return the number of the entry to undo; None for the latest move or correction, which only hosts may undo so.

    Raises `Refused` ("not_allowed") if a player undoes anything except their own choice of this phase, or their
    latest move of this turn. lines: the moves that count, oldest first.
    """
    if principal.role == HOST:
        return command.entry
    line = lines[-1:] if command.entry is None else [one for one in lines if one.number == command.entry]
    if not line or line[0].player is None or line[0].player != principal.seat:
        raise Refused("not_allowed", say("That was not your choice. Only a host can undo it."))
    later = lines[lines.index(line[0]) + 1 :]
    in_turn = {one.player for one in later if line[0].in_turn and one.in_turn}
    if any(one.player is None for one in later) or in_turn - {principal.seat}:
        raise Refused("not_allowed", say("The game has moved on since then. Only a host can undo that."))
    if in_turn:  # a promise would be taken back after it was paid
        raise Refused("not_allowed", say("You have moved since then. Undo that first."))
    return line[0].number
