"""The claims of a record about each seat, compared with what follows: strikes, closed seats, and the referee's moves."""

from collections.abc import Sequence
from typing import Any

from bullring.arena.games.rules.game import Batch, Game, Option
from bullring.arena.match.faults import BETWEEN, FATAL, FaultKind
from bullring.arena.match.records.reader import Entry
from bullring.arena.match.records.replay import Answered
from bullring.arena.match.records.writer import encode
from bullring.errors import RecordError

_KINDS = {kind.value for kind in FaultKind}


class Claims:
    """The claims of a record that is verified, line by line."""

    def __init__(self, count: int, strikes: int, people: frozenset[int] = frozenset()) -> None:
        self.faults = [0] * count
        """The number of faults of each seat."""
        self.closed = [False] * count
        self._strikes = strikes
        self._people = people
        self._resumed = False
        """Whether bots have just joined again."""
        self._asked: set[int] = set()
        """The seats that still have to answer the pending batch."""
        self._failed: set[int] = set()
        """The seats that were at fault when they had to."""

    def ask(self, batch: Batch) -> None:
        """A batch is asked: of all its seats, except the closed ones."""
        self._asked = {seat for seat in batch.seats if not self.closed[seat]}
        self._failed.clear()
        self._resumed = False

    def resume(self, programs: Sequence[object], pending: object) -> None:
        """The match goes on after it was left: all that are asked are asked again. Raises `RecordError`."""
        for seat, program in enumerate(programs):
            if self.closed[seat] and program is not None:
                raise RecordError(f"seat {seat} is closed, so no bot can join for it")
        if isinstance(pending, Batch):
            self.ask(pending)
        self._resumed = True

    def fault(self, fault: Entry, state: Any) -> None:
        """Take a fault. Raises `RecordError` if it cannot be, or claims what does not follow."""
        seat, kind = fault["seat"], fault["kind"]
        if kind not in _KINDS:
            raise RecordError(f"unknown fault {kind!r:.80}; expected one of {', '.join(sorted(_KINDS))}")
        if self.closed[seat]:
            raise RecordError(f"seat {seat} is closed, so it cannot be at fault any more")
        if seat in self._people:
            raise RecordError(f"a person sits at seat {seat}, and people are never at fault")
        if kind == FaultKind.START and not (self._resumed or state.deal == 0):
            raise RecordError("a bot fails to start before the first deal or when a match goes on, and then only")
        if kind != FaultKind.START and state.deal == 0:
            raise RecordError("before the first deal a bot can only fail to start; all other faults come later")
        strike = self.faults[seat] + 1
        if fault["strike"] != strike:
            raise RecordError(f"this is fault {strike} of seat {seat}, but the record says {fault['strike']}")
        must_close = kind in FATAL or strike >= self._strikes
        if must_close and not fault["closed"]:
            raise RecordError(f"this fault closes seat {seat}, but the record says that it does not")
        if fault["closed"] and not must_close and kind != FaultKind.PROTOCOL:
            raise RecordError(f"this fault does not close seat {seat}, but the record says that it does")
        if kind == FaultKind.START:
            if fault["decision"] != "start":
                raise RecordError(f"seat {seat} was at start, but the record says {fault['decision']!r:.80}")
            self._asked.discard(seat)
        else:
            self._decision(fault, state)
        self.faults[seat], self.closed[seat] = strike, fault["closed"]

    def _decision(self, fault: Entry, state: Any) -> None:
        """Take the seat out of the pending batch if the fault was its answer to it."""
        decision, seat = fault["decision"], fault["seat"]
        if not isinstance(state.pending, Batch):
            raise RecordError("there is a fault where no decision is pending")
        place = f"deal {state.deal}, turn {state.turn}, "
        possible = [place + BETWEEN]
        if seat in self._asked:
            possible.append(place + state.pending.kind)
        if decision not in possible:
            raise RecordError(f"seat {seat} was at {' or '.join(possible)}, but the record says {decision!r:.80}")
        if not decision.endswith(BETWEEN):
            self._asked.discard(seat)
            self._failed.add(seat)

    def due(self, game: Game[Any], state: Any, claimed: object = None) -> list[Option | None]:
        """By request of the pending batch: the move that the referee has to make, or None if the player answers.

        `claimed` says whose answers they are, as the record has it: a person may leave any decision to the referee.
        """
        origins = claimed if isinstance(claimed, list) else []
        left = {
            seat
            for seat, origin in zip(state.pending.seats, origins, strict=False)
            if seat in self._people and origin == "fallback"
        }
        asked = self._asked - left
        seats = enumerate(state.pending.seats)
        return [None if seat in asked else game.fallback(state, request) for request, seat in seats]

    def moves(self, batch: Batch, due: Sequence[Option | None], claimed: object) -> None:
        """Hold the moves of the referee against what was `due`. Raises `RecordError`."""
        if isinstance(claimed, list) and len(claimed) == len(due):
            for seat, move, answer in zip(batch.seats, due, claimed, strict=True):
                if move is not None and encode(move) != encode(answer):
                    raise RecordError(
                        f"the fallback move of seat {seat} is {move!r}, but the record says {answer!r:.80}"
                    )

    def answers(self, due: Sequence[Option | None], given: Answered, claimed: object) -> None:
        """Hold the origins and times of the answers to a batch against what was `due`. Raises `RecordError`."""
        who = ["human" if seat in self._people else "bot" for seat in given.seats]
        by = [origin if move is None else "fallback" for origin, move in zip(who, due, strict=True)]
        if list(given.by) != by or (claimed is None) != ({*by} == {"bot"}):
            raise RecordError(f'"by" must be {_listed(by)}, as the faults say, but the record says {_listed(given.by)}')
        for seat, move, us in zip(given.seats, due, given.us, strict=True):
            if us < 0 or (us and self.closed[seat] and move is not None and seat not in self._failed):
                raise RecordError(
                    f"seat {seat} was not asked, so it took no time, but the record says {us} microseconds"
                )


def _listed(by: Sequence[str]) -> str:
    return "absent (bots only)" if {*by} == {"bot"} else ", ".join(by)
