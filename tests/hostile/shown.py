"""Whether what people are shown of a match could be obeyed by a terminal or a browser."""

import io
from collections.abc import Iterator

from rich.console import Console

from arena.replay import happenings, read_lines
from arena.runner import Report
from arena.view.plain import Story, fault_lines
from arena.view.result import result_table


def unclean(report: Report) -> Iterator[str]:
    """What is shown that should not be: control characters, or marks that turn the text's direction."""
    facts = report.facts()
    out = io.StringIO()
    Console(file=out, width=200, color_system=None).print(result_table(facts))
    lines = out.getvalue().splitlines()
    for seat in facts["seats"]:
        for fault in seat["faults"]:
            lines += fault_lines(seat["bot"], fault)
    assert report.record is not None
    view = Story()
    for _, event in happenings(read_lines(report.record)):
        lines += view.lines(event)
    for line in lines:
        if any(not character.isprintable() for character in line):
            yield f"shown unescaped: {line!r}"
