"""Shared by `submit` and `ladder add`: submitting bots one after another, with a line for each step."""

import json
import shlex
from collections.abc import Sequence
from typing import Any

import click

from bullring.arena.cells.sandbox.wish import Wish
from bullring.arena.cells.text.harmless import harmless
from bullring.cli.ladder.chosen import home_flag
from bullring.cli.signals import play
from bullring.errors import DONE, BotError, LadderError, Refusal, StoreError
from bullring.ladder.store.cleanup import changing
from bullring.ladder.store.home import Home
from bullring.ladder.submit.submission import Step, Submitted, Wanted, submit


def submit_all(home: Home, wanted: Sequence[Wanted], wish: Wish, *, as_json: bool, brief: bool = False) -> int:
    """Submit bots. The first one that is refused ends it. `brief` prints the last step only. Returns the exit code."""
    code = DONE
    with changing(home) as store:

        async def main() -> None:
            nonlocal code
            for one in wanted:
                printer = _Printer(as_json=as_json, brief=brief)
                try:
                    printer.done(home, await submit(home, store, one, wish, printer.tell))
                except StoreError:  # that is not about the bot
                    raise
                except (BotError, LadderError) as error:
                    code = printer.refused(one, error)
                    return

        return play(main) or code


class _Printer:
    """Prints what becomes of a submission."""

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
                "bullring: the files of a command line are not copied, so the table says of it that it is not fixed;"
                " to have it copied, put it into a folder with a bot.toml",
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
            text += f"; it plays again with: bullring bots reinstate {shlex.quote(row.name)}{home_flag(home)}"
        _line("known", text)

    def refused(self, wanted: Wanted, error: BotError | LadderError) -> int:
        """Say why a bot was refused. Returns the exit code."""
        lines = error.lines if isinstance(error, Refusal) else ()
        if self._as_json:
            facts = error.facts if isinstance(error, Refusal) else {}
            self._json({"bot": None, "refused": str(error), "lines": list(lines), **facts})
            return error.exit_code
        click.echo(f"bullring: {harmless(wanted.text, 80)} was not added: {harmless(error)}", err=True)
        for line in lines:
            click.echo(f"  {harmless(line, 400)}", err=True)
        return error.exit_code

    def _json(self, facts: dict[str, Any]) -> None:
        click.echo(json.dumps({**facts, "steps": self._steps}))


def _line(name: str, text: str) -> None:
    click.echo(f"{name:9} {harmless(text)}")
