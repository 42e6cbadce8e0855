"""`bullring serve`: show a ladder to browsers, alive."""

from __future__ import annotations

import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import click

from bullring.cli.complaints import complain
from bullring.cli.ladder.report import replays_option
from bullring.cli.late import late
from bullring.cli.options import PATH, checked_address, language_option

with late():
    from bullring.arena.cells.processes.kinds import ended
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.watching.web.addresses import hosts_of, is_near
    from bullring.arena.watching.web.serving import listening, must_be_installed, watch_over
    from bullring.ladder.store.home import Home
    from bullring.ladder.watching.web.serving import folder_of, hall_of, replays_of, starts

PORT = 8080

SECONDS = 300
"""Of a processor, for a match that a reader wants analysed: the slowest games take longer."""


def _public(context: click.Context, option: click.Parameter, address: str | None) -> str | None:
    """The address by which others call the server."""
    checked = checked_address(context, option, address)
    if checked is not None and urlsplit(checked).path not in ("", "/"):
        raise click.BadParameter("expected an address without a folder, such as https://ladder.example.org")
    return checked


@click.command(name="serve")
@click.argument("home", type=PATH, required=False)
@click.option("--run", is_flag=True, help="Run the ladder, too. Each goes on if the other ends.")
@click.option(
    "--run-with",
    metavar="OPTIONS",
    help="As --run, with options of `bullring ladder run`: --run-with '--seats 4 --jobs 2'.",
)
@click.option(
    "--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="The port; 0: any that is free."
)
@click.option(
    "--listen",
    "address",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen at. By default, this machine alone can see the ladder.",
)
@click.option(
    "--host",
    "hosts",
    multiple=True,
    metavar="NAME",
    help="A name by which browsers call the server, for one behind a proxy. May be repeated.",
)
@click.option(
    "--address",
    "public",
    callback=_public,
    metavar="URL",
    help="The address by which others call the server, such as https://ladder.example.org: for links to seats, and previews.",
)
@replays_option
@click.option(
    "--analyse",
    type=click.IntRange(0, 86_400),
    default=SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="Analyse matches that readers ask for, each with at most so many seconds of a processor; 0: none.",
)
@click.option(
    "--tables",
    is_flag=True,
    help="Let everybody who reaches the server make tables to play at. Without it, people at this machine can.",
)
@click.option("--logs", is_flag=True, help="Show what bots wrote to stderr in their last matches, too.")
@language_option
def command(
    home: Path | None,
    run: bool,
    run_with: str | None,
    port: int,
    address: str,
    hosts: tuple[str, ...],
    public: str | None,
    replays: int,
    analyse: int,
    tables: bool,
    logs: bool,
) -> None:
    """Show the ladder in HOME to browsers, alive: standings, the tables being played, and every match.

    HOME is a folder; by default $BULLRING_HOME, else the first home in this folder or those above. Who has the link can look, and
    change nothing; matches are shown as spectators may see them, and hands are opened when they are over. Ctrl-C ends it.
    `bullring docs serving` has TLS, proxies and services.
    """
    must_be_installed()
    place = Home.find(home)
    called = [*hosts, *filter(None, [public and urlsplit(public).hostname])]
    may_make = tables or (is_near(address) and not called)
    with listening(address, port) as (sockets, url), folder_of(place) as folder, ExitStack() as stack:
        pages = replays_of(place, folder, offered=analyse > 0, address=public)
        hall = stack.enter_context(hall_of(place, pages, analyse, may_make=may_make))
        names = sorted(hosts_of(address, called))
        words = shlex.split(run_with or "")
        with _running(place, words) if run or run_with is not None else nullcontext(), suppress(KeyboardInterrupt):
            watch_over(
                starts(place, folder, sockets, names, replays, logs=logs, replays=pages, hall=hall),
                complain,
                lambda: click.echo(
                    f"{harmless(place.path.name)} is at {url}{_opened(address, tables=tables)}; Ctrl-C ends it"
                ),
            )


def _opened(address: str, *, tables: bool) -> str:
    if is_near(address):
        return ""
    made = ", who may make tables, too" if tables else ""
    return f" for everybody who reaches this machine{made}; use TLS: bullring docs serving"


@contextmanager
def _running(home: Home, options: Sequence[str]) -> Iterator[None]:
    """Run the ladder beside it, in a process that neither hangs on this one nor holds it up; at the end, finish its matches."""
    words = [sys.executable, "-P", "-m", "bullring", "ladder", "run", "--home", str(home.path), *options]
    run = subprocess.Popen(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # a shell may let us ignore it; we ask by it
    )
    ending = threading.Event()

    def reap() -> None:
        status = run.wait()  # at once, or it would seem to run
        if not ending.is_set():
            complain(f"the ladder {ended(status)}; what it has played is still served")

    threading.Thread(target=reap, daemon=True).start()
    try:
        yield
    finally:
        ending.set()
        if run.poll() is None:
            complain("finishing the matches in progress; press Ctrl-C again to stop at once")
        for number in (signal.SIGINT, signal.SIGTERM):
            if run.poll() is None:
                run.send_signal(number)
            with suppress(KeyboardInterrupt):
                run.wait()
