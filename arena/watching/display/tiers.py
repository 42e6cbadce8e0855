"""The display of sandbox tiers for `bullring doctor`."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.table import Table
from rich.text import Text

from bullring.arena.cells.sandbox.promises import NAMES, PROMISES, Grade
from bullring.arena.cells.sandbox.tiers import TIERS
from bullring.arena.cells.text.harmless import harmless

Finding = Mapping[str, Any]
"""What `examination.Finding.facts` gives."""

CLOCKS = {
    "core": "limits are time on a core of one's own: what others use of it is counted",
    "wall": "limits are plain time, because this kernel counts no run delays (schedstat)",
}

_STYLES = {Grade.PART: "yellow", Grade.NOT: "red"}


def promise_table(findings: Sequence[Finding]) -> Table:
    """How well each tier that works here keeps each promise."""
    working = [one for one in findings if one["proven"]]
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("promise", no_wrap=True)
    for one in working:
        table.add_column(one["tier"])
    for name in NAMES:
        table.add_row(name, *(_grade(one["promises"][name]) for one in working))
    return table


def _grade(kept: Mapping[str, Any]) -> Text:
    text = f"{kept['grade']}: {kept['missing']}" if kept["grade"] == Grade.PART else kept["grade"]
    return Text(text, style=_STYLES.get(kept["grade"], "green"))


def remedy_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """Sentences on what no try proves, on getting what tiers for strangers' programs lack, and on tiers that do not work."""
    for promise in PROMISES:
        if promise.known and any(one["promises"].get(promise.name, {}).get("grade") == Grade.KNOWN for one in findings):
            yield f"{promise.name}: no try proves that {promise.known}."
    wanted: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for one in findings:
        for name, kept in one["promises"].items():
            if kept["remedy"] and one["for_strangers"]:
                wanted[one["tier"], kept["remedy"]].append(name)
    for (tier, remedy), names in wanted.items():
        yield f"To get {', '.join(names)} in full in {tier}: {remedy}."
    if share := min((one["share"] for one in findings if one["share"]), default=None):
        times = f"{share:.0%} of a core, so bots need {1 / share:.1f} times the time that they compute"
        yield f"Limits are plain time here; beside what runs now, a program gets {times}."
    for one in findings:
        if not one["proven"]:
            yield f"{one['tier']} does not work here: {harmless(one['failure'])}"


def tier_table(finding: Finding) -> Table:
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
