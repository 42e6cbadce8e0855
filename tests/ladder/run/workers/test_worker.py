"""What a referee process does with a group that the machine spoils."""

from typing import Any

import pytest

from bullring.arena.cells.processes.frames import Frames
from bullring.arena.match.play import Report, play_match
from bullring.arena.match.records.reader import parse_line
from bullring.ladder.run.cluster.result_checks import checked
from bullring.ladder.run.workers.messages import MOST_TRIES, Spoiled, answer_bytes, answer_of
from bullring.ladder.store.dictionary import NO_DICTIONARY
from bullring.ladder.store.packed_row import unpacked
from bullring.ladder.store.packet import unpack
from tests.ladder.run.cluster.playing import TERMS, played

WHY = "the machine failed seat 0: it is out of memory"


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch, spoils: range) -> list[Report]:
    """The reports of all matches, of which the machine `spoils` some, by their number from 0."""
    found: list[Report] = []

    async def spoiled(*args: Any, **options: Any) -> Report:
        report = await play_match(*args, **options)
        if len(found) in spoils:
            report.result.void = WHY
        found.append(report)
        return report

    monkeypatch.setattr("bullring.ladder.run.workers.worker.play_match", spoiled)
    return found


@pytest.mark.parametrize("spoils", [range(1, 2)])
def test_a_group_is_played_again_with_its_deals_under_other_nonces(reports: list[Report]) -> None:
    orders, block = played([[1, 2]])
    (one,) = block.played
    assert len(reports) == 4
    assert len({report.spec.seed.seed for report in reports}) == 1
    assert len({report.spec.seed.nonce for report in reports}) == 4
    assert one.spoiled == (Spoiled(True, WHY),)
    rows = [unpacked(outcome.row) for outcome in one.matches]
    assert [row.counted for row in rows] == [True, True]
    assert [row.spoiled for row in rows] == [1, 1]
    texts = [unpack(record, lambda _: NO_DICTIONARY) for record in block.records]
    assert len(texts) == 2
    assert parse_line(texts[0].splitlines()[0], 0)["ladder"]["spoiled"] == [[True, WHY]]
    again = answer_of(next(Frames().feed(checked(orders, answer_bytes(block), TERMS))))
    assert again == block


@pytest.mark.parametrize("spoils", [range(99)])
def test_a_group_that_is_spoiled_each_time_does_not_count(reports: list[Report]) -> None:
    _, block = played([[1, 2]])
    (one,) = block.played
    assert len(reports) == MOST_TRIES
    assert len(one.spoiled) == MOST_TRIES - 1
    assert [unpacked(outcome.row).counted for outcome in one.matches] == [False]
