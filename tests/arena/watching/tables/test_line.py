"""The connection of a seat, in the loop of a test: what a browser may send, and what becomes of one that does not read."""

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from wsproto.frame_protocol import Opcode

from bullring.arena.watching.tables.line import BURST, REPLACED, Line

HEAD = (
    b"GET /tables/p0123456789/seat HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def frame(opcode: Opcode, payload: bytes = b"", *, last: bool = True) -> bytes:
    """A frame of a browser."""
    return bytes([last << 7 | opcode, 128 | len(payload), 0, 0, 0, 0]) + payload


async def connected() -> tuple[Line, socket.socket]:
    """A line, and the browser's end of it."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    line = await Line.greeted(ours.detach(), HEAD, welcome=True)
    assert line is not None
    return line, theirs


def in_a_loop(test: Callable[[], Awaitable[None]]) -> None:
    """Run a test."""
    asyncio.run(asyncio.wait_for(test(), 60))


FLOODS = {
    "pings": frame(Opcode.PING),
    "pongs": frame(Opcode.PONG),
    "fragments": frame(Opcode.TEXT, last=False) + frame(Opcode.CONTINUATION, last=False) * 60,
    "messages": frame(Opcode.TEXT, b"{}"),
}


@pytest.mark.parametrize("what", FLOODS)
def test_every_frame_counts_as_a_message(what: str) -> None:
    async def test() -> None:
        line, browser = await connected()
        with browser:
            browser.send(FLOODS[what] * 100)
            heard = [message async for message in line.messages()]
            assert len(heard) <= BURST
            await asyncio.sleep(0)
            said = browser.recv(1 << 16)
            assert said.endswith((1008).to_bytes(2, "big"))
            assert said.count(b"\x8a\x00") <= BURST  # pongs

    in_a_loop(test)


def test_seats_that_connect_again_and_do_not_read_keep_no_descriptor() -> None:
    async def test() -> None:
        fds, browsers = descriptors(), []
        for _ in range(20):
            line, browser = await connected()
            browsers.append(browser)
            for _ in range(4):
                line.send(text="x" * 100_000)  # more than the kernel takes
            assert not line.gone()
            line.close(REPLACED)
        for _ in range(3):
            await asyncio.sleep(0)
        assert descriptors() == fds + len(browsers)
        for browser in browsers:
            browser.close()

    in_a_loop(test)


def descriptors() -> int:
    """How many this process has."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_who_does_not_take_the_last_messages_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bullring.arena.watching.tables.line.CLOSING", 0.01)

    async def test() -> None:
        line, browser = await connected()
        with browser:
            for _ in range(4):
                line.send(text="x" * 100_000)
            line.close(1000)
            loop, read = asyncio.get_running_loop(), b""
            while line._writer.transport.get_write_buffer_size():
                await asyncio.sleep(0.01)
            while data := await loop.sock_recv(browser, 1 << 16):
                read += data
            assert len(read) < 400_000

    in_a_loop(test)


def test_nothing_is_written_to_a_browser_that_has_gone(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        line, browser = await connected()
        browser.close()
        with caplog.at_level(logging.WARNING):
            for _ in range(30):
                line.send(text="x")
        assert line.gone()
        assert caplog.text == ""

    in_a_loop(test)
