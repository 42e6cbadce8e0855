"""Shared by the commands that play runs: Ctrl-C, the listener that shows a run, and the command that continues it."""

import json
import os
import shlex
import signal
import sys
from contextlib import ExitStack

import click
from rich.console import Console

from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import unshown
from bullring.arena.settings.settings import Settings
from bullring.cli.signals import heard, play
from bullring.ladder.run.progress import Happening, Listener, Progress
from bullring.ladder.run.run import LadderRun
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.run import LiveListener, Picture, PlainListener


def play_run(run: LadderRun, settings: Settings, wish: Wish, listener: Listener) -> int:
    """Play a run to its end. Returns the exit code."""

    def patient() -> bool:
        """On the first Ctrl-C, finish the matches in progress."""
        if run.stopping or not run.playing:
            return False
        run.stop("interrupted", hint="; press Ctrl-C again to stop at once")
        return True

    async def main() -> None:
        with ExitStack() as stack:
            if isinstance(listener, LiveListener):
                stack.enter_context(unshown())
                stack.enter_context(listener)
            if signal.SIGINT not in heard():
                text = "Ctrl-C (SIGINT) is ignored, as a shell wants it for what it starts in the background; to end this: kill"
                listener.happened(Happening("signals", f"{text} {os.getpid()}"))
            await run.run(settings, wish)

    return play(main, patient)


def listener_for(picture: Picture, *, as_json: bool) -> Listener:
    """The listener for a run: JSON lines, a live picture on a terminal, or plain lines elsewhere."""
    if as_json:
        return _JsonListener()
    console = Console()
    return LiveListener(picture, console) if console.is_terminal else PlainListener()


class _JsonListener:
    """Prints every happening as a line of JSON."""

    wants_matches = True

    def happened(self, happening: Happening) -> None:
        click.echo(json.dumps({"type": happening.kind, "text": happening.text, **happening.facts}))

    def tick(self, progress: Progress) -> None:
        pass


def resuming(home: Home, matches: int | None = None) -> str:
    """The command that continues this one from any folder; with --matches `matches`, the number left, unless that is 0."""
    words: list[str] = []
    for word in sys.argv[1:]:
        key, equals, _ = word.partition("=")
        if words and words[-1] in ("--home", "--matches"):
            words.pop()
        elif key not in ("--home", "--matches") or not equals:
            words.append(word)
    given = sys.argv[1:]
    if matches is not None and matches > 0:
        words += ["--matches", str(matches)]
    elif matches is not None:
        words += [word for at, word in enumerate(given) if word == "--matches" or (at and given[at - 1] == "--matches")]
        words += [word for word in given if word.startswith("--matches=")]
    return f"bullring {shlex.join([*words, '--home', str(home.path)])}"
