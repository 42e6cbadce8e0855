"""Options of `bullring match` for debugging your own bot: a seat for a debugger, no clock, stderr live."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import click

from bullring.cli.late import late
from bullring.cli.options import together
from bullring.errors import SeatsError

with late():
    from bullring.arena.cells.bots.bot import Bot
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.match.seats.attached import seat_of
    from bullring.arena.match.seats.pool import Hears
    from bullring.arena.match.seats.stderr import Overheard
    from bullring.arena.watching.screens.live_client import Watching


@dataclass(frozen=True)
class DebugWish:
    """The options that were given."""

    attach: tuple[str, ...]
    no_clock: bool
    stderr_of: tuple[int, ...]

    def places(self, bots: int) -> dict[int, int]:
        """The port of each attached seat, at a table with this number of other bots. Raises `SeatsError`."""
        ports: dict[int, int] = {}
        seats = bots + len(self.attach)
        for text in self.attach:
            seat, equals, port = text.partition("=")
            if not (equals and _is_number(seat) and _is_number(port) and int(seat) < seats and int(port) < 65536):
                raise SeatsError(
                    f"--attach is SEAT=PORT, with a seat from 0 to {seats - 1} and a port from 1 to 65535 (0: any that is free),"
                    f" not {text[:40]!r}"
                )
            if int(seat) in ports:
                raise SeatsError(f"duplicate seat {int(seat)} in --attach; give each seat one port")
            ports[int(seat)] = int(port)
        return ports

    def overheard(self, bots: Sequence[Bot], attached: Mapping[Bot, int]) -> list[int]:
        """The seats, in the first match, of the bots whose stderr is shown. Raises `SeatsError`."""
        for seat in self.stderr_of:
            if seat not in range(len(bots)):
                raise SeatsError(f"--stderr must be a seat from 0 to {len(bots) - 1}, not {seat}")
            if bots[seat] in attached:
                raise SeatsError(f"--stderr: the bot in seat {seat} is attached; its stderr is where you start it")
        return [*dict.fromkeys(self.stderr_of)]


debug_options = together(
    "debug",
    DebugWish,
    click.option(
        "--attach",
        multiple=True,
        metavar="SEAT=PORT",
        help="Leave this seat to a bot that you start yourself, under a debugger for example, and that connects to this port"
        " of 127.0.0.1. The other bots take the other seats. May be repeated.",
    ),
    click.option(
        "--no-clock", is_flag=True, help="Wait for every answer: bots are told the limits, but they are not enforced."
    ),
    click.option(
        "--stderr",
        "stderr_of",
        type=int,
        multiple=True,
        metavar="SEAT",
        help="Show at once what the bot of this seat writes to stderr. May be repeated.",
    ),
)


def seated(bots: Sequence[Bot], places: Mapping[int, int]) -> tuple[list[Bot], dict[Bot, int]]:
    """All bots by seat, with those that connect to their ports in their places; and the ports of these."""
    attached = {seat: seat_of(port, seat) for seat, port in places.items()}
    others = iter(bots)
    by_seat = [attached[seat] if seat in attached else next(others) for seat in range(len(bots) + len(places))]
    return by_seat, {attached[seat]: port for seat, port in places.items()}


@dataclass
class Speaker:
    """Shows the stderr of bots on our stderr, or by the screen that draws on the same terminal."""

    watching: Watching | None = None
    """The screen that has the whole terminal, if there is one."""

    def __call__(self, name: str, line: bytes) -> None:
        """Show one line."""
        self.say(f"{name} | {harmless(line.decode('utf-8', 'replace'))}")

    def say(self, text: str) -> None:
        """Show a line of ours."""
        watching = self.watching
        if watching is not None and watching.code is None:
            watching.say(text)
            return
        try:
            sys.stderr.write(text + "\n")
            sys.stderr.flush()
        except (OSError, ValueError):
            pass  # the terminal is gone

    @contextmanager
    def beside(self, watching: Watching) -> Iterator[None]:
        """Let lines be shown by the screen that has the terminal."""
        self.watching = watching if watching.on_screen else None
        try:
            yield
        finally:
            self.watching = None


@contextmanager
def listening(overheard: Sequence[tuple[int, Bot]], speaker: Callable[[str, bytes], None]) -> Iterator[Hears]:
    """Show what these bots write, until the context is left."""
    if not overheard:
        yield {}
        return
    ear = Overheard(speaker)
    try:
        yield {bot: ear.hears(f"{seat} {harmless(bot.name, 24)}") for seat, bot in overheard}
    finally:
        ear.close()


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 5
