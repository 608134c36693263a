"""Computes final scores from boards that were counted by hand or camera, without a journal (W16). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from calibration.translatable import Line, counted, listed, say, sentences
from companion.games.wicked.components import PLAYER_COLOURS, SPOTS, Deck, GreatOracle, PlayerColour, Rank
from companion.games.wicked.moves import Hand
from companion.games.wicked.scoring.final_scores import FinalScore, final_scores, winners
from companion.games.wicked.state import AchievedGreat, Tokens, WickedPlayer, WickedState

FACE_DOWN = "?"
"""Id of an achieved small oracle, which lies face down so that its real id is unknown."""
AHEAD_BY: dict[str, Line] = {
    "great": say("more great oracles"),
    "high": say("more high tokens"),
    "middle": say("more middle tokens"),
    "low": say("more low tokens"),
    "impurity": say("less impurity left"),
}
"""Words for the tie-break that decided, by `FinalScore.decided_by`."""


@dataclass(frozen=True, slots=True)
class CountedBoard:
    """What lies on and beside one board at the end of a game."""

    name: str
    """The player's colour, or any other name."""
    low: Tokens = field(default_factory=Tokens)
    """Low tokens."""
    middle: Tokens = field(default_factory=Tokens)
    """Middle tokens."""
    high: Tokens = field(default_factory=Tokens)
    """High tokens."""
    promotion: int = 0
    """Promotion spells left."""
    colour_change: int = 0
    """Colour-change spells left."""
    great: tuple[str, ...] = ()
    """Ids of the achieved great oracles, whose tokens are not in `high`."""
    small: int = 0
    """Number of small oracles that lie face down."""
    impurity: int = 0
    """Points."""


def players_of(boards: Sequence[CountedBoard], deck: Deck) -> tuple[WickedPlayer, ...]:
    """Return each counted board as a player, in order; a board not named by a player colour gets an unused one.

    deck: contains the great oracles. Raises ValueError for more than five boards, two boards of one name, an
    overfull row, negative numbers, or a great oracle that the deck lacks.
    """
    names = [board.name for board in boards]
    if len(boards) > len(PLAYER_COLOURS):
        raise ValueError(f"{len(boards)} boards cannot be scored: at most {len(PLAYER_COLOURS)} can play.")
    if len(set(names)) < len(names):
        raise ValueError("A board counts once: give every board its own name.")
    free = iter([colour for colour in PLAYER_COLOURS if colour not in names])
    own: dict[str, PlayerColour] = {colour: colour for colour in PLAYER_COLOURS}
    return tuple(_player(board, own[board.name] if board.name in own else next(free), deck) for board in boards)


def score_boards(boards: Sequence[CountedBoard], deck: Deck) -> tuple[FinalScore, ...]:
    """Return the final score of each counted board, in order. Raises ValueError as `players_of` does."""
    return final_scores(WickedState(deck=deck, players=players_of(boards, deck), phase="over"))


def verdict(scores: Sequence[FinalScore], names: Sequence[str]) -> Line:
    """Return sentences about who wins and by how much.

    scores: at least two. names: on screens, by index of the board.
    """
    ranking, won = _ranked(scores), winners(tuple(scores))
    winner_names, total = [names[one] for one in won], ranking[0].total
    if len(won) > 1:
        return counted(
            total,
            "{names} share the victory with {n} point: they are equal in every tie-breaker.",
            "{names} share the victory with {n} points: they are equal in every tie-breaker.",
            names=listed(winner_names),
        )
    wins = counted(total, "{name} wins with {n} point.", "{name} wins with {n} points.", name=winner_names[0])
    return sentences(wins, _margin_line(ranking[0], ranking[1], names))


def provisional_verdict(scores: Sequence[FinalScore], names: Sequence[str]) -> Line:
    """Return sentences about who leads, for scores that are still uncertain.

    names: on screens, by index of the board.
    """
    ranking, ahead = _ranked(scores), winners(tuple(scores))
    total = ranking[0].total
    if len(scores) == 1:
        return counted(
            total,
            "The winner is not certain: as read, {name} has {n} point.",
            "The winner is not certain: as read, {name} has {n} points.",
            name=names[0],
        )
    if len(ahead) > 1:
        return counted(
            total,
            "The winner is not certain: as read, {names} lead together with {n} point.",
            "The winner is not certain: as read, {names} lead together with {n} points.",
            names=listed([names[one] for one in ahead]),
        )
    leads = counted(
        total,
        "The winner is not certain: as read, {name} leads with {n} point.",
        "The winner is not certain: as read, {name} leads with {n} points.",
        name=names[ahead[0]],
    )
    return sentences(leads, _margin_line(ranking[0], ranking[1], names))


def _margin_line(first: FinalScore, second: FinalScore, names: Sequence[str]) -> Line:
    """Return a sentence about what puts the first score ahead of the second: points, or a tie-break."""
    name = names[second.player]
    if second.decided_by == "points":
        ahead = first.total - second.total
        return counted(ahead, "Ahead of {name} by {n} point.", "Ahead of {name} by {n} points.", name=name)
    return say("As many points as {name}; ahead by {reason}.", name=name, reason=AHEAD_BY[second.decided_by])


def _ranked(scores: Sequence[FinalScore]) -> list[FinalScore]:
    return sorted(scores, key=lambda score: (score.place, score.player))


def _player(board: CountedBoard, colour: PlayerColour, deck: Deck) -> WickedPlayer:
    rows: dict[Rank, Tokens] = {"low": board.low, "middle": board.middle, "high": board.high}
    for rank, tokens in rows.items():
        if tokens.total > SPOTS[rank]:
            raise ValueError(f"{tokens.total} {rank} tokens lie on {board.name}, which has {SPOTS[rank]} spots.")
    if min(board.promotion, board.colour_change, board.small, board.impurity) < 0:
        raise ValueError(f"No number on {board.name} can be negative.")
    return WickedPlayer(
        colour,
        Hand(),
        low=board.low,
        middle=board.middle,
        high=board.high,
        promotion=board.promotion,
        colour_change=board.colour_change,
        impurity=board.impurity,
        achieved_great=tuple(AchievedGreat(card, _oracle(deck, card).colours) for card in board.great),
        achieved_small=(FACE_DOWN,) * board.small,
    )


def _oracle(deck: Deck, card: str) -> GreatOracle:
    try:
        return deck.great_oracle(card)
    except KeyError:
        raise ValueError(f"There is no great oracle card {card} in the deck {deck.name}.") from None
