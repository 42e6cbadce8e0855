"""The cost of a site: `python -m bench.sites` prints its size, and the processor time of its first writing, in several games.

Homes are made as those of `bench.homes`: some matches are played, the others are copies of their records. Analyses of matches,
which go on for as long as they are given, are left out. The goal is that of 20,000 matches of 60 bots in the standard game.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path

from bench import homes
from bench.figures import Target, table, wide_console
from bullring.ladder.store.home import Home

GAMES = ("standard", "eleven", "hand", "tournament")
PLAYED = 600
SECONDS, MEGABYTES = 40, 25
PARTS = ("records", "replays", "bots")
"""Folders that are shown by themselves."""


def made(game: str, matches: int, bots: int, folder: Path) -> Home:
    """A home with matches of a game, of four seats."""
    home = Home(folder)
    homes.play(home, min(PLAYED, matches), "--game", game)
    homes.fill(home, matches, homes.crowd(home, bots))
    return home


def megabytes(folder: Path) -> float:
    """Of the files in a folder."""
    return homes.size_of([path for path in folder.rglob("*") if path.is_file()]) / 1e6


def main() -> None:
    """Make homes, write their sites, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--matches", type=int, default=20_000)
    parser.add_argument("--bots", type=int, default=60)
    given = parser.parse_args()
    console = wide_console()
    what = f"Sites of {given.matches} matches and {given.bots} bots"
    shown = table(what, "game", "CPU s", "seconds", "MB", *(f"MB of {part}" for part in PARTS), "load")
    goals = []
    for game in given.games:
        with tempfile.TemporaryDirectory(prefix="bullring-bench-") as name:
            Path(name).chmod(0o755)  # if the referee is root, bots run as another user
            home, site = made(game, given.matches, given.bots, Path(name).resolve() / "home"), Path(name) / "site"
            began = time.monotonic()
            _, cpu, _ = homes.run("ladder", "report", str(site), "--analyse", "0", home=home)
            seconds, size = time.monotonic() - began, megabytes(site)
            parts = [f"{megabytes(site / part):.1f}" for part in PARTS]
            shown.add_row(game, f"{cpu:.1f}", f"{seconds:.1f}", f"{size:.1f}", *parts, f"{os.getloadavg()[0]:.0f}")
        if game == GAMES[0]:
            goals += [Target("site: processor time", cpu, SECONDS, "s"), Target("site: size", size, MEGABYTES, "MB")]
    console.print(shown)
    for goal in goals:
        console.print("  ".join(goal.cells()))


if __name__ == "__main__":
    main()
