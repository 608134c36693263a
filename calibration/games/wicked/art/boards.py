"""Art of personal boards, A5 landscape: spots by rank, two spell spaces, crest, and their positions."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.drawing.labyrinth_generator import generate_labyrinth
from calibration.drawing.palette import BRIGHT_GOLD, DEEP_GOLD, GOLD, INK, PARCHMENT, RAISED, VELLUM
from calibration.drawing.seeded_random import Dice
from calibration.drawing.svg_pen import Pen, box, curve, ellipse, mirrored, mix, rounded
from calibration.games.wicked.art.animal_heads import draw_animal_head
from calibration.games.wicked.art.icons import BAR_PITCH, RANKS, draw_bars, draw_colour_change, draw_promotion
from calibration.games.wicked.art.palette import PLAYERS

BOARD: tuple[float, float] = (210.0, 148.0)
"""Width and height of a board in mm: A5 landscape."""
SPOT = 18.0
"""Diameter of a spot in mm; a token of 16 mm lies on it."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Space:
    """A rectangle on a board."""

    x: float
    """Of its centre, board mm."""
    y: float
    """Of its centre, board mm."""
    width: float
    """Along x, mm."""
    height: float
    """Along y, mm."""


@dataclass(frozen=True, slots=True)
class BoardSpots:
    """Positions on a board in board mm: origin at its centre, +x right, +y towards its upper edge."""

    low: tuple[Point, ...]
    """Centres of the low rank's spots, from left to right."""
    middle: tuple[Point, ...]
    """Centres of the middle rank's spots, from left to right."""
    high: tuple[Point, ...]
    """Centres of the high rank's spots, from left to right."""
    promotion: Space
    """Space for search pieces that mark promotions (W8)."""
    colour_change: Space
    """Space for search pieces that mark changes of colour (W8)."""

    def of(self, rank: str) -> tuple[Point, ...]:
        """Return the centres of a rank's spots, from left to right."""
        rows = {"low": self.low, "middle": self.middle, "high": self.high}
        return rows[rank]


def _row_centres(count: int, y: float) -> tuple[Point, ...]:
    """Return the centres of a row of spots at this y, from left to right, board mm."""
    return tuple((-27.0 + 21.0 * (k - (count - 1) / 2), y) for k in range(count))


BOARD_SPOTS = BoardSpots(
    low=_row_centres(6, -46.0),
    middle=_row_centres(5, -4.0),
    high=_row_centres(4, 38.0),
    promotion=Space(69.5, -7.5, 47.0, 34.0),
    colour_change=Space(69.5, -45.5, 47.0, 34.0),
)
"""Spots and spaces of the printed boards, mm from a board's centre."""


def board_face(player_colour: str) -> str:
    """Return the board of a player as SVG. player_colour: purple, green, red, black or yellow."""
    dark, middle, _light = PLAYERS[player_colour]
    width, height = BOARD
    pen = Pen.new()
    pen.fill(box(0, 0, width, height), INK)
    pen.fill(box(4, 4, width - 4, height - 4), mix(dark, middle, 0.6))
    pen.fill(box(6.5, 6.5, width - 6.5, height - 6.5), INK)
    pen.fill(box(7.2, 7.2, width - 7.2, height - 7.2), PARCHMENT)
    _draw_maze(pen, player_colour)
    pen.line(box(4, 4, width - 4, height - 4), GOLD, 0.7, closed=True)
    pen.line(box(9, 9, width - 9, height - 9), DEEP_GOLD, 0.35, closed=True)
    for rank in RANKS:
        centres = [(x + width / 2, height / 2 - y) for x, y in BOARD_SPOTS.of(rank)]
        (x0, y), (x1, _) = centres[0], centres[-1]
        pen.fill(rounded(x0 - 14.5, y - 14.5, x1 + 14.5, y + 14.5, 6), INK)
        pen.fill(rounded(x0 - 13.8, y - 13.8, x1 + 13.8, y + 13.8, 5.4), mix(dark, RAISED, 0.55))
        pen.line(rounded(x0 - 12.6, y - 12.6, x1 + 12.6, y + 12.6, 4.6), GOLD, 0.5, closed=True)
        for x, _ in centres:
            pen.fill(ellipse(x, y, SPOT / 2 + 0.9), GOLD)
            pen.fill(ellipse(x, y, SPOT / 2), INK)
            pen.line(ellipse(x, y, SPOT / 2 - 1.6), DEEP_GOLD, 0.35, 0.9, closed=True)
            lift = -BAR_PITCH / 2 * RANKS.index(rank)
            draw_bars(pen.placed(x, y + lift, 1.0), rank, mix(GOLD, INK, 0.35), INK)
        tab = pen.placed((x0 + x1) / 2, y - 17.0)
        tab.shape(rounded(-11.5, -5.8, 11.5, 5.8, 2.8), INK, GOLD, 0.5)
        draw_bars(tab.placed(0, lift * 1.15, 1.15), rank, BRIGHT_GOLD, INK)
    for space, icon in ((BOARD_SPOTS.promotion, draw_promotion), (BOARD_SPOTS.colour_change, draw_colour_change)):
        x, y = space.x + width / 2, height / 2 - space.y
        edge = (x - space.width / 2, y - space.height / 2, x + space.width / 2, y + space.height / 2)
        pen.fill(rounded(*edge, 4), INK)
        pen.fill(rounded(edge[0] + 0.8, edge[1] + 0.8, edge[2] - 0.8, edge[3] - 0.8, 3.4), VELLUM)
        pen.line(rounded(edge[0] + 2, edge[1] + 2, edge[2] - 2, edge[3] - 2, 2.6), DEEP_GOLD, 0.4, closed=True)
        icon(pen.placed(edge[0] + 11.0, y, 0.72))
    _draw_shield(pen, player_colour)
    return pen.svg(0, 0, width, height)


def _draw_shield(pen: Pen, player_colour: str) -> None:
    """Draw the player's animal on a shield."""
    dark, middle, _light = PLAYERS[player_colour]
    at = pen.placed(69.5 + BOARD[0] / 2, BOARD[1] / 2 - 39.5)
    shield = mirrored(curve("M 0 -22 L 19 -22 C 19 -2 18 13 0 23", 10))
    at.line(shield, INK, 2.2, closed=True)
    at.fill(shield, mix(dark, INK, 0.25))
    at.fill([(x, y) for x, y in shield if x <= 0], mix(dark, middle, 0.35))
    at.line(shield, BRIGHT_GOLD, 0.8, closed=True)
    draw_animal_head(at.placed(0, -2.6, 1.32), player_colour)


def _draw_maze(pen: Pen, player_colour: str) -> None:
    """Draw a faint maze on the parchment, a different one for each player."""
    columns, rows, cell = 24, 16, 8.0
    left, top = (BOARD[0] - columns * cell) / 2, (BOARD[1] - rows * cell) / 2
    links = generate_labyrinth(columns, rows, Dice(f"board {player_colour}"))
    walls = []
    for x in range(columns):
        for y in range(rows):
            x1, y1 = left + (x + 1) * cell, top + (y + 1) * cell
            if x + 1 < columns and (x, y, x + 1, y) not in links:
                walls.append([(x1, y1 - cell), (x1, y1)])
            if y + 1 < rows and (x, y, x, y + 1) not in links:
                walls.append([(x1 - cell, y1), (x1, y1)])
    pen.lines(walls, mix(PARCHMENT, DEEP_GOLD, 0.35), 0.7)
