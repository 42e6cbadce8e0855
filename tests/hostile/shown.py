"""Whether what people are shown of a match could be obeyed by a terminal or a browser."""

import io
from collections.abc import Iterator

from rich.console import Console

from bullring.arena.match.play import Report
from bullring.arena.match.records.reader import read_lines
from bullring.arena.match.records.replay import Replay
from bullring.arena.watching.display.results import result_table
from bullring.arena.watching.display.text import fault_lines
from bullring.arena.watching.display.transcript import Story


def unclean(report: Report) -> Iterator[str]:
    """Characters that should not be shown: control characters, or marks that turn the text's direction."""
    facts = report.facts()
    out = io.StringIO()
    Console(file=out, width=200, color_system=None).print(result_table(facts))
    lines = out.getvalue().splitlines()
    for seat in facts["seats"]:
        for fault in seat["faults"]:
            lines += fault_lines(seat["bot"], fault)
    assert report.record is not None
    replay = Replay(telling=True)
    story = Story(replay)
    for _, happening in replay.play(read_lines(report.record)):
        lines += story.lines(happening)
    for line in lines:
        if any(not character.isprintable() for character in line):
            yield f"shown unescaped: {line!r}"
