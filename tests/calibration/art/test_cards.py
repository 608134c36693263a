"""Faces and backs of the cards: well made, always the same, and never to be mistaken for each other."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from xml.etree import ElementTree

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.games.wicked.art import CARD, card_back, corridor_face, great_face, rasterise, small_face
from companion.adapters.wicked.printable_sheets import printed_cards
from companion.games.wicked.standin_deck import STANDIN

IDS = [
    *(card.id for card in STANDIN.corridors),
    *(card.id for card in STANDIN.great),
    *(card.id for card in STANDIN.small),
]


@pytest.fixture(scope="module")
def faces() -> dict[str, str]:
    return dict(zip(IDS, (face for face, _ in printed_cards()), strict=True))


@pytest.fixture(scope="module")
def seen(faces: dict[str, str]) -> dict[str, NDArray[np.float64]]:
    return {name: seen_from_afar(svg) for name, svg in faces.items()}


def seen_from_afar(svg: str) -> NDArray[np.float64]:
    """What a camera has of a card at 1 px/mm: grey, without mean and of length one."""
    drawn = rasterise(svg, 4.0)
    grey = cv2.cvtColor(drawn, cv2.COLOR_BGRA2GRAY)
    small = cv2.resize(grey, (63, 88), interpolation=cv2.INTER_AREA).astype(np.float64)
    small -= small.mean()
    return small / np.linalg.norm(small)


def test_every_face_is_well_formed_and_63_by_88_mm(faces: dict[str, str]) -> None:
    for svg in (*faces.values(), card_back("corridor"), card_back("great"), card_back("small")):
        root = ElementTree.fromstring(svg)
        assert root.get("width") == f"{CARD[0]:g}mm"
        assert root.get("height") == f"{CARD[1]:g}mm"
        assert root.get("viewBox") == "0 0 63 88"


def test_a_face_uses_only_what_mupdf_draws_right(faces: dict[str, str]) -> None:
    for svg in faces.values():
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert tags == {"svg", "path"}


def test_no_two_faces_look_alike_at_one_pixel_a_millimetre(seen: dict[str, NDArray[np.float64]]) -> None:
    alike = {(a, b): float((seen[a] * seen[b]).sum()) for a, b in itertools.combinations(seen, 2)}
    worst = max(alike, key=lambda pair: alike[pair])
    assert alike[worst] < 0.7, f"{worst} correlate by {alike[worst]:.2f}"


def test_no_face_looks_like_another_upside_down(seen: dict[str, NDArray[np.float64]]) -> None:
    pairs = itertools.combinations_with_replacement(seen, 2)
    alike = {(a, b): float((seen[a] * seen[b][::-1, ::-1]).sum()) for a, b in pairs}
    worst = max(alike, key=lambda pair: alike[pair])
    assert alike[worst] < 0.5, f"{worst} correlate by {alike[worst]:.2f}"


def test_the_backs_differ_from_each_other_and_from_every_face(seen: dict[str, NDArray[np.float64]]) -> None:
    backs = [seen_from_afar(card_back(kind)) for kind in ("corridor", "great", "small")]
    for one, other in itertools.combinations(backs, 2):
        assert float((one * other).sum()) < 0.3
    for face in seen.values():
        assert max(float((face * back).sum()) for back in backs) < 0.3


def test_cards_with_the_same_icons_still_differ_by_their_corridor() -> None:
    pictures = [seen_from_afar(corridor_face(f"C{n:02}", ["white"], ["blue"])) for n in range(1, 25)]
    assert max(float((a * b).sum()) for a, b in itertools.combinations(pictures, 2)) < 0.78


def test_a_card_changes_with_what_it_gives() -> None:
    assert corridor_face("C01", ["yellow"], ["green"]) != corridor_face("C01", ["green"], ["green"])
    assert great_face("G01", ["red", "green"]) != great_face("G01", ["red", "red"])
    low, high = (small_face("S01", [("red", rank)], ["white"]) for rank in ("low", "high"))
    assert low != high


@pytest.mark.parametrize("card_id", ["my card", "Ⅳ", "7"])
def test_any_id_gives_a_card(card_id: str) -> None:
    drawn = rasterise(corridor_face(card_id, ["red", "promotion"], ["white"]), 2.0)
    assert drawn.shape == (176, 126, 4)


def test_a_face_is_the_same_in_every_process() -> None:
    code = (
        "import hashlib; from calibration.games.wicked.art import corridor_face as c, great_face as g;"
        "from calibration.games.wicked.art import small_face as s;"
        "print(hashlib.sha256((c('C05', ['red'], ['blue']) + g('G05', ['red', 'blue'])"
        " + s('S05', [('red', 'low')], ['white'])).encode()).hexdigest())"
    )
    prints = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(prints) == 1
