"""Child processes: every kind of the registry, and the frames between them and their parents."""

import asyncio
import importlib.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.cells.processes import frames
from bullring.arena.cells.processes.child import Child
from bullring.arena.cells.processes.frames import ATOMIC, Ear, Frames, framed
from bullring.arena.cells.processes.kinds import (
    ANALYSIS,
    ANALYST,
    BRANCHES,
    BRIDGE,
    CLERK,
    DASK_WORKER,
    FEED,
    KINDS,
    LADDER_NEWS,
    LIVE,
    MAKER,
    MATCH_NEWS,
    SCREEN,
    SERVER,
    STEWARD,
    TABLE,
    Kind,
    ended,
)
from bullring.arena.cells.processes.with_asyncio import AsyncioChild
from bullring.arena.cells.processes.with_trio import TrioChild, heard
from bullring.errors import HostError
from tests.support.patience import PATIENCE
from tests.support.processes import gone

ECHO = Kind("an echo", "echo", patience=PATIENCE)
MESSAGES: list[list[Any]] = [["a", 1, None, b"\0", {"key": [1.5]}], ["b"], ["c", "x" * 100_000]]


@pytest.fixture(autouse=True)
def echo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kind `ECHO` sends back what it hears; the others are as they are."""
    command = Kind.command
    monkeypatch.setattr(
        Kind, "command", lambda kind, *words: ["cat"] if kind.module == "echo" else command(kind, *words)
    )


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.module)
def test_every_kind_has_a_program_and_a_name_for_people(kind: Kind) -> None:
    assert importlib.util.find_spec(kind.module) is not None
    assert kind.command("a")[-2:] == [kind.module, "a"]
    assert kind.name.split()[0] in ("a", "an", "the")
    assert sum(other.module == kind.module for other in KINDS) == 1


def test_modules_are_not_taken_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bullring.py").write_text("raise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    kind = Kind("a module", "bullring.installation", patience=PATIENCE)
    with Child(kind) as child:
        pass
    assert child.status == 0


@pytest.mark.parametrize("pieces", [1, 3, 1 << 20])
def test_frames_come_out_as_they_went_in_however_they_are_cut(pieces: int) -> None:
    sent = b"".join(framed(*message) for message in MESSAGES)
    reader = Frames()
    assert [one for at in range(0, len(sent), pieces) for one in reader.feed(sent[at : at + pieces])] == MESSAGES


def test_a_frame_that_is_too_long_is_refused_by_its_length() -> None:
    with pytest.raises(HostError, match="a message has 4294967295 bytes, and none may have more than 1073741824"):
        list(Frames().feed(b"\xff\xff\xff\xff"))


def test_a_blocking_parent_speaks_with_its_child() -> None:
    with Child(ECHO) as child:
        ear = child.ear()
        assert list(ear.now()) == []
        for message in MESSAGES:
            child.tell(*message)
            assert next(iter(ear)) == message
    assert child.status == 0


def test_a_parent_in_trio_speaks_with_its_child() -> None:
    async def main() -> None:
        child = TrioChild(ECHO)
        async with aclosing(heard(child.tells)) as messages:
            for message in MESSAGES:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(child.send, framed(*message))
                    assert await anext(messages) == message
        await child.close()
        assert child.status == 0
        await child.send(b"nobody hears this")

    trio.run(main)


def test_a_parent_in_asyncio_speaks_with_its_child() -> None:
    async def main() -> None:
        child = await AsyncioChild.start(ECHO)
        for message in MESSAGES:
            await child.send(*message)
            assert await anext(child.heard) == message
        await child.close()
        assert child.status == 0

    asyncio.run(main())


def _blocking(kind: Kind) -> Child:
    child = Child(kind)
    child.end()
    return child


def _in_trio(kind: Kind) -> Child:
    async def main() -> Child:
        child = TrioChild(kind)
        await child.close()
        return child

    return trio.run(main)


def _in_asyncio(kind: Kind) -> Child:
    async def main() -> Child:
        child = await AsyncioChild.start(kind)
        await child.close()
        return child

    return asyncio.run(main())


@pytest.mark.parametrize("form", [_blocking, _in_trio, _in_asyncio])
def test_a_child_that_does_not_end_is_killed_with_its_process_group(
    form: Callable[[Kind], Child], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    held = tmp_path / "held"
    os.mkfifo(held)
    with os.fdopen(os.open(held, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as reading:
        monkeypatch.setattr(Kind, "command", lambda _: ["sh", "-c", f"sleep 600 > {held} & exec sleep 600"])
        child = form(replace(ECHO, patience=0.2))
        os.set_blocking(reading.fileno(), True)
        assert reading.read() == b"", "the end, because the grandchild is gone as well"
    assert child.status == -signal.SIGKILL
    assert gone(child.pid)


def test_the_end_of_a_child_is_told_in_one_wording() -> None:
    assert ended(3) == "ended with status 3"
    assert ended(-9) == "was killed by SIGKILL"
    with Child(ECHO) as child:
        child.kill()
        assert child.wait() == "was killed by SIGKILL"


def test_an_offer_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    try:
        offered = 0
        while frames.offer(write, "x", "y" * (ATOMIC // 2)):
            offered += 1
        assert offered
        assert sum(1 for _ in Ear(read).now()) == offered
        assert frames.offer(write, "x")
        os.close(read)
        assert frames.offer(write, "nobody reads this any more")
    finally:
        os.close(write)


def test_a_child_with_the_terminal_is_told_on_a_descriptor_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    program = "import os, sys; os.write(1, os.read(int(sys.argv[1]), 100)); sys.exit(bool(os.read(0, 1)))"
    monkeypatch.setattr(Kind, "command", lambda _, *words: [sys.executable, "-c", program, *words])
    with Child(replace(ECHO, terminal=True), stdin=subprocess.DEVNULL) as child:
        child.tell("hello")
        assert list(child.ear()) == [["hello"]]
    assert child.status == 0


WAITING = [
    pytest.param(kind, id=kind.name, marks=[pytest.mark.slow] * (kind in (BRIDGE, DASK_WORKER)))
    for kind in KINDS
    if kind
    not in (
        FEED,
        LIVE,
        SCREEN,
        ANALYSIS,
        BRANCHES,
        CLERK,
        SERVER,
        MATCH_NEWS,
        LADDER_NEWS,
        STEWARD,
        TABLE,
        MAKER,
        ANALYST,
    )
]
"""The kinds that wait for their first message. The others are started with arguments, and tested where they are used."""


@pytest.mark.parametrize("kind", WAITING)
def test_a_child_ends_when_its_stdin_ends(kind: Kind) -> None:
    if "cluster" in kind.module:
        pytest.importorskip("distributed")
    with Child(replace(kind, patience=PATIENCE)) as child:
        pass
    assert child.status == 0


def test_a_child_ends_with_its_parent_also_while_it_is_busy(tmp_path: Path) -> None:
    """The analysis reads a record that never comes."""
    os.mkfifo(tmp_path / "record")
    kind, record = replace(ANALYSIS, patience=PATIENCE), tmp_path / "record"
    with Child(kind, str(record), str(tmp_path / "kept")) as child, record.open("wb"):  # now it reads
        child.end()
    assert child.status == 1
