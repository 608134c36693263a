"""One piece more or less in a hand during the countdown: how often is the old count entered?"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

from companion.director.staging import scene
from companion.games.wicked.bots import random_cards
from companion.games.wicked.standin import STANDIN
from companion.table import Eyes, SavedGames, Table
from companion.table.views import GameView
from tests.companion.director.rehearsal import PLAYERS, RUNNING, Clock, Room, furnished
from vision.cameras.frame import Frame, Image
from vision.cameras.simulated import Look
from vision.cameras.simulated.scene import HandOnTable, Scene

FRAMES_A_SECOND = 8.0
TRIALS = 20
PATIENCE = 120
"""Frames until a trial counts as unread."""


class Trial:
    """One reveal at a table of five that changes during its countdown."""

    def __init__(self, room: Room, folder: Path, rng: random.Random) -> None:
        self.clock, self.rng, self.number = Clock(), rng, 0
        self.table = Table(SavedGames(folder), STANDIN, clock=self.clock)
        self.table.equip(Eyes(room.readers))
        self.table.camera_told(RUNNING)
        self.table.start_game(PLAYERS)
        while self.game.state.phase in ("deal", "lay"):
            self.table.play(random_cards(self.game.state, rng), self.game.number)
        state = self.game.state
        self.render = cache(lambda shown, noise: room.renderer.render(shown, noise))
        self.empty = scene(state)

    @property
    def game(self) -> GameView:
        game = self.table.view.game
        assert game is not None
        return game

    def look(self, shown: Scene) -> None:
        """Take in the next picture of a scene."""
        self.clock.advance(1.0 / FRAMES_A_SECOND)
        self.number += 1
        image: Image = self.render(shown, self.number % 4)
        self.table.look(Frame(image, self.number, self.clock()))
        self.table.tick()

    def outcome(self) -> str:
        """Show a reveal, change one hand by one piece as soon as it is proposed, and name what comes of it."""
        hands = [
            HandOnTable(
                seat,
                1.0,
                1.0,
                (f"search:{player.colour}",) * self.rng.randint(0, 3),
                self.rng.randrange(1 << 30),
            )
            for seat, player in enumerate(PLAYERS)
        ]
        for _ in range(6):
            self.look(self.empty)
        before = replace(self.empty, hands=tuple(hands))
        for _ in range(PATIENCE):
            self.look(before)
            if self.table.view.proposal is not None:
                break
        proposal = self.table.view.proposal
        if proposal is None or not proposal.certain:
            return "asked at first"
        seat = self.rng.randrange(len(hands))
        more = not hands[seat].pieces or self.rng.random() < 0.5
        kind = f"search:{PLAYERS[seat].colour}"
        changed = (*hands[seat].pieces, kind) if more else hands[seat].pieces[:-1]
        hands[seat] = replace(hands[seat], pieces=changed)
        after = replace(self.empty, hands=tuple(hands))
        number = self.game.number
        for _ in range(PATIENCE):
            self.look(after)
            now = self.table.view.proposal
            if self.game.number != number or (now is not None and not now.certain):
                break
        if self.game.number == number:
            return "asked" if self.table.view.proposal is not None else "unread"
        entered = self.game.state.outcome
        assert entered is not None
        return "noticed" if entered.hands[seat].search == len(changed) else "OLD COUNT ENTERED"


def main(*looks: int) -> None:
    """Print the outcomes of reveals on some looks, by seed; each look has other people, light, table and paint."""
    total: Counter[str] = Counter()
    for seed in looks or (0, 3, 4, 6, 9, 12):
        room = furnished(Look.from_seed(seed) if seed else Look())
        told: Counter[str] = Counter()
        for number in range(TRIALS):
            with tempfile.TemporaryDirectory() as folder:
                trial = Trial(room, Path(folder), random.Random(f"{seed} {number}"))
                told[trial.outcome()] += 1
                trial.table.close()
        print(f"  look {seed} on {room.renderer.look.table}: {dict(told)}")
        total += told
        sys.stdout.flush()
    print(f"  all: {dict(total)}")


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
