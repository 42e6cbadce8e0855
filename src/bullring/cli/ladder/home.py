"""`bullring ladder init`, `key`, `rebuild`, `scrub`, `backup` and `restore`: a home as a whole."""

from __future__ import annotations

import json
import shlex
from contextlib import closing
from pathlib import Path

import click

from bullring.cli.late import late
from bullring.cli.options import PATH, home_option, json_option, time_option
from bullring.errors import LadderError

with late():
    from bullring.arena.cells.sandbox import cores, threads
    from bullring.arena.cells.text.doing import doing
    from bullring.arena.cells.text.harmless import harmless
    from bullring.arena.games.rules.sayings import counted
    from bullring.cli.ladder.chosen import home_flag
    from bullring.ladder.store.cleanup import changing
    from bullring.ladder.store.home import Home


SHOWN = 20
"""Most lines about records that were left out."""


@click.command(name="init")
@click.argument("folder", type=PATH, default=".")
@time_option
def init(folder: Path, times: tuple[str, ...]) -> None:
    """Make a home for a ladder in an empty or new folder.

    The default FOLDER is the working folder. The time limits apply to all matches of the home. Where the kernel does not count
    what others use of a bot's core, so that limits are plain time, the default grows with what else runs now.
    """
    if not times and not threads.counted() and (seconds := round(1 / cores.share())) > 1:
        times = (f"{seconds}s",)
        click.echo(
            f"limits are plain time here, and other programs run, so a decision gets {times[0]}: see bullring doctor"
        )
    home = Home.create(folder, times)
    click.echo(f"made the home {harmless(home.path)}; next: bullring submit BOT{harmless(home_flag(home))}")


@click.command(name="backup")
@click.argument("file", type=PATH)
@home_option
def backup(home: Path | None, file: Path) -> None:
    """Write all of a home to one FILE, also while a ladder runs.

    It is a tar file, compressed if its name ends in .gz or .tgz, with everything but the results of builds, which are made again.
    If the ladder signs its records, the private key is in it: keep it to yourself.
    """
    from rich.filesize import decimal

    from bullring.ladder.store.backup import backup

    place = Home.find(home)
    with doing(f"writing {file}"):
        size = backup(place, file)
    told = harmless(shlex.quote(str(file)))
    click.echo(f"wrote {told}, {decimal(size)}; to make a home of it: bullring ladder restore {told} FOLDER")


@click.command(name="restore")
@click.argument("file", type=PATH)
@click.argument("folder", type=PATH)
def restore(file: Path, folder: Path) -> None:
    """Make a home in an empty or new FOLDER from the backup FILE, on this machine or another one.

    The ladder goes on there: bots, results, records and keys are those of the moment of the backup.
    """
    from bullring.ladder.store.backup import restore

    with doing(f"restoring {file}"):
        place = restore(file, folder)
    with closing(place.store(read_only=True)) as store:
        held = f"{counted(store.count(), 'match', 'matches')} and {counted(len(store.bots()), 'bot')}"
    click.echo(f"restored {held} to {harmless(place.path)}; next: bullring ladder run{harmless(home_flag(place))}")


@click.command(name="scrub")
@home_option
def scrub(home: Path | None) -> int:
    """Look for damage in a home, before somebody needs what is damaged.

    Reads everything once and compares checksums: records, database, copies of bots. Unlike `bullring verify --home`, it recomputes
    no match, so it is quick. The exit code is 1 if something is damaged.
    """
    from bullring.cli.progress import long_work
    from bullring.cli.support.verify import tell_findings
    from bullring.ladder.store.audit import scrub

    place = Home.find(home)
    with closing(place.store(read_only=True)) as store, long_work("looking for damage") as tell:
        found = scrub(place, store, tell)
    click.echo(f"{counted(found.records, 'record')} read" + ("" if found.count else "; nothing is damaged"))
    return tell_findings(found)


@click.command(name="key")
@click.option("--new", is_flag=True, help="Make a new key; records are signed with it from now on.")
@json_option
@home_option
def key(home: Path | None, new: bool, as_json: bool) -> None:
    """Print the public key that signs the records of the ladder.

    Publish it: anyone who has it can check a record with `bullring verify FILE --key PUBLIC`. Public keys of the past follow,
    newest first. The private key is the file `signing.pem` in the home. A new one takes its place; what it has signed
    stays signed.
    """
    place = Home.find(home)
    if new:
        from bullring.ladder.store.keys import new_key

        with changing(place) as store, place.locked():
            new_key(place, store)
    with closing(place.store(read_only=True)) as store:
        keys = store.keys()[::-1]
    if as_json:
        click.echo(json.dumps(keys))
    elif not keys:
        raise LadderError(
            f"this ladder does not sign its records; make a key with: bullring ladder key --new{home_flag(place)}"
        )
    else:
        click.echo("\n".join(keys))


@click.command(name="rebuild")
@click.option("--drop-missing", is_flag=True, help="Drop matches whose record is missing or does not verify.")
@click.option("--add-unknown", is_flag=True, help="Add matches that the store does not know, if their record verifies.")
@home_option
def rebuild(home: Path | None, drop_missing: bool, add_unknown: bool) -> None:
    """Rebuild all results from the records.

    Each record is verified first, and must have the seal that the store keeps for its match. Records that are left out are listed;
    if matches would be lost, nothing is changed.
    """
    from bullring.cli.progress import long_work
    from bullring.cli.recorded import finding_lines
    from bullring.ladder.standings import conduct, ratings
    from bullring.ladder.store.rebuild import rebuild

    place = Home.find(home)
    with place.locked(), long_work("rebuilding the results") as tell:
        report = rebuild(place, drop_missing=drop_missing, add_unknown=add_unknown, tell=tell)
        with closing(place.store()) as store:
            with store.change():
                conduct.write(store, tell)
            for list_ in store.lists(played=True):
                ratings.rated(store, list_)
    matches = counted(report.matches, "match", "matches")
    left_out = f"; {counted(report.count, 'record')} left out:" if report.wrong else ""
    click.echo(f"{matches} from {counted(report.records, 'record')}{left_out}")
    for line in finding_lines(report.wrong, SHOWN)[0]:
        click.echo(f"  {line}")
    for path in report.aside:
        click.echo(f"{path.name} was damaged; it is kept as {harmless(path)}")
