"""What is enrolled in a profile (calibration, pieces, cards, boards), as screens show it. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.camera.quality import Findings
from calibration.game_kit import Ability, Enrolled
from calibration.pieces import separability
from calibration.profile import TableProfile
from companion.table.enrolment.cards import DeckView, deck_view
from companion.table.enrolment.kit_view import KitView, kit_view
from companion.table.enrolment.screen_messages import as_shown_on_screens
from companion.table.enrolment.sheet_and_pieces import Polyline, paper_corners_px


@dataclass(frozen=True, slots=True)
class KnownKind:
    """A kind of pieces, enrolled or not."""

    kind: str
    """Id of the kind."""
    specimens: int
    """Number of enrolled specimens, 0 for a kind that is not enrolled."""
    in_hands: bool
    """Whether players hold such pieces in their hands; others lie on boards."""


@dataclass(frozen=True, slots=True)
class ConfusableView:
    """Two kinds that may be confused."""

    one: str
    """Id of a kind."""
    other: str
    """Id of a kind."""
    whole: float
    """Rate of confusion where they are fully visible, 0..1."""
    hidden: float
    """Rate of confusion where they are partly hidden, 0..1."""
    advice: str
    """What to do, one line."""


@dataclass(frozen=True, slots=True)
class KnownView:
    """What is enrolled, for screens."""

    seats: int
    """Number of seats round the table."""
    calibrated: bool
    """Whether the table is calibrated with the present camera."""
    findings: Findings | None
    """Quality of the calibration; None without one."""
    advice: tuple[str, ...]
    """How to improve the calibration, a line each."""
    size: tuple[int, int] | None
    """Width and height of the pictures that it was calibrated with, px."""
    corners: Polyline | None
    """Corners of the sheet in the picture, px, as `SheetView.corners`."""
    kinds: tuple[KnownKind, ...]
    """All kinds of pieces of the game, with the number of specimens enrolled."""
    cards: dict[str, int]
    """Number of enrolled cards by sort."""
    deck: DeckView
    """The enrolled cards."""
    kit: KitView
    """What can be enrolled."""
    abilities: tuple[Ability, ...]
    """What the camera can read with what is enrolled, and what it cannot."""
    confusable: tuple[ConfusableView, ...] = ()
    """Pairs of enrolled kinds that may be confused, where both occur in hands or both on boards."""
    taken_for_another: float | None = None
    """Highest rate of confusion between kinds in hands, 0..1; None where fewer than two are enrolled."""
    boards: tuple[str, ...] = ()
    """Players' colours whose personal boards are enrolled."""
    sheet: bool = True
    """Whether the game's table is calibrated with the printed sheet."""
    empty_table: bool = False
    """Whether a picture of the empty table is stored, which helps to find pieces on a pattern."""


def known_view(profile: TableProfile, *, fits: bool = True) -> KnownView:
    """Return what is enrolled, for screens. fits: whether the table plane is that of the present camera."""
    cards: dict[str, int] = {}
    for card in profile.deck.cards.values() if profile.deck is not None else ():
        cards[card.kind] = cards.get(card.kind, 0) + 1
    samples = {kind: len(known.specimens) for kind, known in profile.pieces.items()}
    plane, findings = profile.plane, profile.findings if fits else None
    calibrated = plane is not None and fits
    kit = profile.kit
    in_hands = kit.in_hands
    deck = deck_view(kit, profile.deck)
    boards_known = tuple(profile.personal_boards)
    enrolled = Enrolled(
        calibrated, frozenset(profile.pieces), bool(deck.cards) and not deck.missing, len(boards_known)
    )
    hands, boards = (
        separability.measure({kind: known for kind, known in profile.pieces.items() if in_hands(kind) is held})
        for held in (True, False)
    )
    return KnownView(
        seats=profile.seats,
        calibrated=calibrated,
        findings=findings,
        advice=() if findings is None else findings.advice,
        size=None if plane is None else plane.image_size,
        corners=None if plane is None or not fits else paper_corners_px(plane),
        kinds=tuple(KnownKind(kind, samples.get(kind, 0), in_hands(kind)) for kind in kit.kinds),
        cards=cards,
        deck=deck,
        kit=kit_view(kit),
        abilities=kit.abilities(enrolled),
        confusable=tuple(
            ConfusableView(pair.one, pair.other, pair.whole, pair.hidden, as_shown_on_screens(pair.advice))
            for pair in (*hands.confusable, *boards.confusable)
        ),
        taken_for_another=hands.worst if len(hands.kinds) > 1 else None,
        boards=boards_known,
        empty_table=any(not view.covered for view in profile.views),
    )
