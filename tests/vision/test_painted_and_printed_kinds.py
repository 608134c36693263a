import pytest

from vision.kind_colours import NO_PIECE
from vision.painted_and_printed_kinds import is_painted, is_printed


@pytest.mark.parametrize(
    ("kind", "painted", "printed"),
    [
        ("search:purple", True, False),
        ("search:turquoise", True, False),  # a paint that no kit lists
        ("sign:soul", False, True),
        ("token:red", False, False),  # it lies on boards
        ("impurity:3", False, False),
        (NO_PIECE, False, False),
    ],
)
def test_kits_define_what_hands_hold_and_what_distinguishes_it(kind: str, painted: bool, printed: bool) -> None:
    assert (is_painted(kind), is_printed(kind)) == (painted, printed)
