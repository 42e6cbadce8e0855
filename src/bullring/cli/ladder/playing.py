"""What commands share that play many matches: under the eye of Ctrl-C, told as people want it, and how to go on."""

import json
import shlex
import sys
from contextlib import nullcontext

import click
from rich.console import Console

from bullring.arena.sandbox.wish import Wish
from bullring.arena.settings import Settings
from bullring.cli.signals import play
from bullring.ladder.display.run import LiveListener, Picture, PlainListener
from bullring.ladder.keeping.home import Home
from bullring.ladder.running.happenings import Happening, Listener, Progress
from bullring.ladder.running.run import LadderRun


def play_run(run: LadderRun, settings: Settings, wish: Wish, listener: Listener) -> int:
    """Play it to its end. Returns the exit code."""

    def patient() -> bool:
        """The first Ctrl-C: finish what is in progress."""
        if run.stopping:
            return False
        run.stop("interrupted", hint="; press Ctrl-C again to stop at once")
        return True

    async def main() -> None:
        with listener.live if isinstance(listener, LiveListener) else nullcontext():
            await run.run(settings, wish)

    return play(main, patient)


def listener_for(picture: Picture, *, as_json: bool) -> Listener:
    """Whoever tells of a run: JSON lines, a live picture on a terminal, or a line now and then."""
    if as_json:
        return _JsonListener()
    console = Console()
    return LiveListener(picture, console) if console.is_terminal else PlainListener()


class _JsonListener:
    """Prints everything that happens, one JSON object on a line."""

    def happened(self, happening: Happening) -> None:
        click.echo(json.dumps({"type": happening.kind, "text": happening.text, **happening.facts}))

    def tick(self, progress: Progress) -> None:
        pass


def resuming(home: Home, matches: int | None = None) -> str:
    """The command that goes on, wherever it is typed; with what is left of `matches`, if that is known and not nothing."""
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
