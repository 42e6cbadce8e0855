"""The pages of matches that are over, where a server finds them: `tables/KEY.html`, beside those of a site."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import urljoin

from bullring.arena.match.records.reader import Lines
from bullring.arena.watching.page.page import FRONT, asked_at, page


@dataclass(frozen=True)
class Replays:
    """The pages in a folder."""

    folder: Path
    offered: bool | None = None
    """Whether their readers may ask for analyses; None: they made the match themselves, and are told the command."""
    address: str = ""
    """The address of the server, if it is known: then pages have pictures for whoever is shown a link."""
    ladder: str = ""
    """The name of the ladder whose front page leads here, and is led back to; empty if there is none."""

    @classmethod
    def of(cls, folder: str, offered: str = "", address: str = "", ladder: str = "") -> Self:
        """From words of a command line, as `words` has them; all but the first may be missing."""
        return cls(Path(folder), bool(int(offered)) if offered else None, address, ladder)

    def words(self) -> list[str]:
        """They, for the command line of a process."""
        return [str(self.folder), "" if self.offered is None else str(int(self.offered)), self.address, self.ladder]

    @property
    def place(self) -> dict[str, Any]:
        """What pages say of where they are."""
        return {"ladder": self.ladder, "links": {"front": FRONT}} if self.ladder else {}

    def has(self, key: str) -> bool:
        """Whether there is the page of a match."""
        return self._page(key).exists()

    def write(self, key: str, lines: Lines, **about: Any) -> None:
        """Write the page of a match, with what `page` is told `about` it. Raises `RecordError`."""
        about = {**self.place, **about}
        asked = None if self.offered is None else asked_at(key, offered=self.offered)
        if not self.address:
            self.put(key, page(lines, asked=asked, **about))
            return
        from bullring.arena.watching.page.preview import preview  # numpy takes time to import

        heading = " · ".join(filter(None, (about.get("ladder"), (about.get("listed") or {}).get("en"))))
        self._put(self._picture(key), preview(lines, heading or None))
        own, picture = (urljoin(self.address, name) for name in (f"tables/{key}", f"tables/{key}.png"))
        self.put(key, page(lines, asked=asked, address=own, picture=picture, **about))

    def put(self, key: str, text: str) -> None:
        """Write the page of a match that is known."""
        self._put(self._page(key), text.encode())

    def forget(self, key: str) -> None:
        """Remove the page of a match, and what is beside it."""
        for path in (self._page(key), self._picture(key), self.record(key)):
            path.unlink(missing_ok=True)

    def record(self, key: str) -> Path:
        """The link to the record of a table. The server can see where it leads, and read nothing there."""
        return self.folder / "tables" / f"{key}.jsonl"

    def _page(self, key: str) -> Path:
        return self.folder / "tables" / f"{key}.html"

    def _picture(self, key: str) -> Path:
        return self.folder / "tables" / f"{key}.png"

    @staticmethod
    def _put(path: Path, data: bytes) -> None:
        path.parent.mkdir(exist_ok=True)
        temporary = path.with_name(f".{path.name}")
        temporary.write_bytes(data)
        temporary.replace(path)
