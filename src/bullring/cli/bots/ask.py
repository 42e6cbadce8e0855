"""`bullring ask`: put questions of a recorded match to a bot."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import PATH, SandboxWish, config_option, sandbox_options
from bullring.cli.values import BOT
from bullring.errors import BOT_AT_FAULT, DONE, FAILED, BotError, CellError, RecordError, SeatsError

with late():
    from rich.console import Console

    from bullring.arena.cells.bots.bot import Bot
    from bullring.arena.cells.bots.load import load
    from bullring.arena.cells.building.build import built
    from bullring.arena.cells.building.cache import Cache, built_here
    from bullring.arena.cells.sandbox.choice import open_sandbox, told_of
    from bullring.arena.cells.sandbox.identity import Owner
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.match.ask import Reply, ask
    from bullring.arena.match.records.reader import Lines, parse_line, read_lines
    from bullring.arena.match.records.wire import Exchange, Wire, Wired
    from bullring.arena.settings.load import load_settings
    from bullring.arena.settings.settings import Settings
    from bullring.arena.watching.display.replies import fault_texts, reply_lines, reply_table
    from bullring.cli.progress import long_work
    from bullring.cli.recorded import is_match, naming, recorded
    from bullring.cli.signals import play


@click.command(name="ask")
@click.argument("text", metavar="BOT", type=BOT)
@click.option(
    "--from",
    "file",
    required=True,
    type=PATH,
    help="The record of the match: a file, or the number of a match of the ladder.",
)
@click.option(
    "--seat", type=int, metavar="SEAT", help="The seat that was asked. Default: the only seat of a bot of this name."
)
@click.option("--deal", type=int, metavar="D", help="Only questions of this deal, from 1.")
@click.option("--turn", type=int, metavar="T", help="Only questions of this turn, from 1; a draft is turn 0.")
@click.option("--kind", metavar="KIND", help="Only questions of this kind: card, row, ...")
@click.option("--all", "table", is_flag=True, help="Ask all, and list the differing answers.")
@click.option(
    "--whole/--alone",
    default=True,
    help="First ask all earlier questions of the match, for bots with a memory; or none.  [default: whole]",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per question.")
@click.option("--home", type=PATH, help="A ladder's home; BOT is then one of its bots.")
@config_option
@sandbox_options
def command(
    text: str,
    file: Path,
    seat: int | None,
    deal: int | None,
    turn: int | None,
    kind: str | None,
    table: bool,
    whole: bool,
    as_json: bool,
    home: Path | None,
    config: Path | None,
    sandbox: SandboxWish,
) -> int:
    """Put questions of a recorded match to a bot.

    The bot gets the welcome of that match and then the same questions, in the sandbox and with the limits of a match; the answers
    are compared with the record. The exit code is 0 if all are the same, 1 if one differs, 3 after a fault.
    """
    if not table and deal is None and turn is None and kind is None:
        raise click.UsageError("choose questions with --deal, --turn or --kind, or give --all")
    chosen = _Chosen(deal, turn, kind)
    settings, bot, builds = _bot(text, home, config)
    try:
        lines = read_lines(recorded(file, home if is_match(file) else None)[0])
        wire = Wire(lines, _seat_of(lines, bot.name) if seat is None else seat)
        session = list(wire)
    except RecordError as error:
        raise naming(file, error) from None
    wanted = [number for number, wired in enumerate(session) if chosen.has(wired)]
    if not wanted:
        raise RecordError(f"{file}: seat {wire.seat} ({wire.name}) was not asked {chosen}; see bullring replay {file}")
    before = session[: wanted[-1] + 1]
    asked = [wired for wired in before if whole or not isinstance(wired, Exchange) or chosen.has(wired)]
    replies: list[Reply] = []
    wish = sandbox.over(settings)

    async def main() -> None:
        async with open_sandbox(wish, Owner(hidden=(file,))) as cells:
            click.echo(told_of(cells), err=True)
            if builds is None:
                (ready,) = await built_here([bot], cells, settings.build)
            else:
                ready = await built(bot, cells, builds, settings.build, cache=Cache.of_user())
            try:
                await cells.prepare(ready.program)
            except CellError as error:
                raise BotError(f"{bot.name}: {error}") from None
            replies.extend(
                await ask(ready, cells, asked, wire.limits, lambda done: tell("questions asked", done, questions))
            )

    questions = sum(isinstance(wired, Exchange) for wired in asked)
    with long_work("asking the bot") as tell:
        interrupted = play(main)
    if interrupted:
        complain("interrupted before all questions were asked")
        return interrupted
    shown = [reply for reply in replies if chosen.has(reply.exchange)]
    _print([reply.facts() for reply in shown], len(wanted), table=table, as_json=as_json)
    if len(shown) < len(wanted) or any(reply.fault for reply in shown):
        return BOT_AT_FAULT
    return FAILED if any(reply.differs for reply in shown) else DONE


@dataclass(frozen=True)
class _Chosen:
    """The chosen questions; None: any."""

    deal: int | None
    turn: int | None
    kind: str | None

    def __str__(self) -> str:
        parts = (("deal", self.deal), ("turn", self.turn), ("kind", self.kind))
        return ", ".join(f"{name} {value}" for name, value in parts if value is not None) or "anything"

    def has(self, wired: Wired) -> bool:
        """Whether this is one of the questions."""
        return (
            isinstance(wired, Exchange)
            and self.deal in (None, wired.deal)
            and self.turn in (None, wired.turn)
            and self.kind in (None, wired.kind)
        )


def _bot(text: str, home: Path | None, config: Path | None) -> tuple[Settings, Bot, Path | None]:
    """The bot, the settings that it runs under, and the builds of its home, if it has one.

    Raises `BotError`, `LadderError`, `SettingsError`.
    """
    if home is None:
        settings = load_settings(config, ())
        return settings, settings.admit(load(text)), None
    from bullring.ladder.store.home import Home

    if config is not None:
        raise click.UsageError("--config cannot be used with --home, whose settings apply")
    place = Home.find(home)
    with closing(place.store(read_only=True)) as store:
        return place.settings(), place.bot(store.bot(text)), place.builds


def _seat_of(lines: Lines, name: str) -> int:
    """The only seat of a bot with this name. Raises `RecordError`, `SeatsError`."""
    names = [str(name) for name in parse_line(next(lines.raw()), 1).get("seats", ())]
    found = [seat for seat, seated in enumerate(names) if seated == name or seated.startswith(f"{name} #")]
    if len(found) == 1:
        return found[0]
    all_seats = ", ".join(f"{seat} {seated[:64]}" for seat, seated in enumerate(names[:10]))
    how_many = "no seat" if not found else f"{len(found)} seats"
    raise SeatsError(f"the record has {how_many} of a bot {name[:64]!r}; choose one with --seat: {all_seats}")


def _print(replies: Sequence[Mapping[str, Any]], wanted: int, *, table: bool, as_json: bool) -> None:
    if as_json:
        for facts in replies:
            click.echo(json.dumps(facts))
        return
    if not table:
        for facts in replies:
            for line in reply_lines(facts):
                click.echo(line)
    if table or len(replies) < wanted:
        differing = sum(facts["differs"] for facts in replies)
        faults = sum(facts["fault"] is not None for facts in replies)
        if table and (differing or faults):
            Console().print(reply_table(replies))
            for line in fault_texts(replies):
                click.echo(line)
        unasked = (
            f"; the other {wanted - len(replies)} were not asked, as the seat is lost" if len(replies) < wanted else ""
        )
        click.echo(
            f"{counted(len(replies), 'question')}: {counted(differing, 'answer')} not as in the record,"
            f" {counted(faults, 'fault')}{unasked}"
        )
