"""An arena home: the folder of a ladder.

=============== ==========================================================================================
ladder.db       the store (`ladder.keeping.store`)
bots/           of each bot a copy of its folder, as it was added: what is rated does not change
commands/       the command lines of bots that were added so
records/        the record of each match, a thousand groups to a folder
settings.toml   limits of time and memory, for all matches of this home
running.json    what is being played at the moment, for `bullring watch`
lock            held while a ladder runs
=============== ==========================================================================================
"""

import fcntl
import json
import os
import secrets
import shutil
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from bullring.arena.bots.bot import Bot
from bullring.arena.bots.loading import folder_of, load, must_exist
from bullring.arena.settings import Settings, load_settings
from bullring.errors import BotError, LadderError, StoreError
from bullring.ladder.keeping.copying import copy_bot
from bullring.ladder.keeping.store import Store

VARIABLE = "BULLRING_HOME"
DATABASE = "ladder.db"

_SETTINGS = """\
# Limits for all matches of this home. Ratings of matches under other limits cannot be compared,
# so change them in a new home only. All keys: bullring docs settings

[time]
{times}
"""


class Home:
    """The folder of a ladder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.bots = path / "bots"
        self.records = path / "records"
        self.settings_file = path / "settings.toml"
        self.running = path / "running.json"

    def __repr__(self) -> str:
        return f"<Home {self.path}>"

    @classmethod
    def create(cls, path: Path, times: Sequence[str]) -> "Home":
        """A new home in a folder that is empty or not there yet. `times` are limits as of ``--time``. Raises `LadderError`."""
        home = cls(path.resolve())
        load_settings(None, times)
        try:
            if home.database.exists():
                raise LadderError(f"{path} is already a home")
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                raise LadderError(f"{path} is not empty; a home needs a folder of its own")
            home.bots.mkdir(parents=True)
            home.records.mkdir()
            # Records hold hands while matches are played: nobody else's business.
            path.chmod(0o700)
            home.settings_file.write_text(_SETTINGS.format(times=_time_lines(times)), "utf-8")
        except OSError as error:
            raise StoreError(f"{path}: the home cannot be made: {error.strerror or error}") from None
        Store.create(home.database, secrets.token_hex(8)).close()
        return home

    @classmethod
    def find(cls, given: Path | None) -> "Home":
        """The home that is `given`, or in ``BULLRING_HOME``, or at or above the working folder. Raises `LadderError`."""
        named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
        if named is not None:
            if not (named / DATABASE).is_file():
                raise LadderError(f"{named} is not a home; make one with: bullring ladder init {named}")
            return cls(named.resolve())
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / DATABASE).is_file():
                return cls(folder)
        raise LadderError(
            f"there is no home at {here} or above; make one with: bullring ladder init, or name one with --home"
        )

    def settings(self) -> Settings:
        """The limits. Raises `SettingsError`."""
        return load_settings(self.settings_file if self.settings_file.exists() else None, ())

    def store(self, *, read_only: bool = False) -> Store:
        """The opened store. Raises `StoreError`."""
        return Store.open(self.database, read_only=read_only)

    def adopt(self, text: str, name: str | None, taken: Container[str]) -> Bot:
        """Copy the bot that `text` names into the home (a command line as it is), under a name that is not `taken`.

        Raises `BotError`, `LadderError`.
        """
        bot = self.settings().admit(load(text))
        name = name or bot.name
        if name in taken:
            raise LadderError(
                f"there is already a bot {name!r} (a removed one keeps its name); choose another with --name"
            )
        if folder_of(text) is not None:
            target = self.bots / _file_name(name)
            if self.path.is_relative_to(bot.program.folder):
                raise LadderError(f"{bot.program.folder} holds this home, so it cannot be copied into it")
            try:
                if target.exists():  # left by an `add` that was interrupted before the store knew it
                    shutil.rmtree(target)
                copy_bot(bot.program.folder, target)
            except OSError as error:
                raise StoreError(f"{bot.program.folder} cannot be copied to {target}: {error}") from None
            except BotError:
                shutil.rmtree(target)
                raise
            bot = load(str(target))
        else:
            # Where it was added is where it runs, wherever the ladder is run from.
            target = self._command(name)
            try:
                target.parent.mkdir(exist_ok=True)
                target.write_text(json.dumps(bot.facts()), "utf-8")
            except OSError as error:
                raise StoreError(f"{target} cannot be written: {error.strerror or error}") from None
        return replace(bot, name=name)

    def bot(self, name: str) -> Bot:
        """A bot that was added: from its copy, or its command line. Raises `BotError`."""
        folder, command = self.bots / _file_name(name), self._command(name)
        if command.is_file():
            bot = Bot.from_facts(json.loads(command.read_text("utf-8")))
            must_exist(bot, name)
        elif folder.is_dir():
            bot = load(str(folder))
        else:
            raise BotError(f"the copy of {name!r} in {self.bots} is gone")
        return self.settings().admit(replace(bot, name=name))

    def _command(self, name: str) -> Path:
        """Where the command line of a bot stands: apart from the folders, for what is in those is their authors'."""
        return self.path / "commands" / f"{_file_name(name)}.json"

    def record(self, match: str) -> Path:
        """Where the record of a match stands: records/000/17.2.jsonl."""
        group = int(match.partition(".")[0])
        return Path(f"{self.records}/{group // 1000:03}/{match}.jsonl")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Only one ladder runs on a home. Raises `LadderError` if another one does."""
        try:
            file = (self.path / "lock").open("ab+", buffering=0)
        except OSError as error:
            raise StoreError(f"{self.path}: the home cannot be written: {error.strerror or error}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                pid = file.read(20).decode("ascii", "replace").strip()
                raise LadderError(
                    f"another ladder (process {pid or 'unknown'}) runs on {self.path}; look at it with: bullring watch"
                ) from None
            try:
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
            except OSError as error:
                raise StoreError(f"{self.path}: the home cannot be written: {error.strerror or error}") from None
            yield


def _time_lines(times: Sequence[str]) -> str:
    given: dict[str, str] = {}
    for text in times:
        kind, _, value = text.rpartition("=")
        given |= dict.fromkeys([kind] if kind else ["card", "row", "other"], value)
    return "\n".join(f'{name} = "{value}"' for name, value in given.items()) or '# card = "1s"\n# row = "1s"'


def _file_name(name: str) -> str:
    """A name of strangers as the name of a folder."""
    plain = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_+.") else f"%{ord(char):06x}" for char in name
    )
    if plain.strip(".") == "" or len(plain) > 200:
        raise BotError(f"{name[:40]!r} cannot be the name of a bot on a ladder")
    return plain
