"""The folder of a site: only what has changed is written, each file whole, and nothing outside it is ever touched.

A site that is being written is whole at every moment, also if its writer is killed: files that are new come first, while no page
leads to them; then what has changed, the first page last; then what no page leads to any more is removed.
"""

import json
import os
import re
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bullring.errors import WriteError

MANIFEST = "bullring-report.json"
"""The file that lists all others with what they were made from. It is written last."""

FIRST = "index.html"
"""The page from which all others can be reached."""

FORMAT = 1

_FOLDERS = ("bots", "lists", "matches", "pairs", "program", "records", "replays", "results")
_NAME = re.compile(
    rf"(?:{'|'.join(_FOLDERS)})/[0-9]{{1,19}}(?:-[0-9]{{1,19}})?\.(?:html|js|png)|match\.html|{re.escape(FIRST)}"
)
"""All names that files of a site have. Nothing of a stranger's is in them."""

_NEW = ".bullring-new-"


class Folder:
    """A site being written. Call `put` for each of its files, then `finish`."""

    def __init__(self, path: Path) -> None:
        """Make the folder if there is none. Raises `WriteError` if it holds anything but a site."""
        self.path = path
        self.written = 0
        """Pages written."""
        self._now: dict[str, str] = {}
        self._before: dict[str, str] = {}
        self._changed: dict[str, Callable[[], str | bytes]] = {}
        """Files that exist and have to be made anew."""
        try:
            path.mkdir(parents=False, exist_ok=True)
            self._before = self._read()
        except FileNotFoundError:
            raise WriteError(f"the folder {path.parent} does not exist; make it first") from None
        except (FileExistsError, NotADirectoryError):
            raise WriteError(f"{path} is a file; give the report a folder of its own") from None
        except OSError as error:
            raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None

    def _read(self) -> dict[str, str]:
        manifest = self.path / MANIFEST
        if manifest.is_symlink() or not manifest.is_file():
            if any(not one.name.startswith(_NEW) for one in self.path.iterdir()):
                raise WriteError(f"{self.path} is not empty and not a report; give the report a folder of its own")
            self._note({})  # ours from now on, even if we are killed
            return {}
        try:
            facts = json.loads(manifest.read_text("utf-8"))
            known = facts["files"].items() if facts["bullring_report"] == FORMAT else ()
            return {str(name): str(source) for name, source in known}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return {}  # everything is written anew

    def put(self, name: str, source: str, make: Callable[[], str | bytes], *, alone: bool = False) -> None:
        """Have a file made, unless there is one that was made from the same `source`. Raises `WriteError`.

        One that is new, or leads to no other (`alone`), is made now, others in `finish`.
        """
        assert _NAME.fullmatch(name), name
        if self.has(name, source):
            return
        path = self.path / name
        try:
            if not alone and path.is_file() and not path.is_symlink():
                self._now[name] = source
                self._changed[name] = make
                return
            if name == FIRST:
                self._changed[name] = make
            else:
                self._write(name, make())
            self._now[name] = source
        except OSError as error:
            raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None

    def has(self, name: str, source: str) -> bool:
        """Whether there is a file that was made from this source. It is then a part of the site. Raises `WriteError`."""
        path = self.path / name
        try:
            found = self._before.get(name) == source and path.is_file() and not path.is_symlink()
        except OSError as error:
            raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None
        if found:
            self._now[name] = source
        return found

    def text(self, name: str, text: str, *, alone: bool = False) -> None:
        """Have a file with this text. Raises `WriteError`."""
        self.put(name, sha256(text.encode()).hexdigest(), lambda: text, alone=alone)

    def finish(self) -> None:
        """Write what has changed and the manifest, and remove files that are no part of the site any more. Raises `WriteError`."""
        try:
            if self._changed:
                # If we were killed now, the manifest would not tell what these files are made from.
                self._note({name: source for name, source in self._now.items() if name not in self._changed})
            for name in sorted(self._changed, key=lambda name: name == FIRST):
                self._write(name, self._changed[name]())
            self._remove()
            if self._now != self._before or not (self.path / MANIFEST).is_file():
                self._note(self._now)
        except OSError as error:
            raise WriteError(f"{self.path} cannot be written: {error.strerror or error}") from None
        self._before, self._now, self._changed = self._now, {}, {}

    def _remove(self) -> None:
        """Remove old pages, and leftovers of a run that was killed."""
        for folder in _FOLDERS:
            with suppress(FileNotFoundError):
                place = self._opened(folder)
                try:
                    for name in [one.name for one in os.scandir(place)]:
                        page = f"{folder}/{name}"
                        if name.startswith(_NEW) or (page not in self._now and _NAME.fullmatch(page)):
                            os.unlink(name, dir_fd=place)
                finally:
                    os.close(place)
        for left in self.path.glob(f"{_NEW}*"):
            left.unlink(missing_ok=True)

    def _note(self, files: dict[str, str]) -> None:
        self._replace(MANIFEST, json.dumps({"bullring_report": FORMAT, "files": files}, indent=0).encode())

    def _write(self, name: str, made: str | bytes) -> None:
        self._replace(name, made.encode() if isinstance(made, str) else made)
        self.written += 1

    def _replace(self, name: str, data: bytes) -> None:
        folder, _, file = name.rpartition("/")
        if folder:
            (self.path / folder).mkdir(exist_ok=True)
        place = self._opened(folder)
        try:
            temporary = f"{_NEW}{os.getpid()}"
            with suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=place)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            with os.fdopen(os.open(temporary, flags, 0o666, dir_fd=place), "wb") as new:
                new.write(data)
            os.replace(temporary, file, src_dir_fd=place, dst_dir_fd=place)
        finally:
            os.close(place)

    def _opened(self, folder: str) -> int:
        """A descriptor of a folder of the site; of the site itself if it is empty. Raises `WriteError` if the folder is a link."""
        if not folder:
            return os.open(self.path, os.O_RDONLY | os.O_DIRECTORY)
        path = self.path / folder
        try:
            return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            if path.is_symlink():
                raise WriteError(f"{path} is a link, and a report follows none; remove it") from None
            raise
