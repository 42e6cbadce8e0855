"""Contests about folders that hostile authors hand in: before a bot plays, its folder is read, copied, hashed and perhaps built.

The author's program lays out the folder and may go on changing it. Then the folder is added to a ladder with honest bots and, if
the behaviour has to do with it, played.
"""

import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bullring.api.ladders import Ladder
from bullring.arena.cells.bots import builtin
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.cells.text.harmless import harmless
from bullring.errors import UsageError
from bullring.ladder.store.add import add
from bullring.ladder.store.home import Home
from tests.hostile.behaviours import BENCHED, CONTAINED, REFUSED, Behaviour

ROUNDS = 20
"""Times that a folder is added whose author goes on changing it."""

SECONDS = 30.0
"""Processor time that reading a folder may take, in this process; a bomb takes minutes."""

IMPOSSIBLE = 77
"""The exit status of a program that cannot try its way here."""


@dataclass(frozen=True)
class Desk:
    """The ladder to which folders are submitted."""

    place: Path
    home: Home
    secret: Path

    @property
    def folder(self) -> Path:
        return self.place / "author" / "bot"


def submitted(tier: str, behaviour: Behaviour, way: str) -> list[str]:
    """Hand in what the author makes in this way. What went wrong; nothing if it was held."""
    with _desk() as desk, _authored(behaviour, way, desk.folder, desk.secret) as author:
        if author.returncode == IMPOSSIBLE:
            return []
        before = time.process_time()
        verdicts: set[str] = set()
        problems: list[str] = []
        for number in range(1 if author.returncode is not None else ROUNDS):
            verdicts.add(_add(desk, f"hostile {number}", problems))
        author.communicate()
        if time.process_time() - before > SECONDS:
            problems.append(f"reading it took {time.process_time() - before:.0f} s of the processor")
        problems += _harm(desk)
        if behaviour.played and verdicts == {CONTAINED}:
            verdicts = {_play(tier, desk, behaviour, way, problems)}
        if unwanted := verdicts - set(behaviour.verdicts):
            problems.append(f"it was {sorted(unwanted)}")
        return problems


@contextmanager
def _desk() -> Iterator[Desk]:
    place = Path(tempfile.mkdtemp(prefix=f"hostile-{secrets.token_hex(4)}-"))
    try:
        place.chmod(0o755)
        folder = place / "author" / "bot"
        shutil.copytree(builtin.folder("random"), folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "bot.toml").write_text('name = "hostile"\nrun = ["{bullring}", "bot.py"]\n')
        vault = place / "vault"
        vault.mkdir(mode=0o700)
        secret = vault / "secret"
        secret.write_text(f"hidden cards {secrets.token_hex(16)}")
        secret.chmod(0o600)
        home = Home.create(place / "home", ("5s", "start=30s"))
        with closing(home.store()) as store:
            for bot in ("@greedy", "@random"):
                add(home, store, bot)
        yield Desk(place, home, secret)
    finally:
        remove_tree(place)


@contextmanager
def _authored(behaviour: Behaviour, way: str, folder: Path, secret: Path) -> "Iterator[subprocess.Popen[bytes]]":
    """The author's program, which has laid out the folder; it may go on until its stdin ends."""
    command: Sequence[str | Path] = [sys.executable, "-I", "-S", behaviour.program, folder, way, secret]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=folder.parent) as author:
        try:
            assert author.stdout is not None
            if author.stdout.readline() and not behaviour.goes_on:
                author.communicate()
            elif not behaviour.goes_on:
                author.wait()
            assert author.returncode in (None, 0, IMPOSSIBLE)
            yield author
        finally:
            author.kill()


def _add(desk: Desk, name: str, problems: list[str]) -> str:
    """Add the folder to the ladder, and return the verdict."""
    given = None if name.endswith(" 0") else name
    try:
        with closing(desk.home.store()) as store:
            add(desk.home, store, str(desk.folder), given)
    except UsageError as error:
        said = harmless(error)
        if not said.isprintable():
            problems.append(f"shown unescaped: {said!r}")
        said.encode()
        return REFUSED
    return CONTAINED


def _harm(desk: Desk) -> Iterator[str]:
    """Changes in the home, and files that should not be there."""
    status = desk.secret.stat()
    if status.st_mode & 0o7777 != 0o600 or not desk.secret.read_text().startswith("hidden cards "):
        yield f"the secret was changed: mode {status.st_mode & 0o7777:o}"
    if left := list(desk.home.incoming.iterdir()):
        yield f"left behind: {left}"
    with closing(desk.home.store(read_only=True)) as store:
        count = len({row.entry.place for row in store.bots()})
    copies = list(desk.home.bots.iterdir())
    if len(copies) != count:
        yield f"there are {count} bots and {len(copies)} copies"
    if {path.name for path in desk.place.iterdir()} != {"author", "vault", "home"}:
        yield f"something is outside of the home: {list(desk.place.iterdir())}"
    data = desk.secret.read_bytes()
    for path in desk.home.bots.rglob("*"):
        if path.is_file() and not path.is_symlink() and path.stat().st_size == len(data) and path.read_bytes() == data:
            yield f"the secret was copied to {path}"


def _play(tier: str, desk: Desk, behaviour: Behaviour, way: str, problems: list[str]) -> str:
    """Play a ladder with the bot; one whose files change, once before and once after that. Returns the verdict."""
    if behaviour.changes:
        _run(tier, desk)
        with closing(desk.home.store(read_only=True)) as store:
            copy = desk.home.bot(store.bot("hostile")).program.folder
        with _authored(behaviour, way, copy, desk.secret):
            pass
    before = _played(desk)
    _run(tier, desk)
    if any(_played(desk)[bot] <= count for bot, count in before.items() if bot != "hostile"):
        problems.append(f"the others did not play on: {before}, then {_played(desk)}")
    with closing(desk.home.store(read_only=True)) as store:
        row = store.bot("hostile")
    if row.state == "benched" and not harmless(row.reason).isprintable():
        problems.append(f"shown unescaped: {row.reason!r}")
    if row.state == "benched" and behaviour.says not in row.reason:
        problems.append(f"it was not told of {behaviour.says}: {row.reason}")
    return BENCHED if row.state == "benched" else CONTAINED


def _run(tier: str, desk: Desk) -> None:
    Ladder(desk.home.path).run(seats=2, matches=6, jobs=1, sandbox=tier, allow_unsandboxed=True)


def _played(desk: Desk) -> dict[str, int]:
    ladder = Ladder(desk.home.path)
    return {row.bot: row.matches for row in (ladder.table() if ladder.lists() else [])} or dict.fromkeys(
        ("greedy", "random", "hostile"), 0
    )
