"""A run of a ladder, from its first match to its last.

Everything slow (the store, ratings, drawing) happens in this process, where no bot's clock runs.
"""

import resource
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING, Any

import trio

from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
from bullring.arena.cells.sandbox.identity import Owner
from bullring.arena.cells.sandbox.leftovers import clear_away
from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.games.rulebook.language import say
from bullring.arena.games.rules.registry import find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.match.play import notes_of
from bullring.arena.settings.limits import Limits
from bullring.arena.settings.settings import Settings
from bullring.errors import LadderError
from bullring.ladder.pairing.seats import group
from bullring.ladder.run.cluster.cluster import Cluster
from bullring.ladder.run.cluster.crew import ClusterCrew
from bullring.ladder.run.dispatch import Dispatch, Plays
from bullring.ladder.run.hired import owner_of
from bullring.ladder.run.progress import MOST_NAMED, Happening, Listener, Noting, Progress, tell_running
from bullring.ladder.run.results import Results
from bullring.ladder.run.roster import Roster
from bullring.ladder.run.unfinished import Begun, Unfinished
from bullring.ladder.run.workers.crew import Crew, closing
from bullring.ladder.run.workers.local import LocalCrew, Referee
from bullring.ladder.run.workers.messages import Drop, Setup
from bullring.ladder.standings.penalties import Budget
from bullring.ladder.standings.scoreboard import Scoreboard
from bullring.ladder.store.arrival import sweep
from bullring.ladder.store.cleanup import clear_live, clear_up
from bullring.ladder.store.dictionary import Dictionary, dictionary_of
from bullring.ladder.store.home import Home
from bullring.ladder.store.keys import signer_of
from bullring.ladder.store.records import Records
from bullring.ladder.store.store import Store

if TYPE_CHECKING:
    from bullring.arena.match.records.signatures import Signer

BATCH = 0.05
"""Seconds from one storing to the next: answers that arrive in that time are stored together."""

TICK = 0.25
"""Longest wait for answers, in seconds, before stops, bots and the picture are updated."""

TELL_EVERY = 0.5
"""Seconds between two updates of running.json."""


@dataclass
class Stops:
    """The limits of a run; None: no limit."""

    matches: int | None = None
    seconds: float | None = None


class LadderRun:
    """One run of a ladder."""

    def __init__(
        self,
        home: Home,
        store: Store,
        plays: Plays,
        scoreboard: Scoreboard,
        stops: Stops,
        jobs: int,
        listener: Listener,
        cluster: Cluster | None = None,
        early: Sequence[Referee] = (),
    ) -> None:
        """On a `cluster`, `jobs` says nothing: each node has as many referee processes as its worker has threads.

        `early` are the referee processes of this machine, if they are `hired` already.
        """
        self.stopping = ""
        """The reason why no new matches are begun; empty while they are."""
        self._home = home
        self._store = store
        self._plays = plays
        self._scoreboard = scoreboard
        self._stops = stops
        self._jobs = jobs
        self._cluster = cluster
        self._early = early
        self._listener = listener = Noting(listener)
        self._unfinished = Unfinished()
        self._records = Records(home.records)
        self._roster = Roster(home, store, listener, plays.asked)
        first = max(store.next_match(), self._records.newest() + 1)
        self._dispatch = Dispatch(store, plays, scoreboard, self._unfinished, self._roster, first)
        self._results = Results(
            home,
            store,
            self._records,
            plays,
            scoreboard,
            self._unfinished,
            self._roster,
            self._dispatch.paces,
            listener,
        )
        self._told = 0.0
        self._stuck: list[str] = []
        """The bots for want of which nothing is played, as people were told."""
        self._unsaid = ""
        """The news of a stop, for people, until the workers have heard of it."""
        if stops.matches is not None and stops.matches < plays.size:
            raise LadderError(
                f"the same deals are played in {plays.size} matches here, so --matches must be at least {plays.size},"
                f" not {stops.matches}"
            )
        self.playing = False
        """Whether there are referee processes, so that `stop` may be called."""
        self._crew: Crew
        self._nursery: trio.Nursery

    @property
    def matches(self) -> int:
        """The number of matches played in this run."""
        return self._unfinished.played

    def progress(self) -> Progress:
        """The progress of the run."""
        unfinished, stops = self._unfinished, self._stops
        playing = unfinished.playing(MOST_NAMED)
        return Progress(
            unfinished.played,
            unfinished.void,
            unfinished.seconds,
            stops.matches,
            stops.seconds,
            self.stopping,
            playing,
            unfinished.tables,
        )

    async def run(self, settings: Settings, wish: Wish) -> None:
        """Play until a stop is reached. Raises `LadderError`, `SandboxError`, `HostError`."""
        if self._plays.list.duplicate and self._plays.format != "duel":
            self._listener.happened(Happening("duplicate", say("run.duplicate")))
        sweep(self._home, self._store)
        signer = signer_of(self._home, self._store)
        self._check_files()
        if not self._early:
            # Before anything of this run is started: of our children, what earlier runs have left could not be told from that.
            clear_away(self._owner().name)
        async with trio.open_nursery() as nursery:
            self._crew = self._hired(nursery, settings)
            async with closing(self._crew):
                await self._prepare(settings, wish, signer)
            nursery.cancel_scope.cancel()
        with self._store.change():
            self._scoreboard.write()

    async def _prepare(self, settings: Settings, wish: Wish, signer: "Signer | None") -> None:
        """Open the sandbox, load the bots, and play."""
        async with open_sandbox(wish, self._owner()) as sandbox:
            told = told_of(sandbox)
            self._listener.happened(Happening("sandbox", told, {"tier": sandbox.tier.name}))
            self._roster.budget = Budget(settings.limits, every_match=settings.restart == "match")
            await self._roster.load_all(sandbox)
            check_bots(len(self._roster.bots), self._plays.list.seats)
            self._unfinished.began = time.monotonic()  # preparing the sandbox and the bots does not count
            # This process has proven the tier, so the referee processes need not do it again.
            wish = replace(wish, tier=sandbox.tier.name, allow_unsandboxed=True, proven=False)
            key = signer.pem if signer else ""
            live = str(self._home.live)
            setup = Setup(
                *(settings.limits, wish, self._owner(), self._plays.list, self._plays.format, key, self._jobs, live),
                dictionary=self._dictionary(settings.limits, sandbox).content,
            )
            async with self._scoreboard.opened():
                await self._play(setup, sandbox)

    def _dictionary(self, limits: Limits, sandbox: Sandbox) -> Dictionary:
        """The dictionary for the records of this run, which is kept with them."""
        list_, bots = self._plays.list, list(self._roster.bots.values())
        game = find(list_.game)(list_.seats, list_.options)
        dictionary = dictionary_of(game, bots, limits, self._plays.format, notes_of(sandbox, limits))
        self._records.mend_dictionaries()
        self._records.keep(dictionary)
        return dictionary

    def _owner(self) -> Owner:
        return owner_of(self._home, self._store)

    async def _play(self, setup: Setup, sandbox: Sandbox) -> None:
        if (missing := clear_up(self._home, self._store)) is not None:
            see = f"bullring verify --home {quote(str(self._home.path))}"
            text = say("run.damaged", match=missing, see=see)
            self._listener.happened(Happening("records", text))
        clear_live(self._home)
        self._go_on()
        crew = self._crew
        crew.begin(setup)
        self.playing = True
        try:
            async with closing(crew), trio.open_nursery() as self._nursery:  # both end before the sandbox does
                await self._serve(crew, sandbox)
                self._nursery.cancel_scope.cancel()
        finally:
            tell_running(self._home, self._plays.list.id, self.progress(), over=True)
            self._scoreboard.untell()

    def _hired(self, nursery: trio.Nursery, settings: Settings) -> Crew:
        """The crew of this run."""
        if self._cluster is None:
            return LocalCrew(nursery, self._jobs, self._owner(), *self._early)

        def tell(kind: str, text: str, facts: Mapping[str, Any]) -> None:
            self._listener.happened(Happening(kind, text, facts))

        return ClusterCrew(nursery, self._cluster, self._home.bots, settings.build, tell)

    def stop(self, why: str, *hints: str) -> None:
        """Begin no new matches, and finish those in progress. The hints are added to what people are told."""
        if not self.stopping:
            self.stopping = why
            self._unfinished.all_planned = True
            self._unfinished.drop()
            self._crew.say(Drop())
            self._crew.wake()
            self._unsaid = "; ".join((say("run.stopping", why=why), *hints))

    def _go_on(self) -> None:
        """Queue the groups of a duel that an earlier run has begun and not ended. They come first, in their order."""
        most = self._stops.matches
        for id, bots in self._scoreboard.unfinished:
            self._unfinished.begun[pairing := group("swap", bots)] = Begun(id)  # nothing behind it is judged before it
            if most is None or self._unfinished.planned + self._plays.size <= most:
                self._results.go_on(pairing)

    def _check_files(self) -> None:
        """Raise the limit of open files for the workers: each bot needs three and each match one, and the pool keeps spare bots.

        Raises `LadderError` if the machine does not allow that many.
        """
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 512 + 64 * self._plays.list.seats
        if soft < wanted:
            if hard != resource.RLIM_INFINITY and hard < wanted:
                raise LadderError(
                    f"a run needs {wanted} open files, and only {hard} are allowed here; raise the hard limit: ulimit -Hn {wanted}"
                )
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    async def _serve(self, crew: Crew, sandbox: Sandbox) -> None:
        while True:
            self._check_stops()
            self._look_at_bots(crew, sandbox)
            if not self.stopping or self._unfinished.waiting:
                self._dispatch.dispatch(crew, 0 if self.stopping else self._stops.matches, self._left)
                if self._dispatch.too_few:
                    self.stop(self._dispatch.too_few)
                self._tell_if_stuck(crew)
            await crew.flush()
            if self._unsaid:  # only now no more matches are begun
                self._listener.happened(Happening("stop", self._unsaid))
                self._unsaid = ""
            unfinished = self._unfinished
            if not unfinished.flights and not unfinished.waiting and (self.stopping or unfinished.all_planned):
                return
            answers = await crew.answers(TICK, BATCH)
            if answers:
                self._results.take(crew, answers, again=not self.stopping)
            self._scoreboard.refresh()
            self._tell()

    def _tell_if_stuck(self, crew: Crew) -> None:
        """Tell people, once, that no match can be given out."""
        nowhere = self._dispatch.stuck(crew)
        if nowhere != self._stuck:
            self._stuck = nowhere
            if nowhere:
                text = say("run.nowhere", bots=", ".join(nowhere))
                self._listener.happened(Happening("node", text, {"bots": nowhere}))

    @property
    def _left(self) -> float | None:
        """The seconds that this run lasts; None: no limit."""
        seconds = self._stops.seconds
        return None if seconds is None else max(0.0, seconds - self._unfinished.seconds)

    def _check_stops(self) -> None:
        if self.stopping:
            return
        if self._left == 0:
            self.stop(say("run.time_up"))
        enough = self._scoreboard.enough(list(self._roster.bots))
        if enough is not None:
            self.stop(enough)

    def _look_at_bots(self, crew: Crew, sandbox: Sandbox) -> None:
        gone, new = self._roster.changes()
        for bot in gone:
            self._results.drop(crew, bot)
        for row in new:
            # In a task of its own: its image may have to be built, and the matches need not wait for that.
            self._nursery.start_soon(self._roster.load, row, sandbox)

    def _tell(self) -> None:
        progress = self.progress()
        now = time.monotonic()
        if now - self._told >= TELL_EVERY:
            self._told = now
            tell_running(self._home, self._plays.list.id, progress, self._listener.notices)
            self._scoreboard.tell()
        self._listener.tick(progress)


def check_bots(active: int, seats: int, home_flag: str = "") -> None:
    """Raise `LadderError` if there are too few active bots for a table; `home_flag` ends the command it names."""
    if active < seats:
        have = counted(active, "active bot") if active else "none"
        raise LadderError(
            f"a table of {seats} seats needs {seats} active bots, and this ladder has {have};"
            f" add more with: bullring ladder add BOT{home_flag}" + (", or lower --seats" if active >= 2 else "")
        )


__all__ = ["LadderRun", "Plays", "Stops", "check_bots"]
