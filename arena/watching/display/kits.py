"""Tables of kits and of the toolchains of this machine."""

from collections.abc import Iterable, Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.text.harmless import harmless


def kits_table(facts: Iterable[Mapping[str, Any]]) -> Table:
    """The kits: language, dialect, library, and the toolchain: present, or the command that installs it."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("language", "speaks", "library", "toolchain"):
        table.add_column(title, overflow="fold", no_wrap=title in ("language", "speaks"))
    for each in facts:
        here = Text("here", style="green") if each["here"] else Text(each["install"], style="yellow")
        table.add_row(each["language"], each["dialect"], each["library"], here)
    return table


def languages_table(facts: Mapping[str, Any]) -> Table:
    """The programs that languages need: path, version, and the tiers in which they start."""
    table = Table(box=None, padding=(0, 2, 0, 0))
    for title in ("language", "program", "version", "starts in"):
        table.add_column(title, overflow="fold", no_wrap=title == "language")
    last = ""
    for each in facts["programs"]:
        works = [tier for tier, said in each["tiers"].items() if said["works"]]
        fails = [tier for tier, said in each["tiers"].items() if not said["works"]]
        if each["path"] is None:
            state = Text(each["install"], style="yellow")
        elif not each["confined"]:
            state = Text("to fetch only", style="dim")
        elif fails:
            state = Text.assemble(" ".join(works), (f" not {', '.join(fails)}", "red"))
        else:
            state = Text(" ".join(works), style="green")
        title = each["title"] if each["title"] != last else ""
        last = each["title"]
        program = Text(harmless(each["path"] or each["program"]), style="" if each["path"] else "dim")
        table.add_row(title, program, harmless(each["version"] or ""), state)
    return table


def troubles(facts: Mapping[str, Any]) -> list[str]:
    """Programs that fail, with the tiers and their errors, and tiers that were not tried."""
    said = [
        f"{each['program']} in {tier}: {harmless(one['said'])}"
        for each in facts["programs"]
        for tier, one in each["tiers"].items()
        if not one["works"] and each["confined"]
    ]
    said = list(dict.fromkeys(said))
    return [*said, *(f"not proven here, so not tried: {tier}: {why}" for tier, why in facts["unproven"].items())]
