"""The table at which a person plays, by keys and clicks, with a real referee."""

import asyncio
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from bullring.arena.people.news import Over
from bullring.arena.people.played import left
from bullring.arena.screens.hand import Hand
from bullring.arena.screens.play import Curtain, End, Play
from bullring.arena.screens.shell import Shell
from tests.arena.people.at_table import ANNA, BEN, sitting
from tests.support.patience import PATIENCE


class Alone(Shell):
    """The table alone."""

    def __init__(self, play: Play) -> None:
        super().__init__()
        self.play = play
        self.ends: list[End] = []

    def on_mount(self) -> None:
        self.push_screen(self.play, self.ends.append)


async def asked(pilot: Pilot[int], play: Play) -> None:
    """Wait until somebody is asked."""
    while play.question is None or play.query_one(Hand).question is None:
        await pilot.pause(0.01)


def test_people_take_turns_choose_confirm_and_leave(tmp_path: Path) -> None:
    async def main() -> None:
        table = sitting(tmp_path, ANNA, BEN, seed="table", game="standard", options={"deals": 1}).start()
        play = Play(table, confirm=True, teach=True, pace=0.0)
        app = Alone(play)
        async with asyncio.timeout(PATIENCE), app.run_test(size=(80, 24)) as pilot:
            while not isinstance(app.screen, Curtain):
                await pilot.pause(0.01)
            assert play.query_one(Hand).question is None  # nobody sees a hand before they have come
            await pilot.press("enter")
            await asked(pilot, play)
            question, hand = play.question, play.query_one(Hand)
            assert question is not None
            await pilot.press(*str(question.options[3]))
            assert hand.option == question.options[3]
            await pilot.press("enter")
            assert play.question is question  # it is not confirmed
            await pilot.press("escape", "right", "enter", "enter")
            while not isinstance(app.screen, Curtain):
                await pilot.pause(0.01)
            await pilot.click()
            await asked(pilot, play)
            assert play.question is not None
            assert play.question.seat != question.seat
            play.confirm = False
            hand.pick(play.question.options[0])
            while not isinstance(app.screen, Curtain):
                await pilot.pause(0.01)
            revealed = [seat.cards for seat in play.pacing.frames[-1].picture.seats]
            assert question.options[4] in revealed[question.seat] or play.pacing.frames[-1].picture.turn == 2
            await pilot.press("enter")
            await asked(pilot, play)
            assert str(play.query_one("#lesson", Static).content)
            await pilot.press("q")
            while not app.ends:
                await pilot.pause(0.01)
        assert app.ends == [None]

    asyncio.run(main())
    assert len(left(tmp_path)) == 1


@pytest.mark.slow
def test_the_result_is_given_at_the_end(tmp_path: Path) -> None:
    async def main() -> None:
        table = sitting(tmp_path, ANNA, BEN, seed="end", game="eleven", options={"deals": 1}).start()
        play = Play(table, pace=0.0)
        app = Alone(play)
        async with asyncio.timeout(PATIENCE), app.run_test(size=(60, 15)) as pilot:
            while not app.ends:
                if isinstance(app.screen, Curtain) or (app.screen is play and play.question is not None):
                    await pilot.press("enter")
                else:
                    await pilot.pause(0.01)
        (end,) = app.ends
        assert isinstance(end, Over)
        assert len(end.facts["seats"]) == 2

    asyncio.run(main())
