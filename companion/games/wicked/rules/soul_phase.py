"""The soul phase: the legality and the results of a player's actions in it (W9 to W15)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from calibration.translatable import Line, counted, say
from companion.games.game import IllegalMove
from companion.games.wicked.components import COLOURS, RANKS, SPOTS, Colour, Deck, Rank, SmallOracle
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    FinishSoul,
    Lift,
    Move,
    Promote,
    Swap,
)
from companion.games.wicked.rules.gains import LOW_SPOTS, check_colours, colour_choices, keep_choices, kept_tokens
from companion.games.wicked.state import ONE, AchievedGreat, Tokens, WickedPlayer
from companion.games.wicked.text.words import in_words, oracle_in_words, the, tokens_in_words, word

NEXT_RANK: dict[Rank, Rank] = {"low": "middle", "middle": "high"}
"""The next higher rank of each rank but the highest."""
PAIRS: dict[Colour, Tokens] = {colour: ONE[colour] + ONE[colour] for colour in COLOURS}
"""Two tokens of each colour."""


def promote(player: WickedPlayer, move: Promote) -> WickedPlayer:
    """Return the player after a promotion: of two alike tokens one moves up, the other goes back (W9, W11)."""
    lift = move.lift
    _check_lift(player, lift)
    if player.row(lift.rank)[lift.colour] < 2:
        raise IllegalMove(
            say(
                "{player} has no two {colour} tokens of {rank} rank to promote.",
                player=the(player),
                colour=word(lift.colour),
                rank=word(lift.rank),
            )
        )
    return _with_lift(player, lift, PAIRS[lift.colour])


def cast_promotion(player: WickedPlayer, move: CastPromotion) -> WickedPlayer:
    """Return the player after a promotion spell on any token, or without effect if none can rise (W10, W11)."""
    if not player.promotion:
        raise IllegalMove(say("{player} has no promotion spell.", player=the(player)))
    return _lift_by_spell(replace(player, promotion=player.promotion - 1), move.lift)


def cast_colour_change(player: WickedPlayer, move: CastColourChange) -> WickedPlayer:
    """Return the player after a colour-change spell on one token of the board, or without effect (W12)."""
    if not player.colour_change:
        raise IllegalMove(say("{player} has no colour-change spell.", player=the(player)))
    player = replace(player, colour_change=player.colour_change - 1)
    swap = move.swap
    if swap is None:
        return player
    if swap.rank not in RANKS or swap.old not in COLOURS or swap.new not in COLOURS:
        raise IllegalMove(
            say(
                "There is no {rank} token that could turn from {old} into {new}.",
                rank=word(swap.rank),
                old=word(swap.old),
                new=word(swap.new),
            )
        )
    _check_on_board(player, swap.old, swap.rank)
    if swap.old == swap.new:
        raise IllegalMove(
            say(
                "That token is already {old}: choose another colour, or spend the spell without effect.",
                old=word(swap.old),
            )
        )
    return _with_row(player, swap.rank, player.row(swap.rank) - ONE[swap.old] + ONE[swap.new])


def achieve_small(player: WickedPlayer, move: AchieveSmall, deck: Deck) -> WickedPlayer:
    """Return the player after achieving a small oracle and taking its tokens and promotion (W13, W7, W10)."""
    if move.card not in player.small:
        raise IllegalMove(_not_open_line(player, move.card, deck, player.achieved_small, great=False))
    card = deck.small_oracle(move.card)
    lacking = unmet_need(player, card)
    if lacking is not None:
        raise IllegalMove(
            say(
                "{player} cannot achieve the small oracle ({card}) yet: {lacking}.",
                player=the(player),
                card=oracle_in_words(deck, card.id),
                lacking=lacking,
            )
        )
    player = replace(
        player,
        small=tuple(other for other in player.small if other != card.id),
        achieved_small=(*player.achieved_small, card.id),
    )
    check_colours(player, move.colours, card.reward.count("white"))
    low = player.low + Tokens.of(move.colours) + _fixed_reward(card)
    if low.total > LOW_SPOTS:
        if move.keep is None:
            raise IllegalMove(
                say(
                    "{player} has no room for the new tokens: choose which six low tokens to keep.",
                    player=the(player),
                )
            )
        low = kept_tokens(player, low, move.keep)
    elif move.keep is not None:
        raise IllegalMove(say("{player} has room for all low tokens: none has to go back.", player=the(player)))
    player = replace(player, low=low)
    if "promotion" in card.reward:
        return _lift_by_spell(player, move.lift)
    if move.lift is not None:
        raise IllegalMove(say("The small oracle ({card}) gives no promotion.", card=oracle_in_words(deck, card.id)))
    return player


def achieve_great(player: WickedPlayer, move: AchieveGreat, deck: Deck) -> WickedPlayer:
    """Return the player after moving two high tokens of the shown colours onto a great oracle (W14)."""
    if move.card not in player.great:
        achieved = tuple(oracle.card for oracle in player.achieved_great)
        raise IllegalMove(_not_open_line(player, move.card, deck, achieved, great=True))
    card = deck.great_oracle(move.card)
    needed = Tokens.of(card.colours)
    if not player.high.holds(needed):
        raise IllegalMove(
            say(
                "{player} cannot achieve the great oracle ({card}) yet: it requires {colours} of high rank on the "
                "board.",
                player=the(player),
                card=oracle_in_words(deck, card.id),
                colours=tokens_in_words(card.colours),
            )
        )
    return replace(
        player,
        high=player.high - needed,
        great=tuple(other for other in player.great if other != card.id),
        achieved_great=(*player.achieved_great, AchievedGreat(card.id, card.colours)),
    )


def finish(player: WickedPlayer) -> WickedPlayer:
    """Return the player after the end of their soul phase; remaining spells are lost (W15)."""
    return replace(player, promotion=0, colour_change=0, finished=True)


def unmet_need(player: WickedPlayer, card: SmallOracle) -> Line | None:
    """Return in words what a small oracle still requires of a player; None if it can be achieved (W13).

    Tokens on great oracles count, and a token of a higher rank counts as one of a lower rank. The ranks of a colour
    are counted from the top down, so that no token is counted for two needs.
    """
    for colour in dict.fromkeys(need.colour for need in card.needs):
        owned = sum(oracle.colours.count(colour) for oracle in player.achieved_great)
        needed = 0
        for rank in reversed(RANKS):
            owned += player.row(rank)[colour]
            needed += sum(need.colour == colour and need.rank == rank for need in card.needs)
            if owned < needed:
                at_least = say("high rank") if rank == "high" else say("{rank} rank or higher", rank=word(rank))
                tokens = counted(
                    needed, "{n} {colour} token", "{n} {colour} tokens", n=in_words(needed), colour=word(colour)
                )
                return say("it requires {tokens} of {rank}", tokens=tokens, rank=at_least)
    return None


def soul_moves(player: WickedPlayer, seat: int, deck: Deck) -> Iterator[Move]:
    """Yield all legal moves of one player in the soul phase; none once the player has finished."""
    if player.finished:
        return
    for lift in _possible_lifts(player, 2):
        yield Promote(seat, lift)
    if player.promotion:
        for spell in _spell_lifts(player):
            yield CastPromotion(seat, spell)
    if player.colour_change:
        for swap in _possible_swaps(player):
            yield CastColourChange(seat, swap)
    for small in player.small:
        card = deck.small_oracle(small)
        if unmet_need(player, card) is None:
            yield from _small_choices(player, seat, card)
    for great in player.great:
        if player.high.holds(Tokens.of(deck.great_oracle(great).colours)):
            yield AchieveGreat(seat, great)
    yield FinishSoul(seat)


def _possible_lifts(player: WickedPlayer, alike: int) -> Iterator[Lift]:
    """Yield all rises of one token by a rank, of a colour and rank of which the board has at least `alike`."""
    for rank, above in NEXT_RANK.items():
        row, higher = player.row(rank), player.row(above)
        full = higher.total >= SPOTS[above]
        for colour in COLOURS:
            if row[colour] < alike:
                continue
            if not full:
                yield Lift(colour, rank)
                continue
            for displaced in COLOURS:
                if higher[displaced]:
                    yield Lift(colour, rank, displaced)


def _spell_lifts(player: WickedPlayer) -> tuple[Lift | None, ...]:
    """Return all rises of one token by a promotion spell; only None, for no effect, if no token can rise."""
    return tuple(_possible_lifts(player, 1)) or (None,)


def _possible_swaps(player: WickedPlayer) -> Iterator[Swap | None]:
    for rank in RANKS:
        row = player.row(rank)
        for old in COLOURS:
            if row[old]:
                for new in COLOURS:
                    if new != old:
                        yield Swap(rank, old, new)
    yield None


def _small_choices(player: WickedPlayer, seat: int, card: SmallOracle) -> Iterator[AchieveSmall]:
    """Yield all moves that achieve a small oracle, one for each choice that its reward allows."""
    for colours in colour_choices(card.reward.count("white")):
        low = player.low + Tokens.of(colours) + _fixed_reward(card)
        keeps = keep_choices(low) if low.total > LOW_SPOTS else (None,)
        for keep in keeps:
            lifts: tuple[Lift | None, ...] = (None,)
            if "promotion" in card.reward:
                lifts = _spell_lifts(replace(player, low=low if keep is None else Tokens.of(keep)))
            for lift in lifts:
                yield AchieveSmall(seat, card.id, colours, keep, lift)


def _fixed_reward(card: SmallOracle) -> Tokens:
    """Return the reward tokens of a small oracle that have a colour, so without white ones."""
    return Tokens(*(card.reward.count(colour) for colour in COLOURS))


def _lift_by_spell(player: WickedPlayer, lift: Lift | None) -> WickedPlayer:
    if lift is None:
        if next(_possible_lifts(player, 1), None) is not None:
            raise IllegalMove(
                say("{player} can promote a token: the promotion may not go unused.", player=the(player))
            )
        return player
    _check_lift(player, lift)
    _check_on_board(player, lift.colour, lift.rank)
    return _with_lift(player, lift, ONE[lift.colour])


def _check_on_board(player: WickedPlayer, colour: Colour, rank: Rank) -> None:
    if not player.row(rank)[colour]:
        raise IllegalMove(
            say(
                "{player} has no {colour} token of {rank} rank on the board.",
                player=the(player),
                colour=word(colour),
                rank=word(rank),
            )
        )


def _check_lift(player: WickedPlayer, lift: Lift) -> None:
    if lift.rank == "high":
        raise IllegalMove(say("High is the highest rank: a token there cannot be promoted."))
    if lift.rank not in NEXT_RANK or lift.colour not in COLOURS:
        raise IllegalMove(
            say(
                "There is no {colour} token of {rank} rank in this game.",
                colour=word(lift.colour),
                rank=word(lift.rank),
            )
        )
    above = NEXT_RANK[lift.rank]
    higher = player.row(above)
    full = higher.total >= SPOTS[above]
    if full and lift.displaced is None:
        raise IllegalMove(
            say(
                "{player} has no free {above} spot: choose which {above} token goes back to the supply.",
                player=the(player),
                above=word(above),
            )
        )
    if full and (lift.displaced not in COLOURS or not higher[lift.displaced]):
        raise IllegalMove(
            say(
                "{player} has no {displaced} token of {above} rank to send back.",
                player=the(player),
                displaced=word(str(lift.displaced)),
                above=word(above),
            )
        )
    if not full and lift.displaced is not None:
        raise IllegalMove(
            say(
                "{player} has a free {above} spot: no token has to go back to the supply.",
                player=the(player),
                above=word(above),
            )
        )


def _with_lift(player: WickedPlayer, lift: Lift, taken: Tokens) -> WickedPlayer:
    above = NEXT_RANK[lift.rank]
    higher = player.row(above) + ONE[lift.colour]
    if lift.displaced is not None:
        higher -= ONE[lift.displaced]
    return _with_row(_with_row(player, lift.rank, player.row(lift.rank) - taken), above, higher)


def _with_row(player: WickedPlayer, rank: Rank, row: Tokens) -> WickedPlayer:
    if rank == "low":
        return replace(player, low=row)
    return replace(player, middle=row) if rank == "middle" else replace(player, high=row)


def _not_open_line(player: WickedPlayer, card: str, deck: Deck, achieved: tuple[str, ...], great: bool) -> Line:
    who, what = the(player), oracle_in_words(deck, card)
    if great:
        if card in achieved:
            return say("{player} has already achieved the great oracle ({card}).", player=who, card=what)
        return say("{player} has no great oracle ({card}).", player=who, card=what)
    if card in achieved:
        return say("{player} has already achieved the small oracle ({card}).", player=who, card=what)
    return say("{player} has no small oracle ({card}).", player=who, card=what)
