"""Placement in all games, written naively from the rulebooks and from nothing else. Slow, and easy to believe."""

from collections.abc import Callable, Mapping, Sequence

Rows = list[list[int]]
Piles = dict[int, list[int]]
Choose = Callable[[str, int, Rows], int]
"""The decision of a seat: a "row" (from 1), one of two rows for a "side", or for an "order" the card that goes first."""


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


def eleven_heads(card: int) -> int:
    """The heads on the cards of 11 nimmt!, read off the table of A59."""
    if card in (33, 63, 93):
        return 7
    if card in (3, 13, 23, 43, 53, 73, 83):
        return 5
    return 3 if card in (2, 5, 7, 11, 17, 19, 29, 31, 37, 41, 47, 59, 61, 67, 71, 79, 89, 97) else 1


def place(rows: Rows, played: Mapping[int, int], choose: Choose) -> tuple[Rows, Piles]:
    """Place the card of every seat, the lowest first: the rows afterwards, and what each seat took."""
    rows = [list(row) for row in rows]
    took: Piles = {seat: [] for seat in played}
    for card in sorted(played.values()):
        seat = next(s for s, c in played.items() if c == card)
        differences = {number: card - row[-1] for number, row in enumerate(rows, 1) if card > row[-1]}
        if not differences:
            number = choose("row", seat, rows)
            must_take = True
        else:
            number = min(differences, key=lambda n: differences[n])
            must_take = len(rows[number - 1]) == 5
        if must_take:
            took[seat] += rows[number - 1]
            rows[number - 1] = []
        rows[number - 1].append(card)
    return rows, took


def place_at_both_ends(rows: Rows, played: Mapping[int, int], choose: Choose) -> tuple[Rows, Piles]:
    """The same in the professional game, in which rows grow on the left, too."""
    rows = [list(row) for row in rows]
    took: Piles = {seat: [] for seat in played}
    for card in sorted(played.values()):
        seat = next(s for s, c in played.items() if c == card)
        places = []
        for number, row in enumerate(rows, 1):
            if card > row[-1]:
                places.append((card - row[-1], number, "right"))
            if card < row[0]:
                places.append((row[0] - card, number, "left"))
        nearest = [(number, end) for difference, number, end in places if difference == min(places)[0]]
        if not nearest:
            number, end = choose("row", seat, rows), "right"
        elif len(nearest) == 1:
            ((number, end),) = nearest
        else:
            number = choose("side", seat, rows)
            end = dict(nearest)[number]
        if not nearest or len(rows[number - 1]) == 5:
            took[seat] += rows[number - 1]
            rows[number - 1] = []
        rows[number - 1] = [card, *rows[number - 1]] if end == "left" else [*rows[number - 1], card]
    return rows, took


def place_pairs(rows: Rows, pairs: Mapping[int, Sequence[int]], choose: Choose) -> tuple[Rows, Piles]:
    """The nifty game: the owner of the lowest card on show places both of its cards, then the owner of the next lowest."""
    took: Piles = {seat: [] for seat in pairs}
    waiting = dict(pairs)
    while waiting:
        lowest = min(min(pair) for pair in waiting.values())
        seat = next(s for s, pair in waiting.items() if lowest in pair)
        one, other = waiting.pop(seat)
        first = choose("order", seat, rows)
        for card in (first, other if first == one else one):
            rows, taken = place(rows, {seat: card}, choose)
            took[seat] += taken[seat]
    return rows, took


def place_doubles(
    rows: Rows, played: Mapping[int, int], clockwise: Sequence[int], choose: Choose
) -> tuple[Rows, dict[int, int]]:
    """The double game: the rows afterwards, equal cards beside each other, and the heads that each seat got.

    `clockwise` are the seats from the one that chooses first if two must take a row together.
    """
    stacked: list[list[list[int]]] = []
    for row in rows:
        stacked.append([[card] * row.count(card) for card in sorted(set(row))])
    got = dict.fromkeys(played, 0)
    for card in sorted(set(played.values())):
        owners = [seat for seat in clockwise if played[seat] == card]
        group = [card for _ in owners]
        twin = [row for row in stacked if row[-1][0] == card]
        if twin:
            twin[0][-1] += group
            continue
        differences = {number: card - row[-1][0] for number, row in enumerate(stacked, 1) if card > row[-1][0]}
        if not differences:
            number = choose("row", owners[0], [flat(row) for row in stacked])
            must_take = True
        else:
            number = min(differences, key=lambda n: differences[n])
            must_take = len(stacked[number - 1]) == 5
        if must_take:
            points = sum(heads(c) for position in stacked[number - 1] for c in position)
            for seat in owners:
                got[seat] += points if len(owners) == 1 else points // 2 + points % 2
            stacked[number - 1] = []
        stacked[number - 1].append(group)
    return [flat(row) for row in stacked], got


def flat(row: list[list[int]]) -> list[int]:
    """The cards of a row of positions."""
    return [card for position in row for card in position]


def cheapest(kind: str, seat: int, rows: Rows) -> int:
    """The row with the fewest heads; among equals the topmost."""
    costs = [sum(heads(card) for card in row) for row in rows]
    return 1 + costs.index(min(costs))
