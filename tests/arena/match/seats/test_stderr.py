"""The stderr of bots, passed on while they play."""

import threading

import pytest

from bullring.arena.match.seats import stderr
from bullring.arena.match.seats.stderr import LONGEST, MOST_WAITING, Overheard
from tests.support.patience import PATIENCE


def test_lines_come_whole_each_with_the_name_of_its_bot() -> None:
    got: list[tuple[str, bytes]] = []
    ear = Overheard(lambda name, line: got.append((name, line)))
    one, two = ear.hears("one"), ear.hears("two")
    one(b"a be")
    two(b"x\n")
    one(b"ginning\n\nthe ")
    one(b"end")
    ear.close()
    assert got == [("two", b"x"), ("one", b"a beginning"), ("one", b""), ("one", b"the end")]


def test_long_lines_are_broken() -> None:
    got: list[bytes] = []
    ear = Overheard(lambda name, line: got.append(line))
    ear.hears("one")(b"x" * (3 * LONGEST) + b"\n")
    ear.hears("one")(b"y" * (2 * LONGEST))
    ear.close()
    assert b"".join(got) == b"x" * (3 * LONGEST) + b"y" * (2 * LONGEST)
    assert max(map(len, got)) == LONGEST


def test_nobody_waits_for_a_terminal_that_takes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Output without room is dropped, and counted."""
    opened, got = threading.Event(), []

    def out(name: str, line: bytes) -> None:
        opened.wait(PATIENCE)
        got.append(line)

    monkeypatch.setattr(stderr, "PAUSE", 0)
    ear = Overheard(out)
    hear = ear.hears("flood")
    for _ in range(MOST_WAITING // 1000 + 100):
        hear(b"x" * 999 + b"\n")
    opened.set()
    ear.close()
    assert len(got) <= MOST_WAITING // 1000 + 1
    (left_out,) = [line for line in got if b"left out" in line]
    assert 100_000 <= int(left_out.split()[1]) < 110_000
