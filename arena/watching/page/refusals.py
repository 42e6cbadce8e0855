"""Pages of a server that say why there is nothing to see: one for each status that has words, in all languages."""

from collections.abc import Mapping
from pathlib import Path

from bullring.arena.games.rulebook.language import in_all, spoken
from bullring.arena.watching.page.page import filled


def refusals() -> Mapping[str, str]:
    """The pages, by status."""
    told = in_all(lambda: spoken().topic("refusals"))
    return {status: _page(status, told) for status in spoken().topic("refusals") if status.isdecimal()}


def write_refusals(folder: Path) -> None:
    """Write the pages to where a server finds them."""
    folder.mkdir(exist_ok=True)
    for status, text in refusals().items():
        (folder / f"{status}.html").write_text(text, "utf-8")


def _page(status: str, told: Mapping[str, Mapping[str, Mapping[str, str]]]) -> str:
    words = {code: {**texts[status], "back": texts["back"]} for code, texts in told.items()}
    return filled("refused.html", "refused", {"words": dict.fromkeys(words)}, title="Bullring", refused=words)
