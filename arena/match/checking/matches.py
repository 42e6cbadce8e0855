"""Real matches of the bot that is checked, refereed as all matches are, against players of this process."""

from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from bullring.arena.games.rules.game import Game
from bullring.arena.match.checking.questions import short
from bullring.arena.match.checking.session import Session, Wrong
from bullring.arena.match.clock.watch import Watch
from bullring.arena.match.cost import timing
from bullring.arena.match.faults import Fault, FaultKind
from bullring.arena.match.records.writer import Recorder
from bullring.arena.match.referee.spec import MatchSpec, SeatResult
from bullring.arena.match.referee.turns import play
from bullring.arena.match.seats.hello import start
from bullring.arena.match.seats.inprocess import WithInProcess
from bullring.arena.match.seats.player import Player
from bullring.arena.match.seeds import Seed
from bullring.arena.settings.limits import Limits
from bullring.errors import HostError

TRIES = 3
"""Matches that may be void before the machine is given up."""


class Times:
    """The times of all decisions in matches."""

    def __init__(self) -> None:
        self.all_us: list[int] = []
        self.late: list[Fault] = []

    def add(self, seat: SeatResult) -> None:
        """Add those of one match."""
        self.all_us += seat.times_us
        self.late += [fault for fault in seat.faults if fault.kind is FaultKind.TIMEOUT]

    def judge(self, limits: Limits) -> str:
        """Describe the times. Raises `Wrong` if more than one in a hundred was late."""
        times = timing(self.all_us)
        count = times["count"]
        figures = f"99 of 100 within {_ms(times['p99_ms'])}, the longest {_ms(times['max_ms'])}, of {count} decisions"
        if 100 * len(self.late) > count:
            first = self.late[0]
            raise Wrong(
                f"{first.expected} (99 of 100 answers)",
                f"{len(self.late)} of {count} too late, the first in {first.decision}; {figures}",
                "think less, or measure the time as SPEC.md#clocks says; --time changes the limits of this check",
            )
        late = f"; {len(self.late)} too late, which is a strike each" if self.late else ""
        return f"{figures}; the limit for a card is {_ms(limits.card_us / 1000)}{late}"


def _ms(ms: float) -> str:
    return f"{ms:.3g} ms" if ms < 1000 else f"{ms / 1000:.3g} s"


async def play_match(session: Session, kind: type[Game[Any]], seat: int, limits: Limits, watch: Watch) -> SeatResult:
    """Play a short match of this game. Raises `Wrong` at the first fault that is not one of time, `HostError`."""
    for _ in range(TRIES):
        result = await _play(session, kind, seat, limits, watch)
        if result is not None:
            break
        if session.player.cell.ended():
            raise HostError("the machine failed the bot in a match: " + (session.player.cell.host_fault() or "void"))
    else:
        raise HostError(f"{TRIES} matches were void, because the machine stood still or others had its cores")
    faults = [fault for fault in result.faults if fault.kind is not FaultKind.TIMEOUT]
    if faults:
        first = faults[0]
        wrong = Wrong(f"{first.expected} ({first.kind}, {first.decision})", first.got)
        wrong.traffic = session.traffic.until_fault
        raise wrong
    return result


async def _play(session: Session, kind: type[Game[Any]], seat: int, limits: Limits, watch: Watch) -> SeatResult | None:
    """The result of the seat; None if the match was void."""
    game = kind(kind.seat_range[0], short(kind))
    seat %= game.seats
    names = ["first option"] * game.seats
    names[seat] = "the bot"
    spec = MatchSpec(game=game, names=names, seed=Seed.given(f"check-{kind.id}"), limits=limits)
    async with AsyncExitStack() as stack:
        players: Sequence[Player] = [
            session.player if at == seat else await _first_option(stack, limits, watch) for at in range(game.seats)
        ]
        result = await play(spec, players, Recorder(), watch)
    return None if result.void else result.seats[seat]


async def _first_option(stack: AsyncExitStack, limits: Limits, watch: Watch) -> Player:
    own = WithInProcess(None)
    player = await start(
        own.seat("first option", lambda message: message["options"][0]), own, limits.start_us, watch.stalls
    )
    stack.push_async_callback(player.close)
    return player
