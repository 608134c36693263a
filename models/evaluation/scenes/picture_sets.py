"""Read picture sets: folders with the pictures of one table and their ground truth.

A set consists of calibration.jpg (the calibration sheet), enrol/KIND.jpg (specimens of a kind), scenes/*.jpg
(hands) and truth.json. truth.json holds `scenes` by name, each with `file`, `n` (number of seats) and `hands`. Each
hand has seat, state, in_frame (0..1), optionally bbox (px: left, top, right, bottom), and pieces with kind and
visible_fraction (0..1). Optionally truth.json holds `specimens`: by kind, the pixels at which the specimens lie in
enrol/KIND.jpg. Kinds are named `search-red` or `search:red`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from models.evaluation.metrics.verdicts import LabelledHand, counted
from vision.readings import Box

DEFAULT_SEATS = 4
"""Number of seats of a scene for which truth.json states none."""


class SetError(Exception):
    """A picture set is unusable; the message states why in one line."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture with its ground truth."""

    name: str
    """Name in truth.json."""
    path: Path
    """File of the picture."""
    seats: int
    """Number of seats."""
    hands: tuple[LabelledHand, ...]
    """Ground truth of the hands."""


@dataclass(frozen=True, slots=True)
class PictureSet:
    """All pictures of one table."""

    name: str
    """Name of the set."""
    folder: Path
    """Folder of the set."""
    calibration: Path
    """Picture of the calibration sheet."""
    enrol: Mapping[str, Path]
    """Picture of the specimens of each kind."""
    shots: tuple[Shot, ...]
    """Pictures of scenes."""
    specimens: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    """Positions (px) of the specimens in the picture of their kind; empty where truth.json states none."""
    rendered: bool = True
    """Whether the pictures are rendered, not photographed."""


class _PieceEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    kind: str
    """Its kind, as in names of files; see `kind_of`."""
    visible_fraction: float = 1.0
    """Visible fraction, 0..1."""


class _HandEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    seat: int
    """Index of the player."""
    state: Literal["open", "closed"]
    """Whether the pieces in it are shown."""
    in_frame: float = 1.0
    """Fraction of the hand in the picture, 0..1."""
    bbox: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom of its box, px; None where it is not labelled."""
    pieces: tuple[_PieceEntry, ...] = ()
    """Pieces in it."""


class _SceneEntry(BaseModel):
    model_config = ConfigDict(frozen=True)

    file: str | None = None
    """Path in the folder; None: named as the scene, in `scenes`."""
    n: int | None = None
    """Number of seats; None: `DEFAULT_SEATS`."""
    hands: tuple[_HandEntry, ...]
    """All hands in the picture."""


class _Truth(BaseModel):
    model_config = ConfigDict(frozen=True)

    scenes: Annotated[dict[str, _SceneEntry], Field(min_length=1)]
    """Scenes by name."""
    specimens: dict[str, tuple[tuple[float, float], ...]] = Field(default_factory=dict)
    """Positions of the specimens in the pictures of `enrol`, by kind, px."""


def load(folder: Path) -> PictureSet:
    """Return the picture set in a folder.

    Raises SetError if truth.json is unreadable or names a file outside the folder.
    """
    try:
        truth = _Truth.model_validate_json((folder / "truth.json").read_bytes())
    except (OSError, ValidationError) as error:
        raise SetError(f"{folder / 'truth.json'} cannot be read: check the path of the pictures.") from error
    shots = tuple(_shot(folder, name, scene) for name, scene in truth.scenes.items())
    enrol = {kind_of(path.stem): path for path in sorted((folder / "enrol").glob("*.jpg"))}
    return PictureSet(folder.name, folder, folder / "calibration.jpg", enrol, shots, truth.specimens)


def external_sets(data: Path) -> list[Path]:
    """Return the folders of the picture sets in `data`/table-reveals, which others photographed or rendered."""
    return sorted(path.parent for path in data.glob("table-reveals/*/truth.json"))


def kind_of(name: str) -> str:
    """Return the kind of pieces for a file's stem or a kind: `search:red` for `search-red` and for `search:red`."""
    return name.replace("search-", "search:").replace("sign-", "sign:")


def _shot(folder: Path, name: str, scene: _SceneEntry) -> Shot:
    path = folder / (scene.file or f"scenes/{name}")
    if not path.resolve().is_relative_to(folder.resolve()):
        raise SetError(f"{folder / 'truth.json'} names a picture outside its folder: {scene.file}.")
    return Shot(name, path, scene.n or DEFAULT_SEATS, tuple(_hand(hand) for hand in scene.hands))


def _hand(hand: _HandEntry) -> LabelledHand:
    low, high = counted((kind_of(piece.kind), piece.visible_fraction) for piece in hand.pieces)
    return LabelledHand(hand.seat, hand.state, low, high, hand.in_frame, _box(hand.bbox))


def _box(corners: tuple[float, float, float, float] | None) -> Box | None:
    if corners is None:
        return None
    left, top, right, bottom = corners
    return left, top, right - left, bottom - top
