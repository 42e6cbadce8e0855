"""The yardstick of the rules: the game written in the obvious way, with an object for each thing and no optimisation."""

import random
from collections.abc import Callable, Sequence


class IllegalMoveError(Exception):
    """A card that is not in the hand, or a row that does not exist."""


def heads(card: int) -> int:
    """The penalty points of a card."""
    if card == 55:
        return 7
    if card % 11 == 0:
        return 5
    if card % 10 == 0:
        return 3
    return 2 if card % 5 == 0 else 1


class Row:
    """One of the four rows on the table."""

    def __init__(self, card: int) -> None:
        self.cards = [card]

    @property
    def last(self) -> int:
        """The card at the end."""
        return self.cards[-1]

    @property
    def heads(self) -> int:
        """The penalty points of all its cards."""
        return sum(heads(card) for card in self.cards)

    def take(self, card: int) -> int:
        """Take all cards and begin the row anew with `card`. Returns the heads taken."""
        taken = self.heads
        self.cards = [card]
        return taken


class Deal:
    """One deal, from the shuffle until the hands are empty."""

    def __init__(self, players: int, rng: random.Random) -> None:
        deck = list(range(1, 105))
        rng.shuffle(deck)
        self.hands = [{deck.pop() for _ in range(10)} for _ in range(players)]
        self.rows = [Row(deck.pop()) for _ in range(4)]
        self.scores = [0] * players
        self.history: list[list[tuple[int, int, int, int]]] = []

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return not any(self.hands)

    def play(self, cards: Sequence[int], choose_row: Callable[[int, Sequence[Row]], int]) -> None:
        """One turn: everybody's card, and a way to ask the owner of a low card for a row."""
        for player, card in enumerate(cards):
            if card not in self.hands[player]:
                raise IllegalMoveError(f"player {player} has no card {card}")
        turn = []
        for card, player in sorted((card, player) for player, card in enumerate(cards)):
            self.hands[player].remove(card)
            taken = 0
            lower = [row for row in self.rows if row.last < card]
            if lower:
                row = max(lower, key=lambda row: row.last)
                if len(row.cards) == 5:
                    taken = row.take(card)
                else:
                    row.cards.append(card)
            else:
                chosen = choose_row(player, self.rows)
                if not 0 <= chosen < len(self.rows):
                    raise IllegalMoveError(f"player {player} takes row {chosen}, which does not exist")
                row = self.rows[chosen]
                taken = row.take(card)
            self.scores[player] += taken
            turn.append((player, card, self.rows.index(row), taken))
        self.history.append(turn)


def cheapest(_player: int, rows: Sequence[Row]) -> int:
    """The row with the fewest heads."""
    return min(range(len(rows)), key=lambda index: rows[index].heads)


def play(rng: random.Random) -> int:
    """A deal of four random players. Returns the total heads."""
    deal = Deal(4, rng)
    while not deal.over:
        deal.play([rng.choice(sorted(hand)) for hand in deal.hands], cheapest)
    return sum(deal.scores)
