"""The course of a match: takes a `MatchSpec` and the players, and returns a `MatchResult`.

In a turn, the referee writes to every seat and then waits for all of them, each under its own deadline. The course of a match waits
for nothing itself: it says when to look at it, and the hall, which plays all matches of the process, calls it when one of its bots
has said something.

Rivals learn nothing of a fault: they see the fallback move like any move. All seats are listened to together, because the
thinking of one seat must not become time of the next. Accounts of the kernel are read only for decisions that are slow, so
tables of quick bots pay nothing; a shorter decision is charged as plain time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from bullring.arena.cells.sandbox.account import Account
from bullring.arena.cells.sandbox.cell import heard
from bullring.arena.games.rules.game import Batch, Option, Shuffle, State
from bullring.arena.games.rules.ranks import ranks
from bullring.arena.games.rules.shuffle import shuffled
from bullring.arena.match.clock.judge import LONG_PART, LONG_WAIT, NEVER, SLOW_US, Ruling, SeatClock
from bullring.arena.match.clock.plain_time import LEAST_US, Pairs
from bullring.arena.match.clock.watch import Watch, asked_at, at_once
from bullring.arena.match.composer import Composer
from bullring.arena.match.faults import BETWEEN, FATAL, STRIKES, Fault, FaultKind, complaint, failed_seat
from bullring.arena.match.records.ends import head, now
from bullring.arena.match.records.writer import LIVE_AFTER, Recorder
from bullring.arena.match.referee.hall import Hall, the_hall
from bullring.arena.match.referee.place import Place
from bullring.arena.match.referee.spec import MatchResult, MatchSpec, Pulse, SeatResult
from bullring.arena.match.seats.answer import ended, late, meant, overdue
from bullring.arena.match.seats.player import Habit, LeftToReferee, Player, new_id
from bullring.arena.settings.limits import MICRO, UNLIMITED_US, Limits
from bullring.errors import HostError, RemoteProtocolError, StartFailure, Unexpected
from bullring.protocol.connection import Phase
from bullring.protocol.decoding import Dialect
from bullring.protocol.encoding import ENCODERS, Encoder, Id
from bullring.protocol.remedies import STAY, illegal

if TYPE_CHECKING:
    from bullring.arena.match.records.prefix import Prefix

FLOOD = 65536
"""Bytes that a bot may send between two questions without answering."""

PIECE = 64
"""Minimum number of bytes that each piece counts as, because reading many tiny pieces costs the referee time."""


async def play(
    spec: MatchSpec,
    players: Sequence[Player | StartFailure | None],
    recorder: Recorder,
    watch: Watch,
    prefix: "Prefix | None" = None,
    new_id: Callable[[], int] = new_id,
) -> MatchResult:
    """Play one match. The fallback plays any seat whose bot did not start.

    With a `prefix`, a match that was left goes on after these lines of its record; seats that were closed have no player.
    `new_id` draws the ids of questions, which must be unpredictable; all seats of a batch share one.
    The players stay alive, except those whose seat was closed. The caller (`arena.match.play`) adds logs and exits to the faults.
    """
    hall = the_hall()
    course = _Course(spec, recorder, watch, hall, new_id)
    hall.enter(course)
    try:
        course.begin(players, prefix)
        await hall.play(course)
        return course.result
    finally:
        hall.leave(course)
        course.close()


@dataclass(eq=False)
class _Course:
    spec: MatchSpec
    recorder: Recorder
    watch: Watch
    hall: Hall
    new_id: Callable[[], int]
    freezes: bool = False
    over: bool = False
    ready: bool = False
    look_us: int = NEVER
    due_us: int = NEVER
    rests_until_us: int = 0
    """Until when nothing is asked, because results are told at a tick; 0 if nothing is in the way."""
    asked_us: int = 0
    """The time of the current batch."""
    unasked: list[tuple[Place, Player, bytes]] = field(default_factory=list)
    """The seats of the current batch that are still to be asked, and their questions."""
    asked: Place | None = None
    """The seat that was asked last, while others are still to be asked."""
    judged_us: int = 0
    """The time after which a seat of the current batch is late, without its bank."""
    slow_at_us: int = NEVER
    """The time at which the current batch becomes slow; `NEVER` once it is."""
    long_us: int = 0
    """From this long on, a decision of the current batch is a long one: accounts are read for it."""
    long_at_us: int = NEVER
    """The time at which the decisions of the current batch become long; `NEVER` once they are."""
    missing: int = 0
    """The number of answers to the current batch that are still missing."""
    batches: int = 0
    """The number of batches that were asked."""
    told: tuple[int, ...] = ()
    """The last arguments of the pulse: the number of the batch, and the seats that were thinking."""
    answers: list[Option | None] = field(default_factory=list)
    times_us: list[int] = field(default_factory=list)
    """The clock time of each answer."""
    back_us: list[int] | None = None
    """The time given back for each answer; None if there was none."""
    queued_us: int = 0
    """The `Watch.queued_us` of the last look at the match, once its decisions are long."""
    void: str | None = None
    places: list[Place] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.game = self.spec.game
        self.state: Any = self.game.new()
        self._is_long = False
        """Whether each turn is shown to spectators before the next one: bots of this deal may think for long."""
        self.composer = Composer(self.game)
        self.result: MatchResult
        self.people = frozenset(self.spec.people)
        self.limits_of_people = Limits.of_people(self.spec.people_us)

    def begin(self, players: Sequence[Player | StartFailure | None], prefix: "Prefix | None") -> None:
        """Seat the players and welcome them."""
        spec = self.spec
        self.lines = self.hall.lines
        self.freezes = any(isinstance(player, Player) and player.cell.freezes for player in players)
        # What a bot used or waited for between this account and its first long decision must be little beside such a decision.
        now_us, limits = self.hall.now_us(), spec.limits
        age_us = min(limits.card_us, limits.row_us, limits.other_us, MICRO) // LONG_PART
        for index, player in enumerate(players):
            is_person = index in self.people
            clock = SeatClock(0 if is_person else spec.limits.bank_us)
            encoder = player.connection.encoder if isinstance(player, Player) else ENCODERS[Dialect.MSGPACK]
            place = Place(index, encoder, clock=clock, course=self, person=is_person)
            self.places.append(place)
            if isinstance(player, Player):
                place.player = player
                place.clock.account = player.recent_account(now_us, age_us)
                place.thinker = _Thinker(self, place, player)
                self.lines.connect(place, player)
        if prefix is None:
            self._write_head(players)
        else:
            self._go_on_after(prefix, players)
        self._welcome_all(players)

    def close(self) -> None:
        """Leave nothing in the referee process that belongs to this match, nor a cycle for the garbage collector: with many tables
        those made it stop the process for a tenth of a second, which is time that bots lose."""
        for place in self.places:
            self._stop_thinking(place)
            place.course = place.thinker = None

    # The hall calls

    def step(self) -> None:
        """Go on until a seat is asked, or the match is over."""
        state: State = self.state
        while not self.missing and not self.rests_until_us:
            if self.void is not None:
                break
            pending = state.pending
            if self.answers:
                assert isinstance(pending, Batch)
                self._apply(pending)
                self.recorder.flush(long=self._is_long)
                if self.spec.limits.tick_us:
                    self._rest_until_tick()
            elif isinstance(pending, Shuffle):
                self._deal(pending)
            elif pending is None:
                break
            else:
                self._ask(pending)
                self.ready = not self.missing  # no seat that has to decide has a player
                return
        else:
            if self.void is None:
                return
        self.result = self._finish()
        self.over = True

    def hear(self, place: Place, now_us: int) -> bool:
        """Read what a seat had said by this time, and go on if it was the last one. Returns whether to look at the match."""
        if self.unasked and place is not self.asked:
            self._ask_all(self.unasked)  # it says something of its own
        self._read(place, now_us)
        if not self.missing or self.void is not None:
            self.step()
            return False
        if self.unasked and place.request < 0:
            self._ask_all([self.unasked.pop(0)])
        return self.slow_at_us == NEVER

    def look(self, now_us: int) -> None:
        """Do the work that is due at this time: freeze, let bots think in waves, tell who thinks, read accounts, judge."""
        if self.rests_until_us:
            if now_us >= self.rests_until_us:
                self.rests_until_us, self.ready = 0, True
            return
        if now_us >= self.slow_at_us:
            self._become_slow()
        elif self.slow_at_us == NEVER:
            self._freeze()
        if self.slow_at_us == NEVER and self.spec.pulse is not None:
            self._tell_who_thinks(self.spec.pulse)
        if now_us >= self.long_at_us:
            self._become_long()
        if self.long_at_us == NEVER:
            self.queued_us = self.watch.queued_us()
        self.judge()

    def judge(self) -> None:
        """Rule on seats whose clocks have run out, and note when to look again."""
        self._judge_late()
        if self.void is not None or not self.missing:
            self.look_us = self.due_us = NEVER
            self.ready = True
        else:
            self.set_deadline()

    def set_deadline(self) -> None:
        """Note when to look at the clocks, if an answer is missing."""
        if self.missing and not self.over:
            self.due_us = min([place.clock.deadline_us for place in self.places if place.request >= 0])
            self.hall.due_us = min(self.hall.due_us, self.due_us)
            self.hall.look_at(self, min(self.due_us, self.slow_at_us, self.long_at_us))

    def _rest_until_tick(self) -> None:
        """Rest until the next tick after the question, so that the time of a message reveals nothing about others' thinking."""
        tick = self.spec.limits.tick_us
        self._freeze()
        ticks = max(1, ceil((self.hall.now_us() - self.asked_us) / tick))
        self.rests_until_us = self.asked_us + tick * ticks
        self.hall.look_at(self, self.rests_until_us)

    def _become_slow(self) -> None:
        """Freeze the bots that are not being asked, and let the others think one after another."""
        if self.unasked:
            self._ask_all(self.unasked)
        self.slow_at_us = NEVER
        self._freeze()
        for place in self.places:
            player, thinker = place.player, place.thinker
            if place.request >= 0 and player is not None and thinker is not None and player.cell.freezes:
                place.stained = place.thinks = True
                self.watch.waves.join(thinker, self.hall.now_us())

    def _become_long(self) -> None:
        """From here on, count exactly what others use of the bots' cores."""
        self.long_at_us = NEVER
        for place in self.places:
            if place.request >= 0 and place.player is not None:
                place.stained = True
                if place.clock.since_us != NEVER and not place.clock.exact:
                    now, account = at_once(place.player.cell.account)
                    place.clock.mark(now, account, self._stalled_us(place.clock, now))

    def _stop_thinking(self, place: Place) -> None:
        """Make room for the next one: the seat has answered, or is not waited for any more."""
        if place.thinks and place.thinker is not None:
            place.thinks = False
            self.watch.waves.leave(place.thinker, self.hall.now_us())

    def _freeze(self) -> None:
        """Freeze the bots that are not being asked."""
        if self.freezes:
            for place in self.places:
                if place.request < 0 and place.player is not None:
                    place.player.cell.freeze()

    # Questions out

    def _deal(self, shuffle: Shuffle) -> None:
        cards = shuffled(shuffle.deck, shuffle.cards, self.spec.seed.seed, self.state.deal + 1)
        events = self.game.advance_deal(self.state, cards)
        self.recorder.deal(cards)
        self.composer.journal.add(events)
        self._is_long = self._may_be_long()
        self.recorder.flush(long=self._is_long)

    def _may_be_long(self) -> bool:
        """Whether a decision may last so long that people want to see the table meanwhile: of each bot, the last match tells."""
        players = [place.player for place in self.places if place.player is not None]
        return bool(self.people) or any(player.matches <= 1 or player.habit.long for player in players)

    def _ask(self, batch: Batch) -> None:
        """Write each seat its question; the seat's clock starts when the question is written."""
        kind, indices, options = batch
        places, decide = self.places, self.composer.decide
        now = self.hall.now_us()
        if now >= self.hall.due_us:  # in a busy pass, the clock of another match may run out
            self.hall.judge(now)
        limit_us = self.spec.limits.of(kind)
        judged_us = self.spec.limits.judged(limit_us)
        people_us = self.limits_of_people.of(kind)
        self.answers = [None] * len(indices)
        self.times_us = [0] * len(indices)
        self.back_us = None
        self.composer.begin(self.state, batch)
        number, ids = self.new_id(), dict[Encoder, Id]()
        careful, waiting = False, True
        frames = []
        for request, index in enumerate(indices):
            place = places[index]
            player = place.player
            if player is None:
                continue
            place.request = request
            place.options = options[request]
            told_us = people_us if place.person else limit_us
            id = ids.get(place.encoder)
            if id is None:
                id = ids[place.encoder] = place.encoder.id(number)
            frame = decide(place, place.options, player.connection.ask(id), told_us, place.clock.bank_us)
            if place.welcome:
                frame, place.welcome = place.welcome + frame, b""
            if place.stained:
                place.clean()
            if place.long or place.person or player.cell.frozen:
                careful = True
            if not player.habit.waits:
                waiting = False
            frames.append((place, player, frame))
        if len(frames) == len(places):
            self.composer.journal.forget()
        self.missing = len(frames)
        self.batches += 1
        self.asked_us, self.judged_us = now, judged_us
        self.long_us = min(limit_us, max(SLOW_US, limit_us // (LONG_WAIT if waiting else LONG_PART)))
        if careful:
            for place, player, frame in frames:
                self._ask_carefully(place, player, frame, judged_us)
            self._asked(now)
        elif self.hall.patience_us and frames and not self.spec.limits.tick_us:
            # One after another, so that each has the core, its caches and its time for itself.
            self.unasked = frames
            self._ask_all([frames.pop(0)])
        else:
            self._ask_all(frames)

    def _ask_all(self, frames: list[tuple[Place, Player, bytes]]) -> None:
        """Write these questions at once, and empty the list. Mostly all are quick, and two readings of the time serve them all."""
        send = self.lines.send
        before = self.hall.now_us()
        for place, player, frame in frames:
            send(place, player, frame)
        asked = asked_at(before, self.hall.now_us(), exact=False)
        for self.asked, _, _ in frames:
            self.asked.clock.ask(asked, self.judged_us)
        if frames:
            self._asked(before)
        frames.clear()

    def _asked(self, now_us: int) -> None:
        """Note when the questions that were just written become slow and long ones."""
        self.slow_at_us, self.long_at_us = now_us + SLOW_US, now_us + self.long_us
        if self.missing:
            # No seat can be late before that, whatever is left of the banks.
            self.due_us = NEVER
            self.hall.look_at(self, now_us + min(SLOW_US, self.long_us))

    def _ask_carefully(self, place: Place, player: Player, frame: bytes, judged_us: int) -> None:
        """Write one question where moments matter: to a bot that is frozen or that thought long, or to others beside it."""
        # Reading an account takes some microseconds, so only those of bots that thought long are read at each question.
        account = player.cell.account() if place.long else None
        if player.cell.frozen:
            player.cell.thaw()
        before = self.hall.now_us()
        self.lines.send(place, player, frame)
        asked = asked_at(before, self.hall.now_us(), exact=account is not None)
        place.clock.ask(asked, UNLIMITED_US if place.person else judged_us, account)
        if account is not None:
            place.thought.clear(account)

    # Answers in

    def _tell_who_thinks(self, pulse: Pulse) -> None:
        """Tell who has not answered yet, if that has changed since it was told."""
        thinking = self.batches, *(place.index for place in self.places if place.request >= 0)
        if thinking != self.told:
            self.told = thinking
            pulse(self.batches, thinking[1:])

    def _read(self, place: Place, now_us: int) -> None:
        """Read what the seat has sent, if anything; `now_us` is when it was seen that it has."""
        player = place.player
        if player is None:  # closed a moment ago
            return
        try:
            data = heard(player.cell)
        except LeftToReferee:
            player.connection.give_up()
            self._take_time(place, place.clock.time_us(self.hall.now_us()))
            return
        if not data:
            if data is not None:
                self._lost(place, player)
            return
        try:
            option = player.connection.receive(data)
        except RemoteProtocolError as error:
            self._protocol_fault(place, error)
            self._read_on(place, player)
            return
        if option is None:
            self._flooded(place, len(data))
            return
        if now_us < place.clock.asked_us:  # it had said something else, and was asked since
            now_us = self.hall.now_us()
        place.last_us = elapsed_us = plain_us = now_us - place.clock.asked_us
        account = None
        if elapsed_us > self.long_us:
            account = self._stop_clock(place, player, now_us)
            elapsed_us = place.last_us
        elif place.thinks:  # it may have rested
            account = None if player.habit.waits else player.cell.account()
            place.last_us = elapsed_us = place.clock.time_us(now_us)
        place.long = elapsed_us > self.long_us and not player.habit.waits
        if account is not None and elapsed_us >= LEAST_US:
            player.habit.pairs = player.habit.pairs or Pairs()
        if player.habit.pairs is not None:
            self._compare(place, player.habit, plain_us, account)
        # Mostly it is one of them as it is, which spares a call. Neither a list nor an index ever is.
        chosen: Option | None = option if option in place.options else meant(option, place.options)  # type: ignore[assignment]
        if chosen is None:
            self._fault(place, FaultKind.ILLEGAL, illegal(option, place.options, data), elapsed_us)
        else:
            self.answers[place.request] = chosen
            self._take_time(place, elapsed_us)
        if player.connection.more:
            self._read_on(place, player)

    def _stop_clock(self, place: Place, player: Player, now_us: int) -> Account | None:
        """A long decision has ended: find out its clock time, and charge the bank. Returns the account of now."""
        clock = place.clock
        place.stained = True
        # It answered before we began to queue for the processor, or meanwhile, and gets the benefit of the doubt. After that it
        # waits for nothing, so its account still is that of the answer.
        if clock.since_us != NEVER:
            late_us = self.watch.queued_us() - self.queued_us if self.long_at_us == NEVER else 0
            now_us = max(now_us - late_us, clock.since_us)
        account = at_once(player.cell.account)[1]
        clock.look(now_us, account, self._stalled_us(clock, now_us))
        player.habit.waits = clock.waits(now_us, account)
        clock.stop(now_us)
        place.last_us = clock.time_us(now_us)
        return account

    def _compare(self, place: Place, habit: Habit, plain_us: int, account: Account | None) -> None:
        """Compare a decision of a bot that has been seen to think with another one, in which others had its core for another time.
        There is an account unless it was a matter of a moment, or the bot waits."""
        assert habit.pairs is not None
        found = place.thought.end(plain_us, account)
        place.thought.clear(account)
        if found is not None and not habit.waits:
            sign = habit.pairs.add(self.state.pending.kind, len(place.options), *found)
            place.shrank += sign > 0
            place.grew += sign < 0

    def _take_time(self, place: Place, elapsed_us: int) -> None:
        """Note the clock time of a seat's answer, or of its silence. It is not waited for any more."""
        place.times_us.append(elapsed_us)
        self.times_us[place.request] = elapsed_us
        if place.stained and place.clock.back_us:
            if self.back_us is None:
                self.back_us = [0] * len(self.times_us)
            self.back_us[place.request] = place.clock.back_us
        place.request = -1
        self.missing -= 1
        if place.thinks:
            self._stop_thinking(place)

    def _flooded(self, place: Place, size: int) -> None:
        """Count bytes that were not an answer; too many of them are a fault."""
        place.stained = True
        place.received += max(PIECE, size)
        if place.received > FLOOD:
            expected = f"at most {FLOOD} bytes on stdout between two questions"
            got = f"{place.received} bytes since the last question, each piece counted as {PIECE} at least"
            self._fault(place, FaultKind.OUTPUT, Unexpected(expected, got))

    def _read_on(self, place: Place, player: Player) -> None:
        """Judge what else came with an answer or a fault, unless that closed the seat. All of it is unsolicited."""
        while place.player is not None:
            try:
                player.connection.receive(b"")
            except RemoteProtocolError as error:
                self._protocol_fault(place, error)
            else:
                return

    def _protocol_fault(self, place: Place, error: RemoteProtocolError) -> None:
        self._fault(place, FaultKind.PROTOCOL, error, fatal=not error.resync)

    def _lost(self, place: Place, player: Player) -> None:
        """Rule on the end of the seat's output."""
        expected = "an answer" if place.request >= 0 else "a bot that stays until its bye"
        hint = STAY if player.matches > 1 and not place.times_us else ""
        try:
            none = ended(player, expected, hint)
        except HostError as failure:
            self.void = f"{failed_seat(place.index)}{failure}"
            self._close(place)
        else:
            self._fault(place, none.kind, none)

    def _judge_late(self) -> None:
        """Read the pipes of overdue seats, rule on those that are still silent, and read those of the late ones once more."""
        now = self.hall.now_us()
        slow = [place for place in self.places if place.request >= 0 and place.clock.deadline_us <= now]
        for place in slow:
            self._read(place, now)
            if place.request < 0:
                continue
            assert place.player is not None
            player, clock = place.player, place.clock
            allowed_us = clock.allowed_us
            place.stained = place.long = True
            ruling, now = overdue(player.cell, clock, self.watch.stalls)
            if ruling is Ruling.LATE:
                self._read(place, now)
                if place.request < 0:
                    continue
            if ruling is Ruling.UNKNOWN:
                self.void = (
                    f"{clock.doubt} while seat {place.index} had {allowed_us / 1000:g} ms to think,"
                    " so nothing can be said of its time"
                )
                return
            if ruling is Ruling.LATE:
                within = f"an answer within {allowed_us / 1000:g} ms"
                none = late(player, clock, within, now, flushes=bool(place.times_us))
                self._fault(place, none.kind, none, none.us)

    def _stalled_us(self, clock: SeatClock, now_us: int) -> int:
        """The time that the machine is known to have stood still in the current window of a clock."""
        return self.watch.stalls.between(clock.since_us, clock.deadline_us, now_us)

    # Faults

    def _fault(
        self,
        place: Place,
        kind: FaultKind,
        wrong: Unexpected,
        elapsed_us: int | None = None,
        decision: str | None = None,
        *,
        fatal: bool = False,
    ) -> Fault:
        """Record a fault, and take the seat out of the current batch or of the match."""
        asked = place.request >= 0
        if elapsed_us is None:
            elapsed_us = place.clock.time_us(self.hall.now_us()) if asked else 0
        if decision is None:
            kind_asked = self.state.pending.kind if asked else BETWEEN
            decision = f"deal {self.state.deal}, turn {self.state.turn}, {kind_asked}"
        strike = len(place.faults) + 1
        closed = fatal or kind in FATAL or strike >= STRIKES
        fault = Fault(kind, place.index, decision, wrong.expected, wrong.came, elapsed_us, strike, closed, wrong.raw)
        place.faults.append(fault)
        self.recorder.write({"fault": {"seat": place.index, **fault.facts()}})
        place.stained = True
        place.complaint = complaint(kind, wrong.expected, wrong.came)
        if asked:
            self._take_time(place, elapsed_us)
            if place.player is not None:
                place.player.connection.give_up()
        if closed:
            self._close(place)
        return fault

    def _close(self, place: Place) -> None:
        place.closed = True
        player, place.player = place.player, None
        if player is not None:
            self.lines.disconnect(player)
            player.cell.kill()

    # From one batch to the next

    def _apply(self, batch: Batch) -> None:
        """Apply a complete batch. No answer is revealed before."""
        by = None
        if None in self.answers or not self.people.isdisjoint(batch.seats):
            by = [self._origin(seat, answer) for seat, answer in zip(batch.seats, self.answers, strict=True)]
            for request, answer in enumerate(self.answers):
                if answer is None:
                    self.answers[request] = self.game.fallback(self.state, request)
        answers: list[Any] = self.answers
        events = self.game.advance(self.state, answers)
        packed = self.composer.journal.add(events)
        self.recorder.answers(answers, self.times_us, by, packed, self.back_us)
        self.answers = []

    def _origin(self, seat: int, answer: Option | None) -> str:
        """The origin of an answer, as the record says it."""
        return "fallback" if answer is None else "human" if seat in self.people else "bot"

    # The beginning and the end

    def _programs(self, players: Sequence[Player | StartFailure | None]) -> list[dict[str, str] | None]:
        """The names and versions that the players gave themselves, as in the record."""
        hellos = [player.connection.hello if isinstance(player, Player) else None for player in players]
        programs = [None if hello is None else {"name": hello.name, "version": hello.version} for hello in hellos]
        for place, program in zip(self.places, programs, strict=True):
            if program is not None and _kind_of(place.clock) != self.spec.notes.get("clock", "wall"):
                program["clock"] = _kind_of(place.clock)
        return programs

    def _go_on_after(self, prefix: "Prefix", players: Sequence[Player | StartFailure | None]) -> None:
        """Take the match as it was left. All players are told all of it again, and unanswered questions are asked again."""
        self.state = prefix.state
        for step in prefix.steps:
            self.composer.journal.add(step)
        for place, seat in zip(self.places, prefix.seats, strict=True):
            place.faults, place.closed, place.times_us = seat.faults, seat.closed, seat.times_us
            place.clock.bank_us = seat.bank_us
        self.recorder.write(
            {"resumed": {"programs": self._programs(players), "at": now(), "version": self.spec.version}}
        )
        self.recorder.flush(now=True)
        self._is_long = True

    def _write_head(self, players: Sequence[Player | StartFailure | None]) -> None:
        spec = self.spec
        people: dict[str, Any] = {"people": list(spec.people)} if spec.people else {}
        if spec.people_us:
            people["people_us"] = spec.people_us
        self.recorder.write(
            head(
                self.game,
                spec.names,
                self._programs(players),
                spec.limits,
                STRIKES,
                spec.seed,
                {**people, "began": spec.began, "version": spec.version, **spec.notes},
            )
        )

    def _welcome_all(self, players: Sequence[Player | StartFailure | None]) -> None:
        """Write the welcome of each bot, which is sent with its first question: to wake a bot costs more than all that is done with
        an answer. Record a fault for bots that did not start."""
        spec, commitment = self.spec, self.spec.seed.commitment
        of_bots, of_people = spec.limits.of_bots(), self.limits_of_people.of_bots()
        for place, player in zip(self.places, players, strict=True):
            if isinstance(player, StartFailure):
                elapsed_us = round(player.elapsed * MICRO)
                fault = self._fault(place, FaultKind.START, player, elapsed_us, "start")
                fault.stderr, fault.exit = player.log, player.exit
            elif player is not None:
                player.begin_match()
                seed, clock = spec.seed.for_bot(place.index), _kind_of(place.clock)
                limits = of_people if place.person else of_bots
                welcome = self.composer.welcome(limits, STRIKES, commitment, seat=place.index, seed=seed, clock=clock)
                place.welcome = place.encoder.message(welcome)

    def _finish(self) -> MatchResult:
        """Tell the bots that the match is over, and return the result."""
        self._ask_all(self.unasked)  # the record says that they were asked
        self._forget_open_turn()
        scores = list(self.state.scores)
        places = [] if self.void else ranks(scores, [place.closed for place in self.places])
        for place in self.places:
            if place.player is not None:
                place.player.habit.long = max(place.times_us, default=0) > LIVE_AFTER * MICRO
                if place.player.connection.phase is Phase.ASKED:
                    place.player.connection.give_up()
                over = self.composer.over(place, scores, places, void=self.void is not None)
                self.lines.send(place, place.player, place.welcome + over)
        return MatchResult(
            [
                SeatResult(score, rank, place.faults, place.times_us, place.shrank, place.grew)
                for score, rank, place in zip(scores, places or [0] * len(scores), self.places, strict=True)
            ],
            self.void,
            self.state.deal,
            self.game.board(self.state),
        )

    def _forget_open_turn(self) -> None:
        """In a void match a batch may be incomplete. It is in no record, so the times of those who had answered are not told."""
        pending = self.state.pending
        if self.answers and isinstance(pending, Batch):
            for place in map(self.places.__getitem__, pending.seats):
                was_asked = place.times_us and place.clock.asked_us >= self.asked_us
                if was_asked and place.request < 0:
                    place.times_us.pop()


def _kind_of(clock: SeatClock) -> Literal["core", "wall"]:
    """The kind of limits that a bot is told it has."""
    return "wall" if clock.account is None else "core"


class _Thinker:
    """A seat as the waves see it."""

    def __init__(self, course: _Course, place: Place, player: Player) -> None:
        self.core = player.cell.core
        self._course, self._place, self._player, self._cell = course, place, player, player.cell

    @property
    def waits(self) -> bool:
        return self._player.habit.waits

    def run(self, now_us: int) -> None:
        self._cell.thaw()
        # Only now: had we lost the processor before it could run, that time would be charged to it.
        now_us, account = at_once(self._cell.account)
        self._place.clock.run(now_us, account)
        self._place.thought.run(now_us)
        self._course.set_deadline()

    def rest(self, now_us: int) -> None:
        clock = self._place.clock
        now_us, account = at_once(self._cell.account)
        clock.rest(now_us, account, self._course._stalled_us(clock, now_us))
        self._place.thought.rest(now_us, account)
        self._cell.freeze()
        self._course.set_deadline()

    def look(self) -> None:
        clock = self._place.clock
        now_us, account = at_once(self._cell.account)
        clock.look(now_us, account, self._course._stalled_us(clock, now_us))
        self._course.set_deadline()
        self._player.habit.waits = clock.waits(now_us, account)
