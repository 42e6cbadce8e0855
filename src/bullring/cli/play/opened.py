"""`--open`: a match in the browser, while it is played and afterwards."""

from __future__ import annotations

import signal
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from bullring.arena.cells.processes.kinds import MATCH_NEWS

KEY = "1"
"""The number of a match that belongs to no ladder."""


@contextmanager
def opened(record: Path, page: str | None = None) -> Iterator[None]:
    """Inside, a browser of this machine can see the match of a record, and is opened on it; `page` is the replay of a finished one.

    Raises `UsageError`, `HostError`.
    """
    # What makes pages takes longer to import than a match takes to play, and most matches are not opened.
    from bullring.arena.watching.page.page import live_page
    from bullring.arena.watching.web.addresses import hosts_of
    from bullring.arena.watching.web.replays import Replays
    from bullring.arena.watching.web.serving import listening, must_be_installed, server_with

    must_be_installed()
    with tempfile.TemporaryDirectory(prefix="bullring-") as name, listening("127.0.0.1", 0) as (sockets, url):
        folder = Path(name)
        for part in ("more", "site"):
            (folder / part).mkdir()
        (folder / "more" / "live.html").write_text(live_page(), "utf-8")
        replays = Replays(folder / "more")
        if page is not None:
            replays.put(KEY, page)
        words = str(record.resolve()), KEY, *replays.words()
        children = server_with(folder, sockets, sorted(hosts_of("127.0.0.1", ())), MATCH_NEWS, *words)
        try:
            click.echo(f"the match is at {url}/tables/{KEY}", err=True)
            webbrowser.open(f"{url}/tables/{KEY}")
            yield
        finally:
            for child in children:
                child.hang_up()
            for child in children:
                child.end()


def until_interrupted() -> None:
    """Wait for Ctrl-C, so that the page can still be looked at."""
    click.echo("Ctrl-C ends the server", err=True)
    with suppress(KeyboardInterrupt):
        while True:
            signal.pause()
