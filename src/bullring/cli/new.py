"""`bullring new`: begin a bot from a kit."""

import json
import subprocess
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from bullring.arena.kits.kit import Declared, find, kits
from bullring.arena.kits.making import make
from bullring.arena.kits.toolchains import installing, missing, typed, words
from bullring.cli.options import json_option
from bullring.errors import DONE, FAILED, UsageError


class _Language(click.ParamType[str]):
    name = "language"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(name) for name in kits() if name.startswith(incomplete)]


@click.command(name="new")
@click.argument("language", required=False, type=_Language())
@click.argument("folder", metavar="NAME", required=False, type=click.Path(path_type=Path))
@click.option("--list", "listing", is_flag=True, help="List the languages, and whether their toolchains are here.")
@click.option("--no-fetch", is_flag=True, help="Do not run the kit's package manager, which may need the network.")
@json_option
def command(language: str | None, folder: Path | None, listing: bool, no_fetch: bool, as_json: bool) -> int:
    """Begin a bot in LANGUAGE: make a folder NAME with a bot that plays at once.

    Its README.md says which function to change, and how to check, play and submit it.
    """
    if listing or language is None:
        _list(as_json)
        return DONE
    declared = find(language)
    if folder is None:
        raise UsageError(f"the new bot needs a name: bullring new {declared.language} NAME")
    make(declared, folder)
    done = _prepare(declared, folder, fetch=not no_fetch)
    if as_json:
        click.echo(json.dumps({**_facts(declared), "folder": str(folder.resolve()), "ready": done}, indent=2))
    else:
        click.echo(f"{folder}: a bot in {declared.kit.title}. Its strategy is in {folder / declared.kit.strategy}.")
        click.echo(f"  bullring check {folder}" if done else f"  then: bullring check {folder}")
        click.echo(f"  bullring match {folder} @greedy --watch")
    return DONE if done else FAILED


def _prepare(declared: Declared, folder: Path, *, fetch: bool) -> bool:
    """Fetch the libraries. Returns whether the bot can be built and run, and otherwise says on stderr what to do."""
    kit = declared.kit
    line = f"cd {folder} && {typed(kit.fetch)}"
    lacking = missing(kit)
    if lacking:
        names = ", ".join(need.program for need in lacking)
        _complain(f"{kit.title} needs what this machine does not have: {names}. To get it: {installing(lacking)}")
        if kit.fetch:
            _complain(f"then fetch its libraries: {line}")
        return False
    if not kit.fetch or not fetch:
        if kit.fetch:
            _complain(f"its libraries are not fetched yet: {line}")
        return not kit.fetch
    try:
        code = subprocess.run(words(kit.fetch), cwd=folder, stdin=subprocess.DEVNULL, stdout=2, check=False).returncode
    except OSError as error:
        code = error.errno or -1
    if code:
        _complain(f"its libraries could not be fetched (exit status {code}). When the network is there: {line}")
    return code == 0


def _complain(text: str) -> None:
    click.echo(f"bullring: {text}", err=True)


def _list(as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_facts(declared) for declared in kits().values()], indent=2))
        return
    from rich.console import Console

    from bullring.arena.display.kits import kits_table

    Console().print(kits_table([_facts(declared) for declared in kits().values()]))


def _facts(declared: Declared) -> dict[str, Any]:
    kit = declared.kit
    lacking = missing(kit)
    return {
        "language": declared.language,
        "title": kit.title,
        "dialect": kit.dialect,
        "library": kit.library,
        "strategy": kit.strategy,
        "here": not lacking,
        "missing": [need.program for need in lacking],
        "install": installing(lacking),
    }
