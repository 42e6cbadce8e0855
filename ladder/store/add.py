"""Adding a bot: its files are copied, named by their hash, moved to their place, and entered into the store.

Files are hashed while they are copied and again when a run opens them, so what is rated is what was added. Command lines stay where
they are, because it is not known which files a program will open; they are marked instead.
"""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from bullring.arena.cells.bots.bot import Bot, Contents
from bullring.arena.cells.bots.contents import contents_of
from bullring.arena.cells.bots.load import folder_of, load
from bullring.arena.cells.bots.manifest import read_manifest
from bullring.arena.cells.bots.snapshot import Snapshot, take
from bullring.arena.cells.files.hash import hash_folder
from bullring.arena.cells.files.read import shown
from bullring.arena.cells.files.remove import remove_tree
from bullring.arena.settings.settings import Settings
from bullring.errors import BotError, FilesError, LadderError
from bullring.ladder.store.arrival import arriving, taking_turns
from bullring.ladder.store.disk import explained, sync_files
from bullring.ladder.store.home import Home
from bullring.ladder.store.names import check_name, label, next_version
from bullring.ladder.store.rows import BotRow, Entry
from bullring.ladder.store.store import Store


@dataclass(frozen=True)
class Arrival:
    """A bot on its way into a home, as it will be entered."""

    bot: Bot
    """Its program is the copy of its folder, or its command line."""
    source: str
    """The folder, archive or command line it was submitted from."""
    path: Path
    """The copy, or the file with the command line, to be moved to its place."""
    place: str
    """Its final place within the home."""
    language: str = ""
    size: int = 0
    files: int = 0
    snapshot: Snapshot | None = None
    """The copy of its folder, with the files left out; None for a command line."""
    origin: Path | None = None
    """The folder that was copied; None for a command line, and for what was unpacked for us."""


def copied(folder: Path, source: Path, settings: Settings, told: str = "", commit: str = "") -> Arrival:
    """Copy a bot's folder into the `folder` of an arrival. `told` is what it was submitted from, if not from this folder.

    Raises `BotError`, `LadderError`, `StoreError`.
    """
    settings.admit(load(str(source)))  # before anything is copied
    if folder.resolve().is_relative_to(source.resolve()):
        raise LadderError(
            f"{source.resolve()} cannot be copied into itself, to {folder}; give the bot a folder of its own, in which there"
            " is no home of a ladder"
        )
    copy = folder / "files"
    with explained(source, f"copied to {copy}"):
        copy.mkdir()
        snapshot = take(source, copy, settings.bounds)
        size, files = _measured(copy)
    # Only what was copied counts: the folder's owner may have changed the rest since.
    bot = replace(settings.admit(load(str(copy))), contents=Contents(snapshot.hash, whole=True, commit=commit))
    language = read_manifest(copy).language
    source_told = told or shown(source.resolve())
    origin = None if source.resolve().is_relative_to(folder.resolve()) else source.resolve()
    return Arrival(bot, source_told, copy, _place(snapshot.hash), language, size, files, snapshot, origin)


def completed(arrival: Arrival, settings: Settings) -> Arrival:
    """The arrival after packages were added to the copy of its folder, which are part of the bot now.

    Raises `BotError`, `StoreError`.
    """
    copy = arrival.path
    with explained(copy, "read"):
        try:
            found = hash_folder(copy, settings.bounds)
        except FilesError as error:
            raise BotError(f"with its packages, {error}; see folder_mib and folder_files under [bots]") from None
        size, files = _measured(copy)
    bot = replace(settings.admit(load(str(copy), kept=True)), contents=replace(arrival.bot.contents, hash=found))
    return replace(arrival, bot=bot, place=_place(found), size=size, files=files)


def _place(hash_: str) -> str:
    return f"bots/{hash_.removeprefix('sha256:')}"


def written(folder: Path, text: str, settings: Settings) -> Arrival:
    """Write a command line into the `folder` of an arrival. It always runs in the folder where it was added.

    Raises `BotError`, `StoreError`.
    """
    bot = settings.admit(load(text))
    bot = replace(bot, contents=contents_of(bot, whole=False))
    data = json.dumps({**bot.facts(), "name": ""}, sort_keys=True).encode()
    path = folder / "command.json"
    with explained(path, "written"):
        path.write_bytes(data)
    return Arrival(bot, shown(text), path, f"commands/{hashlib.sha256(data).hexdigest()}.json")


def enter(home: Home, store: Store, arrival: Arrival, name: str | None = None, *, retire: bool = False) -> BotRow:
    """Enter a bot as a new version, and with `retire` retire the earlier ones. `name` is instead of its own.

    Raises `LadderError` if it cannot have this name, or is on the ladder already; and `StoreError`.
    """
    bot = arrival.bot.name if name is None else name
    target = home.path / arrival.place
    with explained(target, "made"), taking_turns(home):
        rows = store.bots()
        check_name(bot, rows)
        if (same := same_version(rows, bot, arrival)) is not None:
            raise LadderError(f"{bot!r} was submitted like this before: it is {same.name!r} ({same.state})")
        version = next_version(bot, rows)
        entry = Entry(bot, version, arrival.language, arrival.size, arrival.files, arrival.place)
        is_new = all(row.entry.place != arrival.place for row in rows)
        try:
            if is_new:
                remove_tree(target)
                target.parent.mkdir(exist_ok=True)
                arrival.path.rename(target)
                sync_files(home.path)  # what the store knows of survives a loss of power
            store.add_bot(label(bot, version), arrival.source, arrival.bot.contents, entry, retire=retire)
        except BaseException:
            if is_new:
                remove_tree(target)
            raise
    return store.bot(label(bot, version))


def same_version(rows: list[BotRow], bot: str, arrival: Arrival) -> BotRow | None:
    """The version of this bot that has the same files; None if there is none."""
    contents = arrival.bot.contents
    for row in rows:
        same = row.contents.whole and contents.whole and row.contents.hash == contents.hash
        if row.bot == bot and (same or row.entry.place == arrival.place):
            return row
    return None


def add(home: Home, store: Store, text: str, name: str | None = None) -> BotRow:
    """Add the bot that `text` names, as it is: neither built nor tried. Raises `BotError`, `LadderError`, `StoreError`."""
    settings = home.settings()
    with arriving(home, store) as folder:
        source = folder_of(text)
        arrival = written(folder, text, settings) if source is None else copied(folder, source, settings)
        if arrival.bot.lacks and not home.own:
            raise LadderError(
                f"{text} declares packages that it does not bring; a submission fetches them: bullring submit"
            )
        return enter(home, store, arrival, name)


def _measured(folder: Path) -> tuple[int, int]:
    """The bytes and the number of the files in a folder of our own."""
    sizes = [path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    return sum(sizes), len(sizes)
