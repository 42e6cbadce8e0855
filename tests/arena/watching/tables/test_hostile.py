"""Browsers that do what no page of ours does: they lose their own connection at most, and nobody else notices."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.seats import House, house, together

PEOPLE = {"names": ["Ann", "Ben"], "open": 2, "bots": ["@random"], "game": "standard", "options": {"deals": 1}}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("house")) as found:
        yield found


def test_what_is_no_message_costs_the_connection_and_no_seat(here: House) -> None:
    key, tokens = here.makes(**PEOPLE)
    ann, ben = (here.sits(key, token) for token in tokens)
    ann.connect(), ben.connect()
    for text, code in (("no json", 1003), ("[1]", 1003), ("[" * 4000, 1003), (json.dumps("x" * 5000), 1009)):
        ann.sends(text)
        while ann.next() is not None:
            pass
        assert ann.code == code
        assert ann.connect() == 101
    for number in range(60):
        ann.says({"hello": number})
    while ann.next() is not None:
        pass
    assert ann.code == 1008
    assert ann.connect() == 101
    question = ann.until("question")
    for answer in ("x", [1], True, None, {"a": 1}, 10**30, 105):
        ann.says({"choose": answer, "id": question["id"]})
        assert ann.until("remark", "question")["is"] == "remark"
        assert ann.until("question")["id"] == question["id"]
    for nothing in (
        {"choose": question["options"][0], "id": question["id"] + 1},
        {"hint": "x"},
        {"hint": -1},
        {"id": {"a": 1}},
    ):
        ann.says(nothing)
    ann.chooses(question)
    assert ann.until("taken", "remark") == {"is": "taken", "id": question["id"]}
    over = together(ann.plays, ben.plays)
    assert [end["is"] for end in over] == ["over", "over"]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"game": "chess"}, "chess"),
        ({"bots": ["/bin/sh"]}, "/bin/sh"),
        ({"bots": ["sh -c true"]}, "sh -c"),
        ({"seats": 99}, "10"),
        ({"open": 0}, "open"),
        ({"names": ["x" * 65]}, "64"),
        ({"names": ["Ann", "Ann"]}, "Ann"),
        ({"names": ["a\u202eb"]}, "name"),
        ({"time": 1}, "time"),
        ({"run": "sh"}, "run"),
        ({"options": {"target": []}}, "options"),
        ("[]", ""),
        ([], ""),
    ],
)
def test_a_table_that_is_not_possible_is_refused_in_words(here: House, wish: object, said: str) -> None:
    status, facts, _ = here.asks("POST", "/tables", wish)
    assert status == 422
    assert {*facts["error"]} == {"en", "de"}
    assert said in facts["error"]["en"]


def test_requests_that_are_too_much_are_refused(here: House) -> None:
    assert here.asks("POST", "/tables", {"names": ["x" * 5000]})[0] == 413
    assert here.asks("POST", "/tables", {}, Content_Type="text/plain")[0] == 415
    assert here.asks("POST", "/events", {})[0] == 405
    assert here.asks("DELETE", "/tables")[0] == 405
    assert here.asks("GET", "/tables/p0123456789/sit")[0] == 302
    assert here.browser("p0123456789", "").connect() != 101


def test_a_form_makes_a_table_as_json_does(here: House) -> None:
    body = "game=online&names=Cleo&names=Dan&open=2&bots=%40random&hints=false"
    kind = "application/x-www-form-urlencoded"
    status, made, _ = here.asks("POST", "/tables", body, Content_Type=kind)
    assert status == 201
    assert [(one["seat"], one["name"]) for one in made["links"]] == [(0, "Cleo"), (1, "Dan")]


def test_strangers_make_tables_only_where_the_operator_lets_them(tmp_path: Path) -> None:
    with house(tmp_path, may_make=False) as closed:
        assert closed.asks("GET", "/tables")[1]["may"] is False
        assert closed.asks("POST", "/tables", PEOPLE)[0] == 403


@pytest.mark.slow
def test_there_are_at_most_eight_tables(tmp_path: Path) -> None:
    with house(tmp_path) as full:
        made = together(*[lambda: full.asks("POST", "/tables", PEOPLE)[0]] * 10)
        assert sorted(made) == [201] * 8 + [503] * 2
