"""The live channel: publishes the table to every screen and takes commands, each guarded by itself."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from flask_socketio import SocketIO, emit

from companion.games.wicked.components import PLAYER_COLOURS
from companion.table.views import Refused, SeatView
from web import commands
from web.commands import C, understand
from web.publication import as_json, as_plain, publication
from web.revising import revising
from web.running_table import RunningDirector, RunningTable
from web.teaching import teaching

Answer = dict[str, Any]

_SHOW_NAMES = ("Ada", "Bruno", "Chie", "Dolores")
_STALE = "The table has moved on since you tapped, so nothing was changed. The page shows it as it is now."


def connect(socketio: SocketIO, table: RunningTable) -> None:
    """Put the guarded handlers of all events on the socket."""
    starting = threading.Lock()

    def on(event: str, kind: type[C]) -> Callable[[Callable[[C], object]], None]:
        def register(act: Callable[[C], object]) -> None:
            socketio.on_event(event, lambda *payload: _answer(kind, act, payload))

        return register

    def check(command: commands.GameCommand | commands.StartGame | commands.ShowMe | commands.ResumeGame) -> None:
        game = table.view.game
        if command.game != (game.id if game else None) or command.at != (game.number if game else None):
            raise Refused("stale", _STALE)

    def director() -> RunningDirector:
        if table.director is None:
            raise Refused("not_now", "A real camera looks on here: only the simulated table plays by itself.")
        return table.director

    def greet() -> None:
        emit("table", as_json(publication(table.view)))

    socketio.on_event("connect", greet)

    @on("refresh", commands.Refresh)
    def _refresh(_: commands.Refresh) -> None:
        emit("table", as_json(publication(table.view)))

    @on("start_game", commands.StartGame)
    def _start(command: commands.StartGame) -> None:
        with starting:
            check(command)
            table.start_game(tuple(SeatView(seat.name, seat.colour) for seat in command.seats))

    @on("show_me", commands.ShowMe)
    def _show(command: commands.ShowMe) -> None:
        with starting:
            check(command)
            plays = director()
            table.start_game(
                tuple(SeatView(name, colour) for name, colour in zip(_SHOW_NAMES, PLAYER_COLOURS, strict=False))
            )
            plays.run(True)

    @on("resume_game", commands.ResumeGame)
    def _resume(command: commands.ResumeGame) -> None:
        with starting:
            check(command)
            table.resume_game(command.id)

    @on("play", commands.Play)
    def _play(command: commands.Play) -> None:
        check(command)
        table.play(command.move, command.at, "hand")

    @on("undo", commands.Undo)
    def _undo(command: commands.Undo) -> None:
        check(command)
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

    revising(on, table, check)
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


def _answer(kind: type[C], act: Callable[[C], object], payload: tuple[Any, ...]) -> Answer:
    """Validate, act and acknowledge: {ok: true, result: what came of it} or {ok: false, error: {code, message}}."""
    try:
        if len(payload) > 1:
            raise Refused("bad_request", "The companion did not understand that message. Reload the page.")
        result = act(understand(kind, payload[0] if payload else None))
    except Refused as refused:
        return {"ok": False, "error": {"code": refused.code, "message": str(refused)}}
    except Exception:
        logging.getLogger(__name__).exception("A %s command failed", kind.__name__)
        message = "The companion could not do that, and nothing was changed. Try again; its log says more."
        return {"ok": False, "error": {"code": "failed", "message": message}}
    return {"ok": True} if result is None else {"ok": True, "result": as_plain(result)}
