"""Plays like montecarlo with a fixed number of playouts, so that it is as strong on a slow machine as on a fast one."""

from collections.abc import Sequence

from bullring_bot import Option, run
from montecarlo import MonteCarlo, Playouts

GUESSES = 48
"""Deals of the hidden cards for a decision. Each time, every option that is left is played to the end of the deal."""


class Careful(MonteCarlo):
    """Does not look at the clock: a decision takes some 10 ms, at large tables a few times that."""

    name = "careful"

    def best(self, options: Sequence[Option], playouts: Playouts, budget: float, wanted: int) -> list[Option]:
        """The `wanted` options with the fewest heads. Without a `budget`, as after a fault, the first ones."""
        if budget <= 0:
            return list(options[:wanted])
        totals = dict.fromkeys(range(len(options)), 0.0)
        for _ in range(GUESSES):
            playouts.guess(self.random)
            for index in totals:
                totals[index] += playouts.heads(options[index])
        return [options[index] for index in sorted(totals, key=totals.__getitem__)[:wanted]]


if __name__ == "__main__":
    run(Careful())
