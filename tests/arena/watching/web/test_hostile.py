"""Hostile clients: whatever they do, somebody who watches a table gets every event, as it was told, and pages are served."""

import json
import os
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from bullring.arena.watching.web import connections
from bullring.arena.watching.web.app import Shown
from bullring.arena.watching.web.handing import pair, take
from bullring.arena.watching.web.tables import Tables
from bullring.arena.watching.web.topics import Table
from tests.support.patience import PATIENCE
from tests.support.web import Served, everything, folder_with, in_trio, serving

ASKING = b"GET /tables/7/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
LONG = b"x" * (1 << 20)

BROKEN = {
    "nothing": b"",
    "noise": bytes(range(256)) * 40,
    "zeros": bytes(100_000),
    "a line without end": b"GET /" + LONG,
    "a head without end": b"GET / HTTP/1.1\r\n" + b"X-Much: much\r\n" * 100_000,
    "a huge header": b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: " + LONG + b"\r\n\r\n",
    "a huge cookie": b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + LONG + b"\r\n\r\n",
    "two lengths": b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "length and chunks": b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a negative length": b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    "a broken chunk": b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "two hosts": b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "folded lines": b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
    "bare newlines": b"GET / HTTP/1.1\nHost: a\n\n",
    "an unknown version": b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
    "http 0.9": b"GET /\r\n",
    "http 2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(100_000),
    "http 2 by upgrade": b"GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
    b"HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n" + LONG,
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    "ssh": b"SSH-2.0-OpenSSH_9.6\r\n",
    "a proxy's request": b"GET http://example.org/ HTTP/1.1\r\nHost: example.org\r\n\r\n",
    "a body without end": b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000000\r\n\r\n" + LONG,
    "many requests at once": b"GET /index.html HTTP/1.1\r\nHost: localhost\r\n\r\n" * 300,
    "many requests after events": ASKING + b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20_000,
    "ids": b"GET /tables/7/events HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: " + b"9" * 4000 + b"\r\n\r\n",
}


@asynccontextmanager
async def beside(folder: Path, **settings: float) -> AsyncIterator[tuple[Served, Callable[[], Awaitable[None]]]]:
    """A server with somebody who watches. The second value has something told, and checks that it comes as it is."""
    table = Table("{}")
    table.add(["0"], None)
    told = [0]
    shown = Shown([folder_with(folder, index="<p>hello")], {"7": table})
    async with serving(shown, **settings) as server, server.watches("/tables/7/events") as viewer:  # type: ignore[arg-type]
        await viewer.until("match")

        async def check() -> None:
            for _ in range(3):
                told[0] += 1
                table.add([json.dumps(told[0])], None)
                assert await viewer.event() == (str(told[0] + 1), "frame", str(told[0]))
            assert (await server.asks("/")).body == b"<p>hello"

        await check()
        yield server, check
        await check()


ANSWERED = {
    "another protocol is wished for": (
        b"Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n",
        200,
    ),
    "a head that comes at once is too long": (b"Connection: close\r\nX-Big: " + b"x" * 10_000 + b"\r\n", 431),
}


@pytest.mark.parametrize("what", ANSWERED)
@in_trio
async def test_what_is_odd_is_answered(tmp_path: Path, what: str) -> None:
    lines, status = ANSWERED[what]
    async with beside(tmp_path) as (server, _):
        answer = await server.sends(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + lines + b"\r\n")
    assert answer.startswith(b"HTTP/1.1 %d " % status)


@in_trio
async def test_what_comes_after_a_refused_request_does_not_cut_off_its_answer(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    posted = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    async with beside(tmp_path) as (server, _):
        for _ in range(20):
            answers = await server.sends(posted + b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert answers.startswith(b"HTTP/1.1 405 ")
            assert answers.count(b"HTTP/1.1") == 1
    assert capfd.readouterr().err == ""


UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
WHOLE = UPGRADE + b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
SEAT = b"GET /tables/p0123456789/seat HTTP/1.1\r\nHost: localhost\r\n"
REFUSED = {
    "an origin that is none": (b"POST /tables HTTP/1.1\r\nHost: a\r\nOrigin: http://[\r\n\r\n", 403),
    "a seat from an origin that is none": (SEAT + WHOLE + b"Origin: http://[\r\n\r\n", 403),
    "a seat without a key": (SEAT + UPGRADE + b"\r\n", 400),
    "a seat of another version": (SEAT + WHOLE.replace(b"13", b"8") + b"\r\n", 400),
    "a seat in HTTP/1.0": (SEAT.replace(b"1.1", b"1.0") + WHOLE + b"\r\n", 400),
    "a seat with an odd protocol": (SEAT + WHOLE + b"Sec-WebSocket-Protocol: \xff\r\n\r\n", 400),
    "a seat with odd extensions": (SEAT + WHOLE + b"Sec-WebSocket-Extensions: \xff\r\n\r\n", 400),
    "a seat with an odd connection": (SEAT + WHOLE + b"Connection: Upgrade, \xff\r\n\r\n", 400),
    "a seat with a body": (SEAT + WHOLE + b"Content-Length: 3\r\n\r\nabc", 413),
    "another page as a seat": (SEAT.replace(b"/tables/p0123456789/seat", b"/") + WHOLE + b"\r\n", 403),
    "another page as a seat, without a key": (SEAT.replace(b"/tables/p0123456789/seat", b"/") + UPGRADE + b"\r\n", 403),
    "more behind the head": (SEAT.replace(b"p0123456789", b"7") + WHOLE + b"\r\nabc", 403),
}


@pytest.mark.parametrize("what", REFUSED)
@in_trio
async def test_odd_requests_for_seats_are_refused_in_a_word_and_closed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], what: str
) -> None:
    sent, status = REFUSED[what]
    ours, stewards = pair()
    with ours, stewards:
        shown = Shown([tmp_path], {}, tables=Tables(ours, may_make=True))
        async with serving(shown) as server:
            answer = await server.sends(sent)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer.count(b"HTTP/1.1") == 1
    assert capfd.readouterr().err == ""


@in_trio
async def test_what_comes_right_behind_the_head_of_a_seat_is_no_mishap(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    ours, stewards = pair()
    with ours, stewards:
        shown = Shown([tmp_path], {}, tables=Tables(ours, may_make=True))
        async with serving(shown) as server, await server.connect() as stream:
            await stream.send_all(SEAT + WHOLE + b"\r\nabc")
            await trio.lowlevel.wait_readable(stewards)
            came = take(stewards)
            assert came is not None
            (kind, key, _, _), fds = came
            assert (kind, key) == ("seat", "p0123456789")
            os.close(*fds)
            assert b"HTTP" not in await everything(stream)
            assert server.inside is not None
            assert len(server.inside) == 0
    assert capfd.readouterr().err == ""


@in_trio
async def test_a_mistake_of_ours_is_told_in_a_line_a_minute_and_others_are_served(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bool:
        raise RuntimeError("a\nmistake")

    async with beside(tmp_path) as (server, check):
        with monkeypatch.context() as patched:
            patched.setattr("bullring.arena.watching.web.seats.is_for_seat", broken)
            for _ in range(3):
                assert (await server.asks("/")).status == 500
        with monkeypatch.context() as patched:
            patched.setattr("bullring.arena.watching.web.http.Reading.next_event", broken)
            assert await server.sends(b"GET / HTTP/1.0\r\n\r\n") == b""
        await check()
    told = capfd.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith("bullring: a request failed: RuntimeError: a")


@pytest.mark.parametrize("what", BROKEN)
@in_trio
async def test_broken_and_huge_requests(tmp_path: Path, what: str) -> None:
    async with beside(tmp_path, resting=0.3) as (server, check), trio.open_nursery() as nursery:

        async def attack() -> None:
            async with await server.connect() as stream:
                try:
                    await stream.send_all(BROKEN[what])
                    await stream.send_eof()
                except trio.BrokenResourceError:
                    pass
                await everything(stream)

        for _ in range(10):
            nursery.start_soon(attack)
        await check()
        if ASKING.split()[1] in BROKEN[what]:  # these are viewers, who may stay
            nursery.cancel_scope.cancel()


@in_trio
async def test_requests_that_come_byte_by_byte_are_not_waited_for(tmp_path: Path) -> None:
    async with beside(tmp_path, resting=0.3) as (server, check), trio.open_nursery() as nursery:

        async def drip() -> None:
            async with await server.connect() as stream:
                try:
                    while True:
                        await stream.send_all(b"X")
                        await trio.sleep(0.01)
                except trio.BrokenResourceError:
                    pass

        for _ in range(100):
            nursery.start_soon(drip)
        await check()  # and it ends, since the server ends each of them


@in_trio
async def test_idle_connections_leave_room_for_others(tmp_path: Path) -> None:
    """All places are taken by connections that say nothing, and more are opened: the oldest of these have to leave."""
    async with beside(tmp_path, most=50) as (server, check):
        idle = [await server.connect() for _ in range(200)]
        await check()
        left = 0
        with trio.move_on_after(PATIENCE):
            while left < 150:
                left = sum([await _is_closed(stream) for stream in idle])
        for stream in idle:
            await stream.aclose()


async def _is_closed(stream: trio.SocketStream) -> bool:
    with trio.move_on_after(0.001):
        try:
            return not await stream.receive_some()
        except trio.BrokenResourceError:
            return True
    return False


@in_trio
async def test_who_asks_and_goes_at_once(tmp_path: Path) -> None:
    async with beside(tmp_path) as (server, check):
        for number in range(300):
            with socket.create_connection(("127.0.0.1", server.port)) as rude:
                rude.sendall(ASKING[: len(ASKING) - number % 3])
                rude.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
            if not number % 100:
                await check()
        with trio.fail_after(PATIENCE):
            while len(server.shown.topics["7"]) > 1:
                await trio.sleep(0.01)


@in_trio
async def test_answers_that_nobody_takes_are_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "TAKING", 0.2)
    (tmp_path / "big.html").write_bytes(LONG * 16)
    async with beside(tmp_path) as (server, check):
        assert server.inside is not None
        others = len(server.inside)
        greedy = [await server.connect() for _ in range(20)]
        for stream in greedy:
            await stream.send_all(b"GET /big.html HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await check()
        with trio.fail_after(PATIENCE):
            while len(server.inside) > others:
                await trio.sleep(0.01)
        for stream in greedy:
            assert len(await everything(stream)) < 16 << 20
            await stream.aclose()


@in_trio
async def test_one_address_cannot_take_all_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "is_near", lambda address: False)
    monkeypatch.setattr(connections, "MOST_OF_ONE", 10)
    async with beside(tmp_path) as (server, _):
        greedy = []
        for _ in range(9):  # one place is taken already
            greedy.append(await server.connect())
            await greedy[-1].send_all(ASKING)
            await greedy[-1].receive_some(10)
        assert await server.sends(ASKING) == b""
        await greedy.pop().aclose()
        with trio.fail_after(PATIENCE):
            while not (await server.sends(b"GET / HTTP/1.0\r\nHost: a\r\n\r\n")):
                await trio.sleep(0.01)
        for stream in greedy:
            await stream.aclose()
