"""The stock of a bot: what its builds leave for the next one in their HOME, above all the caches of compilers.

It is one file, made and opened only in cells: to us it is bytes of a stranger, which are counted and never read. A bot has a stock
of its own, so whatever a build puts there comes back to nobody but itself. The bot's folder is not part of it: each build begins
with a fresh copy, so nothing that a removed source made is left in what was built.

======== ===================================================================
bot.json whose it is
home.tar HOME as the last build left it
======== ===================================================================
"""

import hashlib
import json
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bullring.arena.cells.building.limits import BuildLimits
from bullring.arena.cells.building.shelf import read_facts
from bullring.arena.cells.files.remove import remove_tree


class Stock:
    """The stock of one bot, built with one toolchain."""

    def __init__(self, path: Path, bot: str = "", folder: Path | str = "") -> None:
        """`bot` and `folder` say whose it is, where that has to be noted."""
        self.path = path
        self.folder = folder
        self._bot = bot
        self._tar = path / "home.tar"
        self._whose = path / "bot.json"

    def __repr__(self) -> str:
        return f"<Stock {self.path}>"

    @classmethod
    def of(cls, bot: str, folder: Path, toolchain: str, limits: BuildLimits, stocks: Path) -> "Stock":
        """That of the bot of this name in a folder. One that was made anew, or that has another owner, is another bot's."""
        found = folder.stat()
        facts = [str(folder), found.st_dev, found.st_ino, found.st_uid, bot, toolchain, limits.network]
        return cls(stocks / hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32], bot, folder)

    @property
    def name(self) -> str:
        """What tells it from all others."""
        return self.path.name

    def exists(self) -> bool:
        """Whether a build left anything."""
        return self._tar.exists()

    def lend(self, to: Path) -> bool:
        """Link it to a path that stays as it is whatever others do with the stock. Returns whether there is one."""
        try:
            os.utime(self._tar)
            to.hardlink_to(self._tar)
        except OSError:  # also where there are no hard links: then each build begins with nothing
            return False
        return True

    def put(self, new: Path) -> None:
        """Take a file in place of what is there. Raises `OSError`."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._whose.write_text(json.dumps({"bot": self._bot, "folder": str(self.folder)}), "utf-8")
        new.chmod(0o644)
        new.rename(self._tar)

    def remove(self) -> bool:
        """Remove it. Raises `OSError`."""
        remove_tree(self.path)
        return True

    def age(self) -> float:
        """Seconds since it was used."""
        with suppress(OSError):
            return time.time() - self._tar.stat().st_mtime
        return 0.0

    def size(self) -> int:
        """Bytes."""
        with suppress(OSError):
            return self._tar.stat().st_size
        return 0

    def facts(self) -> dict[str, Any]:
        """What it is, as JSON values."""
        whose = read_facts(self._whose)
        bot, folder = str(whose.get("bot", "")), str(whose.get("folder", ""))
        return {"kind": "stock", "bot": bot, "folder": folder, "size": self.size(), "used": time.time() - self.age()}


class Handover:
    """What one build is given, and what it leaves, on a shelf that is locked."""

    def __init__(self, stock: Stock, given: Path | None, left: Path, most: int) -> None:
        """`given` and `left` are paths for the files, the first of them if anything is to be given; `most` is the number of bytes
        that may be left."""
        self.given = given if given is not None and stock.lend(given) else None
        self.most = most
        self._stock = stock
        self._left = left
        self._failed = self._whole = False

    def write(self, piece: bytes) -> None:
        """Take a piece. A disk that is full costs the stock, not the build."""
        if not self._failed:
            try:
                with self._left.open("ab") as file:
                    file.write(piece)
            except OSError:
                self._failed = True
                self._left.unlink(missing_ok=True)  # what was built needs the room

    def finish(self) -> None:
        """All has come."""
        self._whole = not self._failed

    def settle(self, *, failed: bool) -> None:
        """Keep what was left. A build that `failed` before it could leave anything may have failed for what it was given."""
        with suppress(OSError):
            if self._whole and self._left.exists():
                self._stock.put(self._left)
            elif failed and not self._whole:
                self._stock.remove()
