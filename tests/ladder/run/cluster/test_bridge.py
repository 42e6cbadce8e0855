"""The bridge between a run and the nodes, with nodes that are scripted and a Dask that is not there."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import asdict, replace
from typing import Any

import pytest

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.processes.frames import Frames, framed
from bullring.arena.cells.processes.kinds import Kind
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.wish import Wish
from bullring.errors import LadderError
from bullring.installation import VERSION
from bullring.ladder.run.cluster import bridge
from bullring.ladder.run.cluster.bridge import Bridge
from bullring.ladder.run.cluster.checkers import Checkers
from bullring.ladder.run.cluster.host import About
from bullring.ladder.run.cluster.result_checks import Terms, checked
from bullring.ladder.run.cluster.session import MOST_FAILED, Beginning, Shared
from bullring.ladder.run.cluster.speed import Speed
from bullring.ladder.run.workers.messages import (
    Answer,
    Block,
    Changed,
    Dropped,
    Failed,
    OrderReader,
    OrderWriter,
    Play,
    Seated,
    Setup,
    answer_bytes,
)
from tests.ladder.run.cluster.playing import LIMITS, LIST, NODE, played
from tests.support.coroutines import Test, made
from tests.support.patience import PATIENCE

pytest.importorskip("distributed")


class Node:
    """A node that says what it is told to say, and that can be struck dumb."""

    def __init__(
        self,
        version: str = VERSION,
        figure: float = NODE["speed"],
        clock: float = 0.0,
        machine: str = "",
        name: str = "",
        host: str = "",
    ) -> None:
        self.version = version
        self.machine = machine
        self.name = name
        self.host = host
        self.heard: list[list[Any]] = []
        self.silent = False
        self.awake = asyncio.Event()
        """Whether calls that were made while it was silent are answered."""
        self.opens = self.closes = True
        self.closed = False
        self._about = About(NODE["name"], "none", Speed(figure, NODE["class"]), clock, ["memory"], ["Python", "C++"])
        self._messages = Frames()
        self._said = b""
        self._taken = 0
        self.news = asyncio.Event()

    def says(self, *message: Any) -> None:
        self._said += framed(*message)
        self.news.set()

    def raw(self, data: bytes) -> None:
        self._said += data
        self.news.set()

    @property
    def began(self) -> dict[str, Any]:
        """Its first order, the last time that it joined."""
        facts: dict[str, Any] = [message[1] for message in self.heard if message[0] == "begin"][-1]
        return facts

    async def open(self) -> None:
        if not self.opens:
            await asyncio.sleep(PATIENCE)
        self._said, self._taken, self._messages = b"", 0, Frames()
        self.says("ready", self._about.facts())
        self.says("joined", 1)

    async def say(self, at: int, data: bytes) -> None:
        self.heard += self._messages.feed(data[self._taken - at :])
        self._taken = at + len(data)

    async def hear(self, at: int, wait: float) -> bytes:
        if self.silent:
            await self.awake.wait()
        if len(self._said) == at and wait:
            self.news.clear()
            await self.news.wait()
        return self._said[at:]

    async def close(self) -> None:
        if not self.closes:
            await asyncio.sleep(PATIENCE)
        self.closed = True


class Future:
    """The part of an actor that Dask promises."""

    key = "actor"

    def __await__(self) -> Iterator[Any]:
        yield from asyncio.sleep(0).__await__()

    def release(self) -> None:
        pass


class Dask:
    """A scheduler with these nodes, and the client of it."""

    def __init__(self, nodes: dict[str, Node]) -> None:
        self.nodes = nodes
        self.scheduler = self

    async def identity(self, n_workers: int) -> dict[str, Any]:
        workers = {
            address: {"nthreads": 1, "host": node.host or node.machine or address, "name": node.name or address}
            for address, node in self.nodes.items()
        }
        return {"workers": workers}

    async def run(self, function: object, text: str, workers: list[str]) -> dict[str, tuple[str, str]]:
        return {address: (self.nodes[address].version, self.nodes[address].machine or address) for address in workers}

    def submit(self, *arguments: object, **options: object) -> Future:
        return Future()

    def rpc(self, address: str) -> "Dask":
        chosen = Dask(self.nodes)
        chosen.actor_execute = self._calling(self.nodes[address])  # type: ignore[attr-defined]
        return chosen

    def _calling(self, node: Node) -> Callable[..., Awaitable[dict[str, Any]]]:
        async def call(function: str, args: list[Any], **others: object) -> dict[str, Any]:
            return {"status": "OK", "result": await getattr(node, function)(*[each.data for each in args])}

        return call


class Here(Checkers):
    """Checkers that need no processes."""

    def __init__(self) -> None:
        super().__init__(1)

    async def check(self, orders: Sequence[Play], body: bytes, terms: bytes) -> bytes:
        (setup,) = OrderReader().feed(terms)
        assert isinstance(setup, Setup)
        return checked(orders, body, Terms.of(setup))


class Told:
    """The reports of the bridge to the run."""

    def __init__(self) -> None:
        self.all: list[list[Any]] = []
        self._came = asyncio.Event()

    def tell(self, *message: Any) -> None:
        self.all += Frames().feed(framed(*message))
        self._came.set()

    async def until(self, kind: str, text: str = "") -> list[Any]:
        """Wait for a message of this kind that has this text in it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for message in self.all:
                    if message[0] == kind and text in str(message):
                        return message
                self._came.clear()
                await self._came.wait()


def _bridged(
    script: Callable[..., Awaitable[None]],
    nodes: Callable[[], dict[str, Node]],
    lease: float = PATIENCE,
    checking: Callable[[], Checkers] = Here,
    address: str = "tcp://x:1",
) -> None:
    """Run a script with a bridge to these nodes."""

    async def main() -> None:
        setup = Setup(LIMITS, Wish("none", allow_unsandboxed=True), Owner("home"), LIST, "duel")
        build = asdict(BuildLimits())
        beginning = Beginning(address, {}, lease, 1.25, OrderWriter().write(setup), "", "/bots", build, 1)
        found, told = nodes(), Told()
        async with checking() as checkers:
            here = Bridge(Shared(beginning, Dask(found), checkers, told.tell))
            looking = asyncio.create_task(here.look())
            try:
                await script(here, told, *found.values())
            finally:
                tasks = [looking, *(known.task for known in here.shared.workers.values() if known.task)]
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(main())


def bridged(nodes: Callable[[], dict[str, Node]] = lambda: {"tcp://a:1": Node()}, **more: Any) -> Callable[[Test], Any]:
    """Make a test of a coroutine, which gets a bridge, its reports and these nodes."""
    return lambda test: made(test, (Bridge, Told, Node), lambda script: _bridged(script, nodes, **more))


@pytest.fixture(scope="module")
def two() -> tuple[list[Play], Block]:
    return played([[1], [2]])


@pytest.fixture
def orders(two: tuple[list[Play], Block]) -> list[Play]:
    return two[0]


@pytest.fixture
def block(two: tuple[list[Play], Block]) -> Block:
    """What a node made of the orders."""
    return two[1]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let waits between two looks be short."""
    monkeypatch.setattr(bridge, "LOOK_EVERY", 0.01)
    monkeypatch.setattr(bridge, "AGAIN", 0.01)


def _order(here: Bridge, number: int, *orders: Play) -> None:
    writer = OrderWriter()
    session, own = here.shared.referees[number]
    session.take_orders(own, b"".join(map(writer.write, orders)))


@bridged()
async def test_orders_go_out_and_answers_that_fit_come_back(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block
) -> None:
    assert (await told.until("joined"))[1] == 1
    _order(here, 1, *orders)
    node.says("answer", 1, answer_bytes(block))
    assert await told.until("answer") == ["answer", 1, answer_bytes(block)]
    assert [message[0] for message in node.heard] == ["begin", "orders"]


@bridged(checking=lambda: Checkers(0), address="local:1")
async def test_nodes_that_the_run_has_started_itself_are_believed(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block
) -> None:
    await told.until("joined")
    _order(here, 1, *orders)
    node.says("answer", 1, answer_bytes(block))
    assert await told.until("answer") == ["answer", 1, answer_bytes(block)]


@bridged(lambda: {"tcp://a:1": Node(version="0.0.0")}, address="local:1")
async def test_a_run_does_not_wait_for_ever_for_nodes_of_its_own_that_cannot_be_used(
    here: Bridge, told: Told, node: Node
) -> None:
    with pytest.raises(LadderError, match=r"no worker can be used: .* it has bullring 0\.0\.0"):
        await here.look()


@bridged()
async def test_a_node_that_lies_is_caught_and_not_used_any_more_after_the_second_time(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block
) -> None:
    first, second = block.played
    outcome = first.matches[0]
    lie = outcome._replace(row=outcome.row._replace(heads=bytes(len(outcome.row.heads))))
    lies = answer_bytes(Block([replace(first, matches=[lie]), second], block.records))
    await told.until("joined")
    why = "does not fit: the result that it tells of match 1 is not that of its record"
    for _ in range(2):
        _order(here, 1, *orders)
        node.says("answer", 1, lies)
        for _ in orders:  # each is played again
            assert b"Failed" in (await told.until("answer", why))[2]
            told.all.remove(next(message for message in told.all if message[0] == "answer"))
    await told.until(
        "told", "is not used any more: 2 of its answers did not fit; the last one: the result that it tells"
    )
    assert [message[1] for message in told.all if message[0] == "gone"] == [1]
    assert not any(message[0] == "answer" for message in told.all)


@bridged(lease=0.1)
async def test_a_node_without_a_sign_of_life_is_given_up_and_its_late_answers_are_not_heard(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block
) -> None:
    await told.until("joined")
    _order(here, 1, *orders)
    node.silent = True
    node.news.set()
    await told.until("told", "no sign of life for 0.1 s")
    assert (await told.until("gone"))[1] == 1
    told.all.clear()
    node.silent = False
    node.awake.set()
    assert (await told.until("joined"))[1] == 2
    node.says("answer", 1, answer_bytes(block))
    await told.until("told", "is not used: it answered orders that it was not given")
    assert not any(message[0] == "answer" for message in told.all)


@bridged(lease=0.1)
async def test_a_node_that_cannot_even_be_closed_is_given_up_as_well(here: Bridge, told: Told, node: Node) -> None:
    await told.until("joined")
    node.closes, node.silent = False, True
    node.news.set()
    await told.until("told", "no sign of life for 0.1 s")
    assert (await told.until("gone"))[1] == 1


@bridged()
async def test_a_referee_process_that_dies_on_a_node_is_told_of_and_its_successor_has_a_new_number(
    here: Bridge, told: Told, node: Node
) -> None:
    await told.until("joined")
    node.says("gone", 1, "it died")
    node.says("joined", 2)
    assert await told.until("gone") == ["gone", 1, "it died"]
    assert (await told.until("joined", "referee process 2"))[1] == 2


@pytest.mark.parametrize(
    ("node", "text"),
    [
        ({"version": "0.0.9"}, f"is not used: it has bullring 0.0.9, and this run needs {VERSION}"),
        ({"clock": 1000.0}, "s behind: the times in its records are by it"),
        ({}, "has joined: a processor, speed 7.50, sandbox none, every promise but memory, languages: Python, C++"),
        # The first to join would keep all others out.
        *(({"figure": figure}, "no machine has the speed") for figure in (0.0, -1.0, math.nan, math.inf, 1e300)),
    ],
)
def test_people_are_told_what_a_node_is(node: dict[str, Any], text: str) -> None:
    async def script(here: Bridge, told: Told, _: Node) -> None:
        message = await told.until("told", text)
        if not node:
            assert message[3]["languages"] == ["Python", "C++"]

    _bridged(script, lambda: {"tcp://a:1": Node(**node)})


@bridged(lambda: {"tcp://a:1": Node(), "tcp://b:1": Node(figure=NODE["speed"] * 2)})
async def test_a_machine_of_another_speed_is_refused_unless_told_so(here: Bridge, told: Told, *nodes: Node) -> None:
    await told.until("joined")
    assert "--mix-speeds 2.1" in str(await told.until("told", "time limits mean something else there"))
    assert len(here.shared.referees) == 1


@bridged(lambda: {"tcp://a:1": Node(machine="m"), "tcp://b:1": Node(machine="m", figure=NODE["speed"] / 2)})
async def test_nodes_on_one_machine_have_one_speed_however_they_were_disturbed(
    here: Bridge, told: Told, *nodes: Node
) -> None:
    await told.until("joined", "a:1")
    await told.until("joined", "b:1")


@bridged(
    lambda: {
        "tcp://127.0.0.1:1": Node(machine="m", host="127.0.0.1"),
        "tcp://127.0.0.1:2": Node(machine="n", host="127.0.0.1", figure=NODE["speed"] * 2),
    }
)
async def test_nodes_behind_one_address_may_be_on_different_machines(here: Bridge, told: Told, *nodes: Node) -> None:
    """As those are that reach the scheduler through tunnels."""
    await told.until("joined")
    await told.until("told", "time limits mean something else there")
    assert [node.began["cores"] for node in nodes] == [[0], [0]]


def all_silent_but_the_last() -> dict[str, Node]:
    *silent, last = [Node() for _ in range(51)]
    for node in silent:
        node.silent, node.opens = True, False
    return {f"tcp://{number}:1": node for number, node in enumerate([*silent, last])}


@bridged(all_silent_but_the_last)
async def test_a_node_that_does_not_answer_keeps_no_other_from_joining(here: Bridge, told: Told, *nodes: Node) -> None:
    assert "tcp://50:1" in (await told.until("joined"))[2]


@bridged()
async def test_the_tables_of_a_node_are_told_as_far_as_they_are_its_own(
    here: Bridge, told: Told, node: Node, orders: list[Play]
) -> None:
    await told.until("joined")
    _order(here, 1, *orders)
    node.says("answer", 1, answer_bytes(Seated([99, orders[0].id])))
    assert await told.until("answer") == ["answer", 1, answer_bytes(Seated([orders[0].id]))]


@bridged()
async def test_what_a_node_cannot_play_is_told_of_and_its_orders_come_back(
    here: Bridge, told: Told, node: Node, orders: list[Play]
) -> None:
    await told.until("joined")
    _order(here, 1, *orders)
    for _ in range(2):
        node.says("unable", "a", "there is no program ghc")
    for order in orders:
        node.says("answer", 1, answer_bytes(Dropped(order.id)))
    node.says("joined", 2)
    assert await told.until("unable") == ["unable", 1, "a"]
    assert "is given no matches of a: there is no program ghc" in (await told.until("told", "no matches"))[2]
    assert (await told.until("joined", "referee process 2"))[1] == 2
    assert [message for message in told.all if message[0] == "unable"] == [["unable", 1, "a"], ["unable", 2, "a"]]
    answers = [message for message in told.all if message[0] == "answer"]
    assert answers == [["answer", 1, answer_bytes(Dropped(order.id))] for order in orders]
    assert sum("is given no matches" in str(message) for message in told.all) == 1


@bridged(dict)
async def test_people_are_told_that_no_worker_is_there_yet(here: Bridge, told: Told) -> None:
    assert "bullring worker tcp://x:1" in (await told.until("told", "no worker is there yet"))[2]


@bridged(checking=lambda: Checkers(1))
async def test_a_process_that_checks_answers_may_die(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block, monkeypatch: pytest.MonkeyPatch
) -> None:
    command, started = Kind.command, list[Kind]()

    def dies_at_first(kind: Kind) -> list[str]:
        started.append(kind)
        return ["true"] if len(started) == 1 else command(kind)

    monkeypatch.setattr(Kind, "command", dies_at_first)
    await told.until("joined")
    for count in (1, 2):
        _order(here, 1, *orders)
        node.says("answer", 1, answer_bytes(block))
        assert await told.until("answer") == ["answer", 1, answer_bytes(block)]
        told.all.clear()
        assert len(started) == 2, f"block {count}"


@bridged(checking=lambda: Checkers(1))
async def test_an_answer_that_cannot_be_checked_is_played_again_and_is_no_lie(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Kind, "command", lambda _: ["true"])
    await told.until("joined")
    for _ in range(3):
        _order(here, 1, *orders)
        node.says("answer", 1, answer_bytes(block))
        for _ in orders:
            failed = await told.until("answer", "cannot be checked here: the process that checked it has died")
            assert b"Failed" in failed[2]
            told.all.remove(failed)
    assert not any(message[0] == "gone" for message in told.all)


@bridged()
async def test_a_node_that_fails_match_after_match_is_given_up_for_a_while(
    here: Bridge, told: Told, node: Node, orders: list[Play], block: Block
) -> None:
    """It is always free, so it would be given every match, also the last ones of a run, while others could play them."""
    await told.until("joined")
    failures: list[Answer] = [Failed(order.id, "disk full") for order in orders]
    for answers in (failures, failures, [block], failures, failures, failures):
        _order(here, 1, *orders)
        for answer in answers:
            assert not any(message[0] == "gone" for message in told.all)
            node.says("answer", 1, answer_bytes(answer))
            told.all.remove(await told.until("answer"))
            if here.shared.referees[1][0].failed == MOST_FAILED:
                break
    await told.until("told", "it failed 5 matches, the last one with: disk full")
    assert [message[0] for message in told.all].count("gone") == 1


@bridged()
async def test_a_bot_whose_files_have_changed_on_a_node_plays_elsewhere(
    here: Bridge, told: Told, node: Node, orders: list[Play]
) -> None:
    await told.until("joined")
    _order(here, 1, *orders)
    node.says("answer", 1, answer_bytes(Changed(orders[0].id, {"a": "bot.py is another"})))
    assert await told.until("unable") == ["unable", 1, "a"]
    assert await told.until("answer") == ["answer", 1, answer_bytes(Dropped(orders[0].id))]


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["ready", About("node", "none", Speed(7.5, "a"), 0.0).facts()], "it has joined twice"),
        (["joined", 1], "its referee process 1 cannot join"),
        (["joined", [1]], r"its referee process [1] cannot join"),
        (["answer", 1, b""], "it says what no node says: ValueError"),
        (["answer", 1, framed("Block", [[1, [[1]], []]], b"")], "it says what no node says: TypeError"),
        (["answer", 1, framed("Block", [[1, [], []]] * 2, b"")], "it answered orders that it was not given: [1, 1]"),
        (["ready"], "it says what no node says: IndexError"),
        (["failed", "there is no sandbox"], "there is no sandbox"),
        (["answer", 1, answer_bytes(Failed(99, "no"))], "it answered orders that it was not given: [99]"),
        (["wants", "../../etc"], "it asked for the files '../../etc', which are not of a bot that it should play with"),
        (
            ["wants", "sha256:sent"],
            "it asked for the files 'sha256:sent', which are not of a bot that it should play with",
        ),
        (["unable", "somebody", "no"], "it cannot play 'somebody', which it should not play"),
        (
            [],
            "it says what no node says: HostError: a message has 4294967295 bytes, and none may have more than 268435456",
        ),
    ],
)
@bridged(lambda: {"tcp://a:1": Node(), "tcp://b:1": Node()})
async def test_what_no_node_says_ends_its_use_and_not_the_run(
    here: Bridge, told: Told, bad: Node, good: Node, orders: list[Play], said: list[Any], why: str
) -> None:
    await told.until("joined", "tcp://a:1")
    await told.until("joined", "tcp://b:1")
    (number,) = (number for number, (one, _) in here.shared.referees.items() if "a:1" in one.address)
    _order(here, number, *orders)
    session, _ = here.shared.referees[number]
    session.wanted["sha256:sent"] = True
    if said:
        bad.says(*said)
    else:
        bad.raw(b"\xff\xff\xff\xff")
    assert (await told.until("told", "(tcp://a:1) is not used: "))[2].partition("is not used: ")[2].startswith(why)
    assert [session.address for session, _ in here.shared.referees.values()] == ["tcp://b:1"]


@bridged(lambda: {"tcp://a:1": Node(machine="m"), "tcp://b:1": Node(machine="m"), "tcp://c:1": Node(machine="other")})
async def test_nodes_on_one_machine_use_different_cores_and_one_that_comes_later_those_that_were_left(
    here: Bridge, told: Told, a: Node, b: Node, c: Node
) -> None:
    for address in "abc":
        await told.until("joined", f"tcp://{address}:1")
    assert sorted([a.began["cores"], b.began["cores"]]) == [[0], [1]]
    assert [a.began["sharing"], b.began["sharing"], c.began["sharing"]] == [2, 2, 1]
    assert c.began["cores"] == [0]
    left = a.began["cores"]
    told.all.clear()
    a.says("failed", "an accident")
    await told.until("told", "an accident")
    here.shared.workers["tcp://a:1"].again = 0.0
    await told.until("joined", "tcp://a:1")
    assert a.began["cores"] == left


@bridged(lambda: {"tcp://a:1": Node(name="blade-7"), "tcp://b:1": Node(name="tcp://b:1")})
async def test_a_node_has_the_name_of_its_worker(here: Bridge, told: Told, named: Node, unnamed: Node) -> None:
    await told.until("joined", "a:1")
    await told.until("joined", "b:1")
    assert (named.began["name"], unnamed.began["name"]) == ("blade-7", "")


@bridged(lambda: {"tcp://a:1": Node(), "tcp://b:1": Node(figure=NODE["speed"] * 2)})
async def test_a_speed_holds_once_its_node_has_played_and_not_before(
    here: Bridge, told: Told, slow: Node, quick: Node, orders: list[Play], block: Block
) -> None:
    differs = "time limits mean something else there"

    async def come(address: str, kind: str, text: str) -> None:
        told.all.clear()
        here.shared.workers[address].why, here.shared.workers[address].again = "", 0.0
        await told.until(kind, text)

    async def leave(node: Node) -> None:
        node.says("failed", "it leaves")
        await told.until("told", "it leaves")

    await told.until("joined", "a:1")
    await told.until("told", differs)
    await leave(slow)
    await come("tcp://b:1", "joined", "b:1")
    await leave(quick)
    await come("tcp://a:1", "joined", "a:1")
    _order(here, max(here.shared.referees), *orders)
    slow.says("answer", 1, answer_bytes(block))
    await told.until("answer")
    await leave(slow)
    await come("tcp://b:1", "told", differs)
