"""The command itself: loads its commands on demand, and turns errors into a line on stderr and an exit code.

The help texts of the commands are repeated here as data, so that `bullring --help` need not import the commands; a test checks
that they agree.

Imports are most of what a short command and a referee process cost. What a command needs only to run waits in a block of `late`.
Whatever not every run needs stands behind a function of its room that imports on demand: games, builds, containers.
`python -m bench.commands` measures it.
"""

import errno
import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import wraps
from importlib import import_module
from typing import Any, NoReturn

import click
from click.shell_completion import CompletionItem

from bullring.cli.late import arrive, looking_up
from bullring.cli.signals import interrupt_on_signals
from bullring.errors import FAILED, INTERRUPTED, USAGE, BuildFailure, BullringError, HostError, NoRoom, first_error
from bullring.installation import VERSION

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """Commands imported on demand: each is `command` in a module of its name, or has its own name in a module of several."""

    def __init__(self, name: str, sections: Mapping[str, Mapping[str, Mapping[str, str]]], **settings: Any) -> None:
        """`sections` has, by what people do, the modules with their commands, each with the first sentence of its help."""
        super().__init__(name, context_settings=CONTEXT, **settings)
        self._found: dict[str, click.Command] = {}
        places = [item for section in sections.values() for item in section.items()]
        self._places = {command: place for place, commands in places for command in commands}
        self._sections = {
            title: [command for commands in section.values() for command in commands]
            for title, section in sections.items()
        }
        self.helps = {command: text for _, commands in places for command, text in commands.items()}
        """The first sentence of each command's help, by command."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.helps)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.helps:
            return None
        if cmd_name not in self._found:
            self._found[cmd_name] = self._look_up(cmd_name)
        return self._found[cmd_name]

    def _look_up(self, name: str) -> click.Command:
        place = self._places[name]
        with looking_up():
            command: Any = getattr(import_module(place), name, None)
            if not isinstance(command, click.Command):
                command = import_module(f"{place}.{name}").command
        assert isinstance(command, click.Command)
        if command.callback is not None:
            command.callback = _with_all_imports(command.callback)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; for an unknown name, suggest a similar one."""
        if args and args[0] not in self.helps and not args[0].startswith("-"):
            close = get_close_matches(args[0], self.helps, 1)
            hint = f" (did you mean {close[0]!r}?)" if close else ""
            ctx.fail(f"there is no command {args[0][:40]!r}{hint}; list the commands with: {ctx.command_path} --help")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, self.helps))  # the texts of all sections begin in one column
        for title, commands in self._sections.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), self.helps[name]) for name in commands])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands and options that begin with `incomplete`."""
        found = [CompletionItem(name, help=text) for name, text in self.helps.items() if name.startswith(incomplete)]
        return [*found, *click.Command.shell_complete(self, ctx, incomplete)]


def _with_all_imports(callback: Callable[..., Any]) -> Callable[..., Any]:
    """The callback of a command, which first imports what waits for it, and tells of its work."""

    @wraps(callback)
    def run(*args: Any, **given: Any) -> Any:
        arrive()
        if not gc.isenabled():
            gc.freeze()  # what was imported stays to the end
            gc.enable()
        from bullring.cli.progress import telling

        with telling():
            return callback(*args, **given)

    return run


BEGIN = """\
An arena for programs that play 6 nimmt! and its family. Begin with one of:

  bullring play                 sit down at a table yourself
  bullring new python my-bot    write a bot
  bullring ladder init arena    rate bots against each other

All commands: bullring --help"""


class Program(Commands):
    """The command `bullring`: every error becomes a line on stderr and an exit code."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Without a word, say how to begin."""
        if not args and not ctx.resilient_parsing:
            click.echo(BEGIN, err=True)
            ctx.exit(USAGE)
        return super().parse_args(ctx, args)

    def main(  # type: ignore[override]  # it always runs standalone
        self, args: Sequence[str] | None = None, prog_name: str | None = None, **extra: Any
    ) -> NoReturn:
        """Run it. Exits with 0, or with the code of the error (`bullring.errors`)."""
        try:
            code = super().main(args, prog_name or "bullring", **{**extra, "standalone_mode": False})
            sys.stdout.flush()
        except BaseException as error:
            code = _told(first_error(error))
        sys.exit(code if isinstance(code, int) else 0)


program = Program(
    "bullring",
    {
        "Play and watch": {
            "bullring.cli.play": {
                "play": "Play at a table, against bots or other people.",
                "match": "Play matches between bots.",
                "watch": "Watch a running ladder, one of its matches, or one of its bots.",
                "replay": "Show a recorded match, turn by turn: from a file, or a match of a ladder by its number.",
            },
            "bullring.cli.play.games": {
                "games": "List the games and their options.",
                "rules": "Print the rules of a game.",
            },
        },
        "Write a bot": {
            "bullring.cli.bots": {
                "new": "Begin a bot in LANGUAGE: make a folder NAME with a bot that plays at once.",
                "dev": "Check a bot and let it play, again on each save.",
                "check": "Check step by step whether a bot can play.",
                "ask": "Put questions of a recorded match to a bot.",
                "train": "Train a bot by self-play.",
                "languages": "List the runtimes and compilers of this machine.",
                "cache": "List what is kept of the builds of bots.",
            },
        },
        "Run a ladder": {
            "bullring.cli.ladder": {
                "ladder": "Rate bots against each other.",
                "serve": "Show the ladder in HOME to browsers, alive: standings, the tables being played, and every match.",
            },
            "bullring.cli.bots.submit": {
                "submit": "Submit a bot to a ladder: copy, build and check it, and try it in a match.",
            },
            "bullring.cli.bots": {"bots": "List the bots of a ladder, version by version, or the built-in ones."},
            "bullring.cli.ladder.worker": {
                "worker": "Play matches of a ladder on this machine, as a worker of the Dask scheduler at ADDRESS.",
            },
        },
        "Study": {
            "bullring.cli.study": {
                "duel": "Test whether the bot NEW is better than OLD.",
                "gauge": "Measure the strength of a bot against the house.",
                "exploit": "Find out how exploitable a bot is: what a response to it wins.",
                "analyse": "Find out what each decision of a recorded match cost, by playouts.",
            },
            "bullring.cli.support": {
                "verify": "Recompute a recorded match, from a file or a ladder, and report the first difference.",
            },
        },
        "Help": {
            "bullring.cli.support": {
                "docs": "Read the documents: the protocol, ladders, the sandbox, settings.",
                "doctor": "Test the sandbox on this machine, tier by tier.",
                "completion": "Print a script that makes a shell complete commands, games and bots.",
            },
        },
    },
    help="An arena for programs that play 6 nimmt! and its family.",
)
click.version_option(VERSION, prog_name="bullring")(program)


def main() -> NoReturn:
    """Run the command. `entry` calls it."""
    interrupt_on_signals()
    program.main()


def _told(error: BaseException) -> int:
    """Report an error on stderr and return the exit code. Raises the error again if it is a bug of ours."""
    match error:
        case SystemExit():
            return error.code if isinstance(error.code, int) else FAILED
        # Before 3.12, Python makes a RuntimeError of whatever comes while a class gets its attributes, as during an import.
        case KeyboardInterrupt() | click.Abort() | RuntimeError(__cause__=KeyboardInterrupt()):
            _complain("interrupted")
            return INTERRUPTED
        case click.ClickException():
            error.show()
            return error.exit_code
        case HostError() if not isinstance(error, NoRoom):
            _complain(f"this machine cannot run bots: {error}")
            return error.exit_code
        case BuildFailure():
            from bullring.cli.progress import show_end_of_log

            with suppress(OSError):
                show_end_of_log(error)
            _complain(str(error))
            return error.exit_code
        case BullringError():
            _complain(str(error))
            return error.exit_code
        case OSError():
            return _told_of_os(error)
        case _:
            raise error


def _told_of_os(error: OSError) -> int:
    if error.errno == errno.EPIPE:
        # The reader of our output is gone; Python must not flush it again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    where = f"{error.filename}: " if error.filename else ""
    _complain(f"{where}{error.strerror or error}")
    if error.errno in (errno.ENOSPC, errno.EIO) and not error.filename:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _complain(text: str) -> None:
    from bullring.cli.complaints import complain  # seldom needed

    complain(text)
