"""What is filled into sentences, by its kind: the rules say what happened, the texts of each language how it is said."""


class Seat(int):
    """A seat, to be filled in by its name."""


class Heads(int):
    """A number of heads: "2 heads"."""


class Count(int):
    """A number of cards: "2 cards"."""


Value = int | Seat | Heads | Count | str | tuple[int, ...] | tuple[Seat, ...] | None
"""A value for a sentence; several cards or seats are listed: "3, 14 and 15"."""
