"""The picture that is kept with a move: the whole table, and every open hand enlarged below it."""

from __future__ import annotations

import numpy as np

from calibration.files.picture_files import decode_picture
from companion.table.pictures.overlay import evidence_picture, hand_pictures
from vision.readings import CardReading, CardsReading, HandReading, HandsReading, PieceReading

TABLE = np.full((720, 1280, 3), 60, np.uint8)


def hand(seat: int, x: float, y: float, *, pieces: bool = True) -> HandReading:
    lying = PieceReading("search:red", (x + 80.0, y + 80.0, 20.0, 20.0), 0.9)
    return HandReading(
        seat, "open", {"search:red": 1}, 0.9, False, (x, y, 180.0, 180.0), pieces=(lying,) if pieces else ()
    )


def test_each_open_hand_is_enlarged_below_the_table_in_the_order_of_seats() -> None:
    picture = TABLE.copy()
    for x, colour in ((180, (0, 0, 250)), (780, (250, 0, 0))):
        picture[280:300, x : x + 20] = colour
    closed = HandReading(2, "closed", {}, 0.9, False, (500.0, 500.0, 100.0, 100.0))
    kept = evidence_picture(picture, HandsReading((hand(1, 700.0, 200.0), hand(0, 100.0, 200.0), closed)), None)
    assert kept.shape == (720 + 320, 1280, 3)
    strip = kept[720:]
    red, blue = ((strip[..., channel] > 200) & (strip.min(axis=2) < 60) for channel in (2, 0))
    assert red[:, :320].sum() > 9 * 20 * 20
    assert blue[:, 320:640].sum() > 9 * 20 * 20
    assert not red[:, 320:].any()
    assert not blue[:, 640:].any()


def test_an_empty_hand_at_the_edge_is_enlarged_too() -> None:
    kept = evidence_picture(TABLE, HandsReading((hand(0, 1200.0, 650.0, pieces=False),)), None)
    assert kept.shape == (720 + 320, 1280, 3)


def test_cards_need_no_strip() -> None:
    card = CardReading("C01", 0.9, ((10.0, 50.0), (60.0, 50.0), (60.0, 120.0), (10.0, 120.0)))
    kept = evidence_picture(TABLE, None, CardsReading((card,)))
    assert kept.shape == TABLE.shape
    assert (kept != TABLE).any()


def test_every_open_hand_has_a_picture_of_its_own() -> None:
    picture = TABLE.copy()
    picture[280:300, 180:200] = (0, 0, 250)
    closed = HandReading(2, "closed", {}, 0.9, False, (500.0, 500.0, 100.0, 100.0))
    kept = hand_pictures(picture, HandsReading((hand(1, 700.0, 200.0), hand(0, 100.0, 200.0), closed)))
    assert sorted(kept) == [0, 1]
    shown = {seat: decode_picture(jpeg) for seat, jpeg in kept.items()}
    assert {image.shape for image in shown.values()} == {(360, 360, 3)}
    red = {seat: int(((image[..., 2] > 200) & (image.min(axis=2) < 60)).sum()) for seat, image in shown.items()}
    assert red[0] > 9 * 20 * 20
    assert red[1] < 20
