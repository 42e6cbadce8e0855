"""`bullring replay`: show a recorded match."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote, urljoin

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import PATH, checked_address, language_option
from bullring.cli.recorded import match_home_option, record_argument
from bullring.errors import RecordError, SeatsError

with late():
    from bullring.arena.cells.text.doing import doing, unshown
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rulebook.language import say
    from bullring.arena.match.records.reader import Lines, read_lines
    from bullring.arena.match.records.replay import Began, Replay, Wrote
    from bullring.arena.match.records.wire import Wire
    from bullring.arena.study.analysis.kept import kept
    from bullring.arena.study.analysis.result import Analysis, Choice
    from bullring.arena.watching.display.text import log_hints
    from bullring.arena.watching.display.transcript import Story
    from bullring.arena.watching.display.wire import DIALECTS, wire_facts, wire_lines
    from bullring.arena.watching.page.file import check_page, write_page
    from bullring.arena.watching.page.page import START, page
    from bullring.arena.watching.screens.terminal import full_screen
    from bullring.cli.play.opened import opened, until_interrupted
    from bullring.cli.recorded import named_match, naming, party_of, recorded
    from bullring.cli.study.analyse import AnalysisWish, analysed, painted
    from bullring.protocol.decoding import Dialect


_STDOUT = Path("-")


@click.command(name="replay")
@record_argument
@match_home_option
@click.option("--plain", is_flag=True, help="Print the match as text, as in a pipe, also on a terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print one event per line, as JSON.")
@click.option(
    "--stderr", "stderr_of", type=int, metavar="SEAT", help="Print what the bot of this seat wrote to stderr."
)
@click.option(
    "--wire", "wire_of", type=int, metavar="SEAT", help="Print all messages to and from the bot of this seat."
)
@click.option(
    "--dialect",
    type=click.Choice(["json", "msgpack", "frames"]),
    help="The dialect of --wire: JSON lines, bare msgpack or length-prefixed msgpack.  [default: json]",
)
@click.option(
    "--analyse", is_flag=True, help="Analyse the match first, like `bullring analyse`, and mark costly decisions."
)
@language_option
@click.option(
    "--html",
    type=PATH,
    metavar="OUT",
    help="Write one HTML file that shows the match in any browser, without network; - is stdout.",
)
@click.option(
    "--address",
    callback=checked_address,
    metavar="URL",
    help="The address that the page will have: its picture is written beside it, for programs that show where a link leads.",
)
@click.option(
    "--open", "in_browser", is_flag=True, help="Open the match in a browser, until Ctrl-C; also while it is played."
)
def command(
    file: Path,
    home: Path | None,
    plain: bool,
    as_json: bool,
    stderr_of: int | None,
    wire_of: int | None,
    dialect: str | None,
    analyse: bool,
    html: Path | None,
    address: str | None,
    in_browser: bool,
) -> None:
    """Show a recorded match, turn by turn: from a file, or a match of a ladder by its number.

    On a terminal, step through it: arrows, Space, t for the next row taken, m for the next mistake, g to go to a deal or turn, h to
    open the hands, a to analyse, b to see what another choice would have led to; ? lists all keys. A match in progress is followed.
    Costly decisions are marked with ?!, ? or ?? if the match was analysed (`bullring analyse`).

    --wire recomputes every message to and from one bot, with times and faults, in the order in which the bot saw them.

    --html writes a page to share: the table step by step, links to turns, scores over time, and the cost of each card if the match
    was analysed. It replaces an older page, never another file.
    """
    if stderr_of is not None and wire_of is not None:
        raise click.UsageError("give either --stderr or --wire")
    if analyse and (stderr_of is not None or wire_of is not None):
        raise click.UsageError("--analyse goes with neither --stderr nor --wire")
    if dialect is not None and (wire_of is None or as_json):
        raise click.UsageError("--dialect is for --wire without --json")
    if html is not None:
        if as_json or stderr_of is not None or wire_of is not None:
            raise click.UsageError("--html goes with none of --json, --stderr and --wire")
        _check(html, START.encode())
    if in_browser and (as_json or plain or html is not None or stderr_of is not None or wire_of is not None):
        raise click.UsageError("--open goes with none of --html, --json, --plain, --stderr and --wire")
    picture = None if address is None or html is None or html == _STDOUT else html.with_name(f"{html.name}.png")
    if address is not None and picture is None:
        raise click.UsageError("--address is for --html with a file")
    if picture is not None:
        from bullring.arena.watching.page.preview import START as PNG  # numpy takes time to import
        from bullring.arena.watching.page.preview import preview

        _check(picture, PNG)
    ladder, number = named_match(file, home)
    party = partial(party_of, file, home)
    file, place = recorded(file, home)
    try:
        lines = read_lines(file)
        if wire_of is not None:
            _print_wire(Wire(lines, wire_of), DIALECTS[dialect or "json"], as_json=as_json)
        elif stderr_of is not None:
            _print_stderr(lines, stderr_of)
        elif in_browser:
            found = _analysis(place, lines, analyse=analyse)
            with opened(file, page(lines, found, number=number, ladder=ladder) if lines.finished else None):
                until_interrupted()
            return
        elif not (plain or as_json or html is not None) and full_screen():
            sys.exit(_step_through(file, place, lines, analyse=analyse, party=party))
        elif html is not None:
            found = _analysis(place, lines, analyse=analyse)
            with doing(f"writing {html}"):
                if picture is not None:
                    _write_page(picture, preview(lines, ladder), PNG)
                shown = urljoin(address, quote(picture.name)) if address and picture else None
                text = page(lines, found, number=number, ladder=ladder, address=address, picture=shown)
                _write_page(html, text.encode(), START.encode())
            if html != _STDOUT:
                click.echo(f"{harmless(html)}: {len(text.encode()) / 1000:.0f} kB; open it in any browser", err=True)
            if found is None and lines.finished:
                complain("with --analyse the page also shows the cost of each card")
        else:
            found = _analysis(place, lines, analyse=analyse)
            _print_story(file, lines, found.choices if found else (), as_json=as_json)
    except RecordError as error:
        raise naming(file, error) from None
    if not lines.finished:
        what = say(f"story.{'torn' if lines.torn else 'unfinished'}", count=lines.torn, file=harmless(file))
        complain(what)


def _step_through(file: Path, place: Path, lines: Lines, *, analyse: bool, party: Callable[[], str]) -> int:
    """Step through the match on the terminal. Returns the exit code. Raises `RecordError` if it is not a record."""
    from bullring.arena.watching.screens.replay import ReplayApp  # Textual takes time to import

    next(Replay().play(lines))
    app = ReplayApp(file, place, analyse=analyse, party=party)
    with unshown():
        app.run()
    return app.return_code or 0


def _analysis(place: Path, lines: Lines, *, analyse: bool) -> Analysis | None:
    """The analysis of the match, if it is asked for or has been made before."""
    if analyse:
        return analysed(place, lines, AnalysisWish())
    return kept(place, lines.seal or "") if lines.finished else None


def _print_story(file: Path, lines: Lines, choices: Sequence[Choice], *, as_json: bool) -> None:
    replay = Replay(telling=True)
    story = Story(replay, choices=choices, paint=painted)
    judged: dict[int, list[Choice]] = {}
    for choice in choices:
        judged.setdefault(choice.line, []).append(choice)
    logs: list[Wrote] = []
    for number, happening in replay.play(lines):
        if isinstance(happening, Wrote):
            logs.append(happening)
        if as_json:
            for event in happening.lines():
                click.echo(json.dumps({"line": number, **event}))
            for choice in judged.get(number, ()):
                click.echo(json.dumps({"line": number, "type": "judged", **choice.model_dump()}))
        else:
            for line in story.lines(happening, number):
                click.echo(line)
    if not as_json:
        for line in log_hints({log.seat: log.text for log in logs}, file):
            click.echo(line)


def _print_stderr(lines: Lines, seat: int) -> None:
    replay, silent = Replay(), True
    for _, happening in replay.play(lines):
        if isinstance(happening, Began) and seat not in range(len(replay.names)):
            raise SeatsError(f"--stderr must be a seat from 0 to {len(replay.names) - 1}, not {seat}")
        if isinstance(happening, Wrote) and happening.seat == seat:
            silent = False
            for line in happening.text.splitlines():
                click.echo(harmless(line))
    if silent:
        complain(f"seat {seat} ({harmless(replay.names[seat], 64)}) wrote nothing to stderr")


def _print_wire(wire: Wire, dialect: Dialect, *, as_json: bool) -> None:
    if as_json:
        for wired in wire:
            for facts in wire_facts(wired):
                click.echo(json.dumps(facts))
    else:
        for line in wire_lines(wire, dialect):
            click.echo(line)


def _check(out: Path, start: bytes) -> None:
    """Raise `WriteError` if a page or its picture, which has this `start`, cannot go there; stdout takes everything."""
    if out != _STDOUT:
        check_page(out, start)


def _write_page(out: Path, data: bytes, start: bytes) -> None:
    """Write a page or its picture; "-" is stdout. Raises `WriteError`."""
    if out == _STDOUT:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    else:
        write_page(out, data, start)
