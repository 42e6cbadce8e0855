"""The blocks that a referee process sends."""

from bullring.ladder.run.workers.messages import Played
from bullring.ladder.run.workers.outbox import BLOCK_BYTES, Packed, blocks


def test_records_that_are_long_together_go_in_several_blocks() -> None:
    """Bots may write much to stderr, and nobody believes a block that has too much."""
    long = [Packed(Played(number, []), [bytes(BLOCK_BYTES // 2), b"x"]) for number in range(4)]
    short = [Packed(Played(number, []), [b"x"]) for number in range(4, 40)]
    found = list(blocks([*long, *short]))
    assert [one.id for block in found for one in block.played] == list(range(40))
    assert [len(block.played) for block in found] == [1, 1, 1, 37]
    assert [len(block.records) for block in found] == [2, 2, 2, 38]
    assert list(blocks([])) == []
