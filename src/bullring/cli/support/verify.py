"""`bullring verify`: recompute a recorded match."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bullring.cli.late import late
from bullring.cli.options import PATH
from bullring.errors import DONE, FAILED, KeyFileError, RecordError

with late():
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.sayings import counted
    from bullring.arena.match.records.reader import read_lines
    from bullring.arena.match.records.verification import verify
    from bullring.cli.recorded import finding_lines, naming, recorded


if TYPE_CHECKING:
    from bullring.ladder.store.audit import Audit

SHOWN = 50
"""Most lines about damaged records. Findings that follow each other with the same fault share one."""


@click.command(name="verify")
@click.argument("file", metavar="[FILE|MATCH]", required=False, type=PATH)
@click.option(
    "--key", metavar="PUBLIC", help="Demand a signature by this public key: 64 hexadecimal digits, or a file."
)
@click.option(
    "--home",
    type=PATH,
    help="The ladder whose MATCH is meant; without one, verify all its records.",
)
def command(file: Path | None, key: str | None, home: Path | None) -> int:
    """Recompute a recorded match, from a file or a ladder, and report the first difference.

    With --home and no MATCH, recompute all matches of a ladder, and compare each record with the seal and result in the store. The
    exit code is 1 if something differs, is missing, or is unfinished.
    """
    public = None if key is None else public_key(key)
    if file is None and home is None:
        raise click.UsageError("give a FILE, a MATCH such as 17, or a ladder with --home FOLDER")
    if file is None:
        return _verify_home(home, public)
    record, _ = recorded(file, home)
    return _verify_file(record, public, harmless(file) if record == file else f"match {file}")


def _verify_file(file: Path, key: str | None, name: str) -> int:
    try:
        with doing(f"verifying {name}"):
            verdict = verify(read_lines(file), key)
    except RecordError as error:
        raise naming(file, error) from None
    if verdict.difference is not None:
        click.echo(f"{name}: does not verify: {harmless(verdict.difference)}")
        return FAILED
    done = f"{counted(verdict.deals, 'deal')} and {counted(verdict.answers, 'answer')}"
    if not verdict.finished:
        click.echo(
            f"{name}: unfinished: {done} agree; the deals cannot be checked, as the seed is only in the last line"
        )
        return FAILED
    if verdict.torn:
        click.echo(f"{name}: does not verify: {counted(verdict.torn, 'byte')} after the last line")
        return FAILED
    signed = f"; signed with {verdict.key}" if verdict.key else ""
    void = "" if verdict.void is None else f"; the match is void: {harmless(verdict.void)}"
    confined = "" if verdict.confinement is None else f"; {verdict.confinement.said()}"
    click.echo(
        f"{name}: verified: {done}, commitment, placements, faults, scores, ranks and seal{signed}{void}{confined}"
    )
    return DONE


def _verify_home(folder: Path | None, key: str | None) -> int:
    from bullring.cli.progress import long_work
    from bullring.ladder.standings.audited import audited
    from bullring.ladder.store.home import Home

    home = Home.find(folder)
    with closing(home.store(read_only=True)) as store, long_work("verifying the ladder") as tell:
        found = audited(home, store, key, tell)
    signed = f", signed with {key}" if key else ""
    void = f", {found.void} of them of void matches" if found.void else ""
    click.echo(f"{counted(found.records, 'record')} verified{signed}{void}")
    return tell_findings(found)


def tell_findings(found: Audit) -> int:
    """Print what an audit has found, and return the exit code."""
    if found.playing:
        click.echo(f"{counted(found.playing, 'match', 'matches')} not over yet, or cut off")
    lines, told = finding_lines(found.wrong, SHOWN)
    click.echo("".join(f"{line}\n" for line in lines), nl=False)
    if found.count > told:
        click.echo(f"and {found.count - told} more")
    if found.other:
        what = f"{counted(found.other, 'match has', 'matches have')} another result in the store than in the record"
        click.echo(f"{what}: to take those of the records: bullring ladder rebuild")
    if found.lost:
        what = f"{counted(found.lost, 'match has', 'matches have')} no record that is as it was sealed"
        click.echo(f"{what}: restore records from a backup, or drop them with: bullring ladder rebuild --drop-missing")
    return FAILED if found.count else DONE


def public_key(text: str) -> str:
    """A public key given as its digits or as a file. Raises `KeyFileError`."""
    path = Path(text)
    try:
        digits = path.read_text("ascii")[:200].strip() if path.is_file() else text
    except (OSError, ValueError) as error:
        raise KeyFileError(f"the public key {text} cannot be read: {error}") from None
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise KeyFileError(f"a public key is 64 hexadecimal digits or a file with them, not {digits[:80]!r}")
    return digits
