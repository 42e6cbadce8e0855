"""Who has moved."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

from bullring.ladder.standings.history import Point
from bullring.ladder.standings.standings import Standings
from bullring.ladder.watching.site.profiles import moves
from tests.ladder.watching.site.homes import home_of


def test_a_bot_with_a_provisional_rating_moves_nobody(tmp_path: Path) -> None:
    home = home_of(tmp_path / "home", 1)
    with closing(home.store(read_only=True)) as store:
        some = Standings(store, store.lists(played=True)[0]).rows()[0]
    placed = [("lucky", 201.0), ("two", 200.0), ("one", 40.0), ("three", 40.0)]
    rows = [
        replace(some, bot=bot, place=place, error=error, unsettled=0) for place, (bot, error) in enumerate(placed, 1)
    ]
    before = {"lucky": None, "one": 1600.0, "two": 1500.0, "three": 1400.0}
    histories = {
        bot: [
            Point(1, 1, "2030-01-01T10:00:00", rating, None, None),
            Point(2, 2, "2030-01-03T10:00:00", 1500.0, None, None),
        ]
        for bot, rating in before.items()
    }
    found = moves(rows, histories)
    assert found.matches == 1
    assert found.places == {"two": 1, "one": -1, "three": 0}
