"""Plays the card that is expected to take the fewest heads in this turn, and looks no further."""

from bisect import bisect
from math import comb

from bullring_bot import Bot, Message, Option, run

FULL = 5
GAMES = {"standard", "tactics", "online"}
HEADS_OF_A_CARD = 171 / 104
HURRY = 0.02
"""Heads that one number higher is worth: while rows are short, high cards go away safely, and later they do not."""


class Greedy(Bot):
    """Careful for one turn: counts the cards it cannot see and knows nothing of the next turn."""

    name = "greedy"

    def welcome(self, message: Message) -> None:
        """Note what the chances depend on."""
        self.knows_the_game = message["game"] in GAMES
        self.others = message["seats"] - 1
        all_dealt = message["game"] == "tactics" or message["options"].get("tactics")
        self.deck = range(1, 10 * message["seats"] + 5 if all_dealt else 105)

    def decide(self, message: Message) -> Option:
        """The cheapest card or row; in games it does not know the first option, which is always safe."""
        view, options = message["view"], message["options"]
        if self.knows_the_game and message["kind"] == "card":
            seen = set(view["hand"]).union(*view["rows"], *view["piles"])
            unseen = [card for card in self.deck if card not in seen]
            return min(options, key=lambda card: self.expected_heads(card, view, unseen) - HURRY * card)
        if self.knows_the_game and message["kind"] == "row":
            return min(options, key=lambda row: view["row_heads"][row - 1])
        return options[0]

    def expected_heads(self, card: int, view: Message, unseen: list[int]) -> float:
        """The heads `card` takes on average if each of the others plays one of `unseen` (ascending) by chance."""
        fitting = [(row[-1], index) for index, row in enumerate(view["rows"]) if row[-1] < card]
        if not fitting:
            # Whoever is even lower takes a row instead, and is then a row's end on which `card` fits.
            return self.chance(0, bisect(unseen, card), len(unseen)) * min(view["row_heads"])
        end, index = max(fitting)
        room = FULL - len(view["rows"][index])
        between = bisect(unseen, card) - bisect(unseen, end)
        # With more than `room` cards in between, the row is taken before `card` comes.
        return self.chance(room, between, len(unseen)) * (view["row_heads"][index] + room * HEADS_OF_A_CARD)

    def chance(self, wanted: int, among: int, unseen: int) -> float:
        """How likely the others play just `wanted` of some `among` all `unseen` cards."""
        if wanted > self.others:
            return 0.0
        return comb(among, wanted) * comb(unseen - among, self.others - wanted) / comb(unseen, self.others)


if __name__ == "__main__":
    run(Greedy())
