"""Matches side by side in a referee process, under a clock that jumps over all waiting: slow bots hold up only each other."""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio
from trio.testing import MockClock

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.program import Program
from bullring.arena.match.cost import Spent
from bullring.arena.match.seats.player import Player, cost_of
from bullring.arena.match.seats.pool import Pool, Room, open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import MICRO, Limits
from bullring.errors import first_error
from bullring.ladder.run.workers.lanes import REST, Tables
from bullring.ladder.run.workers.messages import Dropped, Failed, Held, Match, Play, Played, Seated, Told
from bullring.ladder.run.workers.outbox import CarriedOut
from bullring.ladder.store.rows import SeatRow
from tests.arena.match.seats.test_pool import Machine
from tests.ladder.run.workers.told import outcome_of

QUESTIONS = 10

MOST = 8
"""Most tables of bots that need next to no time."""

Thinks = Callable[[int], float]
"""The seconds that a bot thinks for its question of this number, counted over all its matches in one process."""


def at_once(number: int) -> float:
    return 0.0001


class Club:
    """A referee process whose bots are scripts. `thinks` says how long each bot thinks; the others answer after 0.1 ms."""

    def __init__(self, thinks: Mapping[str, Thinks], start: float = 0.02, end: float = 0.01, room: Room | None = None):
        self.machine = Machine(start, end)
        self.thinks = thinks
        self.room = room
        self.now: dict[int, list[str]] = {}
        """The matches being played, with their bots."""
        self.began: dict[int, float] = {}
        self.ended: dict[int, float] = {}
        self.beside: defaultdict[int, set[int]] = defaultdict(set)
        """By match, those that were played at the same time."""
        self.answers: list[CarriedOut | Told] = []
        self.seated: list[Sequence[int]] = []
        self.fails = 0
        self.waits = False
        self.asked: defaultdict[Player, int] = defaultdict(int)

    def hear(self, answer: CarriedOut | Told) -> None:
        if isinstance(answer, Seated):
            self.seated.append(answer.ids)
        else:
            self.answers.append(answer)

    async def play(self, pool: Pool, order: Play) -> CarriedOut | Told:
        if self.fails:
            self.fails -= 1
            return Failed(order.id, "no cgroup")
        names = [bot.name for bot in order.matches[0].bots]
        for other in self.now:
            self.beside[order.id].add(other)
            self.beside[other].add(order.id)
        self.now[order.id] = names
        self.began[order.id] = trio.current_time()
        players = [player for player in await pool.seat(order.matches[0].bots) if isinstance(player, Player)]
        times: dict[str, list[int]] = {name: [] for name in names}

        async def answer(name: str, player: Player) -> None:
            self.asked[player] += 1
            seconds = self.thinks.get(name, at_once)(self.asked[player])
            player.connection.ask()
            await trio.sleep(seconds)
            player.connection.give_up()
            times[name].append(round(seconds * MICRO))

        for _ in range(QUESTIONS):
            async with trio.open_nursery() as nursery:
                for name, player in zip(names, players, strict=True):
                    nursery.start_soon(answer, name, player)
        await pool.release(players)
        del self.now[order.id]
        self.ended[order.id] = trio.current_time()
        seats = [
            SeatRow(0, 0, 1, (), False, {0: QUESTIONS}, {}, self.spent(player, times[name]))
            for name, player in zip(names, players, strict=True)
        ]
        return CarriedOut(Played(order.id, [outcome_of(order.matches[0], seats)]), [(order.id, b"")])

    def spent(self, player: Player, times_us: Sequence[int]) -> Spent:
        """What a bot has used: it computes while it thinks, unless it waits for something."""
        return replace(cost_of(player).spent(times_us), cpu_us=0 if self.waits else sum(times_us))

    def run(self, orders: Sequence[Play], main: Callable[[Tables], Awaitable[None]] | None = None) -> None:
        async def whole() -> None:
            async with trio.open_nursery() as nursery:
                self.machine.nursery = nursery
                async with open_pool(Limits(), self.machine, self.room) as pool:
                    tables = Tables(nursery, pool, partial(self.play, pool), self.hear)
                    nursery.start_soon(tables.look)
                    for order in orders:
                        tables.take(order)
                    if main is not None:
                        await main(tables)
                    while sum(not isinstance(answer, Held) for answer in self.answers) < len(orders):
                        await trio.sleep(0.01)
                nursery.cancel_scope.cancel()

        try:
            trio.run(whole, clock=MockClock(autojump_threshold=0))
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        finally:
            for cell in self.machine.alive:
                cell.close()

    def run_as_a_ladder(self, orders: Sequence[Play]) -> None:
        """Give what is handed back once more, as slow: at once if nothing is said of its bots, else when their table has ended."""
        given = {order.id: order for order in orders}

        async def again(tables: Tables) -> None:
            seen = 0
            while len(self.ended) < len(orders):
                await trio.sleep(0.01)
                new, seen = self.answers[seen:], len(self.answers)
                for answer in new:
                    if isinstance(answer, Dropped):
                        tables.take(replace(given[answer.id], slow=True))

        self.run(orders, again)

    def last(self, without: str, orders: Sequence[Play]) -> float:
        """When the last match without this bot ended."""
        return max(self.ended[order.id] for order in orders if without not in names_of(order))


def names_of(order: Play) -> list[str]:
    return [bot.name for bot in order.matches[0].bots]


def order(id: int, *names: str, slow: bool = False) -> Play:
    bots = [Bot(name, Program((name,), Path("/")), "match" if name == "again" else "never") for name in names]
    return Play([Match(id, bots, [0] * len(bots), Seed("5eed", "n"))], slow)


def mixed(costly: str, matches: int = 100, share: int = 4) -> list[Play]:
    """Matches of six quick bots, every few of them with the costly one."""
    random = Random(1)
    return [
        order(id, *random.sample("abcdef", 3), costly if not id % share else random.choice("gh"))
        for id in range(1, matches + 1)
    ]


COSTLY: dict[str, Thinks] = {
    "thinks": lambda number: 0.9,
    "later": lambda number: 0.9 if number > 10 else 0.0001,
    "now and then": lambda number: 0.9 if not number % 10 else 0.0001,
}


@pytest.mark.parametrize("costly", COSTLY)
def test_a_slow_bot_holds_up_its_own_tables_and_nobody_else(costly: str) -> None:
    club = Club({costly: COSTLY[costly]})
    orders = mixed(costly)
    club.run_as_a_ladder(orders)
    assert len(club.ended) == len(orders)
    # Nobody knew that it is slow. Yet the others' matches take little of the time for which it keeps its own tables.
    slow = [one for one in orders if costly in names_of(one)]
    assert club.last(costly, orders) < 0.1 * max(club.ended.values())
    # Once it is known, its tables are played one by one.
    known = [one.id for one in slow if club.began[one.id] > 3.0]
    assert known
    assert not any(club.beside[one] & set(known) for one in known)


@pytest.mark.parametrize("costly", ["thinks", "later", "again"])
def test_what_was_given_as_quick_with_a_bot_that_is_slow_is_handed_back(costly: str) -> None:
    """So the ladder can give other orders, instead of waiting until these have been played one by one."""
    club = Club(COSTLY, start=9.0 if costly == "again" else 0.02)
    handed: list[float] = []

    async def watch(tables: Tables) -> None:
        while not any(isinstance(answer, Dropped) for answer in club.answers):
            await trio.sleep(0.01)
        handed.append(trio.current_time())

    orders = mixed(costly, matches=64, share=1)
    club.run(orders, watch)
    told = club.answers
    dropped = [answer.id for answer in told if isinstance(answer, Dropped)]
    assert len(dropped) >= len(orders) - 3 * MOST
    assert handed[0] < 13.0
    first = next(at for at, answer in enumerate(told) if isinstance(answer, Dropped))
    assert any(isinstance(answer, Held) and list(answer.bots) == [costly] for answer in told[:first])
    assert not set(dropped) & set(club.began)


def test_no_order_is_handed_back_because_the_machine_is_slow() -> None:
    slow: Thinks = lambda number: 0.09  # noqa: E731
    club = Club(dict.fromkeys("abcdefgh", slow))
    club.run([order(id, *Random(id).sample("abcdefgh", 3)) for id in range(1, 40)])
    assert all(isinstance(answer, CarriedOut) for answer in club.answers)


def test_orders_of_bots_that_play_no_more_are_dropped() -> None:
    club = Club({})

    async def drop(tables: Tables) -> None:
        tables.drop(["a"])

    orders = [order(id, *("ab" if id % 2 else "cd")) for id in range(1, 60)]
    club.run(orders, drop)
    dropped = {answer.id for answer in club.answers if isinstance(answer, Dropped)}
    assert len(dropped) >= 30 - MOST
    assert all("a" in names_of(one) for one in orders if one.id in dropped)


def test_the_tables_that_are_being_played_are_told_and_not_what_waits() -> None:
    club = Club({"costly": lambda number: 0.9})
    orders = [order(id, "costly", "a", "b", slow=True) for id in range(1, 5)]
    club.run(orders)
    assert club.seated[:4] == [[1], [2], [3], [4]]


def test_an_order_with_a_bot_known_as_slow_never_takes_a_table_of_the_quick() -> None:
    club = Club({"thinks": COSTLY["thinks"]})
    orders = [order(id, "thinks", "x", slow=True) for id in range(1, 6)]
    orders += [order(id, *pair) for id, pair in enumerate(["ab", "cd", "ef", "gh"] * 20, 10)]
    club.run(orders)
    slow = {one.id for one in orders if one.slow}
    assert not any(club.beside[one] & slow for one in slow)
    assert max(club.ended[one.id] for one in orders if not one.slow) < min(club.ended[one] for one in slow)


def test_bots_that_wait_play_at_many_tables_and_leave_the_core_to_others() -> None:
    club = Club({"waits": COSTLY["thinks"]}, room=Room(96, seated=400))
    club.waits = True
    slow = [order(id, "waits", "x", slow=True) for id in range(1, 102)]
    quick = [order(id, *pair) for id, pair in enumerate(["ab", "cd", "ef", "gh"] * 20, 200)]
    club.run([*slow, *quick])
    assert max(len(club.beside[one.id]) for one in slow) >= 99
    assert max(club.ended.values()) < 3 * QUESTIONS * 0.9, "the first one alone, the others together"


def test_a_new_process_for_each_match_that_takes_long_to_say_hello() -> None:
    club = Club({}, start=9.0)
    orders = [order(id, "again", "a") for id in range(1, 5)] + [order(id, "b", "c") for id in range(5, 40)]
    club.run(orders)
    # Each process takes nine seconds here, that of `again` in each match; it leaves the quick lane, and the others are handed back.
    assert sum(name == "again" for name in club.machine.started) == 1
    assert [answer.id for answer in club.answers if isinstance(answer, Dropped)] == [2, 3, 4]
    assert max(club.ended[id] for id in range(5, 40)) < 20


def test_no_more_tables_side_by_side_than_there_are() -> None:
    club = Club({})
    club.waits = True
    club.run([order(id, *Random(id).sample("abcdefghijkl", 3)) for id in range(1, 100)])
    assert max(map(len, club.beside.values())) >= MOST - 1
    assert all(isinstance(answer, CarriedOut) for answer in club.answers)


def test_of_many_bots_those_who_are_warm_play_first_and_nobody_is_forgotten() -> None:
    random = Random(2)
    crowd = [f"bot {number}" for number in range(60)]
    orders = [order(id, *random.sample(crowd, 3)) for id in range(1, 201)]
    chosen = Club({}, room=Room(24))
    chosen.run(orders)
    assert len(chosen.answers) == 200
    assert chosen.machine.most <= 24
    started = len(chosen.machine.started)
    assert started < 0.45 * 3 * 200, "in the order in which they came, 362 would be"


def test_what_the_machine_fails_is_told_and_its_table_rests() -> None:
    club = Club({})
    club.fails = 3
    club.run([order(id, "a", "b") for id in range(1, 30)])
    assert [type(answer) for answer in club.answers].count(Failed) == 3
    assert sum(isinstance(answer, CarriedOut) for answer in club.answers) == 26
    assert REST > 0


def test_what_has_not_begun_is_dropped() -> None:
    club = Club({})

    async def drop(tables: Tables) -> None:
        tables.drop()

    club.run([order(id, "a", "b") for id in range(1, 30)], drop)
    dropped = sum(isinstance(answer, Dropped) for answer in club.answers)
    assert dropped >= 29 - MOST
    assert dropped + len(club.ended) == 29


def test_what_would_outlast_the_run_is_not_begun_and_what_has_begun_is_finished() -> None:
    club = Club({"h": lambda _: 0.2})
    orders = [replace(order(id, "h", "a", slow=True), within=5.0) for id in (1, 2, 3)]
    late = replace(order(4, "a", "b"), within=0.5)

    async def until_the_time_is_up(tables: Tables) -> None:
        await trio.sleep(4.5)
        tables.take(late)
        await trio.sleep(0.5)
        assert not club.now
        tables.drop()

    club.run(orders, until_the_time_is_up)
    # A match of the slow bot takes two seconds, which nobody knows before the first one.
    assert sorted(club.ended) == [1, 2, 4]
    assert [answer.id for answer in club.answers if isinstance(answer, Dropped)] == [3]


def test_a_bot_that_has_not_played_here_is_tried_however_little_time_is_left() -> None:
    club = Club({"h": lambda _: 0.2})
    club.run([replace(order(1, "h", "a", slow=True), within=0.5)])
    assert club.ended[1] - club.began[1] > 1.9
