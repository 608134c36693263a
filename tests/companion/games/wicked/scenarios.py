"""Made-up states written as the game is spoken: a board in one line, moves in the notation of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.games.wicked import Move, WickedState, apply, new_game
from companion.games.wicked.components import (
    COLOURS,
    PLAYER_COLOURS,
    SEARCH_PIECES,
    Colour,
    CorridorCard,
    Deck,
    GreatOracle,
    Need,
    Rank,
    Reward,
    SmallOracle,
)
from companion.games.wicked.moves import DealOracles, Hand, Lay
from companion.games.wicked.rules.setup import corridors_left
from companion.games.wicked.standin_deck import STANDIN
from companion.games.wicked.state import AchievedGreat, Phase, Tokens, WickedPlayer
from companion.games.wicked.text.notation import read_move

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva")


def tokens(letters: str) -> Tokens:
    """Read tokens from first letters: "yggbbb" is one yellow, two green and three blue."""
    return Tokens.of(colour for letter in letters for colour in COLOURS if colour[0] == letter)


def board(rows: str = "", **more: object) -> WickedPlayer:
    """Make the purple player's board from "low/middle/high", each in first letters: "ybb/g/r"."""
    low, middle, high = [*rows.split("/"), "", ""][:3]
    player = WickedPlayer("purple", Hand(), low=tokens(low), middle=tokens(middle), high=tokens(high))
    return replace(player, **more)  # type: ignore[arg-type]


def soul_phase(player: WickedPlayer, deck: Deck = STANDIN, players: int = 3) -> WickedState:
    """Put one board at seat 0 into the first round's soul phase; the other players have empty boards."""
    others = tuple(WickedPlayer(colour, Hand()) for colour in PLAYER_COLOURS[1:players])
    corridors = corridors_left(new_game(players, deck))[: {3: 4, 4: 5, 5: 6}[players]]
    return WickedState(
        deck=deck, players=(player, *others), phase="soul", corridors=corridors, corridor=len(corridors)
    )


def search_phase(*corridors: str, players: int = 3, held: Sequence[str] = (), deck: Deck = STANDIN) -> WickedState:
    """Begin a round whose first corridors are these; `held` replaces what seats hold ("6ws", "2", …)."""
    state = new_game(players, deck)
    great, small = [card.id for card in deck.great], [card.id for card in deck.small]
    state = apply(state, DealOracles(_pairs(great, players), _pairs(small, players)))
    count = {3: 4, 4: 5, 5: 6}[players]
    rest = [card for card in corridors_left(state) if card not in corridors]
    state = apply(state, Lay((*corridors, *rest)[:count]))
    hands = [hand(text) for text in held]
    changed = tuple(
        replace(player, held=hands[seat]) if seat < len(hands) else player
        for seat, player in enumerate(state.players)
    )
    return replace(state, players=changed)


def with_board(state: WickedState, seat: int, rows: str, **more: object) -> WickedState:
    """Replace the tokens of one seat's board, and whatever else is named."""
    made = board(rows)
    player = replace(state.players[seat], low=made.low, middle=made.middle, high=made.high, **more)  # type: ignore[arg-type]
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def hand(text: str) -> Hand:
    """Read a hand: "4s" is four search pieces and the soul's sign."""
    return Hand(int(text.rstrip("ws")), text.count("w"), text.count("s"))


def play(state: WickedState, *moves: str | Move) -> WickedState:
    """Play moves, as values or written in the engine's notation."""
    for move in moves:
        state = apply(state, read_move(move) if isinstance(move, str) else move)
    return state


def rows(player: WickedPlayer) -> str:
    """Write a board back as "low/middle/high" in first letters, in the order red, green, blue, yellow."""
    return "/".join("".join(c[0] for c in player.row(rank).colours) for rank in ("low", "middle", "high"))


def deck_with(
    corridors: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] | None = None,
    great: dict[str, tuple[Colour, Colour]] | None = None,
    small: dict[str, tuple[tuple[tuple[Rank, Colour], ...], tuple[Reward, ...]]] | None = None,
) -> Deck:
    """Return the stand-in deck with some cards replaced by made-up ones, by id."""
    made_corridors = {id: CorridorCard(id, *halves) for id, halves in (corridors or {}).items()}  # type: ignore[arg-type]
    made_great = {id: GreatOracle(id, colours) for id, colours in (great or {}).items()}
    made_small = {
        id: SmallOracle(id, tuple(Need(colour, rank) for rank, colour in needs), reward)
        for id, (needs, reward) in (small or {}).items()
    }
    return replace(
        STANDIN,
        corridors=tuple(made_corridors.get(card.id, card) for card in STANDIN.corridors),
        great=tuple(made_great.get(card.id, card) for card in STANDIN.great),
        small=tuple(made_small.get(card.id, card) for card in STANDIN.small),
    )


def achieved(card: str, first: Colour, second: Colour) -> AchievedGreat:
    """Make a great oracle with its two tokens on it."""
    return AchievedGreat(card, (first, second))


def over(*players: WickedPlayer) -> WickedState:
    """Make a finished game of these boards."""
    phase: Phase = "over"
    coloured = tuple(replace(p, colour=c) for p, c in zip(players, PLAYER_COLOURS, strict=False))
    return WickedState(deck=STANDIN, players=coloured, phase=phase, round=4)


def pieces(players: int) -> Hand:
    """What everybody holds when a round begins."""
    return Hand(SEARCH_PIECES[players], 1, 1)


def _pairs(cards: list[str], players: int) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(cards[2 * seat : 2 * seat + 2]) for seat in range(players))
