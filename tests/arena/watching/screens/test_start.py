"""The start page by keys and clicks."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, Static

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.watching.people.invitation import Remembered
from bullring.arena.watching.people.opponents import Opponent, built_in
from bullring.arena.watching.people.sitting import Chair
from bullring.arena.watching.screens.start import Guests, Settings, Start
from bullring.arena.watching.screens.start_choices import Choosing
from tests.arena.watching.screens.showing import OPEN, show

Do = Callable[[Pilot[int], Start], Awaitable[None]]


def page(
    *keys: str,
    last: Remembered | None = None,
    size: tuple[int, int] = (80, 24),
    language: str = "en",
    do: Do | None = None,
) -> Any:
    """Press keys on the start page. Returns what was chosen, `OPEN` if nothing was."""

    async def steps(start: Start, pilot: Pilot[int]) -> None:
        await pilot.press(*keys)
        if do is not None:
            await do(pilot, start)

    return show(lambda: Start(Choosing(built_in(), last or Remembered(("Ann",)), language)), steps, size)


def test_enter_three_times_begins_the_online_game() -> None:
    sitting = page("enter", "enter", "enter")
    assert (sitting.game, sitting.chairs[0], len(sitting.chairs)) == ("online", Chair("Ann"), 4)


def test_the_name_can_be_typed_and_several_people_sit_down() -> None:
    sitting = page(*"Ab, Ben", "enter", "enter", "enter", last=Remembered(("A",)))
    assert [chair.name for chair in sitting.chairs[:2]] == ["Ab", "Ben"]
    assert (len(sitting.people), len(sitting.chairs)) == (2, 4)


def test_game_seats_and_options_are_changed() -> None:
    last = Remembered(("Ann",), (), [*GAMES][-1])  # the next one is the first
    sitting = page("enter", "right", "down", "right", "down", *"40", "down", "space", "enter", "enter", last=last)
    assert (sitting.game, len(sitting.chairs)) == ("standard", 5)
    assert sitting.options == {"target": 40, "target_rule": "reach"}


def test_opponents_are_invited_and_taken_away() -> None:
    last = Remembered(("Ann",), (Chair(bot="@greedy"),), "standard")
    index = [one.bot for one in built_in()].index("@random")
    sitting = page("enter", "enter", *["down"] * index, "space", "plus", "enter", last=last)
    assert [chair.bot for chair in sitting.chairs[1:]] == ["@random", "@random"]


def test_a_full_table_gives_way_where_nobody_has_chosen() -> None:
    choosing = Choosing(built_in(), Remembered(("Ann",)))
    strong = next(one for one in choosing.opponents if one.bot == "@montecarlo")
    assert choosing.add(strong) == ""
    assert strong in choosing.guests
    assert choosing.seats == 4
    for _ in range(2):
        assert choosing.add(strong) == ""
    assert "full" in choosing.add(strong)


def test_nobody_sits_down_at_a_table_with_empty_seats() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        start.choosing.toggle(start.choosing.guests[0])
        await pilot.press("ctrl+s")
        assert "1 more" in str(start.query_one("#told", Static).content)

    assert page(do=do) == OPEN


def test_a_bot_that_cannot_play_says_what_it_needs() -> None:
    choosing = Choosing([*built_in(), Opponent("@x", "x", lacks="needs xyz")], Remembered(("Ann",)))
    assert choosing.add(choosing.opponents[-1]) == "needs xyz"


def test_a_typed_bot_is_loaded_at_once() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        start.query_one("#own", Input).focus()
        await pilot.press(*"./gone", "enter")
        assert "./gone" in str(start.query_one("#told", Static).content)
        await pilot.press(*["backspace"] * 6, *"@random", "enter")
        assert "random" in [one.name for one in start.choosing.guests]

    page(do=do)


def test_the_mouse_does_the_same() -> None:
    async def do(pilot: Pilot[int], start: Start) -> None:
        settings, guests = start.query_one(Settings), [one.bot for one in start.choosing.opponents]
        line = settings.line(0, 80).plain
        await pilot.click(Settings, offset=(line.index("›"), 0))
        assert start.choosing.game.id == [*GAMES, next(iter(GAMES))][[*GAMES].index("online") + 1]
        await pilot.click(Guests, offset=(5, guests.index("@montecarlo")))
        assert "montecarlo" in [one.name for one in start.choosing.guests]
        await pilot.click("#sit")

    sitting = page(do=do)
    assert len(sitting.chairs) == 4


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_page(game: str) -> None:
    choosing = Choosing(built_in(), Remembered(("Ann",), (), game), "de")
    for setting in choosing.settings():
        assert setting.help
        setting.change(1)
        setting.change(-1)
    assert choosing.problem() == ""
    assert choosing.sitting().game == game
    assert choosing.sitting().options == {}


def test_escape_leaves() -> None:
    assert page("escape", size=(60, 15), language="de") is None
