"""Whole matches at real tables, by keys alone and by the mouse alone: the record has the cards that were meant."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.pilot import Pilot
from textual.widget import Widget

from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Answered, Replay
from bullring.arena.watching.display.blocks import Block
from bullring.arena.watching.people.client import Table
from bullring.arena.watching.people.sending import HOLD
from bullring.arena.watching.screens.table.choice import DONE, Item
from bullring.arena.watching.screens.table.deciding import REACTION
from bullring.arena.watching.screens.table.hand import offered
from bullring.arena.watching.screens.table.screen import Hand, Play, Tabletop
from tests.arena.watching.people.at_table import ANNA, RANDOM, sitting
from tests.arena.watching.screens.showing import show, until
from tests.arena.watching.screens.test_play import Advised, Clock

Point = Callable[[Play, Pilot[int], Item], Awaitable[None]]

SIZES = pytest.mark.parametrize(
    "size", [(80, 24), (100, 30), (120, 40), (200, 60)], ids=lambda size: "x".join(map(str, size))
)


def plain(option: Any) -> Any:
    return list(option) if isinstance(option, tuple) else option


def recorded(folder: Path) -> list[Any]:
    """The answers of the first seat in the record."""
    (record,) = folder.glob("*.jsonl")
    replay, found = Replay(), []
    for entry in read_lines(record).entries:
        happening = replay.feed(entry)
        if isinstance(happening, Answered):
            found += [
                plain(answer) for seat, answer in zip(happening.seats, happening.answers, strict=True) if seat == 0
            ]
    return found


def whole(folder: Path, game: str, size: tuple[int, int], point: Point) -> None:
    """Play a match of one deal, always a random option and sometimes another one first, which is taken back."""
    rng, clock, meant = random.Random(f"{game} {size}"), Clock(), []

    async def steps(play: Play, pilot: Pilot[int]) -> None:
        async def chosen(option: Any) -> None:
            choice = play.deciding.choice
            assert choice is not None
            for item in choice.made_of(option):
                if item not in choice.chosen and not play.deciding.held:
                    clock.time += 2 * REACTION
                    await point(play, pilot, item)
            if not play.deciding.held:
                clock.time += 2 * REACTION
                await point(play, pilot, DONE)
            await until(lambda: play.deciding.held)

        while play.end is None:
            await asyncio.sleep(0.01)
            clock.time += 1.0
            if (choice := play.deciding.choice) is None:
                continue
            *others, wanted = rng.sample(choice.options, min(2, len(choice.options)))
            for other in others:
                if rng.random() < 0.5:
                    await chosen(other)
                    assert play.deciding.choice is choice
                    await pilot.press("escape")
                    assert not choice.chosen
            await chosen(wanted)
            meant.append(plain(wanted))
            clock.time += HOLD
            await until(lambda: play.deciding.choice is not choice)

    table = Table.begin(sitting(folder, ANNA, RANDOM, game=game, options={"deals": 1}))
    show(lambda: Play(table, pace=0.2, adviser=Advised(), clock=clock), steps, size)  # type: ignore[arg-type]  # it is a fake
    assert recorded(folder) == meant
    assert len(meant) >= 5


async def by_keys(play: Play, pilot: Pilot[int], item: Item) -> None:
    """Type the number of a card, or go to the item with the arrows; then Enter, or Space where more is to be chosen."""
    deciding = play.deciding
    if item.kind == "card" and item.value in deciding.hand:
        await pilot.press(*str(item.value))
    for _ in range(200):
        if deciding.cursor == item:
            break
        await pilot.press("right")
    assert deciding.cursor == item
    await pilot.press("enter")


async def by_mouse(play: Play, pilot: Pilot[int], item: Item) -> None:
    """Click on the item where it is drawn."""
    widgets: list[Widget] = [play.query_one(Hand), play.query_one(Tabletop)]
    choice = play.deciding.choice
    assert choice is not None
    keys = {"card": "pick"}.get(item.kind, item.kind)
    wanted = {keys: item.value}
    if item in offered(choice):
        wanted = {"item": offered(choice).index(item)}
    for widget in widgets:
        drawn = widget.render()
        assert isinstance(drawn, Block)
        for y, line in enumerate(drawn.lines):
            for span in line.spans:
                if isinstance(span.style, Style) and wanted.items() <= span.style.meta.items():
                    await pilot.click(widget, offset=((span.start + span.end) // 2, y))
                    return
    raise AssertionError(f"{item} is not on the screen")


@pytest.mark.slow
@SIZES
@pytest.mark.parametrize("game", ["standard", "nifty"])
def test_a_match_that_is_played_by_keys_has_the_cards_that_were_meant(
    tmp_path: Path, game: str, size: tuple[int, int]
) -> None:
    whole(tmp_path, game, size, by_keys)


@pytest.mark.slow
@SIZES
def test_a_match_that_is_played_by_mouse_has_the_cards_that_were_meant(tmp_path: Path, size: tuple[int, int]) -> None:
    whole(tmp_path, "standard", size, by_mouse)
