"""Keys at every moment of a turn, by a clock of the test's own: nothing is played that was not meant, and no key is lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bullring.arena.games.rulebook.language import ENGLISH
from bullring.arena.games.rulebook.wording import wording
from bullring.arena.games.rules.registry import find
from bullring.arena.watching.people.messages import Question
from bullring.arena.watching.people.sending import HOLD, RESERVE, Send
from bullring.arena.watching.picture.picture import Frame, Picture
from bullring.arena.watching.picture.steps import Asked, Faulted
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.table.choice import Item
from bullring.arena.watching.screens.table.deciding import REACTION, Deciding

HAND = (3, 14, 15, 26, 41, 53, 58, 79, 97)
STEP = 0.4
EVER = 10.0


class Evening:
    """A person, a clock, and a referee that asks again some time after each answer; then some steps are shown."""

    def __init__(
        self,
        send: Send = Send.HELD,
        *,
        thinks: float = 0.5,
        steps: int = 5,
        limit: float | None = None,
        name: str = "standard",
    ) -> None:
        game = find(name)(4)
        self.now = 0.0
        self.thinks, self.steps, self.limit = thinks, steps, limit
        self.pacing = Pacing(STEP)
        self.deciding = Deciding(game, wording(type(game)), self.pacing, self, self._text, send, falls_back=True)
        self.sent_at: list[tuple[float, int]] = []
        self.hand = list(HAND)
        self.asks_at: float | None = 0.0
        self.began = 0.0

    @staticmethod
    def _text(key: str, /, **values: object) -> str:
        return ENGLISH.say(f"screens.table.{key}", **values)

    def sent(self, question: Question, option: Any) -> None:
        assert question.allows(option)
        self.sent_at.append((self.now, option))
        self.hand.remove(option)
        self.asks_at = self.now + self.thinks if self.hand else None

    def falls_back(self, question: Question) -> None:
        raise AssertionError(question)

    def left(self) -> float | None:
        return None if self.limit is None else self.began + self.limit - self.now

    def wait(self, seconds: float) -> None:
        """Let time pass, in small ticks."""
        end = self.now + seconds
        while True:
            self.look()
            if self.now >= end:
                return
            self.now = min(end, self.now + 0.05)

    def look(self) -> None:
        """What the screen does at each tick, and after each key."""
        if self.asks_at is not None and self.now >= self.asks_at:
            self.asks_at = None
            steps: list[Any] = [Faulted(1, "timeout", "nothing", closed=False)] * self.steps
            self.pacing.add([Frame(step, Picture()) for step in (*steps, Asked("card", (0,)))], self.now)
            message = {
                "id": len(self.sent_at),
                "kind": "card",
                "options": self.hand.copy(),
                "view": {"hand": self.hand.copy()},
            }
            self.deciding.take(Question(0, message, None))
        self.pacing.advance(self.now)
        self.deciding.tick(self.now)
        if self.deciding.ready():
            self.deciding.open(self.now)
            self.began = self.now

    def press(self, *keys: str) -> None:
        """Press keys at one moment."""
        for key in keys:
            match key:
                case "enter":
                    self.deciding.enter(self.now)
                case "escape":
                    self.deciding.back(self.now)
                case "space":
                    self.deciding.mark(self.now)
                case "right" | "left":
                    self.deciding.move(1 if key == "right" else -1, self.now)
                case _:
                    self.deciding.digit(key, self.now)
            self.look()

    def come(self) -> None:
        """Wait until the person is asked, and a little longer."""
        while self.deciding.choice is None:
            self.wait(0.05)
        self.wait(2 * REACTION)

    @property
    def cards(self) -> list[int]:
        return [card for _, card in self.sent_at]


@pytest.mark.parametrize("pause", [0.05, REACTION, 0.8, 3.0])
@pytest.mark.parametrize("send", Send)
@pytest.mark.parametrize("key", ["enter", "space"])
def test_whoever_points_at_nothing_plays_nothing_and_is_told_how(key: str, send: Send, pause: float) -> None:
    evening = Evening(send)
    for _ in range(20):
        evening.press(key)
        evening.wait(pause)
    evening.press(key)
    assert evening.deciding.said.startswith("Choose with the arrows, digits or the mouse first")
    evening.wait(EVER)
    assert evening.cards == []
    evening.press("right")
    assert evening.deciding.said == ""


@pytest.mark.parametrize(("key", "card"), [("right", HAND[0]), ("left", HAND[-1])])
def test_the_first_arrow_goes_to_the_first_card_or_the_last(key: str, card: int) -> None:
    evening = Evening()
    evening.come()
    evening.press(key, "enter")
    evening.wait(HOLD)
    assert evening.cards == [card]


def test_a_number_that_nothing_has_points_at_nothing() -> None:
    evening = Evening()
    evening.come()
    evening.press("right", "6", "enter")
    evening.wait(EVER)
    assert evening.cards == []


def test_enter_many_times_plays_only_the_card_that_was_pointed_at() -> None:
    evening = Evening(thinks=0.0)
    evening.come()
    evening.press("right")
    for _ in range(12):
        evening.press("enter")
        evening.wait(0.8)
    assert evening.cards == [3]


@pytest.mark.parametrize("send", Send)
@pytest.mark.parametrize("thinks", [0.0, 0.4])
def test_a_key_that_is_held_down_plays_nothing_after_the_first_card(send: Send, thinks: float) -> None:
    evening = Evening(send, thinks=thinks)
    evening.come()
    evening.press("right")
    for _ in range(200):
        evening.press("enter")
        evening.wait(0.03)
    assert evening.cards == ([] if send is Send.CONFIRMED else [3])


def test_a_choice_is_held_can_be_taken_back_and_is_sent_at_once_by_another_enter() -> None:
    evening = Evening()
    evening.come()
    evening.press("4", "enter")
    assert evening.deciding.leaving() == (41,)
    evening.wait(HOLD - 0.1)
    evening.press("escape")
    evening.wait(EVER)
    assert evening.cards == []
    evening.press("5", "enter")
    evening.wait(HOLD - 0.1)
    assert evening.cards == []
    evening.wait(0.2)
    assert evening.cards == [53]
    evening.come()
    evening.press("9", "7", "enter")
    evening.wait(2 * REACTION)
    evening.press("enter")
    assert evening.cards == [53, 97]


def test_another_card_may_be_chosen_while_one_is_held() -> None:
    evening = Evening()
    evening.come()
    evening.press("4", "1", "enter", "5", "8", "enter")
    evening.wait(HOLD)
    assert evening.cards == [58]
    evening.come()
    evening.deciding.click(Item("card", 14), evening.now)
    evening.deciding.click(Item("card", 26), evening.now)
    evening.wait(HOLD)
    assert evening.cards == [58, 26]


class Keeping(Evening):
    """An evening at which some of two cards are kept."""

    def __init__(self) -> None:
        super().__init__(name="hand")
        self.asks_at = None
        self.kept: list[Any] = []
        message = {"id": 0, "kind": "keep", "options": [[], [3], [14], [3, 14]], "view": {"hand": [3, 14]}}
        self.deciding.take(Question(0, message, None))
        self.come()

    def sent(self, question: Question, option: Any) -> None:
        self.kept.append(option)


@pytest.mark.parametrize("pause", [0.05, 2 * REACTION])
def test_what_is_done_is_sent_whole_by_a_second_click(pause: float) -> None:
    evening = Keeping()
    for item in (Item("card", 14), Item("done"), Item("done")):
        evening.deciding.click(item, evening.now)
        evening.wait(pause)
    evening.wait(HOLD)
    assert evening.kept == [[14]]


def test_a_number_that_is_typed_while_the_last_turn_still_moves_counts_for_the_next() -> None:
    evening = Evening()
    evening.come()
    evening.press("4", "1", "enter")
    evening.wait(HOLD + 0.2)  # the others still think
    assert evening.deciding.choice is None
    evening.press("5", "8")
    evening.come()
    assert evening.deciding.cursor == Item("card", 58)
    assert evening.cards == [41]
    evening.press("enter")
    evening.wait(HOLD)
    assert evening.cards == [41, 58]


def test_a_number_and_enter_in_one_burst_end_the_movement_and_play_that_card() -> None:
    evening = Evening(thinks=0.0)
    evening.wait(STEP)
    assert evening.deciding.choice is None
    evening.press("5", "8", "enter")
    evening.wait(HOLD)
    assert evening.cards == [58]


def test_an_enter_that_ends_a_movement_and_another_one_do_not_play_what_was_pointed_at_before() -> None:
    evening = Evening(Send.AT_ONCE, thinks=1.0, steps=2)
    evening.wait(0.0)
    evening.press("right", "enter", "right")
    evening.wait(1.0)
    evening.press("enter", "enter")
    assert evening.cards == [3]
    evening.wait(2 * REACTION)
    evening.press("enter")
    assert evening.cards == [3, 14]


@pytest.mark.parametrize("send", [Send.HELD, Send.CONFIRMED])
@pytest.mark.parametrize("before", [0.05, RESERVE + 0.05, 1.0, HOLD, 3.0])
def test_what_is_held_is_sent_before_the_time_is_over(send: Send, before: float) -> None:
    evening = Evening(send, limit=10.0)
    evening.come()
    evening.wait(10.0 - 2 * REACTION - before)
    evening.press("4", "enter")
    evening.wait(before)
    ((moment, card),) = evening.sent_at
    assert card == 41
    assert moment < evening.began + 10.0


KEYS = st.sampled_from(["enter", "enter", "enter", "escape", "space", "right", "left", *"0123456789"])
BURSTS = st.lists(st.tuples(st.floats(0.0, 3.0), st.lists(KEYS, min_size=1, max_size=6)), max_size=25)


@given(BURSTS, st.sampled_from(Send), st.floats(0.0, 1.0), st.integers(0, 6))
def test_no_burst_of_keys_at_any_moment_plays_what_was_not_meant(
    bursts: list[tuple[float, list[str]]], send: Send, thinks: float, steps: int
) -> None:
    """A card is sent only if the cursor was seen there when Enter was pressed, after another key or a pause."""
    evening = Evening(send, thinks=thinks, steps=steps)
    meant: set[int] = set()
    last, pressed = "", float("-inf")
    for pause, keys in bursts:
        evening.wait(pause)
        for key in keys:
            deciding, sent = evening.deciding, len(evening.cards)
            asked, cursor = deciding.question, deciding.cursor
            known = max(evening.began, pressed) + REACTION <= evening.now or last not in ("", "enter")
            evening.press(key)
            if key != "enter":
                assert len(evening.cards) == sent, "only Enter sends at a key"
            elif asked is None:
                assert deciding.choice is None or not deciding.choice.chosen, "what ends a movement chooses nothing"
            elif cursor is not None and known:
                meant.add(int(cursor.value))
            last, pressed = key, evening.now
    evening.wait(EVER)
    assert set(evening.cards) <= meant
    assert len(set(evening.cards)) == len(evening.cards)


@given(BURSTS, st.integers(0, 8))
def test_whatever_was_pressed_before_a_number_and_enter_play_its_card(
    bursts: list[tuple[float, list[str]]], wanted: int
) -> None:
    evening = Evening(thinks=0.2, steps=3)
    for pause, keys in bursts:
        evening.wait(pause)
        evening.press(*keys)
    evening.wait(EVER)
    if not evening.hand:
        return
    card = evening.hand[wanted % len(evening.hand)]
    evening.press("escape", *str(card), "enter")
    evening.wait(HOLD)
    assert evening.cards[-1] == card
