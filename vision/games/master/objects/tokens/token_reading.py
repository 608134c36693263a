"""Reads the tokens on the board: compares circles with all tokens' faces, and assigns the numbers jointly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.games.master.confidence_calibration import MIN_CONFIDENCE
from vision.games.master.objects.object_network import TileObjects
from vision.games.master.objects.tokens.disc_search import RADII, common_radius, search_circles
from vision.games.master.objects.tokens.number_likelihoods import number_log_likelihoods
from vision.games.master.objects.tokens.taking_order_prior import NumbersGivenOrder, numbers_given_taking_order
from vision.games.master.objects.tokens.token_faces import TokenFaces
from vision.games.master.objects.top_views import TILE_PX, FieldView
from vision.games.master.readings import FIXED, MIN_NUMBERED, NUMBERS, SIZE, TokenReading
from vision.readings import Box

_COMPARED: Final = ((0.2, -2.0), (0.12, -4.0))
"""Minimum share of a circle's rim that is an edge, and minimum log odds of the network; a circle that reaches
either is compared with the faces. The second, lower pair is used only if a number is probably missing."""
_MIN_SEARCHED: Final = 0.3
"""Minimum probability of a missing token at which fainter circles are compared."""
_PRESENCE: Final = (-7.0, -3.1, 0.3, 0.97)
"""Log odds of a token: offset, and weights of votes, of the best face's log likelihood and of the network's log
odds; fitted on pictures (`models.evaluation.maze.board_object_accuracy`) of looks that are not held out."""
_STRANGER_LOG_ODDS: Final = 2.0
"""Minimum log odds of the network at which a disc without a known face is reported as doubtful."""
_FAINT_STRANGER_LOG_ODDS: Final = 0.0
"""The same on a board with such a disc and no certain number, whose tokens may all be of an unknown print."""
_TEMPERATURE: Final = 2.5
"""Divisor of log likelihoods of numbers, fitted on the same pictures."""
_MAX_LOG_WEIGHT: Final = 80.0
"""Bound of the size of the log odds of each number of a disc."""
_ON_FIXED_TILE: Final = 0.03
"""Factor on the odds of a token on a fixed tile: by the rules tokens lie on loose tiles only (M1, M3)."""
_MIN_SEEN: Final = 0.5
"""Minimum confidence of a disc's number at which the token of that number counts as found."""
_MIN_UNSEEN: Final = 0.25
"""Minimum probability at which a token is reported as being on the table but not found."""
_MIN_LOST: Final = 0.05
"""Minimum expected number of missing tokens at which discs without a known face are reported."""


@dataclass(frozen=True, eq=False)
class TokensReading:
    """The tokens in one picture."""

    tokens: tuple[TokenReading, ...]
    """Tokens on the field, and on the spare if there is a view of it, by place."""
    certain: NDArray[np.float64]
    """Circles of the certain tokens on the field, (n, 3): x, y and radius, px of its view."""
    unseen: frozenset[int]
    """Numbers of tokens not found that are on the table, as follows from the order in which tokens are taken."""


def read_tokens(views: Sequence[FieldView], objects: Sequence[TileObjects], faces: TokenFaces) -> TokensReading:
    """Return the tokens on the field and the spare, and the numbers that were not found but must be on the table.

    views: top views of the field, then of the spare, if found. objects: output of the object network for each view.
    """
    searched = [search_circles(view) for view in views]
    size = common_radius(views[0], searched[0], faces)
    radius = float(RADII[size] * TILE_PX)
    circles = np.concatenate([of[:, size] for of in searched])
    circles = np.c_[circles, np.concatenate([of.disc.reshape(-1) for of in objects])]
    standing = 1 / (1 + np.exp(-objects[0].pawns.astype(np.float64)))
    out_of_sight = float(standing.sum()) / SIZE**2 + (len(views) == 1) / (SIZE**2 + 1)
    kept, weights = np.zeros(0, np.intp), np.zeros((0, len(NUMBERS)))
    for least_votes, least_log_odds in _COMPARED:
        likely = (circles[:, 2] >= least_votes) | (circles[:, 3] >= least_log_odds)
        more = np.setdiff1d(np.flatnonzero(likely), kept)
        kept = np.append(kept, more)
        odds = np.where(np.isin(more, list(FIXED)), _ON_FIXED_TILE, 1.0)
        weights = np.vstack([weights, odds[:, None] * _number_weights(views, circles, radius, faces, more)])
        left = numbers_given_taking_order(weights, out_of_sight)
        if left.unseen.max() < _MIN_SEARCHED:
            break
    least_stranger = _least_stranger_log_odds(circles[:, 3], left)
    found, certain = list[TokenReading](), []
    for index, probabilities in zip(kept.tolist(), left.marginals, strict=True):
        confidence = float(probabilities.max())
        if float(probabilities.sum()) < MIN_NUMBERED and circles[index, 3] < least_stranger:
            continue
        view = views[int(index >= SIZE**2)]
        if confidence >= MIN_CONFIDENCE and index < SIZE**2:
            certain.append((*circles[index, :2], radius))
        found.append(
            TokenReading(
                number=NUMBERS[int(probabilities.argmax())],
                place=index if index < SIZE**2 else None,
                confidence=confidence,
                doubtful=confidence < MIN_CONFIDENCE,
                probabilities={
                    number: round(float(p), 6) for number, p in zip(NUMBERS, probabilities, strict=True) if p > 1e-6
                },
                box=_box(view, circles[index, :2], radius),
            )
        )
    seen = {one.number for one in found if one.confidence >= _MIN_SEEN}
    unseen = {number for number, chance in zip(NUMBERS, left.unseen, strict=True) if chance >= _MIN_UNSEEN}
    found.sort(key=lambda one: SIZE**2 if one.place is None else one.place)
    return TokensReading(tuple(found), np.array(certain).reshape(-1, 3), frozenset(unseen - seen))


def _least_stranger_log_odds(log_odds: NDArray[np.float64], numbers: NumbersGivenOrder) -> float:
    """Return the log odds of the network from which on a disc without a known face is reported.

    log_odds: of each place. numbers: of the discs.
    """
    if (numbers.marginals >= MIN_CONFIDENCE).any():
        # Where every token on the table is seen, a disc without a known face is none of them.
        return _STRANGER_LOG_ODDS if numbers.unseen.sum() > _MIN_LOST else float("inf")
    return _FAINT_STRANGER_LOG_ODDS if log_odds.max() >= _STRANGER_LOG_ODDS else float("inf")


def _number_weights(
    views: Sequence[FieldView],
    circles: NDArray[np.float64],
    radius: float,
    faces: TokenFaces,
    chosen: NDArray[np.intp],
) -> NDArray[np.float64]:
    """Return the likelihood of each number relative to that of no token, for each chosen circle, (chosen, numbers).

    circles: (places, 4): x, y, votes and the network's log odds. radius: px of the views. chosen: indices of
    circles.
    """
    logs = np.zeros((len(chosen), len(NUMBERS)))
    for index, view in enumerate(views):
        own = chosen >= SIZE**2 if index else chosen < SIZE**2
        tried = np.c_[circles[chosen[own], :2], np.full(own.sum(), radius)]
        logs[own] = number_log_likelihoods(view.colours, tried, faces, TILE_PX / view.picture_px)
    offset, votes_weight, face_weight, network_weight = _PRESENCE
    votes, network = circles[chosen, 2:].T
    evidence = offset + votes_weight * votes + network_weight * np.clip(network, -6.0, 6.0)
    evidence += face_weight * logs.max(axis=1, initial=-np.inf)
    scaled = logs / _TEMPERATURE
    # Scaled so that, before numbers are shared out, a disc is a token with these log odds.
    total = scaled.max(axis=1, initial=-np.inf)
    total = total + np.log(np.exp(scaled - total[:, None]).sum(axis=1))
    log_weights = np.clip(scaled + (evidence - total)[:, None], -_MAX_LOG_WEIGHT, _MAX_LOG_WEIGHT)
    return np.asarray(np.exp(log_weights), np.float64)


def _box(view: FieldView, centre: NDArray[np.float64], radius: float) -> Box:
    """Return the box of a disc, px of the picture. centre, radius: px of the view."""
    angles = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    points = view.to_picture(centre + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])
