"""Does the card that an analysis calls best win? `python -m bench.analysis [--policy POLICY...] [--deals N]`.

Two seats play the option with the fewest expected heads, estimated as `bullring analyse` does, and two play as `montecarlo` does:
they halve their options over playouts by chance. In process, with fixed numbers of playouts, so that clocks and other programs
play no part. Prints the Elo of one deal with its 95 % interval, a deal being one observation. Needs numba.
"""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from bench.strength import MONTECARLO, compared, player
from bullring.arena.analysis.facts import POLICIES, POLICY
from bullring.arena.rules.game import Game, Option
from bullring.arena.simulator import playouts, position

SEATS = 4


def best(policy: str, count: int) -> Callable[..., Option]:
    """Plays the option with the fewest expected heads, by so many playouts of each option."""

    def choose(game: Game[Any], view: dict[str, Any], kind: str, options: Sequence[Any], number: int) -> Option:
        chosen: Option = max(options)  # in drafts, like montecarlo: the simulator begins after them
        if kind != "draft":
            found = position(game.id, game.options, game.seats, view, kind)
            drawn = playouts(found, options, policy, count, number * 16 + view["seat"])
            chosen = options[int(drawn[:, :, view["seat"]].mean(axis=0).argmin())]
        return chosen

    return choose


def main() -> None:
    """Play, and print what came out."""
    parser = argparse.ArgumentParser(description="The best card of an analysis against montecarlo, in process.")
    parser.add_argument("--policy", nargs="+", choices=POLICIES, default=[POLICY])
    parser.add_argument("--game", default="standard")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--playouts", type=int, default=400, help="playouts of each option")
    parser.add_argument("--against", type=int, default=270, help="those of montecarlo")
    parser.add_argument("--seed", default="analysis")
    args = parser.parse_args()
    for policy in args.policy:
        both = [best(policy, args.playouts), player(MONTECARLO, args.against)]
        print(f"{policy:8} {compared(both, args.game, SEATS, args.deals, args.seed)}", flush=True)


if __name__ == "__main__":
    main()
