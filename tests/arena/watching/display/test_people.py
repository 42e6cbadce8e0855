"""Statistics of people as tables."""

from typing import Any

import pytest
from rich.console import Console

from bullring.arena.games.rulebook.language import LANGUAGES, speaking
from bullring.arena.watching.display.people import stats_tables
from bullring.arena.watching.display.text import short

GAMES = ("open", "online", "standard", "professional")


def tally(matches: int) -> dict[str, Any]:
    places = {str(place): matches + place for place in range(1, 5)}
    return {"matches": matches, "wins": matches // 3, "places": places, "place": 2.34, "heads_per_deal": 5.7}


def person() -> dict[str, Any]:
    last = {"heads_per_deal": 5.7, "ended": "2026-05-06T07:08:09Z", "place": 2, "seats": 4}
    return {
        "name": "Anna",
        **tally(32),
        "trend": [{**last, "game": game, "record": f"{game}-20260506T070809-abcdef12.jsonl"} for game in GAMES * 8],
        "games": {game: tally(8) for game in GAMES},
        "opponents": {"montecarlo": {"matches": 32, "ahead": 14, "level": 1, "behind": 17}},
    }


def shown(person: dict[str, Any]) -> str:
    console = Console(width=80, color_system=None)
    with speaking("en"), console.capture() as capture:
        for table in stats_tables([person]):
            console.print(table)
    return capture.get()


def test_the_last_matches_begin_with_the_latest() -> None:
    anna = person()
    anna["trend"][-1] = {**anna["trend"][-1], "ended": "2026-06-07T08:09:10Z"}
    text = shown(anna)
    assert text.index("2026-06-07") < text.index("2026-05-06")


def test_totals_are_not_shown_twice_where_one_game_was_played() -> None:
    anna = person()
    assert "Anna" in shown(anna)
    assert "Anna" not in shown({**anna, "games": {"online": tally(32)}})


@pytest.mark.parametrize("code", LANGUAGES)
def test_no_word_of_the_statistics_is_broken_at_80_columns(code: str) -> None:
    console = Console(width=80, color_system=None)
    with speaking(code):
        titles = LANGUAGES[code].topic("tables")["people"]
        tables = [*stats_tables([person()])]
    with console.capture() as capture:
        for table in tables:
            console.print(table)
    shown = capture.get().split()
    keys = "who game against matches ahead level behind won places mean heads trend ended place record"
    for word in (word for key in keys.split() for word in titles[key].split()):
        assert word in shown
    for whole in ("Anna", "nimmt!", "33/34/35/36", "montecarlo", "2026-05-06", "*-abcdef12.jsonl"):
        assert whole in shown
    assert sum("*-abcdef12.jsonl" in line and "2026-05-06" in line for line in capture.get().splitlines()) == 10
    assert all(len(line) <= 80 for line in capture.get().splitlines())


@pytest.mark.parametrize(
    ("name", "most", "shown"),
    [
        ("greedy #2", 9, "greedy #2"),
        ("montecarlo #2", 12, "montecar… #2"),
        ("montecarlo", 8, "monteca…"),
        ("a #12", 4, "a #…"),
    ],
)
def test_a_name_that_is_cut_keeps_the_number_that_tells_players_apart(name: str, most: int, shown: str) -> None:
    assert short(name, most) == shown
    assert len(short(name, most)) <= most
