"""Make a bot from a kit: its files, and what is made from the declaration."""

import json
import os
import re
import shutil
from pathlib import Path

from bullring.arena.cells.bots.bot import MANIFEST
from bullring.arena.cells.dependencies.kinds import KINDS
from bullring.arena.cells.kits.kit import DECLARATION, Declared, Kit
from bullring.arena.cells.kits.toolchains import typed
from bullring.errors import BotError
from bullring.installation import FOLDER

IGNORE = ".bullringignore"
"""The file that lists what of a folder is not part of the bot."""

VECTORS = "vectors"

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")

_README = """\
# {name}

A bot in {title} for Bullring. Its strategy is one function, in [{strategy}]({strategy}): the question in, one of its options out.
It is legal in every game already; make it play well. `bullring docs games` lists all that the question tells you.
{fetched}
In this folder:

```console
$ {first}
$ bullring dev .
$ bullring check .
$ bullring match . @greedy --watch
$ bullring submit . --home LADDER
```

`dev` builds it, checks it and lets it play whenever you save a file, and says what changed. `check` tries the bot on every game
and tells what is wrong, step by step. `submit` puts it on the ladder whose home is the folder LADDER (`bullring ladder init LADDER`
makes one). Print to stderr whatever you like: it is kept with each match. To use the time that a decision has, ask `time_left` in
the file `clock`, not a clock on the wall: what other programs use of your core does not count.
"""


def check_free(folder: Path) -> None:
    """Raise `BotError` if no new bot can have this folder: it exists, cannot be made, or its name is not safe."""
    name = folder.name
    if not _NAME.fullmatch(name):
        raise BotError(
            f"{name[:80]!r} cannot be the name of a bot's folder: it must be letters from A to Z, digits and - _ . only, at"
            " most 64, and begin with a letter or digit; what `name` in its bot.toml says may be any text"
        )
    if folder.exists() or folder.is_symlink():
        raise BotError(f"{folder} exists already; choose another name, or remove it")
    if not folder.parent.is_dir():
        raise BotError(f"{folder.parent} is not a folder; make it first")
    if not os.access(folder.parent, os.W_OK):
        raise BotError(f"{folder.parent} may not be written to; choose another place")


def make(declared: Declared, folder: Path) -> None:
    """Make the folder of a new bot, named like the folder. Raises `BotError` as `check_free` does."""
    check_free(folder)
    name = folder.name
    kit = declared.kit
    left_out = shutil.ignore_patterns(DECLARATION, "__pycache__", VECTORS, *(line.strip("/") for line in kit.ignore))
    shutil.copytree(declared.folder, folder, ignore=left_out)
    if kit.vectors:
        shutil.copytree(FOLDER / "protocol" / "vectors", folder / VECTORS)
    (folder / MANIFEST).write_text(manifest(kit, name), "utf-8")
    (folder / "README.md").write_text(readme(kit, name), "utf-8")
    (folder / IGNORE).write_text(ignored(kit), "utf-8")


def manifest(kit: Kit, name: str) -> str:
    """The `bot.toml` of a new bot."""
    lines = [f"name = {_toml(name)}", f"language = {_toml(kit.title)}"]
    if kit.build:
        lines.append(f"build = {_toml(kit.build)}")
    lines.append(f"run = {_toml(kit.run)}")
    wishes = kit.limits.given()
    if wishes:
        lines += ["", "[limits]", *(f"{key} = {_toml(value)}" for key, value in wishes.items())]
    return "\n".join(lines) + "\n"


def readme(kit: Kit, name: str) -> str:
    """The README of a new bot: what to change, and four commands."""
    fetched = f"\nIts libraries were fetched with `{typed(kit.fetch)}`; run that again after changing them.\n"
    return _README.format(
        name=name,
        title=kit.title,
        strategy=kit.strategy,
        fetched=fetched if kit.fetch else "",
        first=typed(kit.test or kit.build) or "bullring docs spec",
    )


def ignored(kit: Kit) -> str:
    """The `.bullringignore` of a new bot: what is made from the sources, and what only its tests need. The libraries that were
    fetched for it are part of it."""
    brought = [f"!{kind.brings}/" for kind in KINDS if kit.fetch[:1] == (kind.manager,)]
    return "".join(f"{line}\n" for line in (".git/", *kit.ignore, *([f"{VECTORS}/"] if kit.vectors else []), *brought))


def _toml(value: object) -> str:
    """Words, numbers and lists of words as TOML, whose strings are those of JSON (without DEL, which words do not have)."""
    return json.dumps(value, ensure_ascii=False)
