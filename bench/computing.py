"""The processor time of a ladder whose bots compute, beside that of the same bots in a plain loop on each core.

The plain loop (`floor_ladder`) needs what the game needs: the bots' own work, rules, composing, pipes. What a ladder takes on top
is the arena's: cells, clocks, records, ratings, and caches that grow cold because others use the core.
"""

import json
import os
import subprocess
import sys
from functools import partial
from statistics import mean, median

from rich.console import Console

from bench.figures import Facts, Target, alone, fresh, interleaved, ratios, spread, table
from bench.ladders import SEATS
from bullring.arena.cells.sandbox.tiers import TIERS

BOTS = "@greedy,@random"
WHOLE = 1.5
"""Most processor time a decision, in terms of the plain loop's."""
IN_CONTAINERS = 0.75
"""Fewest matches a second in containers, in terms of those in bubblewrap."""


def loops(bots: list[str], seconds: float) -> Facts:
    """The figures of a plain loop on each core at the same time: the sum of the matches, the mean of the rest."""
    cores = sorted(os.sched_getaffinity(0))
    running = [
        subprocess.Popen(
            (sys.executable, "-m", "bench.floor_ladder", *bots, "--core", str(core), "--seconds", str(seconds)),
            stdout=subprocess.PIPE,
            text=True,
        )
        for core in cores
    ]
    facts: list[Facts] = [json.loads(each.communicate()[0]) for each in running]
    means = {key: mean([each[key] for each in facts]) for key in facts[0]}
    return means | {"matches": sum(each["matches"] for each in facts)}


def section(console: Console, rounds: int, seconds: float, bots: str = BOTS, tiers: str = "bwrap") -> list[Target]:
    """Measure and print the table. `bots` and `tiers` are separated by commas."""
    cores = len(os.sched_getaffinity(0))
    kinds = bots.split(",")
    run = partial(fresh, "ladders", f"jobs:{cores}", "--seconds", seconds, "--bots", SEATS, "--bot", bots, "--tier")
    cases = {"plain loop": partial(loops, (kinds * SEATS)[:SEATS], seconds)}
    cases |= {tier: partial(run, tier) for tier in tiers.split(",")}
    found = interleaved(cases, rounds)
    plain = found.pop("plain loop")
    shown = table(
        f"{bots}: {SEATS} seats, {cores} cores, microseconds of processor time a decision: median (min-max) of {rounds}",
        *("", "matches/s", "bots", "referees", "ladder", "whole"),
    )
    whole = [each["own_us"] + each["bots_us"] for each in plain]
    columns = [[each[key] for each in plain] for key in ("matches", "bots_us", "own_us")]
    shown.add_row("plain loop", *(spread(column, 0) for column in columns), "-", spread(whole, 0))
    targets = []
    for tier, ladder in found.items():
        each_us = [1000 / facts["decisions"] for facts in plain]
        of = {
            key: [a[f"{key}_ms"] * b for a, b in zip(ladder, each_us, strict=True)]
            for key in ("own", "referees", "all")
        }
        of_bots = [a - b - c for a, b, c in zip(of["all"], of["referees"], of["own"], strict=True)]
        rates = [each["steady"] for each in ladder]
        parts = [spread(column, 0) for column in (of["referees"], of["own"])]
        if TIERS[tier].takes_images:
            shown.add_row(tier, spread(rates, 0), "-", *parts, "-")  # bots are no processes of ours
        else:
            shown.add_row(tier, spread(rates, 0), spread(of_bots, 0), *parts, spread(of["all"], 0))
            ratio = median(ratios(of["all"], whole))
            targets.append(Target(f"{bots}: processor time a decision, ladder in {tier} v plain loop", ratio, WHOLE))
    if {"bwrap", "docker"} <= found.keys():
        ratio = median(ratios(*([each["steady"] for each in found[tier]] for tier in ("docker", "bwrap"))))
        targets.append(
            Target(f"{bots}: matches a second, ladder in docker v bwrap", ratio, IN_CONTAINERS, at_least=True)
        )
    console.print(shown)
    return targets


if __name__ == "__main__":
    alone(section, __doc__, rounds=3, seconds=20.0, bots=BOTS, tiers="bwrap")
