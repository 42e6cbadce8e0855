"""What is wrong with the records of a home, in a few lines."""

from collections.abc import Iterable
from itertools import groupby, islice
from operator import itemgetter

from bullring.arena.cells.text.harmless import harmless


def finding_lines(findings: Iterable[tuple[str, str]], most: int) -> tuple[list[str], int]:
    """At most so many lines, and how many findings are in them: each a name and what is wrong.

    Names that follow each other with the same fault share a line.
    """
    lines, told = [], 0
    for why, same in islice(groupby(findings, key=itemgetter(1)), most):
        names = [name for name, _ in same]
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        lines.append(f"{harmless(names[0] + more)}: {harmless(why)}")
        told += len(names)
    return lines, told
