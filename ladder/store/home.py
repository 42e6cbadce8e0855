"""A home: the folder of a ladder.

=============== ==========================================================================================
ladder.db       the store (`ladder.store.store`)
bots/           the folders of the bots as they were when added, each under the hash of its contents; they never change
builds/         results of builds (`arena.cells.building.shelf`); made again where they are missing
commands/       the bots that were added as command lines
incoming/       bots on their way into the home (`ladder.store.arrival`)
records/        the records of all matches, packed (`ladder.store.records`)
damaged/        files of records that were damaged, as they were before a rebuild went on without what they had lost
live/           partial records of matches that are being played, if that may take long
analyses/       analyses of matches; made again where they are missing
gauges/         the matches of bots against the house (`ladder.gauge.file`), one file for each table
settings.toml   limits of time and memory for all matches of this home
signing.pem     the private key that signs records, if the ladder signs (`ladder.store.keys`)
running.json    the matches being played now, for `bullring watch`
running.rated   the ratings of the run
lock            held while a ladder runs
=============== ==========================================================================================
"""

import atexit
import fcntl
import json
import os
import secrets
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path

from bullring.arena.cells.bots.bot import Bot
from bullring.arena.cells.bots.load import load, must_exist, with_python
from bullring.arena.cells.files.read import read_file
from bullring.arena.cells.text.harmless import harmless
from bullring.arena.match.records.reader import Lines, lines_of, read_lines
from bullring.arena.settings.load import load_settings
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, FilesError, LadderError, RecordError, StoreError
from bullring.ladder.store.disk import explained
from bullring.ladder.store.records import Records
from bullring.ladder.store.rows import BotRow
from bullring.ladder.store.store import Store

VARIABLE = "BULLRING_HOME"
DATABASE = "ladder.db"

LONGEST_COMMAND = 1 << 20
"""Largest file with a bot's command line, in bytes."""

_SETTINGS = """\
# Limits for all matches of this home. Ratings from different limits cannot be compared: to change the limits,
# make a new home. All keys: bullring docs settings

[time]
{times}

# [ladder]
# name = "My ladder"  # on pages that people read; by default, that of this folder
# active = 1  # the newest versions of each bot that play; this may change at any time

# [build]
# fetch = true  # fetch the packages that bots declare: bullring docs dependencies
"""


class Home:
    """The folder of a ladder."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.database = path / DATABASE
        self.bots = path / "bots"
        self.commands = path / "commands"
        self.incoming = path / "incoming"
        self.records = path / "records"
        self.damaged = path / "damaged"
        self.live = path / "live"
        self.analyses = path / "analyses"
        self.builds = path / "builds"
        self.gauges = path / "gauges"
        self.settings_file = path / "settings.toml"
        self.own = False
        """Whether its bots are the user's own, whose packages are fetched in any case."""
        self.running = path / "running.json"
        self.rated = path / "running.rated"
        self.key = path / "signing.pem"
        self._is_held = False
        """Whether we hold the lock."""

    def __repr__(self) -> str:
        return f"<Home {self.path}>"

    @classmethod
    def create(cls, path: Path, times: Sequence[str]) -> "Home":
        """Make a home in a folder that is empty or does not exist. `times` are limits as given to ``--time``.

        Raises `LadderError`, `SettingsError`.
        """
        home = cls(path.resolve())
        load_settings(None, times)
        with explained(f"the home {path}", "made"):
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
        Store.create(home.database, secrets.token_hex(8)).close()
        return home

    @classmethod
    def find(cls, given: Path | None) -> "Home":
        """The home that is `given`, else that in ``BULLRING_HOME``, else the first one at or above the working folder.

        Raises `LadderError` if there is none.
        """
        named = given or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
        if named is not None:
            try:
                there = (named / DATABASE).is_file()
            except (OSError, ValueError) as error:
                raise LadderError(
                    f"{named} cannot be looked into: {getattr(error, 'strerror', None) or error}"
                ) from None
            if not there:
                _must_not_be_spoilt(named)
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
        settings = load_settings(self.settings_file if self.settings_file.exists() else None, ())
        build = replace(settings.build, fetch=bool(settings.build.fetch) or self.own)  # else authors may be strangers
        return replace(settings, build=build)

    @property
    def name(self) -> str:
        """How people call this ladder. Raises `SettingsError`."""
        return harmless(self.settings().ladder_name or self.path.name)

    def entered(self) -> list[BotRow]:
        """The bots on the ladder, from a store that is opened for this: in whatever thread. Raises `StoreError`."""
        with closing(self.store(read_only=True)) as store:
            return store.bots()

    def store(self, *, read_only: bool = False) -> Store:
        """Open the store. Raises `StoreError`, `SettingsError`, and `LadderError` if it must be migrated while an older bullring
        plays."""
        active = self.settings().active
        if read_only or self._is_held or not Store.is_old(self.database):
            return Store.open(self.database, read_only=read_only, active=active)
        with ExitStack() as stack:
            try:
                stack.enter_context(self.locked())
            except StoreError:
                raise
            except LadderError:
                raise LadderError(
                    f"{self.path} was made by an older bullring, whose ladder is still running; end it with Ctrl-C, and try again"
                ) from None
            return Store.open(self.database, active=active)

    def bot(self, row: BotRow) -> Bot:
        """Load a bot that was added, from its copy or its command line. Raises `BotError`."""
        place = self.path / row.entry.place
        if place.parent == self.commands and place.is_file():
            try:
                bot = Bot.from_facts(json.loads(read_file(place, LONGEST_COMMAND)))
            except (OSError, FilesError, ValueError, KeyError, TypeError, RecursionError) as error:
                raise BotError(
                    f"{place} is damaged ({type(error).__name__}: {error}); restore it, or submit the bot again"
                ) from None
            must_exist(bot, row.name)
        elif place.parent == self.bots and place.is_dir():
            bot = with_python(load(str(place), kept=not self.own), row.entry.python)
        else:
            raise BotError(f"the copy of {row.name!r} is missing: {place}; restore it, or submit the bot again")
        return self.settings().admit(replace(bot, name=row.name))

    @cached_property
    def kept(self) -> Records:
        """The records of all matches that were stored."""
        return Records(self.records)

    def lines(self, match: int) -> Lines:
        """The record of a match that was stored. Raises `RecordError` if there is none, or it is damaged."""
        text = self.kept.read(match)
        if text is None:
            raise RecordError(f"there is no record of match {match}")
        return lines_of(text, f"the record of match {match}")

    def record(self, match: int) -> Path:
        """A file with the record of a match, stored or in progress; the file does not exist if there is no record.

        A stored record is unpacked to a folder that is removed when this process ends.
        """
        live = self.partial(match)
        if live.exists() or (text := self.kept.read(match)) is None:
            return live
        path = _taken_out() / f"{self.path.name}-{match}.jsonl"
        path.write_bytes(text)
        return path

    def partial(self, match: int) -> Path:
        """The place of the partial record of a match that is being played, if that may take long."""
        return self.live / f"{match}.jsonl"

    def is_over(self, match: int) -> bool:
        """Whether there is a finished record of a match."""
        try:
            return read_lines(self.record(match)).finished
        except RecordError:
            return False

    def analysis(self, match: int) -> Path:
        """The place of the analysis of a match: analyses/000/17.json for match 17."""
        return self.analyses / f"{match // 1000:03}" / f"{match}.json"

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Hold the lock of the home. Raises `LadderError` if another ladder runs in it."""
        with explained(f"the home {self.path}", "written"):
            file = (self.path / "lock").open("ab+", buffering=0)
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
            with explained(f"the home {self.path}", "written"):
                file.truncate(0)
                file.write(f"{os.getpid()}\n".encode())
            self._is_held = True
            try:
                yield
            finally:
                self._is_held = False


def _must_not_be_spoilt(folder: Path) -> None:
    """Raise `LadderError` if this was a home, and has lost its store."""
    if any((folder / "records").glob("*")):
        raise LadderError(
            f"{folder} has records, but {DATABASE} is missing; restore it from a backup."
            " Without one, the records are enough: bullring docs ladder, at the end"
        )


@cache
def _taken_out() -> Path:
    """A folder of this process, for itself alone."""
    folder = Path(tempfile.mkdtemp(prefix="bullring-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _time_lines(times: Sequence[str]) -> str:
    given: dict[str, str] = {}
    for text in times:
        kind, _, value = text.rpartition("=")
        given |= dict.fromkeys([kind] if kind else ["card", "row", "other"], value)
    return "\n".join(f'{name} = "{value}"' for name, value in given.items()) or '# card = "1s"\n# row = "1s"'
