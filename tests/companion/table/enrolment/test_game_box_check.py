from dataclasses import replace

import pytest

from calibration.errors import ProfileError
from calibration.games.wicked.kit import KIT
from calibration.pieces import enrolment as pieces
from companion.director.setup_scenes import box_scene, specimens_scene
from companion.games.wicked.components import PlayerColour
from companion.table.enrolment.game_box_check import BoxCheck, KindCount, box_view
from tests.companion.table.enrolment.enrolled import enrolled_profile, little_profile, renderer
from vision.counting.table_counter import PieceCounter
from vision.readings import CountReading, DoubtfulThing, KindGuess, PieceReading, UnknownThing

COLOURS: tuple[PlayerColour, ...] = ("green", "purple", "red")


def test_missing_and_doubtful_pieces_are_counted_by_kind() -> None:
    seen_pieces = (
        PieceReading("search:purple", (10, 10, 8, 8), 0.99),
        PieceReading("search:purple", (100, 10, 8, 8), 0.5),
    )
    reading = CountReading(
        {"search:purple": 2},
        seen_pieces,
        (
            DoubtfulThing((98, 8, 12, 12), "search:purple or search:black"),
            DoubtfulThing((300, 8, 12, 12), "not counted", (KindGuess("search:green", 0.4),)),
        ),
        unknown=(UnknownThing((500, 8, 9, 9), 0.9),),
    )
    seen = box_view(reading, ["purple", "green", "red"], {"search:purple": 1, "search:green": 1}, KIT)
    assert seen.kinds == (
        KindCount("search:purple", 2, 6, enrolled=True, doubtful=1),
        KindCount("search:green", 0, 6, enrolled=True, doubtful=1),
        KindCount("search:red", 0, 6, enrolled=False, doubtful=0),
        KindCount("sign:witch", 0, 3, enrolled=False, doubtful=0),
        KindCount("sign:soul", 0, 3, enrolled=False, doubtful=0),
    )
    assert [piece.doubtful for piece in seen.pieces] == [False, True]
    assert seen.unknown == ((500, 8, 9, 9),)


@pytest.mark.slow
def test_one_piece_that_stays_in_the_box_is_missed_on_the_table() -> None:
    profile = enrolled_profile(("search:green", "search:purple", "search:red", "sign:witch", "sign:soul"))
    reading = PieceCounter(profile).count(renderer().render(box_scene(KIT, COLOURS, missing=1), 3))
    seen = {kind.kind: (kind.seen, kind.wanted) for kind in box_view(reading, COLOURS, profile.pieces, KIT).kinds}
    assert seen == {
        "search:green": (5, 6),
        "search:purple": (6, 6),
        "search:red": (6, 6),
        "sign:witch": (3, 3),
        "sign:soul": (3, 3),
    }


def test_the_box_is_not_checked_with_pieces_known_from_a_printed_board_alone() -> None:
    printed = replace(little_profile(), views=(), on_pattern=frozenset({"search:green"}))
    with pytest.raises(ProfileError, match="enrolled on a printed board"):
        BoxCheck().check(renderer().render(box_scene(KIT, COLOURS), 3), printed, COLOURS)


@pytest.mark.slow
def test_enrolled_tokens_do_not_claim_search_pieces() -> None:
    profile = little_profile()
    for kind in ("search:yellow", "token:yellow"):
        picture = renderer().render(specimens_scene(kind, 0), 0)
        profile = pieces.enrol(profile, kind, [picture], force=True)
    players: tuple[PlayerColour, ...] = ("yellow", "green", "purple", "red", "black")
    box = box_scene(KIT, players)
    image = renderer().render(replace(box, pieces=box.pieces[:8]), 1)
    assert PieceCounter(profile).count(image).counts == {"search:yellow": 7, "token:yellow": 1}
    yellow = BoxCheck().check(image, profile, players).kinds[0]
    assert yellow == KindCount("search:yellow", 8, 8, enrolled=True, doubtful=0)
