"""Very many deals of each covered game, played again by the rules engine: `make soak-simulator`.

Deals are shared among all numbers of seats and all options; policies change from deal to deal. Needs compiled kernels, so that the
rules engine takes most of the time.
"""

import argparse
import sys
import time

from bullring.arena.games.simulator import COMPILED, GAMES, POLICIES, chains, histories
from tests.arena.games.simulator import following
from tests.arena.games.simulator.comparing import compare, covered

BATCH = 500


def followed(game: str, deals: int, seed: int) -> bool:
    """Play deals of a game of chains, and print a line. Returns whether all are equal."""
    cases = [case for case in following.cases() if case[0] == game]
    policies = following.policies(game)
    each, began, done = -(-deals // len(cases)), time.perf_counter(), 0
    try:
        for name, seats, options in cases:
            for first in range(0, each, BATCH):
                policy, count = policies[first // BATCH % len(policies)], min(BATCH, each - first)
                following.compare(name, seats, options, policy, count, seed * 1_000_003 + first)
                done += count
    except AssertionError as error:
        print(f"{game}: differs, seed {seed}: {str(error).splitlines()[0]}")
        return False
    print(f"{game:14}{done:>9} chains equal, {done / (time.perf_counter() - began):>7.0f} a second", flush=True)
    return True


def main() -> int:
    """Print a line for each game. The exit code is 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.arena.games.simulator.soak", description=__doc__)
    parser.add_argument("--deals", type=int, default=100_000, help="of each game (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays other deals")
    parser.add_argument(
        "--game", action="append", choices=sorted(GAMES | chains.CHAINS), help="only this game; may be repeated"
    )
    given = parser.parse_args()
    if not COMPILED:
        sys.exit("this takes hours without numba: pip install 'bullring[fast]'")
    failed = False
    for game in given.game or sorted(GAMES | chains.CHAINS):
        failed |= not followed(game, given.deals, given.seed) if game in chains.CHAINS else False
        cases = [case for case in covered() if case[0] == game]
        if not cases:
            continue
        each, began, done = -(-given.deals // len(cases)), time.perf_counter(), 0
        try:
            for name, seats, options in cases:
                for first in range(0, each, BATCH):
                    seed = given.seed * 1_000_003 + first
                    policies = [POLICIES[(first // BATCH + at) % len(POLICIES)] for at in range(seats)]
                    found = histories(name, seats, options, policies, min(BATCH, each - first), seed)
                    compare(name, seats, options, found)
                    done += len(found.heads)
        except AssertionError as error:
            failed = True
            print(f"{game}: differs, seed {given.seed}: {str(error).splitlines()[0]}")
            continue
        print(f"{game:14}{done:>9} deals equal, {done / (time.perf_counter() - began):>7.0f} a second", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
