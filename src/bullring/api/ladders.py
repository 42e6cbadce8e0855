"""Ladders from Python: make a home, add bots, run, and read the table."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import trio

from bullring.api import counting
from bullring.arena.cells.sandbox.cores import cores
from bullring.errors import LadderError, first_error
from bullring.ladder.run.cluster.cluster import Cluster, address_of
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.plan import planned, rated_game
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Stops, check_bots
from bullring.ladder.standings import ratings
from bullring.ladder.standings.columns import Row
from bullring.ladder.standings.cycles import Cycles
from bullring.ladder.standings.difference import Difference
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.overall import Overall
from bullring.ladder.standings.places import Places
from bullring.ladder.standings.standings import Standings
from bullring.ladder.store.add import add
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home
from bullring.ladder.store.rows import Format, ListRow
from bullring.ladder.store.store import Store
from bullring.ladder.submit.candidate import Step, Wanted
from bullring.ladder.submit.submission import submit

FORMATS = ("ladder", "round-robin", "gauntlet")
"""The formats that `Ladder.run` plays."""


class Ladder:
    """A ladder, which is kept in a folder, its home. `bullring ladder` works on the same homes.

    >>> import bullring, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp()) / "home"
    >>> ladder = bullring.Ladder.create(folder, time="2s", start="30s")
    >>> ladder.add("@greedy", "@random")
    ['greedy', 'random']
    >>> rows = ladder.run(seats=2, matches=4, jobs=1, sandbox="none", allow_unsandboxed=True)
    >>> sum(row.matches for row in rows)
    8
    >>> [row.bot for row in ladder.table()] == [row.bot for row in rows]
    True

    All methods raise `LadderError`, `StoreError`.
    """

    def __init__(self, home: str | Path) -> None:
        """Open the home in this folder. Raises `LadderError` if there is none."""
        self._home = Home.find(Path(home))

    def __repr__(self) -> str:
        return f"<Ladder {self._home.path}>"

    @classmethod
    def create(cls, home: str | Path, time: str = "1s", **times: str) -> "Ladder":
        """Make a home in a folder that is empty or does not exist. `time` limits each decision; give other limits by name:
        ``start="20s"``, ``bank="5s"``. Raises `LadderError`, `SettingsError`."""
        Home.create(Path(home), [time, *(f"{name}={value}" for name, value in times.items())])
        return cls(home)

    @property
    def path(self) -> Path:
        """The folder of the home."""
        return self._home.path

    def add(self, *bots: str | Path, name: str | None = None) -> list[str]:
        """Add bots as they are: "@greedy", folders (which are copied), command lines. Nothing is started: see `submit`.

        `name` is for a single bot. Returns their names. Raises `BotError`.
        """
        if name is not None and len(bots) > 1:
            raise LadderError(f"a name is for one bot, and {len(bots)} were given; add them one at a time")
        with changing(self._home) as store:
            return [add(self._home, store, str(bot), name).name for bot in bots]

    def submit(
        self,
        bot: str | Path,
        *,
        name: str | None = None,
        retire: bool = False,
        check: bool = True,
        sandbox: str | None = None,
        allow_unsandboxed: bool = False,
        told: Callable[[Step], None] | None = None,
    ) -> str:
        """Submit a bot as `bullring submit` does. Returns its name on the ladder: "mine", and "mine v2" for a second version.

        The newest versions play, `[ladder] active` of them. With `retire`, the earlier ones stay off for good. Without `check`, it
        is only tried in a match against copies of itself. `told` is called with every step. If the same files were submitted
        before, nothing changes. Raises `BotError`, `SandboxError`, `HostError`.
        """
        wish = self._home.settings().wish(sandbox, allow_unsandboxed, None)
        wanted = Wanted(str(bot), name, retire=retire, checked=check)
        with changing(self._home) as store:
            try:
                done = trio.run(submit, self._home, store, wanted, wish, told or (lambda _: None))
            except BaseExceptionGroup as group:
                raise first_error(group) from None
            return done.row.name

    def remove(self, bot: str) -> None:
        """Remove a bot from play; its results stay."""
        with changing(self._home) as store:
            store.set_state(store.bot(bot).id, "removed")

    def run(
        self,
        *,
        game: str | None = None,
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        matches: int | None = None,
        seconds: float | None = None,
        until_error: float | None = None,
        format: Format = "ladder",
        one: str | None = None,
        also: Sequence[str] = (),
        rounds: int = 1,
        duplicate: bool = False,
        jobs: int | None = None,
        cluster: str | None = None,
        sandbox: str | None = None,
        allow_unsandboxed: bool = False,
        told: Callable[[Happening], None] | None = None,
    ) -> list[Row]:
        """Play until a limit is reached: a number of `matches`, of `seconds`, or no interval wider than ± `until_error` Elo.

        `game`, `seats` and `options` choose what is played, by default the same as before. `format` is "ladder", "round-robin" or
        "gauntlet" (of the bot `one`). `also` names older versions of bots that play as well. With `duplicate`, each deal is played
        again with the bots in other seats: only for bots you trust, because their processes can tell each other the cards. `jobs`
        is the number of referee processes, by default one per core; with `cluster`, the address of a Dask scheduler or "local:4",
        its workers play instead. `told` is called with every happening. Returns the table. Raises `RulesError`, `SettingsError`,
        `SandboxError`, `HostError`.
        """
        if format not in FORMATS:
            raise LadderError(f"there is no format {format!r}; the formats are: {', '.join(FORMATS)}")
        if (format == "gauntlet") != (one is not None):
            raise LadderError(f'format="gauntlet" and one= go together, not format={format!r} with one={one!r}')
        rounds = counting("rounds", rounds)
        matches = None if matches is None else counting("matches", matches)
        jobs = len(cores()) if jobs is None else counting("jobs", jobs)
        with self._home.locked(), closing(self._home.store()) as store:
            table = rated_game(store, game, seats, options or {})
            asked = {store.bot(name).id for name in (*also, *([one] if one else []))}
            check_bots(sum(row.plays(asked) for row in store.bots()), table.seats)
            plays = planned(store, table, format, one, rounds, asked, duplicate=duplicate)
            rated = Rated(self._home, store, plays.list, until_error=until_error)
            listener = _Listener(told)
            chosen = None if cluster is None else Cluster(address_of(cluster))
            run = LadderRun(self._home, store, plays, rated, Stops(matches, seconds), jobs, listener, chosen)
            settings = self._home.settings()
            wish = settings.wish(sandbox, allow_unsandboxed, None)
            try:
                trio.run(run.run, settings, wish)
            except BaseExceptionGroup as group:
                raise first_error(group) from None
            return list(ratings.rated(store, plays.list).rows)

    def lists(self) -> list[ListRow]:
        """All lists of this ladder: one for each game with its options and number of seats."""
        with closing(self._home.store(read_only=True)) as store:
            return store.lists()

    def table(self, list_: ListRow | None = None) -> list[Row]:
        """The standings of a list, best first; without a list, those of the only one. Raises `LadderError` if there are several."""
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            return [] if chosen is None else Standings(store, chosen).rows()

    def overall(self, *lists: ListRow) -> list[Row]:
        """The standings over several lists, by default over all, in which every game counts the same, however many matches it has.

        Each row has its `ratings` in the lists. A bot that has no match in one of them has no rating over all.
        """
        with closing(self._home.store(read_only=True)) as store:
            return Overall.of(store, lists or store.lists(played=True)).rows()

    def history(self, bot: str, list_: ListRow | None = None, points: int = 20) -> list[Point]:
        """The history of a bot's rating in a list: about this many points, each after some matches, oldest first.

        Without a list, in the only one. Raises `LadderError` if there are several, or no such bot.
        """
        points = counting("points", points)
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            row = store.bot(bot)
            return [] if chosen is None else Standings(store, chosen).history(row.id, points)

    def more(self, list_: ListRow | None = None) -> More | None:
        """The matches and seconds needed for narrower intervals of a list; None if there are too few matches to tell.

        Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            if chosen is None:
                return None
            standings = Standings(store, chosen)
            standings.rows()
            return standings.more()

    def places(self, list_: ListRow | None = None) -> Places | None:
        """The places of a list that are decided, those that are open, and what deciding them takes; None if nothing was played.

        It prints as a sentence. Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            return None if chosen is None else Standings(store, chosen).places()

    def cycles(self, list_: ListRow | None = None) -> Cycles | None:
        """The bots of a list that beat each other in a circle, more than chance explains; None if nothing was played.

        It prints as a sentence, empty without a cycle. Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            return None if chosen is None else Standings(store, chosen).cycles()

    def compare(self, *bots: str, list_: ListRow | None = None) -> list[Difference]:
        """Say how much stronger each of some bots is than those named after it; a single one is compared with all others.

        Each answer has the figures, and prints as a sentence. Without a list, of the only one. Raises `LadderError`.
        """
        if not bots:
            raise LadderError("there is nothing to compare; name at least one bot")
        with closing(self._home.store(read_only=True)) as store:
            chosen = list_ or self._only(store)
            if chosen is None:
                raise LadderError("nothing has been played on this ladder yet; start with run()")
            return Standings(store, chosen).compare(bots)

    def _only(self, store: Store) -> ListRow | None:
        lists: Sequence[ListRow] = store.lists(played=True) or store.lists()
        if len(lists) > 1:
            raise LadderError(
                f"there are {len(lists)} lists; pass one of lists() to this call: {'; '.join(row.title for row in lists)}"
            )
        return lists[0] if lists else None

    def record(self, match: int) -> Path:
        """The path of the record of a match, given by its number; read it with `bullring.read`.

        Raises `LadderError` if there is no such record.
        """
        path = self._home.record(match) if isinstance(match, int) else None
        if path is None or not path.is_file():
            raise LadderError(
                f"this ladder has no record of a match {match!r}; a match is given by its number, such as 17"
            )
        return path


class _Listener:
    def __init__(self, told: Callable[[Happening], None] | None) -> None:
        self._told = told

    wants_matches = True

    def happened(self, happening: Happening) -> None:
        if self._told is not None:
            self._told(happening)

    def tick(self, progress: Progress) -> None:
        pass


__all__ = ["Ladder"]
