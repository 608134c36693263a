"""The readings of the maze and the rules describe the same box."""

from companion.games.master import components
from vision.games.master import readings


def test_readings_and_rules_describe_the_same_box() -> None:
    assert dict(readings.FIXED) == components.FIXED
    assert dict(readings.LOOSE_TILES) == components.LOOSE_TILES
    assert dict(readings.STARTS) == components.START
    assert readings.NUMBERS == components.TOKENS
