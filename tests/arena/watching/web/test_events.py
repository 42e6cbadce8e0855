"""Events, as viewers get them."""

import gzip
import json
from base64 import b64decode
from collections.abc import Mapping
from typing import Any

import pytest
import trio
import trio.testing

from bullring.arena.watching.web import viewers
from bullring.arena.watching.web.app import Shown
from bullring.arena.watching.web.topics import Front, Table, Topic
from tests.support.web import Watching, everything, in_trio, parsed, serving

CLOCK = {"seats": ["0", "2"], "limit": 1.5}


def table(frames: int = 3) -> Table:
    made = Table('{"game":"standard"}')
    made.add([frame(number) for number in range(1, frames + 1)], None)
    return made


def frame(number: int) -> str:
    return f'{{"number":{number}}}'


def unpacked(data: str) -> Mapping[str, Any]:
    facts: Mapping[str, Any] = json.loads(gzip.decompress(b64decode(data)))
    return facts


async def numbers(viewer: Watching, count: int) -> list[tuple[str, int]]:
    found = []
    for _ in range(count):
        event = await viewer.event()
        assert event is not None
        id, kind, data = event
        assert kind == "frame"
        found.append((id, json.loads(data)["number"]))
    return found


@in_trio
async def test_a_newcomer_gets_the_match_so_far_and_then_each_frame() -> None:
    topic = table(3)
    async with serving(Shown([], {"7": topic})) as server, server.watches("/tables/7/events") as viewer:
        event = await viewer.event()
        assert event is not None
        assert event[:2] == ("3", "match")
        assert unpacked(event[2]) == {"game": "standard", "frames": [{"number": 1}, {"number": 2}, {"number": 3}]}
        topic.add([frame(4), frame(5)], None)
        assert await numbers(viewer, 2) == [("4", 4), ("5", 5)]


@in_trio
async def test_who_comes_back_gets_what_was_missed_also_from_another_server() -> None:
    for topic in (table(5), table(5)):
        async with serving(Shown([], {"7": topic})) as server, server.watches("/tables/7/events", "2") as viewer:
            assert await numbers(viewer, 3) == [("3", 3), ("4", 4), ("5", 5)]
            topic.add([frame(6)], None)
            assert await numbers(viewer, 1) == [("6", 6)]


@in_trio
async def test_an_id_that_is_not_known_is_answered_with_the_whole_match() -> None:
    async with serving(Shown([], {"7": table(3)})) as server:
        for last in ("4", "-1", "1e3", "9" * 30, "²", "x.3"):
            async with server.watches("/tables/7/events", last) as viewer:
                event = await viewer.event()
                assert event is not None
                assert event[:2] == ("3", "match")


@in_trio
async def test_clocks_are_told_when_seats_are_asked_and_to_newcomers() -> None:
    topic = table(1)
    async with serving(Shown([], {"7": topic})) as server, server.watches("/tables/7/events") as viewer:
        await viewer.until("match")
        topic.add([frame(2)], CLOCK)
        _, (id, kind, data) = await viewer.until("clock")
        assert (id, kind) == ("", "clock")
        assert json.loads(data)["limit"] == 1.5
        assert set(json.loads(data)["seats"]) == {"0", "2"}
        async with server.watches("/tables/7/events") as other:
            assert [event[1] for event in await other.until("clock")] == ["match", "clock"]
        topic.add([frame(3)], None)
        async with server.watches("/tables/7/events", "3") as other:
            topic.close("{}")
            assert [event[1] for event in await other.until("end")] == ["end"]  # nobody thinks any more


@in_trio
async def test_a_match_that_is_over_ends_its_streams_and_is_told_whole_to_newcomers() -> None:
    topic = table(2)
    topics: dict[str, Topic] = {"7": topic}
    async with serving(Shown([], topics)) as server:
        async with server.watches("/tables/7/events") as viewer:
            await viewer.until("match")
            topic.close('{"ranks":[1]}')
            assert await viewer.until("end") == [("", "end", '{"ranks":[1]}')]
            assert await viewer.event() is None
        async with server.watches("/tables/7/events") as viewer:
            assert [event[1] for event in await viewer.until("end")] == ["match", "end"]
        topics.pop("7").end()
        assert (await server.asks("/tables/7/events")).status == 204  # so browsers stay away


@in_trio
async def test_the_front_tells_its_state_and_then_what_is_new() -> None:
    front = Front()
    for number in range(1, 4):
        front.add([("result", str(number)), ("progress", str(number)), ("site", "1")], {"result": 2, "site": 0})
    async with serving(Shown([], {"": front})) as server:
        async with server.watches("/events") as viewer:
            state = await viewer.until("now")
            told = [event[1:] for event in state[:-1]]
            assert told == [("state", "{}"), ("result", "2"), ("result", "3"), ("progress", "3")]
            front.add([("result", "4")], {})
            assert (await viewer.until("now"))[0][1:] == ("result", "4")
        front.add([("result", "5")], {})
        async with server.watches("/events", state[-1][0]) as viewer:
            missed = [*await viewer.until("now"), *await viewer.until("now")]
            assert [event[1:] for event in missed if event[1] == "result"] == [("result", "4"), ("result", "5")]
        async with server.watches("/events", "1234.1") as viewer:  # of an earlier server
            assert (await viewer.until("now"))[0][1] == "state"


class Told:
    """A follower that keeps what it is told."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []

    def push(self, piece: bytes) -> None:
        """Keep it."""
        self.pieces.append(piece)

    def finish(self) -> None:
        """Nothing more comes."""


def test_who_has_missed_much_is_told_the_state_and_all_share_the_same_bytes() -> None:
    front, match = Front(), table(0)
    for number in range(200):
        front.add([("tables", json.dumps("x" * 4000 + str(number)))], {})
        match.add([json.dumps("y" * 4000)], CLOCK)
    epoch = front.state().rpartition(b"id: ")[2].decode().partition(".")[0]
    for topic, old, recent in ((front, f"{epoch}.5", f"{epoch}.197"), (match, "5", "197")):
        newcomer, olds, recents = Told(), [Told(), Told()], [Told(), Told()]
        topic.join(newcomer, "")
        for told in olds:
            topic.join(told, old)
        for told in recents:
            topic.join(told, recent)
        assert olds[0].pieces[0] is olds[1].pieces[0] is newcomer.pieces[0]
        assert recents[0].pieces[0] is recents[1].pieces[0]
        assert recents[0].pieces[0].count(b'data: "') == 3


@in_trio
async def test_events_over_http_1_0_come_without_chunks() -> None:
    topic = table(1)
    topic.close("{}")
    async with serving(Shown([], {"7": topic})) as server:
        data = await server.sends(b"GET /tables/7/events HTTP/1.0\r\nHost: localhost\r\n\r\n")
        answer = parsed(data)
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.body.startswith(b"retry: 2000\n\nid: 1\nevent: match\n")
        assert answer.body.endswith(b"event: end\ndata: {}\n\n")


@in_trio
async def test_who_hears_nothing_hears_that_the_server_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewers, "HEARTBEAT", 0.01)
    async with serving(Shown([], {"7": table(1)})) as server, server.watches("/tables/7/events") as viewer:
        await viewer.until("match")
        while not viewer.read.endswith(b"3\r\n:\n\n\r\n"):
            viewer.read += await viewer.stream.receive_some()


@in_trio
async def test_a_viewer_that_stops_reading_is_cut_off_and_holds_nobody_up() -> None:
    topic = table(1)
    big = f'"{"x" * 50_000}"'
    async with (
        serving(Shown([], {"7": topic})) as server,
        server.watches("/tables/7/events") as lazy,
        server.watches("/tables/7/events") as viewer,
    ):
        await viewer.until("match")
        await lazy.until("match")
        for _ in range(viewers.MOST_WAITING + 400):
            topic.add([big], None)
            assert (await viewer.until("frame"))[-1][2] == big
            viewer.forget()
        assert len(topic) == 1
        assert len(await everything(lazy.stream)) < 8 << 20  # what the kernels on both sides have kept


@in_trio
async def test_who_comes_back_before_the_matches_are_known_again_waits_and_is_not_sent_away() -> None:
    topics: dict[str, Topic] = {}
    async with serving(Shown([], topics)) as server:
        server.shown.known = trio.Event()
        async with server.watches("/tables/7/events", "2") as viewer:
            await trio.testing.wait_all_tasks_blocked(0.05)
            topics["7"] = table(3)
            server.shown.known.set()
            assert await numbers(viewer, 1) == [("3", 3)]
