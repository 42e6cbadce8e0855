"""How strong the bot strong is, in process: variants of it against playouts at random, at fixed numbers of playouts.

    python -m bench.strength [--game standard] [--seats 4] [--deals 200] [--playouts 400] [VARIANT...]

Single deals, variants on every other seat, the seats exchanged from deal to deal. The opponent halves the options over `--against`
playouts by chance, which is what `montecarlo` does, for its own heads alone. Elo of one deal with 95 % intervals, a deal being one
observation. In matches of several deals the lead is larger. Far cheaper than matches of processes, and free of clocks; what a
second of processor time buys is the business of `bullring match`.
"""

import argparse
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bullring.arena.rules.game import Batch, Game, Option, Shuffle
from bullring.arena.rules.registry import GAMES
from bullring.arena.rules.shuffle import shuffled
from bullring.arena.simulator import playouts, position
from bullring.arena.simulator.chance import streams

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "sample_bots" / "python" / "strong"))
os.environ.setdefault("BULLRING_KERNELS", str(Path("~/.cache/bullring/kernels").expanduser()))

import search  # type: ignore[import-not-found]  # the bot's own files


@dataclass(frozen=True)
class Variant:
    """A way to choose."""

    mine: str = "sharp"
    """The policy of the deciding seat in playouts."""
    others: str = "trained"
    noise: float = 1.0
    rivals: float = 0.3
    """What a head of an average rival counts, against one of mine."""
    share: float = 1.0
    """Playouts, as a part of those of the others: ideas that cost time get fewer."""


VARIANTS = {
    "strong": Variant(),
    "without the sharper self": Variant(mine="trained"),
    "without the trained policy": Variant("noisy", "noisy", noise=6.0),
    "without any policy": Variant("random", "random", share=3.0),
    "without the rivals": Variant(rivals=0.0),
}
"""The bot, and the bot without one idea each."""

MONTECARLO = Variant("random", "random", rivals=0.0)


class Question:
    """A question to a variant, as `search.best` wants it."""

    def __init__(
        self, variant: Variant, game: Game[Any], view: dict[str, Any], kind: str, options: Sequence[Option]
    ) -> None:
        self.position = position(game.id, game.options, game.seats, view, kind)
        self.seat = view["seat"]
        self.options = np.array(options)
        self.variant = variant
        self.policies = [variant.mine if seat == self.seat else variant.others for seat in range(game.seats)]

    def playouts(self, options: NDArray[np.int64], count: int, chance: NDArray[np.int64]) -> NDArray[np.int16]:
        """Heads by playout, place in `options` and seat."""
        chance[0] = streams(int(chance[0]), 0, 1)[0]
        chosen = self.options[options].tolist()
        return playouts(self.position, chosen, self.policies, count, int(chance[0]), noise=self.variant.noise)


def decide(
    variant: Variant, count: int, game: Game[Any], view: dict[str, Any], kind: str, options: Sequence[Option], seed: int
) -> Option:
    """What a variant chooses with so many playouts an option."""
    if kind == "draft":
        return max(options)
    if len(options) == 1:
        return options[0]
    search.RIVALS = variant.rivals
    total = count * variant.share * len(options)
    question = Question(variant, game, view, kind, options)
    best: int = search.best(question, len(options), streams(seed, 0, 1), lambda done: done / total)
    return options[best]


def deal(game: Game[Any], choosers: Sequence[Callable[..., Option]], seed: str) -> list[int]:
    """The heads of all seats after a match of one deal."""
    state = game.new()
    asked = 0
    while isinstance(waits := state.pending, Shuffle | Batch):
        if isinstance(waits, Shuffle):
            game.advance_deal(state, shuffled(waits.deck, waits.cards, seed, state.deal + 1))
            continue
        asked += 1
        told = zip(waits.seats, waits.options, strict=True)
        answers = [choosers[seat](game, game.view(state, seat), waits.kind, options, asked) for seat, options in told]
        game.advance(state, answers)
    return list(state.scores)


def player(chosen: Variant, count: int) -> Callable[..., Option]:
    """A variant with so many playouts an option, as `deal` wants it."""
    return lambda game, view, kind, options, number: decide(
        chosen, count, game, view, kind, options, number * 16 + view["seat"]
    )


def compare(variant: Variant, args: argparse.Namespace) -> str:
    """Play the deals, and say how it went."""
    both = [player(variant, args.playouts), player(MONTECARLO, args.against)]
    return compared(both, args.game, args.seats, args.deals, args.seed)


def compared(both: Sequence[Callable[..., Option]], name: str, seats: int, deals: int, seed: str) -> str:
    """Play single deals of the first one against the second one, on every other seat, and say how it went."""
    kind = GAMES[name]
    game = kind(seats, {"deals": 1} if "deals" in {spec.name for spec in kind.option_specs} else {})
    points, margins = [], []
    for number in range(deals):
        sides = [(seat + number) % 2 for seat in range(seats)]
        heads = np.array(deal(game, [both[side] for side in sides], f"{seed} {number}"))
        mine, theirs = heads[np.equal(sides, 0)][:, None], heads[np.equal(sides, 1)][None]
        points.append(((mine < theirs) + 0.5 * (mine == theirs)).mean())
        margins.append(theirs.mean() - mine.mean())
    score, error = np.mean(points), np.std(points, ddof=1) / math.sqrt(len(points))
    elo = 400 * math.log10(score / (1 - score))
    width = 1.96 * error / (score * (1 - score)) * 400 / math.log(10)
    margin = 1.96 * np.std(margins, ddof=1) / math.sqrt(len(margins))
    return f"Elo {elo:+6.1f} ± {width:5.1f}   heads less {np.mean(margins):+5.2f} ± {margin:.2f}"


def main() -> None:
    """Compare."""
    parser = argparse.ArgumentParser(description="Variants of the bot strong against playouts by chance.")
    parser.add_argument("variants", nargs="*", metavar="VARIANT", help=f"of {', '.join(VARIANTS)}; all by default")
    parser.add_argument("--game", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=400, help="playouts an option")
    parser.add_argument("--against", type=int, default=200, help="those of the opponent")
    parser.add_argument("--seed", default="strength")
    args = parser.parse_args()
    for name in args.variants or VARIANTS:
        print(f"{name:28} {compare(VARIANTS[name], args)}", flush=True)


if __name__ == "__main__":
    main()
