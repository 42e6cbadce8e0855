"""Spares its mate, and is spared: a copy of `greedy` that passes notes outside of the table, in the folder named by its argument.

Mates know each other's seat by the commitment, which is the same for all seats of a match. The one with the lower seat leaves its
card in a note; the other one then plays what costs both of them together least. A mate that takes a row takes the one that spares
the other, if it costs no more than that saves. In a sandbox a note would have to go through one of the ways that
`python -m bench.colluders` measures; what matters here is what such mates look like in the results.
"""

import sys
import time
from pathlib import Path

from bot import HURRY, Greedy, run
from rows import HEADS, Rows

PATIENCE = 0.05
"""Seconds to wait for a note."""


class Spares(Greedy):
    """Greedy for two."""

    name = "spares"

    def __init__(self, folder, patience=PATIENCE):
        self.folder, self.patience = Path(folder), patience

    def welcome(self, message):
        super().welcome(message)
        self.seat, self.match = message["seat"], message["commitment"][:32]
        (self.folder / f"{self.match}-seat-{self.seat}").touch()

    def mate(self):
        """The seat of the mate, None without one at the table."""
        seats = [int(path.name.rpartition("-")[2]) for path in self.folder.glob(f"{self.match}-seat-*")]
        return next((seat for seat in seats if seat != self.seat), None)

    def on_card(self, view, options):
        mate = self.mate()
        if mate is None:
            return super().on_card(view, options)
        note = self.folder / f"{self.match}-card-{view['deal']}-{view['turn']}"
        if mate > self.seat:
            card = super().on_card(view, options)
            note.write_text(f"{card};")
            return card
        told = self.read(note)
        return super().on_card(view, options) if told is None else self.for_both(view, options, mate, told)

    def read(self, note):
        """The card in a note, None if none has come."""
        end = time.monotonic() + self.patience
        while True:
            text = note.read_text() if note.exists() else ""
            if text.endswith(";"):
                return int(text[:-1])
            if time.monotonic() >= end:
                return None
            time.sleep(0.001)

    def for_both(self, view, options, mate, told):
        """The card that costs the two least together, knowing the mate's card."""
        lists = self.others(view)
        seats = [seat for seat in range(self.seats) if seat != view["seat"]]
        rest = [cards for seat, cards in zip(seats, lists, strict=True) if seat != mate]
        rows = Rows(view)

        def price(card):
            mine = rows.expected_heads(card, [*rest, [told]])
            its = rows.expected_heads(told, [*rest, [card]])
            return mine + its - HURRY * card

        return min(options, key=price)

    def on_row(self, view, options):
        """The row that costs the two least together when the cards of this turn have been placed."""
        mate = self.mate()
        if mate is None:
            return super().on_row(view, options)

        def price(row):
            rows = Rows(view)
            cost = rows.heads[row - 1]
            played = sorted((card, seat) for seat, card in view["played"])
            card = played[0][0]
            rows.rows[row - 1], rows.heads[row - 1] = [card], HEADS[card]
            rows.homes.clear()
            for card, seat in played[1:]:
                taken = rows.place(card)
                cost += taken if seat in (mate, self.seat) else -0.3 * taken
            return cost

        return min(options, key=price)


if __name__ == "__main__":
    run(Spares(sys.argv[1]))
