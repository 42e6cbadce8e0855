"""Shared by the commands that play runs: Ctrl-C, the listener that shows a run, and the command that continues it."""

import json
import os
import shlex
import signal
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack

import click
from rich.console import Console

from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.doing import unshown
from bullring.arena.games.rulebook.language import say
from bullring.arena.settings.settings import Settings
from bullring.arena.watching.screens.terminal import full_screen
from bullring.cli.signals import heard, play
from bullring.ladder.run.progress import Happening, Listener, Progress
from bullring.ladder.run.run import LadderRun
from bullring.ladder.store.home import Home
from bullring.ladder.watching.display.run import PlainListener


def play_run(run: LadderRun, settings: Settings, wish: Wish, listener: Listener) -> int:
    """Play a run to its end. Returns the exit code."""

    def patient() -> bool:
        """On the first Ctrl-C, finish the matches in progress."""
        if run.stopping or not run.playing:
            return False
        run.stop(say("run.interrupted"), say("run.again"))
        return True

    async def main() -> None:
        with ExitStack() as stack:
            if isinstance(listener, AbstractContextManager):
                stack.enter_context(unshown())
                stack.enter_context(listener)
            if signal.SIGINT not in heard():
                listener.happened(Happening("signals", say("run.deaf", pid=os.getpid())))
            await run.run(settings, wish)

    return play(main, patient)


def listener_for(live: Callable[[Console], Listener], *, as_json: bool, screen: bool = False) -> Listener:
    """The listener for a run: JSON lines, what is `live` on a terminal, or plain lines, also where it needs a full `screen`, which
    the terminal does not know."""
    if as_json:
        return _JsonListener()
    console = Console()
    return live(console) if (full_screen() if screen else console.is_terminal) else PlainListener()


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


def continuing(command: str, console: Console) -> str:
    """What continues a run: the command, which has a line of its own where a terminal has no room for it beside the words."""
    told = say("ladder.continue")
    apart = console.is_terminal and len(told) + 1 + len(command) > console.width
    return "\n".join([told, command]) if apart else f"{told} {command}"
