"""The pool holds no more bots than it has room for, whatever is played; and keeps those it has, as long as it can."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Literal

import pytest
import trio
from hypothesis import given, settings
from hypothesis import strategies as st
from trio.testing import MockClock

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.caps import Caps
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.cells.sandbox.promises import Means
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.match.seats.player import Player, cost_of
from bullring.arena.match.seats.pool import Pool, Room, open_pool, share_of_machine
from bullring.arena.settings.limits import Limits
from bullring.errors import CellError, HostError, StartFailure, first_error
from tests.support.scripted import HELLO, Scripted

MIB = 1 << 20


def bot(name: str, restart: Literal["never", "match"] = "never", memory: int = 100) -> Bot:
    return Bot(name, Program((name,), Path("/"), Caps(memory=memory * MIB)), restart)


class Machine:
    """A sandbox whose cells are scripts: each says hello after a while, and takes its time to end. Counts what there is."""

    tier = TIERS["none"]
    freeze = True
    counts = True
    means = frozenset(Means)

    def __init__(self, start: float = 0.1, end: float = 0.1, holds: int = 10) -> None:
        self.start_takes = start
        self.end_takes = end
        self.holds = holds * MIB
        self.alive: list[Slow] = []
        self.most = 0
        self.started: list[str] = []
        self.fails: dict[str, Exception] = {}
        self.nursery: trio.Nursery

    async def prepare(self, program: Program) -> str:
        return ""

    async def start(self, program: Program, on_log: object) -> "Slow":
        (name,) = program.command
        self.started.append(name)
        if name in self.fails:
            raise self.fails[name]
        cell = Slow(self, name)
        self.alive.append(cell)
        self.most = max(self.most, len(self.alive))
        self.nursery.start_soon(self._greet, cell)
        return cell

    async def _greet(self, cell: "Slow") -> None:
        await trio.sleep(self.start_takes)
        with suppress(OSError):
            cell.say(HELLO)


class Slow(Scripted):
    def __init__(self, machine: Machine, name: str) -> None:
        super().__init__(freezes=True)
        self._machine = machine
        self.name = name
        self.used = 0.0, machine.holds

    async def wait(self) -> None:
        await trio.sleep_forever()

    async def end(self) -> None:
        with trio.CancelScope(shield=True):
            await trio.sleep(self._machine.end_takes)
        self.kill()
        if self in self._machine.alive:
            self._machine.alive.remove(self)
        self.close()


def run(machine: Machine, main: Callable[[Pool], Awaitable[None]], room: Room | None = None) -> float:
    """Use a pool of that room, under a clock that jumps over all waiting. Returns the seconds in which all was ended."""

    async def whole() -> float:
        async with trio.open_nursery() as nursery:
            machine.nursery = nursery
            async with open_pool(Limits(), machine, room) as pool:
                await main(pool)
                began = trio.current_time()
            took = trio.current_time() - began
            nursery.cancel_scope.cancel()
        return took

    try:
        return trio.run(whole, clock=MockClock(autojump_threshold=0))
    except BaseExceptionGroup as group:
        raise first_error(group) from None
    finally:
        left = list(machine.alive)
        for cell in left:
            cell.close()
        assert not left


async def match(pool: Pool, bots: Sequence[Bot], lasts: float = 1.0) -> list[Player | StartFailure]:
    players = await pool.seat(bots)
    await trio.sleep(lasts)
    await pool.release(players)
    return players


MATCHES = st.lists(
    st.tuples(
        st.lists(st.integers(0, 30), min_size=1, max_size=10),
        st.sampled_from([0.0, 0.01, 1.0, 5.0]),
        st.sampled_from([0.0, 0.02, 3.0]),
    ),
    max_size=30,
)
"""The bots of each match, how long it lasts, and when it begins after the one before."""


@settings(max_examples=60, deadline=None)
@given(
    matches=MATCHES,
    places=st.integers(10, 25),
    memory=st.sampled_from([0, 200, 1500]),
    start=st.sampled_from([0.0, 0.5, 9.0]),
    end=st.sampled_from([0.0, 0.3, 5.0]),
)
@pytest.mark.slow
def test_there_are_never_more_than_it_has_room_for_and_every_table_is_seated(
    matches: list[tuple[list[int], float, float]], places: int, memory: int, start: float, end: float
) -> None:
    machine = Machine(start, end)
    bots = [bot(f"bot {number}", "match" if number % 7 == 6 else "never") for number in range(31)]
    played = []

    async def play(pool: Pool, number: int, who: list[int], lasts: float) -> None:
        await match(pool, [bots[one] for one in who], lasts)
        played.append(number)

    async def main(pool: Pool) -> None:
        async with trio.open_nursery() as nursery:
            for number, (who, lasts, pause) in enumerate(matches):
                nursery.start_soon(play, pool, number, who, lasts)
                await trio.sleep(pause)
        assert pool.running == len(machine.alive)

    run(machine, main, Room(places, memory * MIB))
    assert machine.most <= places
    assert sorted(played) == list(range(len(matches)))


def test_a_hundred_and_twenty_bots_in_turn_take_no_more_places_than_there_are() -> None:
    machine, random = Machine(0.02, 0.1), Random(1)
    bots = [bot(f"bot {number}") for number in range(120)]

    async def main(pool: Pool) -> None:
        async def table() -> None:
            for _ in range(40):
                await match(pool, random.sample(bots, 4), 0.002)

        async with trio.open_nursery() as nursery:
            for _ in range(8):
                nursery.start_soon(table)

    run(machine, main)
    assert machine.most <= 96


def test_who_waits_for_room_holds_nothing_and_those_who_are_warm_do_not_wait_for_it() -> None:
    machine = Machine(start=9.0)
    first, second, third = [bot("a"), bot("b")], [bot("c"), bot("d"), bot("e")], [bot("f")]

    async def main(pool: Pool) -> None:
        await match(pool, third)
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(match, pool, first, 60.0)
            await trio.sleep(10)
            nursery.start_soon(match, pool, second, 1.0)  # it waits for those
            await trio.sleep(1)
            assert sorted(machine.started) == ["a", "b", "f"], "nobody is started before all can be"
            await match(pool, third)
            assert trio.current_time() - began < 20

    run(machine, main, Room(4))


def test_the_first_table_starts_alone_unless_its_bots_take_long() -> None:
    """All compute on one core, so a first match would only begin when the bots of all tables have started."""
    for takes, started in ((0.2, 2), (9.0, 6)):
        machine = Machine(start=takes)
        when_complete: list[int] = []

        async def main(pool: Pool, machine: Machine = machine, when_complete: list[int] = when_complete) -> None:
            async def seat(number: int) -> None:
                players = await pool.seat([bot(f"{number}"), bot(f"{number} too")])
                when_complete.append(len(machine.started))
                await pool.release(players)

            async with trio.open_nursery() as nursery:
                for number in range(3):
                    nursery.start_soon(seat, number)

        run(machine, main)
        assert when_complete == [started, 6, 6]


def test_those_idle_longest_are_ended_for_others_and_no_more_of_them_than_needed() -> None:
    machine = Machine()

    async def main(pool: Pool) -> None:
        for name in "abcd":
            await match(pool, [bot(name)])
        await match(pool, [bot("b")])
        await match(pool, [bot("e"), bot("f")])
        assert sorted(cell.name for cell in machine.alive) == ["b", "d", "e", "f"]

    run(machine, main, Room(4))


def test_bots_at_tables_are_promised_their_memory_and_idle_ones_count_with_what_they_hold() -> None:
    machine = Machine(holds=10)
    room = Room(memory=1000 * MIB)

    async def main(pool: Pool) -> None:
        for number in range(40):
            await match(pool, [bot(f"small {number}")])
        assert len(machine.alive) == 40
        await match(pool, [bot("huge", memory=900)])
        assert len(machine.alive) == 11, "10 MiB each, and 900 for the huge one"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(match, pool, [bot("large", memory=600)], 60.0)
            await trio.sleep(1)
            await match(pool, [bot("larger", memory=601)])
            assert trio.current_time() > 100, "not beside the other"
        await match(pool, [bot("beyond", memory=5000)])

    run(machine, main, room)


def test_a_table_that_cannot_be_seated_at_all_is_refused_at_once() -> None:
    async def main(pool: Pool) -> None:
        await pool.seat([bot("a"), bot("b"), bot("c")])

    with pytest.raises(ValueError, match="a table of 3 bots where at most 2 may run"):
        run(Machine(), main, Room(2))


def test_places_of_bots_that_do_not_start_are_free_again() -> None:
    machine = Machine()
    machine.fails["broken"] = CellError("no such program")

    async def main(pool: Pool) -> None:
        for _ in range(5):
            one, other = await match(pool, [bot("broken"), bot("a")])
            assert isinstance(one, StartFailure)
            assert isinstance(other, Player)
        assert pool.running == 1

    run(machine, main, Room(2))


def test_if_the_machine_fails_nobody_keeps_a_place() -> None:
    machine = Machine()
    machine.fails["unlucky"] = HostError("no cgroup")

    async def main(pool: Pool) -> None:
        await match(pool, [bot("a")])
        for _ in range(3):
            with pytest.raises(HostError, match="no cgroup"):
                await pool.seat([bot("a"), bot("b"), bot("unlucky")])
        del machine.fails["unlucky"]
        await match(pool, [bot("a"), bot("unlucky"), bot("b")])

    run(machine, main, Room(3))


def test_all_are_ended_at_the_same_time() -> None:
    machine = Machine(end=1.0)

    async def main(pool: Pool) -> None:
        await match(pool, [bot(f"bot {number}") for number in range(96)])

    assert run(machine, main) < 2.0, "a moment for their last words, and one to end"


def costs(players: Sequence[Player | StartFailure]) -> list[tuple[int, bool, float]]:
    found = map(cost_of, players)
    return [(cost.starts, cost.asked, round(cost.start_us / 1e6, 3)) for cost in found]


def test_what_a_bot_costs_besides_its_decisions() -> None:
    machine = Machine(start=9.0, end=0.5)
    again = bot("again", "match")

    async def main(pool: Pool) -> None:
        first = await match(pool, [again, bot("a")])
        assert costs(first) == [(1, True, 9.0), (1, False, 9.0)]
        assert [round(cost_of(player).end_us / 1e6, 2) for player in first] == [0.75, 0]
        assert costs(await match(pool, [again, bot("a")])) == [(1, True, 9.0), (0, False, 0.0)]
        next(cell for cell in machine.alive if cell.name == "a").kill()
        assert costs(await match(pool, [bot("a")])) == [(1, True, 9.0)], "it has left by itself"
        assert costs(await match(pool, [bot("a")])) == [(0, False, 0.0)]
        machine.fails["a"] = CellError("gone")
        next(cell for cell in machine.alive if cell.name == "a").kill()
        (player,) = await match(pool, [bot("a")])
        assert isinstance(player, StartFailure)
        assert costs([player]) == [(1, True, 0.0)]

    run(machine, main)


def test_one_more_process_or_one_that_was_ended_for_others_is_not_what_a_bot_asked_for() -> None:
    async def main(pool: Pool) -> None:
        await match(pool, [bot("a"), bot("a")])
        await match(pool, [bot("b"), bot("c")])
        assert costs(await match(pool, [bot("a")])) == [(1, False, 0.1)]

    run(Machine(), main, Room(2))


def test_processor_time_is_read_now_and_then_and_nothing_of_it_is_lost() -> None:
    machine = Machine()

    async def main(pool: Pool) -> None:
        spent = []
        for number in range(40):
            players = await pool.seat([bot("a")])
            machine.alive[0].used = 0.25 * (number + 1), 0
            await pool.release(players)
            spent.append(cost_of(players[0]).cpu_us)
        assert sum(spent) == 33 * 250_000, "up to the last time it was weighed"
        assert sum(bool(one) for one in spent) == 2
        players = await match(pool, [bot("a")], lasts=1.5)
        assert cost_of(players[0]).cpu_us == 7 * 250_000, "after a long time at once"

    run(machine, main)


def test_the_share_of_a_machine() -> None:
    assert share_of_machine(2).memory < share_of_machine(1).memory
    assert share_of_machine(1).bots <= 100
    with pytest.raises(ValueError, match="at least 1 bot"):
        Room(0)
    assert replace(Room(), bots=3) == Room(3)
