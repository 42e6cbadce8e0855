"""The hall: all matches of a process, played by one loop with one epoll and one checkpoint a pass.

There is no task for it. Of the tasks that play a match, one at a time drives the loop for all; the others are parked until their
match is over. When the driver's match is over, or it is cancelled, it hands the loop over.

In a pass, whatever the bots have said is read, and each match whose last answer has come goes on to its next questions at once. The
checkpoint lets the other tasks of the process run. A match is looked at when it becomes slow and when a clock of it may have run
out; a match that only waits costs nothing. A task and a checkpoint for each match would cost a decision a third more.
"""

from collections.abc import Callable, Iterable
from heapq import heapify, heappop, heappush
from itertools import count
from time import perf_counter
from typing import Any, Protocol

import trio

from bullring.arena.match.clock.judge import NEVER
from bullring.arena.match.referee.lines import Lines
from bullring.arena.match.referee.place import Place
from bullring.arena.settings.limits import MICRO

FEW = 4
"""Largest number of bots heard in a pass after which the loop waits: looking again at once would rarely find another."""

PATIENCE_US = 2_000
"""See `Hall.patience_us`."""


class Course(Protocol):
    """The course of a match, as the hall sees it."""

    places: list[Place]
    over: bool
    """Whether it has ended."""
    ready: bool
    """Whether it should `step` at the next pass."""
    look_us: int
    """The time to `look` at it, set by `Hall.look_at`; `NEVER` unless it waits."""
    due_us: int
    """No clock runs out before this time; `NEVER` where `look` comes first."""

    def step(self) -> None:
        """Go on until something has to be waited for, or others should have their turn."""

    def hear(self, place: Place, now_us: int) -> bool:
        """Read what a seat had said by this time, and go on if it was the last one. Returns whether to `look` in this pass."""

    def look(self, now_us: int) -> None:
        """Do the work that is due at this time."""

    def judge(self) -> None:
        """Rule on seats whose clocks have run out."""


class Hall:
    """The matches of this process. Get it with `the_hall`."""

    def __init__(self) -> None:
        self.lines: Lines
        """To all players of all matches; open while there are any."""
        self.due_us = NEVER
        """No clock of a match that was looked at runs out before this time."""
        self._look_us = NEVER
        """No match is to be looked at before this time."""
        self._looks: list[tuple[int, int, Course]] = []
        """A heap of the times to look at matches, with some that have been put off since. To ask each match in every pass would
        take longer than all else where there are a thousand."""
        self._number = count()
        self._courses: set[Course] = set()
        self._ready: list[Course] = []
        """Those that go on at the next pass."""
        self._parked: dict[Course, trio.lowlevel.Task] = {}
        """The tasks of the matches, except for the driver's."""
        self._errors: dict[Course, Exception] = {}
        """The errors of matches that failed, until their tasks take them."""
        self.patience_us = 0
        """For how long it may wait for the next answer by itself and go on without a checkpoint: `PATIENCE_US` in a process that
        has little else to do, as those of a ladder. To wait by trio costs as much as all that is done with an answer."""
        self._checkpoint_us = 0
        """The time, which is never virtual, from which on the other tasks should have their turn; 0 if one waits for it."""
        self._driven = self._asleep = False
        self._scope = trio.CancelScope()
        self.time = trio.lowlevel.current_clock().current_time
        """The current time in seconds."""

    def now_us(self) -> int:
        """The current time."""
        return round(self.time() * MICRO)

    def enter(self, course: Course) -> None:
        """Open the lines for a match that is about to begin. Call `leave` in any case."""
        if not self._courses:
            self.lines = Lines()
        elif (now := self.now_us()) >= self.due_us:
            # Between two passes many matches may end and others begin, and clocks run out meanwhile.
            self.judge(now)
            self._wake(-NEVER)
        self._courses.add(course)

    def leave(self, course: Course) -> None:
        """Forget a match and its players."""
        course.over = True
        self._disconnect(course)
        self._looks = [look for look in self._looks if look[2] is not course]
        heapify(self._looks)
        self._courses.remove(course)
        if not self._courses:
            self.lines.close()

    async def play(self, course: Course) -> None:
        """Play a match until it is over. Raises what its steps raise."""
        self._ready.append(course)
        self._wake(-NEVER)
        try:
            while not course.over:
                if self._driven:
                    await self._park(course)
                else:
                    await self._drive(course)
            if course in self._errors:
                raise self._errors.pop(course)
        finally:
            course.over = True
            if not self._driven and self._parked:
                _, task = self._parked.popitem()
                trio.lowlevel.reschedule(task)

    def look_at(self, course: Course, look_us: int) -> None:
        """Have the loop look at a match at this time, and not at the one that was asked for before."""
        if look_us != course.look_us:
            course.look_us = look_us
            if look_us != NEVER:
                heappush(self._looks, (look_us, next(self._number), course))
                self._wake(look_us)

    def _wake(self, look_us: int) -> None:
        """Have the loop go on at this time, if not before."""
        if look_us < self._look_us:
            self._look_us = look_us
            if self._asleep:
                self._scope.deadline = look_us / MICRO

    def judge(self, now_us: int) -> None:
        """Rule on all whose clocks have run out, in the midst of a pass."""
        for course in self._courses:
            if course.due_us <= now_us:
                self._run(course, course.judge)
        self.due_us = min([course.due_us for course in self._courses])

    async def _park(self, course: Course) -> None:
        """Wait until the match is over or the loop is handed over."""

        def abort(_: object) -> trio.lowlevel.Abort:
            self._parked.pop(course, None)
            return trio.lowlevel.Abort.SUCCEEDED

        self._parked[course] = trio.lowlevel.current_task()
        await trio.lowlevel.wait_task_rescheduled(abort)

    async def _drive(self, mine: Course) -> None:
        """Play all matches until this one is over."""
        self._driven = True
        try:
            while not mine.over:
                with trio.CancelScope() as self._scope:
                    while not mine.over:
                        more, now_us = self._pass(), round(perf_counter() * MICRO)
                        if more and now_us >= self._checkpoint_us:
                            self._checkpoint_us = now_us + self.patience_us
                            await trio.lowlevel.checkpoint()
                        elif not more and not mine.over:
                            await self._sleep()
        finally:
            self._driven = False

    async def _sleep(self) -> None:
        """Wait until a bot says something. Cancelled with the scope when a match is to be looked at."""
        self._asleep = True
        self._scope.deadline = self._look_us / MICRO
        try:
            await self.lines.wait()
        finally:
            self._asleep = False

    def _pass(self) -> bool:
        """Let all matches go on that can. Returns whether there is more to do, or probably so."""
        now = self.now_us()
        ready, self._ready = self._ready, []
        for course in ready:
            if not course.over:
                self._run(course, course.step)
        touched = set()
        speaking = self.lines.speaking(self._patience(now))
        # One reading of the time serves all of them: reading the others takes nothing from the last.
        heard = self.now_us()
        for place in speaking:
            course = place.course
            if course.over:
                continue
            try:
                if course.hear(place, heard):
                    touched.add(course)
            except Exception as error:  # of a player in this process, or of the disk: it belongs to its own match
                self._fail(course, error)
            if course.over or course.ready:
                self._note(course)
        self._look(touched, self.now_us() if touched else 0)
        # All that was said before this pass has been heard, so a seat that was slow then is slow.
        if now >= self._look_us:
            self._look(self._take_due(now), now)
            self._look_us = self._next_look_us()
        return bool(self._ready) or not self._checkpoint_us or len(speaking) > (0 if self.patience_us else FEW)

    def _patience(self, now_us: int) -> float:
        """The seconds to wait for the next answer, in whole milliseconds."""
        if not self.patience_us or self._ready or not self._checkpoint_us:
            return 0.0
        if self._look_us < now_us + self.patience_us // 2:  # it may be that of a question which has been answered
            self._look_us = self._next_look_us()
        return max(0, round(min(self.patience_us, self._look_us - now_us) / 1000)) / 1000

    def _next_look_us(self) -> int:
        """The earliest time at which a match is to be looked at."""
        looks = self._looks
        while looks and looks[0][0] != looks[0][2].look_us:  # it was put off
            heappop(looks)
        return looks[0][0] if looks else NEVER

    def _take_due(self, now_us: int) -> list[Course]:
        """The matches that are to be looked at by now."""
        due = []
        while self._next_look_us() <= now_us:
            course = heappop(self._looks)[2]
            course.look_us = NEVER
            due.append(course)
        return due

    def _look(self, courses: Iterable[Course], now_us: int) -> None:
        for course in courses:
            if not course.over:
                self._run(course, course.look, now_us)

    def _run(self, course: Course, part: Callable[..., None], *arguments: Any) -> None:
        try:
            part(*arguments)
        except Exception as error:
            self._fail(course, error)
        if course.over or course.ready:
            self._note(course)

    def _fail(self, course: Course, error: Exception) -> None:
        self._errors[course] = error
        course.over = True

    def _note(self, course: Course) -> None:
        """A match has ended, or goes on at the next pass."""
        if not course.over:
            course.ready = False
            self._ready.append(course)
            return
        self._disconnect(course)
        if course in self._parked:
            self._checkpoint_us = 0
            trio.lowlevel.reschedule(self._parked.pop(course))

    def _disconnect(self, course: Course) -> None:
        """Hear no more of its players."""
        course.look_us = course.due_us = NEVER
        for place in course.places:
            if place.player is not None:
                self.lines.disconnect(place.player)


_hall: "trio.lowlevel.RunVar[Hall]" = trio.lowlevel.RunVar("hall")


def the_hall() -> Hall:
    """The hall of this run of trio."""
    try:
        return _hall.get()
    except LookupError:
        hall = Hall()
        _hall.set(hall)
        return hall
