"""A position in the frames of a match, and the ways to move it: pure, so that any screen can use it."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal

from bullring.arena.games.rules.stages import Took
from bullring.arena.study.analysis.result import Choice
from bullring.arena.watching.picture.picture import Frame
from bullring.arena.watching.picture.steps import Thinking
from bullring.arena.watching.screens import PACE
from bullring.arena.watching.screens.pace import Pacing

Goal = Literal["turn", "deal", "taken", "mistake"]
"""Places to seek: a turn, a deal, a row or stack that is taken, a decision that is marked."""

_PLACE = re.compile(r"\s*(?:d(?:eal)?\s*(\d{1,6}))?[\s,.]*(?:t?(?:urn)?\s*(\d{1,6}))?\s*", re.ASCII | re.IGNORECASE)


class NoSuchPlace(ValueError):
    """A place cannot be gone to: `key` names a text of `replay.jump`, and `values` fill it in."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


class Stepper(Pacing):
    """Frames of a match to step through; while it is `playing`, they follow each other. More may be added at the end.

    Whatever moves it stays within the frames. What does not move says so by returning False.
    """

    def __init__(self, frames: Iterable[Frame] = (), pace: float = PACE, *, playing: bool = False) -> None:
        super().__init__(pace)
        self.at = 0
        self.playing = playing
        self._usual = pace
        self.seat: int | None = None
        """The seat whose decisions are looked at, if one was chosen."""
        self._goals: dict[Goal, list[int]] = {"turn": [], "deal": [], "taken": []}
        """The first frames of turns, and of drafts before one; of deals; and those in which rows or stacks were taken."""
        self._choices: dict[int, dict[int, Choice]] = {}
        """The judged decisions, by line and seat."""
        self._lines: list[int] = []
        """The lines with judged decisions, ascending."""
        self._mistakes: list[tuple[int, int, str]] = []
        """The decisions that are marked, as (frame, seat, mark)."""
        self.add(frames, 0.0)

    @property
    def frame(self) -> Frame:
        """The frame that is shown. Raises `IndexError` while there is none."""
        return self.frames[self.at]

    @property
    def speed(self) -> float:
        """The speed as a multiple of the usual one."""
        return self._usual / self.pace if self.pace else 1.0

    @property
    def place(self) -> str:
        """The deal and the turn that are shown, as `jump` takes them: "d2t7"."""
        if not self.frames:
            return ""
        return f"d{self.frame.picture.deal}t{self.frame.picture.turn}"

    @property
    def deals(self) -> Sequence[int]:
        """The first frame of each deal."""
        return self._goals["deal"]

    @property
    def mistakes(self) -> Sequence[tuple[int, int, str]]:
        """The decisions that are marked, as (frame, seat, mark), in their order."""
        return self._mistakes

    def add(self, frames: Iterable[Frame], now: float) -> None:
        """Add frames at the end. Frames of `Thinking` are not steps, so they are left out."""
        for frame in frames:
            if isinstance(frame.step, Thinking):
                continue
            number, picture = len(self.frames), frame.picture
            before = self.frames[-1].picture if self.frames else None
            if picture.deal and (before is None or picture.deal != before.deal):
                self._goals["deal"].append(number)
            if picture.deal and (before is None or (picture.deal, picture.turn) != (before.deal, before.turn)):
                self._goals["turn"].append(number)
            if isinstance(frame.step, Took) and frame.step.cards:
                self._goals["taken"].append(number)
            super().add([frame], now)
        if self._choices:
            self._mark()

    def open(self, frames: Sequence[Frame]) -> None:
        """Take the same frames again with the hands open."""
        self.frames[: len(frames)] = frames

    def judge(self, choices: Iterable[Choice]) -> None:
        """Take the decisions of an analysis."""
        self._choices = {}
        for choice in choices:
            self._choices.setdefault(choice.line, {})[choice.seat] = choice
        self._lines = sorted(self._choices)
        self._mark()

    def looked_at(self) -> Choice | None:
        """The judged decision to look at: that of the seat that was chosen, or moves, or else the costliest one."""
        judged = {choice.seat: choice for choice in self.judged()}
        if not judged:
            return None
        for seat in (self.seat, self.frame.picture.mover):
            if seat in judged:
                return judged[seat]
        return max(judged.values(), key=lambda choice: choice.cost)

    def look(self, by: int = 1) -> bool:
        """Look at the decision of the next seat that is judged here, or of an earlier one if it is negative."""
        judged, now = [choice.seat for choice in self.judged()], self.looked_at()
        if now is None:
            return False
        return self.go(self.at, judged[(judged.index(now.seat) + by) % len(judged)])

    def _mark(self) -> None:
        firsts: dict[int, int] = {}
        for number, frame in enumerate(self.frames):
            firsts.setdefault(frame.line, number)
        self._mistakes = sorted(
            (firsts[line], seat, choice.mark)
            for line, seats in self._choices.items()
            for seat, choice in seats.items()
            if choice.mark and line in firsts
        )

    def judged(self) -> list[Choice]:
        """The judged decisions that were answered last before what is shown, by seat; those of this deal only."""
        if not self.frames or not self._lines:
            return []
        number = bisect_right(self._lines, self.frame.line) - 1
        if number < 0:
            return []
        found = self._choices[self._lines[number]]
        choices = [found[seat] for seat in sorted(found)]
        return choices if choices[0].deal == self.frame.picture.deal else []

    # Moving

    def go(self, number: int, seat: int | None = None) -> bool:
        """Show this frame, or the nearest one that there is."""
        before = (self.at, self.seat)
        self.at = max(0, min(number, len(self.frames) - 1))
        self.seat = seat
        return (self.at, self.seat) != before

    def step(self, by: int = 1) -> bool:
        """Go `by` frames on, or back if it is negative."""
        return self.go(self.at + by)

    def to_said(self, ago: int) -> bool:
        """Go to the frame that has said a line of the history that is shown: 0 is its latest line, 1 the one before."""
        for number in range(self.at, -1, -1):
            ago -= len(self.frames[number].said)
            if ago < 0:
                return self.go(number)
        return False

    def to_decision(self, line: int, seat: int) -> bool:
        """Go to the decision of a seat whose answer is on this line of the record."""
        found = next((number for number, frame in enumerate(self.frames) if frame.line >= line), None)
        return found is not None and self.go(found, seat)

    def home(self) -> bool:
        return self.go(0)

    def end(self) -> bool:
        return self.go(len(self.frames) - 1)

    def seek(self, goal: Goal, by: int) -> bool:
        """Go to the next goal, or the one before if `by` is negative: the beginning of this one first. False if there is none.

        Where no turn or deal follows, the end is taken for it, and the beginning likewise.
        """
        if goal == "mistake":
            return self._seek_mistake(by)
        places = self._goals[goal]
        at = bisect_right(places, self.at) if by > 0 else bisect_left(places, self.at) - 1
        if 0 <= at < len(places):
            return self.go(places[at])
        return goal != "taken" and (self.end() if by > 0 else self.home())

    def _seek_mistake(self, by: int) -> bool:
        """Go to a decision that is marked, and look at its seat."""
        here = (self.at, -1 if self.seat is None else self.seat)
        found = [(at, seat) for at, seat, _ in self._mistakes if ((at, seat) > here if by > 0 else (at, seat) < here)]
        return bool(found) and self.go(*found[0 if by > 0 else -1])

    def jump(self, place: str) -> bool:
        """Go to a turn or a deal: "d2t7", "d2", or "t7" or "7" in the deal that is shown.

        Raises `NoSuchPlace`.
        """
        found = _PLACE.fullmatch(place)
        if found is None or found.groups() == (None, None):
            raise NoSuchPlace("not_a_place", typed=repr(place[:20]))
        deal = int(found[1]) if found[1] else self.frame.picture.deal if self.frames else 0
        turn = int(found[2]) if found[2] else None
        deals = [number for number in self.deals if self.frames[number].picture.deal == deal]
        if not deals:
            last = self.frames[-1].picture.deal if self.frames else 0
            raise NoSuchPlace("no_deal", deal=deal, last=last)
        if turn is None:
            return self.go(deals[0])
        starts = [number for number in self._goals["turn"] if self.frames[number].picture.deal == deal]
        turns = [self.frames[number].picture.turn for number in starts]
        if turn not in turns:
            raise NoSuchPlace("no_turn", turn=turn, deal=deal, last=turns[-1])
        return self.go(starts[turns.index(turn)])

    def toggle(self, now: float) -> None:
        """Play, or stop playing. At the end, play from the beginning."""
        self.playing = not self.playing
        if self.playing and self.latest and self.frames and self.frame.picture.over:
            self.home()
        self._show(self.at, now)
