"""What keys and clicks mean at each moment of a turn: a person decides, and no key ever plays a card that was not meant.

Nothing is drawn or sent here, and moments are seconds of any clock that the caller likes. These are the rules:

* While the last turn still moves, nothing is chosen: Enter only ends the movement. Keys that move the cursor end it too, and move
  the cursor when the question is shown, so that a number may be typed at any time.
* A question begins without a cursor: whoever has not pointed at anything, by arrow, number or click, chooses nothing with Enter.
* Enter counts only if it can be meant: not within `REACTION` of the moment at which its meaning changed, unless another key came
  between. A key that was pressed twice, or is held down, plays nothing.
* A choice that is complete is held (`Send`). Any other key takes it back, Enter sends it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

from bullring.arena.games.rulebook.language import Reader
from bullring.arena.games.rulebook.wording import Wording
from bullring.arena.games.rules.game import Game
from bullring.arena.watching.people.messages import Question
from bullring.arena.watching.people.sending import Send
from bullring.arena.watching.screens.pace import Pacing
from bullring.arena.watching.screens.table.choice import DONE, Choice, Item, Sight, order

REACTION = 0.3
"""Seconds after a change in which nobody can have meant what is new."""

POOL_STEP = 8
"""Cards that the cursor passes when it goes up or down among open cards."""


class Referee(Protocol):
    """Takes what was decided."""

    def sent(self, question: Question, option: Any) -> None:
        """An answer is final."""

    def falls_back(self, question: Question) -> None:
        """The person wants the referee to move."""

    def left(self) -> float | None:
        """Seconds left for the open question, if a clock runs."""


@dataclass
class Deciding:
    """The decisions of the people at one screen, one after the other."""

    game: Game[Any]
    words: Wording
    pacing: Pacing
    referee: Referee
    say: Callable[..., str]
    """A text in the person's language, of a key and values."""
    send: Send = Send.HELD
    falls_back: bool = False
    """Whether the referee moves for a person whose time is over."""
    question: Question | None = None
    """The question that the person sees."""
    choice: Choice | None = None
    cursor: Item | None = None
    """What the person has pointed at."""
    hand: tuple[int, ...] = ()
    """The cards that are shown as the hand."""
    said: str = ""
    """The answer to the last key."""
    typed: str = ""
    due: float | None = None
    """The moment at which the held choice is sent; infinite if only the person sends it, None if no choice is held."""
    _before: Question | None = None
    """The question that was shown last."""
    _coming: Question | None = None
    """A question that is shown when nothing moves any more."""
    _ahead: list[Callable[[], None]] = field(default_factory=list)
    """Movements of the cursor, for the question that comes."""
    _changed: float = float("-inf")
    """The moment from which on Enter means what it means now."""
    _ended: float = float("-inf")
    """The moment of an Enter that has only ended what moved, unless another key came after it."""
    _sure: bool = False
    """Whether the wish for the referee's move needs only one more key."""

    # Questions

    def take(self, question: Question) -> None:
        """A question has come."""
        self._coming = question

    def ready(self) -> Question | None:
        """The question that can be shown now: everything that led to it has been seen."""
        return self._coming if self.pacing.latest else None

    def open(self, now: float) -> None:
        """Show it."""
        question, self._coming = self._coming, None
        assert question is not None
        if question is not self._before:  # what was refused is asked again, and it has been said why
            self.said = ""
        self.question = self._before = question
        self.typed = ""
        self.hand = tuple(sorted(question.view.get("hand", ())))
        decision, told = self.game.decision(question.kind), partial(self.words.told, question.kind, name=Reader())
        self.choice = Choice(question.options, decision, self._sight(question), told)
        self.cursor = self.due = None
        self._sure, self._changed = False, now
        ahead, ended = self._ahead, self._ended
        self._ahead = []
        for move in ahead:
            move()
        self._changed = max(self._changed, ended)  # where these movements lead was not seen by then

    def forget(self) -> None:
        """Nobody is asked any more."""
        self.question = self.choice = self.cursor = self.due = None
        self._sure = False

    def forget_ahead(self) -> None:
        """The next person at this screen has typed nothing yet."""
        self._ahead.clear()

    def _sight(self, question: Question) -> Sight:
        view = question.view
        return Sight(
            hand=frozenset(view.get("hand", ())),
            pool=frozenset(view.get("pool", ())),
            cards=len(self.game.heads) - 1,
            rows=len(view.get("rows", ())),
            stacks=len(view.get("stacks", ())),
            seats=self.game.seats,
        )

    @property
    def held(self) -> bool:
        """Whether a choice is made and not sent yet."""
        return self.due is not None

    def tick(self, now: float) -> bool:
        """Send what was held long enough. Returns whether something was."""
        if self.due is None or now < self.due:
            return False
        self._answer(now)
        return True

    # Keys

    def enter(self, now: float) -> None:
        """Choose the item at the cursor, or send what is held; while something moves, only end that."""
        if self.choice is None:
            self.skip(now)
            self._ended = now
        elif self.cursor is None:
            self._explain()
        elif now - self._changed < REACTION:
            self._changed = now
        elif self.held:
            self._answer(now)
        else:
            self._point(self.cursor, now)

    def click(self, item: Item | None, now: float) -> None:
        """Choose an item with the mouse. Where Enter would not count, a click only moves the cursor there."""
        if self.choice is None:
            self.skip(now)
        elif item is not None and now - self._changed < REACTION and not self.held:
            self.cursor, self._changed = item, now
        elif self.held and (item == DONE or item in self.choice.chosen):
            if now - self._changed >= REACTION:
                self._answer(now)
        elif item is not None:
            self._take_back()
            self.cursor = item
            self._point(item, now)

    def mark(self, now: float) -> None:
        """Choose the item at the cursor, or take it back, without playing it."""
        if self.choice is None:
            self.skip(now)
        elif self.cursor is None:
            self._explain()
        elif self.cursor != DONE:
            self.due, self._changed = None, float("-inf")
            self._point(self.cursor, now, play=False)

    def back(self, now: float) -> None:
        """Take the choice back; if there is none, end what moves."""
        self.typed, self.said, self._sure, self._changed = "", "", False, float("-inf")
        if self.choice is not None and self.choice.chosen:
            self.due = None
            self.choice.clear()
            self.said = self.say("taken_back")
        else:
            self._ahead.clear()
            self.skip(now)

    def skip(self, now: float) -> None:
        """Show the newest step."""
        self.pacing.skip(now)
        if self.choice is None:
            self._changed = now

    def move(self, by: int, now: float) -> None:
        """Move the cursor among the items that can be chosen."""
        if self._moves(lambda: self.move(by, now), now):
            self._step(by)

    def jump(self, by: int, now: float) -> None:
        """Move the cursor up or down: in a list and among rows one by one, else between the table and the hand."""
        if not self._moves(lambda: self.jump(by, now), now):
            return
        items = self.items()
        if self.cursor not in items:
            self._step(by)
            return
        at, kind = items.index(self.cursor), self.cursor.kind
        pool = self.choice is not None and kind == "card" and self.cursor.value in self.choice.sight.pool
        step = by * POOL_STEP if pool else by
        if (pool or kind in ("row", "option", "stack", "seat")) and 0 <= at + step < len(items):
            self._step(step)
            return
        others = items[at + 1 :] if by > 0 else items[at - 1 :: -1] if at else []
        self.cursor = next((item for item in others if item.kind != kind), self.cursor)

    def digit(self, digit: str, now: float) -> None:
        """Type a number: the cursor goes to what has it."""
        typed = self.typed
        if not self._moves(lambda: self.digit(digit, now), now):
            return
        for text in (typed + digit, digit):  # a digit that continues nothing begins a new number
            if found := self._numbered(text):
                self.typed, self.cursor = text, found
                return
        self._refuse_typed(typed + digit)

    def fall_back(self) -> None:
        """Let the referee move, if the key is pressed twice."""
        question = self.question
        if question is None:
            return
        if not self._sure:
            self._take_back()
            self._sure, self.said = True, self.say("sure")
            return
        self.forget()
        self.said = ""
        self.referee.falls_back(question)

    # Choosing

    def items(self) -> list[Item]:
        """The items that the cursor can be at."""
        if self.choice is None:
            return []
        return sorted({*self.choice.open, *self.choice.chosen}, key=order)

    def _moves(self, again: Callable[[], None], now: float) -> bool:
        """Prepare for a movement of the cursor. Returns False if there is none yet: then it is done `again` when there is."""
        self._ended = float("-inf")
        if self.choice is None:
            self._ahead.append(again)
            self.skip(now)
            return False
        self._take_back()
        self.typed, self.said, self._sure, self._changed = "", "", False, float("-inf")
        return True

    def _take_back(self) -> None:
        """Hold nothing any more: the last item of a choice is open again."""
        if self.choice is not None and self.held:
            self.choice.chosen = self.choice.chosen[:-1]
        self.due = None

    def _step(self, by: int) -> None:
        items = self.items()
        if items:
            at = items.index(self.cursor) if self.cursor in items else -1 if by > 0 else 0
            self.cursor = items[(at + by) % len(items)]

    def _point(self, item: Item, now: float, *, play: bool = True) -> None:
        choice = self.choice
        assert choice is not None
        self.typed, self.said, self._sure = "", "", False
        if play and choice.complete and item in choice.chosen:
            self._hold(now)
            return
        if choice.complete and item not in choice.chosen:
            choice.clear()  # another one instead
        if item not in choice.open and item not in choice.chosen:
            self.said = self._refusal(item)
        elif choice.point(item):
            if play:
                self._hold(now)
        elif item not in choice.chosen:
            self.said = self.say("taken_back")

    def _hold(self, now: float) -> None:
        """The choice is made."""
        seconds = self.send.seconds(self.referee.left(), falls_back=self.falls_back)
        self.due, self._changed = float("inf") if seconds is None else now + seconds, now
        self.tick(now)

    def _answer(self, now: float) -> None:
        """The choice is final."""
        question, choice = self.question, self.choice
        if question is None or choice is None or choice.answer is None:
            return
        option = question.options[choice.answer]
        self.hand = tuple(self._without(self.leaving()))
        self.forget()
        self._changed = now
        self.referee.sent(question, option)

    def leaving(self) -> tuple[int, ...]:
        """The cards that leave the hand with the choice as it is; none before it is complete."""
        choice = self.choice
        shows = None if choice is None else choice.decision.shows
        if choice is None or shows is None or choice.answer is None:
            return ()
        shown = shows(choice.options[choice.answer]).split()
        return tuple(int(number) for number in shown if number.isdecimal() and int(number) in self.hand)

    def _without(self, cards: tuple[int, ...]) -> Iterator[int]:
        left = list(cards)
        for card in self.hand:
            with suppress(ValueError):
                left.remove(card)
                continue
            yield card

    # Words

    def _explain(self) -> None:
        """Say how to choose."""
        self.said, self._sure = self.say("point"), False

    def _refusal(self, item: Item) -> str:
        """The reason why an item cannot be chosen now."""
        assert self.choice is not None
        assert self.question is not None
        return f"{self.say('not_now', what=self.choice.label(item))}: {self.words.asks(self.question.kind)}"

    def _refuse_typed(self, typed: str) -> None:
        """Say why nothing has this number, and point at nothing. That of a card that is not allowed now is typed to its end."""
        self.cursor = None
        held = [number for number in self.hand if str(number).startswith(typed)]
        self.typed = typed if held else ""
        if held:
            number = int(typed) if int(typed) in held else held[0]
            self.said = self._refusal(Item("card", number))
        else:
            self.said = self.say("no_such", typed=typed)

    def _numbered(self, typed: str) -> Item | None:
        """The item with this number, or else the first whose number begins so."""
        numbers = {number_of(item): item for item in reversed(self.items())}
        return numbers.get(typed) or next((numbers[one] for one in reversed(numbers) if one.startswith(typed)), None)


def number_of(item: Item) -> str:
    """The number to type for an item; empty if it has none."""
    if isinstance(item.value, str) or item == DONE:
        return ""
    return str(item.value + 1) if item.kind == "option" else str(item.value)
