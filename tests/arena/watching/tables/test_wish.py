"""What is wished from outside and is not possible is refused in the language of whoever reads it."""

import json
from typing import Any

import pytest

from bullring.arena.games.rulebook.language import in_all
from bullring.arena.watching.people.opponents import Opponent, built_in
from bullring.arena.watching.tables.wish import Claim, FromOutside, Wish, shown
from bullring.errors import UsageError

IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "a game that is not there": {"game": "chess"},
    "a game that is no word": {"game": 7},
    "an option that is not there": {"options": {"foo": 1}},
    "a value that is not possible": {"options": {"deals": 0}},
    "an option of another game": {"game": "tournament", "options": {"deals": 3}},
    "too many seats": {"seats": 99},
    "too many people": {"open": 9, "seats": 3},
    "nobody": {"open": 0},
    "one name twice": {"names": ["A", "A"], "open": 2},
    "a name that is too long": {"names": ["x" * 70]},
    "too many names": {"names": ["x"] * 11},
    "an unknown opponent": {"bots": ["@nobody"]},
    "no list": {"bots": "greedy"},
    "too little time": {"time": 1},
    "too much time": {"time": 10_000},
    "no time": {"time": "soon"},
    "an unknown level": {"level": "x"},
    "an unknown wish": {"foo": 1},
}


def refusals(kind: type[FromOutside], body: bytes) -> dict[str, str]:
    """Why something is refused, by language."""

    def read() -> None:
        wish = kind.of(body, is_form=False)
        if isinstance(wish, Wish):
            wish.sitting(built_in)

    def refusal() -> str:
        with pytest.raises(UsageError) as caught:
            read()
        return str(caught.value)

    return in_all(refusal)


@pytest.mark.parametrize("wish", IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_a_wish_is_refused_in_the_readers_language(wish: dict[str, Any]) -> None:
    found = refusals(Wish, json.dumps(wish).encode())
    assert len({*found.values()}) == len(found), found


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_time_that_is_no_number_is_not_called_too_long_or_too_short(number: str) -> None:
    found = refusals(Wish, f'{{"time": {number}}}'.encode())
    assert found == refusals(Wish, b'{"time": "soon"}')


def test_a_claim_is_refused_in_the_readers_language() -> None:
    for body in (b"{}", b"{", b'{"token": 1}', b'{"token": "x", "more": 1}', b"[]"):
        found = refusals(Claim, body)
        assert len({*found.values()}) == len(found), found


def test_opponents_are_told_in_every_language() -> None:
    for one in map(shown, built_in()):
        assert len({*one["about"].values()}) == len(one["about"]), one
    mine = shown(Opponent("/somewhere/x", "x", about="Mine.", source="ladder"))
    assert {*mine["about"].values()} == {"Mine."}
    assert mine["lacks"] is None
    assert "/somewhere" not in json.dumps(mine)
    missing = shown(Opponent("@x", "x", tool="node"))["lacks"]
    assert len({*missing.values()}) == len(missing)
    assert all("node" in text for text in missing.values())
