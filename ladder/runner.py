"""The ladder at work: line-ups chosen, groups written down, matches given to the referee processes, results taken.

Everything that is slow (the store, ratings, drawing) happens in this process, where no clock of a bot runs.
"""

import json
import os
import resource
import secrets
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import trio

from arena.bots.manifest import Bot, BotError
from arena.sandbox.cell import CellError
from arena.sandbox.choice import Wish, open_sandbox, sweep, told_of
from arena.sandbox.local import tree
from arena.sandbox.sandbox import Sandbox
from arena.settings import Settings
from ladder.crew import Crew, Worker
from ladder.errors import LadderError, StoreError
from ladder.home import Home
from ladder.schedule import Schedule, Standing
from ladder.sealing import seal_records, sync_files
from ladder.seating import Plan, seated
from ladder.store import BotRow, Format, GroupRow, ListRow, MatchRow, SeatRow, Store, match_id
from ladder.suspicion import verdict
from ladder.timing import quantile

BACKLOG = 64
"""Matches of quick bots that a worker is given at once, so that it never waits for the ladder. It plays a few of them side by
side (`ladder.worker`)."""

SLOW = BACKLOG // 2 + 1
"""How many matches of quick bots one with a slow bot counts as. A worker plays one such at a time, for who thinks needs the
processor, and beside it matches of quick bots."""

MOST_QUEUED = 64
"""Matches that may wait for room before no more line-ups are drawn."""

MOST_SLOW = 4
"""Open groups of one slow bot; while it has so many, others are drawn, so that nobody waits for it."""

QUICK_US = 2000
"""The median time of a decision up to which a bot is quick."""

ENOUGH = 100
"""Decisions that say how quick a bot is."""
LOOK_AGAIN = 10
"""Of the matches of a quick bot each such one is looked at again."""

BATCH = 0.05
"""Seconds for which results are gathered before they are written together."""

UPSET = 200.0
"""Elo: a group won against somebody rated so much higher is worth telling."""
SETTLED = 5
"""Groups after which a rating is taken for that."""

LOOK_EVERY = 1.0
"""Seconds between two looks at who may play."""

_TICK = 0.25


@dataclass
class Stops:
    """When a run is to end by itself."""

    matches: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Happening:
    """Something to be told of."""

    kind: str
    """sandbox, match, group, fault, bench, worker, stop"""
    text: str
    facts: Mapping[str, Any] = field(default_factory=dict)


class Listener(Protocol):
    """Who looks at a run."""

    def happened(self, happening: Happening) -> None:
        """Something happened."""

    def tick(self, run: "LadderRun") -> None:
        """A moment has passed; a good time to draw."""


class Book(Protocol):
    """What is known of the strength of the bots (`ladder.standings`)."""

    def add(self, group: GroupRow, matches: list[MatchRow]) -> None:
        """Take a finished group."""

    def write(self) -> None:
        """Write what was added, within the change that it belongs to."""

    def rating(self, bot: int) -> float | None:
        """The present rating of a bot."""

    def groups(self, bot: int) -> int:
        """Its finished groups."""

    def enough(self, bots: Sequence[int]) -> str | None:
        """Why no more need to be played, if these bots play; None if the run is to go on."""

    def refresh(self, *, now: bool = False) -> None:
        """Rate anew if there is something new, and if the last time was not just now or it must be `now`."""


@dataclass(eq=False)
class _Group:
    row: GroupRow
    matches: dict[int, MatchRow] = field(default_factory=dict)
    playing: int = 0
    void: bool = False


@dataclass(frozen=True)
class Plays:
    """What a run plays."""

    list: ListRow
    format: Format
    plan: Plan
    schedule: Schedule
    start: int = 0
    """The starting seat, in games where one matters."""


class LadderRun:
    """One run of a ladder, from now until it is stopped."""

    def __init__(
        self,
        home: Home,
        store: Store,
        plays: Plays,
        book: Book,
        stops: Stops,
        jobs: int,
        listener: Listener,
    ) -> None:
        self.home = home
        self.store = store
        self.plays = plays
        self.book = book
        self.stops = stops
        self.jobs = jobs
        self.began = time.monotonic()
        self.matches = 0
        """Matches that were played in this run."""
        self.planned = 0
        """Matches that were played or will be."""
        self.stopping = ""
        """Why nothing new is begun; empty while something is."""
        self.open: dict[int, _Group] = {}
        self._times: dict[int, Counter[int]] = {}
        """By bot, how long its last decisions took."""
        self._quick: set[int] = set()
        """The bots whose decisions are quick, as far as is known."""
        self._listener = listener
        self._queue: deque[tuple[_Group, int]] = deque()
        self._in_flight: dict[str, tuple[_Group, int, Job]] = {}
        self._bots: dict[int, Bot] = {}
        """Those that may play now, by id."""
        self._messages: dict[int, dict[str, Any]] = {}
        """The same, as workers are told of them."""
        self._rows: dict[int, BotRow] = {}
        self._next_group = store.next_group()
        self._all_played = False
        self._told = 0.0
        self._looked = time.monotonic()
        self._folders: set[int] = set()
        """Thousands of groups whose folder of records is there."""
        self._crew: Crew
        self._nursery: trio.Nursery
        self._mark = f"{store.home}.{home.database.stat().st_ino}"
        """Begins the marks of all bots. A copy of the home is another home, whose bots are not ours to end."""

    @property
    def began_ago(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self.began

    @property
    def playing(self) -> list["Job"]:
        """The matches that are being played, the oldest first."""
        return [job for _, _, job in self._in_flight.values()]

    async def run(self, settings: Settings, wish: Wish) -> None:
        """Play until a stop is reached. Raises `LadderError`, `SandboxError`, `HostError`."""
        tree.adopt_orphans()
        sweep()
        tree.sweep(self._mark)
        async with open_sandbox(wish) as sandbox:
            self._listener.happened(
                Happening("sandbox", told_of(sandbox, wished_frozen=wish.freeze), {"tier": sandbox.tier.value})
            )
            for row in self.store.bots():
                self._rows[row.id] = row
                if row.state == "active":
                    await self._load_bot(row, sandbox)
            if len(self._bots) < self.plays.list.seats:
                raise LadderError(
                    f"a table of {self.plays.list.seats} seats needs as many bots, and there are {len(self._bots)} on this"
                    " ladder; add more with: bullring ladder add"
                )
            self.began = time.monotonic()  # what was made ready before is nobody's time
            # The word of this process is enough for its referees.
            wish = replace(wish, tier=sandbox.tier.value, allow_unsandboxed=True, proven=False)
            await self._play(settings, wish, sandbox)

    async def _play(self, settings: Settings, wish: Wish, sandbox: Sandbox) -> None:
        self._take_up()
        self._check_files()
        message = {
            "limits": asdict(settings.limits),
            "sandbox": asdict(wish),
            "mask": [str(self.home.path)],
            "mark": self._mark,
        }
        try:
            async with trio.open_nursery() as nursery:
                self._nursery = nursery
                crew = self._crew = Crew(nursery, self.jobs, message)
                try:
                    await self._serve(crew, sandbox)
                finally:
                    with trio.CancelScope(shield=True):
                        await crew.close()
                    self._tell_running(force=True, over=True)
                nursery.cancel_scope.cancel()
        finally:
            sweep()
            tree.sweep(self._mark)
            tree.end_strays(())
            self.book.refresh(now=True)

    @contextmanager
    def _change(self) -> Iterator[None]:
        """A change of the store, with what the book adds to it."""
        with self.store.change():
            yield
            self.book.write()

    def stop(self, why: str) -> None:
        """Begin nothing new; what is being played is played to its end."""
        if not self.stopping:
            self.stopping = why
            self._queue.clear()
            for worker in self._crew.workers:
                worker.say({"drop": True})
            self._listener.happened(Happening("stop", f"{why}: what is being played is played to its end"))

    async def _load_bot(self, row: BotRow, sandbox: Sandbox) -> None:
        try:
            bot = self.home.bot(row.name)
            await sandbox.prepare(bot.launch(""))
        except (BotError, CellError) as error:  # it was there when it was added
            self._bench(row, str(error))
            return
        self._bots[row.id] = bot
        self._messages[row.id] = bot.facts()

    def _take_up(self) -> None:
        """Go on with what an interrupted run has left: groups are played to their end, or given up if a bot is gone."""
        self._seal_all()
        for row in self.store.open_groups():
            group = _Group(row, {match.number: match for match in self.store.matches("m.grp = ?", (row.id,))})
            playable = row.list == self.plays.list.id and row.format == self.plays.format
            void = any(match.void is not None for match in group.matches.values())
            if not playable:
                continue  # it waits for a run that plays its list in its format
            if void or any(bot not in self._bots for bot in row.lineup):
                with self._change():
                    self.store.end_group(row, [], void=True)
                continue
            self._enqueue(group)
        self._seal_all()

    def _check_files(self) -> None:
        """Workers need descriptors: three for each bot and one for each match, and the pool keeps some waiting."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 512 + 64 * self.plays.list.seats
        if soft < wanted:
            if hard != resource.RLIM_INFINITY and hard < wanted:
                raise LadderError(f"{wanted} open files are needed, and only {hard} are allowed here (ulimit -Hn)")
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))

    async def _serve(self, crew: Crew, sandbox: Sandbox) -> None:
        while True:
            self._check_stops()
            self._look_at_bots(sandbox)
            with self._change() if self._wants_groups(crew) else nullcontext():
                self._dispatch(crew)
            await crew.flush()
            if not self._in_flight and (self.stopping or (self._all_played and not self._queue)):
                return
            answers = await self._gather(crew)
            if answers:
                self._take(crew, answers)
            self.book.refresh()
            self._tell_running()
            self._listener.tick(self)

    async def _gather(self, crew: Crew) -> list[tuple[Worker, dict[str, Any] | None]]:
        """The results of a moment, together."""
        answers = []
        with trio.move_on_after(_TICK):
            answers.append(await crew.results.receive())
            await trio.sleep(BATCH)
        while True:
            try:
                answers.append(crew.results.receive_nowait())
            except trio.WouldBlock:
                return answers

    def _check_stops(self) -> None:
        stops = self.stops
        if self.stopping:
            return
        if stops.matches is not None and self.planned >= stops.matches:
            self._all_played = True
        if stops.seconds is not None and time.monotonic() - self.began >= stops.seconds:
            self.stop("the time is up")
        enough = self.book.enough(list(self._bots))
        if enough is not None:
            self.stop(enough)

    # Matches out

    def _free(self, crew: Crew) -> Worker | None:
        worker = min(crew.workers, key=lambda worker: worker.load)
        return worker if worker.load < BACKLOG else None

    def _wants_groups(self, crew: Crew) -> bool:
        return not (self.stopping or self._all_played) and self._free(crew) is not None

    def _dispatch(self, crew: Crew) -> None:
        while (worker := self._free(crew)) is not None and not self.stopping:
            if not self._queue and not self._new_group():
                return
            fitting = next((entry for entry in self._queue if worker.load + self._weight(entry[0]) <= BACKLOG), None)
            if fitting is None and not self._new_group():
                return  # what waits is too heavy for now, and nothing light is left to begin
            if fitting is None:
                if len(self._queue) > MOST_QUEUED:
                    return
                continue
            group, number = fitting
            weight = self._weight(group)
            self._queue.remove(fitting)
            job = self._job(group.row, number)
            group.playing += 1
            self._in_flight[job.id] = group, number, job
            worker.playing[job.id] = weight
            worker.say({"play": job.message})

    def _weight(self, group: _Group) -> int:
        """The share of a worker that a match takes."""
        return 1 if all(bot in self._quick for bot in group.row.lineup) else SLOW

    def _new_group(self) -> bool:
        """Draw a line-up and write its group down."""
        if self._all_played:
            return False
        flying = Counter(bot for group in self.open.values() for bot in group.row.lineup)
        standings = {bot: Standing(self.book.rating(bot), self.book.groups(bot) + flying[bot]) for bot in self._bots}
        busy = {bot for bot in standings if bot not in self._quick and flying[bot] >= MOST_SLOW}
        if self.plays.format == "ladder" and len(standings) - len(busy) >= self.plays.list.seats:
            standings = {bot: standing for bot, standing in standings.items() if bot not in busy}
        if len(standings) < self.plays.list.seats:
            self.stop(f"{len(standings)} bots are left that may play, and a table has {self.plays.list.seats} seats")
            return False
        lineup = self.plays.schedule.next(standings)
        if lineup is None:
            self._all_played = True
            return False
        row = GroupRow(
            self._next_group,
            self.plays.list.id,
            self.plays.format,
            self.plays.plan,
            lineup,
            secrets.token_hex(32),
            "open",
        )
        self._next_group += 1
        self.store.add_group(row)
        self._enqueue(_Group(row))
        if self.stops.matches is not None and self.planned >= self.stops.matches:
            self._all_played = True
        return True

    def _enqueue(self, group: _Group) -> None:
        self.open[group.row.id] = group
        numbers = [number for number in range(group.row.size) if number not in group.matches]
        self._queue.extend((group, number) for number in numbers)
        self.planned += len(numbers)
        if not numbers:
            with self._change():
                self._end(group)

    def _job(self, row: GroupRow, number: int) -> "Job":
        id = match_id(row.id, number)
        record = self.home.record(id)
        if row.id // 1000 not in self._folders:
            try:
                record.parent.mkdir(exist_ok=True)
            except OSError as error:
                raise StoreError(f"{record.parent} cannot be made: {error.strerror or error}") from None
            self._folders.add(row.id // 1000)
        bots = [self._messages[bot] for bot in seated(row.plan, row.lineup, number)]
        notes = {
            "group": row.id,
            "match": number,
            "plan": row.plan,
            "format": row.format,
            "lineup": [self._rows[bot].name for bot in row.lineup],
        }
        began = datetime.now(UTC).isoformat(timespec="seconds")
        message = {
            "id": id,
            "group": str(row.id),
            "game": self.plays.list.game,
            "options": self.plays.list.options,
            "start": self.plays.start,
            "bots": bots,
            "seed": row.seed,
            "nonce": secrets.token_hex(16),
            "began": began,
            "record": str(record),
            "notes": {"ladder": notes},
        }
        return Job(id, [bot["name"] for bot in bots], message, time.monotonic())

    # Results in

    def _take(self, crew: Crew, answers: list[tuple[Worker, dict[str, Any] | None]]) -> None:
        touched: dict[int, _Group] = {}
        # What the store says of a match must not outlive its record, when the machine loses its power.
        sync_files(self.home.records)
        with self._change():
            for worker, answer in answers:
                if answer is None:
                    touched |= {group.row.id: group for group in self._lose(crew, worker)}
                    continue
                if "error" in answer:
                    raise StoreError(answer["error"])
                worker.playing.pop(answer["id"], None)
                group, number, job = self._in_flight.pop(answer["id"])
                group.playing -= 1
                if "dropped" not in answer:
                    self._add(group, number, job, answer)
                touched[group.row.id] = group
            ended = [
                group
                for group in touched.values()
                if not group.playing and (group.void or len(group.matches) == group.row.size)
            ]
            for group in ended:
                self._end(group)
        self._close_groups(ended)
        for group in touched.values():
            self._judge(group)

    def _lose(self, crew: Crew, worker: Worker) -> list[_Group]:
        """A worker has died: its matches are played again, by others. Returns their groups."""
        touched = []
        for id in worker.playing:
            group, number, _ = self._in_flight.pop(id)
            group.playing -= 1
            touched.append(group)
            if not self.stopping and not group.void:
                self._queue.appendleft((group, number))
        crew.replace(worker)
        self._listener.happened(
            Happening("worker", f"referee process {worker.process.pid} died; its matches begin anew")
        )
        return touched

    def _add(self, group: _Group, number: int, job: "Job", answer: dict[str, Any]) -> None:
        bots = seated(group.row.plan, group.row.lineup, number)
        seats = [
            SeatRow(
                bot,
                seat["heads"],
                seat["rank"],
                seat["faults"],
                seat["closed"],
                {int(bucket): count for bucket, count in seat["times"].items()},
                seat["metrics"],
            )
            for bot, seat in zip(bots, answer["seats"], strict=True)
        ]
        match = MatchRow(group.row.id, number, job.message["nonce"], answer["void"], answer["deals"], seats)
        self.store.add_match(match)
        group.matches[number] = match
        self.matches += 1
        if match.void is not None and not group.void:
            group.void = True
            self._queue = deque(entry for entry in self._queue if entry[0] is not group)
            self._listener.happened(Happening("void", f"match {match.id} is void: {match.void}"))
        for seat in seats:
            self._time(seat)
        for bot, seat_answer in zip(bots, answer["seats"], strict=True):
            if seat_answer["faults"]:
                detail = seat_answer["detail"]
                text = f"{self._rows[bot].name}: {detail['kind']} in match {job.id} ({detail['decision']}): {detail['got']}"
                self._listener.happened(
                    Happening("fault", text, {"bot": self._rows[bot].name, "match": job.id, **detail})
                )
        self._listener.happened(
            Happening(
                "match",
                f"match {job.id}: "
                + ", ".join(f"{name} {seat.heads}" for name, seat in zip(job.names, seats, strict=True)),
                {
                    "match": job.id,
                    "bots": job.names,
                    "heads": [seat.heads for seat in seats],
                    "ranks": [seat.rank for seat in seats],
                    "void": match.void,
                },
            )
        )

    def _time(self, seat: SeatRow) -> None:
        """Learn whether a bot is quick, and look again from time to time."""
        if seat.bot in self._quick and self.matches % LOOK_AGAIN:
            return
        times = self._times.setdefault(seat.bot, Counter())
        times.update(seat.times)
        if times.total() < ENOUGH and seat.bot in self._quick:
            return
        median = quantile(times, 0.5)
        if median is not None and median <= QUICK_US:
            self._quick.add(seat.bot)
        else:
            self._quick.discard(seat.bot)
        times.clear()

    def _end(self, group: _Group) -> None:
        matches = [group.matches[number] for number in sorted(group.matches)]
        # One that was given up counts if it is whole nevertheless: the records would say so, too.
        void = len(matches) < group.row.size or any(match.void is not None for match in matches)
        self.store.end_group(group.row, matches, void=void)
        self.open.pop(group.row.id, None)
        if not void:
            self._tell_upset(group.row, matches)
            self.book.add(group.row, matches)

    def _close_groups(self, ended: Sequence[_Group]) -> None:
        """Groups have ended: nobody needs to remember their deals, and their records are sealed."""
        for group in ended:
            for worker in self._crew.workers:
                worker.say({"forget": str(group.row.id)})
        self._seal([(group.row, list(group.matches.values())) for group in ended])

    def _tell_upset(self, row: GroupRow, matches: list[MatchRow]) -> None:
        """Tell if the best of a group was rated far below its rivals."""
        ratings = {bot: self.book.rating(bot) for bot in row.lineup if self.book.groups(bot) >= SETTLED}
        places = Counter(
            {bot: sum(seat.rank for match in matches for seat in match.seats if seat.bot == bot) for bot in row.lineup}
        )
        *_, (best, least) = places.most_common()
        mine = ratings.get(best)
        beaten = {bot: rating for bot, rating in ratings.items() if places[bot] > least and rating is not None}
        if mine is None or not beaten:
            return
        highest = max(beaten, key=beaten.__getitem__)
        if (gap := beaten[highest] - mine) >= UPSET:
            names = self._rows[best].name, self._rows[highest].name
            self._listener.happened(
                Happening("upset", f"{names[0]} wins group {row.id} against {names[1]}, who is rated {gap:.0f} higher")
            )

    def _seal_all(self) -> None:
        self._seal(self.store.unsealed())

    def _seal(self, ended: Sequence[tuple[GroupRow, Sequence[MatchRow]]]) -> None:
        seal_records(self.home, self.store, ended)

    def _judge(self, group: _Group) -> None:
        """Bench who is at fault too often."""
        for bot in group.row.lineup:
            if bot not in self._bots or not any(
                seat.bot == bot and seat.faults for match in group.matches.values() for seat in match.seats
            ):
                continue
            row = self._rows[bot]
            reason = verdict(self.store, bot, row.judged_from)
            if reason is not None:
                self._bench(row, reason)
                self._drop(bot)

    def _drop(self, bot: int) -> None:
        """A bot plays no more. Groups with it are given up: nobody is to wait for it."""
        del self._bots[bot]
        for group in list(self.open.values()):
            if bot in group.row.lineup:
                group.void = True
                self._queue = deque(entry for entry in self._queue if entry[0] is not group)
                if not group.playing:
                    with self._change():
                        self._end(group)
                    self._close_groups([group])

    def _look_at_bots(self, sandbox: Sandbox) -> None:
        """Bots may be added, removed and reinstated while the ladder runs."""
        if time.monotonic() - self._looked < LOOK_EVERY:
            return
        self._looked = time.monotonic()
        for row in self.store.bots():
            if row.state != "active" and row.id in self._bots:
                self._drop(row.id)
            elif row.state == "active" and row.id not in self._bots and self._rows.get(row.id) != row:
                self._rows[row.id] = row
                # Beside the matches: its image may have to be built, and they are not to wait for that.
                self._nursery.start_soon(self._load_bot, row, sandbox)
            self._rows[row.id] = row

    def _bench(self, row: BotRow, reason: str) -> None:
        self.store.set_state(row.id, "benched", reason)
        self._listener.happened(Happening("bench", f"{row.name} is benched: {reason}", {"bot": row.name}))

    # For those who watch

    def _tell_running(self, *, force: bool = False, over: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._told < 0.5:
            return
        self._told = now
        facts = {
            "pid": os.getpid(),
            "list": self.plays.list.id,
            "over": over,
            "matches": [
                {"id": job.id, "bots": job.names, "record": job.message["record"], "began": job.message["began"]}
                for job in self.playing
            ],
        }
        temporary = self.home.running.with_suffix(".new")
        try:
            temporary.write_text(json.dumps(facts), "utf-8")
            temporary.replace(self.home.running)
        except OSError as error:
            raise StoreError(f"{self.home.running} cannot be written: {error.strerror or error}") from None


@dataclass(frozen=True)
class Job:
    """A match given to a worker."""

    id: str
    names: list[str]
    """By seat."""
    message: dict[str, Any]
    began: float
