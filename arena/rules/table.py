"""The four rows: where a card goes, what it takes, and which row is the cheapest."""

from collections.abc import Sequence

Row = list[int]
ROW_LIMIT = 5
"""Cards in a full row; the sixth takes it (1994 rulebook, rule 3)."""


def target_row(rows: Sequence[Row], card: int) -> int:
    """The index (0..3) of the row in which `card` must go, or -1 if it is lower than every end.

    The row whose last card is the highest below `card` (rule 2, "lowest difference").
    """
    ends = [(row[-1], index) for index, row in enumerate(rows) if row[-1] < card]
    return max(ends)[1] if ends else -1


def cheapest_row(row_heads: Sequence[int]) -> int:
    """The index of the row with the fewest heads, the topmost of equals (online short rules)."""
    return row_heads.index(min(row_heads))


def lone_cost(rows: Sequence[Row], row_heads: Sequence[int], card: int) -> int:
    """The heads that `card` takes if it is placed now and alone, a low card taking the cheapest row."""
    target = target_row(rows, card)
    if target < 0:
        return min(row_heads)
    return row_heads[target] if len(rows[target]) == ROW_LIMIT else 0
