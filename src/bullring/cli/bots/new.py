"""`bullring new`: begin a bot from a kit."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import click

from bullring.cli.complaints import complain
from bullring.cli.late import late
from bullring.cli.options import PATH, json_option
from bullring.cli.values import GAME, LANGUAGE
from bullring.errors import DONE, FAILED, UsageError

with late():
    import subprocess

    from bullring.arena.cells.kits.kit import Declared, Kit, find, kits, known
    from bullring.arena.cells.kits.new_bot import make
    from bullring.arena.cells.kits.toolchains import installing, missing, typed, words


@click.command(name="new")
@click.argument("language", required=False, type=LANGUAGE)
@click.argument("folder", metavar="NAME", required=False, type=PATH)
@click.option("--list", "listing", is_flag=True, help="List the languages, and whether their toolchains are here.")
@click.option(
    "--from-policy",
    "policy",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Make a bot in Python that plays by a trained policy, as saved by bullring.train.",
)
@click.option(
    "--from-onnx",
    "onnx",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Make a bot in Python that plays by a trained network in ONNX; it brings onnxruntime.",
)
@click.option(
    "--game", type=GAME, help="The game that the network was trained for. Default: the one that fits its shapes."
)
@click.option("--seats", type=click.IntRange(2, 10), help="The number of seats that it was trained for, likewise.")
@click.option("--no-fetch", is_flag=True, help="Do not run the kit's package manager, which may need the network.")
@json_option
def command(
    language: str | None,
    folder: Path | None,
    listing: bool,
    policy: Path | None,
    onnx: Path | None,
    game: str | None,
    seats: int | None,
    no_fetch: bool,
    as_json: bool,
) -> int:
    """Begin a bot in LANGUAGE: make a folder NAME with a bot that plays at once.

    Its README.md says which function to change, and how to check, play and submit it.
    """
    if listing or language is None:
        if not listing and not as_json:
            click.echo("bullring new LANGUAGE NAME begins a bot in one of these languages:")
        _list(as_json)
        return DONE
    if folder is None and not known(language):
        raise UsageError(
            f"give a language and a name: bullring new LANGUAGE NAME; the languages are {', '.join(kits())}"
        )
    declared = find(language)
    if folder is None:
        raise UsageError(f"the new bot needs a name: bullring new {declared.language} NAME")
    if policy is not None and onnx is not None:
        raise UsageError("a bot plays by one network: give either --from-policy or --from-onnx")
    if onnx is None and (game is not None or seats is not None):
        raise UsageError("--game and --seats are for --from-onnx; a new bot plays every game")
    strategy = declared.kit.strategy
    if (network := policy or onnx) is None:
        make(declared, folder)
    elif declared.language == "python":
        from bullring.train.make_bot import make_bot, make_onnx_bot

        if policy is not None:
            make_bot(policy, folder)
        else:
            make_onnx_bot(network, folder, game, seats)
        strategy = "policy.npz" if policy is not None else "model.onnx"
    else:
        option = "--from-policy" if policy is not None else "--from-onnx"
        raise UsageError(f"{option} makes a bot in Python: bullring new python {folder} {option} {network}")
    left = _prepare(declared, folder, fetch=not no_fetch)
    if as_json:
        click.echo(json.dumps({**_facts(declared), "folder": str(folder.resolve()), "to_do": left}, indent=2))
    else:
        click.echo(f"{folder}: a bot in {declared.kit.title}. Its strategy is in {folder / strategy}.")
        for line in (*left, f"bullring check {folder}", f"bullring match {folder} @greedy --watch"):
            click.echo(f"  {line}")
        click.echo("Opponents of all strengths, with their ratings: bullring bots --builtin")
    return FAILED if left and not no_fetch else DONE


def _prepare(declared: Declared, folder: Path, *, fetch: bool) -> list[str]:
    """Fetch the libraries. Returns what is left to do before the bot can play, and says on stderr why."""
    kit = declared.kit
    left = []
    lacking = missing(kit)
    if lacking:
        names = ", ".join(need.program for need in lacking)
        _complain(f"{kit.title} needs programs that this machine does not have: {names}")
        left.append(installing(lacking))
    if kit.fetch and (lacking or not fetch or not _fetched(kit, folder)):
        left.append(f"(cd {shlex.quote(str(folder))} && {typed(kit.fetch)})")
    return left


def _fetched(kit: Kit, folder: Path) -> bool:
    try:
        code = subprocess.run(words(kit.fetch), cwd=folder, stdin=subprocess.DEVNULL, stdout=2, check=False).returncode
    except OSError as error:
        _complain(f"{kit.fetch[0]} cannot be started: {error.strerror or error}")
        return False
    if code:
        _complain(f"the libraries could not be fetched: {kit.fetch[0]} ended with status {code}; is the network there?")
    return code == 0


def _complain(text: str) -> None:
    complain(text)


def _list(as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([_facts(declared) for declared in kits().values()], indent=2))
        return
    from rich.console import Console

    from bullring.arena.watching.display.kits import kits_table

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
