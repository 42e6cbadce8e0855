"""Compare the strength of the sample bots at one table of four, in every game; or of the bots that kits begin with.

    python sample_bots/compare.py [MATCHES [GAME...]]

    python sample_bots/compare.py --kits [MATCHES]

The seats rotate from match to match, and a match is one deal. Needs the command bullring, and g++ for montecarlo-cpp. With
--kits, the bot of each kit whose toolchain is here plays the standard game against greedy, montecarlo and random.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from shlex import join
from statistics import mean, median, stdev
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).resolve().parent
BOTS = {
    "montecarlo-cpp": "cpp/montecarlo-cpp",
    "montecarlo": "python/montecarlo",
    "greedy": "python/greedy",
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


def command(game: str, matches: int, bots: Iterable[str]) -> list[str]:
    """The command that plays the matches."""
    deals = [] if game in NO_DEALS else ["--deals", "1"]
    limits = ["--time", "50ms", "--time", "bank=5s", "--seed", "samples"]
    return ["bullring", "match", *bots, "--game", game, "--matches", str(matches), *deals, *limits]


def played(game: str, matches: int, bots: Iterable[str]) -> dict[str, list[dict[str, Any]]]:
    """What each bot did in each match that counts. Exits if a bot made a fault."""
    run = [*command(game, matches, bots), "--json"]
    output = subprocess.run(run, cwd=FOLDER.parent, stdout=subprocess.PIPE, text=True, check=False).stdout
    seats = defaultdict(list)
    for line in output.splitlines():
        match = json.loads(line)
        for seat in match["seats"]:
            if seat["faults"]:
                sys.exit(f"{seat['bot']} made a fault in {game}, so the comparison is void: {seat['faults']}")
            if not match["void"]:
                seats[seat["bot"]].append(seat)
    return seats


def heads(seats: list[dict[str, Any]]) -> str:
    """The mean of the heads, with its 95 % interval."""
    taken = [seat["score"] for seat in seats]
    return f"{mean(taken):.1f} ± {1.96 * stdev(taken) / len(taken) ** 0.5:.1f}"


def main(matches: int, games: list[str]) -> None:
    """Print a table with a line for each game."""
    folders = [f"{FOLDER.name}/{bot}" for bot in BOTS.values()]
    print(f"$ {join(command('GAME', matches, folders))}\n")
    print("| game |", " | ".join(BOTS), "|")
    print("|---|" + "---|" * len(BOTS))
    for game in games:
        seats = played(game, matches, folders)
        print(f"| `{game}` |", " | ".join(heads(seats[bot]) for bot in BOTS), "|", flush=True)


def compare_kits(matches: int) -> None:
    """Print a table with a line for each kit."""
    rivals = ["@greedy", "@montecarlo", "@random"]
    listed = subprocess.run(["bullring", "new", "--list", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    print(f"$ {join(command('standard', matches, ['my-bot', *rivals]))}\n")
    print("| kit | dialect | start ms | median ms | heads |", " | ".join(rivals), "|")
    print("|---|---|---|---|---|" + "---|" * len(rivals))
    with TemporaryDirectory() as folder:
        for kit in json.loads(listed.stdout):
            if kit["missing"]:
                print(f"{kit['language']}: not here: {', '.join(kit['missing'])}", file=sys.stderr)
                continue
            bot = f"{folder}/my-{kit['language']}"
            subprocess.run(["bullring", "new", kit["language"], bot], stdout=subprocess.DEVNULL, check=True)
            seats = played("standard", matches, [bot, *rivals])
            mine = seats[f"my-{kit['language']}"]
            start = mine[0]["start_ms"]
            think = median(seat["decisions"]["median_ms"] for seat in mine)
            others = " | ".join(heads(seats[rival.removeprefix("@")]) for rival in rivals)
            print(
                f"| {kit['title']} | {kit['dialect']} | {start:.0f} | {think:.2f} | {heads(mine)} | {others} |",
                flush=True,
            )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--kits"]:
        compare_kits(int((sys.argv[2:3] or ["100"])[0]))
    else:
        main(int((sys.argv[1:2] or ["100"])[0]), sys.argv[2:] or GAMES)
