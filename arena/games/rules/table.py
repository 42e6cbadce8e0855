"""The four rows: where a card goes, and which row is cheapest."""

from collections.abc import Sequence

Row = list[int]
ROW_LIMIT = 5
"""Cards in a full row; the sixth card takes it (1994 rulebook, rule 3)."""

ROWS = (1, 2, 3, 4)
"""The options of a row decision, top to bottom."""


def target_row(rows: Sequence[Row], card: int) -> int:
    """The index (0..3) of the row where `card` must go, or -1 if it is lower than every end.

    That is the row whose last card is the highest one below `card` (rule 2, "lowest difference").
    """
    ends = [(row[-1], index) for index, row in enumerate(rows) if row[-1] < card]
    return max(ends)[1] if ends else -1


def nearest_ends(rows: Sequence[Row], card: int) -> list[int]:
    """The indices of the rows whose left or right end is nearest to `card`: one, or two at the same distance.

    Empty if the card lies strictly within every row (jubilee rulebook, variant 4; A21, A22).
    """
    distances = [row[0] - card if card < row[0] else card - row[-1] for row in rows]
    least = min([distance for distance in distances if distance > 0], default=0)
    return [index for index, distance in enumerate(distances) if distance == least > 0]


def cheapest_row(row_heads: Sequence[int]) -> int:
    """The index of the row with the fewest heads; on a tie, the topmost (online short rules)."""
    return row_heads.index(min(row_heads))
