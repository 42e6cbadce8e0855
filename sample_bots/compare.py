"""Compare the strength of the sample bots at one table of four, in every game.

    python sample_bots/compare.py [MATCHES [GAME...]]

The seats rotate from match to match, and a match is one deal. Needs the command bullring, and node for greedy-js.
"""

import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from shlex import join
from statistics import mean, stdev

FOLDER = Path(__file__).resolve().parent
BOTS = {
    "montecarlo": "python/montecarlo",
    "greedy": "python/greedy",
    "greedy-js": "javascript/greedy-js",
    "random": "python/random",
}
NO_DEALS = {"online", "tournament"}
"""Games with a fixed number of deals."""

GAMES = [
    "standard",
    "tactics",
    "logic",
    "tournament",
    "professional",
    "open",
    "nifty",
    "hand",
    "double",
    "eleven",
    "online",
]


def command(game: str, matches: int) -> list[str]:
    """The command that plays the matches."""
    deals = [] if game in NO_DEALS else ["--deals", "1"]
    limits = ["--time", "50ms", "--time", "bank=5s", "--seed", "samples"]
    folders = [f"{FOLDER.name}/{bot}" for bot in BOTS.values()]
    return ["bullring", "match", *folders, "--game", game, "--matches", str(matches), *deals, *limits]


def heads(game: str, matches: int) -> dict[str, list[int]]:
    """The heads of each match, by bot. Exits if a bot made a fault."""
    run = [*command(game, matches), "--json"]
    output = subprocess.run(run, cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True, check=False).stdout
    taken = defaultdict(list)
    for line in output.splitlines():
        match = json.loads(line)
        for seat in match["seats"]:
            if seat["faults"]:
                sys.exit(f"{seat['bot']} made a fault in {game}, so the comparison is void: {seat['faults']}")
            if not match["void"]:
                taken[seat["bot"]].append(seat["score"])
    return taken


def main(matches: int, games: list[str]) -> None:
    """Print a table with a line for each game."""
    print(f"$ {join(command('GAME', matches))}\n")
    print("| game |", " | ".join(BOTS), "|")
    print("|---|" + "---|" * len(BOTS))
    for game in games:
        taken = heads(game, matches)
        cells = [f"{mean(taken[bot]):.1f} ± {1.96 * stdev(taken[bot]) / len(taken[bot]) ** 0.5:.1f}" for bot in BOTS]
        print(f"| `{game}` |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main(int((sys.argv[1:2] or ["100"])[0]), sys.argv[2:] or GAMES)
