"""From what lies in hands, and whose they may be, to one reading per seat."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from vision.readings import Alternative, Box, Counts, HandReading, PieceReading
from vision.reveal.counting import Hypothesis, joined, kind_shares
from vision.reveal.evidence import calibrated
from vision.reveal.hands import FoundHand
from vision.reveal.held import Held
from vision.reveal.owners import Share

DOUBTFUL_BELOW = 0.95
"""An entry less likely right than this is asked about."""
_ALTERNATIVES = 4
_KEEPS_RULE = 0.98
"""How sure it is that hands hold exactly what they must, before the picture is looked at."""
_ILLEGAL = 0.1
"""Share of belief in one of two hands that cannot be one player's together."""
_NAMED = 1e-4
"""Contents less likely than this are not named."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A hand as one seat's: open or closed and how surely, what it may hold, likeliest first, and what lies in it.

    bare: nothing lies in it. Of a closed hand, `ranked` is what would lie in it if it were open after all.
    """

    hand: FoundHand
    state: Literal["open", "closed"]
    sure: float
    bare: bool
    ranked: tuple[Hypothesis, ...]
    held: tuple[Held, ...] = ()


def answer(
    seat: int, shares: Sequence[Share], contents: Callable[[int], Contents], limits: Counts | None, *, exact: bool
) -> HandReading:
    """Return the reading of a seat that may show some of these hands.

    contents: of a hand by its index, as this seat's. limits: the most of each kind that the seat can show. exact:
    it shows just that.
    """
    shown = next(share for share in shares if share.hands)
    opened = _open([contents(index) for index in shown.hands])
    if not opened:
        return _closed(seat, shown, contents)
    sure = _sure(opened)
    ranked = _over_shares(shares, contents, limits)
    counts, confidence, others = _exactly(ranked, limits) if exact and limits is not None else _likeliest(ranked)
    confidence *= sure
    alternatives = tuple(Alternative(h.counts, h.probability * sure) for h in others[:_ALTERNATIVES])
    box, pieces = _seen(opened, counts)
    return HandReading(
        seat, "open", counts, min(confidence, 0.999), confidence < DOUBTFUL_BELOW, box, alternatives, pieces
    )


def _closed(seat: int, shown: Share, contents: Callable[[int], Contents]) -> HandReading:
    """Return the reading of a fist; what would lie in it if it were open after all is the alternative."""
    fist = max((contents(index) for index in shown.hands), key=lambda one: one.hand.score)
    sure = fist.sure * shown.probability
    might = tuple(Alternative(h.counts, h.probability * (1 - fist.sure)) for h in fist.ranked[:_ALTERNATIVES])
    return HandReading(seat, "closed", {}, sure, sure < DOUBTFUL_BELOW, fist.hand.box, might)


def _open(contents: Sequence[Contents]) -> list[Contents]:
    return [one for one in contents if one.state == "open"]


def _holding(opened: Sequence[Contents]) -> list[Contents]:
    """Return the hands that hold something: a second, empty one adds nothing. All where none does."""
    return [one for one in opened if not one.bare] or list(opened)


def _sure(opened: Sequence[Contents]) -> float:
    """Return how sure it is that these hands are open; of several empty ones it takes but one."""
    holding = _holding(opened)
    if holding[0].bare:
        return max(one.sure for one in holding)
    return math.prod(one.sure for one in holding)


def _over_shares(
    shares: Sequence[Share], contents: Callable[[int], Contents], limits: Counts | None
) -> tuple[Hypothesis, ...]:
    """Return what a seat may show, likeliest first, over all sets of hands that may be its own.

    The probabilities sum to that of its showing an open hand at all, less what two hands hold beyond the limits.
    """
    chances: dict[frozenset[tuple[str, int]], float] = {}
    for share in shares:
        opened = _open([contents(index) for index in share.hands])
        if share.probability < _NAMED or not opened:
            continue
        ranked, legal = _together(_holding(opened), limits)
        for one in ranked:
            key = frozenset(one.counts.items())
            chances[key] = chances.get(key, 0.0) + share.probability * legal * one.probability
    likeliest = sorted(chances.items(), key=lambda pair: -pair[1])
    return tuple(Hypothesis(dict(counts), chance) for counts, chance in likeliest if chance > 0.0)


def _together(holding: Sequence[Contents], limits: Counts | None) -> tuple[tuple[Hypothesis, ...], float]:
    """Return what hands hold together, likeliest first, and how much of what they seem to hold is legal, 0..1."""
    first, *others = holding
    if not others or first.bare:
        return first.ranked, 1.0
    both, legal = joined(first.ranked, others[0].ranked, limits)
    return (both, legal) if both else (first.ranked, _ILLEGAL)


def _likeliest(ranked: Sequence[Hypothesis]) -> tuple[Counts, float, Sequence[Hypothesis]]:
    best, *others = ranked
    return best.counts, best.probability, others


def _exactly(ranked: Sequence[Hypothesis], limits: Counts) -> tuple[Counts, float, Sequence[Hypothesis]]:
    """Return what a hand must show, how surely it does, and what else it seems to show."""
    due = {kind: count for kind, count in limits.items() if count > 0}
    agree = sum(h.probability for h in ranked if dict(h.counts) == due)
    others = [h for h in ranked if dict(h.counts) != due]
    rival = max((h.probability for h in others), default=0.0)
    keeps = _KEEPS_RULE * agree / (_KEEPS_RULE * agree + (1 - _KEEPS_RULE) * rival + 1e-9)
    return due, keeps * min(1.0, sum(h.probability for h in ranked)), others


def _seen(opened: Sequence[Contents], counts: Counts) -> tuple[Box, tuple[PieceReading, ...]]:
    """Return the box round the hands that hold something, and where the counted pieces lie in them."""
    holding = _holding(opened)
    if holding[0].bare:
        holding = [max(holding, key=lambda one: one.hand.score)]
    left = min(one.hand.box[0] for one in holding)
    top = min(one.hand.box[1] for one in holding)
    right = max(one.hand.box[0] + one.hand.box[2] for one in holding)
    bottom = max(one.hand.box[1] + one.hand.box[3] for one in holding)
    held = [piece for one in holding for piece in one.held]
    return (left, top, right - left, bottom - top), _pieces(held, counts)


def _pieces(held: Sequence[Held], counts: Counts) -> tuple[PieceReading, ...]:
    """Return where the counted pieces lie: of each kind the boxes that fit it best."""
    search = next((kind for kind in counts if kind.startswith("search:")), "")
    signs = [kind for kind in counts if kind != search]
    fits = kind_shares(held, search, signs, calibrated())
    left, chosen = dict(counts), []
    ranked = sorted(
        ((shares.get(kind, 0.0), index, kind) for index, shares in enumerate(fits) for kind in counts),
        reverse=True,
    )
    used: set[int] = set()
    for chance, index, kind in ranked:
        if left[kind] > 0 and index not in used:
            used.add(index)
            left[kind] -= 1
            chosen.append(PieceReading(kind, held[index].box, chance))
    return tuple(chosen)
