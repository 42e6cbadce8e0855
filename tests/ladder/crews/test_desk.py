"""What a referee process sends in one block."""

from bullring.ladder.crews.desk import BLOCK_BYTES, CarriedOut, _portions
from bullring.ladder.crews.messages import Played


def test_records_that_are_long_together_go_in_several_blocks() -> None:
    """Bots may write much to stderr, and no frame of records may be longer than readers believe."""
    long = [CarriedOut(Played(number, []), [bytes(BLOCK_BYTES // 2), b"x"]) for number in range(4)]
    short = [CarriedOut(Played(number, []), [b"x"]) for number in range(4, 40)]
    blocks = list(_portions([*long, *short]))
    assert [one.played.id for block in blocks for one in block] == list(range(40))
    assert [len(block) for block in blocks] == [1, 1, 1, 37]
    assert list(_portions([])) == []
