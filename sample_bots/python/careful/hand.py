"""The hand game: one or two open cards at a time, and cards that are taken may go to the hand."""

from random import Random
from typing import Any

from hidden import HEADS, Message, guess_hands, unseen
from tables import FULL, Table

LONGEST_PILE = 20
TURNS = 15
"""A playout ends after this many turns; with this policy, few deals last that long."""


class HandPlayouts:
    """The rest of a deal in which everybody plays the card with the most heads that takes nothing, then another such card,
    and keeps nothing."""

    KINDS = ("card", "row", "keep", "more")

    def __init__(self, match: Message, kind: str, view: Message) -> None:
        self.kind, self.view, self.seat, self.seats = kind, view, view["seat"], match["seats"]
        self.unseen = unseen(match, view)
        self.start = Table(view)

    def guess(self, random: Random) -> None:
        """Deal the unknown cards of the other hands. All hands are sorted by heads, most first, as they are played."""
        hands, _ = guess_hands(self.view, self.unseen, random)
        self.hands = [sorted(hand, key=HEADS.__getitem__, reverse=True) for hand in hands]

    def heads(self, option: Any) -> int:
        """The heads of my pile at the end of the deal, plus twice those of my hand."""
        self.table = self.start.copy()
        self.left = [hand.copy() for hand in self.hands]
        self.piles = [len(pile) for pile in self.view["piles"]]
        self.taken = [0] * self.seats
        self.begin(option)
        for step in range(1, TURNS * self.seats):
            mover = (self.seat + step) % self.seats
            if mover == self.view["first"] and (max(self.piles) > LONGEST_PILE or not all(self.left)):
                break
            if not self.play_safely(mover):
                self.play(mover, min(self.left[mover], key=self.table.cost))
            self.play_safely(mover)
        return self.taken[self.seat] + 2 * sum([HEADS[card] for card in self.left[self.seat]])

    def begin(self, option: Any) -> None:
        """Do what I chose, then finish my turn."""
        view, me = self.view, self.seat
        if self.kind == "more":
            if option != "stop":
                self.play(me, option)
            return
        if self.kind == "card":
            self.play(me, option)
        elif self.kind == "row":
            row, (_, card) = view["rows"][option - 1], view["played"][0]
            self.pile(me, len(row), self.table.choose(row[-1], card, "row"))
        else:
            piled = [card for card in view["taken"] if card not in option]
            self.left[me] += option
            self.pile(me, len(piled), sum([HEADS[card] for card in piled]))
        if not view["second"]:
            self.play_safely(me)

    def play_safely(self, seat: int) -> bool:
        """Lay the first card that takes nothing. Returns False if there is none."""
        for card in self.left[seat]:
            if not self.table.cost(card):
                self.play(seat, card)
                return True
        return False

    def play(self, seat: int, card: int) -> None:
        """Lay a card. A row that it takes goes to the pile; for simplicity, a row taken by a low card counts as full."""
        self.left[seat].remove(card)
        heads = self.table.lay((card,), card)
        self.pile(seat, FULL if heads else 0, heads)

    def pile(self, seat: int, cards: int, heads: int) -> None:
        """Add this many cards, and their heads, to the pile."""
        self.piles[seat] += cards
        self.taken[seat] += heads
