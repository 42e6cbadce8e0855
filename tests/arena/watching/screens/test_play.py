"""Playing at the full-screen table with keys and clicks."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from bullring.arena.games.rules.registry import GAMES
from bullring.arena.study.hints.thoughts import Thought, Thoughts
from bullring.arena.watching.people.messages import Broken, Over, Question
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.screens.table.choice import Item
from bullring.arena.watching.screens.table.screen import Curtain, Play
from tests.arena.games.rules.toy import Toy
from tests.arena.watching.screens.fake_table import FakeTable, one_against
from tests.arena.watching.screens.showing import show, text_of, until
from tests.support.coroutines import Test, made

Steps = Callable[[Play, Pilot[int], FakeTable], Awaitable[None]]


class Advised:
    """An adviser that prefers the last option."""

    async def start(self) -> None:
        """Nothing to start."""

    async def thoughts(self, welcome: Any, question: Any, seconds: float = 1.0) -> Thoughts:
        options = [tuple(one) if isinstance(one, list) else one for one in question["options"]]
        found = tuple(Thought(one, 9.0 - at, 0.1) for at, one in enumerate(options))
        return Thoughts("@oracle", found, options[-1], 10)

    async def stop(self) -> None:
        """Nothing to stop."""


def at(table: FakeTable, steps: Steps, size: tuple[int, int] = (80, 24), **more: Any) -> Any:
    """Sit down, do something, and return how the screen ended (`OPEN` if it has not)."""

    async def seated(play: Play, pilot: Pilot[int]) -> None:
        await until(lambda: play.choice is not None or play._next is not None or isinstance(play.app.screen, Curtain))
        await steps(play, pilot, table)

    return show(lambda: Play(table, pace=0.0, adviser=Advised(), **more), seated, size)  # type: ignore[arg-type]  # it is a fake


def seated(make: Callable[[], FakeTable] = lambda: one_against(3, deals=1), **more: Any) -> Callable[[Test], Any]:
    """Make a test of a coroutine, which gets the screen of a table that is made for it."""
    return lambda test: made(test, (Play, Pilot[int], FakeTable), lambda steps: at(make(), steps, **more))


def text(play: Play) -> str:
    """The text on the screen."""
    return text_of(play.app.screen)


async def answered(table: FakeTable, count: int) -> None:
    await until(lambda: len(table.answers) >= count)


@seated()
async def test_a_card_is_typed_and_played(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    card = sorted(play.hand)[4]
    await pilot.press(*str(card))
    assert play.cursor == Item("card", card)
    await pilot.press("enter")
    await answered(table, 1)
    assert table.answers == [(0, "card", card)]
    await until(lambda: play.choice is not None)
    assert card not in play.hand


@seated(confirm=True)
async def test_a_choice_is_taken_back_until_it_is_confirmed(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    first, second, *_ = sorted(play.hand)
    await pilot.press("enter")
    assert play.choice is not None
    assert play.choice.chosen == [Item("card", first)]
    await pilot.press("escape")
    assert play.choice.chosen == []
    await pilot.press("right", "enter")
    assert play.choice.chosen == [Item("card", second)]
    assert table.answers == []
    await pilot.press("enter")
    await answered(table, 1)
    assert table.answers == [(0, "card", second)]


@seated()
async def test_a_click_on_a_card_plays_it(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    await pilot.click("Hand", offset=(16, 2))  # a card is six columns wide, and one is free
    await answered(table, 1)
    assert table.answers == [(0, "card", table.answers[0][2])]


@seated()
async def test_what_cannot_be_chosen_says_why(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    await pilot.press("0")
    assert play.said == "there is no 0 to choose"
    play._point(Item("row", 2))
    assert "cannot be chosen now: the cards in your hand" in play.said
    assert table.answers == []


def test_hands_of_others_at_the_same_screen_stay_behind_a_curtain() -> None:
    chairs = (Chair("Ann"), Chair("Ben"), Chair(bot="@greedy"))

    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        for name in ("Ann", "Ben", "Ann", "Ben"):
            await until(lambda: isinstance(play.app.screen, Curtain))
            await pilot.pause()
            assert play.hand == ()
            assert f"Give the keyboard to {name}." in text(play)
            assert "your hand" not in text(play)
            await pilot.press("enter")
            await until(lambda: play.choice is not None)
            await pilot.pause()
            assert f"{name}: your hand" in text(play)
            count = len(table.answers)
            await pilot.press("enter")
            await answered(table, count + 1)
            while play.choice is not None or (play._next is None and not isinstance(play.app.screen, Curtain)):
                if play.choice is not None and play.question is not None and play.question.kind == "row":
                    await pilot.press("enter")
                await pilot.pause()

    at(FakeTable(Sitting(chairs, options={"deals": 1})), steps)


@seated()
async def test_hints_and_lessons_are_shown_at_a_key(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    assert "@oracle" not in text(play)
    await pilot.press("i", "t")
    await until(lambda: "@oracle would choose" in text(play))
    await pilot.press("enter")
    await until(lambda: "Why: " in text(play))


def test_a_clock_is_shown_the_referee_moves_if_wished_twice_and_leaving_ends_the_table() -> None:
    table = one_against(3, deals=1)
    table.seconds = 12.0

    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        await until(lambda: "12 s left" in text(play))
        await pilot.press("f")
        assert table.fell_back == []
        await pilot.press("f")
        await until(lambda: table.fell_back == [0])
        await pilot.press("q")
        await until(lambda: table.left)

    assert at(table, steps) is None


@pytest.mark.parametrize("size", [(60, 15), (40, 12), (160, 50)])
def test_the_hand_is_complete_on_any_screen(size: tuple[int, int]) -> None:
    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        shown = text(play)
        assert all(str(card) in shown for card in play.hand)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "your hand" in text(play)

    at(one_against(3, deals=1), steps, size=size)


async def _by_keys(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    """Play to the end: every third time the next item, always with Enter."""
    count = 0
    while play.end is None:
        if play.choice is None:
            await pilot.pause()
            continue
        count += 1
        await pilot.press(*(["right"] if count % 3 == 0 else []), "enter")
    await until(lambda: play.pacing.latest)
    await pilot.press("enter")


SMALL = {"eleven": {"deals": 1}, "online": {}, "tournament": {}, "hand": {}}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == "online" else pytest.mark.slow) for name in GAMES]
)
def test_a_whole_match_of_every_game_is_played_by_keys(name: str) -> None:
    low = GAMES[name].seat_range[0]
    table = one_against(max(1, low - 1), name, **SMALL.get(name, {"deals": 1}))
    assert isinstance(at(table, _by_keys), Over)
    assert table.answers


def test_a_game_that_was_registered_later_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, Toy.id, Toy)
    table = one_against(1, Toy.id, deals=1)
    assert isinstance(at(table, _by_keys), Over)
    assert {kind for _, kind, _ in table.answers} == {"bid"}


@seated()
async def test_a_card_of_the_hand_that_is_not_allowed_is_refused_with_the_reason_when_typed(
    play: Play, pilot: Pilot[int], table: FakeTable
) -> None:
    assert play.question is not None
    message = {**play.question.message, "options": [play.hand[0]]}
    play._open(Question(play.question.seat, message, None))
    await pilot.press(*str(play.hand[-1]))
    assert f"{play.hand[-1]} cannot be chosen now: the cards in your hand" in play.said


def test_a_match_that_breaks_says_why_and_is_left_with_enter() -> None:
    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        table._news.append(Broken("the referee is gone"))
        await pilot.press("enter")
        await until(lambda: play.end is not None)
        await until(lambda: "the referee is gone" in text(play))
        await pilot.press("enter")

    assert isinstance(at(one_against(3, deals=1), steps), Broken)
