"""Tables of kits and of the toolchains of this machine."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text


def kits_table(facts: Iterable[Mapping[str, Any]]) -> Table:
    """The kits: what each speaks, and whether its toolchain is here, or else how to get it."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("language", "speaks", "library", "toolchain"):
        table.add_column(title, overflow="fold", no_wrap=title in ("language", "speaks"))
    for each in facts:
        here = Text("here", style="green") if each["here"] else Text(each["install"], style="yellow")
        table.add_row(each["language"], each["dialect"], each["library"], here)
    return table
