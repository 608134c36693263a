"""How soon screens are updated: `python -m tests.bench screens`.

A served table with 20 screens connected, which run in a process of their own as phones would. Measured: from a tap
to every screen; from the first frame in which a reveal is at rest to its result on a screen that did nothing; and
how much slower the table is watched while three screens follow its picture live. Pictures are drawn beforehand.
"""

from __future__ import annotations

import itertools
import json
import multiprocessing
import random
import re
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Connection
from pathlib import Path

import simple_websocket

from companion.adapters.wicked.bots.scenes import scene
from companion.director.hand_animation import HandAnimation, HandSpec
from companion.games.wicked.bots.random_moves import random_move
from companion.games.wicked.moves import Reveal
from companion.games.wicked.standin_deck import STANDIN
from companion.table import FrameReader, Loop, SavedGames, Table
from companion.table.reading.frame_reader import FrameResult, Readers, ReadingRequest
from companion.table.views import TableView
from tests.companion.director.rehearsal import PLAYERS, Room, furnished
from tests.serving import running
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import Grabber
from web import create_app

SCREENS = 20
WATCHING = 3
TAPS = 60
REVEALS = 10
FRAMES_A_SECOND = 30.0
"""As webcams give them: a reveal is read in five of them after three at rest."""
BETWEEN_PICTURES = 0.12
"""Seconds that the page waits between two pictures."""
RATE_FOR = 8.0
TURNS = 3
_NUMBER = re.compile(r'"version":(\d+)')


class Acted:
    """A camera that shows pictures drawn beforehand; `rested` is when the first of the latest rest was shown."""

    def __init__(self) -> None:
        self.idle: list[Image] = []
        self.script: Iterator[tuple[Image, bool]] = iter(())
        self.rested: float | None = None
        self._number = itertools.count(1)
        self._due = time.monotonic()

    def grab(self) -> Frame:
        """Wait for the next moment and give its picture."""
        self._due = max(self._due + 1.0 / FRAMES_A_SECOND, time.monotonic() - 0.05)
        time.sleep(max(0.0, self._due - time.monotonic()))
        number = next(self._number)
        image, rests = next(self.script, (self.idle[number % len(self.idle)], False))
        now = time.monotonic()
        if rests and self.rested is None:
            self.rested = now
        return Frame(image, number, now)

    def close(self) -> None:
        """Nothing is held."""


def screens(port: int, pipe: Connection) -> None:
    """Connect the screens; tell for each version when the first and the last of them heard of it."""
    heard: dict[int, list[float]] = {}
    lock, left = threading.Lock(), threading.Event()

    def listen_on(client: simple_websocket.Client) -> None:
        while not left.is_set():
            text = client.receive(timeout=1.0)
            now = time.monotonic()
            if text == "2":
                client.send("3")
            elif isinstance(text, str) and text.startswith('42["table"'):
                found = _NUMBER.search(text)
                if found:
                    with lock:
                        heard.setdefault(int(found[1]), []).append(now)

    threads = []
    for _ in range(SCREENS):
        client = simple_websocket.Client(f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket")
        client.send("40")
        threads.append(threading.Thread(target=listen_on, args=(client,), daemon=True))
        threads[-1].start()
    time.sleep(1.0)
    pipe.send("connected")
    while True:
        wanted = pipe.recv()
        if wanted is None:
            break
        until = time.monotonic() + 5.0
        while len(heard.get(wanted, ())) < SCREENS and time.monotonic() < until:
            time.sleep(0.002)
        with lock:
            pipe.send(tuple(heard.get(wanted, ())))
    left.set()


def watchers(port: int, pipe: Connection) -> None:
    """Follow the live picture as the page does, on several screens, until stopped."""
    left = threading.Event()

    def follow() -> None:
        mark = ""
        while not left.is_set():
            asked = urllib.request.Request(f"http://127.0.0.1:{port}/preview.jpg", headers={"If-None-Match": mark})
            try:
                with urllib.request.urlopen(asked, timeout=5) as answer:
                    mark = answer.headers.get("ETag", "")
                    answer.read()
            except urllib.error.HTTPError:
                pass  # 304: the same picture still
            left.wait(BETWEEN_PICTURES)

    threads = [threading.Thread(target=follow, daemon=True) for _ in range(WATCHING)]
    for thread in threads:
        thread.start()
    pipe.recv()
    left.set()


def main() -> None:
    """Print the three figures."""
    room, camera = furnished(), Acted()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        table = Table(SavedGames(Path(folder)), STANDIN, delay=1000.0)
        looked = _counting(table, room)
        table.start_game(PLAYERS[:4])
        rng = random.Random(1)
        while _state(table).phase != "search":
            table.play(random_move(_state(table), rng), _number(table))
        camera.idle = [room.renderer.render(scene(_state(table)), number) for number in range(6)]
        app = create_app(table)
        server = stack.enter_context(running(app))
        ours, theirs = multiprocessing.get_context("spawn").Pipe()
        process = multiprocessing.get_context("spawn").Process(target=screens, args=(server.port, theirs))
        process.start()
        assert ours.recv() == "connected"
        _taps(table, server.port, ours)
        loop = Loop(table, Grabber(lambda: camera))
        loop.start()
        time.sleep(3.0)
        _reveals(table, room, camera, ours, rng)
        _rates(looked, server.port)
        ours.send(None)
        process.join(10)
        loop.close()
        app.extensions["unsubscribe"]()
        table.close()


def _counting(table: Table, room: Room) -> list[float]:
    """Read the table with a reader that records the time of each frame."""
    reader = _TimedReader(room.readers)
    table.set_reader(reader)
    return reader.processed


class _TimedReader(FrameReader):
    """A frame reader that notes when each frame was processed (s)."""

    def __init__(self, readers: Readers) -> None:
        super().__init__(readers)
        self.processed: list[float] = []

    def process(self, frame: Frame, request: ReadingRequest) -> FrameResult:
        """Process a frame and note the time."""
        try:
            return super().process(frame, request)
        finally:
            self.processed.append(time.monotonic())


def _taps(table: Table, port: int, ours: Connection) -> None:
    """Tap undo and play in turn on one screen, and wait until every other one has heard of it."""
    client = simple_websocket.Client(f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket")
    client.send("40")
    hands = [{"search": 1, "witch": 0, "soul": 0} for _ in PLAYERS[:4]]
    waits: list[float] = []
    last: list[float] = []
    for tap in range(TAPS):
        time.sleep(0.15)
        game = table.view.game
        assert game is not None
        fields = {"game": game.id, "at": game.number}
        event = "undo" if tap % 2 else "play"
        if event == "play":
            fields["move"] = {"type": "reveal", "hands": hands}
        before = table.view.version
        began = time.monotonic()
        client.send(f"42{tap}" + json.dumps([event, fields]))
        while table.view.version == before or _number(table) == game.number:
            time.sleep(0.0005)
        ours.send(table.view.version)
        heard = ours.recv()
        assert len(heard) == SCREENS, f"only {len(heard)} screens heard of it"
        waits += [moment - began for moment in heard]
        last.append(max(heard) - began)
    client.close()
    print_times(f"from a tap to each of {SCREENS} screens", waits)
    print_times("from a tap to the last of them", last)


def _reveals(table: Table, room: Room, camera: Acted, ours: Connection, rng: random.Random) -> None:
    """Show reveals and wait until a screen receives what was read in them."""
    waits: list[float] = []
    unread = 0
    shown: list[TableView] = []
    unsubscribe = table.subscribe(shown.append)
    for number in range(REVEALS):
        state = _state(table)
        move = random_move(state, rng)
        assert isinstance(move, Reveal)
        frames = _played(room, table, move, number)
        shown.clear()
        camera.rested, camera.script = None, iter(frames)
        until = time.monotonic() + 12.0
        proposed = None
        while proposed is None and time.monotonic() < until:
            time.sleep(0.005)
            proposed = next((view for view in list(shown) if view.proposal is not None), None)
        if proposed is None or camera.rested is None:
            unread += 1
        else:
            ours.send(proposed.version)
            waits.append(max(ours.recv()) - camera.rested)
        camera.script = iter(())
        time.sleep(1.0)
        if table.view.proposal is not None:
            table.proposals.amend(table.view.proposal.id, move, _number(table))
            table.undo(_number(table))
    unsubscribe()
    print_times(f"from a still reveal to its result on every screen ({unread} of {REVEALS} not read)", waits)


def _played(room: Room, table: Table, move: Reveal, number: int) -> list[tuple[Image, bool]]:
    """Draw a reveal: hands come in and open, and rest for some seconds."""
    state = _state(table)
    hands = tuple(
        HandSpec(
            seat,
            (f"search:{state.players[seat].colour}",) * hand.search
            + ("sign:witch",) * hand.witch
            + ("sign:soul",) * hand.soul,
            0.0,
            1000 * number + seat,
        )
        for seat, hand in enumerate(move.hands)
    )
    showing = HandAnimation(hands)
    frames, moment = [], showing.open_at - 0.6  # the fists are there, and open now
    while moment < showing.open_at + 0.05:
        frames.append((room.renderer.render(scene(state, showing.at(moment)), number), False))
        moment += 1.0 / FRAMES_A_SECOND
    rest = [room.renderer.render(scene(state, showing.at(showing.open_at + 1.0)), seed) for seed in range(5)]
    return frames + [(rest[index % 5], True) for index in range(int(10 * FRAMES_A_SECOND))]


def _rates(looked: list[float], port: int) -> None:
    """Compare how often the table is looked at with and without screens that follow its picture, in turns."""
    context = multiprocessing.get_context("spawn")
    frames = {"alone": 0, "watched": 0}
    time.sleep(3.0)
    for _ in range(TURNS):
        frames["alone"] += _looks(looked)
        ours, theirs = context.Pipe()
        process = context.Process(target=watchers, args=(port, theirs))
        process.start()
        time.sleep(3.0)
        frames["watched"] += _looks(looked)
        ours.send(None)
        process.join(10)
    alone, watched = (frames[name] / (TURNS * RATE_FOR) for name in ("alone", "watched"))
    print(
        f"frames read a second with {SCREENS} screens connected: {alone:.2f}; with the live picture on "
        f"{WATCHING} of them: {watched:.2f}, {100 * (1 - watched / alone):.1f} % less"
    )


def _looks(looked: list[float]) -> int:
    looked.clear()
    time.sleep(RATE_FOR)
    return len(looked)


def _state(table: Table):
    game = table.view.game
    assert game is not None
    return game.state


def _number(table: Table) -> int:
    game = table.view.game
    assert game is not None
    return game.number


def print_times(what: str, seconds: list[float]) -> None:
    """Print median, 95th percentile and the longest of these times."""
    ordered = sorted(1000 * one for one in seconds)
    if ordered:
        print(
            f"{what}: {ordered[len(ordered) // 2]:.0f} ms median, "
            f"{ordered[int(0.95 * (len(ordered) - 1) + 0.5)]:.0f} ms 95th percentile, {ordered[-1]:.0f} ms longest",
            flush=True,
        )


if __name__ == "__main__":
    main()
