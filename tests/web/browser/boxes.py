"""A font of nothing but boxes, as wide as high, for every Japanese character.

They take the room that any Japanese face takes, on machines that have none: there browsers draw signs of little
more than half the width, and nothing ever seems to stick out.
"""

from __future__ import annotations

import struct

FAMILY = "Noto Sans JP"
"""What the page asks for among others, so it is taken where no other one of its list is there."""
_UNITS = 1000
_ASCENT, _DESCENT = 1160, 288
"""As Japanese faces commonly have them: their lines are higher than those of Latin ones."""
_RANGES = ((0x3000, 0x30FF), (0x31F0, 0x31FF), (0x4E00, 0x9FFF), (0xFF01, 0xFF60), (0xFFE0, 0xFFE6))


def box_font() -> bytes:
    """Make the font as TrueType."""
    box = _box()
    tables = {
        b"OS/2": _os2(),
        b"cmap": _cmap(),
        b"glyf": box + box,
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh",
            0x10000, 0x10000, 0, 0x5F0F3CF5, 3, _UNITS, 0, 0, 60, -80, 940, 840, 0, 8, 2, 0, 0,
        ),
        b"hhea": struct.pack(
            ">IhhhHhhhhhh8xhH", 0x10000, _ASCENT, -_DESCENT, 0, _UNITS, 60, 60, 940, 1, 0, 0, 0, 2
        ),
        b"hmtx": struct.pack(">HhHh", _UNITS, 60, _UNITS, 60),
        b"loca": struct.pack(">HHH", 0, len(box) // 2, len(box)),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x10000, 2, 8, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _name(),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, -100, 50, 0, 0, 0, 0, 0),
    }  # fmt: skip # fields of a font table
    head = struct.pack(">IHHHH", 0x10000, len(tables), 128, 3, len(tables) * 16 - 128)
    at, entries, content = len(head) + 16 * len(tables), b"", b""
    for tag, table in sorted(tables.items()):
        padded = table + bytes(-len(table) % 4)
        total = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        entries += struct.pack(">4sIII", tag, total, at + len(content), len(table))
        content += padded
    return head + entries + content


def _box() -> bytes:
    """Draw a frame: a square, and a smaller one in the opposite direction inside it."""
    low, high, rim = (60, -80), (940, 840), 60
    outer = [low, (low[0], high[1]), high, (high[0], low[1])]
    inner = [
        (low[0] + rim, low[1] + rim),
        (high[0] - rim, low[1] + rim),
        (high[0] - rim, high[1] - rim),
        (low[0] + rim, high[1] - rim),
    ]
    points = [*outer, *inner]
    steps = [(x - a, y - b) for (x, y), (a, b) in zip(points, [(0, 0), *points[:-1]], strict=True)]
    glyph = struct.pack(">hhhhh", 2, *low, *high) + struct.pack(">HHH", 3, 7, 0) + bytes([1] * 8)
    glyph += b"".join(struct.pack(">h", x) for x, _ in steps) + b"".join(struct.pack(">h", y) for _, y in steps)
    return glyph + bytes(-len(glyph) % 4)


def _cmap() -> bytes:
    groups = b"".join(
        struct.pack(">III", code, code, 1) for first, last in _RANGES for code in range(first, last + 1)
    )
    table = struct.pack(">HHIII", 12, 0, 16 + len(groups), 0, len(groups) // 12) + groups
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _os2() -> bytes:
    # Bits of the Unicode blocks and code pages that say: Japanese.
    return struct.pack(
        ">HhHHHhhhhhhhhhhh10sIIII4sHHHhhhHHIIhhHHH",
        4, _UNITS, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 250, 0, bytes(10),
        0, 1 << 16 | 1 << 17 | 1 << 18 | 1 << 27, 0, 0, b"none", 0x40, 0x3000, 0xFFE6,
        _ASCENT, -_DESCENT, 0, _ASCENT, _DESCENT, 1 << 17, 0, 500, 700, 0, 32, 1,
    )  # fmt: skip # fields of a font table


def _name() -> bytes:
    texts = {1: FAMILY, 2: "Regular", 3: f"{FAMILY} boxes", 4: FAMILY, 5: "1", 6: FAMILY.replace(" ", "")}
    records, kept = b"", b""
    for number, text in texts.items():
        written = text.encode("utf-16-be")
        records += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(written), len(kept))
        kept += written
    return struct.pack(">HHH", 0, len(texts), 6 + len(records)) + records + kept
