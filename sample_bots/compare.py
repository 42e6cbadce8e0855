"""Measure the bots that kits begin with, at a table with greedy, greedy-js and random.

    python sample_bots/compare.py [MATCHES [GAME...]]    the bot of the Python kit, in these games, by default in all of them
    python sample_bots/compare.py --kits [MATCHES]       the bot of each kit whose toolchain is here, in the standard game

Seats rotate from match to match, and a match is one deal where the game allows that. Needs the command bullring.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable
from shlex import join
from statistics import mean, median, stdev
from tempfile import TemporaryDirectory
from typing import Any

RIVALS = {name: f"@{name}" for name in ("greedy", "greedy-js", "random")}
"""Bots that decide at once."""


def listed(*words: str) -> list[dict[str, Any]]:
    """The rows that a command of bullring lists."""
    done = subprocess.run(["bullring", *words, "--json"], stdout=subprocess.PIPE, text=True, check=True)
    rows: list[dict[str, Any]] = json.loads(done.stdout)
    return rows


def command(game: str, matches: int, bots: Iterable[str], *, one_deal: bool = True) -> list[str]:
    """The command that plays the matches."""
    deals = ["--deals", "1"] if one_deal else []
    limits = ["--time", "50ms", "--time", "bank=5s", "--seed", "samples"]
    return ["bullring", "match", *bots, "--game", game, "--matches", str(matches), *deals, *limits]


def played(words: list[str]) -> dict[str, list[dict[str, Any]]]:
    """The seats of each bot in the matches that count, as `command` plays them. Exits if a bot made a fault."""
    output = subprocess.run([*words, "--json"], stdout=subprocess.PIPE, text=True, check=False).stdout
    seats = defaultdict(list)
    for line in output.splitlines():
        match = json.loads(line)
        for seat in match["seats"]:
            if seat["faults"]:
                sys.exit(f"{seat['bot']} made a fault, so the comparison is void: {seat['faults']}")
            if not match["void"]:
                seats[seat["bot"]].append(seat)
    return seats


def heads(seats: list[dict[str, Any]]) -> str:
    """The mean of the heads, with its 95 % interval."""
    taken = [seat["score"] for seat in seats]
    return f"{mean(taken):.1f} ± {1.96 * stdev(taken) / len(taken) ** 0.5:.1f}"


def begun(language: str, folder: str) -> dict[str, str]:
    """The bot that a kit begins with, and its rivals, by name."""
    name = f"my-{language}"
    subprocess.run(["bullring", "new", language, f"{folder}/{name}"], stdout=subprocess.DEVNULL, check=True)
    return {name: f"{folder}/{name}", **RIVALS}


def compare_games(matches: int, games: list[str], folder: str) -> None:
    """Print a table with a line for each game."""
    bots = begun("python", folder)
    print(f"$ {join(command('GAME', matches, ['my-python', *RIVALS.values()]))}\n")
    print("| game |", " | ".join(bots), "|")
    print("|---|" + "---|" * len(bots))
    for game in listed("games"):
        if not games or game["id"] in games:
            seats = played(command(game["id"], matches, bots.values(), one_deal="deals" in game["options"]))
            print(f"| `{game['id']}` |", " | ".join(heads(seats[bot]) for bot in bots), "|", flush=True)


def compare_kits(matches: int, folder: str) -> None:
    """Print a table with a line for each kit."""
    print(f"$ {join(command('standard', matches, ['my-bot', *RIVALS.values()]))}\n")
    print("| kit | dialect and library | ms to hello | median ms | heads |")
    print("|---|---|---|---|---|")
    for kit in listed("new"):
        if kit["missing"]:
            print(f"{kit['language']}: not here: {', '.join(kit['missing'])}", file=sys.stderr)
            continue
        bots = begun(kit["language"], folder)
        mine = played(command("standard", matches, bots.values()))[next(iter(bots))]
        speaks = ": ".join(filter(None, [kit["dialect"], kit["library"]]))
        start = median(seat["start_ms"] for seat in mine if seat["start_ms"])  # one process plays many matches
        think = median(seat["decisions"]["median_ms"] for seat in mine)
        print(f"| {kit['title']} | {speaks} | {start:.0f} | {think:.2f} | {heads(mine)} |", flush=True)


def main(arguments: list[str]) -> None:
    """Print the table that the arguments ask for."""
    kits = arguments[:1] == ["--kits"]
    matches, *games = arguments[kits:] or ["100"]
    with TemporaryDirectory() as folder:
        if kits:
            compare_kits(int(matches), folder)
        else:
            compare_games(int(matches), games, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
