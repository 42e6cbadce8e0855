"""How large the page of a match is, and how long it takes to make: `python -m bench.pages`.

Matches of random moves, which are longer than those of good bots, because rows fall more often.
"""

import gzip
import random
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bullring
from bullring.arena.page.making import page
from bullring.arena.records.reading import read_lines
from bullring.arena.rules.registry import GAMES

LARGEST = ("standard", 10, {"deals": 10})
REPEATS = 5


def main() -> None:
    """Print a line for each game at four seats with its usual end, and one for the largest table."""
    print(f"{'game':14} {'seats':>5} {'deals':>5} {'kB':>5} {'kB gzipped':>10} {'ms':>5}")
    with tempfile.TemporaryDirectory() as folder:
        for game, seats, options in [*((game, 4, None) for game in GAMES), LARGEST]:
            _measure(Path(folder), game, max(seats, GAMES[game].seat_range[0]), options)


def _measure(folder: Path, game: str, seats: int, options: Mapping[str, object] | None) -> None:
    chance = random.Random(1)

    def lively(message: dict[str, Any]) -> Any:
        return chance.choice(message["options"])

    record = folder / f"{game}-{seats}.jsonl"
    bullring.play(*[lively] * seats, game=game, options=options, seed="pages", record=record)
    lines = read_lines(record)
    text, took = "", float("inf")
    for _ in range(REPEATS):
        began = time.process_time()
        text = page(lines)
        took = min(took, time.process_time() - began)
    deals = sum(line.startswith(b'{"deal"') for line in lines.raw())
    data = text.encode()
    print(
        f"{game:14} {seats:5} {deals:5} {len(data) // 1000:5} {len(gzip.compress(data)) // 1000:10} {1000 * took:5.0f}"
    )


if __name__ == "__main__":
    main()
