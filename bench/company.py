"""How often `bullring ladder company` marks pairs of honest bots, how large honest effects are, and which help it finds.

Three parts: `honest` plays homes of drawn characters (`characters.py`, on the simulator); `help` draws matches by strengths, in
which one bot is stronger beside another one; `colluders` plays the sample colluders of `colluding/` on the plain engine.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from bench import characters
from bench.figures import table, wide_console
from bullring.arena.rules.game import Batch, Shuffle
from bullring.arena.rules.registry import find
from bullring.arena.rules.shuffle import shuffled
from bullring.ladder.rating.company import Company, company
from bullring.ladder.rating.results import Results
from bullring.ladder.rating.scales import ELO
from bullring.ladder.rating.style import Unusual, unusual
from bullring.ladder.rating.tally import tally

HOMES = ((5, 4, 10_000), (6, 4, 10_000), (8, 4, 5_000), (12, 4, 20_000), (12, 3, 20_000), (14, 10, 20_000))
"""Bots, seats and matches."""

FOLDER = Path(__file__).parent / "colluding"
GREEDY = Path(__file__).resolve().parent.parent / "sample_bots" / "python" / "greedy"

Heads = NDArray[np.int64]


def tables(rng: np.random.Generator, bots: int, seats: int, matches: int) -> Heads:
    """(G, n): random line-ups."""
    return np.argsort(rng.random((matches, bots)), axis=1)[:, :seats].astype(np.int64)


def judged(bots: int, lineups: Heads, values: NDArray[Any]) -> tuple[Company, Unusual]:
    """The verdict on matches of these heads, or of any values of which less is better."""
    ranks = 1 + (values[:, None, :] < values[:, :, None]).sum(axis=-1)
    heads = np.rint(values).astype(np.int64)
    found = company(tally(Results.stacked(bots, lineups, ranks[:, None, :], heads[:, None, :])))
    return found, unusual(found, lineups.shape[1])


def honest(console: Console, homes: int) -> None:
    """Homes of honest bots: by strength alone, and of drawn characters."""
    shown = table(
        f"Honest homes, {homes} of each kind",
        *("bots", "seats", "matches", "luck", "homes with a mark", "largest effect", "largest beyond style", "spread"),
    )
    rng = np.random.default_rng(1)
    for bots, seats, matches in HOMES:
        for kind in ("strengths", "characters"):
            marks, largest, beyond, spreads = 0, 0.0, 0.0, []
            for _ in range(homes):
                lineups = tables(rng, bots, seats, matches)
                values: NDArray[Any]
                if kind == "characters":
                    values = characters.play(characters.drawn(rng, bots), lineups, int(rng.integers(1 << 40)))
                else:
                    values = of_strengths(rng, np.zeros((bots, bots)), lineups)
                found, verdict = judged(bots, lineups, values)
                marks += bool(verdict.marked.any())
                largest = max(largest, float(np.nanmax(np.abs(found.points))))
                beyond = max(beyond, float(np.nanmax(np.abs(verdict.beyond))))
                spreads.append(verdict.spread)
            shown.add_row(
                *(str(bots), str(seats), f"{matches:,}", kind, f"{marks / homes:.1%}"),
                *(f"{largest:.3f}", f"{beyond:.3f}", f"{np.median(spreads):.4f}"),
            )
    console.print(shown)


def of_strengths(rng: np.random.Generator, help_: NDArray[np.float64], lineups: Heads) -> NDArray[np.float64]:
    """Values of Plackett-Luce, with strengths of -150 to 150 Elo, and help_[i, j] more for j beside i."""
    own = np.linspace(-150, 150, len(help_))[lineups] + help_[lineups[:, :, None], lineups[:, None, :]].sum(axis=1)
    return np.asarray(12 - 4 * (own / ELO - np.log(rng.exponential(size=lineups.shape))))


def help_found(console: Console, homes: int) -> None:
    """Homes in which one bot is so much stronger beside another one, by strengths alone otherwise."""
    shown = table(
        f"One of 12 bots at 4 seats is helped by another, {homes} homes each: share of homes that mark it", "Elo"
    )
    sizes = (5_000, 20_000, 100_000)
    for size in sizes:
        shown.add_column(f"{size:,} matches ({size // 11:,} of the two)", justify="right")
    rng = np.random.default_rng(2)
    for elo in (25.0, 50.0, 75.0, 100.0, 150.0):
        help_ = np.zeros((12, 12))
        help_[3, 8] = elo
        cells = []
        for size in sizes:
            some = max(2, homes * 5_000 // size)
            marks = 0
            for _ in range(some):
                lineups = tables(rng, 12, 4, size)
                marks += bool(judged(12, lineups, of_strengths(rng, help_, lineups))[1].marked[3, 8])
            cells.append(f"{marks / some:.0%}")
        shown.add_row(f"{elo:g}", *cells)
    console.print(shown)


def loaded(name: str) -> Any:
    """A module of the colluders, which is a copy of greedy with another mind. Modules of bots do not stay imported."""
    sys.path[:0] = [str(FOLDER), str(GREEDY)]
    try:
        return importlib.import_module(name)
    finally:
        del sys.path[:2]


def colluders(console: Console, matches: int) -> None:
    """Two pairs of colluders among greedy bots of different care."""
    whispers, spares, bot = loaded("whispers"), loaded("spares"), loaded("bot")
    rng = Random(1)
    with tempfile.TemporaryDirectory() as notes:

        class Careless(bot.Greedy):  # type: ignore[misc, name-defined, unused-ignore]
            """Plays some cards by chance."""

            def __init__(self, share: float) -> None:
                self.share = share

            def decide(self, message: dict[str, Any]) -> Any:
                return rng.choice(message["options"]) if rng.random() < self.share else super().decide(message)

        pairs = [whispers.Whispers(), whispers.Whispers(), spares.Spares(notes), spares.Spares(notes)]
        players = pairs + [Careless(share) for share in (0.0, 0.0, 0.05, 0.1, 0.2, 0.3)]
        lineups = tables(np.random.default_rng(1), len(players), 4, matches)
        heads = np.array([one(players, lineup, number, Path(notes)) for number, lineup in enumerate(lineups.tolist())])
    found, verdict = judged(len(players), lineups, heads)
    shown = table(
        f"Sample colluders, {matches:,} matches of 10 bots at 4 seats",
        *("helped", "beside", "points", "±", "beyond style", "heads", "chance", "unusual from"),
    )
    for name, one_, other in (("whispers", 0, 1), ("whispers", 1, 0), ("spares", 2, 3), ("spares", 3, 2)):
        shown.add_row(
            *(f"{name} {other}", f"{name} {one_}", f"{found.points[one_, other]:+.3f}"),
            *(f"{1.96 * found.points_errors[one_, other]:.3f}", f"{verdict.beyond[one_, other]:+.3f}"),
            *(f"{found.heads[one_, other]:+.2f}", f"{verdict.chances[one_, other]:.2f}"),
            f"{verdict.least[one_, other]:.3f}",
        )
    console.print(shown)


def one(players: Sequence[Any], lineup: Sequence[int], number: int, notes: Path) -> list[int]:
    """The heads of one deal of `standard`."""
    game = find("standard")(len(lineup), {"deals": 1})
    bots = [players[index] for index in lineup]
    facts = {"game": game.id, "options": game.options, "seats": game.seats, "start": 0, "commitment": f"{number:032}"}
    for seat, bot in enumerate(bots):
        bot.welcome({**facts, "seat": seat, "seed": number})
    state, events = game.new(), list[Any]()
    seen = [0] * game.seats
    while isinstance(waits := state.pending, Shuffle | Batch):
        if isinstance(waits, Shuffle):
            game.advance_deal(state, shuffled(waits.deck, waits.cards, f"{number}", state.deal + 1))
            continue
        answers = []
        for seat, options in zip(waits.seats, waits.options, strict=True):
            news, seen[seat] = events[seen[seat] :], len(events)
            message = {"kind": waits.kind, "view": game.view(state, seat), "options": options, "events": news}
            answers.append(bots[seat].decide(message))
        events += game.advance(state, answers)
    for note in notes.iterdir():
        note.unlink()
    return list(state.scores)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="*", default=["honest", "help", "colluders"])
    parser.add_argument("--homes", type=int, default=100)
    parser.add_argument("--matches", type=int, default=20_000, help="of the colluders")
    given = parser.parse_args()
    console = wide_console()
    for part in given.part:
        match part:
            case "honest":
                honest(console, given.homes)
            case "help":
                help_found(console, given.homes)
            case "colluders":
                colluders(console, given.matches)
            case other:
                parser.error(f"the parts are honest, help and colluders, not {other}")


if __name__ == "__main__":
    main()
