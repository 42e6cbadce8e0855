"""Homes with tiny bots, and ladders that are run on them as a user runs them."""

import json
import os
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.sandbox.local import tree
from bullring.cli.program import program as cli
from bullring.ladder.store.add import add
from bullring.ladder.store.dictionary import NO_DICTIONARY
from bullring.ladder.store.home import Home
from bullring.ladder.store.packet import pack
from bullring.ladder.store.rows import MatchRow
from tests.support.command import BULLRING
from tests.support.patience import PATIENCE

TINY = Path(__file__).with_name("tiny.py")


def tiny(way: str = "first", path: Path | str = "") -> str:
    """A tiny bot as a command line."""
    return f"{sys.executable} -I -S {TINY} {way} {path}".strip()


def home_with(folder: Path, bots: Mapping[str, str], times: Sequence[str] = ("10s", "start=30s")) -> Home:
    """A new home with these bots, by their names."""
    home = Home.create(folder, times)
    with closing(home.store()) as store:
        for name, command in bots.items():
            add(home, store, command, name)
    return home


def folder_of(path: Path, name: str = "mine") -> Path:
    """A bot's folder."""
    path.mkdir()
    (path / "bot.toml").write_text(f'name = {json.dumps(name)}\nrun = ["{{python}}", "-S", "main.py"]\n')
    (path / "main.py").write_text("print('hello')\n")
    return path


def folder(path: Path, way: str = "first", name: str = "mine", more: str = "") -> Path:
    """The folder of a tiny bot."""
    path.mkdir()
    run = f'["{{python}}", "-I", "-S", "tiny.py", "{way}"]'
    (path / "bot.toml").write_text(f'name = {json.dumps(name)}\nlanguage = "Python"\nrun = {run}\n{more}\n')
    (path / "tiny.py").write_bytes(TINY.read_bytes())
    return path


def adopt(home: Home, text: str, name: str | None = None) -> Bot:
    """Add a bot as it is, and load it."""
    with closing(home.store()) as store:
        return home.bot(add(home, store, text, name))


def loaded(home: Home, name: str) -> Bot:
    """A bot of a home, as it plays."""
    with closing(home.store(read_only=True)) as store:
        return home.bot(store.bot(name))


def four(folder: Path) -> Home:
    """A home with four quick bots."""
    return home_with(folder, {"a": tiny("first"), "b": tiny("last"), "c": tiny("first"), "d": tiny("last")})


def ladder(*arguments: str, home: Home | None = None) -> Result:
    """`bullring ladder ...` in this process, which is quicker than one of its own."""
    at = ("--home", str(home.path)) if home is not None else ()
    return CliRunner(env={"COLUMNS": "120"}).invoke(cli, ["ladder", *arguments, *at])


def bots(*arguments: str, home: Home) -> Result:
    """`bullring bots ...` in this process."""
    return CliRunner(env={"COLUMNS": "120"}).invoke(cli, ["bots", *arguments, "--home", str(home.path)])


def listed(home: Home) -> dict[str, Any]:
    """The bots of a home as `bullring bots --json` lists them, by label."""
    done = bots("--json", home=home)
    assert done.exit_code == 0, done.output
    return {row["bot"]: row for row in json.loads(done.stdout)}


def told(*arguments: str, home: Home) -> Any:
    """The JSON that such a command prints."""
    done = ladder(*arguments, home=home)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@contextmanager
def running(home: Home, *arguments: str, wrapped: Sequence[str] = ()) -> "Iterator[subprocess.Popen[str]]":
    """`bullring ladder run` in a process of its own, which is ended in the end. Its output is in `home`.log."""
    with (
        log_of(home).open("w") as log,
        subprocess.Popen(
            [*wrapped, str(BULLRING), "ladder", "run", "--home", str(home.path), *arguments],
            stdout=log,
            stderr=log,
            text=True,
            env={**os.environ, "COLUMNS": "100"},
        ) as process,
    ):
        try:
            yield process
        except AssertionError as error:
            error.add_note(f"the ladder has said:\n{log_of(home).read_text()}")
            raise
        finally:
            process.kill()


def log_of(home: Home) -> Path:
    return home.path.with_suffix(".log")


def run(home: Home, *arguments: str, code: int = 0) -> str:
    """`bullring ladder run` in this process, to its end. Returns all it has printed."""
    done = ladder("run", *arguments, home=home)
    assert done.exit_code == code, (done.output, done.exception)
    return done.output


def until(what: Callable[[], Any], process: "subprocess.Popen[str] | None" = None) -> Any:
    """Look again and again until something is true; `process` must live meanwhile."""
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, "it never came true"
        assert process is None or process.poll() is None, "the ladder has ended"
        time.sleep(0.005)
    return found


def count(home: Home, what: str) -> int:
    """The number of rows: a table of the store with a condition, or without one."""
    uri = f"{home.database.as_uri()}?mode=ro"
    with closing(sqlite3.connect(uri, uri=True, timeout=PATIENCE)) as db:
        return int(db.execute(f"SELECT count(*) FROM {what}").fetchone()[0])


def intact(home: Home) -> bool:
    """Whether the database finds nothing wrong with itself."""
    with closing(sqlite3.connect(home.database)) as db:
        sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return sound and not db.execute("PRAGMA foreign_key_check").fetchall()


def keep_only(home: Home, records: Mapping[int, bytes]) -> None:
    """Let these be all the records of a home."""
    for file in home.kept.files():
        file.unlink()
    home.kept.append(pack(match, text, NO_DICTIONARY) for match, text in records.items())


def put(home: Home, match: int, text: bytes | None) -> None:
    """Exchange the record of a match; None removes it."""
    records = dict(home.kept.walk()) | ({} if text is None else {match: text})
    keep_only(home, {number: own for number, own in records.items() if text is not None or number != match})


def matches_of(home: Home) -> list[MatchRow]:
    """All matches in its store."""
    with closing(home.store(read_only=True)) as store:
        return store.matches()


def workers_of(pid: int) -> list[int]:
    """The referee processes of a ladder."""
    found = []
    for child in tree.children(pid):
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"bullring.ladder.run.workers.worker" in words:
            found.append(child)
    return found


def left_over(home: Home) -> list[int]:
    """Bots of this home that still run, and whatever else carries its mark."""
    with closing(home.store(read_only=True)) as store:
        return tree.marked(store.home)
