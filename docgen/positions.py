"""The tips of the rulebooks as positions, with their analyses.

`python -m docgen.positions` computes them anew, which takes numba. The results are kept in positions.json, so that the documents
can be made without playing.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bullring.arena.games.rules.cards import HEADS
from bullring.arena.games.rules.sayings import cards_text
from bullring.arena.study.analysis import POLICY

FOUND = Path(__file__).with_name("positions.json")
PLAYOUTS = 20_000
SEATS = 4


@dataclass(frozen=True)
class Position:
    """A decision of seat 0 at a table of four."""

    title: str
    text: str
    rows: Sequence[Sequence[int]]
    hand: Sequence[int]
    best: Sequence[int]
    """The answers that the tip recommends; the analysis must agree."""
    played: Sequence[Sequence[int]] = ()
    """Open cards as (seat, card), if the decision is which row to take."""
    game: str = "standard"
    unplayed: Sequence[int] = ()
    """The cards of the other hands, in tactics: all that do not lie open are then in somebody's pile."""

    @property
    def kind(self) -> str:
        return "row" if self.played else "card"

    @property
    def options(self) -> Sequence[int]:
        return (1, 2, 3, 4) if self.played else self.hand

    def gone(self) -> Sequence[int]:
        """Cards that were taken, as far as it matters."""
        there = {*self.unplayed, *self.hand, *(card for row in self.rows for card in row)}
        return [card for card in range(1, 10 * SEATS + 5) if card not in there] if self.unplayed else []

    def view(self) -> dict[str, Any]:
        """The view of the seat."""
        return {
            "seat": 0,
            "turn": 11 - len(self.hand) - bool(self.played),
            "rows": self.rows,
            "row_heads": [sum(HEADS[card] for card in row) for row in self.rows],
            "played": self.played,
            "piles": [self.gone(), *([] for _ in range(SEATS - 1))],
            "hand": self.hand,
        }


POSITIONS = (
    Position(
        "The nearest end counts",
        "The 45 seems to go on the 41, where there is room. But it belongs to the nearest lower end, the 42, and is the sixth"
        " card there.",
        [[3, 8], [61, 62], [38, 41], [15, 20, 22, 33, 42]],
        [45, 63, 70],
        [63, 70],
    ),
    Position(
        "A row may be gone before your turn",
        "The 62 fits on the 61, and nothing comes between. But a card lower than all ends takes that cheap row first,"
        " and the 62 is then the sixth card behind the 55.",
        [[61], [30, 40, 44, 50, 55], [80, 83, 85], [92, 95, 100]],
        [62, 84, 101],
        [84, 101],
    ),
    Position(
        "A safe card can wait",
        "Nothing fits between the 46 and the 47, so the 47 is safe now, and probably in the next turn. The 78 is the sixth card"
        " of its row if one other plays a card from 67 to 77, and that may be worse later.",
        [[5, 9], [20, 31, 44, 46], [52, 55, 63, 66], [85, 91]],
        [47, 78],
        [78],
    ),
    Position(
        "Take the row with the fewest heads",
        "A card that fits nowhere takes any row. Usually that is the one with the fewest heads.",
        [[21, 33, 55], [26], [40, 44, 50], [62, 63, 66]],
        [15, 48, 71, 95],
        [2],
        [(0, 4), (1, 30), (2, 58), (3, 90)],
    ),
    Position(
        "Know what is in play",
        "In tactics every card is in a hand or has been seen. The others hold 3, 14, 15, 20, 36 and 44. So nothing can come"
        " between the 26 and the 32, while the 14 and the 15 may come before the 16. With the whole deck in play, as in the"
        " standard game, the two differ by less than a head.",
        [[5], [8, 10, 12, 13], [22, 23, 25, 26], [33, 34]],
        [16, 32],
        [32],
        game="tactics",
        unplayed=[3, 14, 15, 20, 36, 44],
    ),
    Position(
        "Within all rows there is no place",
        "In professional a row grows at both ends, but not between them. The 45 lies within all four rows, so its player"
        " takes one of them. The 72 and the 73 go to the right of the 70.",
        [[20, 40, 66], [12, 55, 70], [8, 30, 88], [25, 61]],
        [45, 72, 73],
        [72, 73],
        game="professional",
    ),
    Position(
        "A twin needs no place",
        "In double a card on its twin shares the place, so the 42 takes nothing although its row is full. The 43 is the sixth"
        " card.",
        [[3, 8], [61, 62], [38, 41], [15, 20, 22, 33, 42]],
        [42, 43],
        [42],
        game="double",
    ),
)


def compute() -> list[dict[str, Any]]:
    """Analyse each position."""
    from bullring.arena.games.simulator import playouts, position

    found = []
    for number, one in enumerate(POSITIONS):
        view = position(one.game, {}, SEATS, one.view(), one.kind)
        drawn = playouts(view, one.options, POLICY, PLAYOUTS, number)[:, :, 0].astype(np.float64)
        means = drawn.mean(axis=0)
        behind = drawn - drawn[:, [int(means.argmin())]]
        errors = behind.std(axis=0, ddof=1) / PLAYOUTS**0.5
        found.append({**asdict(one), "heads": means.round(3).tolist(), "errors": errors.round(3).tolist()})
    return found


def page() -> str:
    """All positions with their analyses."""
    parts = [
        "Tips of the rulebooks (the first two) and of players, as positions for four, of the standard game unless another is named."
        f" Heads are those expected until the end of the deal, by {PLAYOUTS} playouts of each option with the policy `{POLICY}`."
        " The best option is bold."
    ]
    for one in json.loads(FOUND.read_text("utf-8")):
        rows = " / ".join(map(cards_text, one["rows"]))
        played = ""
        if one["played"]:
            cards = ", ".join(f"{card}{' (yours)' if seat == 0 else ''}" for seat, card in one["played"])
            played = f", cards played {cards}, hand {cards_text(one['hand'])}"
        options = [f"row {row}" for row in (1, 2, 3, 4)] if one["played"] else one["hand"]
        least = min(one["heads"])
        worth = [f"{name}: {heads:.1f}" for name, heads in zip(options, one["heads"], strict=True)]
        best = [f"**{text}**" if heads == least else text for text, heads in zip(worth, one["heads"], strict=True)]
        parts.append(f"* **{one['title']}.** {one['text']} Rows {rows}{played}. Heads: {', '.join(best)}.")
    return "\n\n".join([parts[0], "\n".join(parts[1:])])


if __name__ == "__main__":
    FOUND.write_text(json.dumps(compute(), indent=1) + "\n", "utf-8")
