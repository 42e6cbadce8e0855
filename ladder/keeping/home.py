"""A home: the folder of a ladder.

=============== ==========================================================================================
ladder.db       the store (`ladder.keeping.store`)
bots/           a copy of each bot's folder as it was when added, so that what is rated does not change
commands/       the bots that were added as command lines
incoming/       a bot that is being copied; locked while one is
records/        the record of each match, a thousand matches to a folder
settings.toml   limits of time and memory for all matches of this home
signing.pem     the private key that signs records, if the ladder signs (`ladder.keeping.keys`)
running.json    the matches being played now, for `bullring watch`
lock            held while a ladder runs
=============== ==========================================================================================
"""

import fcntl
import json
import os
import secrets
import shlex
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from bullring.arena.bots.bot import Bot, Contents
from bullring.arena.bots.contents import contents_of
from bullring.arena.bots.loading import folder_of, load, must_exist
from bullring.arena.bots.snapshot import take
from bullring.arena.files.reading import read_file, shown
from bullring.arena.files.removing import remove_tree
from bullring.arena.files.walking import opened
from bullring.arena.settings import Settings, load_settings
from bullring.errors import BotError, FilesError, LadderError, StoreError
from bullring.ladder.keeping.store import Store

VARIABLE = "BULLRING_HOME"
DATABASE = "ladder.db"

LONGEST_COMMAND = 1 << 20
"""Largest file with a bot's command line, in bytes."""

_SETTINGS = """\
# Limits for all matches of this home. Ratings from different limits cannot be compared: to change the limits,
# make a new home. All keys: bullring docs settings

[time]
{times}
"""


class Home:
    """The folder of a ladder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.bots = path / "bots"
        self.incoming = path / "incoming"
        self.records = path / "records"
        self.settings_file = path / "settings.toml"
        self.running = path / "running.json"
        self.key = path / "signing.pem"

    def __repr__(self) -> str:
        return f"<Home {self.path}>"

    @classmethod
    def create(cls, path: Path, times: Sequence[str]) -> "Home":
        """Make a home in a folder that is empty or does not exist. `times` are limits as given to ``--time``.

        Raises `LadderError`, `SettingsError`.
        """
        home = cls(path.resolve())
        load_settings(None, times)
        try:
            if home.database.exists():
                raise LadderError(f"{path} is already a home; use it with: --home {shlex.quote(str(path))}")
            if path.exists() and (not path.is_dir() or any(path.iterdir())):
                what = "not empty" if path.is_dir() else "a file"
                raise LadderError(f"{path} is {what}; a home needs an empty or new folder: bullring ladder init FOLDER")
            home.bots.mkdir(parents=True)
            home.records.mkdir()
            # Records of matches in progress show hands, so other users must not read them.
            path.chmod(0o700)
            home.settings_file.write_text(_SETTINGS.format(times=_time_lines(times)), "utf-8")
        except OSError as error:
            raise StoreError(f"the home {path} cannot be made: {error.strerror or error}") from None
        Store.create(home.database, secrets.token_hex(8)).close()
        return home

    @classmethod
    def find(cls, given: Path | None) -> "Home":
        """The home that is `given`, else that in ``BULLRING_HOME``, else the first one at or above the working folder.

        Raises `LadderError` if there is none.
        """
        named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
        if named is not None:
            if not (named / DATABASE).is_file():
                source = "" if given else f" (from {VARIABLE})"
                place = "FOLDER" if named.exists() else shlex.quote(str(named))
                raise LadderError(f"{named}{source} is not a home; make one with: bullring ladder init {place}")
            return cls(named.resolve())
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / DATABASE).is_file():
                return cls(folder)
        raise LadderError(
            f"there is no home in {here} or the folders above; name one with --home, or make one: bullring ladder init FOLDER"
        )

    def settings(self) -> Settings:
        """The settings of this home. Raises `SettingsError`."""
        return load_settings(self.settings_file if self.settings_file.exists() else None, ())

    def store(self, *, read_only: bool = False) -> Store:
        """Open the store. Raises `StoreError`."""
        return Store.open(self.database, read_only=read_only)

    def adopt(self, text: str, name: str | None, taken: Container[str]) -> Bot:
        """Copy the bot that `text` names into the home, under a name that is not `taken`. A command line is kept as it is.

        Raises `BotError`, `LadderError`.
        """
        with self._adding():
            return self._adopt(text, name, taken)

    def _adopt(self, text: str, name: str | None, taken: Container[str]) -> Bot:
        """Adopt a bot while nobody else adds one."""
        settings = self.settings()
        bot = settings.admit(load(text))
        source = folder_of(text)
        _refuse_taken(name or bot.name, taken)
        if source is None:
            name = name or bot.name
            # It always runs in the folder where it was added, wherever the ladder is started.
            target = self._command(name)
            bot = replace(bot, name=name, contents=contents_of(bot, whole=False))
            try:
                target.parent.mkdir(exist_ok=True)
                target.write_text(json.dumps(bot.facts()), "utf-8")
            except OSError as error:
                raise StoreError(f"{target} cannot be written: {error.strerror or error}") from None
            return bot
        if self.path.is_relative_to(source.resolve()):
            raise LadderError(
                f"{source.resolve()} contains this home ({self.path}), so it cannot be copied into it;"
                " make the home outside of the bot's folder"
            )
        incoming = self.incoming / secrets.token_hex(8)
        try:
            incoming.mkdir(mode=0o700)
            found = take(source, incoming, settings.bounds).hash
            # Only what was copied counts: the folder's owner may have changed the rest since.
            name = name or load(str(incoming)).name
            _refuse_taken(name, taken)
            target = self.bots / _file_name(name)
            remove_tree(target)  # left by an `add` that was interrupted before the store recorded it
            incoming.rename(target)
        except OSError as error:
            raise StoreError(f"{source} cannot be copied to {incoming}: {error.strerror or error}") from None
        finally:
            remove_tree(incoming)
        return replace(settings.admit(load(str(target))), name=name, contents=Contents(found, whole=True))

    @contextmanager
    def _adding(self) -> Iterator[None]:
        """Wait until nobody else adds a bot, and remove what an `add` that was killed has left."""
        try:
            self.incoming.mkdir(mode=0o700, exist_ok=True)
            with opened(self.incoming) as fd:
                fcntl.flock(fd, fcntl.LOCK_EX)
                self._clear_incoming()
                yield
        except OSError as error:
            raise StoreError(f"{self.incoming} cannot be used: {error.strerror or error}") from None

    def _sweep(self) -> None:
        """Remove what an `add` that was killed has left, unless one is running."""
        with suppress(FileNotFoundError, BlockingIOError), opened(self.incoming) as fd:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._clear_incoming()

    def _clear_incoming(self) -> None:
        for left in self.incoming.iterdir():
            remove_tree(left)

    def add(self, store: Store, texts: Sequence[str], name: str | None) -> Iterator[Bot]:
        """Adopt bots and enter each into the store. `name` is for a single bot. Raises `BotError`, `LadderError`."""
        if name is not None and len(texts) > 1:
            raise LadderError(f"a name is for one bot, and {len(texts)} were given; add them one at a time")
        for text in texts:
            with self._adding():
                bot = self._adopt(text, name, {row.name for row in store.bots()})
                source = shown(Path(text).resolve()) if Path(text).is_dir() else shown(text)
                store.add_bot(bot.name, source, bot.contents)
            yield bot

    def bot(self, name: str) -> Bot:
        """Load a bot that was added, from its copy or its command line. Raises `BotError`."""
        folder, command = self.bots / _file_name(name), self._command(name)
        if command.is_file():
            try:
                bot = Bot.from_facts(json.loads(read_file(command, LONGEST_COMMAND)))
            except (OSError, FilesError, ValueError, KeyError, TypeError, RecursionError) as error:
                raise BotError(
                    f"{command} is damaged ({type(error).__name__}: {error}); restore it, or add the bot under a new name"
                ) from None
            must_exist(bot, name)
        elif folder.is_dir():
            bot = load(str(folder))
        else:
            raise BotError(f"the copy of {name!r} is missing: {folder}; restore it, or add the bot under a new name")
        return self.settings().admit(replace(bot, name=name))

    def _command(self, name: str) -> Path:
        """The file with a bot's command line; kept apart from the folders, whose contents belong to their authors."""
        return self.path / "commands" / f"{_file_name(name)}.json"

    def record(self, match: int) -> Path:
        """The path of the record of a match: records/000/17.jsonl for match 17."""
        return Path(f"{self.records}/{match // 1000:03}/{match}.jsonl")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the home. Raises `LadderError` if another ladder runs in it."""
        try:
            file = (self.path / "lock").open("ab+", buffering=0)
        except OSError as error:
            raise StoreError(f"the home {self.path} cannot be written: {error.strerror or error}") from None
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                pid = file.read(20).decode("ascii", "replace").strip()
                raise LadderError(
                    f"another ladder (process {pid or 'unknown'}) is running in {self.path};"
                    f" watch it with: bullring watch --home {shlex.quote(str(self.path))}"
                ) from None
            try:
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
                self._sweep()
            except OSError as error:
                raise StoreError(f"the home {self.path} cannot be written: {error.strerror or error}") from None
            yield


def _time_lines(times: Sequence[str]) -> str:
    given: dict[str, str] = {}
    for text in times:
        kind, _, value = text.rpartition("=")
        given |= dict.fromkeys([kind] if kind else ["card", "row", "other"], value)
    return "\n".join(f'{name} = "{value}"' for name, value in given.items()) or '# card = "1s"\n# row = "1s"'


def _refuse_taken(name: str, taken: Container[str]) -> None:
    if name in taken:
        raise LadderError(
            f"there is already a bot {name!r} (removed bots keep their names); choose another name with --name"
        )


def _file_name(name: str) -> str:
    """A bot's name as a safe file name. Raises `BotError` if that is impossible."""
    plain = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_+.") else f"%{ord(char):06x}" for char in name
    )
    if plain.strip(".") == "" or len(plain) > 200:
        raise BotError(
            f"{name[:40]!r} cannot be the name of a bot on a ladder: too long, or nothing but dots; choose another with --name"
        )
    return plain
