"""Profile of one table, stored in one folder: camera pose, empty table, enrolled pieces, cards and boards.

The folder contains `profile.json`, which lists the other files of the profile; pictures and samples, in files whose
names contain their digest; and for each game a folder of cards with its own `deck.yaml`. `profile.json` is replaced
last, so that a crash at any moment leaves the old profile or the new one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import platformdirs

from calibration.boards.enrolled_board import MOST_BOARDS, EnrolledBoard
from calibration.camera.calibrate import Calibration
from calibration.camera.quality import Findings
from calibration.cards.deck import DECK_FILE, EnrolledDeck, refuse_handmade
from calibration.empty_table import (
    MOST_VIEWS,
    BackgroundView,
    EmptyTablePicture,
    Polygon,
    fill_covered_place,
    sheet_outline,
)
from calibration.errors import ProfileError
from calibration.files import crash_safe_files
from calibration.files.file_lock import exclusive_lock
from calibration.files.path_checks import is_file
from calibration.game_kit import Kit
from calibration.games import GAMES, kit
from calibration.light.light_field import LightField, table_light
from calibration.pieces.samples import PieceSamples
from calibration.plane import Image, TablePlane
from calibration.profile_file import (
    LOCK_FILE,
    PROFILE_FILE,
    GameEntry,
    PersonalBoardEntry,
    ProfileFile,
    ViewEntry,
    deck_folder,
    read_listing,
)
from calibration.profile_versions import VERSION
from calibration.seats import Seating, seating_for, with_seating
from calibration.simulated_profile_mark import remove_mark
from calibration.translatable import say


@dataclass(frozen=True, eq=False)
class EnrolledGame:
    """What is enrolled of one game."""

    pieces: Mapping[str, PieceSamples] = field(default_factory=dict)
    """Samples of pieces, by kind."""
    deck: EnrolledDeck | None = None
    """Enrolled cards; None until one is enrolled."""
    on_pattern: frozenset[str] = frozenset()
    """Kinds with samples that were marked on a patterned ground, such as a printed board."""
    personal_boards: Mapping[str, EnrolledBoard] = field(default_factory=dict)
    """The players' own boards, photographed empty, by name."""

    def __bool__(self) -> bool:
        """Return whether any pieces, cards or boards are enrolled."""
        return bool(self.pieces or self.deck or self.personal_boards)


@dataclass(frozen=True, eq=False)
class TableProfile:
    """Everything calibrated and enrolled for one table.

    Pieces, cards and boards are those of one of its games; `of` returns the profile with those of another.
    """

    seats: int
    """Number of seats."""
    plane: TablePlane | None = None
    """Camera pose; None until it is calibrated."""
    findings: Findings | None = None
    """Quality of the calibration; None for a fixed scale."""
    table_light: tuple[float, float, float] | None = None
    """Reference to which all colours are normalised: linear BGR of the bare table, as calibrated before the first
    piece was enrolled."""
    views: tuple[BackgroundView, ...] = ()
    """Pictures from which the empty table is computed."""
    pieces: Mapping[str, PieceSamples] = field(default_factory=dict)
    """Samples of pieces, by kind."""
    deck: EnrolledDeck | None = None
    """Enrolled cards; None until one is enrolled."""
    on_pattern: frozenset[str] = frozenset()
    """Kinds with samples that were marked on a patterned ground, such as a printed board."""
    personal_boards: Mapping[str, EnrolledBoard] = field(default_factory=dict)
    """The players' own boards, photographed empty, by name."""
    seatings: tuple[Seating, ...] = ()
    """Directions of the seats, for each number of seats that are not spaced evenly."""
    game: str = GAMES[0]
    """Id of the game of these pieces, cards and boards."""
    other_games: Mapping[str, EnrolledGame] = field(default_factory=dict)
    """What is enrolled of other games, by the game's id."""
    empty_table: EmptyTablePicture | None = None
    """Cached picture of the empty table; it is renewed when views or size change."""

    def __post_init__(self) -> None:
        """Make the mappings read-only, and renew the empty table if it is not of these views and size."""
        object.__setattr__(self, "pieces", MappingProxyType(dict(self.pieces)))
        object.__setattr__(self, "personal_boards", MappingProxyType(dict(self.personal_boards)))
        object.__setattr__(self, "other_games", MappingProxyType(dict(self.other_games)))
        known, size = self.empty_table, None if self.plane is None else self.plane.image_size
        if known is None or (known.views, known.size) != (self.views, size):
            object.__setattr__(self, "empty_table", None if size is None else EmptyTablePicture(self.views, size))

    @property
    def kit(self) -> Kit:
        """The kit of the profile's game."""
        return kit(self.game)

    @property
    def enrolled_games(self) -> Mapping[str, EnrolledGame]:
        """The enrolled pieces, cards and boards of each game that has any, by the game's id."""
        own = EnrolledGame(self.pieces, self.deck, self.on_pattern, self.personal_boards)
        return {game: enrolled for game, enrolled in {self.game: own, **self.other_games}.items() if enrolled}

    def of(self, game: str) -> TableProfile:
        """Return the profile with the pieces, deck and boards of a game; the table stays the same.

        Raises ProfileError for a game that has no kit.
        """
        if game == self.game:
            return self
        others = {name: enrolled for name, enrolled in self.enrolled_games.items() if name != kit(game).game}
        now = self.other_games.get(game, EnrolledGame())
        return replace(
            self,
            game=game,
            other_games=others,
            pieces=now.pieces,
            deck=now.deck,
            on_pattern=now.on_pattern,
            personal_boards=now.personal_boards,
        )

    @property
    def background(self) -> Image | None:
        """The empty table, BGR, in the calibrated size; None without views."""
        return None if self.empty_table is None else self.empty_table.image

    def light(self, background: Image | None = None) -> LightField:
        """Return the correction of the light on the table that makes colours comparable with those of samples.

        background: recent BGR picture of the table with little on it; None for the profile's own. Raises
        ProfileError before calibration.
        """
        if background is None:
            return self._own_light
        return LightField.of(background, self._reference)

    @property
    def _reference(self) -> tuple[float, float, float]:
        if self.table_light is None:
            raise ProfileError(say("This table is not calibrated yet: run `companion calibrate` first."))
        return self.table_light

    @cached_property
    def _own_light(self) -> LightField:
        if self.background is None:
            raise ProfileError(
                say("This profile has no picture of the empty table yet: run `companion calibrate` first.")
            )
        return LightField.of(self.background, self._reference)

    def seating(self, seats: int | None = None) -> Seating:
        """Return the seating for a number of seats; None for the profile's own number."""
        return seating_for(self.seats if seats is None else seats, self.seatings)

    def with_seating(self, seating: Seating) -> TableProfile:
        """Return the profile with this seating for its number of seats."""
        return replace(self, seatings=with_seating(self.seatings, seating))

    def calibrated(self, calibration: Calibration) -> TableProfile:
        """Return the profile with a new calibration; what is enrolled stays.

        Views from the camera's earlier position are dropped. Only what they show of the table under the calibration
        sheet is reused.
        """
        outline = sheet_outline(calibration.plane)
        view = BackgroundView.of(calibration.image, [outline])
        uncovered = view.uncovered(calibration.plane.image_size)
        if self.plane is not None and self.background is not None:
            before = self.plane.fitting(self.background)
            bare = fill_covered_place(
                calibration.image, calibration.plane, outline, self.views, self.background, before
            )
            view = view if bare is None else BackgroundView.of(bare)
        return replace(
            self,
            seats=calibration.seats,
            plane=calibration.plane,
            findings=calibration.findings,
            table_light=self._kept_light() or table_light(calibration.image, uncovered),
            views=(view,),
        )

    def with_flat(self, px_per_mm: float, seats: int) -> TableProfile:
        """Return the profile with a fixed scale instead of a calibration, for a camera straight above the table."""
        plane = TablePlane.flat(px_per_mm)
        return replace(self, seats=seats, plane=plane, findings=None, table_light=self._kept_light(), views=())

    def _kept_light(self) -> tuple[float, float, float] | None:
        # Samples are stored under the light of their time: a new reference would make all of them wrong.
        return self.table_light if self.pieces else None

    def with_view(self, image: Image, covered: Sequence[Polygon]) -> TableProfile:
        """Return the profile with one more picture for the empty table.

        image: BGR. covered: outlines (px) of the objects on it. If there are more than MOST_VIEWS, the oldest view
        with a covered place is dropped, or the oldest if none has one.
        """
        view = BackgroundView.of(image, covered)
        others = tuple(other for other in self.views if other.jpeg != view.jpeg)
        reference = self.table_light
        if reference is None and self.plane is not None:
            reference = table_light(image, view.uncovered((image.shape[1], image.shape[0])))
        views = [*others, view]
        while len(views) > MOST_VIEWS:
            views.pop(next((number for number, old in enumerate(views[:-1]) if old.covered), 0))
        return replace(self, views=tuple(views), table_light=reference)

    def with_pieces(self, kind: str, samples: PieceSamples) -> TableProfile:
        """Return the profile with these samples of a kind, which replace earlier ones."""
        return replace(self, pieces={**self.pieces, kind: samples})

    def with_personal_board(self, board: EnrolledBoard) -> TableProfile:
        """Return the profile with a personal board, which replaces one of the same name.

        Raises ProfileError when there are too many.
        """
        known = {**self.personal_boards, board.id: board}
        if len(known) > MOST_BOARDS:
            raise ProfileError(
                say(
                    "The profile already has {number} boards, as many as it can hold: delete one first.",
                    number=MOST_BOARDS,
                )
            )
        return replace(self, personal_boards=known)

    def save(self, name_or_path: str | Path, *, simulated: bool = False) -> Path:
        """Write the profile and return its folder. Raises ProfileError when the folder cannot be written.

        simulated: by the simulated table; otherwise it is a real table's from now on, see `simulated_profile_mark`.
        """
        folder = folder_of(name_or_path)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with exclusive_lock(folder / LOCK_FILE):
                if not simulated:
                    remove_mark(folder)  # first, so that a crash leaves no real profile marked
                self._write(folder)
        except OSError as error:
            reason = error.strerror or str(error)
            raise ProfileError(
                say("The profile cannot be written to {folder}: {reason}.", folder=folder, reason=reason)
            ) from error
        return folder

    def _write(self, folder: Path) -> None:
        """Write the profile's files, the listings last, `profile.json` last of all; remove unused files."""
        decks = {
            deck_folder(folder, game): enrolled.deck
            for game, enrolled in self.enrolled_games.items()
            if enrolled.deck is not None
        }
        for cards in decks:
            refuse_handmade(cards / "deck.yaml")
        views = tuple(
            ViewEntry(file=crash_safe_files.write_named(folder, "view", ".jpg", view.jpeg), covered=view.covered)
            for view in self.views
        )
        background = None
        if self.empty_table is not None and self.empty_table.png is not None:
            # It spares the median of all views at each start.
            background = crash_safe_files.write_named(folder, "background", ".png", self.empty_table.png)
        games = {game: _write_game(folder, enrolled) for game, enrolled in self.enrolled_games.items()}
        pictures = {cards: deck.write_pictures(cards) for cards, deck in decks.items()}
        listing = ProfileFile(
            version=VERSION,
            seats=self.seats,
            plane=self.plane,
            findings=self.findings,
            table_light=self.table_light,
            background=background,
            views=views,
            seatings=self.seatings,
            games=games,
        )
        listings = {cards / "deck.yaml": deck.listing(pictures[cards]) for cards, deck in decks.items()}
        listings[folder / "profile.json"] = listing.model_dump_json(indent=1).encode()
        crash_safe_files.write_in_turn(listings)
        crash_safe_files.drop_unused(folder, listing.files, PROFILE_FILE)
        for cards, names in pictures.items():
            crash_safe_files.drop_unused(cards, names.values(), DECK_FILE)

    @classmethod
    def load(cls, name_or_path: str | Path) -> TableProfile:
        """Return the profile of a name or in a folder.

        Raises ProfileError if there is none, if a file of it is missing or damaged, or if a newer version of the
        companion wrote it.
        """
        folder = folder_of(name_or_path)
        listing = read_listing(folder)
        views = tuple(
            BackgroundView(crash_safe_files.read_part(folder, entry.file), entry.covered) for entry in listing.views
        )
        games = {game: _read_game(folder, game, entry) for game, entry in listing.games.items()}
        table = None
        if listing.background is not None and listing.plane is not None:
            data = crash_safe_files.read_part(folder, listing.background)
            table = EmptyTablePicture.from_png(views, listing.plane.image_size, data)
            if table is None:
                raise ProfileError(
                    say("The empty table's picture in {folder} is damaged: calibrate again.", folder=folder)
                )
        return cls(
            listing.seats,
            listing.plane,
            listing.findings,
            listing.table_light,
            views,
            seatings=listing.seatings,
            other_games={game: enrolled for game, enrolled in games.items() if game != GAMES[0]},
            empty_table=table,
            **vars(games.get(GAMES[0], EnrolledGame())),
        )


def _write_game(folder: Path, enrolled: EnrolledGame) -> GameEntry:
    """Write the samples and boards of a game, but not its cards; return its entry for `profile.json`."""
    pieces = {
        kind: crash_safe_files.write_named(folder, f"pieces-{kind.replace(':', '-')}", ".npz", samples.to_bytes())
        for kind, samples in enrolled.pieces.items()
    }
    personal = {
        board.id: PersonalBoardEntry(
            file=crash_safe_files.write_named(folder, "personal-board", ".png", board.to_png()),
            layout=board.layout,
            seen_px_per_mm=board.seen_px_per_mm,
        )
        for board in enrolled.personal_boards.values()
    }
    return GameEntry(
        pieces=pieces,
        on_pattern=tuple(sorted(enrolled.on_pattern)),
        personal_boards=personal,
        deck=enrolled.deck is not None,
    )


def _read_game(folder: Path, game: str, entry: GameEntry) -> EnrolledGame:
    """Return what is enrolled of a game. Raises ProfileError if a file is missing or damaged."""
    cards = deck_folder(folder, game)
    has_deck = entry.deck if entry.deck is not None else is_file(cards / "deck.yaml")
    return EnrolledGame(
        {
            kind: PieceSamples.from_bytes(crash_safe_files.read_part(folder, name))
            for kind, name in entry.pieces.items()
        },
        EnrolledDeck.load(cards, kit(game)) if has_deck else None,
        frozenset(entry.on_pattern),
        {
            name: EnrolledBoard.from_png(
                name, crash_safe_files.read_part(folder, board.file), board.layout, board.seen_px_per_mm
            )
            for name, board in entry.personal_boards.items()
        },
    )


def home() -> Path:
    """Return the folder for all data: $COMPANION_HOME or the user's. Raises ProfileError for a wrong `~user`."""
    own = os.environ.get("COMPANION_HOME")
    return _expanded(own) if own else platformdirs.user_data_path("labyrinth-companion")


def folder_of(name_or_path: str | Path) -> Path:
    """Return the folder of a profile: a path as it is; a bare name as a folder in `home()/profiles`.

    A bare name of a profile in the working folder counts as a path. Raises ProfileError for a name that is not
    allowed, and for `~user` of an unknown user.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in text or os.sep in text or text in (".", ".."):
        return _expanded(text)
    if is_file(Path(text) / "profile.json"):
        return Path(text)
    if not re.fullmatch(r"\w[\w .-]{0,63}", text):
        raise ProfileError(
            say("“{text}” cannot be a profile's name: use letters, digits, spaces and dashes.", text=text)
        )
    return home() / "profiles" / text


def _expanded(text: str) -> Path:
    """Return the path of a text, which may begin with `~` or `~user`. Raises ProfileError for an unknown user."""
    try:
        return Path(text).expanduser()
    except RuntimeError:
        raise ProfileError(say("There is no home folder for {text}: give the whole path.", text=text)) from None


def exists(name_or_path: str | Path) -> bool:
    """Return whether there is a profile of this name or in this folder."""
    return is_file(folder_of(name_or_path) / "profile.json")
