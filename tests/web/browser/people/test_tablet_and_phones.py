"""A whole game of three: the host's tablet enters what lies on the table, two phones what their players choose."""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from companion.games.wicked import apply, final_scores
from companion.games.wicked.components import COLOURS, Colour
from companion.games.wicked.moves import (
    AchieveGreat,
    AchieveSmall,
    CastColourChange,
    CastPromotion,
    ChooseColours,
    DealOracles,
    FinishSoul,
    KeepTokens,
    Lay,
    Move,
    Promote,
    Reveal,
    acting_player,
)
from companion.games.wicked.rules.legal_moves import player_moves, waiting_for
from companion.games.wicked.rules.search_phase import is_last_corridor
from companion.games.wicked.state import Tokens, WickedPlayer, WickedState
from companion.table import Table
from tests.companion.games.wicked.greedy_bot import greedy_move
from tests.companion.table.playing import game_of
from tests.web.browser.conftest import Serve, Visit
from tests.web.browser.joining import code_of, join
from tests.web.browser.looking import PHONE, TABLET, look
from tests.web.browser.network import Network
from tests.web.browser.playing import enter, show

pytestmark = pytest.mark.browser

SEED = 392
"""Of a game in which the phones come to every kind of choice, and a tie in points has to be decided."""
NAMES = ("Ada", "Bruno", "Chie")
HOST, BRUNO, CHIE = range(3)
TAPPED_BY_HOST = (1, 4)
"""The rounds in which the host's moves are tapped, too; in the others they are entered at the table at once."""
CHOICES = {
    ChooseColours,
    KeepTokens,
    Promote,
    CastPromotion,
    CastColourChange,
    AchieveSmall,
    AchieveGreat,
    FinishSoul,
}
QUESTIONS = {
    "colours": "Which colour do you take?",
    "keep": "The low row is full. What goes back?",
    "change": "Which colour should it become?",
    "lift": "Which token rises?",
    "displaced": "row is full. What goes back?",
}
"""What the page may have to ask about a move, in its order."""
OTHERS_SEAT = "That is another player's seat. You can choose only for your own."
FOR_THE_HOST = "Only a host can do that. Ask at the tablet beside the table."
OFFLINE = "Not connected, so nothing was sent. The page reconnects by itself."
FOR_THE_TABLE = "That concerns the whole table. Only a host can enter it."


@dataclass
class TabletAndPhones:
    """One game on three screens, by seat, beside the engine that plays the same moves."""

    table: Table
    screens: tuple[Page, Page, Page]
    state: WickedState

    @property
    def host(self) -> Page:
        return self.screens[HOST]

    @property
    def number(self) -> int:
        return game_of(self.table).number

    def enter(self, move: Move) -> None:
        """Enter a move on its player's screen; the table then has the engine's state."""
        if (acting_player(move) or HOST) == HOST and self.state.round not in TAPPED_BY_HOST:
            self.table.play(move, self.number)
        else:
            self.tap(move)
        self.state = apply(self.state, move)
        assert game_of(self.table).state == self.state, move

    def tap(self, move: Move) -> None:
        seat = acting_player(move)
        page = self.screens[seat or HOST]
        up_to_date(page, self.number)
        before = self.number
        if isinstance(move, DealOracles):
            deal(page, move)
        elif isinstance(move, Lay):
            lay(page, move)
        elif isinstance(move, Reveal):
            reveal(page, self.state, move)
        elif seat is not None:
            choose(page, self.state, seat, move)
        moved_on(page, before)


def up_to_date(page: Page, number: int) -> None:
    page.wait_for_function("(now) => document.body.dataset.number === now", arg=str(number))


def moved_on(page: Page, number: int) -> None:
    page.wait_for_function("(before) => document.body.dataset.number !== before", arg=str(number))


def begin(visit: Visit, address: str) -> Page:
    """Begin a game of three on the tablet."""
    page = visit(f"{address}#new/camera", TABLET)
    page.get_by_role("radio", name="3 players").click()
    for number, name in enumerate(NAMES, 1):
        page.get_by_label(f"Name of seat {number}").fill(name)
    page.locator("[data-test=begin]").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Oracles are dealt")
    return page


def go(page: Page, screen: str) -> None:
    """Come to a screen of the tablet by its tab."""
    tab = page.get_by_role("link", name=screen, exact=True)
    if tab.get_attribute("aria-current") is None:
        tab.click()


def deal(page: Page, move: DealOracles) -> None:
    page.locator("[data-test=pick]").click()
    for great, small in zip(move.great, move.small, strict=True):
        for card in great:
            page.get_by_role("button", name=f"Great oracle {card}:").click()
        for card in small:
            page.get_by_role("button", name=f"Small oracle {card}:").click()


def lay(page: Page, move: Lay) -> None:
    go(page, "Table")
    page.locator("[data-test=pick]").click()
    for card in move.cards:
        page.get_by_role("button", name=f"Corridor {card}.").click()


def reveal(page: Page, state: WickedState, move: Reveal) -> None:
    """Count one hand after the other; at the last corridor all that is left stands there already."""
    go(page, "Table")
    page.locator("[data-test=by-hand]").click()
    if not is_last_corridor(state):
        for name, hand in zip(NAMES, move.hands, strict=True):
            if hand.witch:
                page.get_by_role("button", name="witch's sign").click()
            show(page, name, hand.search, soul=bool(hand.soul))
    enter(page)


def choose(page: Page, state: WickedState, seat: int, move: Move) -> None:
    """Enter what a player chooses, on that player's board."""
    if seat == HOST:
        go(page, "Boards")
    if isinstance(move, ChooseColours):
        for colour in move.colours:
            page.get_by_role("button", name=f"{colour}: one more", exact=True).click()
        page.locator("[data-test=option]").click()
    elif isinstance(move, KeepTokens):
        for colour in given_back(state.players[seat], move):
            page.get_by_role("button", name=f"{colour} stays", exact=True).first.click()
        page.locator("[data-test=option]").click()
    elif isinstance(move, FinishSoul):
        finish(page, state.players[seat])
    else:
        act(page, move)
        answer(page, state, seat, move)


def given_back(player: WickedPlayer, move: KeepTokens) -> tuple[Colour, ...]:
    assert player.pending is not None
    return (player.low + player.pending.gained - Tokens.of(move.keep)).colours


def finish(page: Page, player: WickedPlayer) -> None:
    """Be done; whoever has a spell left is asked once more."""
    button = page.locator("[data-test=finish]")
    button.click()
    if player.promotion or player.colour_change:
        expect(button).to_contain_text("Yes, lose")
        button.click()


def act(page: Page, move: Move) -> None:
    """Tap a token or a card on the board, and what is done with it."""
    if isinstance(move, AchieveGreat | AchieveSmall):
        page.locator(f"[data-test=oracle-{move.card}]").click()
        page.locator("[data-test=act-achieve]").click()
    elif isinstance(move, CastColourChange):
        assert move.swap is not None
        tap_token(page, f"{move.swap.rank} {move.swap.old}")
        page.locator("[data-test=act-colour_change]").click()
    else:
        assert isinstance(move, Promote | CastPromotion)
        assert move.lift is not None
        tap_token(page, f"{move.lift.rank} {move.lift.colour}")
        page.locator(f"[data-test=act-{'promote' if isinstance(move, Promote) else 'promotion'}]").click()


def tap_token(page: Page, name: str) -> None:
    page.locator(".board-face").get_by_role("button", name=name, exact=True).first.click()


def answer(page: Page, state: WickedState, seat: int, move: Move) -> None:
    """Answer what is still open, question by question."""
    left = [other for other in player_moves(state, seat) if subject(other) == subject(move)]
    for what, question in QUESTIONS.items():
        said = answers(state, move).get(what)
        if any(answers(state, other).get(what) != said for other in left):
            assert said is not None
            expect(page.locator(".dock-title")).to_contain_text(question)
            page.locator(".dock").get_by_role("button", name=said, exact=True).click()
        left = [other for other in left if answers(state, other).get(what) == said]
    assert left == [move]


def subject(move: Move) -> tuple[object, ...]:
    """What is done with which thing on the board."""
    if isinstance(move, AchieveGreat | AchieveSmall):
        return type(move), move.card
    if isinstance(move, CastColourChange):
        return type(move), move.swap and (move.swap.rank, move.swap.old)
    if isinstance(move, Promote | CastPromotion):
        return type(move), move.lift and (move.lift.rank, move.lift.colour)
    return (type(move),)


def answers(state: WickedState, move: Move) -> dict[str, str]:
    """Return what identifies a move, in the page's words."""
    said = {}
    lift = move.lift if isinstance(move, Promote | CastPromotion | AchieveSmall) else None
    if isinstance(move, AchieveSmall):
        player, reward = state.players[move.player], state.deck.small_oracle(move.card).reward
        said["colours"] = " and ".join(move.colours)
        if move.keep is not None:
            came = Tokens.of(colour for colour in COLOURS for one in (*reward, *move.colours) if one == colour)
            said["keep"] = " and ".join((player.low + came - Tokens.of(move.keep)).colours)
    if isinstance(move, CastColourChange) and move.swap is not None:
        said["change"] = move.swap.new
    if lift is not None:
        said["lift"] = f"{lift.rank} {lift.colour}"
        if lift.displaced is not None:
            said["displaced"] = lift.displaced
    return said


def watched(phone: Page, number: int) -> None:
    """Bruno is choosing: another phone waits for him and has nothing of his to press."""
    up_to_date(phone, number)
    expect(phone.locator(".dock-title")).to_have_text("Nothing to choose. Waiting for Bruno.")
    expect(phone.locator("[data-test=option]")).to_have_count(0)


def try_for_more(session: TabletAndPhones, network: Network) -> None:
    """Bruno's phone reaches for Chie's seat, for a control of the host's and for the whole table's cards."""
    phone, number = session.screens[BRUNO], session.number
    up_to_date(phone, number)
    done = phone.locator("[data-test=finish]")
    own = '{"type":"finish_soul","player":1}'
    for part, other, line in (
        ('"player":1', '"player":2', OTHERS_SEAT),
        ('["play",', '["pause",', FOR_THE_HOST),
        (own, '{"type":"lay","cards":["C01","C02","C03","C04"]}', FOR_THE_TABLE),
    ):
        network.forge(part, other)
        done.click()
        expect(phone.locator(".toast.wrong")).to_have_text(line)
    for closed, line in (("api/options/2", OTHERS_SEAT), ("api/games", FOR_THE_HOST)):
        answered = phone.request.get(f"{phone.url.split('#')[0]}{closed}")
        assert (answered.status, answered.json()["error"]["message"]) == (403, line)
    assert session.number == number
    assert game_of(session.table).state == session.state


def miss_a_tap(session: TabletAndPhones) -> None:
    """Chie's phone has no network: it says so, and a tap on it is never sent."""
    phone = session.screens[CHIE]
    expect(phone.locator(".band.lost")).to_contain_text("Connection lost")
    finish(phone, session.state.players[CHIE])
    expect(phone.locator(".toast.wrong")).to_have_text(OFFLINE)


def come_back(session: TabletAndPhones, network: Network) -> None:
    """Chie's phone finds the table as it is now, and her souls are still hers to process."""
    phone = session.screens[CHIE]
    assert phone.evaluate("() => document.body.dataset.number") != str(session.number)
    network.back()
    expect(phone.locator(".band.lost")).to_have_count(0)
    expect(phone.locator(".toast")).to_contain_text("Connected again")
    up_to_date(phone, session.number)
    assert not session.state.players[CHIE].finished
    expect(phone.locator("[data-test=finish]")).to_have_text("Done with my souls")


def same_end(session: TabletAndPhones) -> None:
    """Every screen names the winner and the points that the engine counts."""
    scores = final_scores(session.state)
    (winner,) = [score.player for score in scores if score.place == 1]
    up_to_date(session.host, session.number)
    go(session.host, "Table")
    for phone in session.screens[1:]:
        phone.get_by_role("button", name="See the scores").click()
    for seat, page in enumerate(session.screens):
        final = page.locator("[data-test=final]")
        expect(page.locator("[data-test=hero] h2" if seat else "[data-test=final] h2").first).to_have_text(
            f"{NAMES[winner]} wins the labyrinth"
        )
        for score in scores:
            ledger = final.locator(".ledger").filter(has=page.locator("h3", has_text=NAMES[score.player]))
            expect(ledger.locator(".total")).to_have_text(str(score.total).replace("-", "−"))
            expect(ledger.locator(".place-won")).to_have_text(f"{score.place}.")
        look(page, f"three-{NAMES[seat].lower()}-final", [PHONE if seat else TABLET])


@pytest.mark.timeout(300)
def test_a_tablet_and_two_phones_play_a_whole_game(table: Table, serve: Serve, visit: Visit) -> None:
    address = serve(table)
    host = begin(visit, address)
    go(host, "More")
    host.locator("a[href='#join']").click()
    code = code_of(host)
    bruno, chie = Network(), Network()
    phones = join(visit, address, code, BRUNO, bruno.over), join(visit, address, code, CHIE, chie.over)
    go(host, "Table")
    session = TabletAndPhones(table, (host, *phones), game_of(table).state)
    rng = random.Random(SEED)
    chosen = set()

    while (state := session.state).phase != "over":
        move = greedy_move(state, rng)
        seat = acting_player(move)
        if seat in (BRUNO, CHIE):
            chosen.add(type(move))
        if (state.round, state.phase) == (2, "soul") and seat == HOST and chie.on:
            up_to_date(phones[1], session.number)
            chie.gone()
        if seat == CHIE and not chie.on:
            miss_a_tap(session)
            come_back(session, chie)
        if isinstance(move, FinishSoul) and seat == BRUNO and state.round == 1:
            try_for_more(session, bruno)
        if state.phase == "gain" and waiting_for(state) == (BRUNO,):
            watched(phones[1], session.number)
        session.enter(move)
    assert chosen == CHOICES
    same_end(session)
