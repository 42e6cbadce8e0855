"""The folder of a site: only what has changed is written, each file whole, and nothing outside it is ever touched."""

import json
import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from bullring.errors import WriteError

MANIFEST = "bullring-report.json"
"""The file that lists all others with what they were made from. It is written last."""

FORMAT = 1

_NEW = ".bullring-new-"


class Folder:
    """A site being written. Call `put` for each of its files, then `finish`."""

    def __init__(self, path: Path) -> None:
        """Make the folder if there is none. Raises `WriteError` if it holds anything but a site."""
        self.path = path
        self.written = 0
        """Files written."""
        self._now: dict[str, str] = {}
        self._before: dict[str, str] = {}
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
        if not manifest.is_file():
            if any(not one.name.startswith(_NEW) for one in self.path.iterdir()):
                raise WriteError(f"{self.path} is not empty and no report; give the report a folder of its own")
            self._write(
                manifest, json.dumps({"bullring_report": FORMAT, "files": {}})
            )  # ours from now on, even if we are killed
            return {}
        try:
            facts = json.loads(manifest.read_text("utf-8"))
            return dict(facts["files"]) if facts["bullring_report"] == FORMAT else {}
        except (ValueError, KeyError, TypeError):
            return {}  # everything is written anew

    def put(self, name: str, source: str, make: Callable[[], str]) -> None:
        """Have a file made, unless there is one that was made from the same `source`. Raises `WriteError`.

        `name` is of our own making: numbers and words, with "/" between folders.
        """
        self._now[name] = source
        path = self.path / name
        try:
            if self._before.get(name) == source and path.is_file() and not path.is_symlink():
                return
            folder = path.parent
            if folder.is_symlink():
                raise WriteError(f"{folder} is a link; a report follows none")
            folder.mkdir(exist_ok=True)
            self._write(path, make())
        except OSError as error:
            raise WriteError(f"{path} cannot be written: {error.strerror or error}") from None

    def text(self, name: str, text: str) -> None:
        """Have a file with this text. Raises `WriteError`."""
        self.put(name, sha256(text.encode()).hexdigest(), lambda: text)

    def finish(self) -> None:
        """Write the manifest, and remove files of the site that are no part of it any more. Raises `WriteError`."""
        try:
            if self._now != self._before or not (self.path / MANIFEST).is_file():
                self._write(self.path / MANIFEST, json.dumps({"bullring_report": FORMAT, "files": self._now}, indent=0))
            for name in self._before.keys() - self._now.keys():
                path = self.path / name
                if ".." not in Path(name).parts and not Path(name).is_absolute() and not path.parent.is_symlink():
                    path.unlink(missing_ok=True)
            for left in self.path.glob(f"{_NEW}*"):  # of a run that was killed
                left.unlink(missing_ok=True)
        except OSError as error:
            raise WriteError(f"{self.path} cannot be written: {error.strerror or error}") from None
        self._before, self._now = self._now, {}

    def _write(self, path: Path, text: str) -> None:
        temporary = self.path / f"{_NEW}{os.getpid()}"
        temporary.write_text(text, "utf-8", newline="\n")
        temporary.replace(path)
        self.written += 1
