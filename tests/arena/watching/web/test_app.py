"""What is served, and what is refused."""

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
import trio
import trio.testing
from starlette.requests import Request

from bullring.arena.cells.processes.frames import Ear
from bullring.arena.games.rulebook.language import LANGUAGES, say, speaking
from bullring.arena.watching.page.page import live_page
from bullring.arena.watching.page.refusals import write_refusals
from bullring.arena.watching.web import REFUSALS
from bullring.arena.watching.web.addresses import hosts_of, household, is_near, is_untold
from bullring.arena.watching.web.app import Shown
from bullring.arena.watching.web.connections import Rates
from bullring.arena.watching.web.files import PLACES, contents
from bullring.arena.watching.web.handing import hand, pair, take
from bullring.arena.watching.web.tables import MOST_ASKED, Tables
from bullring.arena.watching.web.topics import Table, Topic
from bullring.arena.watching.web.wants import LONGEST, Wants
from tests.support.web import Answer, folder_with, in_trio, parsed, serving

POLICY = "default-src 'none'; script-src 'sha256-x'"
PAGE = f'<!doctype html>\n<meta http-equiv="Content-Security-Policy" content="{POLICY.replace(chr(39), "&#39;")}">\n<p>'


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    folder_with(tmp_path, index=PAGE, bots__1=PAGE + "a bot", replays__5=PAGE + "a replay", live=live_page())
    (tmp_path / "api" / "lists").mkdir(parents=True)
    (tmp_path / "api" / "lists.json").write_text("[1]")
    (tmp_path / "api" / "lists" / "1.json").write_text("{}")
    (tmp_path / PLACES).write_text(json.dumps({"2": {"first": 250, "shelf": 250, "ids": [*range(40, 640)]}}))
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "5.jsonl").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "secret.txt").write_text("a secret")
    topics: dict[str, Topic] = {"700": Table("{}")}
    return Shown([tmp_path], topics)


@in_trio
async def test_pages_come_with_their_own_policy_and_can_be_asked_for_again(shown: Shown) -> None:
    async with serving(shown) as server:
        for path in ("/", "/index.html", "/bots/1.html"):
            answer = await server.asks(path)
            assert answer.status == 200
            assert answer.body.decode().startswith(PAGE)
            assert answer.headers["content-type"] == "text/html; charset=utf-8"
            assert answer.headers["content-security-policy"] == f"{POLICY}; frame-ancestors 'none'"
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert "set-cookie" not in answer.headers
            again = await server.asks(path, If_None_Match=answer.headers["etag"])
            assert (again.status, again.body) == (304, b"")
            assert again.headers["content-security-policy"] == answer.headers["content-security-policy"]
            head = await server.asks(path, "HEAD")
            assert (head.status, head.body) == (200, b"")
            assert head.headers["content-length"] == answer.headers["content-length"]


@in_trio
async def test_a_page_without_a_policy_may_load_and_run_nothing(shown: Shown) -> None:
    folder_with(shown.folders[0], match="<p>")
    async with serving(shown) as server:
        answer = await server.asks("/match.html?1-0-5")
        assert answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


def test_all_who_are_sent_a_file_share_its_bytes_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bullring.arena.watching.web.files.MOST_KEPT", 1000)
    request = Request({"type": "http", "headers": []})
    (tmp_path / "a.js").write_text("x" * 600)
    first, again = (contents([tmp_path], "a.js", request).body for _ in range(2))
    assert first is again
    (tmp_path / "b.js").write_text("y" * 600)
    assert contents([tmp_path], "b.js", request).body == b"y" * 600
    (tmp_path / "c.js").write_text("z" * 2000)
    assert contents([tmp_path], "c.js", request).body == b"z" * 2000
    assert contents([tmp_path], "a.js", request).body is not first  # only so many bytes are kept
    (tmp_path / "a.js").write_text("new")
    assert contents([tmp_path], "a.js", request).body == b"new"


@in_trio
async def test_facts_for_programs_are_json(shown: Shown) -> None:
    async with serving(shown) as server:
        for path, text in (("/api/lists", b"[1]"), ("/api/lists/1", b"{}")):
            answer = await server.asks(path)
            assert (answer.status, answer.body) == (200, text)
            assert answer.headers["content-type"] == "application/json"


@in_trio
async def test_the_link_of_a_match_is_its_live_page_and_later_its_replay(shown: Shown) -> None:
    async with serving(shown) as server:
        live = await server.asks("/tables/700")
        assert live.body.decode() == live_page()
        assert "connect-src" in live.headers["content-security-policy"]
        assert (await server.asks("/tables/5")).body.decode() == PAGE + "a replay"
        elsewhere = await server.asks("/tables/45")
        assert (elsewhere.status, elsewhere.headers["location"]) == (302, "../match.html?2-1-45")
        assert (await server.asks("/tables/639")).headers["location"] == "../match.html?2-3-639"
        assert (await server.asks("/tables/640")).status == 404
        shown.known = trio.Event()
        assert (await server.asks("/tables/640")).body.decode() == live_page()  # which waits until it begins


@in_trio
async def test_a_match_that_is_not_there_is_asked_for_once_however_many_wait(shown: Shown) -> None:
    hears, asks = os.pipe()
    with os.fdopen(asks, "wb"):
        wants, ear = Wants(asks), Ear(hears, LONGEST)
        shown.wants = wants
        shown.known.set()

        async def answer(found: bool) -> None:
            await trio.lowlevel.wait_readable(hears)
            assert [*ear.now()] == [["want", 701]]
            if found:
                shown.topics["701"] = Table("{}")
            wants.answered("701")

        async with serving(shown) as server:
            for found, status in ((False, 404), (True, 200)):
                got: list[int] = []

                async def ask(path: str, got: list[int] = got) -> None:
                    got.append((await server.asks(path)).status)

                async with trio.open_nursery() as nursery:
                    for _ in range(3):
                        nursery.start_soon(ask, "/tables/701")
                    await trio.testing.wait_all_tasks_blocked(0.05)
                    nursery.start_soon(answer, found)
                assert got == [status] * 3
            for path in ("/tables/5", "/tables/45", "/tables/700", "/tables/99999999999999999", "/tables/p0123456789"):
                await server.asks(path)
            for odd in ("0", "0701", "%D9%A1", "%EF%BC%97", "7x"):
                assert (await server.asks(f"/tables/{odd}")).status == 404
                assert (await server.asks(f"/tables/{odd}/events")).status == 404
            assert not [*ear.now()]
    os.close(hears)


@in_trio
async def test_matches_that_are_not_there_keep_nobody_from_one_that_is(
    shown: Shown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bullring.arena.watching.web.wants.MOST_WANTED", 2)
    hears, asks = os.pipe()
    with os.fdopen(hears, "rb"), os.fdopen(asks, "wb"):
        wants, ear = Wants(asks), Ear(hears, LONGEST)
        shown.wants = wants
        shown.known.set()
        async with serving(shown) as server, trio.open_nursery() as nursery:
            for number in (701, 702):
                nursery.start_soon(server.asks, f"/tables/{number}")
                await trio.lowlevel.wait_readable(hears)
                assert [*ear.now()] == [["want", number]]

            async def ask() -> None:
                assert (await server.asks("/tables/703")).status == 200
                nursery.cancel_scope.cancel()

            nursery.start_soon(ask)
            with trio.fail_after(5):
                await trio.lowlevel.wait_readable(hears)
            assert [*ear.now()] == [["want", 703]]
            shown.topics["703"] = Table("{}")
            wants.answered("703")


@in_trio
async def test_what_was_one_of_the_newest_matches_is_still_found(shown: Shown) -> None:
    async with serving(shown) as server:
        answer = await server.asks("/replays/45.html")
        assert (answer.status, answer.headers["location"]) == (302, "../tables/45")


@in_trio
async def test_how_far_an_analysis_is_and_what_it_has_found_is_told(shown: Shown) -> None:
    (shown.folders[0] / "analyses").mkdir()
    async with serving(shown) as server:
        answer = await server.asks("/tables/5/analysis")
        assert (answer.status, json.loads(answer.body)) == (200, {"state": "none"})
        assert (await server.asks("/tables/45/analysis")).status == 200  # which is on a shelf
        for key in ("700", "640", "p0123456789", "5x", "..", "%2e%2e", "5/analysis"):
            assert (await server.asks(f"/tables/{key}/analysis")).status == 404, key
        (shown.folders[0] / "analyses" / "5.json").write_text('{"state": "running", "done": 3, "decisions": 8}')
        answer = await server.asks("/tables/5/analysis")
        assert json.loads(answer.body) == {"state": "running", "done": 3, "decisions": 8}
        assert answer.headers["content-type"] == "application/json"
        assert (await server.asks("/tables/5/analysis", If_None_Match=answer.headers["etag"])).status == 304


@in_trio
async def test_an_analysis_is_asked_for_by_the_pages_of_this_site_alone(shown: Shown) -> None:
    line, stewards = pair()
    with line, stewards:
        shown.tables = Tables(line, may_make=False)
        async with trio.open_nursery() as nursery, serving(shown) as server:
            nursery.start_soon(shown.tables.hear)
            for key in ("700", "640", "p0123456789"):
                assert (await server.asks(f"/tables/{key}/analysis", "POST")).status == 404, key
            for path in ("/tables/5x/analysis", "/tables/%35/analysis", "/tables/5/analysis/", "/tables/../analysis"):
                assert (await server.asks(path, "POST")).status in (404, 405), path
            for header in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec_Fetch_Site": "cross-site"}):
                assert (await server.asks("/tables/5/analysis", "POST", **header)).status == 403, header
            stewards.setblocking(False)
            with pytest.raises(BlockingIOError):
                take(stewards)  # it was asked nothing
            await answers(stewards, 202, {"state": "waiting", "before": 0}, nursery)
            answer = await server.asks("/tables/5/analysis", "POST", Origin="http://localhost")
            assert (answer.status, json.loads(answer.body)) == (202, {"state": "waiting", "before": 0})
            assert answer.headers["cache-control"] == "no-store"
            nursery.cancel_scope.cancel()


async def answers(stewards: socket.socket, status: int, facts: dict[str, object], nursery: trio.Nursery) -> None:
    """Answer the next question as the steward does."""

    async def answer() -> None:
        await trio.lowlevel.wait_readable(stewards)
        came = take(stewards)
        assert came is not None
        _, number, *asked = came[0]
        assert asked == ["analyse", "5", "127.0.0.1"]
        hand(stewards, "done", number, status, facts, "")

    nursery.start_soon(answer)


@in_trio
async def test_many_who_ask_what_can_be_made_share_one_answer(shown: Shown) -> None:
    line, stewards = pair()
    with line, stewards:
        stewards.setblocking(False)
        shown.tables = Tables(line, may_make=True)
        got: list[Answer] = []
        async with serving(shown) as server, trio.open_nursery() as nursery:
            nursery.start_soon(shown.tables.hear)

            async def ask() -> None:
                got.append(await server.asks("/tables"))

            async with trio.open_nursery() as asking:
                for _ in range(70):
                    asking.start_soon(ask)
                await trio.testing.wait_all_tasks_blocked(0.05)
                assert [came[2] for came in waiting(stewards)] == ["list"]
                hand(stewards, "done", 1, 200, {"now": 3}, "")
            nursery.cancel_scope.cancel()
        assert [(answer.status, json.loads(answer.body)["now"]) for answer in got] == [(200, 3)] * 70


@in_trio
async def test_whatever_else_is_asked_people_can_sit_down(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    line, stewards = pair()
    form = {"Content_Type": "application/json", "Content_Length": "0"}
    with line, stewards:
        stewards.setblocking(False)
        shown.tables = Tables(line, may_make=True)
        async with serving(shown) as server, trio.open_nursery() as nursery:

            async def ask(path: str) -> None:
                await server.asks(path, "POST", **form)

            for _ in range(MOST_ASKED):
                nursery.start_soon(ask, "/tables")
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert {came[2] for came in waiting(stewards)} == {"make"}
            full = await server.asks("/tables", "POST", **form)
            assert (full.status, full.headers["retry-after"]) == (503, "5")
            nursery.start_soon(ask, "/tables/p0123456789/sit")
            await trio.testing.wait_all_tasks_blocked(0.05)
            assert [came[2] for came in waiting(stewards)] == ["sit"]
            monkeypatch.setattr("bullring.arena.watching.web.tables.is_near", lambda address: False)
            assert (await server.asks("/tables/p0123456789/sit", "POST", **form)).status == 503
            nursery.cancel_scope.cancel()


def waiting(line: socket.socket) -> list[list[Any]]:
    """The messages that have come on a line."""
    found = []
    with suppress(BlockingIOError):
        while (came := take(line)) is not None:
            found.append(came[0])
    return found


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/bots/../../secret.txt",
        "/%2e%2e/secret.txt",
        "/bots/%2e%2e%2fsecret.txt",
        "/secret.txt",
        "//secret.txt",
        "/bots//1.html",
        "/bots/1.html/",
        "/bots/1.html%00.png",
        "/./index.html",
        "/index.html.",
        "/.hidden.html",
        "/..\\secret.txt",
        "/bots\\1.html",
        "/tables/%2e%2e",
        "/tables/1%2f..",
        "/tables/%C2%B2",
        "/tables/700/",
        "/tables/700/../5",
        "/tables/%2e%2e/analysis",
        "/tables/..%2fanalysis",
        "/analyses/5.json",
        "/tables/5.jsonl",
        "/api/../secret",
        "/api/",
        "/places.json",
        "/live.html/x",
        "http://localhost/../secret.txt",
        "/etc/passwd",
        "/proc/self/environ",
        "/~root/",
    ],
)
@in_trio
async def test_no_path_leads_out(shown: Shown, path: str) -> None:
    async with serving(shown) as server:
        answer = await server.asks(path)
        assert answer.status == 404, answer
        assert b"secret" not in answer.body


@in_trio
async def test_a_link_in_the_folder_leads_nowhere(shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "bots" / "2.html").symlink_to(tmp_path / "secret.txt")
    async with serving(shown) as server:
        assert (await server.asks("/bots/2.html")).status == 404


@in_trio
async def test_only_reading_is_allowed(shown: Shown) -> None:
    async with serving(shown) as server:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "BREW"):
            answer = await server.asks("/", method)
            assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD"), method


@in_trio
async def test_requests_that_nobody_needs_are_refused(shown: Shown) -> None:
    async with serving(shown) as server:
        assert (await server.asks("/" + "x" * 300)).status == 414
        assert (await server.asks("/", Content_Length="0")).status == 200
        big = await server.sends(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nx")
        assert parsed(big).status == 413
        chunked = await server.sends(b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n")
        assert parsed(chunked).status == 413
        key = "dGhlIHNhbXBsZSBub25jZQ=="
        upgrade = await server.asks(
            "/events", Connection="Upgrade", Upgrade="websocket", Sec_WebSocket_Version="13", Sec_WebSocket_Key=key
        )
        assert upgrade.status == 403


@in_trio
async def test_people_are_told_on_a_page_why_there_is_nothing_and_programs_in_a_few_bytes(shown: Shown) -> None:
    write_refusals(shown.folders[0] / REFUSALS)
    shown.hosts = hosts_of("127.0.0.1", [])
    people = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    async with serving(shown) as server:
        for status, path, method, more in (
            (404, "/nothing", "GET", {}),
            (404, "/tables/640", "GET", {}),
            (405, "/", "POST", {}),
            (413, "/", "GET", {"Content_Length": "5"}),
            (414, "/" + "x" * 300, "GET", {}),
            (421, "/", "GET", {"Host": "evil.example"}),
        ):
            page = await server.asks(path, method, **people, **more)
            assert (page.status, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
            for code in LANGUAGES:
                with speaking(code):
                    assert say(f"refusals.{status}.title") in page.body.decode()
            assert page.headers["content-security-policy"].startswith("default-src 'none'; ")
            assert "x" * 300 not in page.body.decode()
            plain = await server.asks(path, method, **more)
            assert (plain.status, plain.body) == (status, f"{status}\n".encode())
        assert (await server.asks("/api/nothing", **people)).body == b"404\n"


@in_trio
async def test_names_that_are_not_those_of_the_server_are_refused(shown: Shown) -> None:
    """Or a page of a stranger could read a ladder on this machine, by a name of its own that leads to 127.0.0.1."""
    shown.hosts = hosts_of("127.0.0.1", ["Ladder.Example"])
    async with serving(shown) as server:
        for host in (
            "localhost",
            "localhost:8080",
            "127.0.0.1:8080",
            "[::1]:8080",
            "ladder.example",
            "LADDER.example:80",
        ):
            assert (await server.asks("/", Host=host)).status == 200, host
        for host in (
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example",
            "",
            "[::2]",
            "a:b:c",
            "localhost:x",
        ):
            assert (await server.asks("/", Host=host)).status == 421, host


def test_a_proxy_that_a_server_was_not_told_of_speaks_for_nobody_here() -> None:
    here, told = hosts_of("127.0.0.1", []), hosts_of("127.0.0.1", ["ladder.example"])
    for header in (b"x-forwarded-for", b"forwarded"):
        assert is_untold([b"host", header], here)
        assert not is_untold([b"host", header], told)
        assert not is_untold([b"host", header], hosts_of("0.0.0.0", []))
    assert not is_untold([b"host", b"origin"], here)


@in_trio
async def test_nothing_is_posted_through_such_a_proxy(shown: Shown) -> None:
    shown.hosts = hosts_of("127.0.0.1", [])
    shown.tables = cast(Any, object())
    async with serving(shown) as server:
        answer = await server.asks("/tables", "POST", X_Forwarded_For="8.8.8.8", Content_Length="0")
        assert answer.status == 403
        assert (await server.asks("/", X_Forwarded_For="8.8.8.8")).status == 200


def test_elsewhere_a_server_goes_by_any_name_unless_it_was_given_one() -> None:
    assert hosts_of("0.0.0.0", []) == ()
    assert "ladder.example" in hosts_of("0.0.0.0", ["ladder.example"])


def test_addresses_of_one_household_count_together() -> None:
    assert household("2001:db8:1:2:3:4:5:6") == household("2001:db8:1:2::9") == "2001:db8:1:2::"
    assert household("::ffff:10.0.0.1") == household("10.0.0.1") == "10.0.0.1"
    assert household("fe80::1%eth0") == "fe80::"
    assert is_near(household("::1"))
    assert is_near("127.8.8.8")


def test_who_asks_too_often_has_to_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    rates = Rates(a_second=2, burst=3)
    assert [rates.allows("10.0.0.1") for _ in range(5)] == [True, True, True, False, False]
    assert rates.allows("10.0.0.2")
    now = 1.0
    assert [rates.allows("10.0.0.1") for _ in range(4)] == [True, True, False, False]
    assert all(rates.allows("127.0.0.1") for _ in range(100))  # a proxy there speaks for everybody
    for number in range(1000):
        now += 10
        rates.allows(f"10.1.{number // 256}.{number % 256}")
    assert len(rates._spent) < 10


@in_trio
async def test_when_too_many_watch_others_are_told_to_come_later(shown: Shown) -> None:
    shown.most_viewers = 1
    async with serving(shown) as server, server.watches("/tables/700/events") as viewer:
        await viewer.until("match")
        refused = await server.asks("/tables/700/events")
        assert (refused.status, refused.headers["retry-after"]) == (503, "30")
        assert (await server.asks("/")).status == 200
