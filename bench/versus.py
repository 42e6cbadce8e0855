"""How far one bot is ahead of another against the clock: real matches, with both bots on every other seat.

    python -m bench.versus @NEW @OLD [--game standard] [--seats 4] [--matches 40] [--time 100ms] [--deals N] [--jobs 2]

The score is the share of pairs of a NEW and an OLD in which NEW came first, a tie being half; Elo is what it means by the logistic
formula. The interval is one of 95 %, by Student's t, a match being one observation (Wilson's if all matches went alike). Faults
count as the referee counted them, and are told.
"""

import argparse
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

import numpy as np

from bullring.ladder.rating.scales import elo, student, wilson

BULLRING = Path(sys.executable).with_name("bullring")


def played(args: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The matches as they end: the lines of `bullring match --json`, of one run for each job."""
    seats = [(args.new, args.old)[seat % 2] for seat in range(args.seats)]
    words = [str(BULLRING), "match", *seats, "--game", args.game, "--time", args.time, "--time", "bank=5s", "--json"]
    if args.deals:
        words += ["--deals", str(args.deals)]
    lines: SimpleQueue[str] = SimpleQueue()

    def run(job: int) -> None:
        share = args.matches // args.jobs + (job < args.matches % args.jobs)
        if share:
            asked = [*words, "--matches", str(share), "--seed", f"{args.seed}-{job}"]
            with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as done:
                for line in done.stdout or ():
                    lines.put(line)
        lines.put("")

    for job in range(args.jobs):
        Thread(target=run, args=(job,), daemon=True).start()
    going = args.jobs
    while going:
        if line := lines.get():
            match = json.loads(line)
            for seat in match["seats"]:
                seat["bot"] = seat["bot"].partition(" #")[0]  # several of one name are numbered
            yield match
        else:
            going -= 1


def score(match: dict[str, Any], new: str, old: str) -> float:
    """The share of pairs in which the new bot came first."""
    first, second = (np.array([seat["rank"] for seat in match["seats"] if seat["bot"] == name]) for name in (new, old))
    return float(((first[:, None] < second) + 0.5 * (first[:, None] == second)).mean())


def told(scores: list[float]) -> str:
    """The score and Elo, with 95 % intervals."""
    mean = float(np.mean(scores))
    half = float(np.std(scores, ddof=1) / math.sqrt(len(scores)) * student(np.array(len(scores) - 1)))
    least, most = max(mean - half, 0.0), min(mean + half, 1.0)
    if half == 0.0:  # the spread is unknown
        least, most = (float(end) for end in wilson(np.array(mean), np.array(float(len(scores)))))
    low, middle, high = elo(np.array([least, mean, most]))
    return f"{len(scores)} matches: score {mean:.3f} ({least:.3f} to {most:.3f}), Elo {middle:+.0f} ({low:+.0f} to {high:+.0f})"


def about(name: str, seats: list[dict[str, Any]]) -> str:
    """What a bot did in its seats."""
    heads = np.mean([seat["score"] for seat in seats])
    faults = sum(len(seat["faults"]) for seat in seats)
    median = np.median([seat["decisions"]["median_ms"] for seat in seats])
    return f"{name}: {heads:.1f} heads a match, median {median:.1f} ms, {faults} faults"


def main() -> None:
    """Play, and tell."""
    parser = argparse.ArgumentParser(description="How far one bot is ahead of another against the clock.")
    parser.add_argument("new")
    parser.add_argument("old")
    parser.add_argument("--game", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deals", type=int, help="of a match; default: whole matches")
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--time", default="100ms", help="the limit of a decision")
    parser.add_argument("--jobs", type=int, default=2, help="matches at the same time")
    parser.add_argument("--seed", default="versus")
    args = parser.parse_args()
    new, old = (name.removeprefix("@") for name in (args.new, args.old))
    kept = [match for match in played(args) if not match["void"]]
    if len(kept) < 2:
        raise SystemExit("there are not two matches to judge by")
    print(f"{args.game}, {args.seats} seats, {args.time}, {told([score(match, new, old) for match in kept])}")
    for name in (new, old):
        print("  " + about(name, [seat for match in kept for seat in match["seats"] if seat["bot"] == name]))


if __name__ == "__main__":
    main()
