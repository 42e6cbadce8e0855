"""Rate the built-in bots against each other, and keep the ratings in `ratings.json`, where `bullring bots` finds them.

    python sample_bots/rate.py [--game GAME] [--seats N] [--rounds N] [--time LIMIT] [--jobs N] [--without BOT...] [--home HOME]

Every table that can be made of the bots plays a deal in each round, and each bot is rated by its places. The ratings of other
games and tables stay as they are. With --home, the ladder is kept in that folder, and a second run goes on there, with
bots that have been added since. Run `make docs` afterwards. Needs the command bullring. A round of twelve bots at tables of four is
495 matches, about ten minutes of one core.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import Any

FOLDER = Path(__file__).resolve().parent
RATINGS = FOLDER / "ratings.json"
ANCHOR = "greedy"
"""The bot whose rating is 1500: it needs no time, so it plays the same everywhere."""


def bullring(*words: str) -> str:
    """Run the command and return what it printed. Exits if it fails."""
    done = subprocess.run(["bullring", *words], stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{join(['bullring', *words])} ended with status {done.returncode}")
    return done.stdout


def rows(asked: argparse.Namespace, home: Path) -> list[dict[str, Any]]:
    """Play, and return the rows of the ladder's table."""
    if not (home / "ladder.db").exists():
        limits = ("--time", asked.time, "--time", "bank=5s", "--time", "start=60s")  # a busy machine is no bot's fault
        bullring("ladder", "init", str(home), *limits)
    entered = {f"@{bot['name']}" for bot in json.loads(bullring("bots", "--home", str(home), "--json"))}
    builtin = [bot["bot"] for bot in json.loads(bullring("bots", "--builtin", "--json"))]
    if new := [bot for bot in builtin if bot not in entered and bot not in asked.without]:
        bullring("ladder", "add", *new, "--home", str(home))
    table = ("--game", asked.game, "--seats", str(asked.seats), "--home", str(home))
    if asked.rounds:
        rounds = ("--format", "round-robin", "--rounds", str(asked.rounds))
        bullring("ladder", "run", *table, *rounds, "--jobs", str(asked.jobs), "--anchor", ANCHOR)
    found: list[dict[str, Any]] = json.loads(bullring("ladder", "table", *table, "--format", "json"))["rows"]
    compared = json.loads(bullring("ladder", "compare", ANCHOR, *table, "--json"))
    errors = {pair["other"]: pair["error"] for pair in compared} | {ANCHOR: 0}
    return [{**row, "error": errors.get(row["bot"])} for row in found if row["matches"] and f"@{row['bot']}" in builtin]


def facts(row: dict[str, Any]) -> dict[str, float]:
    """The figures of a row that are kept. Errors are half of 95 % intervals, that of the rating against the anchor."""
    if row["faults"]:
        sys.exit(f"{row['bot']} made faults, so the ratings are void: see `bullring bots log {row['bot']} --home HOME`")
    kept = {key: round(row[key], 2) for key in ("heads", "median_ms")}
    kept["heads_error"] = round(row["heads_v_average_error"], 2)
    elo = {key: round(row[key] or 0) for key in ("rating", "error")}
    return {**elo, **kept, "matches": row["matches"]}


def keep(asked: argparse.Namespace, found: list[dict[str, Any]]) -> None:
    """Write the ratings of this game and table size, in place of older ones."""
    lists = json.loads(RATINGS.read_text("utf-8")) if RATINGS.exists() else []
    key = (asked.game, asked.seats)
    words = ["python", "sample_bots/rate.py", "--game", asked.game, "--seats", str(asked.seats), "--time", asked.time]
    made = {
        "game": asked.game,
        "seats": asked.seats,
        "limit": asked.time,
        "command": join(words),
        "date": datetime.now(UTC).date().isoformat(),
        "bots": {row["bot"]: facts(row) for row in found},
    }
    lists = [made, *(one for one in lists if (one["game"], one["seats"]) != key)]
    lists.sort(key=lambda one: (one["game"] != "standard", one["game"], one["seats"] != 4, one["seats"]))
    RATINGS.write_text(json.dumps(lists, indent=2) + "\n", "utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """Play what the arguments ask for, and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument(
        "--rounds", type=int, default=1, help="deals for each table that can be made of the bots; 0: read the home"
    )
    parser.add_argument("--time", default="50ms", help="the limit of each decision")
    parser.add_argument("--jobs", type=int, default=1, help="the number of referee processes")
    parser.add_argument("--without", metavar="BOT", nargs="*", default=[], help="bots that this machine cannot run")
    parser.add_argument("--home", type=Path)
    asked = parser.parse_args(arguments)
    with TemporaryDirectory() as folder:
        keep(asked, rows(asked, asked.home or Path(folder) / "home"))


if __name__ == "__main__":
    main()
