"""Compare the strength of the sample bots at one table of four, in every game; or of the bots that kits begin with.

    python sample_bots/compare.py [MATCHES [GAME...]]

    python sample_bots/compare.py --starter [MATCHES [GAME...]]

    python sample_bots/compare.py --kits [MATCHES]

The seats rotate from match to match, and a match is one deal. Needs the command bullring, and g++ for strong-cpp. With
--starter, the bot of the Python kit plays against greedy, greedy-js and random in every game; with --kits, the bot of each kit
whose toolchain is here plays against them in the standard game.
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
    "strong-cpp": "cpp/strong-cpp",
    "montecarlo": "python/montecarlo",
    "greedy": "python/greedy",
    "random": "python/random",
}
RIVALS = {name: f"@{name}" for name in ("greedy", "greedy-js", "random")}
"""Whom the bots of kits play: quick bots."""

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


def compare(bots: dict[str, str], matches: int, games: list[str]) -> None:
    """Print a table with a line for each game."""
    shown = [name if Path(bot).is_absolute() else bot for name, bot in bots.items()]
    print(f"$ {join(command('GAME', matches, shown))}\n")
    print("| game |", " | ".join(bots), "|")
    print("|---|" + "---|" * len(bots))
    for game in games:
        seats = played(game, matches, bots.values())
        print(f"| `{game}` |", " | ".join(heads(seats[bot]) for bot in bots), "|", flush=True)


def begun(language: str, folder: str) -> dict[str, str]:
    """The bot that a kit begins with."""
    name = f"my-{language}"
    subprocess.run(["bullring", "new", language, f"{folder}/{name}"], stdout=subprocess.DEVNULL, check=True)
    return {name: f"{folder}/{name}"}


def compare_kits(matches: int, folder: str) -> None:
    """Print a table with a line for each kit."""
    listed = subprocess.run(["bullring", "new", "--list", "--json"], stdout=subprocess.PIPE, text=True, check=True)
    print(f"$ {join(command('standard', matches, ['my-bot', *RIVALS.values()]))}\n")
    print("| kit | dialect and library | ms to hello | median ms | heads |")
    print("|---|---|---|---|---|")
    for kit in json.loads(listed.stdout):
        if kit["missing"]:
            print(f"{kit['language']}: not here: {', '.join(kit['missing'])}", file=sys.stderr)
            continue
        ((name, bot),) = begun(kit["language"], folder).items()
        mine = played("standard", matches, [bot, *RIVALS.values()])[name]
        speaks = ": ".join(filter(None, [kit["dialect"], kit["library"]]))
        start = median(seat["start_ms"] for seat in mine if seat["start_ms"])  # one process plays many matches
        think = median(seat["decisions"]["median_ms"] for seat in mine)
        print(f"| {kit['title']} | {speaks} | {start:.0f} | {think:.2f} | {heads(mine)} |", flush=True)


def main(arguments: list[str]) -> None:
    """Print what the arguments ask for."""
    mode = arguments.pop(0) if arguments[:1] in (["--kits"], ["--starter"]) else ""
    matches, games = int((arguments or ["100"])[0]), arguments[1:] or GAMES
    with TemporaryDirectory() as folder:
        if mode == "--kits":
            compare_kits(matches, folder)
        elif mode == "--starter":
            compare({**begun("python", folder), **RIVALS}, matches, games)
        else:
            compare({name: f"{FOLDER.name}/{bot}" for name, bot in BOTS.items()}, matches, games)


if __name__ == "__main__":
    main(sys.argv[1:])
