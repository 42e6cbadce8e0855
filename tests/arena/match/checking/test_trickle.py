"""Messages in pieces are the same messages, however slow the bot is."""

from typing import cast

import pytest
import trio
from trio.testing import MockClock

from bullring.arena.match.checking import steps
from bullring.arena.match.checking.session import Session


class Slow:
    """A session with a bot that takes a second for each piece."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    async def say(self, data: bytes) -> None:
        self.heard.append(data)
        await trio.sleep(1)


@pytest.mark.parametrize("seconds", [0, steps.TRICKLE + 0.5, 100])
def test_no_byte_is_sent_twice_when_the_time_for_single_ones_is_over(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "TRICKLE", seconds)
    session = Slow()
    trio.run(steps._trickle, cast(Session, session), b"one by one", clock=MockClock(autojump_threshold=0))
    assert b"".join(session.heard) == b"one by one"
