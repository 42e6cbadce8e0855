"""The start page by keys and clicks."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot

from bullring.arena.games.rulebook.language import LANGUAGES, VARIABLE, speaking, spoken
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.people.how import How
from bullring.arena.watching.people.invitation import Remembered
from bullring.arena.watching.people.opponents import LEVELS, Opponent, built_in
from bullring.arena.watching.people.sending import Send
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.people.unfinished import Left
from bullring.arena.watching.screens.start import Chosen, Start
from bullring.arena.watching.screens.start_choices import OWN, Choosing, Line
from tests.arena.watching.screens.showing import OPEN, show, text_of, until

Do = Callable[[Pilot[int], Start], Awaitable[None]]

LEFT = Left(Path("left.jsonl"), Sitting((Chair("Ann"), Chair(bot="@greedy"))), "2026-11-26T14:05:00Z")


def page(
    *keys: str,
    last: Remembered | None = None,
    size: tuple[int, int] = (80, 24),
    left: tuple[Left, ...] = (),
    do: Do | None = None,
) -> Any:
    """Press keys on the start page. Returns what was chosen, `OPEN` if nothing was."""

    async def steps(start: Start, pilot: Pilot[int]) -> None:
        await pilot.press(*keys)
        if do is not None:
            await do(pilot, start)

    return show(lambda: Start(Choosing(built_in(), last or Remembered(("Ann",)), left)), steps, size)


def table(*keys: str, **more: Any) -> Sitting:
    """Press keys on the start page. Returns the table that was chosen."""
    chosen = page(*keys, **more)
    assert isinstance(chosen, Chosen)
    assert isinstance(chosen.table, Sitting)
    return chosen.table


def of(choosing: Choosing, label: str) -> Line:
    """The line with this label."""
    return next(line for line in choosing.lines() if line.label == label)


def down_to(label: str, last: Remembered | None = None) -> list[str]:
    """The keys that lead from the first line to the one with this label."""
    labels = [line.label for line in Choosing(built_in(), last or Remembered(("Ann",))).lines()]
    return ["down"] * labels.index(label)


def test_enter_three_times_begins_the_online_game() -> None:
    sitting = table("enter", "enter", "enter")
    assert (sitting.game, sitting.chairs[0], len(sitting.chairs)) == ("online", Chair("Ann"), 4)


def test_a_burst_of_keys_is_taken_in_its_order() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        for key in ("B", "o", "enter", "right", "enter", "right", "up", "enter", "enter", "enter", "x"):
            start.app.post_message(events.Key(key, key if len(key) == 1 else None))
        await until(lambda: not start.is_active)

    sitting = table(do=do)
    assert sitting.chairs[0] == Chair("Bo")
    assert [chair.bot for chair in sitting.chairs[1:]] == list(LEVELS["hard"])
    assert sitting.game == [*GAMES, next(iter(GAMES))][[*GAMES].index("online") + 1]


def test_a_name_that_is_typed_replaces_that_of_last_time_and_several_people_sit_down() -> None:
    sitting = table(*"Ab, Ben", "backspace", "enter", "enter", "enter", last=Remembered(("Ann",)))
    assert [chair.name for chair in sitting.chairs[:2]] == ["Ab", "Be"]
    assert (len(sitting.people), len(sitting.chairs)) == (2, 4)


def test_game_seats_and_options_are_changed() -> None:
    last = Remembered(("Ann",), (), [*GAMES][-1])  # the next one is the first
    sitting = table("enter", "enter", "right", "down", "right", "down", *"40", "down", "space", "enter", last=last)
    assert (sitting.game, len(sitting.chairs)) == ("standard", 5)
    assert sitting.options == {"target": 40, "target_rule": "reach"}


@pytest.mark.parametrize("name", LEVELS)
def test_a_level_seats_its_programs_by_name_at_tables_of_any_size(name: str) -> None:
    choosing = Choosing(built_in(), Remembered(("Ann",), (), "standard"))
    against = of(choosing, "Against")
    against.change([*LEVELS].index(name) - against.at)
    of(choosing, "Seats").change(4)
    assert choosing.seats == 8
    assert {one.bot for one in choosing.guests} == set(LEVELS[name])
    assert all(one.removeprefix("@") in of(choosing, "Against").note for one in LEVELS[name])
    assert Choosing(built_in(), Remembered.of(choosing.sitting(), How())).level == name


def test_harder_levels_are_made_of_stronger_programs_which_need_nothing_else() -> None:
    known = {one.bot: one for one in built_in()}
    ratings = []
    for bots in LEVELS.values():
        assert all(known[bot].language == "Python" and not known[bot].lacks for bot in bots)
        ratings.append([known[bot].rating or 0 for bot in bots])
    means = [sum(some) / len(some) for some in ratings]
    assert means == sorted(means)
    assert max(ratings[0]) < min(ratings[-1])


def test_bots_are_invited_one_by_one_and_up_leads_back_to_the_name() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        await pilot.press("enter", "left", "left")
        assert start.choosing.level == OWN
        assert [line.bot for line in start.choosing.lines() if line.bot] == built_in()
        await pilot.press(*["down"] * len(built_in()), "space", "plus")
        assert start.line.bot is not None
        await pilot.press(*["up"] * (len(built_in()) + 1))
        assert start.line.label == "You"
        await pilot.press("ctrl+s")

    last = Remembered(("Ann",), (Chair(bot="@greedy"),), "standard")
    weakest = built_in()[-1].bot
    assert [chair.bot for chair in table(last=last, do=do).chairs[1:]] == [weakest, weakest]


def test_a_full_table_gives_way_where_nobody_has_chosen() -> None:
    choosing = Choosing(built_in(), Remembered(("Ann",)))
    of(choosing, "Against").change(-2)
    strong = next(one for one in choosing.opponents if one.bot == "@montecarlo")
    assert choosing.add(strong) == ""
    assert strong in choosing.guests
    assert choosing.seats == 4
    for _ in range(2):
        assert choosing.add(strong) == ""
    assert "full" in choosing.add(strong)
    of(choosing, "Against").change(1)
    of(choosing, "Against").change(-1)
    assert choosing.guests == [strong] * 3


def test_nobody_sits_down_at_a_table_with_empty_seats() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        await pilot.press("enter", "left", "left")
        start.choosing.guests.pop()
        await pilot.press("ctrl+s")
        assert "one more must sit down" in text_of(start)

    assert page(do=do) == OPEN


def test_a_bot_that_cannot_play_says_what_it_needs() -> None:
    choosing = Choosing([*built_in(), Opponent("@x", "x", tool="xyz")], Remembered(("Ann",)))
    assert choosing.add(choosing.opponents[-1]) == "needs xyz"


def test_a_typed_bot_is_loaded_at_once() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        await pilot.press("enter", "left", "left", *["down"] * (len(built_in()) + 1), *"./gone", "enter")
        assert "./gone" in text_of(start)
        await pilot.press(*["backspace"] * 6, *"@random", "enter")
        assert "random" in [one.name for one in start.choosing.guests]
        await pilot.press("enter")
        assert start.line.label == "Game"

    page(do=do)


def test_the_manner_is_chosen_and_kept_for_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    keys = [*down_to("Hints"), "right", "down", "right", "down", "right", "down", "right", "down", "right"]
    chosen = page(*keys, "enter")
    assert chosen.how == How("", hint=True, teach=True, send=Send.CONFIRMED, pace=0.2)
    assert (chosen.table.limit, chosen.table.falls_back) == (15.0, True)
    Remembered.of(chosen.table, chosen.how).keep()
    again = page("ctrl+s", last=Remembered.read())
    assert again == chosen


def test_values_that_only_the_command_line_has_are_shown_and_kept() -> None:
    last = Remembered(("Ann",), limit=20.0, how=How(pace=0.25))
    assert "20 s" in of(Choosing([], last), "Clock").values
    assert "0.25 s" in of(Choosing([], last), "Pace").values
    chosen = page("ctrl+s", last=last)
    assert (chosen.table.limit, chosen.table.falls_back, chosen.how.pace) == (20.0, False, 0.25)


def test_the_language_changes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, spoken().code)  # children would inherit it
    with speaking(spoken().code):

        async def do(pilot: Pilot[int], start: Start) -> None:
            await pilot.press(*down_to("Language"), "right")
            assert "Nimm Platz" in text_of(start)
            await pilot.press("enter")

        assert page(do=do).how.language == "de"


def test_a_match_that_was_left_comes_first() -> None:
    assert page("enter", left=(LEFT,)).table == LEFT
    assert isinstance(page("down", "enter", "enter", "enter", left=(LEFT,)).table, Sitting)


def test_the_mouse_does_the_same() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        async def click(text: str) -> None:
            await pilot.pause()
            lines = text_of(start).splitlines()
            y = next(number for number, line in enumerate(lines) if text in line)
            await pilot.click(offset=Offset(lines[y].index(text) + len(text) - 1, y))

        await click("online ›")
        assert start.choosing.game.id == [*GAMES, next(iter(GAMES))][[*GAMES].index("online") + 1]
        await click("your choice")
        await click("@montecarlo")
        assert "montecarlo" in [one.name for one in start.choosing.guests]
        await click("Begin")

    assert len(table(do=do).chairs) == 4


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_is_cut_at_any_usual_size(code: str, size: tuple[int, int]) -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        for line in [start.line, *start.choosing.lines()[1:]]:
            shown = text_of(start)
            assert "…" not in shown
            assert LANGUAGES[code].say("screens.start.keys", enter="").split()[-1] in shown
            assert {*line.help.split(), *line.note.split()} <= {*shown.split()}
            assert all(value in shown for value in line.values)
            await pilot.press("down")

    with speaking(code):
        page(do=do, size=size, left=(LEFT,), last=Remembered(("Ann",), (), "open"))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_game_has_its_page(game: str, code: str) -> None:
    with speaking(code):
        choosing = Choosing(built_in(), Remembered(("Ann",), (), game))
        for line in choosing.lines():
            assert line.help
            if line.label != LANGUAGES[code].say("screens.start.labels.language"):
                line.change(1)
                line.change(-1)
        assert choosing.problem() == ""
        assert choosing.sitting().game == game
        assert choosing.sitting().options == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_people_read_what_every_built_in_bot_does(code: str) -> None:
    assert all(LANGUAGES[code].find(f"screens.bots.{one.name}") for one in built_in())


def test_escape_leaves() -> None:
    assert page("escape", size=(60, 15)) is None


def test_what_is_below_the_fold_is_named_until_the_cursor_is_there() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        assert "▾" not in text_of(start)
        await pilot.press("down", "right", "right")
        await pilot.pause()
        (below,) = (line for line in text_of(start).splitlines() if "▾" in line)
        assert "Language" in below
        await pilot.press(*["down"] * 40)
        await pilot.pause()
        assert "▾" not in text_of(start)
        assert "▴" in text_of(start)

    page(do=do)
