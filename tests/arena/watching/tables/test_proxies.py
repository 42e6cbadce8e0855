"""Tables behind the proxies of docs/serving.md, with TLS: what is alive stays alive, and a person plays a whole match."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.watching.tables.test_seats import PEOPLE, verified
from tests.support.proxies import NAME, PROXIES, Proxy, proxied
from tests.support.seats import House, Message, house

pytestmark = pytest.mark.slow

ALONE = {**PEOPLE, "names": ["Ann"], "open": 1}


@pytest.fixture(params=PROXIES)
def proxy(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[House, Proxy]]:
    with house(tmp_path, hosts=NAME) as here, proxied(request.param, tmp_path / "proxy", here.port) as proxy:
        here.way = proxy.way
        yield here, proxy


def test_a_person_plays_and_viewers_follow_each_turn_while_it_is_played(proxy: tuple[House, Proxy]) -> None:
    here, _ = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    assert ann.connect() == 101
    question = ann.until("question")
    with here.watches(f"/tables/{key}/events") as viewer:

        def looks(browser: object, question: Message) -> None:
            viewer.until(question["after"])  # before the answer, so nothing was held back
            ann.chooses(question)

        looks(ann, question)
        assert ann.plays(looks)["is"] == "over"
        assert "end" in {kind for kind, _ in viewer}
        assert b"content-encoding" not in viewer.read.partition(b"\r\n\r\n")[0].lower()
    verified(here)
    assert here.asks("GET", f"/tables/{key}")[0] == 200


def test_a_proxy_that_is_started_anew_loses_no_seat_and_no_event(proxy: tuple[House, Proxy]) -> None:
    here, between = proxy
    key, (token,) = here.makes(**ALONE)
    ann = here.sits(key, token)
    ann.connect()
    question = ann.until("question")
    with here.watches(f"/tables/{key}/events") as viewer:
        viewer.until(question["after"])
        between.end()
        assert "end" not in {kind for kind, _ in viewer}
    while ann.next() is not None:
        pass
    between.start()
    assert ann.connect() == 101
    assert ann.until("question") == question
    with here.watches(f"/tables/{key}/events", str(question["after"])) as viewer:
        assert ann.plays()["is"] == "over"
        ids = [viewer.frame for kind, _ in viewer if kind == "frame"]
        assert ids == [*range(question["after"] + 1, viewer.frame + 1)]
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
