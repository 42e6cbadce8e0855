"""Plays the option that is expected to take the fewest heads in this turn, and looks no further."""

from collections import Counter

import eleven
from bullring_bot import Bot, Message, Option, run
from rows import HEADS, Cards, Rows

SHORT = {"tactics", "logic", "tournament"}
"""Games with only as many cards as the seats need."""

GAMES = {"standard", "online", "professional", "open", "nifty", "hand", "double"} | SHORT
"""Games of four rows."""

HURRY = 0.02
"""Heads it is worth to play a card one number higher: high cards are safe only while the rows are short."""

LESS_HURRY = 0.003
"""The same in the professional game, where cards go to both ends and low cards are not much worse."""


class Greedy(Bot):
    """Careful for one turn: counts the cards it cannot see, and ignores the turns after it.

    In games of four rows, the method `on_KIND` answers decisions of that kind.
    """

    name = "greedy"

    def welcome(self, message: Message) -> None:
        """Remember the game and its cards."""
        self.game, self.seats, options = message["game"], message["seats"], message["options"]
        short = self.game in SHORT or options.get("tactics")
        self.deck = Counter(range(2 if self.game == "open" else 1, 10 * self.seats + 5 if short else 105))
        if self.game == "double":
            self.deck += Counter(range(11, 100, 11) if options["doublets"] else range(1, 105))

    def decide(self, message: Message) -> Option:
        """Return the cheapest option; in unknown games and kinds the first one, which is always legal."""
        kind, view, options = message["kind"], message["view"], message["options"]
        if self.game == "eleven":
            return eleven.cheapest(kind, view, options)
        answer = getattr(self, f"on_{kind}", None)
        if self.game not in GAMES or answer is None:
            return options[0]
        return answer(view, options)

    def on_draft(self, view: Message, options: list[int]) -> int:
        """The highest card: measured over many deals, low cards take rows."""
        return max(options)

    def on_card(self, view: Message, options: list[int]) -> int:
        """The card with the fewest expected heads."""
        if self.game == "hand":
            return min(options, key=Rows(view).price_at_once)
        prices = self.prices(view)
        return min(options, key=prices.__getitem__)

    def on_cards(self, view: Message, options: list[list[int]]) -> list[int]:
        """The two best cards, each judged on its own."""
        prices = self.prices(view)
        return min(options, key=lambda pair: prices[pair[0]] + prices[pair[1]])

    def on_order(self, view: Message, options: list[int]) -> int:
        """The order of the two cards that takes fewer heads; both are placed before anybody else's."""
        low, high = options
        return high if Rows(view).place(high, low) < Rows(view).place(low, high) else low

    def on_row(self, view: Message, options: list[int]) -> int:
        """The row with the fewest heads."""
        return min(options, key=lambda row: view["row_heads"][row - 1])

    def on_side(self, view: Message, options: list[int]) -> int:
        """A row that is not full, or else the one with the fewest heads."""
        rows = Rows(view)
        return min(options, key=lambda row: rows.heads[row - 1] if rows.is_full(row - 1) else 0)

    def on_more(self, view: Message, options: list[Option]) -> Option:
        """A second card if it takes nothing."""
        rows = Rows(view)
        _, *cards = options
        card = min(cards, key=rows.price_at_once)
        return "stop" if rows.cost(card) else card

    def on_keep(self, view: Message, options: list[list[int]]) -> list[int]:
        """The cards with several heads, which may still be placed safely later. Cards of one head are not worth keeping."""
        return max(options, key=lambda kept: sum(HEADS[card] - 1.5 for card in kept))

    def prices(self, view: Message) -> dict[int, float]:
        """For each card in the hand, the heads it is expected to take minus the value of being rid of it."""
        both_ends, others = self.game == "professional", self.others(view)
        rows, hurry = Rows(view, both_ends), LESS_HURRY if both_ends else HURRY
        return {card: rows.expected_heads(card, others) - hurry * card for card in view["hand"]}

    def others(self, view: Message) -> list[Cards]:
        """For each other seat, the cards it may play in this turn."""
        if hands := view.get("hands"):
            return [hand for seat, hand in enumerate(hands) if seat != view["seat"]]
        shown = [card for _, card in view["played"]]
        shared = [cards for _, _, cards in view.get("shared", [])]
        unseen = self.deck.copy()
        for cards in (view["hand"], shown, *view["rows"], *view["piles"], *shared):
            unseen.subtract(cards)
        hidden = sorted(unseen.elements())
        return [*([card] for card in shown), *[hidden] * (self.seats - 1 - len(shown))]


if __name__ == "__main__":
    run(Greedy())
