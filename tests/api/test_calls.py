"""How calls of the API run: under asyncio, as in a notebook, under trio, and in plain code; and how they fail and are ended."""

import asyncio
import signal
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio

import bullring
from bullring.errors import BotError, BullringError, LadderError, SandboxError, UsageError
from tests.ladder.homes import tiny

PLAY: dict[str, Any] = {"seats": 2, "jobs": 1, "sandbox": "none", "allow_unsandboxed": True}


def lowest(message: dict[str, Any]) -> Any:
    return message["options"][0]


def fails(message: dict[str, Any]) -> Any:
    raise ZeroDivisionError("of the player")


@pytest.fixture
def ladder(tmp_path: Path) -> bullring.Ladder:
    ladder = bullring.Ladder.create(tmp_path / "home", time="30s", start="60s")
    for name in ("one", "two"):
        ladder.add(tiny("first"), name=name)
    return ladder


def test_the_plain_call_works_where_a_loop_runs_already(ladder: bullring.Ladder) -> None:
    async def cell() -> list[bullring.Row]:
        return ladder.run(**PLAY, matches=2)

    assert [row.matches for row in asyncio.run(cell())] == [2, 2]


def test_the_loop_of_asyncio_goes_on_while_a_call_is_awaited(ladder: bullring.Ladder) -> None:
    async def main() -> None:
        loop, went_on = asyncio.get_running_loop(), asyncio.Event()
        rows = await ladder.arun(**PLAY, matches=2, told=lambda _: loop.call_soon_threadsafe(went_on.set))
        assert went_on.is_set()
        assert [row.matches for row in rows] == [2, 2]
        assert len((await bullring.aplay(lowest, lowest, options={"deals": 1})).scores) == 2
        with pytest.raises(LadderError, match="a table of 3 seats"):
            await ladder.arun(seats=3)

    asyncio.run(main())


def test_cancelling_ends_the_run_and_keeps_its_results(ladder: bullring.Ladder) -> None:
    async def main() -> None:
        loop, played = asyncio.get_running_loop(), asyncio.Event()

        def told(happening: Any) -> None:
            if happening.kind == "match":
                loop.call_soon_threadsafe(played.set)

        task = asyncio.create_task(ladder.arun(**PLAY, told=told))
        await played.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ladder.matches()
    assert ladder.verify().count == 0
    assert ladder.run(**PLAY, matches=2)  # nothing holds the home


def test_a_run_that_nobody_awaits_ends_with_the_loop(ladder: bullring.Ladder) -> None:
    async def main() -> None:
        loop, played = asyncio.get_running_loop(), asyncio.Event()
        running.append(asyncio.create_task(ladder.arun(**PLAY, told=lambda _: loop.call_soon_threadsafe(played.set))))
        await played.wait()

    running: list[asyncio.Task[Any]] = []
    asyncio.run(main())
    assert running[0].cancelled()
    assert ladder.run(**PLAY, matches=2)  # nothing holds the home


def test_a_ctrl_c_at_the_last_decision_is_not_lost() -> None:
    def last(message: dict[str, Any]) -> Any:
        if len(message["view"]["hand"]) == 1 and message["kind"] == "card":
            signal.raise_signal(signal.SIGINT)
        return message["options"][0]

    with pytest.raises(KeyboardInterrupt):
        bullring.play(lowest, last, options={"deals": 1})


def test_under_trio_it_is_awaited_and_never_blocks(ladder: bullring.Ladder) -> None:
    async def main() -> None:
        with trio.CancelScope() as scope:
            await ladder.arun(**PLAY, told=lambda happening: happening.kind == "match" and scope.cancel())
        assert scope.cancelled_caught
        with pytest.raises(UsageError, match=r"use: await arun\(\)"):
            ladder.run(**PLAY, matches=2)

    trio.run(main)
    assert ladder.matches()


def test_ctrl_c_ends_a_run_and_keeps_its_results(ladder: bullring.Ladder) -> None:
    before, running = signal.getsignal(signal.SIGINT), children()

    def told(happening: Any) -> None:
        if happening.kind == "match":
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        ladder.run(**PLAY, told=told)
    assert len(traceback.extract_tb(caught.tb)) == 2
    assert signal.getsignal(signal.SIGINT) is before
    assert ladder.matches()
    assert ladder.verify().count == 0
    assert children() == running


def children() -> set[str]:
    """The processes that this one has started and that are there."""
    return {pid for path in Path("/proc/self/task").glob("*/children") for pid in path.read_text().split()}


def test_a_second_ctrl_c_ends_a_player_that_does_not_return() -> None:
    def endless(message: dict[str, Any]) -> Any:
        while True:
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt) as caught:
        bullring.play(endless, endless)
    assert len(traceback.extract_tb(caught.tb)) == 2


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: bullring.Ladder("/no/such/home"), LadderError),
        (lambda: bullring.play("./no-such-bot", "@greedy"), BotError),
        (lambda: bullring.play("no-such-bot"), BotError),
        (lambda: bullring.play("@greedi", "@greedy"), BotError),
        (lambda: bullring.play("@greedy", "@greedy", sandbox="dockr"), SandboxError),
        (lambda: bullring.read("/no/such/record"), BullringError),
        (lambda: bullring.new_game("standrd"), BullringError),
        (lambda: bullring.rate([]), LadderError),
        (lambda: asyncio.run(bullring.aplay("no-such-bot")), BotError),
    ],
)
def test_what_is_wrong_is_one_line_under_the_call(call: Callable[[], object], error: type[BullringError]) -> None:
    with pytest.raises(error) as caught:
        call()
    shown = traceback.format_exception(caught.value)
    own = [frame for frame in traceback.extract_tb(caught.tb) if "/bullring/" in frame.filename]
    assert len(own) == 1
    assert not any("Group" in line or "another exception" in line for line in shown)
    assert len(str(caught.value).splitlines()) == 1


def test_an_argument_of_a_wrong_type_is_named_in_one_line(ladder: bullring.Ladder) -> None:
    wrong: Any = 7
    calls: list[tuple[str, Callable[[], object]]] = [
        ("progress must be Callable", lambda: ladder.run(**PLAY, matches=2, progress=wrong)),
        ("told must be Callable", lambda: ladder.submit("@greedy", told=wrong, sandbox="none", allow_unsandboxed=True)),
        ("options must be Mapping", lambda: ladder.run(**PLAY, options=wrong)),
        ("seconds must be float or None", lambda: ladder.run(**{**PLAY, "seconds": "1"})),
        ("lists must be ListRow", lambda: ladder.overall(wrong)),
        ("bot must be str, not 7", lambda: ladder.retire(wrong)),
        (
            "progress must be Callable",
            lambda: ladder.gauge("one", matches=1, progress=wrong, sandbox="none", allow_unsandboxed=True),
        ),
        ("home must be str or Path, not 7", lambda: bullring.Ladder.create(wrong)),
        ("path must be str or Path, not 7", lambda: bullring.read(wrong)),
    ]
    for says, call in calls:
        with pytest.raises(UsageError, match=says) as raised:
            call()
        assert len(traceback.extract_tb(raised.value.__traceback__)) <= 3, says


def test_a_file_that_is_not_a_record_is_named() -> None:
    with pytest.raises(bullring.BullringError, match=r"^/etc/passwd: line 1: not JSON"):
        bullring.read("/etc/passwd")


def test_an_analysis_tells_how_far_it_is(tmp_path: Path) -> None:
    record, told = tmp_path / "match.jsonl", list[int]()
    bullring.play(lowest, lowest, options={"deals": 1}, record=record)
    analysis = bullring.read(record).analyse(playouts=20, engine_playouts=20, progress=told.append)
    assert told == list(range(1, len(analysis.choices) + 1))


def test_an_error_of_a_player_shows_the_player_and_not_the_house() -> None:
    with pytest.raises(ZeroDivisionError) as caught:
        bullring.play(lowest, fails)
    assert [frame.name for frame in traceback.extract_tb(caught.tb)][1:] == ["run", "fails"]
