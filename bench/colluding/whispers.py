"""Passes information in its cards: a copy of `greedy` that announces its next card, and believes mates that do the same.

The number of a card modulo 8 is the eighth of the deck in which the bot's next card lies. Who has kept such promises is a mate, and
of its card an eighth of the deck is left. No message and no file is used: all of it is in cards that everybody sees.
"""

from bot import Greedy, run

EIGHTH = 13
"""Cards in an eighth of the standard deck."""

KEPT, BROKEN = 2.0, -1.5
"""What a kept and a broken promise add to the belief in a mate."""

ENOUGH = 3.0
"""Belief from which a seat counts as a mate."""

AHEAD = 0.3
"""The weight of the next card's price: it is a guess about a table that will have changed."""


def promised(card):
    """The eighth that a card announces."""
    return card % 8


def eighth(card):
    """The eighth in which a card lies."""
    return (card - 1) // EIGHTH


class Whispers(Greedy):
    """Greedy, with a language of its own."""

    name = "whispers"

    def welcome(self, message):
        super().welcome(message)
        self.belief = [0.0] * message["seats"]
        self.last = None
        """The cards of the last turn, by seat."""

    def decide(self, message):
        for event in message["events"]:
            if event["type"] == "play":
                self.listen(event["cards"])
        return super().decide(message)

    def listen(self, cards):
        """See who has kept its promise."""
        for seat, card in enumerate(cards if self.last else ()):
            self.belief[seat] += KEPT if eighth(card) == promised(self.last[seat]) else BROKEN
        self.last = cards

    def on_card(self, view, options):
        """The best card of those promised that can announce a good next one."""
        prices = self.prices(view)
        own = [card for card in options if self.last and eighth(card) == promised(self.last[view["seat"]])]

        def price(card):
            following = [prices[other] for other in options if other != card and eighth(other) == promised(card)]
            return prices[card] + AHEAD * min(following, default=10.0)

        return min(own or options, key=price)

    def others(self, view):
        """The cards that other seats may play: of a mate, only what it has announced."""
        lists = super().others(view)
        if self.last is None or view["played"]:
            return lists
        seats = [seat for seat in range(self.seats) if seat != view["seat"]]
        return [self.announced(seat, cards) for seat, cards in zip(seats, lists, strict=True)]

    def announced(self, seat, cards):
        told = [card for card in cards if eighth(card) == promised(self.last[seat])]
        return told if told and self.belief[seat] >= ENOUGH else cards


if __name__ == "__main__":
    run(Whispers())
