"""Lines of the standings as people read them."""

from dataclasses import fields, replace

from rich.console import Console

from bullring.ladder.standings.columns import Row, settled
from bullring.ladder.standings.lines import lines_of
from bullring.ladder.watching.display.ended import changes
from bullring.ladder.watching.display.tables import standings_table

EMPTY = Row(**{field.name: None for field in fields(Row)[:26]})  # type: ignore[arg-type]
ROW = replace(EMPTY, state="active", anchor=False, connected=True, matches=500, faults=0, metrics={})
ROWS = [
    replace(ROW, place=1, bot="new", rating=1800.0, error=900.0, low=900.0, high=2700.0, matches=2),
    replace(ROW, place=2, bot="quick", rating=1650.0, error=40.0, low=1610.0, high=1690.0),
    replace(ROW, place=3, bot="slow", rating=1350.0, error=40.0, low=1310.0, high=1390.0),
]


def test_a_bot_with_a_provisional_rating_follows_the_others_whose_places_begin_with_1() -> None:
    assert [line.row.bot for line in lines_of(ROWS)] == ["quick", "slow", "new"]
    console = Console(width=100, record=True, color_system=None)
    with console.capture() as shown:
        console.print(standings_table(settled(ROWS), width=100, plain=True))
    assert [line.split()[:2] for line in shown.get().splitlines()[1:]] == [
        ["1", "quick"],
        ["2", "slow"],
        ["new", "1800?"],
    ]


def test_a_bot_is_first_of_others_alone() -> None:
    alone = settled([ROWS[0], replace(ROWS[1], place=2), replace(ROWS[0], place=3, bot="newer")])
    assert [row.settled for row in alone] == [None, None, None]


def test_the_end_of_a_run_says_who_leads_and_what_has_changed() -> None:
    before = [replace(ROWS[2], place=2), replace(ROWS[1], place=3)]
    assert changes(before, ROWS, 100).plain == "quick leads with 1650   ▲ quick 3 → 2   ▼ slow 2 → 3"
    assert changes(ROWS, ROWS, 100).plain == "quick leads with 1650   no place has changed in this run"
    assert changes([], ROWS[:1], 100).plain == ""
