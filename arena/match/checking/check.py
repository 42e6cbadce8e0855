"""Check a bot, step by step."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from statistics import median
from typing import Any, NamedTuple

import trio

from bullring.arena.cells.bots.bot import AS_IT_IS, Bot
from bullring.arena.cells.kits.language import clock_remedy
from bullring.arena.cells.sandbox.cell import Sandbox
from bullring.arena.cells.text.doing import doing
from bullring.arena.games.rules.game import Game
from bullring.arena.games.rules.registry import GAMES, find
from bullring.arena.games.rules.sayings import counted
from bullring.arena.match.checking import busy, steps
from bullring.arena.match.checking.matches import Times, play_match
from bullring.arena.match.checking.questions import questions
from bullring.arena.match.checking.result import Result, Skipped, Verdict
from bullring.arena.match.checking.session import Noise, Question, Session, Wrong
from bullring.arena.match.checking.tap import Traffic
from bullring.arena.match.clock.watch import Watch, queued_us, ran_us
from bullring.arena.match.faults import Fault
from bullring.arena.settings.limits import MICRO, Limits
from bullring.errors import BotError, BuildFailure, RemoteProtocolError, StartFailure, first_error
from bullring.protocol.encoding import ENCODERS
from bullring.protocol.remedies import no_shell

Tell = Callable[[Result], None]
Build = Callable[[Bot], Awaitable[Bot]]
Copies = Callable[[Bot], Awaitable[Fault | None]]
"""Plays a match of a bot against copies of itself. Returns its first fault."""
Act = Callable[[], Awaitable[str]]

STDERR_SHOWN = 2000
"""Characters of the end of a bot's stderr that a failed step shows."""

STEP_S = 60.0
"""Seconds that a step may take, besides 40 decisions and a start. Nothing that a bot does makes one last longer."""

ENOUGH_S = 30.0
"""Seconds of a bot's thinking after which no more kinds of decisions are asked, and no more matches played."""

MOST_WRONG = 3
"""Kinds of decisions that may fail before no more are tried."""


async def check(
    bot: Bot,
    sandbox: Sandbox,
    limits: Limits,
    games: Sequence[type[Game[Any]]] | None = None,
    *,
    build: Build | None = None,
    copies: Copies | None = None,
    tell: Tell = lambda result: None,
) -> list[Result]:
    """Check a bot that is admitted (`Settings.admit`) in this sandbox, with these limits and games (all, if none are given).

    `build` makes the bot that is run of the one given, or raises `BotError`; without it, the bot counts as built. Without `copies`,
    the bot is not tried against itself. `tell` gets each result as soon as it is there. A bot may say PASS in every text of a
    result, so look at verdicts only. Raises `HostError` if the machine fails.
    """
    async with trio.open_nursery() as nursery:
        watch = Watch(queued_us, ran_us)
        nursery.start_soon(watch.run)
        checker = _Check(bot, sandbox, limits, games or list(GAMES.values()), watch, tell)
        try:
            await checker.run(build, copies)
        except BaseExceptionGroup as group:
            raise first_error(group) from None
        finally:
            with trio.CancelScope(shield=True):
                await checker.close()
        nursery.cancel_scope.cancel()
    return checker.results


class _Step(NamedTuple):
    """A step that is to be done."""

    step: str
    title: str
    act: Act
    needs: Sequence[str] = ()
    """The steps without which it makes no sense."""


@dataclass
class _Check:
    _bot: Bot
    _sandbox: Sandbox
    _limits: Limits
    _games: Sequence[type[Game[Any]]]
    _watch: Watch
    _tell: Tell
    results: list[Result] = field(default_factory=list)
    _traffic: Traffic = field(default_factory=Traffic)
    _session: Session | None = None
    _noise: RemoteProtocolError | None = None
    _noise_traffic: list[str] = field(default_factory=list)
    """The messages around it."""
    _hello_failed: Wrong | None = None
    _times: Times = field(default_factory=Times)
    _hint: str = ""
    """Advice on what the present step has found, though it passes."""
    _failed_kinds: set[tuple[str, str]] = field(default_factory=set)
    """Games and kinds of decisions in them that failed."""

    def __post_init__(self) -> None:
        self._alone = self._bot.restart == "match"
        """Whether each match has a process of its own."""

    async def close(self) -> None:
        """End the bot."""
        if self._session is not None:
            session, self._session = self._session, None
            await session.close()

    async def run(self, build: Build | None, copies: Copies | None) -> None:
        all_steps = self._all_steps(build, copies)
        with doing(f"checking {self._bot.name}", len(all_steps)) as work:
            for work.done, (step, title, act, needs) in enumerate(all_steps):
                with doing(title):
                    await self._step(step, title, act, needs)

    def _all_steps(self, build: Build | None, copies: Copies | None) -> list[_Step]:
        first, keep, more = self._questions()
        wire = ("question", "quiet")
        matches = [
            _Step(f"match {game.id}", f"plays {game.id}", partial(self._match, game, number), (*wire, "pieces"))
            for number, game in enumerate(self._games)
        ]
        if copies is not None:
            act = partial(self._copies, copies)
            matches.append(_Step("copies", "plays against copies of itself", act, wire))
        several = partial(self._several, [first, first, more])
        return [
            _Step("builds", "builds", partial(self._build, build)),
            _Step("starts", "starts", self._starts, ("builds",)),
            _Step("hello", "says hello", self._hello, ("builds", "starts")),
            _Step("question", "answers a question", self._on(steps.question, first), ("hello",)),
            _Step("matches", "plays several matches in one process", several, ("question",)),
            _Step("quiet", "says nothing else on stdout", partial(self._quiet, first), ("hello",)),
            _Step("pieces", "reads messages in pieces", self._on(steps.pieces, first), wire),
            _Step("empty", "answers the empty list", self._on(steps.empty_list, keep), wire),
            _Step("unknown kind", "answers an unknown kind", self._on(steps.unknown_kind, first), wire),
            _Step("stop", 'answers "stop"', partial(self._stop, more), wire),
            _Step("unknown", "ignores what is unknown", self._on(steps.unknown_things, first), wire),
            _Step("fault", "goes on after a fault", self._on(steps.complaint, first), wire),
            _Step("kinds", "answers every kind of decision", self._kinds, wire),
            *matches,
            _Step("time", "answers in time", self._time, wire),
            _Step("clock", "thinks as long on a busy machine", partial(self._clock, first), wire),
            _Step("bye", "ends after bye", self._on(steps.leaves, bye=True), ("hello",)),
            _Step("end", "ends with its stdin", self._on(steps.leaves, bye=False), ("hello",)),
        ]

    def _questions(self) -> tuple[Question, Question, Question]:
        """A question as usual, one after which cards may be kept, and one that may be answered with "stop"."""
        game = self._games[0]
        first = questions(game, game.seat_range[0])[0]
        hand = {each.kind: each for each in questions(find("hand"), 2)}
        return first, hand["keep"], hand["more"]

    # Steps

    async def _build(self, build: Build | None) -> str:
        if build is None or not self._bot.build:
            raise Skipped("nothing to build")
        words = " ".join(self._bot.build)
        if self._bot.lacks:
            words = "fetches its packages" if self._bot.build == AS_IT_IS else f"fetches its packages, then {words}"
        try:
            self._bot = await build(self._bot)
        except BuildFailure as failure:
            whole = f"; the whole log: {failure.log_path}" if failure.log_path else ""
            got = failure.what.replace(f"the build of {self._bot.name}", "one that", 1)
            built = "" if not whole else _LEAVE if " succeeded, " in got else _AT_HAND
            remedy = failure.remedy or no_shell("build", self._bot.build) or built
            raise Wrong(f"a build that ends well: {words}", got, remedy + whole, failure.log) from None
        except BotError as error:
            raise Wrong(f"a build that ends well: {words}", str(error)) from None
        return words

    async def _starts(self) -> str:
        """One start, in which two things can be wrong: this step reports a program that says nothing, the next one its hello."""
        began = trio.current_time()
        try:
            session = await self._open()
        except StartFailure as failure:
            wrong = _not_started(failure, failure.expected)
            if self._traffic.heard == 0 and not failure.got.startswith("nothing"):
                raise wrong from None
            wrong.traffic = self._traffic.lines()
            self._hello_failed = wrong
            return ""
        seconds, memory = session.player.cell.usage()
        return _told_usage(trio.current_time() - began, seconds, memory)

    async def _hello(self) -> str:
        if self._hello_failed is not None:
            raise self._hello_failed
        assert self._session is not None
        connection = self._session.player.connection
        assert connection.hello is not None
        dialect = next(dialect for dialect, encoder in ENCODERS.items() if encoder is connection.encoder)
        return f"{connection.hello.name} {connection.hello.version}".strip() + f", in {dialect.value}"

    async def _several(self, asked: Sequence[Question]) -> str:
        if self._alone:
            raise Skipped('restart = "match": each match has a process of its own')
        await self.close()
        try:
            return await steps.several_matches(await self._ready(), asked)
        except Wrong:
            self._alone = True  # so that the other steps can tell what else there is
            raise

    async def _quiet(self, asked: Question) -> str:
        if self._noise is None:
            if self._bad("question"):
                raise Skipped(self._because("question"))
            try:
                found = await steps.quiet(await self._ready(), asked)
            except Noise:
                found = ""
            self._hear()
        if self._noise is not None:
            raise steps.noisy(self._noise)
        return found

    async def _stop(self, more: Question) -> str:
        return await steps.stop(await self._ready(), more, may_be_unknown=not self._bad("unknown kind"))

    async def _kinds(self) -> str:
        wrong: list[Wrong] = []
        count = left = 0
        began = trio.current_time()
        for game in self._games:
            for seats in sorted({*game.seat_range}):
                for asked in questions(game, seats):
                    if (asked.kind == "keep" and self._bad("empty")) or (asked.kind == "more" and self._bad("stop")):
                        self._failed_kinds.add((game.id, asked.kind))
                    if (game.id, asked.kind) in self._failed_kinds:
                        continue
                    if trio.current_time() - began > ENOUGH_S:
                        left += 1
                        continue
                    count += 1
                    try:
                        await steps.kinds(await self._ready(), asked)
                    except Wrong as error:
                        self._failed_kinds.add((game.id, asked.kind))
                        await self._remember(error)
                        wrong.append(error)
                        if len(wrong) == MOST_WRONG:
                            raise _joined(wrong) from None
        if wrong:
            raise _joined(wrong)
        rest = f"; {left} more were left out after {ENOUGH_S:g} s" if left else ""
        return f"{count} questions in {counted(len(self._games), 'game')}{rest}"

    async def _remember(self, wrong: Wrong) -> None:
        """Keep what was said around a failure, as the step goes on with another process."""
        wrong.traffic = self._traffic.lines()
        if self._session is not None:
            wrong.exit, wrong.log = await self._end(self._session, wrong.got)

    async def _match(self, game: type[Game[Any]], number: int) -> str:
        failed = [kind for id, kind in self._failed_kinds if id == game.id]
        if failed:
            raise Skipped(f"the kind {failed[0]} has failed")
        if sum(self._times.all_us) > ENOUGH_S * MICRO:
            raise Skipped(f"{ENOUGH_S:g} s of thinking were enough; check it alone with --game {game.id}")
        session = await self._ready()
        seat = await play_match(session, game, number, self._limits, self._watch)
        self._times.add(seat)
        late = sum(fault.kind == "timeout" for fault in seat.faults)
        if late >= 3:
            raise Skipped("answers came too late and closed its seat")
        return f"{len(seat.times_us)} decisions" + (f", {late} of them late" if late else "")

    async def _copies(self, copies: Copies) -> str:
        await self.close()
        fault = await copies(self._bot)
        if fault is not None:
            raise Wrong(fault.expected, fault.got, log=fault.stderr[-STDERR_SHOWN:], exit=fault.exit)
        return ""

    async def _time(self) -> str:
        if not self._times.all_us:
            raise Skipped("no match was played")
        return self._times.judge(self._limits)

    async def _clock(self, asked: Question) -> str:
        for _ in range(2):  # what is found twice is no chance
            alone, held = await busy.thinking(await self._ready(), asked)
            if not busy.shrinks(alone, held):
                used = f"{median(alone) / 1000:.3g} ms of processor time for an answer"
                return f"{used} alone, {median(held) / 1000:.3g} ms where it is kept off its core half of the time"
        self._hint = clock_remedy(self._bot)
        thinks = f"it thinks for {median(held) / 1000:.3g} ms instead of {median(alone) / 1000:.3g} ms"
        return f"{thinks} where others have its core half of the time, though its clock stands then"

    # Running a step

    async def _step(self, step: str, title: str, act: Act, needs: Sequence[str]) -> None:
        result = Result(step, title)
        bad = next((name for name in needs if self._bad(name)), None)
        began = trio.current_time()
        self._traffic.clear()
        if self._session is not None:
            self._session.player.new_log()  # its log is of this step
        try:
            most = STEP_S + (self._limits.start_us + 40 * (self._limits.card_us + self._limits.bank_us)) / MICRO
            with trio.fail_after(most if step != "builds" else inf):  # a build has limits of its own
                result.found = await (act() if bad is None else self._skip(bad))
                result.remedy, self._hint = self._hint, ""
        except Skipped as reason:
            result.verdict, result.found = Verdict.SKIPPED, str(reason)
        except trio.TooSlowError:
            result.verdict, result.found = Verdict.FAIL, f"expected an end within {most:g} s; got none"
        except (Wrong, StartFailure) as error:
            wrong = error if isinstance(error, Wrong) else _not_started(error, "another start")
            result.verdict, result.remedy = Verdict.FAIL, wrong.hint
            result.found = f"expected {wrong.expected}; got {wrong.got}"
            result.traffic, result.stderr, result.exit = wrong.traffic, wrong.log, wrong.exit
        self._hear()
        if result.failed and not result.traffic:
            result.traffic = self._noise_traffic if step == "quiet" and self._noise else self._traffic.lines()
        if result.verdict is not Verdict.PASS and not bad and self._session is not None:
            exit, log = await self._end(self._session, result.found)
            if result.failed and not result.exit:
                result.exit, result.stderr = exit, log
        result.seconds = trio.current_time() - began
        self.results.append(result)
        self._tell(result)

    async def _end(self, session: Session, got: str) -> tuple[str, str]:
        """End the process after a failure. Returns its exit in words, and the end of its stderr."""
        cell = session.player.cell
        await session.ended(steps.SETTLED if cell.ended() or got.endswith("end of its output") else 0)
        exit = cell.exit_text()
        await self.close()
        return exit, session.player.log()[-STDERR_SHOWN:]

    async def _skip(self, step: str) -> str:
        raise Skipped(self._because(step))

    def _on(self, act: Callable[..., Awaitable[str]], *arguments: Any, **more: Any) -> Act:
        """A step on a session that is ready."""

        async def run() -> str:
            return await act(await self._ready(), *arguments, **more)

        return run

    async def _ready(self) -> Session:
        """A process that waits for a welcome: the last one, or a new one. Raises `StartFailure`, `HostError`."""
        session = self._session
        if session is not None and ((session.alone and session.used) or session.over_and_out()):
            self._hear()
            await self.close()
        if self._session is None:
            await self._open()
        assert self._session is not None
        self._session.used = True
        return self._session

    async def _open(self) -> Session:
        stalls, alone = self._watch.stalls, self._alone
        self._session = await Session.open(self._bot, self._sandbox, self._traffic, self._limits, stalls, alone=alone)
        return self._session

    def _hear(self) -> None:
        if self._session is not None and self._noise is None:
            self._noise = self._session.noise
            if self._noise is not None:
                self._noise_traffic = self._traffic.lines()

    def _bad(self, step: str) -> bool:
        """Whether what this step tries cannot be relied upon."""
        return any(
            result.step == step and (result.failed or (result.verdict is Verdict.SKIPPED and step in _MUST_PASS))
            for result in self.results
        )

    def _because(self, step: str) -> str:
        number = next(at for at, result in enumerate(self.results, 1) if result.step == step)
        return f"because of step {number}"


_MUST_PASS = ("hello", "question", "quiet")
"""Steps without which others make no sense, even if it was skipped itself."""

_LEAVE = "the build must leave in the folder what `run` names, and executable"
_AT_HAND = (
    "run it in the bot's folder first; what it needs must be there or on the machine, for it has no network by default"
)


def _not_started(failure: StartFailure, expected: str) -> Wrong:
    return Wrong(expected, failure.got, failure.hint, failure.log[-STDERR_SHOWN:], failure.exit)


def _joined(wrong: Sequence[Wrong]) -> Wrong:
    first = wrong[0]  # what is shown besides the texts is its
    if len(wrong) > 1:
        first.got += "".join(f"; and expected {other.expected}, got {other.got}" for other in wrong[1:])[:600]
    return first


def _told_usage(took: float, seconds: float, memory: int) -> str:
    usage = f", {seconds * 1000:.0f} ms of processor time, {memory / (1 << 20):.1f} MiB of memory" if memory else ""
    return f"hello after {took * 1000:.0f} ms{usage}"
