"""The placement of one turn, written naively from the rulebook and from nothing else. Slow, and easy to believe."""

from collections.abc import Callable

Rows = list[list[int]]


def heads(card: int) -> int:
    """The bulls' heads printed on a card: a doublet has five, a ten three, a five two; 55 is a doublet and a five."""
    digits = str(card)
    doublet = len(digits) == 2 and digits[0] == digits[1]
    points = 0
    if doublet:
        points += 5
    if digits.endswith("5"):
        points += 2
    if digits.endswith("0"):
        points += 3
    return points or 1


def place(rows: Rows, played: dict[int, int], choose: Callable[[int, Rows], int]) -> tuple[Rows, dict[int, list[int]]]:
    """Place the card of every seat, the lowest first: the rows afterwards, and what each seat took.

    `choose` says which row (from 1) the seat with a card that fits nowhere takes.
    """
    rows = [list(row) for row in rows]
    took: dict[int, list[int]] = {seat: [] for seat in played}
    for card in sorted(played.values()):
        seat = next(s for s, c in played.items() if c == card)
        differences = {number: card - row[-1] for number, row in enumerate(rows, 1) if card > row[-1]}
        if not differences:
            number = choose(seat, rows)
            must_take = True
        else:
            number = min(differences, key=lambda n: differences[n])
            must_take = len(rows[number - 1]) == 5
        if must_take:
            took[seat] += rows[number - 1]
            rows[number - 1] = []
        rows[number - 1].append(card)
    return rows, took


def cheapest(seat: int, rows: Rows) -> int:
    """The row with the fewest heads; among equals the topmost."""
    costs = [sum(heads(card) for card in row) for row in rows]
    return 1 + costs.index(min(costs))
