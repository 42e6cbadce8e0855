"""11 nimmt!: cards are laid on stacks, and the heads left in the hand count."""

from random import Random
from typing import Any

from hidden import Message, guess_hands, unseen

PRIMES = {n for n in range(2, 101) if all(n % d for d in range(2, n))}
HEADS = [(5 if c in PRIMES else 7) if c % 10 == 3 else 3 if c in PRIMES else 1 for c in range(101)]
REACH = [{(top + step - 1) % 100 + 1 for step in range(1, 11)} for top in range(101)]
"""The cards that may be laid on each top card."""

BULL_SIZE = 3
"""Least number of cards in a taken stack that earns a bull."""

LAPS = 8
"""A playout ends after this many laps, because playing a deal to its end would take too long."""


class ElevenPlayouts:
    """Some laps in which everybody lays the cards with the most heads, else takes the cheapest stack. Bulls never run out."""

    KINDS = ("play", "more", "bull")

    def __init__(self, match: Message, kind: str, view: Message) -> None:
        self.kind, self.view, self.seat, self.seats = kind, view, view["seat"], match["seats"]
        self.unseen = unseen(match, view)

    def guess(self, random: Random) -> None:
        """Deal the unknown cards of the other hands, and the cards to be turned up."""
        self.hands, self.draw = guess_hands(self.view, self.unseen, random)

    def heads(self, option: Any) -> int:
        """The heads in my hand at the end of the playout."""
        self.left = [set(hand) for hand in self.hands]
        self.bulls: list[int] = self.view["bulls"].copy()
        self.stacks = [stack.copy() for stack in self.view["stacks"]]
        self.to_draw = self.draw.copy()
        self.begin(option)
        mover = self.seat
        for _ in range(LAPS * self.seats - 1):
            mover = (mover + 1) % self.seats
            if not all(self.left) or not self.move(mover):
                break
        return sum([HEADS[card] for card in self.left[self.seat]])

    def begin(self, option: Any) -> None:
        """Do what I chose, then finish my turn."""
        me = self.seat
        if self.kind == "bull":
            self.bulls[option] -= 1
            self.bulls[me] += 1
        elif isinstance(option, int):
            self.take(me, option - 1)
        elif option != "stop":
            card, number = option
            laid = [on - 1 for _, on in self.view["laid"]]
            tops = {at: self.stacks[at][-1 - laid.count(at)] for at in (*laid, number - 1)}
            self.lay(me, number - 1, tops[number - 1], {card})
            if self.bulls[me]:
                self.lay_more(me, tops)

    def move(self, seat: int) -> bool:
        """Play a turn of `seat`. Returns False if it can neither lay nor take."""
        hand = self.left[seat]
        fitting = [(cards, at) for at, stack in enumerate(self.stacks) if (cards := hand & REACH[stack[-1]])]
        if fitting and self.bulls[seat]:
            self.lay_more(seat, {})
        elif fitting:
            _, card, at = max([(HEADS[card], card, at) for cards, at in fitting for card in cards])
            self.lay(seat, at, self.stacks[at][-1], {card})
        elif self.stacks:
            prices = [sum([HEADS[card] for card in stack]) for stack in self.stacks]
            self.take(seat, prices.index(min(prices)))
        return bool(fitting or self.stacks)

    def lay_more(self, seat: int, tops: dict[int, int]) -> None:
        """Lay all fitting cards on the stacks begun, whose old `tops` are given, and on as many others as there are bulls."""
        hand = self.left[seat]
        for at, top in tops.items():
            self.lay(seat, at, top, hand & REACH[top])
        for _ in range(self.bulls[seat] - len(tops)):
            others = [(len(hand & REACH[stack[-1]]), at) for at, stack in enumerate(self.stacks) if at not in tops]
            count, at = max(others, default=(0, 0))
            if not count:
                break
            tops[at] = self.stacks[at][-1]
            self.lay(seat, at, tops[at], hand & REACH[tops[at]])

    def lay(self, seat: int, at: int, top: int, cards: set[int]) -> None:
        """Lay `cards` on a stack whose top was `top` before the turn. The farthest of them becomes the new top."""
        stack = self.stacks[at]
        self.left[seat] -= cards
        for card in cards:
            farthest = (card - top) % 100 > (stack[-1] - top) % 100
            stack.insert(len(stack) if farthest else 0, card)

    def take(self, seat: int, at: int) -> None:
        """Take a stack and turn up two cards."""
        cards = self.stacks.pop(at)
        self.left[seat].update(cards)
        self.bulls[seat] += len(cards) >= BULL_SIZE
        for _ in range(min(2, len(self.to_draw))):
            self.stacks.append([self.to_draw.pop()])
