"""The delay with which a hung bot is noticed under full load, by the referee and by a Python epoll loop."""

from functools import partial

from rich.console import Console

from bench.figures import Target, alone, fresh, interleaved, table

NAMES = {"floor_lateness": "Python epoll loop", "lateness": "the whole referee"}
WANTED_MS = 2.5
WANTED_RATIO = 3.0


def section(console: Console, seconds: float) -> list[Target]:
    """Measure both and print the table."""
    found = interleaved({name: partial(fresh, name, "--seconds", seconds) for name in NAMES}, 1)
    shown = table(
        f"Delay in noticing a hung bot among 32 busy matches, limit 50 ms, {seconds:g} s each",
        *("program", "noticed", "median us", "p99 us", "worst us", "early", "innocent at fault", "void", "decisions"),
    )
    for name, title in NAMES.items():
        facts = found[name][0]
        columns = ("noticed", "median_us", "p99_us", "worst_us", "early", "innocent", "void", "decisions")
        shown.add_row(title, *(f"{facts[column]:,.0f}" if column in facts else "-" for column in columns))
    console.print(shown)
    floor, referee = (found[name][0] for name in NAMES)
    return [
        Target("lateness of a hung bot, p99", referee["p99_us"] / 1e3, WANTED_MS, "ms"),
        Target("lateness of a hung bot, p99, v a Python epoll loop", referee["p99_us"] / floor["p99_us"], WANTED_RATIO),
        Target("hung bots called late before their limit", referee["early"], 0, "times"),
        Target(f"faults of innocent bots in {referee['decisions']:,.0f} decisions", referee["innocent"], 0, "times"),
    ]


if __name__ == "__main__":
    alone(section, __doc__, seconds=10.0)
