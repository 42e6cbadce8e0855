"""`bullring duel`: test whether a new version of a bot is better."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import (
    PATH,
    ClusterWish,
    RunWish,
    SandboxWish,
    TableWish,
    cluster_options,
    run_options,
    sandbox_options,
    table_options,
    time_option,
    together,
)
from bullring.cli.values import BOT
from bullring.errors import LadderError

with late():
    import tempfile

    from rich.console import Console

    from bullring.arena.cells.text.harmless import harmless
    from bullring.cli.ladder.chosen import playing
    from bullring.cli.ladder.runs import continuing, listener_for, play_run, resuming
    from bullring.ladder.rating.sequential import Sequential
    from bullring.ladder.run.duel import duel, sequential_test
    from bullring.ladder.run.run import LadderRun, Stops
    from bullring.ladder.store.add import add
    from bullring.ladder.store.home import Home
    from bullring.ladder.store.store import Store
    from bullring.ladder.watching.display.duel import DuelPicture
    from bullring.ladder.watching.display.run import LiveListener


@dataclass(frozen=True)
class _TestWish:
    """The hypotheses and error probabilities of the test."""

    elo0: float | None
    elo1: float | None
    equal: float | None
    alpha: float
    beta: float

    def test(self) -> Sequential:
        """The test. Raises `LadderError`."""
        return sequential_test(self.elo0, self.elo1, self.equal, self.alpha, self.beta)


_test_options = together(
    "bounds",
    _TestWish,
    *(
        click.option(flag, type=kind, default=default, show_default=True, metavar=metavar, help=text)
        for flag, kind, default, metavar, text in (
            ("--elo0", float, None, "ELO", "Null hypothesis: NEW is at most this many Elo stronger. Default: 0."),
            (
                "--elo1",
                float,
                None,
                "ELO",
                "Alternative hypothesis: NEW is at least this many Elo stronger. Default: 10.",
            ),
            (
                "--equal",
                click.FloatRange(min=0, min_open=True),
                None,
                "ELO",
                "Test whether the bots are equal within this many Elo, instead of whether NEW is better.",
            ),
            (
                "--alpha",
                float,
                0.05,
                None,
                "The probability of calling NEW better if --elo0 is true; of calling the bots equal if they are --equal apart.",
            ),
            (
                "--beta",
                float,
                0.05,
                None,
                "The probability of calling NEW not better if --elo1 is true; of not calling equal bots equal.",
            ),
        )
    ),
)


@click.command(name="duel")
@click.argument("new", type=BOT)
@click.argument("old", type=BOT)
@table_options
@click.option(
    "--pool",
    multiple=True,
    metavar="BOT",
    type=BOT,
    help="A bot for the other seats. May be repeated. Default with --home: all other bots.",
)
@_test_options
@run_options
@cluster_options
@time_option
@click.option("--json", "as_json", is_flag=True, help="Print events as JSON lines, and the verdict at the end.")
@click.option("--home", type=PATH, help="A ladder's home whose bots play. Default: none.")
@sandbox_options
def command(
    new: str,
    old: str,
    table: TableWish,
    pool: tuple[str, ...],
    bounds: _TestWish,
    wish: RunWish,
    cluster: ClusterWish,
    times: tuple[str, ...],
    as_json: bool,
    home: Path | None,
    sandbox: SandboxWish,
) -> int:
    """Test whether the bot NEW is better than OLD.

    The test takes as few matches as it can. Bots are @NAMES, folders or command lines, and nothing is kept. With --home, they are
    bots of that home, its limits apply, an interrupted duel continues, and a decided one shows its verdict.

    Every group is two matches with the same deals, in which the two bots swap seats; the pool fills the other seats. The number of
    independent matches that a match is worth is measured and printed. Both programs should be your own, because processes of one
    bot can tell each other the cards.
    """
    test = bounds.test()
    chosen = cluster.chosen(wish)
    with _place(home, new, old, pool, times) as (place, store):
        names = (new, old) if home is not None else ("new", "old")
        duellists = playing(place, store, names[0]).id, playing(place, store, names[1]).id
        others = _others(place, store, duellists, pool if home is not None else None)
        plays, score = duel(store, duellists, others, test, table.kind(), table.seats, table.given)
        picture = DuelPicture(plays.list.title, (new, old), score)
        listener = listener_for(lambda console: LiveListener(picture, console), as_json=as_json)
        run = LadderRun(place, store, plays, score, Stops(wish.matches, wish.seconds), wish.processes, listener, chosen)
        settings = place.settings()
        decided = score.enough([]) is not None  # by an earlier run of this duel, and nothing would change it
        code = 0 if decided else play_run(run, settings, sandbox.over(settings), listener)
        picture.stopped = True
        picture.benched = [
            harmless(f"{row.name}: {row.reason}")
            for row in store.bots()
            if row.id in duellists and row.state == "benched"
        ]
    if as_json:
        told = {"type": "verdict", **score.result(*names).facts(), "benched": picture.benched}
        click.echo(json.dumps(told))
    else:
        if decided or not Console().is_terminal:
            Console().print(picture)
        if decided:
            click.echo("decided by an earlier run; nothing was played")
        elif home is not None and score.enough([]) is None and not picture.benched:
            click.echo(continuing(resuming(place), Console()))
    return code


def _others(place: Home, store: Store, duellists: tuple[int, int], pool: Sequence[str] | None) -> list[int]:
    """The ids of the bots for the other seats: the pool, else those that play on this home; all bots of a temporary one."""
    if pool is None:
        return [row.id for row in store.bots() if row.id not in duellists]
    if pool:
        found = dict.fromkeys(playing(place, store, name).id for name in pool)
        return [id for id in found if id not in duellists]
    return [row.id for row in store.bots() if row.state == "active" and row.id not in duellists]


@contextmanager
def _place(
    home: Path | None, new: str, old: str, pool: Sequence[str], times: Sequence[str]
) -> Iterator[tuple[Home, Store]]:
    """The home that was named, or a temporary one for this duel."""
    if home is not None:
        if times:
            raise LadderError(
                "--time cannot be used with --home, whose limits are in its settings.toml; leave out --time"
            )
        place = Home.find(home)
        with place.locked():
            yield place, place.store()
        return
    with tempfile.TemporaryDirectory(prefix="bullring-duel-") as folder:
        place = Home.create(Path(folder) / "home", times)
        place.own = True
        store = place.store()
        for role, text in [("new", new), ("old", old), *((f"pool {i}", text) for i, text in enumerate(pool, 1))]:
            try:
                add(place, store, text, None if role.startswith("pool") else role)
            except LadderError:  # its own name is taken, or too long
                if not role.startswith("pool"):
                    raise
                add(place, store, text, role)
        with place.locked():
            yield place, store
