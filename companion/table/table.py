"""The running table: processes frames and commands, plays the game, and publishes every change."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any, cast

from calibration.plane import TablePlane
from calibration.profile import TableProfile
from calibration.translatable import say
from companion.adapters import adapter
from companion.games import GAMES, UnknownGame
from companion.games.game import Viewer
from companion.session import Change, Revision, Session, Source
from companion.session.game_settings import EntryMode
from companion.table.camera_status_view import view_health_notice
from companion.table.director_interface import DirectorControls
from companion.table.enrolment.service import EnrolmentService
from companion.table.game_adapter import Adapter, GameServices, TableAccess
from companion.table.history.correction_service import CorrectionService
from companion.table.history.past_games import PastGames
from companion.table.history.saved_games import SavedGames
from companion.table.new_game_validation import validated_options, validated_seats
from companion.table.notices import Notices
from companion.table.proposal_service import ProposalService
from companion.table.publisher import Publisher
from companion.table.reading.camera_state import TableCamera
from companion.table.reading.frame_reader import FrameReader
from companion.table.reading.pause_reasons import ReadingPause
from companion.table.refusals import at_state, refusals, require_game, require_seat
from companion.table.running_game import RunningGame, may_see_picture
from companion.table.seat_angles_service import SeatingService
from companion.table.settings_service import SettingsService
from companion.table.views import CameraView, Option, Refused, SavedGame, SeatView, TableView
from vision.cameras.frame import Frame, Image
from vision.cameras.grabber import GrabStatus

DELAY = 2.5
"""Seconds for which a certain proposal can be held before it is confirmed and entered."""
_COUNTDOWN_INTERVAL = 0.5
"""Seconds between publications if only a countdown has changed."""
_STATUS_INTERVAL = 2.0
"""Seconds between publications if only the camera's figures have changed."""


class Table:
    """One table and its game. Commands may come from any thread; frames and ticks come from the reading thread.

    Every command raises `Refused` where it cannot be done, and then nothing has changed. A move is in the journal
    before it is published. In commands, `at` is the number of the state that the command is for.

    components: what new games of `game` begin with, see `Adapter.components`. game: id of the game that the camera
    reads (`served`); others are entered by hand. clock: monotonic seconds. delay: countdown of a certain proposal,
    s. work: executor for readings of the whole table; None creates a thread for them.
    """

    def __init__(
        self,
        saved: SavedGames,
        components: Any,
        *,
        game: str = GAMES[0],
        clock: Callable[[], float] = time.monotonic,
        delay: float = DELAY,
        work: Executor | None = None,
    ) -> None:
        self._saved = saved
        self.past = PastGames(saved)
        self._camera = TableCamera()
        self.timings = self._camera.timings
        self.components = components
        self._clock = clock
        self._lock = threading.RLock()
        self.corrections = CorrectionService(self._lock, self._at, self._game_changed)
        self.settings = SettingsService(self._lock, self._playing, self.publish)
        self.seating = SeatingService(self._lock, self._seating_changed)
        self.served, self._adapter = game, adapter(game)
        self._delay, self._work = delay, work
        self.proposals = self._proposals()
        self._services: dict[str, GameServices] = {}
        self._publisher: Publisher[TableView] = Publisher()
        self._session: Session | None = None
        self._game: RunningGame | None = None
        self._published_at = 0.0
        self._notices = Notices()
        self.director: DirectorControls | None = None
        self.enrolment: EnrolmentService | None = None
        self.use_camera: Callable[[str], None] | None = None
        self.use_simulation: Callable[[str], None] | None = None
        self.resume_camera: Callable[[str], None] | None = None
        self._view = TableView(version=0, camera=CameraView("preparing"))
        self.publish()

    # Queries

    @property
    def view(self) -> TableView:
        """The view that was published last."""
        return self._view

    def subscribe(self, callback: Callable[[TableView], None]) -> Callable[[], None]:
        """Register a callback for new views, called in a thread of its own; return a function that unsubscribes."""
        return self._publisher.subscribe(callback)

    def locked(self) -> AbstractContextManager[object]:
        """Return the table's lock: no other thread changes the game or `view` while it is held."""
        return self._lock

    def publish(self) -> None:
        """Publish the present state to all subscribers."""
        with self._lock:
            session, proposals = self._session, self.proposals
            self._view = TableView(
                version=self._view.version + 1,
                camera=self._camera.view(
                    asking=proposals.asks, unread=proposals.unread, where=proposals.unread_where
                ),
                game=self._game,
                proposal=proposals.view(),
                director=None if self.director is None else self.director.view,
                notices=self._notices.lines,
                noticed=self._notices.number,
                settings=None if session is None else self.settings.settings_of(session),
                comparison=proposals.comparison(),
                seatings=self.seating.angles,
            )
            self._published_at = self._clock()
            self._publisher.publish(self._view)

    def notice(self, line: str) -> None:
        """Publish one plain line as a notice."""
        with self._lock:
            self._notices.add(line)
            self.publish()

    def options(self, player: int, viewer: Viewer = None) -> tuple[Option, ...]:
        """Return the moves that the player at a seat may make now, without those that the viewer may not know."""
        with self._lock:
            session = require_seat(self._playing(), player)
            game = RunningGame(session.id, session.timeline)
        return game.options(player, viewer)

    @property
    def picture(self) -> Image | None:
        """The camera's newest picture, BGR, not to be changed; None if it is old or there is none."""
        with self._lock:
            return self._camera.picture

    @property
    def plane(self) -> TablePlane | None:
        """The table plane that the frame reader uses; None without a frame reader or calibration."""
        return self._camera.plane

    def preview(self) -> bytes | None:
        """Return the newest picture as JPEG with the readings drawn over it; None before the first frame."""
        with self._lock:
            frame, reader = self._camera.frame, None if self._camera.pause.setup else self._camera.reader
        return None if frame is None else self._camera.preview_of(frame, reader)

    def evidence(self, entry: int, viewer: Viewer = None) -> bytes | None:
        """Return the picture of a journal entry (by number) as JPEG; None without one that the viewer may see."""
        with self._lock, refusals():
            session = self._playing()
            return session.evidence(entry) if may_see_picture(session.timeline, entry, viewer) else None

    def services(self, game: str) -> GameServices | None:
        """Return the services, such as advice, that only the game with this id has; None without any."""
        with self._lock:
            if game not in self._services and (make := adapter(game).services) is not None:
                self._services[game] = make(self._access())
            return self._services.get(game)

    def games(self) -> tuple[SavedGame, ...]:
        """Return the saved games, without demonstrations of bots, the one played last first."""
        return self._saved.saved_games()

    # Commands

    def start_game(
        self,
        seats: Sequence[SeatView],
        way: EntryMode = "camera",
        components: Any = None,
        game: str | None = None,
        options: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Start a new game.

        way: how moves are entered. components: such as a deck; None for those enrolled, or stand-ins. game: its id;
        None for the one that the camera reads. options: chosen value by id of `Game.options`.
        """
        played = self._adapter_of(game or self.served)
        seats = validated_seats(played.game, seats)
        options = validated_options(played.game, len(seats), options)
        served = played.game.id == self.served
        own = self.components if served else played.components(TableProfile(len(seats)))
        setup = played.game.with_options(played.setup(components or own, way if served else "hand"), options)
        with self._lock, refusals():
            self._open_session(self._saved.create_game(played.game, seats, setup, way))

    def switch_game(self, game: str, components: Any) -> None:
        """Set the game that the camera reads, by id, and the components that its new games begin with.

        A running game of another kind is entered by hand from now on.
        """
        with self._lock:
            self.served, self.components = game, components
            if self._session is not None:
                self._camera.pause = self._camera.pause.with_mode(self._entry_mode(self._session))
            self.publish()

    def resume_game(self, id: str) -> None:
        """Resume a saved game where it was left, with a camera if one read it (`resume_camera`)."""
        with self._lock, refusals():
            if self._session is None or self._session.id != id:
                self._open_session(self._saved.open(id))
            session = self._playing()
        # Not under the lock: the simulated table ends first, and its threads take the lock.
        if self.resume_camera is not None and self.settings.settings_of(session).way == "camera":
            self.resume_camera(session.game.id)

    def resume_unfinished(self) -> None:
        """Resume the game that was played last, if it is not over; publish a notice where that fails."""
        id, unreadable = self._saved.unfinished(), self._saved.unreadable()
        if id is not None:
            try:
                self.resume_game(id)
                self.notice(say("The last game goes on where it was left."))
            except Refused as refused:
                self.notice(str(refused))
        for line in unreadable:
            self.notice(line)

    def play(self, move: Any, at: int, source: str = "hand") -> None:
        """Enter a move into the journal. at: number of the state that it was chosen in.

        source: "hand", "camera" or "bot".
        """
        if source not in ("hand", "camera", "bot"):
            raise Refused("bad_request", say("A move cannot come from {source}.", source=repr(source)))
        with self._lock:
            with refusals(session := self._playing()):
                session.play(move, at, cast("Source", source))
            self._entered(session, (move,))

    def undo(self, at: int, entry: int | None = None) -> None:
        """Undo the latest move or correction; if the camera reads that move again, a person has to confirm it.

        at: number of the latest entry that the sender knew; another one is refused. entry: number of an earlier
        journal entry to undo instead; the later moves have to be legal without it.
        """
        with self._lock:
            session = self._playing()
            with refusals(session):
                session.undo(at, entry)
            self._game_changed(session)

    def revise(self, entry: int, move: Any, at: int) -> None:
        """Replace the move of journal entry number `entry`; later moves stay. at: as in `undo`."""
        self.corrections.correct(Revision((Change(entry, move),)), at)

    def pause(self, on: bool) -> None:
        """Pause reading the camera, so that a waiting proposal needs a person's answer; resume it with on=False."""
        with self._lock:
            self._set_pause(self._camera.pause.with_pause(on))

    def pause_for_setup(self, on: bool) -> None:
        """Pause reading during a setup step, or resume it; the pause ends after `SETUP_TIMEOUT` unless renewed."""
        with self._lock:
            self._set_pause(self._camera.pause.with_setup(on, self._clock()))

    def close(self) -> None:
        """Close the game's journal, stop the background work, and stop publishing."""
        with self._lock:
            if self._session is not None:
                self._session.close()
        self.proposals.close()
        for services in self._services.values():
            services.close()
        self._publisher.close()

    # The reading thread

    def set_reader(self, reader: FrameReader | None, why_not: str = "") -> None:
        """Set the frame reader and discard what another one has read. why_not: line about why there is none."""
        with self._lock:
            self._camera.set_reader(reader, why_not)
            self.proposals.restart(reader)
            self.publish()

    def update_camera_status(self, status: GrabStatus) -> None:
        """Publish the camera's status: a new state at once, new figures at intervals."""
        with self._lock:
            changed, back = self._camera.update(status)
            if back:
                self.notice(say("The camera is back."))
            if changed or self._clock() - self._published_at >= _STATUS_INTERVAL:
                self.publish()

    def process_frame(self, frame: Frame) -> None:
        """Track motion in a frame, read it if the game waits for a reading, and propose moves."""
        with self._lock:
            self._camera.frame = frame
            reader = self._camera.reader_of(frame)
            request = self.proposals.request(frame.taken_at)
        if reader is None:
            return
        started = time.perf_counter()
        result = reader.process(frame, request)
        spent = (time.perf_counter() - started) * 1000.0
        with self._lock:
            if reader is not self._camera.reader:
                return  # It was replaced meanwhile: its readings are of another camera or calibration.
            differs = self._camera.record(result, spent)
            self.proposals.process(frame, reader, request, result, paused=bool(self._camera.pause))
            if line := view_health_notice(result.health):
                self.notice(line)
            elif differs:
                self.publish()

    def report_unreadable_frame(self, line: str) -> None:
        """Publish why a frame could not be read, as the camera's status until another one is processed."""
        with self._lock:
            if self._camera.record_failure(line):
                self.notice(line)

    def tick(self) -> None:
        """Publish the countdown of a certain proposal, and end a setup pause that has timed out."""
        with self._lock:
            now = self._clock()
            self._set_pause(self._camera.pause.without_expired_setup(now))
            if self.proposals.counts_down and now - self._published_at >= _COUNTDOWN_INTERVAL:
                self.publish()

    # Under the lock

    def _proposals(self) -> ProposalService:
        return ProposalService(
            self._adapter,
            self.seating,
            lambda: self._session,
            self._entered,
            self._game_changed,
            self.publish,
            self.notice,
            lock=self._lock,
            clock=self._clock,
            delay=self._delay,
            work=self._work,
        )

    def _access(self) -> TableAccess:
        return TableAccess(
            self._lock,
            self._playing,
            self.settings.settings_of,
            self._saved.folder,
            self._profile,
            lambda: self.picture,
        )

    def _adapter_of(self, game: str) -> Adapter[Any, Any]:
        try:
            return adapter(game)
        except UnknownGame as error:
            raise Refused("bad_request", str(error)) from None

    def _profile(self) -> TableProfile | None:
        return None if self.enrolment is None else self.enrolment.saved_profile()

    def _seating_changed(self) -> None:
        """Discard what was read after people have changed their places, and publish that."""
        self.proposals.restart(self._camera.reader)
        self.publish()

    def _entered(self, session: Session, moves: Sequence[Any]) -> None:
        """Update frame reader and view after moves were entered."""
        if any(map(self._adapter.shown_by_hands, moves)) and self._camera.reader is not None:
            self._camera.reader.hands_entered()
        self._game_changed(session)

    def _set_pause(self, pause: ReadingPause) -> None:
        before, self._camera.pause = self._camera.pause, pause
        changed = (pause.paused, pause.setup) != (before.paused, before.setup)
        if (pause and self.proposals.stop_countdown()) or changed:
            self.publish()

    def _game_changed(self, session: Session) -> None:
        """Update the game, proposals and view after the journal has changed."""
        self._game = RunningGame(session.id, session.timeline)
        self._camera.read_from = self._clock()
        self.proposals.update_state(session)
        self.publish()

    def _open_session(self, session: Session) -> None:
        if self._session is not None:
            self._session.close()
        self._session = session
        self._notices.clear()
        if session.game.id != self._adapter.game.id:
            self.proposals.close()
            self._adapter = adapter(session.game.id)
            self.proposals = self._proposals()
        self.proposals.restart(self._camera.reader)
        self._camera.pause = self._camera.pause.with_mode(self._entry_mode(session))
        self._game_changed(session)

    def _entry_mode(self, session: Session) -> EntryMode:
        return self.settings.entry_mode(session, self.served, simulated=self.director is not None)

    def _playing(self) -> Session:
        return require_game(self._session)

    def _at(self, at: int) -> Session:
        return at_state(self._session, at)
