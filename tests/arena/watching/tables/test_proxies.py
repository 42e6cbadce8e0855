"""Tables behind the proxies of docs/serving.md, with TLS: what is alive stays alive, and a person plays a whole match."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.arena.watching.tables.test_seats import PEOPLE, verified
from tests.support.proxies import NAME, PROXIES, Proxy, proxied
from tests.support.seats import House, Message, house
from tests.support.web import unchunked

pytestmark = pytest.mark.slow

ALONE = {**PEOPLE, "names": ["Ann"], "open": 1}


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[House, Proxy]]:
    with house(tmp_path, hosts=NAME) as here, proxied(request.param, tmp_path / "proxy", here.port) as proxy:
        here.way = proxy.way
        yield here, proxy


@contextmanager
def events(here: House, key: str, last: str = "") -> Iterator[Iterator[tuple[int, str]]]:
    """A viewer of a table: ids and kinds of events as they come; an id of 0 is none."""
    with here.way.connect() as connection:
        lines = {"Host": here.way.host, "Accept-Encoding": "gzip", "Connection": "close", "Last-Event-ID": last}
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        connection.sendall(f"GET /tables/{key}/events HTTP/1.1\r\n{head}\r\n".encode())

        def come() -> Iterator[tuple[int, str]]:
            read, taken = b"", 0
            while data := connection.recv(1 << 16):
                read += data
                assert b"content-encoding" not in read.partition(b"\r\n\r\n")[0].lower()
                found = re.findall(rb"(?:id: (\d+)\n)?event: (\w+)\ndata: [^\n]*\n\n", unchunked(read))
                for id, kind in found[taken:]:
                    yield int(id or 0), kind.decode()
                taken = len(found)

        yield come()


def seen(viewer: Iterator[tuple[int, str]], frame: int) -> None:
    """Wait until a viewer was told this frame."""
    assert any(id >= frame for id, _ in viewer)


def test_a_person_plays_and_viewers_follow_each_turn_while_it_is_played(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    assert ann.connect() == 101
    question = ann.until("question")
    with events(here, key) as viewer:

        def looks(browser: object, question: Message) -> None:
            seen(viewer, question["after"])  # before the answer, so nothing was held back
            ann.chooses(question)

        looks(ann, question)
        assert ann.plays(looks)["is"] == "over"
        assert "end" in {kind for _, kind in viewer}
    verified(here)
    assert here.asks("GET", f"/tables/{key}")[0] == 200


def test_a_proxy_that_is_started_anew_loses_no_seat_and_no_event(proxy: tuple[House, Proxy]) -> None:
    here, between = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    ann.connect()
    question = ann.until("question")
    with events(here, key) as viewer:
        seen(viewer, question["after"])
        between.end()
        assert [*viewer][-1:] in ([], [(0, "clock")])
    while ann.next() is not None:
        pass
    between.start()
    assert ann.connect() == 101
    assert ann.until("question") == question
    with events(here, key, str(question["after"])) as viewer:
        assert ann.plays()["is"] == "over"
        ids = [id for id, kind in viewer if kind == "frame"]
        assert ids == [*range(question["after"] + 1, ids[-1] + 1)]
    verified(here)


def test_a_cookie_of_a_seat_is_secure_and_strangers_are_refused(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    sit = f"/tables/{key}/sit"
    assert here.asks("POST", sit, {"token": token}, Origin="https://evil.example")[0] == 403
    status, _, cookie = here.asks("POST", sit, {"token": token}, Origin=here.way.origin)
    assert status == 200
    assert {"HttpOnly", "SameSite=strict", "Secure"} <= {*cookie.split("; ")}
    mine = here.browser(key, cookie.partition(";")[0])
    assert mine.connect(Origin="https://evil.example") == 403
    assert mine.connect() == 101
