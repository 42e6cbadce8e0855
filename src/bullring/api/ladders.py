"""Ladders from Python: make a home, add bots, run, and read the table."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from bullring.api import counting, positive
from bullring.api.calls import awaited, brief, waiting
from bullring.api.results import Decision, Match, decisions_table, matches_table
from bullring.arena.cells.sandbox.cores import cores
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.games.rules.registry import find
from bullring.arena.match.play import Report
from bullring.arena.study.analysis import ENGINE_PLAYOUTS, ERROR, PLAYOUTS, POLICY
from bullring.arena.study.analysis.kept import current, keep
from bullring.arena.study.analysis.result import Method
from bullring.errors import LadderError, Refusal, StoreError, WriteError
from bullring.ladder.run.cluster.cluster import Cluster, address_of
from bullring.ladder.run.dispatch import Plays
from bullring.ladder.run.duel import duel, sequential_test
from bullring.ladder.run.live_ratings import Rated
from bullring.ladder.run.plan import planned, rated_game
from bullring.ladder.run.progress import Happening, Progress
from bullring.ladder.run.run import LadderRun, Stops, check_bots
from bullring.ladder.standings import ratings
from bullring.ladder.standings.audited import audited
from bullring.ladder.standings.columns import Row, facts_of
from bullring.ladder.standings.cycles import Cycles
from bullring.ladder.standings.difference import Difference
from bullring.ladder.standings.duel import DuelResult
from bullring.ladder.standings.history import Point
from bullring.ladder.standings.matches_needed import More
from bullring.ladder.standings.overall import Overall
from bullring.ladder.standings.places import Places
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.standings.standings import Standings
from bullring.ladder.standings.versions import versions
from bullring.ladder.store.add import add
from bullring.ladder.store.audit import Audit
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home
from bullring.ladder.store.progress import Tell, nobody
from bullring.ladder.store.rows import BotRow, Format, ListRow, StoredState
from bullring.ladder.store.store import Store
from bullring.ladder.submit.candidate import Step, Wanted
from bullring.ladder.submit.submission import submit
from bullring.ladder.watching.display.export import seat_rows, write_csv, write_lines, write_parquet
from bullring.ladder.watching.site import ANALYSE, REPLAYS
from bullring.tabular import Table

if TYPE_CHECKING:
    from bullring.ladder.gauge.score import Sample, Score

FORMATS = ("ladder", "round-robin", "gauntlet")
"""The formats that `Ladder.run` plays."""

_MOST = 1 << 62
"""More matches than there are."""

EXPORTS = {".jsonl": "json", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
"""The formats of `Ladder.export`, by the end of a file's name."""


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

    What plays or builds has an asynchronous form, too: ``await ladder.arun(...)`` under asyncio, where it runs in a thread, or
    under trio. Ctrl-C, also in a notebook, ends processes first and loses no result; cancelling does the same.

    Lists of results are tables: they have ``to_dicts()``, ``to_pandas()`` and ``to_polars()``.

    All methods raise `LadderError`, `StoreError`.
    """

    @brief
    def __init__(self, home: str | Path) -> None:
        """Open the home in this folder. Raises `LadderError` if there is none."""
        if not isinstance(home, str | Path):
            raise LadderError(f"a home is a folder, named by a text or a Path, not {home!r:.80}")
        self._home = Home.find(Path(home))

    def __repr__(self) -> str:
        return f"<Ladder {self._home.path}>"

    @classmethod
    @brief
    def create(cls, home: str | Path, time: str = "1s", **times: str) -> "Ladder":
        """Make a home in a folder that is empty or does not exist. `time` limits each decision; give other limits by name:
        ``start="20s"``, ``bank="5s"``. Raises `LadderError`, `SettingsError`."""
        Home.create(Path(home), [time, *(f"{name}={value}" for name, value in times.items())])
        return cls(home)

    @property
    def path(self) -> Path:
        """The folder of the home."""
        return self._home.path

    @brief
    def add(self, *bots: str | Path, name: str | None = None) -> list[str]:
        """Add bots as they are: "@greedy", folders (which are copied), command lines. Nothing is started: see `submit`.

        `name` is for a single bot. Returns their names. Raises `BotError`.
        """
        if name is not None and len(bots) > 1:
            raise LadderError(f"a name is for one bot, and {len(bots)} were given; add them one at a time")
        with changing(self._home) as store:
            return [add(self._home, store, str(bot), name).name for bot in bots]

    @awaited
    async def asubmit(
        self,
        bot: str | Path,
        *,
        name: str | None = None,
        run: str = "",
        retire: bool = False,
        check: bool = True,
        sandbox: str | None = None,
        allow_unsandboxed: bool = False,
        told: Callable[[Step], None] | None = None,
    ) -> str:
        """Submit a bot as `bullring submit` does. Returns its name on the ladder: "mine", and "mine v2" for a second version.

        The newest versions play, `[ladder] active` of them. With `retire`, the earlier ones stay off for good. Without `check`, it
        is only tried in a match against copies of itself. `run` is the command of the bot in its image, for "image:NAME". `told` is
        called with every step. If the same files were submitted before, nothing changes. Raises `BotError`, `SandboxError`,
        `HostError`; a `Refusal` has the findings in its `lines`.
        """
        wish = self._home.settings().wish(sandbox, allow_unsandboxed, None)
        wanted = Wanted(str(bot), name, run, retire, check)
        with changing(self._home) as store:
            try:
                done = await submit(self._home, store, wanted, wish, told or (lambda _: None))
            except Refusal as error:
                for line in error.lines:  # they are shown with the error
                    error.add_note(f"  {harmless(line)}")
                raise
            return done.row.name

    submit = waiting(asubmit, "submit")

    @brief
    def bots(self) -> Table[BotRow]:
        """All bots, version by version, in the order in which they were added; as a table, also with their ratings."""
        with closing(self._home.store(read_only=True)) as store:
            return Table(store.bots(), versions(self._home, store))

    @brief
    def remove(self, bot: str) -> BotRow:
        """Take a bot off the ladder; its results stay. A version is named by its label: "mine v2"."""
        return self._changed(bot, "removed")

    @brief
    def retire(self, bot: str) -> BotRow:
        """Retire a bot, because there is a better version; its results stay."""
        return self._changed(bot, "retired")

    @brief
    def reinstate(self, bot: str) -> BotRow:
        """Let a benched, retired or removed bot play again. Its earlier faults no longer count against it."""
        return self._changed(bot, "active")

    def _changed(self, bot: str, state: StoredState) -> BotRow:
        with changing(self._home) as store:
            row = store.bot(bot)
            store.set_state(row.id, state)
            return store.bot(row.name)

    @awaited
    async def arun(
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
        told: Callable[[Happening], object] | None = None,
        progress: Callable[[Progress], object] | None = None,
    ) -> Table[Row]:
        """Play until a limit is reached: a number of `matches`, of `seconds`, or no interval wider than ± `until_error` Elo.

        `game`, `seats` and `options` choose what is played, by default the same as before. `format` is "ladder", "round-robin" or
        "gauntlet" (of the bot `one`). `also` names older versions of bots that play as well. With `duplicate`, each deal is played
        again with the bots in other seats: only for bots you trust, because their processes can tell each other the cards. `jobs`
        is the number of referee processes, by default one per core; with `cluster`, the address of a Dask scheduler or "local:4",
        its workers play instead. `told` is called with every happening, `progress` several times a second. Returns the table.
        Raises `RulesError`, `SettingsError`, `SandboxError`, `HostError`.
        """
        if format not in FORMATS:
            raise LadderError(f"there is no format {format!r}; the formats are: {', '.join(FORMATS)}")
        if (format == "gauntlet") != (one is not None):
            raise LadderError(f'format="gauntlet" and one= go together, not format={format!r} with one={one!r}')
        rounds = counting("rounds", rounds)
        until_error = positive("until_error", until_error)
        ends = _Ends(matches, seconds, jobs, cluster, sandbox, allow_unsandboxed)
        with self._home.locked(), closing(self._home.store()) as store:
            table = rated_game(store, game, seats, options or {})
            asked = {store.bot(name).id for name in (*also, *([one] if one else []))}
            check_bots(sum(row.plays(asked) for row in store.bots()), table.seats)
            plays = planned(store, table, format, one, rounds, asked, duplicate=duplicate)
            rated = Rated(self._home, store, plays.list, until_error=until_error)
            await self._play(store, plays, rated, ends, _Listener(told, progress))
            return _standings(ratings.rated(store, plays.list).rows)

    run = waiting(arun, "run")

    async def _play(self, store: Store, plays: Plays, score: Scoreboard, ends: "_Ends", listener: "_Listener") -> None:
        chosen = None if ends.cluster is None else Cluster(address_of(ends.cluster))
        jobs = ends.jobs or len(cores())
        run = LadderRun(self._home, store, plays, score, Stops(ends.matches, ends.seconds), jobs, listener, chosen)
        settings = self._home.settings()
        await run.run(settings, settings.wish(ends.sandbox, ends.allow_unsandboxed, None))

    @awaited
    async def aduel(
        self,
        new: str,
        old: str,
        *,
        pool: Sequence[str] = (),
        game: str = "standard",
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        elo0: float | None = None,
        elo1: float | None = None,
        equal: float | None = None,
        alpha: float = 0.05,
        beta: float = 0.05,
        matches: int | None = None,
        seconds: float | None = None,
        jobs: int | None = None,
        cluster: str | None = None,
        sandbox: str | None = None,
        allow_unsandboxed: bool = False,
        told: Callable[[Happening], object] | None = None,
        progress: Callable[[Progress], object] | None = None,
    ) -> DuelResult:
        """Test whether the bot `new` is better than `old`, as `bullring duel --home` does: in as few matches as that takes.

        The bots of the `pool` fill the other seats, by default all that play. The verdict is "better" if `new` is `elo1` Elo
        stronger rather than `elo0`, 10 rather than 0 without them; with `equal`, whether the two are equal within so many. `alpha`
        and `beta` are the probabilities of the two errors. A duel that was interrupted goes on. Raises as `run` does.
        """
        test = sequential_test(elo0, elo1, equal, alpha, beta)
        ends = _Ends(matches, seconds, jobs, cluster, sandbox, allow_unsandboxed)
        with self._home.locked(), closing(self._home.store()) as store:
            pair = _playing(store, new).id, _playing(store, old).id
            others = [_playing(store, name) for name in pool] or [row for row in store.bots() if row.state == "active"]
            ids = [id for id in dict.fromkeys(row.id for row in others) if id not in pair]
            plays, score = duel(store, pair, ids, test, find(game), seats, options or {})
            if score.enough([]) is None:  # else it was decided by an earlier run
                await self._play(store, plays, score, ends, _Listener(told, progress))
            return score.result(new, old)

    duel = waiting(aduel, "duel")

    @awaited
    async def agauge(
        self,
        *bots: str,
        game: str = "standard",
        seats: int | None = None,
        options: Mapping[str, object] | None = None,
        until_error: float = 15.0,
        matches: int | None = None,
        seconds: float | None = None,
        jobs: int | None = None,
        sandbox: str | None = None,
        allow_unsandboxed: bool = False,
        progress: "Callable[[Score], object] | None" = None,
    ) -> "Table[Score]":
        """Measure the strength of bots against the house, as `bullring gauge --home` does, with luck subtracted.

        It ends when each adjusted interval is no wider than ± `until_error` Elo, or after `matches` of each bot, or `seconds`. The
        home keeps the matches, so a gauge that was interrupted goes on. `progress` is called with the score after each match.
        Raises `RulesError`, `SettingsError`, `BotError`, `SandboxError`, `HostError`.
        """
        from bullring.ladder.gauge.company import gauged_game, measure, of_home  # these import the simulator
        from bullring.ladder.gauge.score import Until

        if not bots:
            raise LadderError("there is nothing to gauge; name at least one bot")
        jobs = len(cores()) if jobs is None else counting("jobs", jobs)
        until = Until(until_error, None if matches is None else counting("matches", matches), seconds, jobs)
        table = gauged_game(find(game), seats, dict(options or {}))

        def told(bot: object, score: "Score", report: Report, sample: "Sample | None") -> None:
            if report.record is not None:
                report.record.unlink()
            if progress is not None:
                progress(score)

        with (
            TemporaryDirectory(prefix="bullring-gauge-") as folder,
            of_home(self._home, lambda store: [_playing(store, name) for name in bots], table) as company,
        ):
            scores = company.scores()
            wish = company.settings.wish(sandbox, allow_unsandboxed, None)
            await measure(company, table, wish, until, scores, Path(folder), told)
        return Table(scores, (score.facts() for score in scores))

    gauge = waiting(agauge, "gauge")

    @brief
    def lists(self) -> list[ListRow]:
        """All lists of this ladder: one for each game with its options and number of seats."""
        with closing(self._home.store(read_only=True)) as store:
            return store.lists()

    @brief
    def table(self, list_: ListRow | None = None) -> Table[Row]:
        """The standings of a list, best first; without a list, those of the only one. Raises `LadderError` if there are several."""
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            return _standings([] if chosen is None else Standings(store, chosen).rows())

    @brief
    def overall(self, *lists: ListRow) -> Table[Row]:
        """The standings over several lists, by default over all, in which every game counts the same, however many matches it has.

        Each row has its `ratings` in the lists. A bot that has no match in one of them has no rating over all.
        """
        with closing(self._home.store(read_only=True)) as store:
            return _standings(Overall.of(store, lists or store.lists(played=True)).rows())

    @brief
    def history(self, bot: str, list_: ListRow | None = None, points: int = 20) -> Table[Point]:
        """The history of a bot's rating in a list: about this many points, each after some matches, oldest first.

        Without a list, in the only one. Raises `LadderError` if there are several, or no such bot.
        """
        points = counting("points", points)
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            row = store.bot(bot)
            found = [] if chosen is None else Standings(store, chosen).history(row.id, points)
            return Table(found, map(vars, found))

    @brief
    def more(self, list_: ListRow | None = None) -> More | None:
        """The matches and seconds needed for narrower intervals of a list; None if there are too few matches to tell.

        Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            if chosen is None:
                return None
            standings = Standings(store, chosen)
            standings.rows()
            return standings.more()

    @brief
    def places(self, list_: ListRow | None = None) -> Places | None:
        """The places of a list that are decided, those that are open, and what deciding them takes; None if nothing was played.

        It prints as a sentence. Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            return None if chosen is None else Standings(store, chosen).places()

    @brief
    def cycles(self, list_: ListRow | None = None) -> Cycles | None:
        """The bots of a list that beat each other in a circle, more than chance explains; None if nothing was played.

        It prints as a sentence, empty without a cycle. Without a list, of the only one. Raises `LadderError` if there are several.
        """
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            return None if chosen is None else Standings(store, chosen).cycles()

    @brief
    def compare(self, *bots: str, list_: ListRow | None = None) -> Table[Difference]:
        """Say how much stronger each of some bots is than those named after it; a single one is compared with all others.

        Each answer has the figures, and prints as a sentence. Without a list, of the only one. Raises `LadderError`.
        """
        if not bots:
            raise LadderError("there is nothing to compare; name at least one bot")
        with closing(self._home.store(read_only=True)) as store:
            chosen = self._chosen(store, list_)
            if chosen is None:
                raise LadderError("nothing has been played on this ladder yet; start with run()")
            found = Standings(store, chosen).compare(bots)
            return Table(found, (one.facts() for one in found))

    @brief
    def matches(self, list_: ListRow | None = None, *, bot: str | None = None, last: int | None = None) -> Table[Match]:
        """The matches of a list, newest last: all, or the `last` ones, or only those of a `bot`.

        As a table, they have a row for each match and seat. Without a list, of the only one. Raises `LadderError`.
        """
        limit = _MOST if last is None else counting("last", last)
        with closing(self._home.store(read_only=True)) as store:
            chosen, id = self._chosen(store, list_), None if bot is None else store.bot(bot).id
            found = () if chosen is None else store.last_matches(chosen.id, id, limit)
            return matches_table(found, {row.id: row.name for row in store.bots()})

    @brief
    def export(self, path: str | Path, list_: ListRow | None = None) -> Path:
        """Write all matches of a list to a file: JSON lines (.jsonl), CSV (.csv) or Parquet (.parquet), by the end of its name.

        Without a list, of the only one. Returns the path. Raises `LadderError`, and `StoreError` if it cannot be written.
        """
        path = Path(path)
        kind = EXPORTS.get(path.suffix)
        if kind is None:
            raise LadderError(f"the name of an export ends in {', '.join(EXPORTS)}, not as in {path.name!r}")
        with closing(self._home.store(read_only=True)) as store:
            chosen, names = self._chosen(store, list_), {row.id: row.name for row in store.bots()}
            found = store.matches_in(chosen.id) if chosen is not None else iter(())
            try:
                if kind == "parquet":
                    write_parquet(seat_rows(found, names), path)
                    return path
                with path.open("w", encoding="utf-8", newline="") as file:
                    if kind == "csv":
                        write_csv(seat_rows(found, names), file)
                    else:
                        write_lines(found, names, file)
            except OSError as error:
                raise StoreError(f"{path} cannot be written: {error.strerror or error}") from None
        return path

    @brief
    def report(
        self, folder: str | Path, *, replays: int = REPLAYS, logs: bool = False, analyse: float = ANALYSE
    ) -> Path:
        """Write the home as a static site, as `bullring ladder report` does. Returns its index.html.

        The last `replays` matches of each list get a page; with `logs`, what bots wrote to stderr is published. Matches that are
        worth a look are analysed for about `analyse` seconds, and the home keeps what was done.
        """
        from bullring.ladder.watching.site.folder import Folder  # pages take time to import
        from bullring.ladder.watching.site.site import Report as Site

        with closing(self._home.store(read_only=True)) as store:
            if not store.lists(played=True):
                raise LadderError("nothing has been played on this ladder yet; start with run()")
            Site(self._home, Folder(Path(folder)), replays, logs=logs, analyse=analyse).make(store)
        return Path(folder) / "index.html"

    @brief
    def verify(self, key: str | None = None, progress: Tell = nobody) -> Audit:
        """Recompute all matches, and compare each record with the seal and the result in the store.

        All is well if `count`, the number of findings, is 0; `wrong` says what they are. With a public `key`, all records must be
        signed with it. `progress` is called with what is done, how much of it, and of how much. For a single match:
        ``bullring.read(ladder.record(17)).verify()``.
        """
        with closing(self._home.store(read_only=True)) as store:
            return audited(self._home, store, key, progress)

    @brief
    def analyse(
        self,
        bot: str,
        list_: ListRow | None = None,
        *,
        last: int = 5,
        policy: str = POLICY,
        error: float = ERROR,
        playouts: int = PLAYOUTS,
        engine_playouts: int = ENGINE_PLAYOUTS,
        seed: int = 0,
        progress: Callable[[int], object] | None = None,
    ) -> Table[Decision]:
        """Find out what each decision of a bot cost in its last matches, as `Record.analyse` does. The home keeps analyses.

        Without a list, in the only one. `progress` is called with the number of decisions that are done, those of others included.
        Raises `LadderError`, `RecordError`.
        """
        from bullring.arena.study.analysis.analyser import analyse  # numpy takes time to import

        method = Method(policy=policy, error=error, playouts=playouts, engine_playouts=engine_playouts, seed=seed)
        with closing(self._home.store(read_only=True)) as store:
            chosen, labels = self._chosen(store, list_), [row.id for row in store.versions(bot)]
            found = [] if chosen is None else store.matches_of(labels, counting("last", last), list_=chosen.id)
        decisions: list[Decision] = []
        done = 0

        def told(of_match: int) -> None:
            if progress is not None:
                progress(done + of_match)

        for match in found:
            lines, place = self._home.lines(match.id), self._home.analysis(match.id)
            analysis = current(place, lines, method)
            if analysis is None:
                analysis = analyse(lines, method, told)
                with suppress(WriteError):  # it can be made again
                    keep(place, analysis)
            done += len(analysis.choices)
            own = {seat for seat, row in enumerate(match.seats) if row.bot in labels}
            decisions += [Decision(match.id, choice) for choice in analysis.choices if choice.seat in own]
        return decisions_table(decisions)

    def _chosen(self, store: Store, list_: ListRow | None) -> ListRow | None:
        """This list, or the only one."""
        if list_ is not None and not isinstance(list_, ListRow):
            raise LadderError(f"a list is one of ladder.lists(), not {list_!r:.80}")
        return list_ or self._only(store)

    def _only(self, store: Store) -> ListRow | None:
        lists: Sequence[ListRow] = store.lists(played=True) or store.lists()
        if len(lists) > 1:
            raise LadderError(
                f"there are {len(lists)} lists; pass one of lists() to this call: {'; '.join(row.title for row in lists)}"
            )
        return lists[0] if lists else None

    @brief
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


@dataclass(frozen=True)
class _Ends:
    """Where a run ends, and what plays it."""

    matches: int | None
    seconds: float | None
    jobs: int | None
    cluster: str | None
    sandbox: str | None
    allow_unsandboxed: bool

    def __post_init__(self) -> None:
        for name, value in (("matches", self.matches), ("jobs", self.jobs)):
            if value is not None:
                counting(name, value)
        positive("seconds", self.seconds)


class _Listener:
    wants_matches = True

    def __init__(
        self, told: Callable[[Happening], object] | None, progress: Callable[[Progress], object] | None
    ) -> None:
        self._told, self._progress = told, progress

    def happened(self, happening: Happening) -> None:
        if self._told is not None:
            self._told(happening)

    def tick(self, progress: Progress) -> None:
        if self._progress is not None:
            self._progress(progress)


def _standings(rows: Sequence[Row]) -> Table[Row]:
    return Table(rows, facts_of(rows))


def _playing(store: Store, name: str) -> BotRow:
    """The bot with this label, which may be an older version. Raises `LadderError` if it does not exist or may not play."""
    row = store.bot(name)
    if row.state not in ("active", "older"):
        raise LadderError(f"{name!r} is {row.state} and does not play; it plays again after: reinstate({row.name!r})")
    return row


__all__ = ["Ladder"]
