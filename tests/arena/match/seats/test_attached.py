"""A seat for a bot that is started elsewhere and connects."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import trio

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import play_match
from bullring.arena.match.referee.spec import MatchSpec
from bullring.arena.match.seats.attached import LOOPBACK, doors_for, owner_of, seat_of
from bullring.arena.match.seats.inprocess import WithInProcess
from bullring.arena.match.seats.pool import open_pool
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.errors import UsageError
from tests.support.patience import PATIENCE

HELLO = {"type": "hello", "protocol": 1, "name": "attached"}


class Far:
    """The far end: a bot in JSON lines on a connection, in a thread of the test."""

    def __init__(self, port: int) -> None:
        self.connection = socket.create_connection((LOOPBACK, port), PATIENCE)
        self.lines = self.connection.makefile("rw", encoding="utf-8", newline="\n")

    def say(self, message: dict[str, Any]) -> None:
        self.lines.write(json.dumps(message) + "\n")
        self.lines.flush()

    def play(self, questions: int = 1 << 30) -> list[dict[str, Any]]:
        """Answer so many questions with their first option. Returns all messages."""
        self.say(HELLO)
        heard = []
        for line in self.lines:
            heard.append(json.loads(line))
            if heard[-1]["type"] == "decide":
                if not questions:
                    break
                questions -= 1
                self.say({"type": "choice", "id": heard[-1]["id"], "option": heard[-1]["options"][0]})
        self.lines.close()
        self.connection.close()
        return heard


def first(message: dict[str, Any]) -> Any:
    return message["options"][0]


def play(far: Any, matches: int = 1) -> tuple[list[Any], list[str]]:
    """Matches of a function against a bot that connects; `far` is called in a thread with the port."""
    told: list[str] = []
    house = WithInProcess(None)
    game = find("standard")(2, {"deals": 1})

    async def main() -> list[Any]:
        seat = seat_of(0, 1)
        bots = [house.seat("first", first), seat]
        sandbox: Any = house
        async with trio.open_nursery() as nursery, doors_for(sandbox, {seat: 0}, told.append) as with_doors:
            limits = Limits.seconds(start=PATIENCE, card=PATIENCE, row=PATIENCE)
            async with open_pool(limits, with_doors) as pool:
                port = _port_of(with_doors, seat)
                nursery.start_soon(trio.to_thread.run_sync, far, port)
                spec = MatchSpec(game, ["a", "b"], Seed.draw(), limits)
                return [await play_match(pool, bots, spec, None, last=at == matches - 1) for at in range(matches)]

    return trio.run(main), told


def _port_of(sandbox: Any, seat: Bot) -> int:
    port: int = sandbox._guests[seat.program].args[0].getsockname()[1]
    return port


def test_a_bot_that_connects_plays_like_any_other() -> None:
    heard: list[dict[str, Any]] = []
    (report,), told = play(lambda port: heard.extend(Far(port).play()))
    assert not report.faults
    assert [message["type"] for message in (heard[0], heard[-2], heard[-1])] == ["welcome", "match_over", "bye"]
    assert heard[0]["clock"] == "wall"
    assert "/dev/tcp/127.0.0.1/" in told[0]
    assert told[1].startswith("a bot has connected")


def test_a_connection_that_ends_is_a_crash_and_the_next_match_waits_for_another() -> None:
    def far(port: int) -> None:
        Far(port).play(questions=2)
        Far(port).play()

    (one, two), told = play(far, matches=2)
    (fault,) = one.faults
    assert (fault.kind, fault.seat, fault.closed) == ("crash", 1, True)
    assert fault.exit == "disconnected by itself"
    assert not two.faults
    assert sum(line.startswith("a bot has connected") for line in told) == 2


@pytest.mark.parametrize(
    ("family", "address"), [(socket.AF_INET, LOOPBACK), (socket.AF_INET6, f"::ffff:{LOOPBACK}")], ids=["IPv4", "IPv6"]
)
def test_the_kernel_says_whose_a_connection_is(family: socket.AddressFamily, address: str) -> None:
    """Java's sockets are of IPv6 even where they connect by IPv4."""
    if family == socket.AF_INET6 and not Path("/proc/net/tcp6").exists():
        pytest.skip("this machine has no IPv6")
    with socket.create_server((LOOPBACK, 0)) as door, socket.socket(family) as far:
        ours = door.getsockname()[1]
        far.connect((address, ours))
        with door.accept()[0] as near:
            assert owner_of(near.getpeername()[1], ours) == os.geteuid()
            assert owner_of(1, ours) is None


def test_a_process_of_another_user_is_refused() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can be another user")
    stranger = f"""
import encodings.idna, os, socket, sys
os.setuid(65534)
socket.create_connection(('{LOOPBACK}', int(sys.argv[1])), {PATIENCE}).recv(1)
"""

    def far(port: int) -> None:
        subprocess.run([sys.executable, "-c", stranger, str(port)], timeout=PATIENCE, check=False, capture_output=True)
        Far(port).play()

    (report,), told = play(far)
    assert not report.faults
    assert told[1].startswith("refused a connection of user 65534")


def test_a_port_that_is_taken_is_told() -> None:
    async def main(port: int) -> None:
        sandbox: Any = WithInProcess(None)
        async with doors_for(sandbox, {seat_of(port, 0): port}, print):
            pass

    with socket.create_server((LOOPBACK, 0)) as door, pytest.raises(UsageError, match="give --attach another"):
        trio.run(main, door.getsockname()[1])
