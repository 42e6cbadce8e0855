"""The matrix of hostile behaviours and tiers, from the last `python -m tests.hostile --json docgen/hostile.json`."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bullring.arena.cells.sandbox.tiers import TIERS
from docgen.tables import table

FOUND = Path(__file__).with_name("hostile.json")
FOUND_BY_USER = Path(__file__).with_name("hostile-user.json")
"""The same from an ordinary user without control groups, in the tiers that such a user has."""
FIGURES = Path(__file__).with_name("figures.json")
"""What `python -m tests.hostile.figures --json docgen/figures.json` has counted."""

GROUPS = {
    "files": range(1, 10),
    "network": range(10, 16),
    "processes": range(16, 27),
    "memory": (*range(27, 32), 120),
    "time": (*range(32, 41), 72, 73, 74, 98, 99, 100, 121),
    "the wire": range(41, 53),
    "leaks between bots": (*range(53, 63), 71, 76, 77, 86, 105, 106, 110, 117, 122),
    "the referee": (*range(63, 71), 84),
    "the machine": (75, 78, 79, 85, *range(101, 105), *range(107, 110), *range(111, 117), 118),
    "folders handed in": (80, 81, 82, 83, 87, 89, 90, 91, 92, 93, 94, 119),
    "records": (95, 96),
}
"""The categories of behaviours, by number."""

HELD, NOT_PROMISED, SKIPPED = "held", "-", "skipped"

Found = Mapping[str, Any]


def load() -> Found:
    """Load the results that the suite wrote. A tier that is newer than they are was not tried."""
    found: Found = json.loads(FOUND.read_text("utf-8"))
    for row in found["behaviours"]:
        row |= {tier: row.get(tier, SKIPPED) for tier in TIERS}
    return {**found, "tiers": list(TIERS)}


def count(found: Found) -> str:
    """The number of programs, in words that are in several documents."""
    return f"{len(found['behaviours'])} hostile programs"


def machine(found: Found) -> str:
    """A sentence about the machine on which the suite ran."""
    seen = found["machine"]
    return f"Results from {seen['kernel']}, run as {seen['user']}, with control groups ({seen['cgroups']})."


def page(found: Found) -> str:
    """All behaviours, category by category."""
    rows = {row["number"]: row for row in found["behaviours"]}
    outcomes = {number: _outcome(row, found["tiers"]) for number, row in rows.items()}
    usual = Counter(outcomes.values()).most_common(1)[0][0]
    parts = [summary(found), machine(found), by_user(), figures(), f"Behaviours without a remark are {usual}."]
    for title, numbers in GROUPS.items():
        lines = [
            f"* {number}: {rows[number]['what']}" + (f" ({outcomes[number]})" if outcomes[number] != usual else "")
            for number in numbers
            if number in rows
        ]
        parts.append(f"## {title[0].upper()}{title[1:]}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def by_user() -> str:
    """The results of an ordinary user, in a sentence for each tier."""
    found = json.loads(FOUND_BY_USER.read_text("utf-8"))
    seen, rows = found["machine"], found["behaviours"]
    lines = []
    for tier in found["tiers"]:
        others = [f"{row['number']} ({row[tier]})" for row in rows if row[tier] not in (HELD, NOT_PROMISED)]
        rest = f"; not held: {', '.join(others)}" if others else ""
        lines.append(f"* {tier}: {_count(row[tier] for row in rows)}{rest}")
    return f"The same as {seen['user']}, control groups {seen['cgroups']}:\n\n" + "\n".join(lines)


def figures() -> str:
    """What a busy machine does to starts and honest bots, and what freezing leaves of a bot, by user."""
    shown = []
    for user, found in json.loads(FIGURES.read_text("utf-8")).items():
        starts, honest, frozen = (Counter(found.get(name, {})) for name in ("starts", "honest", "frozen"))
        used = (frozen[f"{way}_used_ms"] / frozen[f"{way}_ms"] if frozen else None for way in ("frozen", "free"))
        shown.append(
            (
                user,
                f"{starts['refused']} of {starts['tried']}",
                f"{honest['faults']} and {honest['voids']} in {honest['matches']}",
                *("not measured" if part is None else f"{part:.1%}" for part in used),
            )
        )
    titles = ("starts refused", "faults and voids in matches", "used, frozen", "used, free")
    return (
        "`make figures` measures starts of `bullring match @greedy @random --deals 1` at load 40, four at a time; matches at"
        " 100 ms beside 8 spinners, four at a time, of bots that compute for 60 ms, whose faults (each is a strike) and voids"
        " are all false; and the processor that behaviour 35 uses of others' time, frozen and free. A frozen one has it for the"
        " first milliseconds, until its answer is read and the turn is slow.\n\n" + table(("", *titles), shown)
    )


def _outcome(row: Mapping[str, Any], tiers: Sequence[str]) -> str:
    """The tiers that hold a behaviour, those in which it was not tried, and those that failed."""
    held = [tier for tier in tiers if row[tier] == HELD]
    skipped = [tier for tier in tiers if row[tier] == SKIPPED]
    failed = [tier for tier in tiers if row[tier] not in (HELD, SKIPPED, NOT_PROMISED)]
    parts = [f"held in {'all tiers' if held == list(tiers) else ', '.join(held)}"] if held else []
    parts += [f"not tried in {', '.join(skipped)}"] if skipped else []
    parts += [f"**FAILED in {', '.join(failed)}**"] if failed else []
    return "; ".join(parts) or "promised by no tier"


def summary(found: Found) -> str:
    """For each category, how many behaviours each tier holds; then all behaviours, folded."""
    lines = []
    for title, numbers in GROUPS.items():
        rows = [row for row in found["behaviours"] if row["number"] in numbers]
        lines.append((title, *(_count(row[tier] for row in rows) for tier in found["tiers"])))
    return table(("", *found["tiers"]), lines)


def _count(cells: Iterable[str]) -> str:
    counts = Counter(cells)
    text = f"{counts[HELD]} of {counts.total()}"
    failed = counts.total() - counts[HELD] - counts[NOT_PROMISED] - counts[SKIPPED]
    if counts[SKIPPED]:
        text += f", {counts[SKIPPED]} not tried"
    return f"{text}, **{failed} FAILED**" if failed else text
