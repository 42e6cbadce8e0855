"""The tables of quick bots side by side: all if they need next to no time, else as many as keep the cores busy."""

import pytest

from bullring.ladder.run.workers import beside
from bullring.ladder.run.workers.beside import EVERY, MOST, TURN_US, Beside
from bullring.ladder.run.workers.messages import Seat


def match(turn_us: float, seats: int = 4, turns: int = 10) -> list[Seat]:
    """A match whose bots need so much time for a turn together."""
    cpu_us = round(turn_us * turns / seats)
    return [Seat(bot, 0, 1, turns, 9000, cpu_us, 0, 0, None) for bot in range(seats)]


class Cores:
    """Two cores that idle for a share of the time between two looks."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0, 0
        self.now = 0.0
        monkeypatch.setattr(beside, "_times", lambda: self.times)

    def look(self, tables: Beside, idle: float, looks: int = 1) -> int:
        for _ in range(looks):
            self.times = self.times[0] + 100, self.times[1] + round(100 * idle)
            self.now += EVERY
            tables.look(self.now, tables.tables)
        return tables.tables


@pytest.fixture
def cores(monkeypatch: pytest.MonkeyPatch) -> Cores:
    return Cores(monkeypatch)


def test_bots_that_need_next_to_no_time_play_at_all_tables(cores: Cores) -> None:
    tables = Beside()
    tables.learn(match(TURN_US / 10))
    assert tables.tables == MOST
    assert cores.look(tables, idle=0.0, looks=9) == MOST


def test_bots_that_compute_play_at_as_many_as_keep_the_cores_busy(cores: Cores) -> None:
    tables = Beside()
    assert tables.tables == 1  # nothing is known of them
    tables.learn(match(TURN_US * 3))
    assert cores.look(tables, idle=0.02, looks=9) == 1
    assert [cores.look(tables, idle=0.5) for _ in range(4)] == [2, 4, 8, 8]
    assert cores.look(tables, idle=0.15, looks=9) == 8
    assert [cores.look(tables, idle=0.02) for _ in range(4)] == [4, 2, 1, 1]


def test_one_look_soon_after_another_tells_nothing(cores: Cores) -> None:
    tables = Beside()
    cores.look(tables, idle=0.02)
    cores.now -= 0.9 * EVERY
    assert cores.look(tables, idle=0.9) == 1


def test_cores_that_idle_while_there_are_no_orders_are_no_reason_for_more_tables(cores: Cores) -> None:
    tables = Beside()
    for _ in range(4):
        cores.times = cores.times[0] + 100, cores.times[1] + 90
        cores.now += EVERY
        tables.look(cores.now, 0)
    assert cores.look(tables, idle=0.02) == 1


def test_where_nobody_knows_how_busy_the_cores_are_all_tables_are_played(cores: Cores) -> None:
    tables = Beside()
    for _ in range(4):
        cores.now += EVERY
        tables.look(cores.now, tables.tables)
    assert tables.tables == MOST


def test_this_machine_tells_how_busy_its_cores_are() -> None:
    all_, idle = beside._times()
    assert 0 <= idle <= all_
    assert all_ > 0
