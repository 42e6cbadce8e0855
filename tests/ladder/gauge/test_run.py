"""Playing bots against the house, side by side."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import trio
from trio.testing import MockClock

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.study.house.luck import Luck
from bullring.ladder.gauge.run import SPOILED, gauge
from bullring.ladder.gauge.score import Sample, Score, Until


class _Table:
    """A table at which the first matches take longest."""

    def __init__(self) -> None:
        self.left = 6
        self.playing = self.most = 0

    async def play(self, bot: Bot, record: Path) -> tuple[Any, Sample | None]:
        number, self.left = 6 - self.left, self.left - 1
        self.playing += 1
        self.most = max(self.most, self.playing)
        await trio.sleep(self.left)
        self.playing -= 1
        luck = Luck((float(number), 0.5), (0.0, 0.0), (0.0, 0.0), 1.0)
        return SimpleNamespace(void=None), None if number == 2 else Sample(0, luck, 0, 1.0)


def test_matches_count_in_the_order_in_which_they_began(tmp_path: Path) -> None:
    table, score, names = _Table(), Score("mine", []), []

    def record(bot: Bot, number: int) -> Path:
        names.append(number)
        return tmp_path / str(number)

    async def main() -> None:
        bot = Bot("mine", Program(("x",), tmp_path))
        await gauge(table, [bot], [score], Until(15.0, 6, jobs=3), record, lambda *_: None)  # type: ignore[arg-type]

    trio.run(main, clock=MockClock(autojump_threshold=0))
    assert [sample.luck.result[0] for sample in score.samples] == [0, 1, 3, 4, 5]
    assert score.void == 1
    assert names == [1, 2, 3, 4, 5, 6]
    assert table.most == 3


def test_a_bot_of_whom_every_match_is_void_does_not_play_for_ever(tmp_path: Path) -> None:
    class Broken:
        async def play(self, bot: Bot, record: Path) -> tuple[Any, Sample | None]:
            await trio.sleep(1)
            return SimpleNamespace(void="the machine stood still"), None

    score = Score("mine", [])

    async def main() -> None:
        bot = Bot("mine", Program(("x",), tmp_path))
        await gauge(Broken(), [bot], [score], Until(15.0, jobs=2), lambda *_: tmp_path, lambda *_: None)  # type: ignore[arg-type]

    trio.run(main, clock=MockClock(autojump_threshold=0))
    assert SPOILED <= score.void <= SPOILED + 1  # one more had begun
    assert score.facts()["why_void"] == "the machine stood still"
