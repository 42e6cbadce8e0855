"""What a referee process sends in one block."""

from bullring.ladder.run.workers.desk import BLOCK_BYTES, CarriedOut, _size
from bullring.ladder.run.workers.messages import Played
from bullring.ladder.store.frames import portions


def test_records_that_are_long_together_go_in_several_blocks() -> None:
    """Bots may write much to stderr, and no frame of records may be longer than readers believe."""
    long = [CarriedOut(Played(number, []), [bytes(BLOCK_BYTES // 2), b"x"]) for number in range(4)]
    short = [CarriedOut(Played(number, []), [b"x"]) for number in range(4, 40)]
    blocks = list(portions([*long, *short], _size, BLOCK_BYTES))
    assert [one.played.id for block in blocks for one in block] == list(range(40))
    assert [len(block) for block in blocks] == [1, 1, 1, 37]
    assert list(portions([], len, 1)) == []
