"""The display of sandbox tiers for `bullring doctor`."""

from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.text.harmless import harmless

CLOCKS = {
    "core": "limits are time on a core of one's own: what others use of it is counted (cpu.pressure)",
    "wall": "limits are plain time: nothing counts what others use of a core; cgroups of version 2 with cpu.pressure would",
}


def tier_table(finding: Mapping[str, Any]) -> Table:
    """A table of one tier and every attempt made to break out of it."""
    if finding["proven"]:
        state = ("proven", "green") if finding["for_strangers"] else ("proven, but not for strangers", "yellow")
    else:
        state = ("not proven", "red")
    title = Text.assemble((finding["tier"], "bold"), f": {finding['what']}: ", state)
    table = Table(title=title, title_justify="left", box=None, show_header=False, pad_edge=True, min_width=60)
    for _ in range(3):
        table.add_column(overflow="fold")
    for each in finding["tries"]:
        if each["held"]:
            mark = ("held", "green")
        elif each["claimed"]:
            mark = ("FAILED", "bold red")
        else:
            mark = ("open", "yellow")
        table.add_row(Text(*mark), each["name"], Text(harmless(each["came"]), style="dim"))
    if finding["failure"]:
        table.add_row(Text("missing", style="red"), "", Text(harmless(finding["failure"])))
    if finding["means"]:
        table.add_row("", "caps", Text(finding["means"], style="dim"))
    if finding["clock"]:
        table.add_row("", "clocks", Text(CLOCKS[finding["clock"]], style="dim"))
    return table


def choice_line(taken: str | None) -> str:
    """A sentence about the tier that `auto` takes, or the remedy if there is none."""
    if taken is not None:
        return f"--sandbox auto takes {taken}."
    advice = (tier.advice for tier in TIERS.values())
    return (
        f"--sandbox auto finds no tier fit for strangers' programs here. {' '.join(filter(None, advice))}"
        " To run bots you trust without one, add --allow-unsandboxed."
    )
