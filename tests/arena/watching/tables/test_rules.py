"""What holds at a table: names, hints, lessons, clocks, and people who leave, are away and come back."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bullring.arena.games.rulebook.language import LANGUAGES
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Answered, Replay
from bullring.arena.match.records.verification import verify
from bullring.arena.watching.people.unfinished import left
from tests.arena.watching.people.at_table import facts, heard
from tests.arena.watching.tables.test_seats import seated, verified
from tests.ladder.homes import until
from tests.support.seats import Browser, House, Message, house, together

pytestmark = pytest.mark.slow

ALONE = {"names": ["Ann"], "open": 1}


@pytest.fixture
def here(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as found:
        yield found


def begun(here: House, **wish: object) -> list[Browser]:
    """People at the seats of a new table, where the match has begun."""
    people = seated(here, **wish)
    assert [one.connect() for one in people] == [101] * len(people)
    return people


def origins(record: Path, name: str) -> list[str]:
    """Who has made the choices of somebody: "human", or "fallback" for the automatic rule."""
    lines = read_lines(record)
    seat = lines.entries[0]["seats"].index(name)
    answered = [one for _, one in Replay().play(lines) if isinstance(one, Answered)]
    return [by for one in answered for number, by in zip(one.seats, one.by, strict=True) if number == seat]


def kinds(browser: Browser) -> set[str]:
    """The kinds of messages that it was told."""
    return {message["is"] for message in browser.heard}


def test_who_looks_on_sees_who_is_missing_and_no_clock_where_there_is_none(here: House) -> None:
    key, tokens = here.makes(game="standard", names=("Ann", "Ben"), open=2, bots=["@random"], options={"deals": 1})
    with here.watches(f"/tables/{key}/events") as viewer:

        def told(*kinds: str) -> Iterator[dict[str, Any]]:
            return (json.loads(data) for kind, data in viewer if kind in kinds)

        waits = told("waiting")
        assert next(waits) == {"names": ["Ann", "Ben", "@random"], "people": [0, 1], "missing": [0, 1]}
        people = [here.sits(key, tokens[0], name="Cleo")]
        assert next(waits)["names"][0] == "Cleo"
        people[0].connect()
        assert next(waits)["missing"] == [1]
        people.append(here.sits(key, tokens[1]))
        people[1].connect()
        asked = next(clock for clock in told("clock") if "0" in clock["seats"])
        assert asked["limit"] is None


# Names


def test_people_rename_themselves_until_the_first_card(here: House) -> None:
    key, tokens = here.makes(game="standard", names=("Ann", "Ben"), open=2, bots=["@random"], options={"deals": 1})
    sit = f"/tables/{key}/sit"
    ann = here.sits(key, tokens[0], name="Cleo")
    ann.connect()
    assert ann.until("seat")["names"][:2] == ["Cleo", "Ben"]

    def renamed(name: str) -> int:
        return here.asks("POST", sit, {"token": tokens[0], "name": name}, Cookie=ann.cookie)[0]

    assert renamed("Dora") == 200
    while ann.until("seat")["names"][0] != "Dora":
        pass
    for wrong in ("Ben", " ", "x" * 65, "a\u202eb", "a\nb"):
        assert renamed(wrong) == 422, wrong
    ben = here.sits(key, tokens[1])
    ben.connect()
    ann.until("question")
    assert renamed("Eve") == 200  # the seat is hers, and the name stays
    together(ann.plays, ben.plays)
    assert read_lines(verified(here)).entries[0]["seats"][:2] == ["Dora", "Ben"]


# Hints and lessons


def test_a_hint_tells_what_each_option_costs_and_why(here: House) -> None:
    (ann,) = begun(here, **ALONE)
    question = ann.until("question")
    ann.says({"hint": question["id"]})
    hint = ann.until("hint")
    assert hint["id"] == question["id"]
    assert sorted(option for option, _, _ in hint["costs"]) == sorted(question["options"])
    assert min(hint["costs"], key=lambda one: one[1])[0] == hint["best"]
    assert {*hint["why"]} == {*LANGUAGES}
    ann.says({"hint": question["id"]})
    assert ann.until("hint") == hint
    ann.chooses(question, hint["best"])
    assert ann.until("taken")["id"] == question["id"]
    ann.says({"hint": question["id"]})  # too late: nobody answers
    ann.plays()
    assert sum(message["is"] == "hint" for message in ann.heard) == 2


def test_lessons_are_told_in_all_languages_after_turns(here: House) -> None:
    (ann,) = begun(here, **ALONE)
    ann.plays()
    lessons = [message for message in ann.heard if message["is"] == "lesson"]
    assert lessons
    for lesson in lessons:
        assert {*lesson["text"]} == {*LANGUAGES}
        assert all(lesson["text"].values())
        assert len({*lesson["text"].values()}) == len(LANGUAGES)
    assert [lesson["after"] for lesson in lessons] == sorted({lesson["after"] for lesson in lessons})


def test_a_table_without_hints_and_lessons_gives_none(here: House) -> None:
    (ann,) = begun(here, **ALONE, hints=False, lessons=False)

    def asks(browser: Browser, question: Message) -> None:
        browser.says({"hint": question["id"]})
        browser.chooses(question)

    assert ann.plays(asks)["is"] == "over"
    assert not kinds(ann) & {"hint", "lesson"}


# Clocks


def test_the_automatic_rule_moves_for_whoever_is_late(here: House) -> None:
    ann, ben = begun(here, time=5)
    question = ann.until("question")
    assert question["limit"] == 5
    assert 0 <= question["left"] <= 5
    other = ben.until("question")
    ben.chooses(other)
    ann.cut()
    ann.connect()  # which gives no new time
    assert ann.until("question")["left"] <= question["left"]
    assert ann.until("taken") == {"is": "taken", "id": question["id"], "by": "fallback"}
    ann.chooses(question)  # too late
    together(ann.plays, ben.plays)
    record = verified(here)
    assert origins(record, "Ann")[0] == "fallback"
    assert "fallback" not in origins(record, "Ben")
    assert "human" in origins(record, "Ann")


# Leaving, being away, coming back


def test_the_automatic_rule_moves_for_whoever_has_left_until_they_come_back(here: House) -> None:
    ann, ben = begun(here)
    question = ann.until("question")
    ann.says({"leave": True})
    while ann.next() is not None:
        pass
    assert ann.code == 1000
    while ben.until("left")["seats"] != [0]:
        pass
    for _ in range(2):
        ben.chooses(ben.asked or ben.until("question"))
        ben.until("taken")
    ben.until("question")  # nobody waited
    before = len(ann.heard)
    assert ann.connect() == 101
    while ben.until("left")["seats"]:
        pass
    together(ann.plays, ben.plays)
    assert question["id"] not in {message.get("id") for message in ann.heard[before:]}
    found = origins(verified(here), "Ann")
    assert found[0] == "fallback"
    assert found[-1] == "human"


def test_others_wait_a_minute_for_whoever_is_away_where_there_is_no_clock(here: House) -> None:
    ann, ben = begun(here)
    ann.until("question")
    ann.cut()
    ben.chooses(ben.until("question"))
    ben.until("taken")
    ben.until("question")
    assert ann.connect() == 101
    together(ann.plays, ben.plays)
    found = origins(verified(here), "Ann")
    assert found[0] == "fallback"
    assert "human" in found


def test_a_match_that_all_have_left_can_go_on_elsewhere(here: House) -> None:
    ann, ben = begun(here)
    ann.chooses(ann.until("question"))
    ann.until("taken")
    with here.watches(f"/tables/{ann.key}/events") as viewer:
        for one in (ann, ben):
            one.says({"leave": True})
            while one.next() is not None:
                pass
        assert "end" not in {kind for kind, _ in viewer}  # which ends
    until(lambda: here.asks("GET", "/tables")[1]["now"] == 0)
    assert here.asks("GET", f"/tables/{ann.key}")[0] == 404
    assert ann.connect() != 101
    (match,) = left(here.folder / "home" / "tables")
    assert [chair.name for chair in match.sitting.chairs[:2]] == ["Ann", "Ben"]
    assert not facts(asyncio.run(heard(match.resume())))["void"]
    assert verify(read_lines(match.record)).finished
