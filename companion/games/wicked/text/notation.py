"""One-line notation of moves, for golden games, tests and bug reports.

deal G01,G02/S03,S04 G05,G06/S01,S02 …        lay C01 C02 C03 C04
deal later                                    lay D1=rw/b D2=p/yc D3=/ C04: described by first letters of elements
reveal 4s 0 2w 1ws                            seat by seat: search pieces, then w and s for the signs
0 colours rb                                  colours by their first letters
0 keep rrggbb
1 promote red low                             … red middle for blue: blue goes back from the full higher rank
1 promotion red low | 1 promotion nothing
1 change low red blue | 1 change nothing
2 small S05 colours r keep rrggbb lift red low
2 great G01
0 oracle G01 | 0 oracle D5 great red blue | 0 oracle D6 small rl,bm gives wp: colour and rank by first letters
2 done
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.games.wicked.components import (
    COLOURS,
    RANKS,
    Colour,
    CorridorCard,
    Element,
    GreatOracle,
    Need,
    Rank,
    Reward,
    SmallOracle,
)
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    DealOracles,
    FinishSoul,
    Hand,
    KeepTokens,
    Lay,
    Lift,
    Move,
    NameOracle,
    Promote,
    Reveal,
    Swap,
)

_BY_LETTER: dict[str, Colour] = {colour[0]: colour for colour in COLOURS}
_COLOURS: dict[str, Colour] = {colour: colour for colour in COLOURS}
_RANKS: dict[str, Rank] = {rank: rank for rank in RANKS}
_RANK_LETTERS: dict[str, Rank] = {rank[0]: rank for rank in RANKS}
_REWARDS: dict[str, Reward] = {**_BY_LETTER, "w": "white", "p": "promotion"}
_ELEMENTS: dict[str, Element] = {**_REWARDS, "c": "colour_change"}


def write_move(move: Move) -> str:
    """Return a move as one line of text; `read_move` parses it."""
    match move:
        case DealOracles() if not any(move.great):
            return f"deal later {len(move.great)}"
        case DealOracles():
            hands = (
                f"{','.join(great)}/{','.join(small)}" for great, small in zip(move.great, move.small, strict=True)
            )
            return f"deal {' '.join(hands)}"
        case Lay():
            described = {card.id: f"={_letters(card.upper)}/{_letters(card.lower)}" for card in move.described}
            return f"lay {' '.join(card + described.get(card, '') for card in move.cards)}"
        case Reveal():
            return f"reveal {' '.join(_write_hand(hand) for hand in move.hands)}"
        case ChooseColours():
            return f"{move.player} colours {_letters(move.colours)}"
        case KeepTokens():
            return f"{move.player} keep {_letters(move.keep)}"
        case Promote():
            return f"{move.player} promote {_write_lift(move.lift)}"
        case CastPromotion():
            return f"{move.player} promotion {_write_lift(move.lift) if move.lift else 'nothing'}"
        case CastColourChange():
            swap = move.swap
            return f"{move.player} change {f'{swap.rank} {swap.old} {swap.new}' if swap else 'nothing'}"
        case AchieveSmall():
            colours = f" colours {_letters(move.colours)}" if move.colours else ""
            keep = f" keep {_letters(move.keep)}" if move.keep is not None else ""
            lift = f" lift {_write_lift(move.lift)}" if move.lift else ""
            return f"{move.player} small {move.card}{colours}{keep}{lift}"
        case AchieveGreat():
            return f"{move.player} great {move.card}"
        case NameOracle():
            return f"{move.player} oracle {move.card}{_write_described(move.described)}"
        case FinishSoul():
            return f"{move.player} done"


def read_move(line: str) -> Move:
    """Parse a move from one line of text. Raises ValueError, which quotes the line."""
    try:
        return _read(line.split())
    except (IndexError, KeyError, ValueError) as error:
        raise ValueError(f"This line is not a move: {line!r}") from error


def _read(words: Sequence[str]) -> Move:
    verb, *rest = words
    if verb == "deal" and rest[0] == "later":
        nothing: tuple[tuple[str, ...], ...] = ((),) * int(rest[1])
        return DealOracles(nothing, nothing)
    if verb == "deal":
        hands = [hand.split("/") for hand in rest]
        return DealOracles(
            tuple(tuple(g.split(",")) for g, _ in hands), tuple(tuple(s.split(",")) for _, s in hands)
        )
    if verb == "lay":
        named = [card.split("=") for card in rest]
        described = tuple(_read_corridor(id, halves[0]) for id, *halves in named if halves)
        return Lay(tuple(id for id, *_ in named), described)
    if verb == "reveal":
        return Reveal(tuple(_read_hand(hand) for hand in rest))
    return _read_of_player(int(verb), rest[0], rest[1:])


def _read_of_player(seat: int, verb: str, rest: Sequence[str]) -> Move:
    nothing = list(rest) == ["nothing"]
    match verb:
        case "colours":
            return ChooseColours(seat, _read_letters(rest[0]))
        case "keep":
            return KeepTokens(seat, _read_letters(rest[0]))
        case "promote":
            return Promote(seat, _read_lift(rest))
        case "promotion":
            return CastPromotion(seat, None if nothing else _read_lift(rest))
        case "change":
            swap = None if nothing else Swap(_RANKS[rest[0]], _COLOURS[rest[1]], _COLOURS[rest[2]])
            return CastColourChange(seat, swap)
        case "small":
            return _read_small(seat, rest[0], list(rest[1:]))
        case "great":
            return AchieveGreat(seat, rest[0])
        case "oracle":
            return NameOracle(seat, rest[0], _read_described(rest[0], rest[1:]))
        case "done":
            return FinishSoul(seat)
    raise ValueError(verb)


def _read_small(seat: int, card: str, rest: Sequence[str]) -> AchieveSmall:
    colours: tuple[Colour, ...] = ()
    keep: tuple[Colour, ...] | None = None
    lift: Lift | None = None
    while rest:
        if rest[0] == "lift":
            lift, rest = _read_lift(rest[1:]), ()
        elif rest[0] == "keep":
            keep, rest = _read_letters(rest[1]), rest[2:]
        elif rest[0] == "colours":
            colours, rest = _read_letters(rest[1]), rest[2:]
        else:
            raise ValueError(rest[0])
    return AchieveSmall(seat, card, colours, keep, lift)


def _write_described(card: GreatOracle | SmallOracle | None) -> str:
    match card:
        case None:
            return ""
        case GreatOracle(colours=colours):
            return f" great {' '.join(colours)}"
        case SmallOracle(needs=needs, reward=reward):
            asked = ",".join(need.colour[0] + need.rank[0] for need in needs)
            return f" small {asked} gives {_letters(reward)}"


def _read_described(id: str, rest: Sequence[str]) -> GreatOracle | SmallOracle | None:
    if not rest:
        return None
    if rest[0] == "great":
        return GreatOracle(id, (_COLOURS[rest[1]], _COLOURS[rest[2]]))
    needs = tuple(Need(_BY_LETTER[need[0]], _RANK_LETTERS[need[1]]) for need in rest[1].split(","))
    return SmallOracle(id, needs, tuple(_REWARDS[letter] for letter in "".join(rest[3:])))


def _read_corridor(id: str, halves: str) -> CorridorCard:
    upper, lower = halves.split("/")
    return CorridorCard(id, tuple(_ELEMENTS[one] for one in upper), tuple(_ELEMENTS[one] for one in lower))


def _write_hand(hand: Hand) -> str:
    return f"{hand.search}{'w' * hand.witch}{'s' * hand.soul}"


def _read_hand(text: str) -> Hand:
    digits = text.rstrip("ws")
    return Hand(int(digits), text.count("w"), text.count("s"))


def _letters(names: Sequence[str]) -> str:
    return "".join(name[0] for name in names)


def _read_letters(text: str) -> tuple[Colour, ...]:
    return tuple(_BY_LETTER[letter] for letter in text)


def _write_lift(lift: Lift) -> str:
    displaced = f" for {lift.displaced}" if lift.displaced else ""
    return f"{lift.colour} {lift.rank}{displaced}"


def _read_lift(words: Sequence[str]) -> Lift:
    if len(words) not in (2, 4) or (len(words) == 4 and words[2] != "for"):
        raise ValueError(words)
    return Lift(_COLOURS[words[0]], _RANKS[words[1]], _COLOURS[words[3]] if len(words) == 4 else None)
