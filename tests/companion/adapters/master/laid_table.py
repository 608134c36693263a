"""A board on the table as a test lays it, and noisy readings of it as a camera's reader returns them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from companion.games.master.components import COLOURS, FIXED, PLACES, SIZE, TOKENS
from companion.games.master.maze import Maze, letters, rotated
from companion.games.master.state import TAKEN, MasterState
from vision.games.master.objects.board_orientation import turned_openings, turned_place
from vision.games.master.readings import MazeReading, MazeState, TileReading, TokenReading, WizardReading
from vision.readings import Box

OPENINGS = ("TB", "RL", "TR", "RB", "BL", "TL", "TRL", "TRB", "RBL", "TBL")
K = TypeVar("K")
_BOX: Box = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True)
class LaidTable:
    """What lies on the table; places may be None for the spare tile."""

    tiles: tuple[int, ...]
    spare: int
    tokens: dict[int, int | None]
    """Place by number."""
    wizards: dict[str, int | None]
    """Place by colour."""

    @classmethod
    def of(cls, state: MasterState) -> LaidTable:
        """The table of a position."""
        assert state.maze is not None
        places = zip(TOKENS, state.tokens, strict=True)
        return cls(
            state.maze.tiles(),
            state.maze.spare,
            {number: place for number, place in places if place != TAKEN},
            {player.colour: place for player, place in zip(state.players, state.wizards, strict=True)},
        )

    def with_wizard(self, colour: str, place: int | None) -> LaidTable:
        return replace(self, wizards=self.wizards | {colour: place})

    def with_token(self, number: int, place: int | None) -> LaidTable:
        return replace(self, tokens=self.tokens | {number: place})

    def without_token(self, number: int) -> LaidTable:
        return replace(self, tokens={one: place for one, place in self.tokens.items() if one != number})

    def with_tile(self, place: int, openings: int) -> LaidTable:
        return replace(self, tiles=(*self.tiles[:place], openings, *self.tiles[place + 1 :]))

    @property
    def maze(self) -> Maze:
        return Maze.of(self.tiles, self.spare)


@dataclass(frozen=True)
class Noise:
    """How a reader errs, as probabilities per thing: rates that a reader of the required accuracy may have."""

    tile: float = 1e-3
    """The likeliest openings are wrong."""
    tile_unsure: float = 0.02
    """The probability of the right openings is 0.6 to 0.98."""
    spare: float = 0.01
    """The spare is not found, or its shape is wrong."""
    number: float = 2e-3
    """The likeliest number is wrong."""
    number_unsure: float = 0.02
    missed: float = 1e-3
    """A disc is not detected."""
    missed_below: float = 0.97
    """A disc on whose place a wizard stands is not detected."""
    false: float = 2e-4
    """A disc is detected on a tile without one."""
    wizard: float = 2e-3
    """A wizard is read on a neighbouring place."""
    wizard_unsure: float = 0.02
    colour_unsure: float = 0.02
    turned: float = 0.02
    """The picture shows the board from another side, and the reading does not show how it lies."""
    pictures: int = 5


CLEAN = Noise(
    tile=0.0,
    tile_unsure=0.0,
    spare=0.0,
    number=0.0,
    number_unsure=0.0,
    missed=0.0,
    missed_below=1.0,
    false=0.0,
    wizard=0.0,
    wizard_unsure=0.0,
    colour_unsure=0.0,
    turned=0.0,
    pictures=1,
)
"""A reader without errors; a wizard hides the disc on its place."""


@dataclass
class NoisyReader:
    """Returns readings of a laid table. Errors are the same in all pictures of a scene, certainty varies."""

    dice: random.Random
    noise: Noise = field(default_factory=Noise)

    def read(self, table: LaidTable) -> list[MazeReading]:
        """The readings of one still scene."""
        noise, dice = self.noise, self.dice
        seen = self._scene(table)
        quarters = dice.choice((1, 2, 3)) if dice.random() < noise.turned else 0
        return [_turned(self._picture(seen), quarters) for _ in range(noise.pictures)]

    def _scene(self, table: LaidTable) -> MazeReading:
        spare = None if self.dice.random() < self.noise.spare / 2 else self._tile(self._any_rotation(table.spare))
        return MazeReading(
            "board",
            oriented=True,
            tiles=tuple(
                _tile({letters(tile): 1.0}) if place in FIXED else self._tile(letters(tile))
                for place, tile in enumerate(table.tiles)
            ),
            spare=spare,
            tokens=self._tokens(table),
            wizards=tuple(self._wizard(colour, place, table) for colour, place in table.wizards.items()),
            confidence=0.99,
        )

    def _any_rotation(self, spare: int) -> str:
        if self.dice.random() < self.noise.spare / 2:
            return self.dice.choice(OPENINGS)
        return letters(rotated(spare, self.dice.randrange(4)))

    def _sureness(self, error: float, unsure: float) -> float:
        """Probability that a reader gives to the truth."""
        draw = self.dice.random()
        if draw < error:
            return self.dice.uniform(0.02, 0.4)
        return self.dice.uniform(0.6, 0.98) if draw < error + unsure else self.dice.uniform(0.99, 0.9999)

    def _tile(self, openings: str) -> TileReading:
        right = self._sureness(self.noise.tile, self.noise.tile_unsure)
        other = self.dice.choice([one for one in OPENINGS if one != openings])
        rest = (1.0 - right) * 0.1 / 8
        return _tile(dict.fromkeys(OPENINGS, rest) | {openings: right, other: (1.0 - right) * 0.9})

    def _tokens(self, table: LaidTable) -> tuple[TokenReading, ...]:
        standing = set(table.wizards.values())
        found = []
        for number, place in table.tokens.items():
            missed = self.noise.missed_below if place in standing and place is not None else self.noise.missed
            if self.dice.random() < missed:
                continue
            right = self._sureness(self.noise.number, self.noise.number_unsure)
            other = self.dice.choice([one for one in TOKENS if one != number])
            found.append(_token({number: right, other: (1.0 - right) * 0.9}, place))
        for place in range(PLACES):
            if place not in table.tokens.values() and self.dice.random() < self.noise.false:
                found.append(_token({self.dice.choice(TOKENS): 0.5}, place))
        return tuple(found)

    def _wizard(self, colour: str, place: int | None, table: LaidTable) -> WizardReading:
        right = 1.0
        near: list[int | None] = []
        if place is not None:
            row, column = divmod(place, SIZE)
            right = self._sureness(self.noise.wizard, self.noise.wizard_unsure)
            near = [
                SIZE * (row + dy) + column + dx
                for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= row + dy < SIZE and 0 <= column + dx < SIZE
            ]
        # A doubtful colour looks like that of another wizard, wherever that one stands.
        sure = self.dice.uniform(0.5, 0.95) if self.dice.random() < self.noise.colour_unsure else 1.0
        mistaken = self.dice.choice(list(table.wizards.values()))
        places: dict[int | None, float] = {}
        for where, share in (
            (place, right * sure),
            (self.dice.choice(near or [place]), (1.0 - right) * sure),
            (mistaken, 1.0 - sure),
        ):
            places[where] = places.get(where, 0.0) + share
        best = max(places, key=lambda one: places[one])
        colours = dict.fromkeys(COLOURS, (1.0 - sure) / 3) | {colour: sure}
        return WizardReading(colour, best, places[best], False, colours, places, _BOX)

    def _picture(self, scene: MazeReading) -> MazeReading:
        """One picture of a scene: the same errors, other certainty."""
        tiles = tuple(_tile(self._jittered(tile.probabilities)) for tile in scene.tiles)
        tokens = tuple(_token(self._jittered(disc.probabilities), disc.place) for disc in scene.tokens)
        return replace(scene, tiles=tiles, tokens=tokens)

    def _jittered(self, probabilities: Mapping[K, float]) -> dict[K, float]:
        power = self.dice.uniform(0.9, 1.1) if self.noise.pictures > 1 else 1.0
        total = sum(probabilities.values())
        raised = {key: value**power for key, value in probabilities.items() if value > 0.0}
        scale = total / sum(raised.values())
        return {key: value * scale for key, value in raised.items()}


def _tile(probabilities: dict[str, float]) -> TileReading:
    total = sum(probabilities.values())
    best = max(probabilities, key=lambda one: probabilities[one])
    shares = {one: value / total for one, value in probabilities.items()}
    return TileReading(best, shares[best], shares[best] < 0.98, shares, _BOX)


def _token(probabilities: dict[int, float], place: int | None) -> TokenReading:
    best = max(probabilities, key=lambda one: probabilities[one])
    return TokenReading(best, place, probabilities[best], probabilities[best] < 0.98, probabilities, _BOX)


def _turned(reading: MazeReading, quarters: int) -> MazeReading:
    """A reading as from another side of the table; it does not show how the board lies."""
    if not quarters:
        return reading

    def there(place: int | None) -> int | None:
        return None if place is None else turned_place(place, quarters)

    tiles = {
        turned_place(place, quarters): _tile(
            {turned_openings(o, quarters): p for o, p in tile.probabilities.items()}
        )
        for place, tile in enumerate(reading.tiles)
    }
    return replace(
        reading,
        oriented=False,
        tiles=tuple(tile for _, tile in sorted(tiles.items())),
        tokens=tuple(replace(disc, place=there(disc.place)) for disc in reading.tokens),
        wizards=tuple(
            replace(one, place=there(one.place), places={there(place): p for place, p in one.places.items()})
            for one in reading.wizards
        ),
    )


def one_picture(state: str, reason: str) -> MazeReading:
    """The reading of a picture in which no whole board is seen."""
    return MazeReading(cast("MazeState", state), reason=reason)
