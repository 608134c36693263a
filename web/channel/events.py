"""The live channel: the table's commands, each guarded by itself."""

from __future__ import annotations

from calibration.errors import TeachError
from calibration.seats import Seating
from calibration.wording import say
from companion.games.wicked.rules.described_cards import OWN_CARDS
from companion.table.views import Refused, SeatView, TableView
from web.channel import commands
from web.channel.corrections import revising
from web.channel.enrolment import teaching
from web.channel.router import Guarded, caller
from web.channel.screens import Rooms
from web.games.wicked.advice import advising
from web.games.wicked.boards import boards
from web.people.roles import HOST, PLAYER, ROLES, Reader, check_move
from web.running_table import RunningDirector, RunningTable

AboutGame = commands.GameCommand | commands.StartGame | commands.ShowMe | commands.ResumeGame

_STALE = say("The table has moved on since you tapped, so nothing was changed. The page shows it as it is now.")


def connect(guarded: Guarded, table: RunningTable, rooms: Rooms) -> None:
    """Put the guarded handlers of all events about the table on the channel."""
    on = guarded.on

    def check_game(command: AboutGame) -> None:
        game = table.view.game
        if command.game != (game.id if game else None):
            raise Refused("stale", _STALE)

    def check(command: AboutGame) -> None:
        check_game(command)
        game = table.view.game
        if command.at != (game.number if game else None):
            raise Refused("stale", _STALE)

    def director() -> RunningDirector:
        if table.director is None:
            raise Refused("not_now", say("A real camera looks on here: only the simulated table plays by itself."))
        return table.director

    @on("refresh", commands.Refresh, *ROLES)
    def _refresh(_: commands.Refresh) -> None:
        rooms.welcome(caller())

    @on("start_game", commands.StartGame)
    def _start(command: commands.StartGame) -> None:
        check(command)
        seats = tuple(SeatView(seat.name, seat.colour) for seat in command.seats)
        table.start_game(seats, command.way, OWN_CARDS if command.own_cards else None)

    @on("show_me", commands.ShowMe)
    def _show(command: commands.ShowMe) -> None:
        director().show_me(lambda: check(command))

    @on("use_camera", commands.UseCamera)
    def _use_camera(_: commands.UseCamera) -> None:
        change_over = table.use_camera
        if change_over is not None:  # else a camera watches already
            change_over()

    @on("resume_game", commands.ResumeGame)
    def _resume(command: commands.ResumeGame) -> None:
        check(command)
        table.resume_game(command.id)

    @on("play", commands.Play, HOST, PLAYER)
    def _play(command: commands.Play) -> None:
        check_move(guarded.who(), command.move)
        check_game(command)  # the table itself knows which moves a choice made for an older state still fits
        table.play(command.move, command.at, "hand")

    @on("undo", commands.Undo, HOST, PLAYER)
    def _undo(command: commands.Undo) -> None:
        check_game(command)
        check_undo(guarded.who(), command, table.view)
        table.undo(command.at, command.entry)

    @on("accept", commands.Accept)
    def _accept(command: commands.Accept) -> None:
        check(command)
        table.accept(command.proposal, command.choice, command.at)

    @on("amend", commands.Amend)
    def _amend(command: commands.Amend) -> None:
        check(command)
        table.amend(command.proposal, command.move, command.at)

    @on("hold", commands.Hold)
    def _hold(command: commands.Hold) -> None:
        check(command)
        table.hold(command.proposal, command.at)

    @on("pause", commands.Pause)
    def _pause(command: commands.Pause) -> None:
        table.pause(command.on)

    @on("seat_people", commands.SeatPeople)
    def _seat_people(command: commands.SeatPeople) -> None:
        try:
            seating = Seating(command.angles)
        except TeachError as error:
            raise Refused("bad_request", str(error)) from None
        table.seating.seat(seating)

    revising(on, table, check)
    boards(on, table, check)
    advising(on, table, guarded.who, rooms.tell_all)
    teaching(on, table)

    @on("director_run", commands.Run)
    def _run(command: commands.Run) -> None:
        director().run(command.on)

    @on("director_step", commands.Step)
    def _step(_: commands.Step) -> None:
        director().step()

    @on("director_speed", commands.Speed)
    def _speed(command: commands.Speed) -> None:
        director().set_speed(command.speed)


def check_undo(reader: Reader, command: commands.Undo, view: TableView) -> None:
    """Raise `Refused` ("not_allowed") where a player takes back what is not the own choice of this phase."""
    if reader.role == HOST or view.game is None:
        return
    lines = view.game.history
    line = lines[-1:] if command.entry is None else [one for one in lines if one.number == command.entry]
    if not line or line[0].player is None or line[0].player != reader.seat:
        raise Refused("not_allowed", say("That was not your choice. Only the host takes it back."))
    if any(later.player is None for later in lines[lines.index(line[0]) :]):
        raise Refused("not_allowed", say("The game has gone on since then. Only the host takes that back."))
