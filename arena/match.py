"""The referee: a `MatchSpec` and its players in, a `MatchResult` out. The only place that waits for bots.

A turn is one write to every seat, then a wait for all of them, each under its own deadline counted from its own write. One
task plays one match, under one cancel scope whose deadline is moved along; many matches share a process. What is fast here and
why stands in ARCHITECTURE.md, "The pattern".

Times of answers are taken when the answer is read, and the seats of a table are waited for together (one epoll for each
match), so that nobody's time contains another's thinking.
"""

import select
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, inf
from typing import Any

import trio

from arena.clock import STALL_MARGIN, STALL_SHARE, Limits, StallWatch
from arena.faults import FATAL, STRIKES, Fault, FaultKind
from arena.record import FORMAT, Recorder
from arena.rules.game import MOVES, Batch, Event, Game, Option, Shuffle, State
from arena.rules.shuffle import shuffled
from arena.seats.player import Player, StartFailure
from arena.seeds import Seed
from protocol.connection import Phase
from protocol.decoding import Dialect
from protocol.encoding import ENCODERS, Encoder, Question
from protocol.errors import RemoteProtocolError
from protocol.messages import Limits as WireLimits
from protocol.messages import MatchOver, Welcome

FLOOD = 65536
"""Bytes that a bot may send between two questions."""

PIECE = 64
"""Bytes for which each piece counts at least: to read many tiny ones takes the referee's time from all."""

SLOW = 0.002
"""Seconds after which a turn is a slow one: bots that have nothing to decide are frozen, and it is noted how long the others had
waited for the processor. Turns of bots that answer at once are spared all that."""

WAITING_MARGIN = 0.005
"""Seconds. If a bot wanted to run and could not for longer than this, because others did, that time is not its own."""

_PACK, _FRAMED = ENCODERS[Dialect.MSGPACK], ENCODERS[Dialect.FRAMED]


@dataclass(frozen=True)
class MatchSpec:
    """All that is settled before the first card."""

    game: Game[Any]
    names: Sequence[str]
    """What to call each seat's bot."""
    seed: Seed
    limits: Limits = field(default_factory=Limits)
    pace: float = 0.0
    """Seconds to pause after each move, while no clock runs, so that people can follow."""
    began: str = ""
    """When, as people write it; goes into the record."""
    version: str = ""
    """The version of this program; goes into the record."""
    notes: Mapping[str, Any] = field(default_factory=dict)
    """What else is to stand in the head of the record."""


@dataclass
class SeatResult:
    """How one seat fared."""

    score: int
    """Heads in all."""
    rank: int
    """From 1; equals share a place, and closed seats share the last one."""
    faults: list[Fault]
    times_us: list[int]
    """The time of each decision that was asked of the bot, in microseconds."""


@dataclass
class MatchResult:
    """How a match ended."""

    seats: list[SeatResult]
    void: str | None
    """Why the match does not count, or None if it does."""
    deals: int = 0
    """How many deals were played."""
    last: list[Event] = field(default_factory=list)
    """What happened last."""


@dataclass(eq=False, slots=True)
class _Seat:
    """One place at the table while a match is played."""

    index: int
    bank_us: int
    player: Player | None = None
    """None once the seat is closed."""
    encoder: Encoder = _PACK
    faults: list[Fault] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    told: int = 0
    """How many steps of the journal the bot knows."""
    last_us: int = 0
    complaint: str | None = None
    """What is to be said of its last fault with the next question."""
    closed: bool = False
    piece: bytes = b""
    """The piece of its view that says which seat it is."""
    clocks: dict[int, bytes] = field(default_factory=dict)
    """The pieces of its questions that say the limit and the bank, by limit; empty when the bank has changed."""
    at: int = -1
    """Which request of the present batch it is to answer, or -1."""
    options: Sequence[Option] = ()
    asked: float = 0.0
    """When its question was written."""
    credit: float = 0.0
    """Seconds since then in which the machine stood still: they move the deadline."""
    received: int = 0
    """Bytes since then that were no answer."""
    outbox: bytes = b""
    """What did not fit into its pipe."""
    waited: float | None = None
    """How long the player had waited for the processor in all when its turn became a slow one; None before that."""
    stained: bool = False
    """Whether complaint, credit, received or waited are set: rarely, so they are cleaned only then."""

    def clean(self) -> None:
        """Forget what belonged to the last question."""
        self.stained, self.complaint, self.credit, self.received, self.waited = False, None, 0.0, 0, None

    def clock(self, limit_us: int) -> bytes:
        """The piece of a question with this limit and the bank."""
        piece = self.clocks[limit_us] = self.encoder.clock(limit_us, self.bank_us)
        return piece

    def set_bank(self, bank_us: int) -> None:
        """Set what is left of the bank."""
        self.bank_us = bank_us
        self.clocks.clear()


async def play(
    spec: MatchSpec, players: Sequence[Player | StartFailure], recorder: Recorder, stalls: StallWatch
) -> MatchResult:
    """Play one match. A seat whose bot did not start is played by the fallback.

    The players stay alive, except those whose seat was closed. Logs and ways of ending are still to be added to the faults by
    who ends the players (`arena.runner`).
    """
    match = _Match(spec, players, recorder, stalls)
    try:
        return await match.run()
    finally:
        match.epoll.close()


class _Match:
    def __init__(
        self,
        spec: MatchSpec,
        players: Sequence[Player | StartFailure],
        recorder: Recorder,
        stalls: StallWatch,
    ) -> None:
        self.spec = spec
        self.game = spec.game
        self.state: Any = spec.game.new()
        self.recorder = recorder
        self.stalls = stalls
        self.now = trio.lowlevel.current_clock().current_time
        self.epoll = select.epoll()
        self.by_fd: dict[int, _Seat] = {}
        self.journal: list[tuple[int, dict[Encoder, bytes], list[Any]]] = []
        """Of each step: how many events, their bytes in each dialect that was wanted, and the events themselves."""
        self.freezes = any(not isinstance(player, StartFailure) and player.freezes for player in players)
        self.slow_at = inf
        """When the present batch will be a slow one; infinite when it is."""
        self.asked_at = 0.0
        """When the present batch was asked."""
        self.scope = trio.CancelScope()
        self.limit_us = 0
        """The limit of the present batch."""
        self.missing = 0
        """How many answers to it are still to come."""
        self.answers: list[Option | None] = []
        self.us: list[int] = []
        self.void: str | None = None
        self.seats = []
        for index, player in enumerate(players):
            seat = _Seat(index, round(spec.limits.bank * 1e6))
            self.seats.append(seat)
            if not isinstance(player, StartFailure):
                seat.player = player
                seat.encoder = player.connection.encoder
                seat.piece = seat.encoder.seat(index)
                self.by_fd[player.read_fd] = seat
                self.epoll.register(player.read_fd, select.EPOLLIN)
        self._write_head(players)
        welcome = self._welcome()
        for seat, player in zip(self.seats, players, strict=True):
            if isinstance(player, StartFailure):
                elapsed = round(player.elapsed * 1e6)
                fault = self._fault(seat, FaultKind.START, player.expected, player.got, elapsed, "start")
                fault.stderr, fault.exit = player.log, player.exit
            else:
                player.begin_match()
                own = {"seat": seat.index, "seed": spec.seed.for_bot(seat.index)}
                self._send(seat, player, seat.encoder.message(welcome.model_copy(update=own)))

    async def run(self) -> MatchResult:
        finished = False
        while not finished:
            with trio.CancelScope() as self.scope:
                finished = await self._go_on()
            if self.scope.cancelled_caught:
                self._judge_late()
                finished = self.void is not None
        return self._finish()

    async def _go_on(self) -> bool:
        """Play until the match is over; cancelled by the scope when a deadline passes, and then called again."""
        state: State = self.state
        seats, read = self.seats, self._read
        checkpoint = trio.lowlevel.cancel_shielded_checkpoint
        while True:
            while self.missing:
                await self._wait()
                if self.void is not None:
                    return True
            pending = state.pending
            if self.answers:
                assert isinstance(pending, Batch)
                self._apply(pending)
                pending = state.pending
                if self.spec.pace and not (isinstance(pending, Batch) and pending.kind not in MOVES):
                    await self._pause()
                else:
                    self.recorder.flush()
                if self.spec.limits.tick:
                    await self._tick()
            if isinstance(pending, Shuffle):
                self._deal(pending)
            elif pending is None:
                return True
            else:
                self._ask(pending)
                # The one checkpoint of a turn: other matches write while our bots think. Without it a match of instant
                # bots would starve the others.
                await checkpoint()
                for index in pending.seats:
                    seat = seats[index]
                    if seat.at >= 0:
                        read(seat)

    async def _pause(self) -> None:
        self.recorder.flush(now=True)
        self._freeze()
        self.scope.deadline = inf
        await trio.sleep(self.spec.pace)

    async def _tick(self) -> None:
        """Until the next tick of this turn's clock: so a message's time tells nobody how long others thought."""
        tick = self.spec.limits.tick
        self._freeze()
        self.scope.deadline = inf
        await trio.sleep_until(self.asked_at + tick * max(1, ceil((self.now() - self.asked_at) / tick)))

    def _slow(self) -> None:
        """This turn has become a slow one."""
        self.slow_at = inf
        self._freeze()
        for seat in self.seats:
            if seat.at >= 0 and seat.player is not None:
                seat.stained = True
                seat.waited = seat.player.waited()

    def _freeze(self) -> None:
        """Let nobody think but who is asked."""
        if self.freezes:
            for seat in self.seats:
                if seat.at < 0 and seat.player is not None:
                    seat.player.freeze()

    def _deal(self, shuffle: Shuffle) -> None:
        cards = shuffled(shuffle.deck, shuffle.cards, self.spec.seed.seed, self.state.deal + 1)
        events = self.game.advance_deal(self.state, cards)
        self.recorder.write({"deal": cards})
        self.journal.append((len(events), {}, events))

    def _ask(self, batch: Batch) -> None:
        """Write the question of each seat; its clock starts when it is written."""
        kind, indices, options = batch
        hand_of, state, seats, now = self.game.hand, self.state, self.seats, self.now
        deadlines = self.stalls.deadlines
        if (time := now()) >= deadlines.earliest:
            deadlines.look(time)
        steps = len(self.journal)
        self.limit_us = limit_us = round(self.spec.limits.of(kind) * 1e6)
        self.answers = [None] * len(indices)
        self.us = [0] * len(indices)
        frames = []
        known: dict[tuple[Encoder, int], Question] = {}
        encoder, told = None, -1
        at = -1
        for index in indices:
            at += 1
            seat = seats[index]
            player = seat.player
            if player is None:
                continue
            if seat.encoder is not encoder or seat.told != told:
                encoder, told = seat.encoder, seat.told
                if (encoder, told) not in known:
                    known[encoder, told] = encoder.question(
                        kind, self.game.public(state), self._events_since(told, encoder)
                    )
                question = known[encoder, told]
            seat.at = at
            seat.told = steps
            seat.options = options[at]
            clock = seat.clocks.get(limit_us) or seat.clock(limit_us)
            request = player.connection.ask()
            hand = hand_of(state, index)
            frame = encoder.decide(
                question, seat.piece, hand, seat.options, request, clock, seat.last_us, seat.complaint
            )
            if seat.stained:
                seat.clean()
            frames.append((seat, player, frame))
        for seat, player, frame in frames:
            if player.frozen:
                player.thaw()
            self._send(seat, player, frame)
            seat.asked = now()
        self.missing = len(frames)
        self.asked_at = time
        self.slow_at = time + SLOW

    def _events_since(self, step: int, encoder: Encoder) -> bytes:
        """The bytes of all events from this step on."""
        count, pieces = 0, []
        for size, packed, events in self.journal[step:]:
            if encoder not in packed:
                packed[encoder] = encoder.items(events)
            pieces.append(packed[encoder])
            count += size
        return encoder.array(count, pieces)

    def _deadline(self, seat: _Seat) -> float:
        return seat.asked + (self.limit_us + seat.bank_us) * 1e-6 + seat.credit

    async def _wait(self) -> None:
        """Wait until somebody says something, or until the first deadline."""
        if self.now() >= self.slow_at:
            self._slow()
        elif self.slow_at == inf:
            self._freeze()
        self.scope.deadline = deadline = min(
            [self._deadline(seat) for seat in self.seats if seat.at >= 0] + [self.slow_at]
        )
        self.stalls.deadlines.sleep(self._wake, deadline)
        try:
            await trio.lowlevel.wait_readable(self.epoll.fileno())
        finally:
            self.stalls.deadlines.awake(self._wake)
        for fd, _ in self.epoll.poll(0):
            seat = self.by_fd.get(fd)  # None if it was closed a moment ago
            if seat is not None and seat.player is not None:
                if fd == seat.player.read_fd:
                    self._read(seat)
                else:
                    self._flush(seat, seat.player)

    def _read(self, seat: _Seat) -> None:
        """Take what the seat said, if it said anything."""
        player = seat.player
        assert player is not None
        try:
            data = player.recv()
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if not data:
            self._lost(seat, player)
            return
        now = self.now()
        try:
            option = player.connection.receive(data)
        except RemoteProtocolError as error:
            self._broken(seat, player, error)
            return
        if option is None:
            seat.stained = True
            seat.received += max(PIECE, len(data))
            if seat.received > FLOOD:
                got = f"{seat.received} bytes since the last question, each piece counted as {PIECE} at least"
                self._fault(seat, FaultKind.OUTPUT, f"at most {FLOOD} bytes on stdout between two questions", got)
            return
        seat.last_us = us = round((now - seat.asked) * 1e6)
        if us > self.limit_us:
            over = us - self.limit_us - round(seat.credit * 1e6)
            if over > 0 and seat.bank_us:
                seat.set_bank(max(0, seat.bank_us - over))
        chosen = tuple(option) if isinstance(option, list) else option
        if chosen not in seat.options:
            shown = ", ".join(map(str, seat.options[:20])) + (", ..." if len(seat.options) > 20 else "")
            fault = self._fault(seat, FaultKind.ILLEGAL, f"one of the options {shown}", repr(option)[:80])
            if player.connection.more and not fault.closed:
                self._read_on(seat, player)
            return
        at = seat.at
        self.answers[at] = chosen
        self.us[at] = us
        seat.times.append(us)
        seat.at = -1
        self.missing -= 1
        if player.connection.more:
            self._read_on(seat, player)

    def _broken(self, seat: _Seat, player: Player, error: RemoteProtocolError) -> None:
        fault = self._fault(seat, FaultKind.PROTOCOL, error.expected, error.came, fatal=not error.resync)
        if not fault.closed:
            self._read_on(seat, player)

    def _read_on(self, seat: _Seat, player: Player) -> None:
        """Judge what else came with an answer or a fault. All of it is unasked for."""
        while seat.player is not None:
            try:
                player.connection.receive(b"")
            except RemoteProtocolError as error:
                self._fault(seat, FaultKind.PROTOCOL, error.expected, error.came, fatal=not error.resync)
            else:
                return

    def _lost(self, seat: _Seat, player: Player) -> None:
        """The seat's output has ended."""
        failure = player.host_fault()
        if failure is not None:
            self.void = f"the machine failed seat {seat.index}: {failure}"
            self._close(seat)
            return
        verdict = player.verdict()
        if verdict is not None:
            self._fault(seat, verdict[0], "a bot within its limits", verdict[1])
        else:
            expected = "an answer" if seat.at >= 0 else "a bot that stays until its bye"
            self._fault(seat, FaultKind.CRASH, expected, "the end of its output")

    def _wake(self) -> None:
        """Called while this match sleeps and a deadline has passed: judge now, not when the loop has come round."""
        self._judge_late()
        self.scope.cancel()

    def _judge_late(self) -> None:
        """A deadline has passed: look once more into the pipes of those who are late, then call them so.

        Unless the machine stood still meanwhile: what it lost is given back, and if that is much, the match is void.
        """
        now = self.now()
        for seat in [seat for seat in self.seats if seat.at >= 0 and self._deadline(seat) <= now]:
            self._read(seat)
            if seat.at < 0:
                continue
            allowed = (self.limit_us + seat.bank_us) * 1e-6
            lost = self.stalls.lost(seat.asked, self._deadline(seat), now)
            if lost > STALL_SHARE * allowed:
                self.void = (
                    f"the referee's machine stood still for {lost * 1e3:.0f} ms while seat {seat.index} had"
                    f" {allowed * 1e3:g} ms to think, so nothing can be said of its time"
                )
                return
            waited = 0.0
            if seat.player is not None and seat.waited is not None:
                waited = min(seat.player.kept_waiting(seat.waited), allowed)
            if lost > max(seat.credit, STALL_MARGIN) or waited > seat.credit + WAITING_MARGIN:
                seat.stained = True
                seat.credit = max(lost, waited)
                if self._deadline(seat) > now:
                    continue
            seat.set_bank(0)
            assert seat.player is not None
            unfinished = seat.player.connection.unfinished
            got = f"{unfinished} bytes of an unfinished message" if unfinished else "nothing"
            if seat.credit:
                why = "the machine stood still" if lost >= waited else "others had the processor"
                got += f" (not counting {seat.credit * 1e3:.0f} ms in which {why})"
            self._fault(seat, FaultKind.TIMEOUT, f"an answer within {allowed * 1e3:g} ms", got)

    def _fault(
        self,
        seat: _Seat,
        kind: FaultKind,
        expected: str,
        got: str,
        elapsed_us: int | None = None,
        decision: str | None = None,
        *,
        fatal: bool = False,
    ) -> Fault:
        """Put a fault on record, and take the seat out of the present batch or of the match."""
        asked = seat.at >= 0
        if elapsed_us is None:
            elapsed_us = round((self.now() - seat.asked) * 1e6) if asked else 0
        if decision is None:
            kind_asked = self.state.pending.kind if asked else "between its decisions"
            decision = f"deal {self.state.deal}, turn {self.state.turn}, {kind_asked}"
        strike = len(seat.faults) + 1
        closed = fatal or kind in FATAL or strike >= STRIKES
        fault = Fault(kind, seat.index, decision, expected, got, elapsed_us, strike, closed)
        seat.faults.append(fault)
        self.recorder.write({"fault": {"seat": seat.index, **fault.facts()}})
        seat.stained = True
        seat.complaint = f"{kind}: expected {expected}; got {got}"
        if asked:
            seat.times.append(elapsed_us)
            self.us[seat.at] = elapsed_us
            self.missing -= 1
            seat.at = -1
            if seat.player is not None:
                seat.player.connection.give_up()
        if closed:
            self._close(seat)
        return fault

    def _close(self, seat: _Seat) -> None:
        seat.closed = True
        player, seat.player = seat.player, None
        if player is not None:
            self._unregister(player.read_fd)
            self._unregister(player.write_fd)
            player.stop()

    def _unregister(self, fd: int) -> None:
        if self.by_fd.pop(fd, None) is not None:
            self.epoll.unregister(fd)

    def _apply(self, batch: Batch) -> None:
        """The batch is complete: only now does anybody learn of any answer."""
        by = None
        if None in self.answers:
            by = ["bot" if answer is not None else "fallback" for answer in self.answers]
            for at, answer in enumerate(self.answers):
                if answer is None:
                    self.answers[at] = self.game.fallback(self.state, at)
        answers: list[Any] = self.answers
        events = self.game.advance(self.state, answers)
        packed = _PACK.items(events)
        self.journal.append((len(events), {_PACK: packed, _FRAMED: packed}, events))
        self.recorder.answers(answers, self.us, by, packed)
        self.answers = []

    def _finish(self) -> MatchResult:
        """Tell everybody and add up."""
        scores = list(self.state.scores)
        ranks = [] if self.void else _ranks(scores, [seat.closed for seat in self.seats])
        known: dict[tuple[Encoder, int], bytes] = {}
        for seat in self.seats:
            if seat.player is not None:
                if seat.player.connection.phase is Phase.ASKED:
                    seat.player.connection.give_up()
                key = seat.encoder, seat.told
                if key not in known:
                    events = [event for _, _, step in self.journal[seat.told :] for event in step]
                    over = MatchOver(events=events, scores=scores, ranks=ranks, void=self.void is not None)
                    known[key] = seat.encoder.message(over)
                self._send(seat, seat.player, known[key])
        places = ranks or [0] * len(scores)
        return MatchResult(
            [
                SeatResult(score, rank, seat.faults, seat.times)
                for score, rank, seat in zip(scores, places, self.seats, strict=True)
            ],
            self.void,
            self.state.deal,
            self.journal[-1][2] if self.journal else [],
        )

    def _write_head(self, players: Sequence[Player | StartFailure]) -> None:
        spec = self.spec
        hellos = [None if isinstance(player, StartFailure) else player.connection.hello for player in players]
        self.recorder.write(
            {
                "bullring": FORMAT,
                "game": self.game.id,
                "options": self.game.options,
                "seats": list(spec.names),
                "programs": [hello and {"name": hello.name, "version": hello.version} for hello in hellos],
                "start": self.game.start,
                "limits": spec.limits.microseconds(),
                **({"tick_us": round(spec.limits.tick * 1e6)} if spec.limits.tick else {}),
                "strikes": STRIKES,
                "commitment": spec.seed.commitment,
                "began": spec.began,
                "version": spec.version,
                **spec.notes,
            }
        )

    def _welcome(self) -> Welcome:
        """As it is for the first seat."""
        return Welcome(
            game=self.game.id,
            options=self.game.options,
            seats=self.game.seats,
            seat=0,
            start=self.game.start,
            limits=WireLimits(**self.spec.limits.microseconds()),
            strikes=STRIKES,
            seed=self.spec.seed.for_bot(0),
            commitment=self.spec.seed.commitment,
        )

    def _send(self, seat: _Seat, player: Player, data: bytes) -> None:
        """Write what fits; the rest waits in the outbox until the pipe has room."""
        if seat.outbox:
            seat.outbox += data
            return
        try:
            sent = player.send(data)
        except BlockingIOError:
            sent = 0
        except OSError:
            return  # nobody reads any more: its silence, or the end of its output, will be judged
        if sent < len(data):
            seat.outbox = data[sent:]
            self.by_fd[player.write_fd] = seat
            self.epoll.register(player.write_fd, select.EPOLLOUT)

    def _flush(self, seat: _Seat, player: Player) -> None:
        data, seat.outbox = seat.outbox, b""
        self._unregister(player.write_fd)
        self._send(seat, player, data)


def _ranks(scores: Sequence[int], closed: Sequence[bool]) -> list[int]:
    """Places from 1: fewest heads first, equals share (A03), and all closed seats share the last places."""
    keys = [(1, 0) if out else (0, score) for score, out in zip(scores, closed, strict=True)]
    return [1 + sum(other < key for other in keys) for key in keys]


def close_record(
    recorder: Recorder, spec: MatchSpec, result: MatchResult, logs: Sequence[str], *, seal: bool = True
) -> None:
    """Write the logs of the bots and, to `seal` it, the end, with seed and nonce, which now can serve nobody."""
    for seat, text in enumerate(logs):
        if text:
            recorder.write({"stderr": {"seat": seat, "text": text}})
    if seal:
        recorder.end(end_entry(spec.seed, [s.score for s in result.seats], [s.rank for s in result.seats], result.void))
    else:
        recorder.flush(now=True)


def end_entry(seed: Seed, scores: Sequence[int], ranks: Sequence[int], void: str | None) -> dict[str, Any]:
    """The last line of a record, but for its checksum."""
    return {
        "seed": seed.seed,
        "nonce": seed.nonce,
        "scores": list(scores),
        "ranks": [] if void else list(ranks),
        "void": void,
    }


__all__ = ["MatchResult", "MatchSpec", "SeatResult", "close_record", "end_entry", "play"]
