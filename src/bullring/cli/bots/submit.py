"""`bullring submit` and `bullring ladder add`: bring bots onto a ladder, with a line for each step."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import SandboxWish, home_option, json_option, run_option, sandbox_options
from bullring.cli.values import BOT
from bullring.errors import DONE, BotError, LadderError, Refusal, StoreError

with late():
    from bullring.arena.cells.sandbox.wish import Wish
    from bullring.arena.cells.text.harmless import harmless
    from bullring.cli.ladder.chosen import home_flag, way_back
    from bullring.cli.signals import play
    from bullring.ladder.store.cleanup import changing
    from bullring.ladder.store.home import Home
    from bullring.ladder.submit import submission
    from bullring.ladder.submit.candidate import Step, Wanted
    from bullring.ladder.submit.submission import Submitted


_name_option = click.option("--name", help="The name on the ladder. Default: the one in the bot.toml.")


@click.command(name="submit")
@click.argument("bot", type=BOT)
@_name_option
@click.option(
    "--retire",
    is_flag=True,
    help="Retire the earlier versions for good; else they come back when it is taken off.",
)
@run_option
@json_option
@home_option
@sandbox_options
def submit(
    bot: str, name: str | None, retire: bool, run: str, as_json: bool, home: Path | None, sandbox: SandboxWish
) -> int:
    """Submit a bot to a ladder: copy, build and check it, and try it in a match.

    A BOT is a folder with a bot.toml, an archive of one (.tar, .tar.gz, .zip), git+https://HOST/REPOSITORY@REVISION or
    git+file:///PATH@REVISION for a commit of a git repository, image:NAME for a container image, @NAME for a built-in bot, or a
    command line in quotes. A bot of the same name becomes a new version, "mine v2", which plays instead of "mine". A refused bot
    leaves nothing behind; the exit code is then 3 if it was built or started, else 2. A running ladder plays the new bot within
    seconds.
    """
    place = Home.find(home)
    return _submit_all(place, [Wanted(bot, name, run, retire)], sandbox.over(place.settings()), as_json=as_json)


@click.command(name="add")
@click.argument("bots", nargs=-1, required=True, metavar="BOT...", type=BOT)
@_name_option
@json_option
@home_option
@sandbox_options
def add(bots: tuple[str, ...], name: str | None, as_json: bool, home: Path | None, sandbox: SandboxWish) -> int:
    """Add bots to the ladder, without the check that `submit` makes.

    Each BOT is submitted as with `bullring submit`: copied, built and tried in a match against copies of itself. The first one
    that cannot play is refused, and ends it.
    """
    place = Home.find(home)
    if name is not None and len(bots) > 1:
        raise LadderError(f"a name is for one bot, and {len(bots)} were given; add them one at a time")
    wanted = [Wanted(bot, name, checked=False) for bot in bots]
    return _submit_all(place, wanted, sandbox.over(place.settings()), as_json=as_json, brief=True)


def _submit_all(home: Home, wanted: Sequence[Wanted], wish: Wish, *, as_json: bool, brief: bool = False) -> int:
    """Submit bots, up to the first one that is refused. `brief` prints the last step only. Returns the exit code."""
    code = DONE
    with changing(home) as store:

        async def main() -> None:
            nonlocal code
            for one in wanted:
                printer = _Printer(as_json=as_json, brief=brief)
                try:
                    printer.done(home, await submission.submit(home, store, one, wish, printer.tell))
                except StoreError:  # that is not about the bot
                    raise
                except (BotError, LadderError) as error:
                    code = printer.refused(one, error)
                    return

        return play(main) or code


class _Printer:
    """Prints the steps and the end of a submission."""

    def __init__(self, *, as_json: bool, brief: bool) -> None:
        self._as_json = as_json
        self._brief = brief
        self._steps: list[dict[str, Any]] = []

    def tell(self, step: Step) -> None:
        """Print a step that is done."""
        self._steps.append({"step": step.name, "text": step.text, **step.facts})
        if not self._as_json and not (self._brief and step.name != "entered"):
            _line(step.name, step.text.removeprefix(f"{step.name} "))
        if self._brief and step.facts.get("manifest") is False:
            click.echo(
                "bullring: the files of a command line are not copied, so the table marks it as not fixed;"
                " to have them copied, put them into a folder with a bot.toml",
                err=True,
            )

    def done(self, home: Home, submitted: Submitted) -> None:
        """Print the end of a submission."""
        row = submitted.row
        if self._as_json:
            self._json({"bot": row.name, "name": row.bot, "version": row.version, "new": submitted.is_new})
            return
        if submitted.is_new:
            if not self._brief:
                where = home_flag(home)
                _line(
                    "next", f"bullring ladder run{where}, and then: bullring bots show {shlex.quote(row.name)}{where}"
                )
            return
        text = f'the same files are "{row.name}" already ({row.state}); nothing was added'
        if row.state != "active":
            text += f"; {way_back(home, row)}"
        _line("known", text)

    def refused(self, wanted: Wanted, error: BotError | LadderError) -> int:
        """Say why a bot was refused. Returns the exit code."""
        lines = error.lines if isinstance(error, Refusal) else ()
        if self._as_json:
            facts = error.facts if isinstance(error, Refusal) else {}
            self._json({"bot": None, "refused": str(error), "lines": list(lines), **facts})
            return error.exit_code
        complain(f"{wanted.text[:80]} was not added: {error}")
        for line in lines:
            click.echo(f"  {harmless(line, 400)}", err=True)
        return error.exit_code

    def _json(self, facts: dict[str, Any]) -> None:
        click.echo(json.dumps({**facts, "steps": self._steps}))


def _line(name: str, text: str) -> None:
    click.echo(f"{name:9} {harmless(text)}")
