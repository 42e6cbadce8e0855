"""Tables with people in browsers: whole matches by scripted clients, through the real processes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.verification import verify
from tests.support.record import happenings
from tests.support.seats import Browser, House, Message, house, together

PEOPLE = {
    "names": ["Ann", "Ben"],
    "open": 2,
    "bots": ["@random", "@random"],
    "options": {"deals": 1},
    "game": "standard",
}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as found:
        yield found


def seated(here: House, **wish: object) -> list[Browser]:
    """Browsers at the seats of a new table, which are not connected."""
    key, tokens = here.makes(**{**PEOPLE, **wish})
    return [here.sits(key, token) for token in tokens]


def test_two_people_and_two_bots_play_a_match_to_its_end(here: House) -> None:
    chosen: dict[str, list[object]] = {"Ann": [], "Ben": []}

    def last(browser: Browser, question: Message) -> None:
        name = browser.heard[0]["names"][browser.heard[0]["seat"]]
        chosen[name].append(question["options"][-1])
        browser.chooses(question, question["options"][-1])

    people = seated(here)
    assert [one.connect() for one in people] == [101, 101]
    over = together(*(lambda one=one: one.plays(last) for one in people))
    assert [end["is"] for end in over] == ["over", "over"]
    assert over[0]["names"][:2] == ["Ann", "Ben"]
    assert [one.next() for one in people] == [None, None]
    assert [one.code for one in people] == [1000, 1000]
    assert cards_of(verified(here), "Ann", "Ben") == chosen


@pytest.mark.slow
def test_ten_people_play_at_one_table(here: House) -> None:
    names = [f"Person {number}" for number in range(10)]
    people = seated(here, names=names, open=10, bots=[], game="tactics")
    assert [one.connect() for one in people] == [101] * 10
    over = together(*(one.plays for one in people))
    assert [end["is"] for end in over] == ["over"] * 10
    assert {*cards_of(verified(here), *names)} == {*names}


def test_a_reloaded_page_and_a_cut_line_find_the_question_still_there(here: House) -> None:
    ann, ben = seated(here, lessons=False)
    ann.connect(), ben.connect()
    question = ann.until("question")
    ann.cut()
    assert ben.until("left")["seats"] == [0]
    assert ann.connect() == 101
    again = ann.until("question")
    assert again == question
    other = here.browser(ann.key, ann.cookie)  # the page is loaded once more, before the old connection is gone
    assert other.connect() == 101
    assert other.until("question") == question
    while ann.next() is not None:
        pass
    assert ann.code == 4001
    other.chooses(question)
    assert other.until("taken") == {"is": "taken", "id": question["id"]}
    other.chooses(question)  # what was sent twice is taken once
    together(other.plays, ben.plays)
    verified(here)


def test_a_person_may_leave_a_choice_to_the_referee(here: House) -> None:
    ann, ben = seated(here)
    ann.connect(), ben.connect()
    question = ann.until("question")
    ann.says({"fall back": True, "id": question["id"] + 1})  # which nobody has asked
    ann.says({"fall back": True, "id": question["id"]})
    assert ann.until("taken") == {"is": "taken", "id": question["id"]}
    together(ann.plays, ben.plays)
    lines = read_lines(verified(here))
    at = lines.entries[0]["seats"].index("Ann")
    first = next(event for _, event in happenings(lines) if event["type"] == "answers")
    assert first["by"][first["seats"].index(at)] == "fallback"


def test_a_table_outlives_its_server(here: House) -> None:
    ann, ben = seated(here)
    ann.connect(), ben.connect()
    question = ann.until("question")
    here.serves_again()
    ann.chooses(question)
    assert ann.until("taken")["id"] == question["id"]
    ben.cut()
    assert ben.connect() == 101
    together(ann.plays, ben.plays)
    verified(here)


def test_only_who_has_the_token_takes_a_seat_and_only_once(here: House) -> None:
    key, (token, _) = here.makes(**PEOPLE)
    sit = f"/tables/{key}/sit"
    assert here.asks("POST", sit, {"token": "x" * len(token)})[0] == 403
    assert here.asks("POST", f"/tables/p{'0' * 10}/sit", {"token": token})[0] == 404
    status, facts, cookie = here.asks("POST", sit, {"token": token, "name": "Anna"})
    assert (status, facts) == (200, {"seat": 0, "name": "Anna"})
    assert {"HttpOnly", "SameSite=strict", f"Path=/tables/{key}"} <= {*cookie.split("; ")}
    assert here.asks("POST", sit, {"token": token})[0] == 409  # another browser with the same link
    mine = cookie.partition(";")[0]
    assert here.asks("POST", sit, {"token": token}, Cookie=mine)[0] == 200
    for forged in ("", "seat=x", mine + "x", mine[:-1]):
        assert here.browser(key, forged).connect() == 403
    assert here.browser(key, mine).connect() == 101


def test_pages_of_other_sites_neither_make_tables_nor_sit_down(here: House) -> None:
    ann, _ = seated(here)
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{here.port + 1}"):
        assert here.asks("POST", "/tables", PEOPLE, Origin=origin)[0] == 403
        assert ann.connect(Origin=origin) == 403
    assert here.asks("POST", "/tables", PEOPLE, Sec_Fetch_Site="cross-site")[0] == 403
    assert ann.connect() == 101
    assert here.asks("GET", "/tables")[1]["now"] == 1


def cards_of(record: Path, *names: str) -> dict[str, list[object]]:
    """What these people have chosen, by the record."""
    lines = read_lines(record)
    seats = {lines.entries[0]["seats"].index(name): name for name in names}
    found: dict[str, list[object]] = {name: [] for name in names}
    for _, event in happenings(lines):
        if event["type"] == "answers":
            for seat, answer in zip(event["seats"], event["answers"], strict=True):
                if seat in seats:
                    found[seats[seat]].append(answer)
    return found


def verified(here: House) -> Path:
    """The only record of the tables, which is whole and true."""
    (record,) = here.records
    lines = read_lines(record)
    assert lines.finished
    assert verify(lines).difference is None
    return record
