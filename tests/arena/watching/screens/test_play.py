"""Playing at the full-screen table with keys and clicks."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Static

from bullring.arena.games.rulebook.language import speaking
from bullring.arena.games.rules.registry import GAMES
from bullring.arena.study.hints.thoughts import Thought, Thoughts
from bullring.arena.watching.people.messages import Broken, Over, Preparing, Question
from bullring.arena.watching.people.sending import HOLD, Send
from bullring.arena.watching.people.sitting import Chair, Sitting
from bullring.arena.watching.screens.shell import Keys
from bullring.arena.watching.screens.table.choice import Item
from bullring.arena.watching.screens.table.screen import Curtain, Play, letters
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
        found = tuple(Thought(one, 9.0 - at, 0.1, 0.84) for at, one in enumerate(options))
        return Thoughts("@oracle", found, options[-1], 10)

    async def stop(self) -> None:
        """Nothing to stop."""


class Clock:
    """A clock of the test's own. With a `step`, that much time passes between two looks at it."""

    def __init__(self, step: float = 0.0) -> None:
        self.time = 0.0
        self.step = step

    def __call__(self) -> float:
        self.time += self.step
        return self.time


CALM = Clock(1.0)
"""For people who think before each key."""


def at(table: FakeTable, steps: Steps, size: tuple[int, int] = (80, 24), **more: Any) -> Any:
    """Sit down, do something, and return how the screen ended (`OPEN` if it has not)."""

    async def seated(play: Play, pilot: Pilot[int]) -> None:
        await until(
            lambda: (
                play.deciding.choice is not None or play._curtain is not None or isinstance(play.app.screen, Curtain)
            )
        )
        await steps(play, pilot, table)

    return show(lambda: Play(table, **{"pace": 0.0, "adviser": Advised(), "clock": CALM, **more}), seated, size)  # type: ignore[arg-type]  # it is a fake


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
    card = sorted(play.deciding.hand)[4]
    await pilot.press(*str(card))
    assert play.deciding.cursor == Item("card", card)
    await pilot.press("enter")
    await answered(table, 1)
    assert table.answers == [(0, "card", card)]
    await until(lambda: play.deciding.choice is not None)
    assert card not in play.deciding.hand


@seated(send=Send.CONFIRMED)
async def test_a_choice_is_taken_back_until_it_is_confirmed(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    first, second, *_ = sorted(play.deciding.hand)
    await pilot.press("right", "enter")
    assert f"You play {first}: Enter sends it" in text(play)
    await pilot.press("escape")
    assert play.deciding.choice is not None
    assert play.deciding.choice.chosen == []
    await pilot.press("right", "enter")
    assert table.answers == []
    await pilot.press("enter")
    await answered(table, 1)
    assert table.answers == [(0, "card", second)]


def preparing() -> FakeTable:
    table = one_against(3, deals=1)
    table._news.insert(0, Preparing("careful is being built ..."))
    return table


@seated(preparing)
async def test_what_was_told_before_the_first_card_does_not_hide_the_question(
    play: Play, pilot: Pilot[int], table: FakeTable
) -> None:
    assert "Choose a card" in text(play)
    assert "built" not in text(play)


@seated()
async def test_a_click_on_a_card_plays_it(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    await pilot.click("Hand", offset=(16, 2))  # a card is six columns wide, and one is free
    await answered(table, 1)
    assert table.answers == [(0, "card", table.answers[0][2])]


@seated()
async def test_what_cannot_be_chosen_says_why(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    await pilot.press("0")
    assert play.deciding.said == "there is no 0 to choose"
    play.deciding.click(Item("row", 2), play.now())
    assert "cannot be chosen now: Choose a card" in play.deciding.said
    assert table.answers == []


LOW = {"hand": [5, 42, 90], "rows": [[61, 62], [52], [70], [75, 76, 77, 78, 79]], "row_heads": [2, 1, 3, 9]}


@pytest.mark.parametrize(
    ("game", "language", "card", "said"),
    [
        ("online", "en", 5, "5: 84 % risk to take cards; takes row 2 (1 head), if laid first"),
        ("online", "de", 5, "5: nimmt zu 84 % Karten; nimmt Reihe 2 (1 Hornochse), wenn sie zuerst liegt"),
        ("standard", "en", 5, "5: 84 % risk to take cards; fits nowhere, you choose a row (1 head at least)"),
        ("standard", "de", 5, "5: nimmt zu 84 % Karten; passt nirgends, du wählst (mindestens 1 Hornochse)"),
        ("standard", "en", 90, "90: 84 % risk to take cards; takes row 4 (9 heads), if laid first"),
    ],
)
def test_a_card_that_is_pointed_at_says_by_the_rules_of_the_game_where_it_goes_on_80_columns(
    game: str, language: str, card: int, said: str
) -> None:
    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        question = play.deciding.question
        assert question is not None
        message = {**question.message, "options": LOW["hand"], "view": {**question.view, **LOW}}
        play.deciding.take(Question(question.seat, message, None))
        play.look()
        await pilot.press(*str(card), "i")
        await until(lambda: play.thoughts is not None)
        await pilot.pause()
        assert said in text(play)
        assert all(mark.card is None for mark in play.marks().values()), "what takes a row does not lie behind it"

    with speaking(language):
        at(one_against(3, game, **SMALL.get(game, {"deals": 1})), steps)


def test_hands_of_others_at_the_same_screen_stay_behind_a_curtain() -> None:
    chairs = (Chair("Ann"), Chair("Ben"), Chair(bot="@greedy"))

    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        for name in ("Ann", "Ben", "Ann", "Ben"):
            await until(lambda: isinstance(play.app.screen, Curtain))
            await pilot.pause()
            assert play.deciding.hand == ()
            assert f"Give the keyboard to {name}." in text(play)
            assert "Choose a card" not in text(play)
            assert "hint" not in text(play)
            await pilot.press(name[0].lower())
            await until(lambda: play.deciding.choice is not None)
            await pilot.pause()
            assert f"{name}: Choose a card" in text(play)
            count = len(table.answers)
            await pilot.press("right", "enter")
            await answered(table, count + 1)
            while play.deciding.choice is not None or (
                play._curtain is None and not isinstance(play.app.screen, Curtain)
            ):
                if (
                    play.deciding.choice is not None
                    and play.deciding.question is not None
                    and play.deciding.question.kind == "row"
                ):
                    await pilot.press("right", "enter")
                await pilot.pause()

    at(FakeTable(Sitting(chairs, options={"deals": 1})), steps)


def burst(play: Play, *keys: str) -> None:
    """Press keys faster than they are taken, as a terminal hands on what was typed meanwhile."""
    for key in keys:
        play.app.post_message(Key(key, key if len(key) == 1 else None))


@seated(clock=Clock())
async def test_keys_of_a_burst_keep_their_order(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    card, other = play.deciding.hand[3], play.deciding.hand[-1]
    burst(play, *str(other), "escape", *str(card), "enter", "enter", "enter")
    await until(lambda: play.deciding.held)
    await pilot.pause()
    assert play.deciding.leaving() == (card,)
    assert table.answers == []
    play.now.time += HOLD  # type: ignore[attr-defined]  # the clock of this test
    await answered(table, 1)
    assert table.answers == [(0, "card", card)]


@seated(clock=Clock())
async def test_keys_of_a_list_that_hides_the_table_do_nothing_at_the_table(
    play: Play, pilot: Pilot[int], table: FakeTable
) -> None:
    await pilot.press("question_mark")
    await until(lambda: isinstance(play.app.screen, Keys))
    await pilot.press("q")
    await until(lambda: play.is_current)
    assert not table.left


def test_enter_and_clicks_show_no_hand_of_another_and_the_letter_that_does_plays_none_of_its_cards() -> None:
    chairs = (Chair("Quentin"), Chair("Özlem"), Chair(bot="@greedy"))

    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        for letter in ("u", "ö"):
            await until(lambda: isinstance(play.app.screen, Curtain))
            burst(play, *["enter"] * 5, "space", "right", "5", "enter", "q")
            await pilot.click(offset=(40, 12))
            assert isinstance(play.app.screen, Curtain)
            assert not play.deciding.items()
            burst(play, letter, "enter", "enter")
            await until(lambda: play.deciding.choice is not None)
            await pilot.pause()
            assert play.deciding.choice is not None
            assert not play.deciding.choice.chosen
            await pilot.press("right", "enter")
            play.now.time += 2 * HOLD  # type: ignore[attr-defined]  # the clock of this test
        await answered(table, 2)

    at(FakeTable(Sitting(chairs, options={"deals": 1})), steps, clock=Clock())


def test_the_cover_between_people_keeps_its_place_when_the_terminal_changes() -> None:
    chairs = (Chair("Ann"), Chair("Ben"), Chair(bot="@greedy"))

    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        for width, height in ((100, 30), (80, 24), (120, 40)):
            await pilot.resize_terminal(width, height)
            await until(lambda: isinstance(play.app.screen, Curtain) and play.plan == play.plan_of(*play.app.size))
            await pilot.pause()
            plan = play.plan_of(width, height)
            cover = play.app.screen.query_one(Static).region
            assert (cover.y, cover.height) == (height - cover.height, height - plan.title - plan.seats - plan.middle)
            assert cover.width == width

    at(FakeTable(Sitting(chairs, options={"deals": 1})), steps)


def test_everybody_at_a_screen_has_a_letter_that_is_nobody_else_s_and_no_key_of_the_table() -> None:
    for names in (["Anna", "Alf", "Ada"], ["Ida", "Tim", "Fritz", "Quentin"], ["1", "2 1", "!"], ["A"] * 10):
        own = letters(names)
        assert len({*own}) == len(names)
        assert not {*map(str.lower, own)} & {*"itfq"}
    assert letters(["Anna", "Bernd", "Özlem"]) == ["A", "B", "Ö"]


@seated(hint=True)
async def test_the_card_that_the_hint_would_choose_has_a_star_and_the_numbers_are_explained(
    play: Play, pilot: Pilot[int], table: FakeTable
) -> None:
    await until(lambda: play.thoughts is not None)
    await pilot.pause()
    lines = text(play).splitlines()
    best = str(play.deciding.hand[-1])
    (edge,) = (at for at, line in enumerate(lines) if "★" in line and best not in line)
    column = lines[edge].index("★")
    assert lines[edge + 1].index(best) in range(column - 3, column + 3)
    assert f"★ {best}: " in text(play)
    assert "heads to come" in text(play)


@pytest.mark.parametrize(("game", "cards"), [("logic", 1), ("nifty", 2)])
def test_every_card_that_the_hint_would_choose_has_a_star_wherever_it_lies(game: str, cards: int) -> None:
    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        await until(lambda: play.thoughts is not None)
        await pilot.pause()
        assert len(re.findall("[▗▄─] ★ ", text(play))) == cards
        if cards > 1:  # which of them is first is asked next: they are no longer in the hand
            await pilot.press("right", "enter", "right", "enter", "enter")
            await until(lambda: play.deciding.question is not None and play.deciding.question.kind != "cards")
            await until(lambda: play.thoughts is not None)
            await pilot.pause()
            assert len(re.findall("[▗▄─] ★ ", text(play))) == 1

    at(one_against(3, game), steps, hint=True)


@seated()
async def test_on_a_wide_screen_everything_lies_in_the_middle(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    await pilot.resize_terminal(200, 60)
    await pilot.pause()
    lines = text(play).splitlines()
    assert not any(line[:12].strip() or line[188:].strip() for line in lines)
    (asked,) = (line for line in lines if "Choose a card." in line)
    assert abs(len(asked[: asked.index("Choose")]) - len(asked[asked.index(".") :])) <= 2


@seated()
async def test_hints_and_lessons_are_shown_at_a_key(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    assert "@oracle" not in text(play)
    await pilot.press("i", "t")
    await until(lambda: "@oracle" in text(play))
    await pilot.press("right", "enter")
    await until(lambda: play.lesson and play.lesson.split()[0] in text(play))


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
        assert all(str(card) in shown for card in play.deciding.hand)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert all(str(card) in text(play) for card in play.deciding.hand)

    at(one_against(3, deals=1), steps, size=size)


async def _by_keys(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
    """Play to the end: go on by one item, two or three, and choose it."""
    count = 0
    while play.end is None:
        if play.deciding.choice is None:
            await pilot.pause()
            continue
        count += 1
        assert not re.search(r"\bms\b|median|fault", text(play)), "what only authors of programs want to know"
        await pilot.press(*([] if play.deciding.held else ["right"] * (1 + count % 3)), "enter")
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
    assert play.deciding.question is not None
    message = {**play.deciding.question.message, "options": [play.deciding.hand[0]]}
    play.deciding.take(Question(play.deciding.question.seat, message, None))
    play.look()
    await pilot.press(*str(play.deciding.hand[-1]))
    assert f"{play.deciding.hand[-1]} cannot be chosen now: Choose a card" in play.deciding.said


def test_a_match_that_breaks_says_why_and_is_left_with_enter() -> None:
    async def steps(play: Play, pilot: Pilot[int], table: FakeTable) -> None:
        table._news.append(Broken("the referee is gone"))
        await pilot.press("right", "enter")
        await until(lambda: play.end is not None)
        await until(lambda: "the referee is gone" in text(play))
        await pilot.press("enter")

    assert isinstance(at(one_against(3, deals=1), steps), Broken)
