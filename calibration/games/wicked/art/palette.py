"""Colours of the stand-in set: five gems, five players, and palettes of the corridors."""

from __future__ import annotations

JEWELS: dict[str, tuple[str, str, str]] = {
    "red": ("#6f0d22", "#cf2a3f", "#ff8f86"),
    "green": ("#0a4a2a", "#1f9d55", "#86e3a2"),
    "blue": ("#102a6e", "#2b66d1", "#8fc0ff"),
    "yellow": ("#93600a", "#f2b41d", "#ffeb9c"),
    "white": ("#a59a92", "#f1ebdf", "#ffffff"),
}
"""Dark, middle and light tone of each gem."""

PLAYERS: dict[str, tuple[str, str, str]] = {
    "purple": ("#3a1a57", "#7443a6", "#b48ad6"),
    "green": ("#14492a", "#2f8a4c", "#84c78e"),
    "red": ("#6a141c", "#bf3038", "#ec8a7c"),
    "black": ("#17151b", "#37333d", "#7c7684"),
    "yellow": ("#85600c", "#dca51f", "#f6da83"),
}
"""Dark, middle and light tone of each player's colour."""

IMPURITY = ("#24102c", "#5c2d6b", "#a678b4")
"""Dark, middle and light tone of impurity."""

Tones = tuple[str, str, str, str, str]

MOODS: tuple[Tones, ...] = (
    ("#151726", "#2b3557", "#55699a", "#9fb0c9", "#f4e9cf"),  # night
    ("#1d0e14", "#53202f", "#8d4148", "#c78e7c", "#f8e3c0"),  # wine
    ("#10180f", "#2d4429", "#5b7a48", "#a2b37f", "#f3ebc6"),  # moss
    ("#1c130b", "#4d331b", "#8a6234", "#c79f63", "#f9eac4"),  # umber
    ("#0c1719", "#1b464d", "#3e7f84", "#93bdb2", "#f2ebd2"),  # pool
    ("#180f20", "#402957", "#735391", "#b29bc2", "#f4e8dc"),  # plum
    ("#2b2226", "#73604f", "#ad9470", "#dcc898", "#fbf2d8"),  # vellum
    ("#141418", "#3a3a44", "#6f6e76", "#adaaa4", "#ffe0a0"),  # ember
)
"""Palettes of the scenes on cards: five tones each, from ink to candle light."""
